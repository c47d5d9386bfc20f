//! Bots without convoys, supports, seismic orders or exemptions: no such order of theirs is ever settled, and a bot
//! that plans by itself does not even try one.

use std::path::Path;
use std::sync::Arc;

use crate::changes::sound;
use crate::env::in_runs::Dicer;
use crate::helpers::engine;
use crate::helpers::quick::kind;
use crate::helpers::shipped::variant;
use serde_json::json;
use testkit::has_python;
use upheaval::ask::{Answer, Ask, Faculty, Handicap, Observation};
use upheaval::bot::{Bot, BotKind, BotMaker, Conduct, Pace, Program, Repeats, handicapped};
use upheaval::diagnostic::Source;
use upheaval::env::chooser_bot;
use upheaval::record::{EventKind, GameRows};
use upheaval::rng::Stream;
use upheaval::rules::legal::legal_orders;
use upheaval::rules::position::PhaseKind;
use upheaval::rules::variant::Variant;
use upheaval::sim::{
    BotEntry, BotOrigin, BotRecipe, BotSection, Catalogue, Experiment, GameSpec, LookupError, Overrides,
    Play, Player, Registry,
};
use upheaval_bots::external::{Pool, maker};
use upheaval_learned::GUIDED;

/// Draws its orders, and then gives orders that need this faculty wherever the board allows it, even if it is denied.
struct Defiant(Faculty);

impl Bot for Defiant {
    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        let Ask::Movement(_) = ask else { return };
        answer.draw(dice);
        let mut orders = Vec::new();
        for unit in *seen.position.units_of(seen.power) {
            orders.clear();
            legal_orders(seen.board, seen.position, seen.chains, unit, &mut orders);
            let first = orders.iter().find(|&&order| Faculty::needed_by(order) == Some(self.0));
            if let Some(&order) = first.filter(|_| dice.below(2) == 0) {
                answer.write(unit, order);
            }
        }
    }
}

/// The bots that ship, by name, and one that chooses from tables.
fn bot(name: &str) -> BotMaker {
    match name {
        "learned" => upheaval_learned::KIND.into(),
        // The minimum of search: rollouts, candidates, years, asides.
        "guided" => BotKind { make: || (GUIDED.tuning.unwrap().make)(&[8, 4, 1, 8]), ..GUIDED }.into(),
        "chooser" => chooser_bot(Arc::new(Dicer::default())),
        _ => kind(name).into(),
    }
}

/// All of them; but for `hold`, each uses every faculty if it may.
const BOTS: [&str; 9] =
    ["hold", "random", "greedy", "dumbbot", "feud", "search", "learned", "guided", "chooser"];

/// Is one of these words in an order?
fn has(order: &str, words: &[&str]) -> bool {
    order.split(' ').any(|word| words.contains(&word))
}

/// How many such orders were settled in a game.
fn given(record: &GameRows, faculty: Faculty) -> usize {
    let orders = |words: &[&str]| {
        let settled = record.orders.iter().filter(|row| &*row.result != "illegal");
        settled.filter(|row| has(&row.order, words)).count()
    };
    match faculty {
        Faculty::Convoys => orders(&["VIA", "C"]),
        Faculty::Supports => orders(&["S"]),
        Faculty::Seismic => record.orders.iter().filter(|row| row.phase.kind == PhaseKind::Seismic).count(),
        Faculty::Votes => orders(&["VOTE"]),
        Faculty::Foreknowledge => unreachable!("no order needs it"),
        Faculty::Exemptions => {
            let kinds = [EventKind::ExemptNamed, EventKind::ExemptChanged, EventKind::ExemptAnnounced];
            record.events.iter().filter(|row| kinds.contains(&row.kind)).count()
        }
    }
}

/// A game of some years with this bot in every seat.
fn game(variant: &Arc<Variant>, bot: BotMaker, game: u32, years: u16) -> GameRows {
    let last_year = variant.first_phase.year + years - 1;
    let spec = GameSpec { seed: 24, last_year, ..engine::spec(variant.terrain.powers(), game) };
    Player::new(vec![Arc::clone(variant)], vec![bot]).play(&spec)
}

/// The variant in which a faculty can be seen.
fn place_for(faculty: Faculty) -> Arc<Variant> {
    variant(match faculty {
        Faculty::Convoys | Faculty::Supports | Faculty::Foreknowledge => "standard",
        Faculty::Seismic => "seismic-1971",
        Faculty::Exemptions => "black-hole-i",
        Faculty::Votes => {
            let vote = "id = \"outvoted\"\nof = \"provinces\"\nby = \"vote\"\nchange = \"collapse\"";
            return sound(&format!("[[changes]]\n{vote}\n"));
        }
    })
}

/// Games of a bot, each by its number and years.
fn games_of(name: &str) -> Vec<(u32, u16)> {
    let long = if ["search", "guided"].contains(&name) { 4 } else { 8 };
    let short = [(0, 1), (1, 1)].into_iter().filter(|_| !testkit::tries_all());
    short.chain([(0, 3), (1, 3), (0, long), (1, long), (2, long)]).collect()
}

/// The first of these games of the bot with this handicap in which there is such an order. In none that is played an
/// answer is refused.
fn first_of(games: &[(u32, u16)], name: &str, handicap: Handicap, faculty: Faculty) -> Option<(u32, u16)> {
    let has_any = |&(number, years): &(u32, u16)| {
        let record = game(&place_for(faculty), bot(name).without(handicap), number, years);
        for (power, seat) in record.game.seats.iter() {
            assert_eq!(seat.faults, 0, "{name} as {power:?} without {handicap:?}");
        }
        given(&record, faculty) > 0
    };
    games.iter().copied().find(has_any)
}

fn without(faculty: Faculty) -> Handicap {
    [faculty].into_iter().collect()
}

/// Plays the games of every bot with and without a faculty.
fn is_denied(faculty: Faculty) {
    for name in BOTS {
        let all = games_of(name);
        let free = first_of(&all, name, Handicap::NONE, faculty);
        assert_eq!(free.is_some(), name != "hold", "{name} with {}", faculty.name());
        // If slow tests are not run, the game in which it gave such orders is enough.
        let again = free.filter(|_| !testkit::tries_all()).map_or(all, |game| vec![game]);
        assert_eq!(
            first_of(&again, name, without(faculty), faculty),
            None,
            "{name} without {}",
            faculty.name()
        );
    }
}

#[test]
fn without_convoys_no_bot_moves_an_army_by_convoy_or_convoys_one() {
    is_denied(Faculty::Convoys);
}

#[test]
fn without_supports_no_bot_gives_any() {
    is_denied(Faculty::Supports);
}

#[test]
fn without_seismic_orders_no_bot_gives_any() {
    is_denied(Faculty::Seismic);
}

#[test]
fn without_exemptions_no_bot_names_or_announces_a_centre() {
    is_denied(Faculty::Exemptions);
}

#[test]
fn without_votes_no_bot_gives_any() {
    is_denied(Faculty::Votes);
}

#[test]
fn a_bot_without_one_thing_still_does_the_others() {
    let denied = Faculty::Convoys;
    for other in [Faculty::Supports, Faculty::Seismic] {
        let first = first_of(&games_of("dumbbot"), "dumbbot", without(denied), other);
        assert!(first.is_some(), "{}", other.name());
    }
}

#[test]
fn a_handicap_in_what_a_variant_does_not_have_changes_nothing() {
    let standard = variant("standard");
    let denied = [Faculty::Seismic, Faculty::Exemptions].into_iter().collect();
    for name in ["random", "greedy", "dumbbot"] {
        let (free, handicapped) =
            (game(&standard, bot(name), 1, 10), game(&standard, bot(name).without(denied), 1, 10));
        assert_eq!(format!("{free:?}"), format!("{handicapped:?}"), "{name}");
    }
}

#[test]
fn without_supports_dumbbot_sends_units_elsewhere_and_greedy_attacks_less() {
    let standard = variant("standard");
    let moves = |name, handicap| {
        let records = (0..4).map(|number| game(&standard, bot(name).without(handicap), number, 5));
        let (moves, all) = records.fold((0, 0), |(moves, all), record| {
            let orders = || record.orders.iter().filter(|row| row.phase.kind == PhaseKind::Movement);
            (moves + orders().filter(|row| has(&row.order, &["-"])).count(), all + orders().count())
        });
        moves as f64 / all as f64
    };
    let shares = |name| [Handicap::NONE, without(Faculty::Supports)].map(|handicap| moves(name, handicap));
    let [free, denied] = shares("dumbbot");
    assert!(denied > free, "{denied} and {free} of all orders are moves");
    // A unit that holds is not dislodged without help.
    let [free, denied] = shares("greedy");
    assert!(denied < free, "{denied} and {free} of all orders are moves");
}

#[test]
fn orders_that_a_bot_gives_all_the_same_are_refused_and_counted() {
    let standard = variant("standard");
    for faculty in [Faculty::Supports, Faculty::Convoys] {
        let defiant = || BotMaker::new(move || Box::new(Defiant(faculty)));
        assert!(given(&game(&standard, defiant(), 0, 8), faculty) > 0);
        let record = game(&standard, defiant().without(without(faculty)), 0, 8);
        assert_eq!(given(&record, faculty), 0, "{}", faculty.name());
        let mut seats = record.game.seats.iter();
        assert!(seats.any(|(_, seat)| seat.fault == Conduct::Illegal && seat.faults > 0));
    }
}

#[test]
fn a_handicap_on_a_handicap_denies_both() {
    let bot = handicapped((kind("hold").make)(), without(Faculty::Supports));
    let mut bot = handicapped(bot, without(Faculty::Seismic));
    assert_eq!(bot.handicap(), [Faculty::Seismic, Faculty::Supports].into_iter().collect());
    assert!(handicapped((kind("hold").make)(), Handicap::NONE).handicap().is_none());
}

#[test]
fn a_program_is_told_its_handicap_and_is_listed_no_such_orders() {
    if !has_python() {
        return;
    }
    let path = testkit::path("bots/python/random_bot.py").display().to_string();
    let program =
        Program { command: vec!["python3".to_owned(), path], stall_ms: 5_000, ..Program::default() };
    let pool = Pool::new(program);
    for faculty in Faculty::ALL.into_iter().filter(|faculty| *faculty != Faculty::Foreknowledge) {
        // Convoys are rarer than the others.
        let is_rare = faculty == Faculty::Convoys;
        let years = match testkit::tries_all() {
            true if is_rare => 8,
            true => 2,
            false => 1,
        };
        let played = |handicap| {
            let record = game(&place_for(faculty), maker(&pool).without(handicap), 0, years);
            // It draws from the list of legal orders, so none of its answers is refused.
            assert_eq!(pool.incidents(), []);
            given(&record, faculty)
        };
        assert!(played(Handicap::NONE) > 0 || is_rare && years == 1, "{}", faculty.name());
        assert_eq!(played(without(faculty)), 0, "{}", faculty.name());
    }
}

fn registry() -> Registry {
    Registry::new(upheaval_bots::KINDS.into_iter().chain([upheaval_learned::KIND]))
}

#[test]
fn a_bot_made_again_from_what_a_run_keeps_has_its_handicap() {
    for kind in ["hold", "search", "learned"] {
        let text = format!(
            "name = \"e\"\nvariants = [\"standard\"]\ngames = 1\nseed = 1\nlast_year = 1901\nseats.all = \"mine\"\n\
             [bots.mine]\nkind = \"{kind}\"\nwithout = [\"exemptions\", \"supports\"]\n"
        );
        let source = Source::new("e.toml", text);
        let experiment =
            Experiment::check(&source, Path::new(""), &Overrides::default(), &registry()).unwrap();
        let content = &experiment.resolved.bots[0].content;
        let handicap = registry().recreate("mine", content).unwrap().make().handicap();
        assert_eq!(handicap, [Faculty::Exemptions, Faculty::Supports].into_iter().collect());
        assert_eq!(experiment.bots[0].maker.make().handicap(), handicap);
    }
}

#[test]
fn a_bot_of_the_programs_own_can_be_named_as_a_kind_and_denied_something() {
    let own = BotEntry {
        name: "mine".to_owned(),
        origin: BotOrigin::Guest(Repeats::Yes),
        content: json!({ "class": "Mine", "version": 1 }),
        pace: Pace::Quick,
        maker: bot("chooser"),
    };
    let registry = registry().with_own(own).unwrap();
    let section = |settings: &[(&str, u64)]| BotSection {
        name: "denied".to_owned(),
        recipe: BotRecipe::Kind {
            kind: "mine".to_owned(),
            settings: settings.iter().map(|&(key, value)| (key.to_owned(), value)).collect(),
            weights: None,
        },
        handicap: without(Faculty::Supports),
    };
    let entry = registry.described(&section(&[]), Path::new("")).unwrap();
    assert_eq!(entry.origin, BotOrigin::Guest(Repeats::Yes));
    assert!(entry.maker.ensemble().is_some(), "it still decides for many seats at once");
    assert_eq!(entry.maker.make().handicap(), without(Faculty::Supports));
    assert_eq!(
        registry.recreate("denied", &entry.content).unwrap().make().handicap(),
        without(Faculty::Supports)
    );
    let error = registry.described(&section(&[("depth", 3)]), Path::new("")).unwrap_err();
    assert_eq!(error, LookupError::Unusable("`mine` has no settings, so there is no `depth`".to_owned()));
}
