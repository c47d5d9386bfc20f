//! Where units can go, as graphs: read off the tables of a board, and again off those of the next board, so that it is
//! known which rows are others.
//!
//! A province is the node of its index. So is its first coast for fleets, mostly the only one; further coasts are
//! numbered behind the provinces.

use super::bits::Bits;
use super::board::Board;
use super::graph::Graph;
use crate::ids::{CoastId, Location, MAX_PROVINCES, ProvinceId};

/// The coasts of a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shores {
    /// How many coasts the land provinces have.
    pub coasts: usize,
    /// Provinces with more than one.
    pub several: Bits<{ MAX_PROVINCES / 64 }>,
    /// Provinces with any place for a fleet: seas, and land that has a coast.
    afloat: Bits<{ MAX_PROVINCES / 64 }>,
    /// One more than the highest number of a node in the graph of fleets.
    pub end: usize,
}

impl Shores {
    /// The coasts of a board.
    pub fn of(board: &Board) -> Shores {
        let (mut places, mut several, mut afloat) = (0, [0; MAX_PROVINCES / 64], [0; MAX_PROVINCES / 64]);
        for ((rows, several), afloat) in board.rows.chunks(64).zip(&mut several).zip(&mut afloat) {
            for (bit, row) in rows.iter().enumerate() {
                places += usize::from(row.coasts);
                *several |= u64::from(row.coasts > 1) << bit;
                *afloat |= u64::from(row.coasts > 0) << bit;
            }
        }
        let [several, afloat] = [several, afloat].map(Bits::of_words);
        let end = board.rows.len() + places - afloat.len();
        Shores { coasts: places - board.sea.len(), several, afloat, end }
    }
}

/// What is another in the graphs of one board than in those of the board before.
pub(super) struct Differences<const WORDS: usize> {
    /// Any row of [`Movement::army`], or its nodes.
    pub army: bool,
    /// Any row of [`Movement::fleet`], or its nodes.
    pub fleet: bool,
    /// Which rows of [`Movement::any`].
    pub any: Bits<WORDS>,
}

/// The graphs of a board: provinces in sets of `WORDS` words, places for fleets in sets of `PLACES`.
#[derive(Clone)]
pub(super) struct Movement<const WORDS: usize, const PLACES: usize> {
    /// Where armies walk: land provinces.
    pub army: Graph<WORDS>,
    /// Where fleets sail: seas and single coasts.
    pub fleet: Graph<PLACES>,
    /// Where units of either kind pass from province to province.
    pub any: Graph<WORDS>,
    /// The links of fleets with a coast of a province that has several, at either end.
    by_coast: Graph<PLACES>,
    /// The first number behind all nodes.
    end: usize,
}

impl<const WORDS: usize, const PLACES: usize> Movement<WORDS, PLACES> {
    /// The graphs without nodes.
    pub const EMPTY: Self = Movement {
        army: Graph::EMPTY,
        fleet: Graph::EMPTY,
        any: Graph::EMPTY,
        by_coast: Graph::EMPTY,
        end: 0,
    };

    /// Makes these the graphs of a board, which must all have room and has no fewer provinces than the board before.
    /// Says what is another than before.
    pub fn read(&mut self, board: &Board, shores: &Shores) -> Differences<WORDS> {
        let Movement { army, fleet, any, by_coast, end } = self;
        link_coasts(by_coast, board, shores);
        let mut army_differs = army.set_rows(&board.rows, |_, row| Bits::of_provinces(&row.army));
        let any_differs = any
            .set_rows(&board.rows, |_, row| Bits::of_provinces(&row.army) | Bits::of_provinces(&row.fleet));
        let several = shores.several.widened();
        let mut fleet_differs = fleet.set_rows(&board.rows, |province, row| {
            let direct = if row.coasts > 1 { Bits::EMPTY } else { Bits::of_provinces(&row.fleet) - several };
            direct | by_coast.row(province)
        });
        for further in board.rows.len()..shores.end.max(*end) {
            let old = std::mem::replace(fleet.row_mut(further), by_coast.row(further));
            fleet_differs |= old.differences(by_coast.row(further));
        }
        *end = shores.end;
        any.nodes = Bits::of_provinces(&board.passable());
        let land = Bits::of_provinces(&board.land);
        army_differs |= std::mem::replace(&mut army.nodes, land).differences(land);
        let places = shores.afloat.widened() | (Bits::below(shores.end) - Bits::below(board.rows.len()));
        fleet_differs |= std::mem::replace(&mut fleet.nodes, places).differences(places);
        Differences { army: !army_differs.is_empty(), fleet: !fleet_differs.is_empty(), any: any_differs }
    }
}

/// Finds the links of fleets with a coast of a province that has several, at either end.
fn link_coasts<const PLACES: usize>(links: &mut Graph<PLACES>, board: &Board, shores: &Shores) {
    links.nodes.for_each(|node| *links.row_mut(node) = Bits::EMPTY);
    links.nodes = Bits::EMPTY;
    // The node of the second coast of each province.
    let (mut seconds, mut next) = ([0u16; MAX_PROVINCES], board.rows.len() as u16);
    shores.several.for_each(|province| {
        seconds[province] = next;
        next += u16::from(board.rows[province].coasts) - 1;
    });
    let node = |Location { province, coast }| match coast {
        CoastId::FIRST => province.index(),
        CoastId(further) => usize::from(seconds[province.index()]) + usize::from(further) - 1,
    };
    shores.several.for_each(|province| {
        for coast in board.stations_of(ProvinceId(province as u8)) {
            let from = node(coast);
            for to in board.fleet_moves(coast) {
                let to = node(to);
                *links.row_mut(from) |= Bits::single(to);
                *links.row_mut(to) |= Bits::single(from);
                links.nodes |= Bits::single(from) | Bits::single(to);
            }
        }
    });
}
