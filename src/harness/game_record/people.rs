//! A game as text for people.
//!
//! ```text
//! Spring 1902, movement
//!   France
//!     S1902: A PAR - BUR (bounce with A MUN)
//!   MAR collapses: its neighbours close over it
//! ```

use std::fmt::{self, Write};

use super::form::{GameRecord, OrderLine, StageRecord};
use crate::record::{EventKind, GameEnd};
use upheaval_engine::game::{Game, Stage};
use upheaval_engine::rules::position::{Phase, PhaseKind};
use upheaval_engine::rules::told::{EventLine, all_proper, and};
use upheaval_map::ids::PowerNames;

impl fmt::Display for OrderLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.order)?;
        match &self.reason {
            Some(reason) if self.was_refused() => write!(f, " (refused: {reason})"),
            None if self.succeeded() => Ok(()),
            None if self.is_spare() => f.write_str(" (not needed)"),
            Some(reason) => write!(f, " ({reason})"),
            None => write!(f, " ({})", self.result),
        }
    }
}

/// Do the orders of its stage already say this?
fn is_in_orders(event: &EventLine, stage: &StageRecord) -> bool {
    // Where retreats are sent with the orders, a dislodged unit that is lost has a line among them.
    let lost = || {
        let mut orders = stage.orders.iter().filter(|line| event.power.as_ref() == Some(&line.power));
        orders.any(|line| line.ends_retreat_from(event.province.as_deref()))
    };
    event.kind().is_some_and(|kind| {
        kind.info().said_in == Some(&*stage.stage) || (kind == EventKind::Disbanded && lost())
    })
}

/// `Spring 1902, movement`
fn heading(phase: Phase, stage: &str) -> String {
    let what = match phase.kind {
        _ if stage == Stage::Coasts.name() => "coasts to be chosen",
        PhaseKind::Movement => "movement",
        PhaseKind::Retreats => "retreats",
        PhaseKind::Adjustments => "adjustments",
        PhaseKind::Seismic => "seismic events",
    };
    format!("{} {}, {what}", phase.season.name(), phase.year)
}

/// What a game waits for: `Spring 1902, movement`
pub fn heading_of(game: &Game) -> String {
    heading(game.phase(), game.stage().name())
}

impl GameRecord {
    /// Is the game over? The record of a session or of a game by hand may end before.
    pub fn is_over(&self) -> bool {
        self.end.end != GameEnd::Unfinished.name()
    }

    /// The game as text for people: the orders and their results, the events, and the number of centres of each power
    /// after each Fall.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        // Writing into a text cannot fail.
        let _ = self.write(&mut text);
        // Names come from files: they must not contain control characters for a terminal.
        text.replace(|c: char| c.is_control() && c != '\n', "\u{fffd}")
    }

    fn write(&self, text: &mut String) -> fmt::Result {
        let (game, powers) = (&self.game, &self.power_names);
        write!(text, "{}/{}, experiment {}", game.variant, game.game, game.experiment)?;
        match game.seed {
            Some(seed) => writeln!(text, ", seed {seed}")?,
            None => text.push('\n'),
        }
        for (power, bot) in &game.bots {
            writeln!(text, "  {}: {bot}", powers.proper(power))?;
        }
        for (i, stage) in self.stages.iter().enumerate() {
            let next = self.stages.get(i + 1).map_or(&self.end.centres, |next| &next.centres);
            writeln!(text, "\n{}", stage.heading())?;
            stage.write(text, powers)?;
            if *next != stage.centres {
                let counts = powers
                    .iter()
                    .map(|power| format!("{} {}", powers.proper(power), next.get(power).map_or(0, Vec::len)));
                writeln!(text, "  Centres: {}", counts.collect::<Vec<_>>().join(", "))?;
            }
        }
        let end = if self.is_over() { "The end" } else { "Now" };
        writeln!(text, "\n{end}, {}: {}", self.end.phase, self.outcome())
    }

    /// How it ended, in words: `a draw of Austria and Italy`. A power that has forfeited has no part in it, whatever
    /// the board shows.
    pub fn outcome(&self) -> String {
        let end = &self.end;
        let powers = &self.power_names;
        let forfeited: Vec<&str> = end.forfeited.iter().map(|power| powers.proper(power)).collect();
        let left = match (end.winner.as_deref(), &*end.end) {
            (Some(winner), "stopped") => {
                format!(
                    "{} is declared the winner: the experiment stops decided games",
                    powers.proper(winner)
                )
            }
            (Some(winner), _) => format!("{} wins alone", powers.proper(winner)),
            (None, ended @ ("draw" | "stopped")) => {
                let mut events = self.stages.last().into_iter().flat_map(|last| &last.events);
                let drawn = events.rfind(|event| event.kind() == Some(EventKind::Drawn));
                let drawn = drawn.and_then(|event| event.detail.as_deref());
                let powers = all_proper(drawn.unwrap_or_default(), powers).into_iter();
                let stopped = if ended == "stopped" { ": the experiment stops decided games" } else { "" };
                format!(
                    "a draw of {}{stopped}",
                    and(&powers.filter(|power| !forfeited.contains(power)).collect::<Vec<_>>())
                )
            }
            (None, "unfinished") => "it is not over".to_owned(),
            (None, _) if forfeited.is_empty() => "nobody is left".to_owned(),
            (None, _) => "no power with a claim is left".to_owned(),
        };
        match &forfeited[..] {
            [] => left,
            [one] => format!("{left}; {one} has forfeited"),
            several => format!("{left}; {} have forfeited", and(several)),
        }
    }
}

impl StageRecord {
    /// `Spring 1902, movement`
    pub fn heading(&self) -> String {
        match self.phase.parse() {
            Ok(phase) => heading(phase, &self.stage),
            Err(_) => self.phase.clone(),
        }
    }

    /// The events that are not visible from the results of orders, in sequence.
    pub fn events_beside_orders(&self) -> impl Iterator<Item = &EventLine> {
        self.events.iter().filter(|event| !is_in_orders(event, self))
    }

    fn write(&self, text: &mut String, powers: &PowerNames) -> fmt::Result {
        // `S1902M` is the movement of S1902.
        let season = self.phase.get(..self.phase.len().saturating_sub(1)).unwrap_or_default();
        for power in powers.iter() {
            let mut orders = self.orders.iter().filter(|line| line.power == power).peekable();
            if orders.peek().is_some() {
                writeln!(text, "  {}", powers.proper(power))?;
            }
            for order in orders {
                writeln!(text, "    {season}: {order}")?;
            }
        }
        // The outcome is written at the end, with the powers that have a claim.
        let ends = |event: &&EventLine| matches!(event.kind(), Some(EventKind::Won | EventKind::Drawn));
        for event in self.events_beside_orders().filter(|event| !ends(event)) {
            writeln!(text, "  {}", event.display(powers))?;
        }
        Ok(())
    }
}
