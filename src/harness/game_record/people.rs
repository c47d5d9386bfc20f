//! A game as text for people.
//!
//! ```text
//! Spring 1902, movement
//!   France
//!     S1902: A PAR - BUR (bounce with A MUN)
//!   MAR collapses: its neighbours close over it
//! ```

use std::fmt::{self, Write};

use super::form::{EventLine, GameRecord, OrderLine, StageRecord};
use crate::record::EventKind;
use upheaval_engine::rules::event::EventColumn;
use upheaval_engine::rules::position::{Phase, PhaseKind};
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

impl EventLine {
    /// The event as a sentence, in a game of these powers.
    pub fn display(&self, powers: &PowerNames) -> impl fmt::Display {
        fmt::from_fn(move |f| self.write(f, powers))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, powers: &PowerNames) -> fmt::Result {
        let Some(kind) = self.kind() else {
            return write!(f, "{} {}", self.kind, self.province.as_deref().unwrap_or("?"));
        };
        let info = kind.info();
        let mut left = match info.without {
            Some((column, sentence)) if self.is_without(column) => sentence,
            _ => info.sentence,
        };
        // A word in braces stands for a field of the line.
        while let Some((before, (word, after))) =
            left.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
        {
            f.write_str(before)?;
            self.write_word(word, f, powers)?;
            left = after;
        }
        f.write_str(left)
    }

    /// The kind of the event; `None` where this program does not know it.
    pub fn kind(&self) -> Option<EventKind> {
        EventKind::ALL.into_iter().find(|kind| kind.name() == self.kind)
    }

    fn is_without(&self, column: EventColumn) -> bool {
        match column {
            EventColumn::Power => self.power.is_none(),
            EventColumn::Other => self.other.is_none(),
            EventColumn::Detail => self.detail.as_deref().is_none_or(str::is_empty),
        }
    }

    /// Writes the value of a word of a [sentence](upheaval_engine::rules::event::EventInfo::sentence).
    fn write_word(&self, word: &str, f: &mut fmt::Formatter<'_>, powers: &PowerNames) -> fmt::Result {
        let name = |power| or_nobody(power, powers);
        let province = self.province.as_deref().unwrap_or("?");
        let detail = self.detail.as_deref().unwrap_or_default();
        match word {
            "province" => f.write_str(province),
            "power" => f.write_str(name(&self.power)),
            "other" => f.write_str(name(&self.other)),
            "detail" => f.write_str(detail),
            "letters" => f.write_str(self.unit.as_deref().unwrap_or("?")),
            "unit" => {
                let unit = self.unit.as_deref().unwrap_or("unit");
                write!(f, "{}'s {unit} {province}", name(&self.power))
            }
            "powers" => f.write_str(&and(&all_proper(detail, powers))),
            other => write!(f, "{{{other}}}"),
        }
    }

    /// Do the orders of its stage already say this?
    fn is_in_orders(&self, stage: &StageRecord) -> bool {
        // Where retreats are sent with the orders, a dislodged unit that is lost has a line among them.
        let lost = || {
            let mut orders = stage.orders.iter().filter(|line| self.power.as_ref() == Some(&line.power));
            orders.any(|line| line.ends_retreat_from(self.province.as_deref()))
        };
        self.kind().is_some_and(|kind| {
            kind.info().said_in == Some(&*stage.stage) || (kind == EventKind::Disbanded && lost())
        })
    }
}

impl GameRecord {
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
        writeln!(text, "{}/{}, experiment {}, seed {}", game.variant, game.game, game.experiment, game.seed)?;
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
        writeln!(text, "\nThe end, {}: {}", self.end.phase, self.outcome())
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
        let Ok(phase) = self.phase.parse::<Phase>() else { return self.phase.clone() };
        let what = match (phase.kind, &*self.stage) {
            (_, "coasts") => "coasts to be chosen",
            (PhaseKind::Movement, _) => "movement",
            (PhaseKind::Retreats, _) => "retreats",
            (PhaseKind::Adjustments, _) => "adjustments",
            (PhaseKind::Seismic, _) => "seismic events",
        };
        format!("{} {}, {what}", phase.season.name(), phase.year)
    }

    /// The events that are not visible from the results of orders, in sequence.
    pub fn events_beside_orders(&self) -> impl Iterator<Item = &EventLine> {
        self.events.iter().filter(|event| !event.is_in_orders(self))
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

/// The proper name of a power, if there is one.
fn or_nobody<'a>(power: &'a Option<String>, powers: &'a PowerNames) -> &'a str {
    power.as_deref().map_or("nobody", |name| powers.proper(name))
}

/// The proper names of powers whose names are in a list.
fn all_proper<'a>(list: &'a str, powers: &'a PowerNames) -> Vec<&'a str> {
    list.split(' ').map(|word| powers.proper(word)).collect()
}

/// `Austria, Italy and Turkey`
fn and(names: &[&str]) -> String {
    match names {
        [names @ .., last] if !names.is_empty() => format!("{} and {last}", names.join(", ")),
        names => names.concat(),
    }
}
