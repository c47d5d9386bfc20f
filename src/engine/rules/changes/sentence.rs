//! An entry as an English sentence, and its next dates, for `upheaval variants show`.

use std::fmt;

use super::entry::{Count, Deed, Entry, Extreme, FaceChange, Mark, Measure, Quakes, Ranking, Vote, Which};
use super::foretold::Foretold;
use super::list::Changes;
use super::set::Set;
use super::verb::{State, Verbs};
use super::when::{Bound, Date, Period, Span};
use super::words::{
    Again, CentreFate, Entering, Fate, HomeRule, Lasts, OwnerRule, Point, Seasons, Stranded, Ties, Told,
    Unnamed, Verb, Votes, Wins,
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
            Verb::Freeze => "freeze",
            Verb::Open | Verb::Raise => "become land",
            Verb::Dig => "get a canal",
            Verb::Split => "split in two",
            Verb::Found => "become supply centres",
            Verb::Ruin => "become ordinary provinces",
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
            State::Ice => "ice",
            State::Impassable => "impassable ones",
            State::Hole => "holes",
        }
    }
}

impl FaceChange {
    /// `each Fall from 1902`, or `before the first phase`.
    fn when(&self) -> impl fmt::Display {
        fmt::from_fn(move |f| match self.at {
            Point::Start => f.write_str("before the first phase"),
            Point::BeforeRetreats | Point::End => write!(f, "{}", self.period),
        })
    }

    fn sentence(&self) -> impl fmt::Display {
        fmt::from_fn(move |f| {
            let is_one = match &self.which {
                Which::Scheduled(_) => {
                    f.write_str("on the dates of the schedule, the listed places ")?;
                    false
                }
                Which::All(set) => {
                    write!(f, "{}, all of `{set}` ", self.when())?;
                    false
                }
                Which::Voted(set, vote) => {
                    write!(f, "{}, the place of `{set}` for which the powers vote ", self.when())?;
                    vote.sentence(f)?;
                    true
                }
                Which::Ranked(set, ranking) => {
                    write!(f, "{}, {} ", self.when(), ranking.sentence(set))?;
                    ranking.count == 1
                }
                Which::Drawn(set, Count::Number(number)) => {
                    write!(f, "{}, {number} of `{set}` ", self.when())?;
                    *number == 1
                }
                Which::Drawn(set, Count::Per(number, entry)) => {
                    write!(f, "{}, {number} of `{set}` for each place of `{}` ", self.when(), entry.name)?;
                    *number == 1
                }
                Which::Drawn(set, Count::Chance(odds)) => {
                    write!(f, "{}, each of `{set}` by a chance of {odds} ", self.when())?;
                    true
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
            write!(f, "{}", self.ends)?;
            match self.lasts {
                Span::Ever => {}
                Span::Until(_) => write!(f, ", {}", self.lasts)?,
                Span::Seasons(_) | Span::Years(_) => write!(f, " for {}", self.lasts)?,
            }
            self.manner(f, is_one)
        })
    }

    /// By whom, and what follows.
    fn manner(&self, f: &mut fmt::Formatter<'_>, is_one: bool) -> fmt::Result {
        let them = if is_one { "it" } else { "them" };
        if let Some(ranking) = self.ranking() {
            f.write_str(match ranking.ties {
                Ties::Nature => "; nature draws among places that tie",
                Ties::All => "; all places that tie do so",
                Ties::None => "; no place that ties does so",
            })?;
        }
        match (self.foretold, &self.which) {
            (Foretold::BeforeRetreats, Which::Ranked(..)) => {
                let are = if is_one { "it is" } else { "they are" };
                write!(f, "; {are} announced before the retreats, which cannot go there")?;
            }
            (Foretold::BeforeRetreats, _) => {
                write!(f, "; nature draws and announces {them} before the retreats, which cannot go there")?;
            }
            (Foretold::Seasons(_) | Foretold::Years(_), _) => {
                write!(f, "; nature draws and announces {them} {} before", self.foretold)?;
            }
            (Foretold::No, Which::Drawn(..)) => write!(f, "; nature draws {them}")?,
            (Foretold::No, _) => {}
        }
        let forces_out = self.verbs.any(Verb::forces_out);
        match self.units {
            Fate::Swallow => f.write_str("; units in a new hole vanish with it and come back with it")?,
            Fate::Destroy | Fate::Stay => {}
            fate if forces_out => {
                let which = if self.verbs.has(Verb::Mark) { "units there" } else { "units that cannot stay" };
                write!(f, "; {which} {}", fate.words())?;
            }
            _ => {}
        }
        match self.entering {
            Entering::AsUsual => {}
            Entering::Swallow => f.write_str("; so do units that were ordered into it and did not get in")?,
            Entering::Destroy => {
                f.write_str("; units that were ordered into it and did not get in are destroyed")?
            }
        }
        if self.stranded != Stranded::Destroy {
            write!(f, "; fleets without a coast {}", self.stranded.words())?;
        }
        if self.centre == CentreFate::Lost {
            f.write_str("; centres there are lost")?;
        }
        if self.lasts != Span::Ever && self.back_units != Fate::Destroy {
            write!(f, "; when it ends, units that cannot stay {}", self.back_units.words())?;
        }
        if self.owner.first() != Some(&OwnerRule::Nobody) {
            let rules = self.owner.iter().take_while(|rule| **rule != OwnerRule::Nobody);
            let owners: Vec<&str> = rules.map(|rule| rule.words()).collect();
            write!(f, "; a centre then belongs to {}", owners.join(", else to "))?;
        }
        match self.home {
            HomeRule::None => Ok(()),
            HomeRule::Country => f.write_str("; it is a home of the power in whose country it lies"),
            HomeRule::Owner => f.write_str("; it is a home of that power"),
        }
    }
}

impl Vote {
    /// `(one vote each, VOTE; a plurality wins) `.
    fn sentence(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let votes = match self.votes {
            Votes::One => "one vote each",
            Votes::Centres => "a vote for each centre",
        };
        let wins = match (self.wins, self.ties) {
            (Wins::Majority, _) => "a majority of all votes wins",
            (Wins::Plurality, Ties::Nature) => "a plurality wins, and nature draws among equals",
            (Wins::Plurality, Ties::All) => "a plurality wins, and so do equals",
            (Wins::Plurality, Ties::None) => "a plurality wins, and equals do not",
        };
        write!(f, "(`{}`: {votes}; {wins}) ", self.order)
    }
}

impl Ranking {
    /// The places of a set that it chooses: `the one of `land` with the most of `occupied` in it or beside it`.
    fn sentence(&self, set: &Set) -> impl fmt::Display {
        fmt::from_fn(move |f| {
            match self.count {
                1 => write!(f, "the one of `{set}`")?,
                count => write!(f, "the {count} of `{set}`")?,
            }
            let most = match self.first {
                Extreme::Most => "most",
                Extreme::Least => "fewest",
            };
            let them = if self.count == 1 { "it" } else { "them" };
            match &self.measure {
                Measure::Near(set) => write!(f, " with the {most} of `{set}` in {them} or beside {them}"),
                Measure::OwnerCentres => write!(f, " whose owner has the {most} centres"),
            }
        })
    }
}

impl Fate {
    /// What happens to units: `must retreat`.
    const fn words(self) -> &'static str {
        match self {
            Fate::Stay => "stay",
            Fate::Destroy => "are destroyed",
            Fate::Swallow => "vanish with the place and come back with it",
            Fate::Retreat => "must retreat",
            Fate::Choose => "retreat, or vanish with the place and come back with it",
            Fate::Convert => "become units of the other kind",
            Fate::ConvertOrDisband => "become units of the other kind, or are disbanded",
            Fate::Trap => "are trapped",
            Fate::TrapOrDisband => "are trapped, or disbanded",
        }
    }
}

impl Stranded {
    /// What happens to fleets: `are trapped`.
    const fn words(self) -> &'static str {
        match self {
            Stranded::Destroy => "are destroyed",
            Stranded::Trap => "are trapped",
            Stranded::TrapOrDisband => "are trapped, or disbanded",
            Stranded::Convert => "become armies",
            Stranded::ConvertOrDisband => "become armies, or are disbanded",
        }
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
            write!(f, "at the end of {}, each power may order a border", self.period)?;
            self.of.iter().try_for_each(|of| write!(f, " of `{of}`"))?;
            f.write_str(" to move")?;
            write!(f, "; fleets without a coast {}", self.stranded.words())
        })
    }
}
