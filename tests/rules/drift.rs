//! A mechanism from outside of the library, whole in one file: borders that drift. Its parameters with their check, its
//! keys, its actions and its events are all here, and no other file depends on it.
//!
//! ```text
//!     │ C │            Each Fall provinces are drawn. Of the borders of each, the first that can be parted goes:
//!   ──┤   ├──   C      A and B, which touched, do not; C and D, at the ends of their border, do.
//!    A │ B  →  A ╳ B
//!   ──┤   ├──   D
//!     │ D │
//! ```

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use upheaval::diagnostic::Source;
use upheaval::game::{Ending, Game, Referee, Stage};
use upheaval::ids::Powers;
use upheaval::record::EventKind;
use upheaval::rules::answers::Answers;
use upheaval::rules::event::{CustomEvent, Event, Log, MapChange};
use upheaval::rules::game_state::{EventContext, GameState};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::mechanism::{
    Act, Context, Custom, Faces, Key, Mechanism, MechanismRegistry, MechanismSection, PermittedValues, draw,
};
use upheaval::rules::nature::{Draw, Nature, Seeded};
use upheaval::rules::position::{Phase, Position, Season};
use upheaval::rules::variant::{Variant, VariantError};
use upheaval::topology::{MapEvent, NamedMap, Quake};

/// The name of the section, of the draw, and of the mechanism in JSON.
const DRIFT: &str = "drift";

/// The mechanism's parameters.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Drift {
    /// How many provinces drift each Fall, 1 to 3.
    per_fall: u8,
    /// Which provinces.
    faces: Faces,
}

impl MechanismSection for Drift {
    type Form = Drift;

    const KEYS: &'static [Key] = &[
        Key::new("drift.per_fall", PermittedValues::Numbers(1, 3), "how many provinces drift each Fall"),
        Key::new("drift.faces", draw::FACES, "what may drift"),
    ];

    fn check(drift: Drift, context: &Context<'_>, _: &MapTables) -> Option<Drift> {
        if context.has("holes") {
            context.fault("[drift] cannot be combined with [holes]; remove one of them");
        }
        if !(1..=3).contains(&drift.per_fall) {
            context.fault_at("per_fall", format!("`per_fall` must be from 1 to 3, not {}", drift.per_fall));
        }
        Some(drift)
    }
}

impl Act for Drift {
    fn after_retreats(&self, world: &mut GameState, scene: &mut EventContext<'_>) {
        if scene.at.season != Season::Fall {
            return;
        }
        let (draw, eligible) = (Draw::Custom(DRIFT), self.faces.open(&world.terrain));
        let drawn = scene.nature.faces(scene.at, draw, &world.terrain, &eligible, self.per_fall.into());
        for province in drawn.into_iter().filter(|&id| eligible.contains(id)) {
            let before = Arc::clone(&world.terrain);
            let map = before.chart().map();
            let borders = map.sides_of(province).map(|side| Quake::Separation(side.border()));
            let can_part = borders.filter(|&quake| map.allows(quake));
            let Some((change, quake)) = can_part.map(|quake| (quake.event(map), quake)).min_by_key(as_text)
            else {
                continue;
            };
            if world.change_map(scene, |chart| chart.quake(quake)).is_ok() {
                let drifted = CustomEvent {
                    name: "drifted",
                    kind: EventKind::Separated,
                    province: Some(province),
                    power: None,
                    detail: Some(change.to_string()),
                    reveals: Some(draw),
                    change: Some(change),
                };
                world.tell(scene, &Event::Custom(drifted));
            }
        }
    }
}

fn as_text((change, _): &(MapEvent, Quake)) -> String {
    change.to_string()
}

// ---- Here the mechanism ends, and its tests begin.

/// `standard` with this section appended.
fn file(section: &str) -> Source {
    let standard = Variant::find("standard", Path::new("")).expect("sound").expect("it ships");
    Source::new("drift.toml", standard.files.variant + section)
}

fn read(section: &str) -> Result<Variant, VariantError> {
    let mut registry = MechanismRegistry::default();
    registry.add::<Drift>(DRIFT);
    Variant::check_with(&file(section), Path::new(""), &registry)
}

fn drifting() -> Arc<Variant> {
    Arc::new(read("[drift]\nper_fall = 2\nfaces = \"land\"\n").expect("sound"))
}

/// Plays a game in which no power orders anything.
fn play(variant: &Arc<Variant>, seed: u64, log: &mut dyn Log) -> Game {
    let mut game = Game::new(Arc::clone(variant), 1906);
    let (mut referee, mut nature) = (Referee::new(), Seeded { seed, block: 0 });
    while game.stage() != Stage::Over {
        assert_ne!(game.stage(), Stage::Seismic, "nobody orders the earth to move");
        game.settle(&mut referee, &Answers::none(Powers::STANDARD), &mut nature, log);
    }
    game
}

/// Applies the texts of events to a map of its own, and compares it with the game's after each season.
struct Follower {
    chart: NamedMap,
    told: Vec<(Phase, String)>,
}

impl Follower {
    fn new(variant: &Variant) -> Follower {
        Follower { chart: variant.terrain.chart().clone(), told: Vec::new() }
    }
}

impl Log for Follower {
    fn event(&mut self, at: Phase, terrain: &MapTables, event: &Event) {
        let told = event.description();
        if let Some(MapChange::Separate) = told.kind.info().change {
            let detail = told.detail.display(terrain).to_string();
            let change: MapEvent = detail.parse().expect("the detail of a separation is one");
            change.apply(&mut self.chart).expect("it can be done on the map as it was");
            self.told.push((at, detail));
        }
    }

    fn season(&mut self, at: Phase, terrain: &MapTables, _: &Position) {
        assert_eq!(MapTables::new(self.chart.clone()).hash(), terrain.hash(), "{at}");
    }
}

#[test]
fn a_mechanism_from_outside_acts_at_its_point_of_the_season_and_is_told_as_any_other() {
    let variant = drifting();
    for seed in 0..10 {
        let mut follower = Follower::new(&variant);
        let game = play(&variant, seed, &mut follower);
        assert!(matches!(game.ending(), Some(Ending::Draw(_))));
        assert!(follower.told.iter().all(|(at, _)| at.season == Season::Fall));
        for year in 1901..=1906 {
            let count = follower.told.iter().filter(|(at, _)| at.year == year).count();
            assert!(
                (1..=2).contains(&count),
                "seed {seed}, {year}: {count} borders of two provinces that were drawn"
            );
        }
        assert!(game.terrain().chart().map().faults().is_empty());
    }
}

#[test]
fn what_it_draws_depends_on_the_seed_and_on_nothing_that_others_draw() {
    let variant = drifting();
    let of = |variant: &Arc<Variant>, seed| {
        let mut follower = Follower::new(variant);
        let game = play(variant, seed, &mut follower);
        (follower.told, game.hash())
    };
    assert_eq!(of(&variant, 1), of(&variant, 1));
    assert_ne!(of(&variant, 1).0, of(&variant, 2).0);
    // Each draw has a stream of its own, by the name of the mechanism, whatever else is drawn before.
    let phase = Phase { season: Season::Fall, ..variant.first_phase };
    let (terrain, eligible) = (&variant.terrain, variant.terrain.board().land());
    let mut nature = Seeded { seed: 1, block: 0 };
    let mut drawn = |draw| nature.faces(phase, draw, terrain, eligible, 5);
    let alone = drawn(Draw::Custom(DRIFT));
    assert_ne!(drawn(Draw::Splits), alone);
    assert_ne!(drawn(Draw::Custom("draft")), alone);
    assert_eq!(drawn(Draw::Custom(DRIFT)), alone);
}

#[test]
fn it_is_listed_with_its_keys_and_counts_for_the_hash_of_an_experiment() {
    let section = "[drift]\nper_fall = 2\nfaces = \"land\"\n";
    let text = section.replace("[drift]", "\"drift.per_fall\" = \"this page\"\n[drift]");
    let variant = read(&text).expect("the last section of `standard` is [sources]");
    let parameters = variant.parameters();
    let [.., per_fall, faces] = &parameters[..] else { panic!("{parameters:?}") };
    assert_eq!((per_fall.key, &*per_fall.value, per_fall.source), ("drift.per_fall", "2", Some("this page")));
    assert_eq!((faces.key, &*faces.value, faces.meaning), ("drift.faces", "land", "what may drift"));
    let [mechanism] = &variant.mechanisms[..] else { panic!("{:?}", variant.mechanisms) };
    let json = serde_json::json!({ "kind": "drift", "per_fall": 2, "faces": "land" });
    assert_eq!(serde_json::to_value(mechanism).expect("JSON"), json);
    assert_eq!(variant.content()["mechanisms"], serde_json::json!([json]));
    // The same, built in code.
    let built = |per_fall| Custom::new(DRIFT, Drift { per_fall, faces: Faces::Land }).expect("JSON");
    assert_eq!(*mechanism, Mechanism::Custom(built(2)));
    assert_ne!(*mechanism, Mechanism::Custom(built(1)));
}

#[test]
fn faults_of_its_section_are_told_with_their_line() {
    let before = file("").text().lines().count();
    let shipped = Variant::find("black-hole", Path::new("")).expect("sound").expect("it ships").files.variant;
    let holes =
        shipped.split("[holes]").nth(1).and_then(|rest| rest.split("[sources]").next()).expect("holes");
    let holes = format!("[holes]{holes}");
    let cases = [
        ("[drift]\nper_fall = 4\nfaces = \"land\"\n", 2, 12, "`per_fall` must be from 1 to 3, not 4"),
        ("[drift]\nfaces = \"land\"\n", 1, 1, "`drift.per_fall` is missing"),
        ("[drift]\nper_fall = 1\nfaces = \"ice\"\n", 3, 9, "unknown word `ice` for `drift.faces`"),
        ("[drift]\nper_fall = 1\nfaces = \"sea\"\nmore = 1\n", 4, 1, "unknown key `drift.more`"),
        ("[drift]\nper_fall = -1\nfaces = \"sea\"\n", 2, 12, "must be a whole number from 0 to 255, not -1"),
        (
            &format!("[drift]\nper_fall = 1\nfaces = \"sea\"\n{holes}"),
            1,
            1,
            "[drift] cannot be combined with [holes]",
        ),
    ];
    for (section, line, column, message) in cases {
        let fault = read(section).expect_err("a fault").to_string();
        let place = format!("drift.toml:{}:{column}: ", before + line);
        assert!(fault.starts_with(&place) && fault.contains(message), "{fault} / {place}{message}");
    }
    let unknown =
        Variant::check(&file("[drift]\nper_fall = 1\n"), Path::new("")).expect_err("not registered");
    assert!(unknown.to_string().contains("unknown key `drift`"), "{unknown}");
}

#[test]
fn a_session_with_it_is_saved_and_restored() {
    use upheaval::session::Session;
    let variant = drifting();
    let mut session = Session::of(Arc::clone(&variant), 3).ending_in(1906);
    let mut changes = 0;
    while !session.is_over() {
        changes += session.advance().map_changes.len();
    }
    assert!(changes > 0, "it drifted");
    let again = Session::restore_with(&session.save().unwrap(), variant).expect("the same game");
    assert_eq!(again.game().hash(), session.game().hash());
    let unknown =
        Session::restore(&session.save().unwrap()).map(|_| ()).expect_err("the section is not registered");
    assert!(unknown.to_string().contains("unknown key `drift`"), "{unknown}");
}
