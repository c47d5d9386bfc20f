//! An entry as an English sentence, and its next dates, for `upheaval variants show`.

use std::fmt;

use super::entry::{Count, Deed, Entry, FaceChange, Mark, Quakes, Which};
use super::list::Changes;
use super::verb::{State, Verbs};
use super::when::{Bound, Date, Period};
use super::words::{
    Again, Entering, Fate, Foretold, Lasts, OwnerRule, Point, Seasons, Stranded, Told, Unnamed, Verb,
};
use crate::rules::position::{Phase, Season};

/// How many dates of an entry are shown.
const DATES: usize = 5;
/// How many years are searched for them.
const YEARS: u16 = 200;

impl Changes {
    /// The next dates of an entry in a game that begins with this phase and, in some variants, ends with this year.
    pub fn dates(&self, entry: &Entry, first: Phase, last: Option<u16>) -> Vec<Date> {
        let acts = |date: &Date| match &entry.deed {
            Deed::Faces(change) => change.acts(*date),
            Deed::Quake(quakes) => quakes.period.includes(*date),
            Deed::Mark(_) => false,
        };
        let years = first.year..=last.unwrap_or(first.year.saturating_add(YEARS));
        let all = years.flat_map(|year| Season::ALL.map(|season| Date { year, season }));
        all.filter(|date| *date >= first.into()).filter(acts).take(DATES).collect()
    }
}

impl Entry {
    /// What the entry says, as a sentence without its full stop.
    pub fn sentence(&self) -> impl fmt::Display {
        fmt::from_fn(|f| match &self.deed {
            Deed::Faces(change) => write!(f, "{}", change.sentence()),
            Deed::Mark(mark) => write!(f, "{}", mark.sentence()),
            Deed::Quake(quakes) => write!(f, "{}", quakes.sentence()),
        })
    }
}

impl Seasons {
    /// `each Spring and Fall`.
    fn words(self) -> &'static str {
        match self {
            Seasons::Spring => "each Spring",
            Seasons::Fall => "each Fall",
            Seasons::Winter => "each Winter",
            Seasons::SpringAndFall => "each Spring and Fall",
            Seasons::SpringAndWinter => "each Spring and Winter",
            Seasons::FallAndWinter => "each Fall and Winter",
            Seasons::All => "each season",
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::Year(year) => write!(f, "{year}"),
            Bound::Season(date) => write!(f, "{date}"),
        }
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.seasons.words())?;
        if self.every > 1 {
            write!(f, ", every {} years", self.every)?;
        }
        match (self.from, self.until) {
            (None, None) => Ok(()),
            (Some(from), None) => write!(f, " from {from}"),
            (None, Some(until)) => write!(f, " until {until}"),
            (Some(from), Some(until)) => write!(f, " from {from} to {until}"),
        }
    }
}

impl Verb {
    /// What happens to several places: `come back`.
    pub const fn infinitive(self) -> &'static str {
        match self {
            Verb::Collapse => "collapse",
            Verb::Void => "become void",
            Verb::Restore => "come back",
            Verb::Submerge => "become sea",
            Verb::Open => "become land",
            Verb::Split => "split in two",
            Verb::Found => "become supply centres",
            Verb::Mark => "be marked",
            Verb::Quake => "move",
        }
    }

    /// What happens to one place: `comes back`.
    fn indicative(self) -> String {
        let (first, rest) = self.infinitive().split_once(' ').unwrap_or((self.infinitive(), ""));
        format!("{first}s {rest}").trim_end().to_owned()
    }
}

impl State {
    /// The places in this state.
    const fn words(self) -> &'static str {
        match self {
            State::Open => "open ones",
            State::Land => "land",
            State::Sea => "seas",
            State::Impassable => "impassable ones",
            State::Hole => "holes",
        }
    }
}

impl FaceChange {
    fn sentence(&self) -> impl fmt::Display {
        fmt::from_fn(move |f| {
            let is_one = match &self.which {
                Which::Scheduled(_) => {
                    f.write_str("on the dates of the schedule, the listed places ")?;
                    false
                }
                Which::All(set) => {
                    write!(f, "{}, all of `{set}` ", self.period)?;
                    false
                }
                Which::Drawn(set, Count::Number(number)) => {
                    write!(f, "{}, {number} of `{set}` ", self.period)?;
                    *number == 1
                }
                Which::Drawn(set, Count::Per(number, entry)) => {
                    write!(f, "{}, {number} of `{set}` for each place of `{}` ", self.period, entry.name)?;
                    *number == 1
                }
            };
            let when = if self.at == Point::BeforeRetreats { " before the retreats" } else { "" };
            match &self.verbs {
                Verbs::One(verb) if is_one => write!(f, "{}{when}", verb.indicative())?,
                Verbs::One(verb) => write!(f, "{}{when}", verb.infinitive())?,
                Verbs::ByState(verbs) => {
                    let parts =
                        verbs.iter().map(|(state, verb)| format!("{} {}", state.words(), verb.infinitive()));
                    write!(f, "{}{when}: ", if is_one { "changes" } else { "change" })?;
                    f.write_str(&parts.collect::<Vec<_>>().join(", "))?;
                }
            }
            self.manner(f, is_one)
        })
    }

    /// By whom, and what follows.
    fn manner(&self, f: &mut fmt::Formatter<'_>, is_one: bool) -> fmt::Result {
        let them = if is_one { "it" } else { "them" };
        match (self.foretold, self.count()) {
            (Foretold::BeforeRetreats, _) => {
                write!(f, "; nature draws and announces {them} before the retreats, which cannot go there")?;
            }
            (Foretold::No, Some(_)) => write!(f, "; nature draws {them}")?,
            (Foretold::No, None) => {}
        }
        if self.units == Fate::Swallow {
            f.write_str("; units in a new hole vanish with it and come back with it")?;
        }
        if self.entering == Entering::Swallow {
            f.write_str("; so do units that were ordered into it and did not get in")?;
        }
        match self.stranded {
            Stranded::Destroy => {}
            Stranded::Trap => f.write_str("; fleets without a coast are trapped")?,
            Stranded::TrapOrDisband => f.write_str("; fleets without a coast are trapped, or disbanded")?,
        }
        if self.owner.first() != Some(&OwnerRule::Nobody) {
            let rules = self.owner.iter().take_while(|rule| **rule != OwnerRule::Nobody);
            let owners: Vec<&str> = rules.map(|rule| rule.words()).collect();
            write!(f, "; a centre then belongs to {}", owners.join(", else to "))?;
        }
        Ok(())
    }
}

impl OwnerRule {
    const fn words(self) -> &'static str {
        match self {
            OwnerRule::Occupant => "the power whose unit is in it",
            OwnerRule::LastOccupant => "the one whose unit was in it last",
            OwnerRule::LastOwner => "its last owner",
            OwnerRule::HomeLastOwner => "its last owner, if it is a home centre",
            OwnerRule::HomePower => "the power whose home it is",
            OwnerRule::Country => "the one in whose country it lies",
            OwnerRule::Nobody => "nobody",
        }
    }
}

impl Mark {
    fn sentence(self) -> impl fmt::Display {
        fmt::from_fn(move |f| {
            f.write_str("with its first orders each power names one of its home centres, in secret")?;
            match self.unnamed {
                Unnamed::Nature => f.write_str("; for a power that names none, nature draws it")?,
                Unnamed::None => f.write_str("; a power that names none has none")?,
            }
            if self.again == Again::LastHome {
                f.write_str(
                    "; once it may name its last home instead, if the named one is in foreign hands",
                )?;
            }
            if self.lasts == Lasts::UntilEliminated {
                f.write_str("; the mark ends when its power is eliminated")?;
            }
            if self.told == Told::OnRequest {
                f.write_str("; its owner may have it announced")?;
            }
            Ok(())
        })
    }
}

impl Quakes {
    fn sentence(&self) -> impl fmt::Display {
        fmt::from_fn(|f| {
            write!(f, "at the end of {}, each power may order a border to move", self.period)?;
            match self.stranded {
                Stranded::Destroy => f.write_str("; fleets without a coast are destroyed"),
                Stranded::Trap => f.write_str("; fleets without a coast are trapped"),
                Stranded::TrapOrDisband => f.write_str("; fleets without a coast are trapped, or disbanded"),
            }
        })
    }
}
