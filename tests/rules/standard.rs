//! The standard board with its names, whole or with holes, for the tests of the rules.
use upheaval::ids::{CoastId, Location, Power, ProvinceId, ProvinceSet, UnitKind};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::gazetteer::Gazetteer;
use upheaval::rules::legal::ConvoyChains;
use upheaval::rules::notation::{Situation, WrittenOrder};
use upheaval::rules::order::{Order, Orders};
use upheaval::rules::position::{Position, Unit};
use upheaval::rules::rulebook::Rulebook;
use upheaval::topology::{Board, NamedMap, atlas, derive};

pub(super) struct Standard {
    pub chart: NamedMap,
    pub board: Board,
    pub names: Gazetteer,
}

impl Standard {
    pub(super) fn load() -> Standard {
        Standard::of(atlas::standard())
    }

    /// The board with twelve holes, each with or without closure.
    pub(super) fn holed(seed: u64) -> Standard {
        let stream = &mut Stream::keyed(seed, Purpose::Nature("holes"), &[]);
        let mut chart = atlas::standard();
        let mut provinces: Vec<ProvinceId> = derive(chart.map()).passable().iter().collect();
        stream.shuffle(&mut provinces);
        for &province in &provinces[..12] {
            let made = if stream.below(2) == 0 { chart.collapse(province) } else { chart.void(province) };
            made.expect("an open province can become a hole");
        }
        Standard::of(chart)
    }

    fn of(chart: NamedMap) -> Standard {
        let board = derive(chart.map());
        let names = Gazetteer::of(&chart, &board);
        Standard { chart, board, names }
    }

    pub(super) fn id(&self, code: &str) -> ProvinceId {
        self.names.find(code).unwrap_or_else(|| panic!("no province {code}"))
    }

    pub(super) fn name(&self, id: ProvinceId) -> &str {
        self.names.province(id)
    }

    pub(super) fn names(&self, set: ProvinceSet) -> Vec<&str> {
        set.iter().map(|p| self.name(p)).collect()
    }

    /// A unit as `F STP/NC`.
    pub(super) fn read_unit(&self, power: Power, text: &str) -> (ProvinceId, Unit) {
        let (kind, place) = text.split_once(' ').unwrap();
        let kind = if kind == "A" { UnitKind::Army } else { UnitKind::Fleet };
        let (code, coast) = place.split_once('/').map_or((place, None), |(p, c)| (p, Some(c)));
        let at = self.id(code);
        let coast = coast.map_or(CoastId::FIRST, |c| self.names.find_coast(at, c).unwrap());
        (at, Unit::new(kind, power, coast))
    }

    pub(super) fn unit_text(&self, at: ProvinceId, unit: Unit) -> String {
        self.names.unit(Location { province: at, coast: unit.coast }, unit.kind).to_string()
    }

    /// Passes the reader of an order in this position to `read`; `None` if the text cannot be read.
    pub(super) fn reading<T>(
        &self,
        position: &Position,
        power: Power,
        text: &str,
        read: impl FnOnce(WrittenOrder, &Situation<'_>) -> Option<T>,
    ) -> Option<T> {
        let chains = ConvoyChains::new(&self.board, &Rulebook::R2023, position);
        let situation =
            Situation { board: &self.board, position, chains: &chains, power, names: &self.names };
        read(WrittenOrder::parse(text, &self.names).ok()?, &situation)
    }

    /// Reads a movement order; `None` if it is illegal in this position.
    pub(super) fn read_order(
        &self,
        position: &Position,
        power: Power,
        text: &str,
    ) -> Option<(ProvinceId, Order)> {
        self.reading(position, power, text, |order, situation| order.resolve(situation).ok())
    }

    /// All units with their orders, one per line.
    pub(super) fn describe(&self, position: &Position, orders: &Orders) -> String {
        let line = |at: ProvinceId| {
            let order = WrittenOrder::from_order(position, at, orders[at])?;
            Some(format!(
                "    {} {}\n",
                self.names.power(position.unit(at)?.power),
                order.display(&self.names)
            ))
        };
        position.occupied().iter().filter_map(line).collect()
    }
}
