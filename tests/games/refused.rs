//! Orders that are refused: their texts and the reasons are kept in the record of a game, through its file and its
//! replay, in its text and on its page.

use crate::helpers::quick::kind;
use crate::helpers::seats::spec;
use crate::helpers::shipped::variant;
use upheaval::ask::{Answer, Ask, Observation, Retreats};
use upheaval::bot::{Bot, BotMaker, Decision};
use upheaval::game_record::{GameRecord, Origin, game_record, replay};
use upheaval::ids::{ByPower, CoastId, Location, Powers, ProvinceId};
use upheaval::record::{EventKind, GameRows};
use upheaval::report::viewer::Viewer;
use upheaval::rng::Stream;
use upheaval::rules::order::{AdjustmentOrder, Landing, Order, RetreatOrder, Route};
use upheaval::sim::{GameSpec, Player};

/// Plays as another bot, and answers each question with something besides that cannot be followed.
struct Careless(Box<dyn Bot>);

impl Bot for Careless {
    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        match ask {
            Ask::Movement(_) => {
                self.0.decide(seen, ask, dice, answer);
                let own = *seen.position.units_of(seen.power);
                let Some(unit) = own.iter().next() else { return };
                let here = Location { province: unit, coast: CoastId::FIRST };
                let stays = Order::Move { to: here, route: Route::Direct };
                assert!(!answer.write(unit, stays), "it is there already");
                let other = seen.position.occupied().iter().find(|id| !own.contains(*id));
                if let Some(other) = other {
                    assert!(!answer.write(other, Order::Hold), "it is another power's");
                }
                assert!(
                    !answer.land(Landing { power: seen.power, from: unit, to: unit }),
                    "it is not aboard"
                );
                assert!(!answer.list_retreats(unit, [here]), "nobody retreats to where it is");
            }
            Ask::Retreats(Retreats { choices }) => {
                for choice in choices {
                    let to = Location { province: choice.dislodged.at, coast: CoastId::FIRST };
                    assert!(!answer.retreat(choice, RetreatOrder::Retreat { to }));
                }
            }
            Ask::Adjustments(_) => {
                let taken: Option<ProvinceId> = seen.position.occupied().iter().next();
                assert!(!taken.is_some_and(|at| answer.adjust(AdjustmentOrder::RemoveArmy { fleet: at })));
            }
            Ask::Coast(choice) => {
                answer.give(&Decision::Coast { fleet: choice.fleet, coast: CoastId(3) });
            }
            _ => {}
        }
    }
}

/// A game in which two powers are careless.
fn played(id: &str) -> (GameRecord, GameRows) {
    let variant = variant(id);
    let seats = ByPower::from_fn(Powers::STANDARD, |power| usize::from(power.index() < 2));
    let spec = GameSpec { seats, ..spec(["some"; 7], 12, variant.first_phase.year + 3) };
    let plain = || (kind("random").make)();
    let makers = vec![
        BotMaker::new(move || plain()),
        BotMaker::new(move || Box::new(Careless((kind("random").make)()))),
    ];
    let player = Player::new(vec![variant], makers);
    game_record(&Origin { experiment: "refused".to_owned(), hash: String::new() }, &player, &spec)
}

/// How many orders the events say were refused.
fn told(rows: &GameRows) -> usize {
    let faults = rows.events.iter().filter(|event| event.kind == EventKind::BotFault);
    let count = |detail: &str| detail.split(' ').next().and_then(|n| n.parse::<usize>().ok());
    faults.filter_map(|event| event.detail.as_deref().and_then(count)).sum()
}

#[test]
fn refused_orders_are_kept_with_their_texts_and_reasons_through_file_replay_text_and_page() {
    let mut phases = String::new();
    for id in testkit::thinned(["standard", "deluge-ii", "schizo-ii", "double-reversible"], 2) {
        let (kept, rows) = played(id);
        let refused: Vec<_> = rows.orders.iter().filter(|row| &*row.result == "illegal").collect();
        assert_eq!(refused.len(), told(&rows), "{id}: as many rows as the events say");
        assert!(refused.len() > 5, "{id}: {}", refused.len());
        for row in &refused {
            assert!(row.power.index() < 2 || row.phase.to_string().ends_with('A'), "{id}: {row:?}");
            assert!(!row.order.is_empty() && row.reason.is_some(), "{id}: {row:?}");
            phases.extend(row.phase.to_string().chars().last());
        }
        // The file has them, and they decide nothing when it is played again.
        let again = GameRecord::parse("game", &kept.to_json()).unwrap();
        assert_eq!(again, kept, "{id}");
        let mut viewer = Viewer::of(&again);
        replay(&again, variant(id), &mut |game| viewer.record_state(game))
            .unwrap_or_else(|error| panic!("{id}: {error}"));
        // In the text and on the page each stands with its reason.
        let (text, page) = (kept.to_text(), viewer.html());
        let lines: Vec<_> = kept.stages.iter().flat_map(|stage| &stage.orders).collect();
        let lines: Vec<_> = lines.into_iter().filter(|line| line.was_refused()).collect();
        assert_eq!(lines.len(), refused.len(), "{id}");
        for line in &lines {
            let reason = line.reason.as_deref().unwrap();
            assert!(text.contains(&format!(": {} (refused: {reason})\n", line.order)), "{id}: {line:?}");
            let row = format!(">{}</td><td class=\"words\">refused: {}</td>", line.order, escaped(reason));
            assert!(page.contains(&row), "{id}: {row}");
        }
        assert_eq!(page.matches("<tr class=\"refused\"").count(), lines.len(), "{id}");
        assert!(page.contains(" orders are refused."), "{id}");
    }
    for kind in testkit::thinned(['M', 'A'], 2) {
        assert!(phases.contains(kind), "an order is refused in a phase {kind}");
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A record in which an order becomes a refused one, or a refused one an order, is refused.
#[test]
fn an_order_that_is_said_to_be_refused_afterwards_is_a_mismatch() {
    let (kept, _) = played("standard");
    let (mut to_refused, mut to_order) = (kept.clone(), kept);
    let stage = &mut to_refused.stages[0];
    let line = stage.orders.iter_mut().find(|line| line.order.contains(" - ") && line.succeeded()).unwrap();
    (line.result, line.reason) = ("illegal".to_owned(), Some("it is not legal".to_owned()));
    to_refused.digest = to_refused.digest_of_rest();
    assert!(replay(&to_refused, variant("standard"), &mut |_| {}).is_err());
    let line = to_order.stages[0].orders.iter_mut().find(|line| line.was_refused()).unwrap();
    (line.result, line.reason) = ("ok".to_owned(), None);
    to_order.digest = to_order.digest_of_rest();
    assert!(replay(&to_order, variant("standard"), &mut |_| {}).is_err());
}
