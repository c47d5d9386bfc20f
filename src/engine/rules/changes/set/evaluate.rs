//! The faces of a set, in a game as it is now.

use upheaval_map::ids::{Power, ProvinceId, ProvinceSet};
use upheaval_map::topology::FaceKind;

use super::{Holding, Operator, Set, Who, Whose, Word, centres, faces, of_kinds};
use crate::rules::map_tables::MapTables;
use crate::rules::position::Position;

/// Where a set is evaluated.
pub trait Scene {
    /// The ground.
    fn terrain(&self) -> &MapTables;
    /// Units and owners.
    fn position(&self) -> &Position;
    /// The places that an entry has changed and that are still so.
    fn held(&self, entry: usize) -> ProvinceSet;
    /// The places that an entry has changed at this point.
    fn fresh(&self, entry: usize) -> ProvinceSet;
    /// The places that an entry changed when it last acted before this point.
    fn last(&self, entry: usize) -> ProvinceSet;
    /// The provinces that were occupied at the end of one of the last Springs and Falls, this many; `None` if fewer have
    /// been played.
    fn occupied_lately(&self, seasons: u8) -> Option<ProvinceSet>;
    /// The provinces of a power's country.
    fn country(&self, power: Power) -> ProvinceSet;
}

impl Set {
    /// The faces of the set.
    pub fn faces(&self, scene: &dyn Scene) -> ProvinceSet {
        let terrain = scene.terrain();
        let board = terrain.board();
        match self {
            Set::Word(Word::Centres) => *terrain.centres(),
            Set::Word(Word::Occupied) => *scene.position().occupied(),
            Set::Word(Word::Coastal) => of_kinds(Word::Land.kinds(), terrain) & *board.harbours(),
            Set::Word(Word::Inland) => of_kinds(Word::Land.kinds(), terrain) - *board.harbours(),
            Set::Word(word) => of_kinds(word.kinds(), terrain),
            Set::Place(places) => places.on(terrain.chart().map()),
            Set::Held(entry) => scene.held(entry.index),
            Set::New(entry) => scene.fresh(entry.index),
            Set::Last(entry) => scene.last(entry.index),
            Set::Group(group) => group.set.faces(scene),
            Set::Near(set) => board.beside(set.faces(scene)) & faces(terrain.chart().map()),
            Set::Within(steps, set) => within(steps.get(), set.faces(scene), terrain),
            Set::Under(set) => set.under(scene),
            Set::Idle(seasons) => match scene.occupied_lately(seasons.get()) {
                Some(occupied) => board.passable() - occupied,
                None => ProvinceSet::EMPTY,
            },
            Set::Of(holding, who) => holding.of(who, scene),
            Set::Joined(operator, terms) => joined(*operator, terms, |term| term.faces(scene)),
        }
    }

    /// The holes that would be in the set if they were open.
    fn under(&self, scene: &dyn Scene) -> ProvinceSet {
        let terrain = scene.terrain();
        let chart = terrain.chart();
        let (map, holes) = (chart.map(), chart.map().holes());
        let of = |kind: FaceKind| map.of_kind(kind) & holes;
        match self {
            Set::Word(Word::All) => holes & faces(map),
            Set::Word(Word::Provinces) => of(FaceKind::Land) | of(FaceKind::Sea) | of(FaceKind::Ice),
            Set::Word(Word::Land) => of(FaceKind::Land),
            Set::Word(Word::Sea) => of(FaceKind::Sea),
            Set::Word(Word::Ice) => of(FaceKind::Ice),
            Set::Word(Word::Impassable) => of(FaceKind::Impassable),
            Set::Word(Word::Centres) => (of(FaceKind::Land) | of(FaceKind::Sea)) & centres(chart),
            Set::Word(Word::Coastal) => {
                of(FaceKind::Land).iter().filter(|&hole| is_on_water(hole, terrain)).collect()
            }
            Set::Word(Word::Inland) => {
                of(FaceKind::Land).iter().filter(|&hole| !is_on_water(hole, terrain)).collect()
            }
            Set::Idle(seasons) => match scene.occupied_lately(seasons.get()) {
                Some(occupied) => Set::Word(Word::Provinces).under(scene) - occupied,
                None => ProvinceSet::EMPTY,
            },
            // Nobody has what is below a hole.
            Set::Of(Holding::Owned, Who::Word(Whose::Nobody)) => Set::Word(Word::Centres).under(scene),
            Set::Of(Holding::Units, Who::Word(Whose::Nobody)) => Set::Word(Word::Provinces).under(scene),
            Set::Word(Word::Holed | Word::Occupied)
            | Set::Under(_)
            | Set::Of(Holding::Owned | Holding::Units, _) => ProvinceSet::EMPTY,
            Set::Of(Holding::Home, who) => {
                let is_home = |hole: ProvinceId| {
                    chart.info(hole).filter(|info| info.supply_centre).map(|info| info.home)
                };
                let is_of = |&hole: &ProvinceId| match (is_home(hole), who) {
                    (Some(home), Who::Word(Whose::Nobody)) => home.is_none(),
                    (Some(Some(home)), who) => who.powers(scene).any(|power| power == home),
                    (Some(None) | None, _) => false,
                };
                // A centre below ice would sleep.
                (of(FaceKind::Land) | of(FaceKind::Sea)).iter().filter(is_of).collect()
            }
            Set::Place(_) | Set::Held(_) | Set::New(_) | Set::Last(_) | Set::Of(Holding::Country, _) => {
                self.faces(scene) & holes
            }
            Set::Near(set) => beside_others(holes, set.faces(scene), terrain) - set.under(scene),
            Set::Within(steps, set) => {
                let (mut reached, mut under) = (set.faces(scene), set.under(scene));
                for _ in 0..steps.get() {
                    under |= beside_others(holes, reached, terrain);
                    let farther = within(1, reached, terrain);
                    if farther == reached {
                        break;
                    }
                    reached = farther;
                }
                under
            }
            Set::Group(group) => group.set.under(scene),
            Set::Joined(operator, terms) => joined(*operator, terms, |term| term.under(scene)),
        }
    }
}

/// The holes that are beside another face of the set.
fn beside_others(holes: ProvinceSet, set: ProvinceSet, terrain: &MapTables) -> ProvinceSet {
    let is_beside = |&hole: &ProvinceId| {
        let others = set - ProvinceSet::single(hole);
        terrain.board().beside(others).contains(hole)
    };
    holes.iter().filter(is_beside).collect()
}

/// Would the hole have a coast if it were open land? All faces round a point are beside each other.
fn is_on_water(hole: ProvinceId, terrain: &MapTables) -> bool {
    let board = terrain.board();
    board.beside(ProvinceSet::single(hole)).intersects(board.water())
}

fn within(steps: u8, set: ProvinceSet, terrain: &MapTables) -> ProvinceSet {
    let all = faces(terrain.chart().map());
    let mut reached = set;
    for _ in 0..steps {
        let more = terrain.board().beside(reached) & all;
        if more.is_empty() {
            break;
        }
        reached |= more;
    }
    reached
}

fn joined(operator: Operator, terms: &[Set], faces: impl Fn(&Set) -> ProvinceSet) -> ProvinceSet {
    let mut terms = terms.iter().map(faces);
    let first = terms.next().unwrap_or(ProvinceSet::EMPTY);
    terms.fold(first, |all, next| match operator {
        Operator::Or => all | next,
        Operator::And => all & next,
        Operator::Without => all - next,
    })
}

impl Who {
    /// The powers; for `nobody`, every power, whose places are those that `nobody` does not have.
    fn powers(&self, scene: &dyn Scene) -> impl Iterator<Item = Power> {
        let position = scene.position();
        let powers = scene.terrain().powers();
        let most = powers.iter().map(|power| position.centres_of(power).len()).max().unwrap_or(0);
        powers.iter().filter(move |&power| match self {
            Who::Power(only, _) => power == *only,
            Who::Word(Whose::Any | Whose::Nobody) => true,
            Who::Word(Whose::Out) => position.is_out(power),
            Who::Word(Whose::Leader) => position.centres_of(power).len() == most,
        })
    }
}

impl Holding {
    /// The faces that these powers have so.
    fn of(self, who: &Who, scene: &dyn Scene) -> ProvinceSet {
        let (terrain, position) = (scene.terrain(), scene.position());
        let of_power = |power: Power| match self {
            Holding::Home => terrain.homes()[power],
            Holding::Owned => *position.centres_of(power) & *terrain.centres(),
            Holding::Country => scene.country(power),
            Holding::Units => *position.units_of(power),
        };
        let theirs: ProvinceSet = who.powers(scene).map(of_power).collect();
        match (who, self) {
            (Who::Word(Whose::Nobody), Holding::Home | Holding::Owned) => *terrain.centres() - theirs,
            (Who::Word(Whose::Nobody), Holding::Country) => faces(terrain.chart().map()) - theirs,
            (Who::Word(Whose::Nobody), Holding::Units) => terrain.board().passable() - theirs,
            (Who::Power(..) | Who::Word(_), _) => theirs,
        }
    }
}
