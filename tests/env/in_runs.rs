//! A chooser that uses the tables of a batch plays in runs as a bot: for many games at once, with the same result as
//! for each alone.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use upheaval::bot::{BotMaker, Conduct};
use upheaval::env::{Chooser, ChooserFailure, Seen, chooser_bot};
use upheaval::ids::ByPower;
use upheaval::record::GameRows;
use upheaval::rules::variant::Variant;
use upheaval::sim::{FaultRule, GameSpec, Play, Player};

use super::{Filled, Kinds, chooser, undeclared};
use crate::helpers::{engine, shipped};

fn filled(seen: &Seen) -> Filled {
    Filled {
        games: seen.tables.games.as_chunks().0.to_vec(),
        nodes: seen.tables.nodes.as_chunks().0.to_vec(),
        edges: seen.tables.edges.as_chunks().0.to_vec(),
        seats: seen.tables.seats.as_chunks().0.to_vec(),
        asks: seen.tables.asks.as_chunks().0.to_vec(),
        orders: seen.tables.orders.as_chunks().0.to_vec(),
    }
}

/// Makes the choices of [`chooser::Chooser`].
struct ByFormula;

impl Chooser for ByFormula {
    fn choose(&self, seen: Seen) -> Result<Vec<i32>, ChooserFailure> {
        Ok(undeclared(&filled(&seen), -1, &mut Kinds::default()))
    }
}

/// Chooses with equal probability, by its dice, and records how many games it sees at once.
#[derive(Default)]
pub struct Dicer {
    most_games: AtomicUsize,
}

impl Chooser for Dicer {
    fn choose(&self, seen: Seen) -> Result<Vec<i32>, ChooserFailure> {
        self.most_games.fetch_max(seen.sizes.games, Ordering::Relaxed);
        let asks = seen.tables.asks.as_chunks::<8>().0;
        assert!(seen.uniform.iter().all(|number| (0.0..1.0).contains(number)));
        Ok(asks.iter().zip(&seen.uniform).map(|(ask, u)| (u * f64::from(ask[7] - ask[6])) as i32).collect())
    }
}

fn specs(variant: &Variant, games: u32, seats: impl Fn(usize) -> usize) -> Vec<GameSpec> {
    let powers = variant.terrain.powers();
    let spec = |game| GameSpec {
        seats: ByPower::from_fn(powers, |power| seats(power.index())),
        seed: 5,
        last_year: variant.first_phase.year + 3,
        ..engine::spec(powers, game)
    };
    (0..games).map(spec).collect()
}

fn random() -> BotMaker {
    crate::helpers::quick::kind("random").into()
}

fn player(variant: &Arc<Variant>, bots: Vec<BotMaker>) -> Player {
    Player::new(vec![Arc::clone(variant)], bots)
}

/// Are all rows of the two equal?
fn same(one: &GameRows, other: &GameRows) -> bool {
    format!("{one:?}") == format!("{other:?}")
}

fn all(player: &Player, specs: &[GameSpec]) -> Vec<GameRows> {
    player.play_all(specs, &()).expect("nobody stops it")
}

#[test]
fn many_games_in_step_are_those_of_a_bot_that_decides_for_one_seat_at_a_time() {
    for id in Variant::shipped() {
        let variant = shipped::variant(id);
        let specs = specs(&variant, 5, |seat| seat % 2);
        let of = |first: BotMaker| player(&variant, vec![first, random()]);
        let together = all(&of(chooser_bot(Arc::new(ByFormula))), &specs);
        let alone = all(&of(BotMaker::new(|| Box::new(chooser::Chooser::default()))), &specs);
        for (one, other) in together.iter().zip(&alone) {
            assert!(same(one, other), "{id}, game {}", one.game.game);
        }
        assert_eq!(together.len(), alone.len());
    }
}

#[test]
fn a_game_by_itself_is_the_game_among_many() {
    let variant = shipped::variant("black-hole-ii");
    let dicer = Arc::new(Dicer::default());
    let player = player(&variant, vec![chooser_bot(dicer.clone()), random()]);
    // More games than are played in step, so that some begin when others have ended.
    let specs = specs(&variant, 140, |seat| usize::from(seat > 0));
    let together = all(&player, &specs);
    assert!(together.iter().map(|record| record.game.game).eq(0..140));
    assert!((100..=128).contains(&dicer.most_games.load(Ordering::Relaxed)));
    for game in [0, 77, 139] {
        assert!(same(&player.play(&specs[game]), &together[game]), "game {game}");
    }
    assert_ne!(together[0].game.state_hash, together[1].game.state_hash);
}

/// A fleet that is removed takes the army aboard with it, so one removal may be all that is required.
#[test]
fn removals_beyond_what_is_owed_are_passed_over_where_armies_are_aboard_fleets() {
    let variant = shipped::variant("deluge-ii");
    let player = player(&variant, vec![chooser_bot(Arc::new(Dicer::default()))]);
    for record in all(&player, &specs(&variant, 60, |_| 0)) {
        for (power, seat) in record.game.seats.iter() {
            assert_eq!(seat.faults, 0, "game {}, {power:?}", record.game.game);
        }
    }
}

/// Fails for game 1, and gives an answer of the wrong length for game 2.
struct Fragile;

impl Chooser for Fragile {
    fn choose(&self, seen: Seen) -> Result<Vec<i32>, ChooserFailure> {
        let numbers: Vec<i32> = seen.tables.games.as_chunks::<10>().0.iter().map(|row| row[0]).collect();
        if numbers.contains(&1) {
            return Err(ChooserFailure { reason: "game 1 is too much".into(), trace: "line 7".into() });
        }
        let mut chosen = ByFormula.choose(seen)?;
        if numbers.contains(&2) {
            chosen.pop();
        }
        Ok(chosen)
    }
}

fn faults(record: &GameRows) -> Vec<(Conduct, u32)> {
    record.game.seats.iter().map(|(_, seat)| (seat.fault, seat.faults)).collect()
}

#[test]
fn where_it_fails_its_seats_hold_and_other_games_are_what_they_were() {
    let variant = shipped::variant("standard");
    let specs = specs(&variant, 4, |seat| usize::from(seat > 1));
    let sound = player(&variant, vec![chooser_bot(Arc::new(ByFormula)), random()]);
    let fragile = chooser_bot(Arc::new(Fragile));
    let player = player(&variant, vec![fragile.clone(), random()]);
    let (sound, records) = (all(&sound, &specs), all(&player, &specs));
    for (game, conduct) in [(1, Conduct::Crash), (2, Conduct::Protocol)] {
        let faults = faults(&records[game]);
        assert_eq!(faults[..2], [(conduct, 1); 2]);
        assert!(faults[2..].iter().all(|fault| *fault == (Conduct::Ok, 0)));
        let orders = records[game].orders.iter().filter(|row| row.power.index() < 2);
        let kinds: Vec<String> = orders.map(|row| row.order.to_string()).collect();
        assert!(kinds.iter().all(|order| order.ends_with(" H") || order.ends_with(" D")), "{kinds:?}");
    }
    for game in [0, 3] {
        assert!(same(&records[game], &sound[game]), "game {game}");
    }
    let mut by_game: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for incident in fragile.incidents() {
        by_game.entry(incident.game).or_default().push(incident.reason);
    }
    assert_eq!(by_game["standard/1"], vec!["game 1 is too much"; 2]);
    assert!(by_game["standard/2"][0].starts_with("expected 6 choices"), "{by_game:?}");
    assert_eq!(by_game.len(), 2);
}

#[test]
fn the_experiments_rule_about_faults_is_followed() {
    let variant = shipped::variant("standard");
    let specs = specs(&variant, 4, |seat| usize::from(seat > 0));
    let answers = vec![Conduct::Crash];
    let play = |rule| {
        let bots = vec![chooser_bot(Arc::new(Fragile)), random()];
        all(&player(&variant, bots).with_faults(rule), &specs)
    };
    let forfeited = play(FaultRule::Forfeit { answers: answers.clone() });
    assert_eq!(faults(&forfeited[1])[0], (Conduct::Crash, 1));
    let replayed = play(FaultRule::Replay { answers, tries: 3 });
    assert_eq!((replayed[1].game.voided, replayed[0].game.voided), (2, 0));
}

/// Gives an impossible choice for the first ask of each call, and records the asks.
#[derive(Default)]
struct Bold {
    asked: Mutex<usize>,
}

impl Chooser for Bold {
    fn choose(&self, seen: Seen) -> Result<Vec<i32>, ChooserFailure> {
        *self.asked.lock().unwrap() += 1;
        let mut chosen = vec![-1; seen.sizes.asks];
        chosen[0] = 1_000_000;
        Ok(chosen)
    }
}

#[test]
fn a_choice_that_there_is_not_is_an_illegal_order() {
    let variant = shipped::variant("standard");
    let specs = specs(&variant, 1, |seat| usize::from(seat > 0));
    let bold = Arc::new(Bold::default());
    let maker = chooser_bot(bold.clone());
    let record = &all(&player(&variant, vec![maker.clone(), random()]), &specs)[0];
    let asked = *bold.asked.lock().unwrap();
    assert_eq!(faults(record)[0], (Conduct::Illegal, asked as u32));
    let incidents = maker.incidents();
    assert_eq!(incidents.len(), asked);
    assert!(incidents[0].reason.contains("expected a choice from 0 to "), "{incidents:?}");
}
