//! The number of sets of orders that a power could have given: the tables compared with the session.

use std::path::Path;

use crate::helpers::engine::experiment;
use upheaval::game::Stage;
use upheaval::game_record::{Origin, game_record};
use upheaval::session::Session;
use upheaval::sim::Play;

#[test]
fn choices_are_the_product_of_the_legal_orders_of_each_unit() {
    // On a fixed board units move; on boards that change they hold.
    for (id, bot) in [
        ("standard", "greedy"),
        ("black-hole", "hold"),
        ("black-hole-i", "hold"),
        ("double-reversible", "hold"),
        ("seismic-1971", "hold"),
    ] {
        let text = format!(
            "name = \"choices\"\nvariants = [\"{id}\"]\ngames = 1\nseed = 12\nlast_year = 1904\nlog.choices = true\n\
             seats.all = \"{bot}\"\n"
        );
        let experiment = experiment(&text, Path::new("."));
        let (schedule, player) = (experiment.schedule(), experiment.player());
        let spec = schedule.game(0, 0);
        let rows = player.play_all(std::slice::from_ref(&spec), &()).expect("nobody stops it");
        let (record, _) = game_record(&Origin::from(&experiment), &player, &spec);
        let mut session = Session::new(id, experiment.resolved.seed)
            .expect("it ships")
            .ending_in(experiment.resolved.last_year);
        let mut compared = 0;
        for stage in &record.stages {
            assert_eq!(stage.state, format!("{:016x}", session.game().hash()), "{id}, {}", stage.phase);
            let phase = session.phase();
            for power in session.game().powers() {
                let row = rows[0].turns.iter().find(|row| {
                    (row.year, row.season, row.power, row.turn > 0) == (phase.year, phase.season, power, true)
                });
                let units = session.game().world().position.unit_count(power);
                if session.stage() != Stage::Movement || units == 0 {
                    continue;
                }
                let listed = session.legal_orders(power);
                let of_units = listed
                    .iter()
                    .filter(|choice| matches!(choice.subject.split(' ').next(), Some("A" | "F")));
                let sum: f64 = of_units.map(|choice| (choice.orders.len() as f64).log10()).sum();
                let told = row.and_then(|row| row.counts.choices).expect("it was counted");
                assert_eq!(f64::from(told), (100.0 * sum).round(), "{id}, {phase}, {power:?}");
                compared += 1;
            }
            for line in stage.orders.iter().filter(|_| bot != "hold") {
                let power = session.game().power_names().named(&line.power).expect("a power");
                session
                    .order(power, &line.order)
                    .unwrap_or_else(|refusal| panic!("{}: {refusal}", line.order));
            }
            session.advance();
        }
        assert!(compared > 40, "{id}: {compared}");
    }
}
