//! The names of the items that the tables know by number: provinces, coasts and powers. The rules never use
//! names; a gazetteer is built when text is read or written, and rebuilt when the map has changed.

use std::fmt;
use std::sync::Arc;

use upheaval_map::ids::{CoastId, Designation, Location, Power, PowerNames, ProvinceId, UnitKind};
use upheaval_map::topology::{Board, NamedMap, Names};

/// Printed for a province that the gazetteer does not know.
const NAMELESS: &str = "???";

/// Province codes, coast names and names of powers of one map, for look-up in both directions.
///
/// ```
/// use upheaval_engine::rules::gazetteer::Gazetteer;
/// use upheaval_engine::topology::{atlas, derive};
/// let chart = atlas::standard();
/// let names = Gazetteer::of(&chart, &derive(chart.map()));
/// let spain = names.find("SPA").unwrap();
/// assert_eq!(names.find_coast(spain, "SC").map(|coast| coast.0), Some(0));
/// ```
#[derive(Clone, Debug)]
pub struct Gazetteer {
    codes: Arc<Names>,
    /// The coasts of the provinces with several, in the order of the coast ids.
    coasts: Vec<(ProvinceId, Vec<String>)>,
    powers: PowerNames,
}

impl Gazetteer {
    /// The gazetteer of a board that no map names ([`Board::by_hand`]): its provinces, each once, with their codes
    /// (`SPA`, `BUR.2.1`) and, for a province with several coasts, the names of these in the order of their ids (`NC`,
    /// `SC`).
    pub fn new<C: Into<String>>(
        provinces: impl IntoIterator<Item = (ProvinceId, C, Vec<String>)>,
        powers: PowerNames,
    ) -> Gazetteer {
        let mut codes = Names::default();
        let mut coasts = Vec::new();
        for (id, code, names) in provinces {
            codes.call(id, &code.into());
            coasts.push((id, names));
        }
        Gazetteer { codes: Arc::new(codes), coasts, powers }
    }

    /// The gazetteer of the current map; `board` must be derived from it.
    pub fn of(chart: &NamedMap, board: &Board) -> Self {
        let named = |id| (id, chart.coast_names(board, id).iter().map(ToString::to_string).collect());
        let with_several = board.land().iter().filter(|&id| board.coasts(id) > 1);
        Gazetteer {
            codes: Arc::clone(chart.map().names()),
            coasts: with_several.map(named).collect(),
            powers: chart.power_names().clone(),
        }
    }

    /// The name of a power.
    pub fn power(&self, power: Power) -> &str {
        self.powers.name(power)
    }

    /// The powers.
    pub fn powers(&self) -> &PowerNames {
        &self.powers
    }

    /// The code of a province, `???` if it has none.
    pub fn province(&self, id: ProvinceId) -> &str {
        self.codes.get(id).unwrap_or(NAMELESS)
    }

    /// The names of a province's coasts in the order of their ids; empty unless it has several.
    pub fn coasts(&self, id: ProvinceId) -> &[String] {
        self.coasts.iter().find(|(province, _)| *province == id).map_or(&[], |(_, names)| names)
    }

    /// The name of a coast; `None` where the province does not have several.
    pub fn coast(&self, at: Location) -> Option<&str> {
        self.coasts(at.province).get(usize::from(at.coast.0)).map(String::as_str)
    }

    /// The province with this code, in capitals.
    pub fn find(&self, code: &str) -> Option<ProvinceId> {
        self.codes.find(code)
    }

    /// The coast of the province with this name, in capitals.
    pub fn find_coast(&self, province: ProvinceId, name: &str) -> Option<CoastId> {
        let index = self.coasts(province).iter().position(|coast| coast == name)?;
        u8::try_from(index).ok().map(CoastId)
    }

    /// All codes with their provinces, in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, ProvinceId)> {
        self.codes.sorted().iter().map(|&id| (self.province(id), id))
    }

    /// A place in text form: `SPA/SC` for a fleet where there are several coasts, `SPA` otherwise.
    pub fn location(&self, at: Location, kind: UnitKind) -> impl fmt::Display + use<'_> {
        fmt::from_fn(move |f| {
            f.write_str(self.province(at.province))?;
            match self.coast(at).filter(|_| kind == UnitKind::Fleet) {
                Some(coast) => write!(f, "/{coast}"),
                None => Ok(()),
            }
        })
    }

    /// A unit in text form: `A PAR`, `F STP/NC`, `A/F ENG`.
    pub fn unit<K: Into<Designation>>(&self, at: Location, kind: K) -> impl fmt::Display + use<'_, K> {
        let designation = kind.into();
        fmt::from_fn(move |f| write!(f, "{designation} {}", self.location(at, designation.kind())))
    }
}
