//! A table at which a game can be set up in any position and played by orders as text, with predetermined holes and a
//! log of all reports.
use std::collections::BTreeMap;
use std::sync::Arc;

use upheaval::game::{Game, Referee, Stage};
use upheaval::ids::{ByPower, CoastId, Location, Power, Powers, ProvinceId, ProvinceSet};
use upheaval::reading::{self, Decision, OrderSource, OrderText, Refusal};
use upheaval::record::GameRow;
use upheaval::rules::answers::{Answers, Declarations};
use upheaval::rules::changes::{Entry, Verb};
use upheaval::rules::event::{Event, Log};
use upheaval::rules::game_state::{CoastChoice, GameState};
use upheaval::rules::legal::ConvoyChains;
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::nature::{HowMany, Nature};
use upheaval::rules::notation::{WrittenSeismic, WrittenUnit};
use upheaval::rules::order::Orders;
use upheaval::rules::position::{Phase, Position, Season, Unit};
use upheaval::rules::retreat::RetreatOutcome;
use upheaval::rules::seismic::SeismicOutcome;
use upheaval::rules::settlement::{Settled, Settlement};
use upheaval::rules::variant::Variant;
use upheaval::sim::Recorder;
use upheaval::topology::{HalfEdgeId, MapEvent};

use super::seats::spec;

/// Texts for some powers: units or centres.
pub type Lists<'a> = [(Power, &'a [&'a str])];

/// The phase of a text, such as `S1901M`.
pub fn phase(text: &str) -> Phase {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Each order as every power could give it: for a unit there is one power that can.
fn by_anybody<'a>(orders: &'a [&'a str]) -> Vec<OrderText<'a>> {
    orders.iter().flat_map(|&text| Power::STANDARD.map(|power| OrderText { power, text })).collect()
}

/// What these orders mean, each of which somebody may give.
fn said(lines: &[OrderText<'_>], read: Vec<Result<Decision, Refusal>>) -> Answers {
    let powers = Powers::STANDARD.len();
    for (lines, read) in lines.chunks(powers).zip(read.chunks(powers)) {
        assert!(read.iter().any(Result::is_ok), "{} is legal for nobody", lines[0].text);
    }
    let mut answers = Answers::none(Powers::STANDARD);
    let decided = lines.iter().zip(read).filter_map(|(line, read)| Some((line.power, read.ok()?)));
    decided.for_each(|(power, decision)| answers.put(power, &decision));
    answers
}

/// The name of a face that is drawn, and the id of the entry for which; without one, for the entry that makes holes.
type FatedFace = (Option<String>, String);

/// A nature that is predetermined by season, and records its candidates. Faces are given by name, because a split may
/// create them.
pub struct Fated {
    pub faces: BTreeMap<(u16, Season), Vec<FatedFace>>,
    /// Splits as text: `split BUR PAR MUN`.
    pub splits: BTreeMap<(u16, Season), Vec<String>>,
    /// The half in which a unit stays: the first, unless its name is here.
    pub stays: Vec<String>,
    pub exempt: ByPower<Option<ProvinceId>>,
    /// The candidates of each draw, with the id of its entry.
    pub offered: Vec<(Phase, String, ProvinceSet)>,
    pub asked_for_exempt: Vec<Power>,
}

impl Default for Fated {
    fn default() -> Fated {
        Fated {
            faces: BTreeMap::new(),
            splits: BTreeMap::new(),
            stays: Vec::new(),
            exempt: ByPower::new(Powers::STANDARD),
            offered: Vec::new(),
            asked_for_exempt: Vec::new(),
        }
    }
}

impl Fated {
    /// The splits of this season whose province is on the map, with this province.
    fn splits_on(&self, at: Phase, terrain: &MapTables) -> Vec<(ProvinceId, &str)> {
        let texts = self.splits.get(&(at.year, at.season)).into_iter().flatten();
        let find = |text: &str| terrain.chart().map().find(text.split_whitespace().nth(1)?);
        texts.filter_map(|text| Some((find(text)?, text.as_str()))).collect()
    }
}

/// The sides at which a split such as `split BUR PAR MAO#2` ends.
pub fn split_sides(terrain: &MapTables, text: &str) -> [HalfEdgeId; 2] {
    let map = terrain.chart().map();
    let Ok(MapEvent::Split { province, ends }) = text.parse() else { panic!("{text} is not a split") };
    let province = map.find(&province).unwrap_or_else(|| panic!("{text}: no such province"));
    ends.map(|end| {
        let stretches = map.stretches(province, map.find(&end.neighbour).expect("a neighbour"));
        stretches[end.index.unwrap_or(1) - 1]
    })
}

impl Nature for Fated {
    fn faces(
        &mut self,
        at: Phase,
        entry: &Entry,
        terrain: &MapTables,
        eligible: &ProvinceSet,
        _: HowMany,
    ) -> Vec<ProvinceId> {
        self.offered.push((at, entry.id.clone(), *eligible));
        if entry.draws(Verb::Split) {
            return self.splits_on(at, terrain).into_iter().map(|(province, _)| province).collect();
        }
        let names = self.faces.get(&(at.year, at.season)).into_iter().flatten();
        names
            .filter(|(id, _)| match id {
                Some(id) => *id == entry.id,
                None => entry.draws(Verb::Collapse) || entry.draws(Verb::Void),
            })
            .map(|(_, name)| terrain.chart().map().find(name).unwrap_or_else(|| panic!("no face {name}")))
            .collect()
    }

    fn exempt(&mut self, _: Phase, _: &str, power: Power, homes: &ProvinceSet) -> Option<ProvinceId> {
        self.asked_for_exempt.push(power);
        self.exempt[power].or_else(|| homes.first())
    }

    fn ends(&mut self, at: Phase, terrain: &MapTables, province: ProvinceId) -> Option<[HalfEdgeId; 2]> {
        let split = self.splits_on(at, terrain).into_iter().find(|(of, _)| *of == province);
        split.map(|(_, text)| split_sides(terrain, text))
    }

    fn half(&mut self, _: Phase, terrain: &MapTables, halves: &[ProvinceId]) -> Option<ProvinceId> {
        let named =
            |half: &&ProvinceId| self.stays.iter().any(|name| name == terrain.chart().map().name(**half));
        halves.iter().find(named).or(halves.first()).copied()
    }
}

/// All reports, in order, and the outcomes of the last retreats and of the last seismic orders.
#[derive(Default)]
pub struct Told {
    pub events: Vec<(Phase, Event)>,
    pub retreats: Vec<RetreatOutcome>,
    pub seismic: Option<ByPower<Option<SeismicOutcome>>>,
}

impl Log for Told {
    fn event(&mut self, at: Phase, _: &MapTables, event: &Event) {
        self.events.push((at, event.clone()));
    }

    fn settled(&mut self, settlement: &Settlement<'_>) {
        match settlement.settled {
            Settled::Retreats { outcomes, .. } => self.retreats = outcomes.to_vec(),
            Settled::Seismic { outcomes, .. } => self.seismic = Some(outcomes.clone()),
            Settled::Movement { .. } | Settled::Adjustments { .. } => {}
        }
    }
}

impl Told {
    /// The outcome of a power's last seismic order.
    pub fn outcome(&self, power: Power) -> Option<SeismicOutcome> {
        self.seismic.as_ref()?[power]
    }
}

pub struct Table {
    pub game: Game,
    pub referee: Referee,
    pub nature: Fated,
    pub told: Told,
}

impl Table {
    /// A game of a variant from its start.
    pub fn new_game(variant: Arc<Variant>, last_year: u16) -> Table {
        Table {
            game: Game::new(variant, last_year),
            referee: Referee::new(),
            nature: Fated::default(),
            told: Told::default(),
        }
    }

    /// A game from a given position: these units, owners and changes of the map, before this phase. Orders before the
    /// variant's first phase are the first ones.
    pub fn set_in(
        variant: Arc<Variant>,
        phase: &str,
        map_events: &[&str],
        units: &Lists<'_>,
        centres: &Lists<'_>,
    ) -> Table {
        let mut chart = variant.terrain.chart().clone();
        for event in map_events {
            event.parse::<MapEvent>().unwrap().apply(&mut chart).unwrap();
        }
        let terrain = Arc::new(MapTables::new(chart));
        let mut world = GameState::new(Arc::clone(&terrain));
        for &(power, list) in units {
            for text in list {
                let unit = WrittenUnit::parse(text, terrain.names()).unwrap();
                let at = unit.placed(text, terrain.names(), terrain.board()).unwrap();
                world.position.place(at.province, Unit::new(unit.kind, power, at.coast));
            }
        }
        for &(power, list) in centres {
            for name in list {
                world.position.set_owner(terrain.names().find(name).unwrap(), Some(power));
            }
        }
        let game = Game::resumed(variant, 1950, world, phase.parse().unwrap());
        Table { game, referee: Referee::new(), nature: Fated::default(), told: Told::default() }
    }

    pub fn id(&self, code: &str) -> ProvinceId {
        self.game.terrain().names().find(code).unwrap_or_else(|| panic!("no province {code}"))
    }

    pub fn name(&self, id: ProvinceId) -> &str {
        self.game.terrain().names().province(id)
    }

    pub fn names(&self, set: ProvinceSet) -> Vec<&str> {
        let mut names: Vec<&str> = set.iter().map(|id| self.name(id)).collect();
        names.sort_unstable();
        names
    }

    /// The phase as it is written: `S1901M`.
    pub fn phase(&self) -> String {
        self.game.phase().to_string()
    }

    /// The current chains of convoying fleets.
    pub fn chains(&self) -> ConvoyChains {
        ConvoyChains::new(self.game.terrain().board(), &self.game.variant().rulebook, self.position())
    }

    /// Determines the hole of a season, such as `S1901`; in `double-reversible` a face that toggles.
    pub fn hole(self, season: &str, name: &str) -> Table {
        self.fated(season, None, name)
    }

    /// Determines a face that is drawn in a season, such as `S1901`, for the entry with this id.
    pub fn drawn(self, season: &str, id: &str, name: &str) -> Table {
        self.fated(season, Some(id.to_owned()), name)
    }

    fn fated(mut self, season: &str, id: Option<String>, name: &str) -> Table {
        let at: Phase = format!("{season}M").parse().unwrap();
        self.nature.faces.entry((at.year, at.season)).or_default().push((id, name.to_owned()));
        self
    }

    /// Determines a split of a season: `split BUR PAR MUN`.
    pub fn split(mut self, season: &str, text: &str) -> Table {
        let at: Phase = format!("{season}M").parse().unwrap();
        self.nature.splits.entry((at.year, at.season)).or_default().push(text.to_owned());
        self
    }

    /// Determines in which half a unit stays.
    pub fn stays(mut self, half: &str) -> Table {
        self.nature.stays.push(half.to_owned());
        self
    }

    /// The orders of a movement phase from texts, all of which are legal.
    pub fn read(&self, orders: &[&str]) -> Orders {
        self.understood(orders, OrderSource::Player).orders
    }

    /// What these orders mean in the stage that the game waits for, or why they do not count.
    pub fn understand(&self, lines: &[OrderText<'_>], manner: OrderSource) -> Vec<Result<Decision, Refusal>> {
        reading::stage(&self.game, &self.chains(), lines, manner)
    }

    fn understood(&self, orders: &[&str], manner: OrderSource) -> Answers {
        let lines = by_anybody(orders);
        said(&lines, self.understand(&lines, manner))
    }

    /// No power says anything.
    fn silence(&self) -> Answers {
        Answers::none(Powers::STANDARD)
    }

    /// Settles a stage with these answers.
    pub fn settle(&mut self, answers: Answers) -> &mut Table {
        self.game.settle(&mut self.referee, &answers, &mut self.nature, &mut self.told);
        self
    }

    /// Settles a movement phase with these orders; units without orders hold.
    pub fn move_all(&mut self, orders: &[&str]) -> &mut Table {
        self.move_exempting(orders, &ByPower::new(Powers::STANDARD))
    }

    pub fn move_exempting(&mut self, orders: &[&str], exempt: &ByPower<Option<ProvinceId>>) -> &mut Table {
        self.move_declaring(
            orders,
            &Declarations { exempt: exempt.clone(), ..Declarations::none(Powers::STANDARD) },
        )
    }

    /// Settles a movement phase with these orders and declarations; units without orders hold.
    pub fn move_declaring(&mut self, orders: &[&str], declared: &Declarations) -> &mut Table {
        assert_eq!(self.game.stage(), Stage::Movement);
        self.settle(Answers { orders: self.read(orders), declared: declared.clone(), ..self.silence() })
    }

    /// Settles a retreat phase with these orders; units without orders disband.
    pub fn retreat(&mut self, orders: &[&str]) -> &mut Table {
        assert_eq!(self.game.stage(), Stage::Retreats);
        // The phase decides whether it can go there.
        self.settle(self.understood(orders, OrderSource::Record))
    }

    /// Settles the coasts by a function of the choice.
    pub fn coasts(&mut self, mut choose: impl FnMut(&CoastChoice) -> Option<CoastId>) -> &mut Table {
        assert_eq!(self.game.stage(), Stage::Coasts);
        let choices = self.game.coast_choices().iter();
        let coasts = choices.filter_map(|choice| Some((choice.fleet, choose(choice)?))).collect();
        self.settle(Answers { coasts, ..self.silence() })
    }

    /// The row of the table `games` for this game after this event.
    pub fn recorded(&mut self, happens: impl for<'a> FnOnce(&'a mut Table) -> &'a mut Table) -> GameRow {
        let recorder = Recorder::new(&spec(["nobody"; 7], 1, 1950), &self.game);
        happens(self);
        recorder.finish(&self.game).game
    }

    /// Settles an adjustment phase without orders.
    pub fn adjust(&mut self) -> &mut Table {
        assert_eq!(self.game.stage(), Stage::Adjustments);
        self.settle(self.silence())
    }

    /// Settles a seismic phase with these orders; other powers give none.
    pub fn shake(&mut self, orders: &[(Power, &str)]) -> &mut Table {
        assert_eq!(self.game.stage(), Stage::Seismic);
        let mut answers = self.silence();
        for &(power, text) in orders {
            let written = WrittenSeismic::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let order = written.resolve(self.game.terrain().chart().map());
            answers.seismic[power] = Some(order.unwrap_or_else(|error| panic!("{text}: {error}")));
        }
        self.settle(answers)
    }

    /// The results of each power's order in the last seismic phase, as words.
    pub fn shaken(&self, power: Power) -> Option<&'static str> {
        self.told.outcome(power).map(|outcome| outcome.word())
    }

    /// Settles the choice of trapped fleets, and of coasts, by default: these fleets are disbanded.
    pub fn disband_trapped(&mut self, fleets: &[&str]) -> &mut Table {
        let disbanded = fleets.iter().map(|name| self.id(name)).collect();
        self.settle(Answers { disbanded, ..self.silence() })
    }

    pub fn position(&self) -> &Position {
        &self.game.world().position
    }

    /// A power's units as text, sorted.
    pub fn units(&self, power: Power) -> Vec<String> {
        let names = self.game.terrain().names();
        let mut units: Vec<String> = self
            .position()
            .units_of(power)
            .iter()
            .map(|at| {
                let unit = self.position().unit(at).unwrap();
                names.unit(Location { province: at, coast: unit.coast }, unit.designation()).to_string()
            })
            .collect();
        units.sort();
        units
    }

    pub fn centres(&self, power: Power) -> Vec<&str> {
        self.names(*self.position().centres_of(power))
    }

    /// The number of the first event that matches.
    pub fn when(&self, fits: impl Fn(&Event) -> bool) -> Option<usize> {
        self.told.events.iter().position(|(_, event)| fits(event))
    }

    /// A whole season with these orders: all other decisions are made by default.
    pub fn season(&mut self, orders: &[&str]) -> &mut Table {
        self.move_all(orders).rest_of_season()
    }

    /// Settles everything up to the next movement phase, or the end, by default.
    pub fn rest_of_season(&mut self) -> &mut Table {
        loop {
            match self.game.stage() {
                Stage::Movement | Stage::Over => return self,
                Stage::Retreats => self.retreat(&[]),
                Stage::Coasts => self.coasts(|_| None),
                Stage::Adjustments => self.adjust(),
                Stage::Seismic => self.shake(&[]),
            };
        }
    }

    /// Makes centres exempt in a game from a given position.
    pub fn exempt(mut self, centres: &[(Power, &str)]) -> Table {
        let mut world = self.game.world().clone();
        for &(power, name) in centres {
            world.exemptions[power].centre = Some(self.id(name));
        }
        self.game = Game::resumed(Arc::clone(self.game.variant()), 1950, world, self.game.phase());
        self
    }

    /// The current names of nature's candidates for each draw of the entry with this id.
    pub fn offered(&self, id: &str) -> Vec<Vec<&str>> {
        let draws = self.nature.offered.iter().filter(|(_, of, _)| of == id);
        draws.map(|(.., set)| self.names(*set)).collect()
    }
}
