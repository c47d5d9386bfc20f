//! A game as people write it.
//!
//! ```text
//! Spring 1902, movement
//!   France
//!     S1902: A PAR - BUR (bounce with A MUN)
//!   MAR collapses: its neighbours close over it
//! ```

use std::fmt::{self, Write};

use super::form::{Chronicle, EventLine, OrderLine, StageRecord};
use crate::record::EventKind;
use upheaval_engine::rules::position::{Phase, PhaseKind};
use upheaval_map::ids::Power;

impl fmt::Display for OrderLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.order)?;
        match &self.reason {
            None if self.succeeded() => Ok(()),
            Some(reason) => write!(f, " ({reason})"),
            None => write!(f, " ({})", self.result),
        }
    }
}

impl fmt::Display for EventLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let province = self.province.as_deref().unwrap_or("?");
        let power = self.power.map_or("nobody", Power::proper_name);
        let detail = self.detail.as_deref().unwrap_or_default();
        let unit = fmt::from_fn(|f| {
            let unit = self.unit.as_deref().unwrap_or("unit");
            write!(f, "{power}'s {unit} {province}")
        });
        let Some(kind) = self.kind() else { return write!(f, "{} {province}", self.kind) };
        match kind {
            EventKind::HoleDrawn => write!(f, "the hole of the season is {province}"),
            EventKind::Collapsed => write!(f, "{province} collapses: its neighbours close over it"),
            EventKind::Voided => write!(f, "{province} becomes a void that nothing enters"),
            EventKind::Restored => write!(f, "{province} comes back"),
            EventKind::SplitDrawn => write!(f, "the cards say {detail}"),
            EventKind::Split => write!(f, "a province splits into {province} and {detail}"),
            EventKind::CentreDoubled => write!(f, "{power} owns the new half {province} too"),
            EventKind::UnitDoubled => write!(f, "{unit} is new, its twin stays in {detail}"),
            EventKind::CentreReturned => write!(f, "{power} owns {province} again"),
            EventKind::CentreFounded => match self.power {
                Some(_) => write!(f, "{province} becomes a supply centre of {power}"),
                None => write!(f, "{province} becomes a supply centre"),
            },
            EventKind::Swallowed if detail.is_empty() => write!(f, "{unit} is gone with the hole"),
            EventKind::Swallowed => write!(f, "{unit}, entering from {detail}, is gone with the hole"),
            EventKind::UnitReturned => write!(f, "{unit} comes back"),
            EventKind::Submerged => write!(f, "{province} sinks into the sea"),
            EventKind::Separated | EventKind::Connected => write!(f, "the earth moves: {detail}"),
            EventKind::Opened => write!(f, "{province} can be entered from now on"),
            EventKind::ExemptNamed => write!(f, "{power} names {province} as exempt, in secret"),
            EventKind::ExemptDrawn => write!(f, "{province} is drawn as exempt for {power}, in secret"),
            EventKind::ExemptChanged => write!(f, "{power} changes its exempt centre to {province}"),
            EventKind::ExemptLapsed => write!(f, "{province} of {power} is exempt no longer"),
            EventKind::ExemptAnnounced => write!(f, "{power} has {province} announced as exempt"),
            EventKind::CoastLost => write!(f, "{unit} is lost with its coast"),
            EventKind::CoastMoved => write!(f, "{power}'s fleet stands on {detail} now"),
            EventKind::Destroyed => write!(f, "{unit} is destroyed with its province"),
            EventKind::Trapped => write!(f, "{unit} is trapped without a coast"),
            EventKind::Embarked => write!(f, "{unit} goes {detail}"),
            EventKind::Landed => write!(f, "{power}'s army lands in {province} {detail}"),
            EventKind::BecameFleet => write!(f, "{power}'s army in {province} becomes a fleet"),
            EventKind::LostAtSea => write!(f, "{power}'s army aboard in {province} is lost"),
            EventKind::Dislodged => write!(f, "{unit} is dislodged {detail}"),
            EventKind::Retreated => write!(f, "{unit} retreats to {detail}"),
            EventKind::Disbanded => write!(f, "{unit} has nowhere to go and disbands"),
            EventKind::Captured => match self.other {
                Some(other) => write!(f, "{power} takes {province} from {}", other.proper_name()),
                None => write!(f, "{power} takes {province}"),
            },
            EventKind::CentreLost => write!(f, "{power} loses the centre {province}, which is no more"),
            EventKind::Built => {
                write!(f, "{power} builds {} {province}", self.unit.as_deref().unwrap_or("?"))
            }
            EventKind::Removed => write!(f, "{unit} is removed"),
            EventKind::Waived => write!(f, "{power} leaves a build unused"),
            EventKind::Eliminated => write!(f, "{power} is eliminated"),
            EventKind::Revived => write!(f, "{power} is back in the game"),
            EventKind::BotFault => write!(f, "{power}'s bot is at fault: {detail}"),
            EventKind::Won => write!(f, "{power} wins alone"),
            EventKind::Drawn if detail.is_empty() => f.write_str("nobody is left"),
            EventKind::Drawn => {
                write!(f, "a draw of {}", and(&detail.split(' ').map(proper).collect::<Vec<_>>()))
            }
        }
    }
}

impl EventLine {
    /// What happened; `None` where this program knows nothing of the kind.
    pub fn kind(&self) -> Option<EventKind> {
        EventKind::ALL.into_iter().find(|kind| kind.name() == self.kind)
    }

    /// Is it already said by the orders of its stage?
    fn is_in_orders(&self, stage: &StageRecord) -> bool {
        use EventKind::{
            BecameFleet, Built, Disbanded, Dislodged, Embarked, Landed, Removed, Retreated, Waived,
        };
        let said: &[EventKind] = match &*stage.stage {
            "movement" => &[Dislodged, Embarked, Landed, BecameFleet],
            "retreats" => &[Retreated, Disbanded],
            "adjustments" => &[Built, Removed, Waived],
            _ => &[],
        };
        self.kind().is_some_and(|kind| said.contains(&kind))
    }
}

impl Chronicle {
    /// The game as people write it: what was ordered and what came of it, what happened, and how many centres the powers
    /// had after each Fall.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        // A text takes whatever is written to it.
        let _ = self.write(&mut text);
        // Names come from files: nothing in them is a command to whatever shows them.
        text.replace(|c: char| c.is_control() && c != '\n', "\u{fffd}")
    }

    fn write(&self, text: &mut String) -> fmt::Result {
        let game = &self.game;
        writeln!(text, "{}/{}, experiment {}, seed {}", game.variant, game.game, game.experiment, game.seed)?;
        for (power, bot) in &game.bots {
            writeln!(text, "  {}: {bot}", power.proper_name())?;
        }
        for (i, stage) in self.stages.iter().enumerate() {
            let next = self.stages.get(i + 1).map_or(&self.end.centres, |next| &next.centres);
            writeln!(text, "\n{}", stage.heading())?;
            stage.write(text)?;
            if *next != stage.centres {
                let counts = Power::ALL
                    .into_iter()
                    .map(|power| format!("{} {}", power.proper_name(), next.get(&power).map_or(0, Vec::len)));
                writeln!(text, "  Centres: {}", counts.collect::<Vec<_>>().join(", "))?;
            }
        }
        writeln!(text, "\nThe end, {}: {}", self.end.phase, self.outcome())
    }

    /// How it ended, in words: `a draw of Austria and Italy`. Who has forfeited has no part in it, whatever the board says.
    pub fn outcome(&self) -> String {
        let end = &self.end;
        let forfeited: Vec<&str> = end.forfeited.iter().copied().map(Power::proper_name).collect();
        let left = match (end.winner, &*end.end) {
            (Some(winner), _) => format!("{} wins alone", winner.proper_name()),
            (None, "draw") => {
                let drawn = self.stages.last().and_then(|last| {
                    last.events
                        .iter()
                        .rfind(|event| event.kind() == Some(EventKind::Drawn))?
                        .detail
                        .as_deref()
                });
                let powers = drawn.unwrap_or_default().split(' ').map(proper);
                format!(
                    "a draw of {}",
                    and(&powers.filter(|power| !forfeited.contains(power)).collect::<Vec<_>>())
                )
            }
            (None, _) if forfeited.is_empty() => "nobody is left".to_owned(),
            (None, _) => "nobody is left who has a claim".to_owned(),
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

    /// What happened besides what the orders' results say, in order.
    pub fn untold(&self) -> impl Iterator<Item = &EventLine> {
        self.events.iter().filter(|event| !event.is_in_orders(self))
    }

    fn write(&self, text: &mut String) -> fmt::Result {
        // `S1902M` is the movement of S1902.
        let season = self.phase.get(..self.phase.len().saturating_sub(1)).unwrap_or_default();
        for power in Power::ALL {
            let mut orders = self.orders.iter().filter(|line| line.power == power).peekable();
            if orders.peek().is_some() {
                writeln!(text, "  {}", power.proper_name())?;
            }
            for order in orders {
                writeln!(text, "    {season}: {order}")?;
            }
        }
        // How it ended is told at the end, with who has a claim.
        let ends = |event: &&EventLine| matches!(event.kind(), Some(EventKind::Won | EventKind::Drawn));
        for event in self.untold().filter(|event| !ends(event)) {
            writeln!(text, "  {event}")?;
        }
        Ok(())
    }
}

/// A power's proper name; what is none stays as it is.
fn proper(word: &str) -> &str {
    word.parse::<Power>().map_or(word, |power| power.proper_name())
}

/// `Austria, Italy and Turkey`
fn and(names: &[&str]) -> String {
    match names {
        [names @ .., last] if !names.is_empty() => format!("{} and {last}", names.join(", ")),
        names => names.concat(),
    }
}
