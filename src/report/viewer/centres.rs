//! The centres of the powers over the years.

use std::collections::BTreeMap;

use crate::chart::scale::{Scale, counted};
use crate::chart::{FigureTable, LinePanel, LinePoint, LineSeries, Panel};
use crate::palette::Ink;
use upheaval_engine::rules::position::{Phase, Season};
use upheaval_harness::game_record::GameRecord;
use upheaval_map::ids::{ByPower, Power, PowerNames};

/// The width of the chart.
const WIDTH: f64 = 700.0;

/// The number of centres of each power.
type Counts = ByPower<usize>;

fn count(powers: &PowerNames, centres: &BTreeMap<String, Vec<String>>) -> Counts {
    ByPower::from_fn(powers.powers(), |power| centres.get(powers.name(power)).map_or(0, Vec::len))
}

/// The chart, and its numbers.
pub(super) struct Centres {
    powers: PowerNames,
    years: Vec<(u16, Counts)>,
}

impl Centres {
    /// The centres after each year; those before the first Spring are shown at the end of the year before.
    pub(super) fn of(game_record: &GameRecord) -> Centres {
        let powers = &game_record.power_names;
        let mut years: Vec<(u16, Counts)> = Vec::new();
        let ends =
            game_record.stages.iter().skip(1).map(|stage| &stage.centres).chain([&game_record.end.centres]);
        for (stage, after) in game_record.stages.iter().zip(ends) {
            let Ok(Phase { year, season, .. }) = stage.phase.parse() else { continue };
            if years.is_empty() && season == Season::Spring {
                years.push((year.saturating_sub(1), count(powers, &stage.centres)));
            }
            match years.last_mut().filter(|(last, _)| *last == year) {
                Some((_, counts)) => *counts = count(powers, after),
                None => years.push((year, count(powers, after))),
            }
        }
        Centres { powers: powers.clone(), years }
    }

    fn series(&self) -> Vec<LineSeries> {
        let point = |(year, counts): &(u16, Counts), power: Power| LinePoint {
            year: *year,
            value: counts[power] as f64,
            interval: None,
            range: None,
        };
        let line = |power: Power| LineSeries {
            name: self.powers.info(power).proper_name.clone(),
            ink: Ink::Power(self.powers.info(power).clone()),
            points: self.years.iter().map(|year| point(year, power)).collect(),
        };
        self.powers.powers().iter().map(line).collect()
    }

    /// The chart, and the positions of the years on it.
    pub(super) fn chart(&self) -> (Panel, Scale) {
        let series = self.series();
        let values = series.iter().flat_map(|line| &line.points).map(|point| point.value);
        let [_, high] = counted(values, 4);
        let year = |year: Option<&(u16, Counts)>| year.map_or(0, |(year, _)| *year);
        let panel = LinePanel {
            title: "Supply centres",
            unit: "at the end of each year",
            width: WIDTH,
            years: [year(self.years.first()), year(self.years.last())],
            values: [0.0, high],
            series: &series,
        };
        (panel.draw(), panel.scale())
    }

    /// The same as a table.
    pub(super) fn table(&self) -> FigureTable {
        let head = [String::from("Year")]
            .into_iter()
            .chain(self.powers.infos().iter().map(|info| info.proper_name.clone()));
        let row = |(year, counts): &(u16, Counts)| {
            [year.to_string()].into_iter().chain(counts.iter().map(|(_, n)| n.to_string())).collect()
        };
        FigureTable { head: head.collect(), rows: self.years.iter().map(row).collect() }
    }
}

/// The time of a phase, in years: a year's centres are counted at its end.
pub(super) fn moment(phase: &str) -> f64 {
    let Ok(Phase { year, season, .. }) = phase.parse() else { return 0.0 };
    let part = match season {
        Season::Spring => 0.75,
        Season::Fall => 0.4,
        Season::Winter => 0.0,
    };
    f64::from(year) - part
}
