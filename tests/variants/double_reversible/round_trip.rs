//! `double-reversible`: a game played by dice, and the same positions sent to the [`AdjudicationService`] phase by
//! phase, have the same results. The entries that an answer lists for a movement are understood in the retreats. No unit
//! is lost but by an event that says so.

use crate::helpers::name_of;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::helpers::shipped::{DOUBLE_REVERSIBLE, variant};
use serde_json::{Value, json};
use upheaval::adjudicate::AdjudicationService;
use upheaval::game::{Game, Referee, Stage};
use upheaval::ids::{Location, Power, Powers, ProvinceId, UnitKind};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::adjustment::{Owed, builds};
use upheaval::rules::answers::Answers;
use upheaval::rules::event::{Event, Log};
use upheaval::rules::legal::{self, ConvoyChains};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::nature::Seeded;
use upheaval::rules::notation::WrittenOrder;
use upheaval::rules::order::{Orders, RetreatOrder};
use upheaval::rules::position::{Phase, Position, Unit};
use upheaval::rules::rulebook::Rulebook;

/// Follows every unit by the reports alone.
#[derive(Default)]
struct Ledger {
    /// The draws of nature in this phase, as the service receives them.
    drawn: Vec<String>,
    /// Units on the board or waiting for their retreat, by power and kind.
    about: BTreeMap<(Power, UnitKind), usize>,
    /// Units that are lost with a hole.
    swallowed: BTreeMap<(ProvinceId, Power, UnitKind), usize>,
    returned: u32,
    crowded_out: u32,
}

/// Takes one away.
fn less<K: Ord>(of: &mut BTreeMap<K, usize>, key: &K) {
    let n = of.get_mut(key).expect("there is one");
    *n -= 1;
    of.retain(|_, n| *n > 0);
}

impl Ledger {
    /// The units of this game, or waiting, and those that are lost with a hole.
    fn of(game: &Game) -> Ledger {
        let (world, mut ledger) = (game.world(), Ledger::default());
        let standing = world.position.occupied().iter().filter_map(|at| world.position.unit(at));
        for unit in standing.chain(world.retreats.dislodged.iter().map(|waiting| waiting.unit)) {
            *ledger.about.entry((unit.power, unit.kind)).or_default() += 1;
        }
        for gone in &world.swallowed {
            *ledger.swallowed.entry((gone.hole, gone.unit.power, gone.unit.kind)).or_default() += 1;
        }
        ledger
    }
}

impl Log for Ledger {
    fn event(&mut self, _: Phase, terrain: &MapTables, event: &Event) {
        let mut drawn = |word, face| self.drawn.push(format!("{word} {}", terrain.names().province(face)));
        match *event {
            Event::Collapsed(face) => drawn("collapse", face),
            Event::Restored(face) => drawn("restore", face),
            Event::Built(_, _, unit) => *self.about.entry((unit.power, unit.kind)).or_default() += 1,
            Event::Removed(_, _, unit) | Event::CoastLost(_, unit) => {
                less(&mut self.about, &(unit.power, unit.kind));
            }
            Event::Disbanded(lost) => less(&mut self.about, &(lost.unit.power, lost.unit.kind)),
            Event::Destroyed(at, unit) => panic!("{unit:?} in {}", terrain.names().province(at)),
            Event::Swallowed { face, unit, .. } => {
                less(&mut self.about, &(unit.power, unit.kind));
                *self.swallowed.entry((face, unit.power, unit.kind)).or_default() += 1;
            }
            Event::UnitReturned(face, unit) => {
                *self.about.entry((unit.power, unit.kind)).or_default() += 1;
                less(&mut self.swallowed, &(face, unit.power, unit.kind));
                self.returned += 1;
            }
            Event::Dislodged(unit) => self.crowded_out += u32::from(unit.attacker.is_none()),
            _ => {}
        }
    }
}

fn sorted(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut texts: Vec<String> = texts.collect();
    texts.sort();
    texts
}

/// A unit in an open province or, as if it were open, in a hole.
fn text(terrain: &MapTables, at: ProvinceId, unit: Unit) -> String {
    let mut chart = terrain.chart().clone();
    let place = Location { province: at, coast: unit.coast };
    match chart.restore(at) {
        Ok(()) => MapTables::new(chart).names().unit(place, unit.kind).to_string(),
        Err(_) => terrain.names().unit(place, unit.kind).to_string(),
    }
}

fn units(terrain: &MapTables, position: &Position, power: Power) -> Vec<String> {
    let of_power = position.units_of(power).iter();
    sorted(of_power.map(|at| text(terrain, at, position.unit(at).expect("a unit"))))
}

fn centres(terrain: &MapTables, position: &Position, power: Power) -> Vec<String> {
    sorted(position.centres_of(power).iter().map(|id| terrain.names().province(id).to_owned()))
}

/// The position as a request without orders.
fn request(game: &Game) -> Value {
    let (world, terrain) = (game.world(), game.terrain());
    let holes = terrain.chart().map().holes();
    let events: Vec<String> =
        holes.iter().map(|id| format!("collapse {}", terrain.chart().map().name(id))).collect();
    let mut powers = serde_json::Map::new();
    let mut swallowed: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for power in Powers::STANDARD {
        let (units, centres) =
            (units(terrain, &world.position, power), centres(terrain, &world.position, power));
        powers.insert(name_of(power), json!({"units": units, "centers": centres}));
    }
    for gone in &world.swallowed {
        let text = text(terrain, gone.hole, gone.unit);
        swallowed.entry(name_of(gone.unit.power)).or_default().push(text);
    }
    json!({
        "id": 1, "variant": "double-reversible", "phase": game.phase().to_string(), "map_events": events,
        "state": {"swallowed": swallowed}, "powers": powers,
    })
}

/// The dislodged units as the service lists them: unit, power, the attacker's start, options.
fn dislodged(game: &Game) -> Vec<Value> {
    let (terrain, waiting) = (game.terrain(), &game.dislodged().dislodged);
    let mut alike: BTreeMap<(Power, String), usize> = BTreeMap::new();
    let entry = |(i, unit): (usize, &upheaval::rules::position::Dislodged)| {
        let mut text = text(terrain, unit.at, unit.unit);
        let n = alike.entry((unit.unit.power, text.clone())).or_default();
        *n += 1;
        if *n > 1 {
            text = format!("{text}#{n}");
        }
        let options = game.retreat_options(i);
        let place = |to: &Location| terrain.names().location(*to, unit.unit.kind).to_string();
        let from = unit.attacker.map(|from| terrain.names().province(from));
        let options = sorted(options.iter().map(place));
        json!({"unit": text, "power": name_of(unit.unit.power), "from": from, "options": options})
    };
    waiting.iter().enumerate().map(entry).collect()
}

/// The answer has the units and centres of the current game.
fn same(answer: &Value, game: &Game, context: &Value) {
    for power in Powers::STANDARD {
        let (terrain, position) = (game.terrain(), &game.world().position);
        let (here, owns) = (units(terrain, position, power), centres(terrain, position, power));
        let of_desk = |key: &str| answer[key].get(name_of(power)).cloned().unwrap_or(json!([]));
        assert_eq!(of_desk("units_after"), json!(here), "{power:?}: {context}");
        assert_eq!(of_desk("centers_after"), json!(owns), "{power:?}: {context}");
    }
}

#[derive(Default)]
struct Round {
    desk: AdjudicationService,
    referee: Referee,
    ledger: Ledger,
    choices: u32,
    movements: u32,
    retreats: u32,
}

impl Round {
    fn ask(&mut self, request: &Value) -> Value {
        let answer = self.desk.answer(&request.to_string()).unwrap_or_else(|e| panic!("{e}: {request}"));
        serde_json::to_value(answer).expect("an answer can be written")
    }

    fn play(&mut self, seed: u64) {
        let mut dice = Stream::keyed(seed, Purpose::Bot, &[1]);
        let mut nature = Seeded { seed, block: 9 };
        let mut game = Game::new(variant("double-reversible"), 1908);
        let Ledger { returned, crowded_out, .. } = self.ledger;
        self.ledger = Ledger { returned, crowded_out, ..Ledger::of(&game) };
        while game.stage() != Stage::Over {
            self.ledger.drawn.clear();
            match game.stage() {
                Stage::Movement => self.movement(&mut game, &mut nature, &mut dice),
                Stage::Retreats => self.retreats(&mut game, &mut nature, &mut dice),
                _ => {
                    let mut answers = Answers::none(Powers::STANDARD);
                    for power in Powers::STANDARD {
                        if let Owed::Builds(n) = game.owed(power) {
                            let builds = builds(game.terrain().board(), &game.build_sites(power));
                            answers.adjustments[power].extend((0..n).filter_map(|_| dice.choose(&builds)));
                        }
                    }
                    game.settle(&mut self.referee, &answers, &mut nature, &mut self.ledger);
                }
            }
            let found = Ledger::of(&game);
            assert_eq!(
                (&self.ledger.about, &self.ledger.swallowed),
                (&found.about, &found.swallowed),
                "{}: on the board, or waiting, or lost by an event that says so",
                game.phase()
            );
        }
    }

    fn movement(&mut self, game: &mut Game, nature: &mut Seeded, dice: &mut Stream) {
        let mut request = request(game);
        let (terrain, position) = (Arc::clone(&game.world().terrain), game.world().position.clone());
        // No text can describe the parts of a coast at the time when its fleet vanished.
        let told_in_full = game.world().swallowed.iter().all(|gone| gone.unit.kind == UnitKind::Army);
        let chains = ConvoyChains::new(terrain.board(), &Rulebook::R2023, &position);
        let mut orders = Orders::all_hold();
        let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for at in *position.occupied() {
            orders[at] = legal::draw(terrain.board(), &position, &chains, at, dice).expect("a unit");
            let written = WrittenOrder::from_order(&position, at, orders[at]).expect("a unit");
            let power = name_of(position.unit(at).expect("a unit").power);
            texts.entry(power).or_default().push(written.display(terrain.names()).to_string());
        }
        let answers = Answers { orders, ..Answers::none(Powers::STANDARD) };
        game.settle(&mut self.referee, &answers, nature, &mut self.ledger);
        if game.stage() == Stage::Coasts {
            self.choices += 1;
            game.settle(&mut self.referee, &Answers::none(Powers::STANDARD), nature, &mut self.ledger);
        }
        request["orders"] = json!(texts);
        request["nature"] = json!(self.ledger.drawn);
        if told_in_full {
            let answer = self.ask(&request);
            same(&answer, game, &request);
            if game.stage() == Stage::Retreats {
                assert_eq!(answer["dislodged"], json!(dislodged(game)), "{request}");
            }
            self.movements += 1;
        }
    }

    fn retreats(&mut self, game: &mut Game, nature: &mut Seeded, dice: &mut Stream) {
        let mut asked = request(game);
        let listed = dislodged(game);
        let contested = game.dislodged().contested.iter().map(|id| game.terrain().names().province(id));
        asked["contested"] = json!(contested.collect::<Vec<_>>());
        let mut retreats = Vec::new();
        let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (i, entry) in listed.iter().enumerate() {
            let unit = game.dislodged().dislodged[i].unit;
            let to = dice.choose(&game.retreat_options(i)).copied();
            retreats.push(to.map(|to| RetreatOrder::Retreat { to }));
            let Some(to) = to else { continue };
            let place = game.terrain().names().location(to, unit.kind).to_string();
            let order = format!("{} R {place}", entry["unit"].as_str().expect("a text"));
            texts.entry(name_of(unit.power)).or_default().push(order);
        }
        let mut answers = Vec::new();
        // Its options describe any unit completely; its attacker's start does so as long as its coast is one.
        let by_start = listed.iter().all(|entry| entry["unit"].as_str().is_some_and(|u| u.starts_with('A')));
        for key in ["from", "options"].into_iter().skip(usize::from(!by_start)) {
            let mut request = asked.clone();
            request["orders"] = json!(texts);
            for entry in &listed {
                let power = &mut request["powers"][entry["power"].as_str().expect("a name")];
                if power["retreats"].is_null() {
                    power["retreats"] = json!([]);
                }
                let retreats = power["retreats"].as_array_mut().expect("a list");
                retreats.push(json!({"unit": entry["unit"], key: entry[key]}));
            }
            answers.push((self.ask(&request), request));
        }
        let convoyed = game.dislodged().dislodged.iter().any(|unit| unit.attacker_convoyed);
        let ordered = Answers { retreats, ..Answers::none(Powers::STANDARD) };
        game.settle(&mut self.referee, &ordered, nature, &mut self.ledger);
        for (answer, request) in answers {
            if !convoyed {
                same(&answer, game, &request);
            }
            self.retreats += 1;
        }
    }
}

#[test]
fn double_reversible_the_desk_comes_to_what_the_game_comes_to_and_no_unit_is_lost_in_silence() {
    let mut round = Round::default();
    let games = testkit::amount(25, 200);
    for seed in 0..games {
        round.play(seed);
    }
    let Round { movements, retreats, choices, ledger: Ledger { returned, crowded_out, .. }, .. } = round;
    let told = (movements, retreats, choices, returned, crowded_out);
    assert!(movements > 0 && retreats > 0, "{told:?}");
    let is_enough = movements > 500 && retreats > 100 && returned > 20 && crowded_out > 1 && choices > 1;
    assert!(is_enough || games < 200, "{told:?}");
}

// ---- one state, one hash ----

#[test]
fn double_reversible_the_hash_knows_what_is_still_to_be_chosen() {
    let units: [(Power, &[&str]); 2] = [(Power::TURKEY, &["F BUL"]), (Power::AUSTRIA, &["A SER", "A RUM"])];
    let attack = ["A SER - BUL", "A RUM S A SER - BUL"];
    for (orders, stage) in [(&[][..], Stage::Coasts), (&attack, Stage::Retreats)] {
        let start = DOUBLE_REVERSIBLE.set("S1902M", &["collapse CON"], &units, &[]);
        let mut table = start.hole("S1902", "CON");
        let game = &table.move_all(orders).game;
        assert_eq!(game.stage(), stage);
        let mut world = game.world().clone();
        let hash_of = |world| Game::resumed(game.variant().clone(), 1950, world, game.phase()).hash();
        assert_eq!(hash_of(world.clone()), game.hash());
        world.coast_choices.clear();
        world.retreats.ways.clear();
        assert_ne!(hash_of(world), game.hash());
    }
}

#[test]
fn double_reversible_the_hash_does_not_know_in_which_order_units_went() {
    let played = |first: &str, second: &str| {
        let units: [(Power, &[&str]); 2] = [(Power::GERMANY, &["A MUN"]), (Power::FRANCE, &["A PAR"])];
        let start = DOUBLE_REVERSIBLE.set("S1902M", &[], &units, &[(Power::ITALY, &["ROM"])]);
        let mut table = start.hole("S1902", first).hole("F1902", second);
        table.move_all(&[]).move_all(&[]).game.hash()
    };
    assert_eq!(played("MUN", "PAR"), played("PAR", "MUN"));
    assert_ne!(played("MUN", "PAR"), played("MUN", "BUR"));
}
