//! On which places an entry acts, and who decides: sets, numbers, measures, votes, and canals.

use std::sync::Arc;

use upheaval_map::topology::FaceKind;
use upheaval_map::wording::suggest;

use super::super::canals::CanalSeas;
use super::super::entry::{Count, Extreme, Measure, OWNER_CENTRES, Odds, Ranking, Vote, Which};
use super::super::set::{EntryId, Names};
use super::super::verb::Verbs;
use super::super::words::{By, Point, Ties, Verb, Votes, Wins};
use super::{EntryFile, Reading};
use crate::diagnostic::value::Placed;
use crate::rules::position::Season;

/// Words with which other orders begin.
const RESERVED_ORDERS: [&str; 9] =
    ["EXEMPT", "ANNOUNCE", "SEPARATE", "CONNECT", "RELEASE", "BUILD", "REMOVE", "WAIVE", "DISBAND"];

impl Reading<'_> {
    pub(super) fn which(&self, file: &EntryFile, verbs: &Verbs, names: &Names<'_>) -> Option<Which> {
        if let Some(schedule) = &file.schedule {
            let is_all = self.is_by(file.by.as_ref(), "a schedule", By::All);
            let schedule = self.schedule(schedule, file)?;
            return is_all.then_some(Which::Scheduled(schedule));
        }
        let Some(of) = &file.of else {
            let message =
                format!("`{}` needs `of`, the set of places that may change, or a `schedule`", *file.id);
            return self.form.refuse(file.id.span(), message);
        };
        let ranking = match file.by.as_deref() {
            Some(By::Most) => Some(Extreme::Most),
            Some(By::Least) => Some(Extreme::Least),
            _ => None,
        };
        if let Some(first) = ranking {
            let (set, ranking) = (self.set(of, names), self.ranking(file, first, names));
            return Some(Which::Ranked(set?, Box::new(ranking?)));
        }
        let (set, count) = (self.set(of, names), self.count(file, names));
        let (set, count) = (set?, count?);
        match file.by.as_deref() {
            Some(By::All) => Some(Which::All(set)),
            Some(By::Vote) => Some(Which::Voted(set, self.vote(file)?)),
            None | Some(By::Nature) => Some(Which::Drawn(set, count)),
            Some(By::Most | By::Least | By::Choice | By::Orders) => {
                let by = file.by.as_ref().map_or(of.span(), Placed::span);
                let which = if verbs.has(Verb::Restore) { "holes" } else { "places" };
                let message = format!(
                    "{which} change by `nature`, `all`, `most`, `least` or `vote`; `choice` is for marks, `orders` for quakes"
                );
                self.form.refuse(by, message)
            }
        }
    }

    /// How a measure chooses places.
    fn ranking(&self, file: &EntryFile, first: Extreme, names: &Names<'_>) -> Option<Ranking> {
        let Some(measure) = &file.measure else {
            let message = format!(
                "`by = \"{}\"` needs `measure`: a set whose faces in a place and beside it are counted, or \
                 `{OWNER_CENTRES}`",
                first.by().name()
            );
            return self.form.refuse(file.by.as_ref().map_or(file.id.span(), Placed::span), message);
        };
        Some(Ranking {
            first,
            measure: self.measure(measure, names)?,
            count: file.count.as_ref().map_or(1, |count| count.get() as u8),
            ties: file.ties.as_deref().copied().unwrap_or(Ties::Nature),
        })
    }

    pub(super) fn measure(&self, measure: &Placed<String>, names: &Names<'_>) -> Option<Measure> {
        match measure.as_str() {
            OWNER_CENTRES => Some(Measure::OwnerCentres),
            _ => self.set(measure, names).map(Measure::Near),
        }
    }

    /// How the powers vote.
    fn vote(&self, file: &EntryFile) -> Option<Vote> {
        let wins = file.wins.as_deref().copied().unwrap_or(Wins::Plurality);
        if let (Wins::Majority, Some(ties)) = (wins, &file.ties) {
            let message = "two places cannot both have a majority; remove `ties`";
            self.form.fault(ties.span(), message);
        }
        if file.seasons.as_deref().is_some_and(|seasons| seasons.includes(Season::Winter)) {
            let span = file.seasons.as_ref().map_or(file.id.span(), Placed::span);
            self.form.fault(span, "votes come with the orders of a movement, and a Winter has none");
        }
        if let (Some(Point::Start), Some(at)) = (file.at.as_deref(), &file.at) {
            self.form.fault(at.span(), "before the first phase nobody votes");
        }
        let order = match &file.order {
            None => "VOTE".into(),
            Some(order) => self.word_of_vote(order)?,
        };
        Some(Vote {
            order,
            votes: file.votes.as_deref().copied().unwrap_or(Votes::One),
            wins,
            ties: file.ties.as_deref().copied().unwrap_or(Ties::Nature),
        })
    }

    /// The first word of a vote, which no other order has.
    fn word_of_vote(&self, order: &Placed<String>) -> Option<Arc<str>> {
        let is_word = (3..=16).contains(&order.len()) && order.bytes().all(|byte| byte.is_ascii_uppercase());
        let is_taken = RESERVED_ORDERS.contains(&order.as_str())
            || self.has_board && self.terrain.chart().map().find(order).is_some();
        let message = match (is_word, is_taken) {
            (false, _) => {
                format!("`order` must be a word of 3 to 16 capitals, such as `VOTE`, not `{}`", **order)
            }
            (true, true) => format!("other orders begin with `{}`; write another word", **order),
            (true, false) => return Some(order.as_str().into()),
        };
        self.form.refuse(order.span(), message)
    }

    fn count(&self, file: &EntryFile, names: &Names<'_>) -> Option<Count> {
        if let Some(chance) = &file.chance {
            for (key, span) in [
                ("count", file.count.as_ref().map(Placed::span)),
                ("per", file.per.as_ref().map(Placed::span)),
            ] {
                if let Some(span) = span {
                    self.form.fault(
                        span,
                        format!("`chance` is in place of `{key}`: each place of the set is diced for"),
                    );
                }
            }
            return self.chance(chance).map(Count::Chance);
        }
        let number = file.count.as_ref().map_or(1, |count| count.get() as u8);
        let Some(per) = &file.per else { return Some(Count::Number(number)) };
        let earlier = &names.ids[..names.entry.unwrap_or_default()];
        match earlier.iter().position(|id| *id == per.as_str()) {
            Some(index) => Some(Count::Per(number, EntryId { index, name: per.to_string() })),
            None => {
                let known = suggest(per, earlier.iter().copied());
                self.form.refuse(per.span(), format!("`per` needs the id of an earlier entry; {known}"))
            }
        }
    }

    /// A chance such as `1/6`.
    fn chance(&self, chance: &Placed<String>) -> Option<Odds> {
        let read = chance.split_once('/').and_then(|(wins, of)| {
            let odds = Odds { wins: wins.parse().ok()?, of: of.parse().ok()? };
            (0 < odds.wins && odds.wins < odds.of).then_some(odds)
        });
        read.or_else(|| {
            let message =
                format!("`chance` must be a fraction below 1, such as \"1/6\", not \"{}\"", **chance);
            self.form.refuse(chance.span(), message)
        })
    }

    /// The seas between which an entry digs canals: those of each place that it names.
    pub(super) fn ends(&self, file: &EntryFile, verbs: &Verbs, which: Option<&Which>) -> Option<CanalSeas> {
        let Some(ends) = &file.ends else {
            let message = "`dig` needs `ends`, two seas for each province, such as `ends = { STP = [\"BAR\", \"BOT\"] }`";
            return match verbs.has(Verb::Dig) {
                true => self.form.refuse(file.change.span(), message),
                false => Some(CanalSeas::default()),
            };
        };
        if !verbs.has(Verb::Dig) {
            return self.form.refuse(ends.span(), "`ends` is for canals: `change = \"dig\"`");
        }
        let before = self.form.faults();
        let map = self.terrain.chart().map();
        let sea = |name: &Placed<String>| {
            let found = self.places(std::slice::from_ref(name))?;
            let is_sea =
                found.on(map).iter().all(|id| map.face(id).is_some_and(|face| face.kind() == FaceKind::Sea));
            match is_sea {
                true => Some(found),
                false => self.form.refuse(name.span(), format!("`{}` is not a sea of the board", **name)),
            }
        };
        let mut read = CanalSeas::default();
        for (province, [one, other]) in ends.iter() {
            let through = self.places(std::slice::from_ref(province));
            let (one, other_sea) = (sea(one), sea(other));
            if let (Some(one), Some(sea)) = (&one, &other_sea)
                && one == sea
            {
                self.form
                    .fault(other.span(), format!("a canal joins two seas, and `{}` is named twice", **other));
            }
            if let (Some(through), Some(one), Some(other)) = (through, one, other_sea) {
                read.0.push((through, [one, other]));
            }
        }
        // An unknown name has been reported, and so has a list that is too long.
        let is_sound = self.form.faults() == before && self.form.is_sound(&ends.span());
        let lacks = |name: &str| is_sound && !read.has(&name.to_ascii_uppercase());
        let message = |name: &str| format!("`ends` has no seas for {}", name.to_ascii_uppercase());
        for name in file.schedule.iter().flat_map(|rows| rows.iter()).flat_map(|(_, names)| names) {
            if lacks(name) {
                self.form.fault(name.span(), message(name));
            }
        }
        if let (Some(set), Some(of)) = (which.and_then(Which::set), &file.of) {
            let named = set.listed().into_iter().flat_map(|places| &places.names);
            named.filter(|name| lacks(name)).for_each(|name| self.form.fault(of.span(), message(name)));
        }
        (self.form.faults() == before).then_some(read)
    }
}
