//! The form of `[[changes]]` in a variant file, and the checks of each entry by itself. The checks of an entry against
//! the board and the other entries are in `checks.rs`.

mod times;
mod which;

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use upheaval_map::ids::ProvinceSet;
use upheaval_map::wording::suggest;

use super::entry::{
    Deed, Entry, FaceChange, Mark, OF_ALL, OF_DRAWN, OF_MARK, OF_QUAKE, OF_RANKED, OF_SCHEDULE, OF_VOTE,
    OWNER_CENTRES, Quakes, Which,
};
use super::set::{self, Groups, Names, Places, Set, SetFault, Word};
use super::verb::{State, Verbs};
use super::words::{
    Again, By, CentreFate, Entering, Fate, HomeRule, Lasts, OwnerRule, Point, Seasons, Stranded, Ties, Told,
    Unnamed, Verb, Votes, Wins,
};
use crate::diagnostic::Form;
use crate::diagnostic::value::{Entries, Open, Placed, Whole};
use crate::rules::map_tables::MapTables;
use crate::rules::nature::{CARDS, HALVES};
use crate::rules::order::MOST_POLLS;
use crate::rules::position::Phase;
use crate::rules::words::Key;
use crate::rules::words::PermittedValues::{Other, Words};

/// Lists the keys of an entry once: for its form, for the keys that are present, and for their descriptions.
macro_rules! keys {
    ($($(#[$with:meta])* $key:ident: $Type:ty, $values:expr, $meaning:literal;)*) => {
        /// An entry in its written form.
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Entry"))]
        pub(in crate::rules) struct EntryFile {
            /// Its name in sets, settings and sources: letters from a to z, digits, and `-`.
            pub(in crate::rules) id: Placed<String>,
            /// What happens to a place: a verb, or a table with a verb for each state.
            #[cfg_attr(feature = "schema", schemars(with = "ChangeSchema"))]
            pub(in crate::rules) change: Placed<Open>,
            $(#[doc = $meaning] $(#[$with])* pub(super) $key: Option<Placed<$Type>>,)*
        }

        impl EntryFile {
            /// The optional keys that it has, and the places of their values.
            fn present(&self) -> Vec<(&'static str, Range<usize>)> {
                let all = [$((stringify!($key), self.$key.as_ref().map(Placed::span))),*];
                all.into_iter().filter_map(|(key, span)| Some((key, span?))).collect()
            }
        }

        /// All keys but `id`, in the order in which files have them.
        pub(in crate::rules) const ENTRY_KEYS: &[Key] = &[
            Key::other("change", "a verb, or a table of them", "what happens to a place"),
            $(Key { name: stringify!($key), values: $values, meaning: $meaning },)*
        ];
    };
}

keys! {
    of: String, Other("a set"), "the places that may change, or the borders";
    #[cfg_attr(feature = "schema", schemars(with = "Option<BTreeMap<String, Vec<String>>>"))]
    schedule: Entries<Vec<Placed<String>>>, Other("lists of places by date"), "the places that change, by the season at whose end they do";
    shift: i16, Other("years, such as -1"), "the years by which the dates of the schedule are moved";
    #[cfg_attr(feature = "schema", schemars(with = "Option<BTreeMap<String, [String; 2]>>"))]
    ends: Entries<[Placed<String>; 2]>, Other("two seas for each province, such as STP = [\"BAR\", \"BOT\"]"), "the seas between which canals are dug";
    by: By, Words(By::NAMES), "who decides which places change";
    count: Whole<1, 10>, Other("1 to 10"), "the number of places that nature draws, or a measure chooses";
    order: String, Other("a word in capitals, such as VOTE"), "the first word of a vote";
    votes: Votes, Words(Votes::NAMES), "the number of votes of a power";
    wins: Wins, Words(Wins::NAMES), "the votes that a place needs";
    chance: String, Other("a fraction, such as 1/6"), "the chance of each place of the set";
    per: String, Other("the id of an earlier entry"), "the entry for each of whose places this number is drawn";
    measure: String, Other("a set, or owner-centres"), "what is compared: the faces of the set that a place is or is beside, or the centres of its owner";
    ties: Ties, Words(Ties::NAMES), "what becomes of places that tie at the last of those that a measure or a vote chooses";
    at: Point, Words(Point::NAMES), "the point of the season";
    seasons: Seasons, Words(Seasons::NAMES), "the seasons in which it acts";
    #[cfg_attr(feature = "schema", schemars(with = "Option<BoundSchema>"))]
    from: Open, Other("a year or a season, such as S1903"), "the first season in which it acts";
    #[cfg_attr(feature = "schema", schemars(with = "Option<BoundSchema>"))]
    until: Open, Other("a year or a season, such as S1903"), "the last season in which it acts";
    every: Whole<1, 100>, Other("1 to 100"), "it acts only once in this number of years";
    lasts: String, Other("ever, 1 season, 2 years, until F1906; a mark by choice: ever, until-eliminated"), "how long the change lasts";
    foretold: String, Other("no, before-retreats, or a time such as 1 season or 2 years"), "when the places are announced";
    units: Fate, Words(Fate::NAMES), "the fate of the units in the place";
    entering: Entering, Words(Entering::NAMES), "the fate of the units that were ordered into the place";
    stranded: Stranded, Words(Stranded::NAMES), "the fate of fleets that are left without a coast";
    #[cfg_attr(feature = "schema", schemars(with = "Option<OwnerSchema>"))]
    owner: Open, Other("a word, or a list of words of which the first counts that names a power"), "the owner of a centre that is founded or comes back";
    home: HomeRule, Words(HomeRule::NAMES), "the power whose home a founded centre is";
    centre: CentreFate, Words(CentreFate::NAMES), "what becomes of the centre of a new hole, or below ice";
    back_units: Fate, Words(Fate::NAMES), "the fate of the units that may not stay when the change ends";
    #[cfg_attr(feature = "schema", schemars(with = "Option<OwnerSchema>"))]
    back_owner: Open, Other("as owner"), "the owner of a centre that comes back when the change ends";
    unnamed: Unnamed, Words(Unnamed::NAMES), "the mark of a power that names no centre";
    again: Again, Words(Again::NAMES), "whether a power may change its mark";
    told: Told, Words(Told::NAMES), "who knows a mark";
    dice: String, Other("a name"), "the name of its stream of dice";
}

impl EntryFile {
    /// Does it ask for orders about borders?
    pub(in crate::rules) fn is_quake(&self) -> bool {
        matches!(&*self.change, Open::Single(toml::Value::String(word)) if word == Verb::Quake.name())
    }

    /// Does each power choose its places?
    fn is_by_choice(&self) -> bool {
        matches!(self.by.as_deref(), Some(By::Choice)) || self.of.is_none() && self.schedule.is_none()
    }

    /// Does it depend on the countries of the powers?
    pub(super) fn says_country(&self) -> bool {
        let is_it = |value: &Open| matches!(value, Open::Single(toml::Value::String(word)) if word == OwnerRule::Country.name());
        let says = |owner: &Placed<Open>| match &**owner {
            Open::List(rules) => rules.iter().any(|rule| is_it(rule)),
            rule => is_it(rule),
        };
        self.owner.iter().chain(&self.back_owner).any(says)
            || matches!(self.home.as_deref(), Some(HomeRule::Country))
            || self.of.iter().chain(&self.measure).any(|set| set.contains("country("))
    }
}

/// `[[changes]]` and `[countries]` in their written form.
pub(in crate::rules) struct ChangesFile {
    /// The entries.
    pub entries: Vec<Placed<EntryFile>>,
    /// Lists of places, and sets, with names.
    pub groups: Option<Placed<Entries<Placed<Open>>>>,
    /// The provinces of each power's country.
    pub countries: Option<Placed<Entries<Vec<Placed<String>>>>>,
}

#[cfg(feature = "schema")]
mod schema {
    //! Forms of values, for the JSON Schema only.
    #![allow(dead_code)]

    use std::collections::BTreeMap;

    use super::super::{
        verb::State,
        words::{OwnerRule, Verb},
    };

    #[derive(schemars::JsonSchema)]
    #[schemars(untagged)]
    pub(super) enum ChangeSchema {
        One(Verb),
        ByState(BTreeMap<State, Verb>),
    }

    #[derive(schemars::JsonSchema)]
    #[schemars(untagged)]
    pub(super) enum BoundSchema {
        Year(u16),
        Season(String),
    }

    #[derive(schemars::JsonSchema)]
    #[schemars(untagged)]
    pub(super) enum OwnerSchema {
        One(OwnerRule),
        List(Vec<OwnerRule>),
    }
}
#[cfg(feature = "schema")]
use schema::{BoundSchema, ChangeSchema, OwnerSchema};

/// What the entries of a file are read with.
pub(in crate::rules) struct Reading<'a> {
    /// Receives the faults.
    pub form: &'a Form<'a>,
    /// The board at the start.
    pub terrain: &'a MapTables,
    /// Is it the right one? If not, a name that is not on it may be one of the right one.
    pub has_board: bool,
    /// The first phase of a game, if the file says it.
    pub first_phase: Option<Phase>,
    /// The year of the last Winter, if the variant has one.
    pub last_winter: Option<u16>,
}

/// The first word of the votes of an entry.
fn vote_of(entry: &Entry) -> Option<&str> {
    match &entry.faces()?.which {
        Which::Voted(_, vote) => Some(&vote.order),
        _ => None,
    }
}

impl Reading<'_> {
    /// An entry, or `None` if it has a fault.
    pub(super) fn entry(
        &self,
        file: &Placed<EntryFile>,
        index: usize,
        ids: &[&str],
        groups: &Groups,
    ) -> Option<Entry> {
        let id = self.id(file, index, ids);
        // An unknown key may be one that seems to be missing.
        let verbs = self.verbs(file).filter(|_| !self.form.has_unknown_key(&file.span()));
        let dice = self.dice(file, index, ids);
        let names = self.names(ids, groups, Some(index));
        let Some(verbs) = verbs else {
            // The rest is looked through for faults that do not depend on this one.
            file.of.iter().for_each(|of| drop(self.set(of, &names)));
            file.measure.iter().for_each(|measure| drop(self.measure(measure, &names)));
            file.schedule.iter().for_each(|schedule| drop(self.schedule(schedule, file)));
            return None;
        };
        let deed = match verbs {
            Verbs::One(Verb::Mark) if file.is_by_choice() => self.mark(file),
            Verbs::One(Verb::Quake) => self.quakes(file, &names),
            verbs => self.faces(file, verbs, &names),
        };
        Some(Entry { id: id?, dice: dice?, deed: deed? })
    }

    fn id(&self, file: &EntryFile, index: usize, ids: &[&str]) -> Option<String> {
        let id = self.name("id", &file.id, "entry")?;
        if ids[..index].contains(&id.as_str()) {
            let message = format!("a second entry `{id}`; give it another `id`");
            return self.form.refuse(file.id.span(), message);
        }
        Some(id)
    }

    /// The name of an entry or a group, which means nothing else in sets.
    pub(super) fn name(&self, key: &str, name: &Placed<String>, of: &str) -> Option<String> {
        let refuse = |message: String| self.form.refuse(name.span(), message);
        if !name.bytes().all(is_of_names)
            || !name.starts_with(|c: char| c.is_ascii_lowercase())
            || name.ends_with('-')
        {
            let right = "must consist of lower-case letters, digits and `-`, such as `sea-holes`";
            return refuse(format!("`{key}` {right}, not `{}`", **name));
        }
        let words = Word::NAMES.iter().chain(Verb::NAMES).copied();
        if words.chain(set::RESERVED).chain([OWNER_CENTRES]).any(|word| word == name.as_str()) {
            return refuse(format!("`{}` is a word of the language; give the {of} another {key}", **name));
        }
        if self.terrain.chart().map().find(&name.to_ascii_uppercase()).is_some() && self.has_board {
            return refuse(format!("`{}` is a place of the board; give the {of} another {key}", **name));
        }
        Some(name.to_string())
    }

    /// The name of the entry's dice, which no other entry has.
    fn dice(&self, file: &EntryFile, index: usize, ids: &[&str]) -> Option<String> {
        let Some(dice) = &file.dice else { return Some(ids[index].to_owned()) };
        if dice.is_empty() || !dice.bytes().all(is_of_names) {
            let message = "`dice` must consist of lower-case letters, digits and `-`";
            return self.form.refuse(dice.span(), message);
        }
        Some(dice.to_string())
    }

    /// Refuses dice that two entries share, and second entries of what a variant can have once.
    pub(super) fn only_one_of_each(&self, file: &ChangesFile, read: &[Option<Entry>]) {
        let drawing = |entry: &Entry| match &entry.deed {
            Deed::Faces(change) => change.is_drawn(),
            Deed::Mark(_) => true,
            Deed::Quake(_) => false,
        };
        for (i, entry) in read.iter().enumerate() {
            let Some(entry) = entry else { continue };
            let form = &file.entries[i];
            let earlier = || read[..i].iter().flatten();
            if drawing(entry) {
                let span = form.dice.as_ref().map_or(form.id.span(), Placed::span);
                if [CARDS, HALVES].contains(&entry.dice.as_str()) {
                    self.form
                        .fault(span, format!("`{}` are the dice of splits; write another name", entry.dice));
                } else if let Some(other) = earlier().find(|other| drawing(other) && other.dice == entry.dice)
                {
                    let message =
                        format!("the dice `{}` are those of `{}`; write another name", entry.dice, other.id);
                    self.form.fault(span, message);
                }
            }
            let second = |what: &str, is: &dyn Fn(&Entry) -> bool| {
                if let Some(other) = earlier().find(|other| is(other)).filter(|_| is(entry)) {
                    let message = format!("only one entry can {what}, and `{}` does", other.id);
                    self.form.fault(form.id.span(), message);
                }
            };
            second("be a mark", &|entry| matches!(entry.deed, Deed::Mark(_)));
            if let Some(order) = vote_of(entry) {
                let others = earlier().filter_map(vote_of);
                let (votes, equal) =
                    others.fold((0, false), |(n, equal), other| (n + 1, equal || other == order));
                let span = form.order.as_ref().map_or(form.id.span(), Placed::span);
                if equal {
                    let message = format!("votes of two entries begin with `{order}`; write another `order`");
                    self.form.fault(span, message);
                } else if votes >= MOST_POLLS {
                    self.form.fault(form.id.span(), format!("a file has at most {MOST_POLLS} votes"));
                }
            }
            second("be a quake", &|entry| matches!(entry.deed, Deed::Quake(_)));
        }
    }

    /// Refuses the keys that an entry of this sort does not have.
    fn has_only(&self, file: &EntryFile, sort: &str, keys: &[&[&str]]) -> bool {
        let faults = self.form.faults();
        for (key, span) in file.present() {
            if keys.iter().any(|keys| keys.contains(&key)) {
                continue;
            }
            let known = keys.concat().join(", ");
            self.form.fault(span, format!("`{key}` does not go with {sort}; keys that do: {known}"));
        }
        self.form.faults() == faults
    }

    /// The entry decides by itself who decides; a key may say the same.
    fn is_by(&self, by: Option<&Placed<By>>, sort: &str, right: By) -> bool {
        match by {
            Some(by) if **by != right => {
                let message = format!("{sort} is decided by `{}`, not by `{}`", right.name(), by.name());
                self.form.refuse::<()>(by.span(), message).is_some()
            }
            _ => true,
        }
    }

    fn mark(&self, file: &EntryFile) -> Option<Deed> {
        let sound =
            self.has_only(file, "a mark, for which each power names one of its home centres", OF_MARK);
        let sound = self.is_by(file.by.as_ref(), "a mark", By::Choice) && sound;
        let mark = Mark {
            unnamed: file.unnamed.as_deref().copied().unwrap_or(Unnamed::Nature),
            again: file.again.as_deref().copied().unwrap_or(Again::Never),
            lasts: self.mark_lasts(file)?,
            told: file.told.as_deref().copied().unwrap_or(Told::Owner),
        };
        sound.then_some(Deed::Mark(mark))
    }

    /// How long a mark by choice lasts.
    fn mark_lasts(&self, file: &EntryFile) -> Option<Lasts> {
        let Some(lasts) = &file.lasts else { return Some(Lasts::Ever) };
        let known =
            Lasts::NAMES.iter().position(|name| *name == lasts.as_str()).map(|index| Lasts::ALL[index]);
        known.or_else(|| {
            let message = format!("a mark by choice lasts {}, not `{}`", Lasts::NAMES.join(" or "), **lasts);
            self.form.refuse(lasts.span(), message)
        })
    }

    fn quakes(&self, file: &EntryFile, names: &Names<'_>) -> Option<Deed> {
        let sound = self.has_only(file, "a quake", OF_QUAKE);
        let of = file.of.as_ref().map(|of| self.in_text(of, |text| set::parse_borders(text, names)));
        let sound = self.is_by(file.by.as_ref(), "a quake", By::Orders) && sound;
        let stranded = file.stranded.as_deref().copied().unwrap_or(Stranded::Destroy);
        let of = match of {
            Some(read) => Some(read?),
            None => None,
        };
        let quakes = Quakes { of, period: self.period(file)?, stranded };
        sound.then_some(Deed::Quake(quakes))
    }

    fn faces(&self, file: &EntryFile, verbs: Verbs, names: &Names<'_>) -> Option<Deed> {
        let (sort, keys) = match (&file.schedule, file.by.as_deref()) {
            (Some(_), _) => ("a schedule", OF_SCHEDULE),
            (None, Some(By::All)) => ("`by = \"all\"`", OF_ALL),
            (None, Some(By::Vote)) => ("a vote", OF_VOTE),
            (None, Some(By::Most | By::Least)) => ("places that a measure chooses", OF_RANKED),
            (None, _) => ("places that nature draws", OF_DRAWN),
        };
        let sound = self.has_only(file, sort, keys);
        let which = self.which(file, &verbs, names);
        let at = file.at.as_deref().copied().unwrap_or(Point::End);
        let period = match at {
            Point::Start => self.before_start(file),
            Point::BeforeRetreats | Point::End => self.period(file),
        };
        let owner = self.owner(file, &verbs);
        let back_owner = self.rules(&format!("changes.{}.back_owner", *file.id), file.back_owner.as_ref());
        let (lasts, foretold) = (self.lasts(file), self.foretold(file));
        let ends = self.ends(file, &verbs, which.as_ref());
        let is_mark = verbs.has(Verb::Mark);
        let change = FaceChange {
            which: which?,
            period: period?,
            owner: owner?,
            back_owner: back_owner?.unwrap_or_else(|| vec![OwnerRule::Nobody]),
            lasts: lasts?,
            ends: ends?,
            home: file.home.as_deref().copied().unwrap_or(HomeRule::None),
            centre: file.centre.as_deref().copied().unwrap_or(CentreFate::Asleep),
            back_units: file.back_units.as_deref().copied().unwrap_or(Fate::Destroy),
            at,
            foretold: foretold?,
            units: file.units.as_deref().copied().unwrap_or(if is_mark { Fate::Stay } else { Fate::Destroy }),
            entering: file.entering.as_deref().copied().unwrap_or(Entering::AsUsual),
            stranded: file.stranded.as_deref().copied().unwrap_or(Stranded::Destroy),
            verbs,
        };
        (sound && self.goes_together(file, &change)).then(|| Deed::Faces(Box::new(change)))
    }

    /// What the names in a set may mean.
    pub(super) fn names<'n>(
        &'n self,
        ids: &'n [&'n str],
        groups: &'n Groups,
        entry: Option<usize>,
    ) -> Names<'n> {
        let terrain = self.terrain;
        Names { map: terrain.chart().map(), powers: terrain.power_names(), ids, groups, entry }
    }

    /// The set with this text.
    pub(super) fn set(&self, text: &Placed<String>, names: &Names<'_>) -> Option<Set> {
        self.in_text(text, |text| set::parse(text, names))
    }

    /// What this text says. Its faults have their places within it, if it is written without escapes.
    fn in_text<T>(
        &self,
        text: &Placed<String>,
        parse: impl Fn(&str) -> Result<T, Vec<SetFault>>,
    ) -> Option<T> {
        let span = text.span();
        if !self.form.is_sound(&span) {
            return None;
        }
        let is_plain = span.len() == text.len() + 2;
        match parse(text) {
            Ok(value) => Some(value),
            Err(faults) => {
                for fault in faults.into_iter().filter(|fault| self.has_board || !fault.is_name) {
                    let start = span.start + 1 + fault.at.start;
                    let at = if is_plain { start..start + fault.at.len().max(1) } else { span.clone() };
                    self.form.fault(at, fault.message);
                }
                None
            }
        }
    }

    pub(super) fn places(&self, names: &[Placed<String>]) -> Option<Places> {
        let map = self.terrain.chart().map();
        let mut found = ProvinceSet::EMPTY;
        let mut codes = Vec::new();
        for name in names {
            let code = name.to_ascii_uppercase();
            match map.find(&code).filter(|id| set::faces(map).contains(*id)) {
                Some(id) => {
                    found.insert(id);
                    codes.push(code);
                }
                None if self.has_board => {
                    self.form.fault(name.span(), format!("`{}` is not a province of the board", **name));
                }
                None => {}
            }
        }
        (codes.len() == names.len()).then(|| Places::new(codes, found, map))
    }

    fn owner(&self, file: &EntryFile, verbs: &Verbs) -> Option<Vec<OwnerRule>> {
        if let Some(owner) = &file.owner
            && !verbs.has(Verb::Found)
            && !verbs.has(Verb::Restore)
        {
            let message = "only `found` and `restore` give a centre an `owner`";
            return self.form.refuse(owner.span(), message);
        }
        let usual = if verbs.has(Verb::Found) { OwnerRule::Occupant } else { OwnerRule::Nobody };
        let rules = self.rules(&format!("changes.{}.owner", *file.id), file.owner.as_ref())?;
        Some(rules.unwrap_or_else(|| vec![usual]))
    }

    /// The rules for owners in the value of a key, if the file has it.
    fn rules(&self, key: &str, owner: Option<&Placed<Open>>) -> Option<Option<Vec<OwnerRule>>> {
        let Some(owner) = owner else { return Some(None) };
        let rules = match &**owner {
            Open::List(list) => {
                let rules = list.iter().map(|value| self.word(key, value, &OwnerRule::ALL, OwnerRule::NAMES));
                // All are read, so that each fault is found.
                let rules: Vec<Option<OwnerRule>> = rules.collect();
                rules.into_iter().collect::<Option<Vec<_>>>()?
            }
            _ => vec![self.word(key, owner, &OwnerRule::ALL, OwnerRule::NAMES)?],
        };
        match rules.is_empty() {
            true => {
                let key = key.rsplit('.').next().unwrap_or(key);
                self.form.refuse(owner.span(), format!("`{key}` is empty; write a word, or a list of words"))
            }
            false => Some(Some(rules)),
        }
    }

    /// A value as one of these, of which `known` are the words.
    fn word<T: Copy>(&self, key: &str, value: &Placed<Open>, all: &[T], known: &[&'static str]) -> Option<T> {
        let text = match &**value {
            Open::Single(toml::Value::String(text)) => text.as_str(),
            other => {
                let message = format!("`{key}` must be a word ({}), not {other}", known.join(", "));
                return self.form.refuse(value.span(), message);
            }
        };
        let meant = known.iter().position(|word| *word == text).map(|index| all[index]);
        meant.or_else(|| {
            let message = match text {
                "wall" | "link" if known == Verb::NAMES => {
                    format!("`{text}` is not among the changes yet; known: {}", known.join(", "))
                }
                _ => format!("unknown word `{text}` for `{key}`; {}", suggest(text, known.iter().copied())),
            };
            self.form.refuse(value.span(), message)
        })
    }

    fn verbs(&self, file: &EntryFile) -> Option<Verbs> {
        let (change, key) = (&file.change, format!("changes.{}.change", *file.id));
        let Open::Table(table) = &**change else {
            return self.word(&key, change, &Verb::ALL, Verb::NAMES).map(Verbs::One);
        };
        let mut verbs: BTreeMap<State, Verb> = BTreeMap::new();
        let mut is_sound = true;
        for (name, value) in table.iter() {
            let Some(state) = State::ALL.into_iter().find(|state| state.name() == name.as_str()) else {
                let known = suggest(name, State::NAMES.iter().copied());
                self.form.fault(name.span(), format!("`{}` is not a state of a place; {known}", **name));
                is_sound = false;
                continue;
            };
            let key = format!("{key}.{}", **name);
            let Some(verb) = self.word(&key, value, &Verb::ALL, Verb::NAMES) else {
                is_sound = false;
                continue;
            };
            let word = verb.name();
            let has_own =
                matches!(verb, Verb::Dig | Verb::Split | Verb::Found | Verb::Ruin | Verb::Mark | Verb::Quake);
            let fault = if has_own {
                let message = "cannot be combined with other verbs; give it an entry of its own";
                Some((value.span(), format!("`{word}` {message}")))
            } else if state.kinds().and(verb.kinds()).is_none() {
                Some((value.span(), format!("`{word}` acts on {}, not on `{}`", verb.kinds(), **name)))
            } else if verbs.keys().any(|other| !other.kinds().and(state.kinds()).is_none()) {
                Some((name.span(), format!("`{}` overlaps with another state of the table", **name)))
            } else {
                None
            };
            if let Some((at, message)) = fault {
                self.form.fault(at, message);
                is_sound = false;
            }
            verbs.insert(state, verb);
        }
        if verbs.is_empty() && is_sound {
            return self.form.refuse(change.span(), "`change` is empty; write a verb, such as \"collapse\"");
        }
        is_sound.then_some(Verbs::ByState(verbs))
    }
}

/// May the byte be in the name of an entry or of dice?
const fn is_of_names(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-')
}
