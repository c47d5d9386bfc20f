//! Sets and entries drawn at random, as text. Entries are sound by construction.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use upheaval::ids::ProvinceId;
use upheaval::rng::Stream;
use upheaval::rules::changes::{Holding, OwnerRule, Word};
use upheaval::topology::{FaceKind, NamedMap, Waterway};

/// One of a list.
pub(super) fn one<T: Clone>(dice: &mut Stream, of: &[T]) -> T {
    dice.choose(of).expect("not empty").clone()
}

/// The terms that a set may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Terms {
    /// All of the grammar.
    All,
    /// Those that depend on the map and on what has changed.
    OfMap,
}

/// What a set may name.
#[derive(Clone, Copy)]
pub(crate) struct Names<'a> {
    pub codes: &'a [String],
    pub ids: &'a [String],
    /// `new(…)` names one of this many first ids.
    pub earlier: usize,
    pub groups: &'a [String],
    /// The powers, as a set may write them.
    pub powers: &'a [String],
    pub terms: Terms,
}

/// Words that depend on units.
const OF_UNITS: [&str; 1] = ["occupied"];

/// A power, or a word for powers.
fn who(dice: &mut Stream, words: &[&str], powers: &[String]) -> String {
    match dice.below(3) {
        0 if !powers.is_empty() => one(dice, powers),
        _ => one(dice, words).to_owned(),
    }
}

/// A set of the grammar, and whether it is joined by an operator.
pub(crate) fn set(dice: &mut Stream, names: &Names<'_>, depth: u32) -> (String, bool) {
    let Names { codes, ids, earlier, groups, powers, terms } = *names;
    let inner = |dice: &mut Stream| set(dice, names, depth - 1);
    match dice.below(if depth == 0 { 6 } else { 13 }) {
        0 | 1 => match one(dice, Word::NAMES) {
            word if terms == Terms::OfMap && OF_UNITS.contains(&word) => ("coastal".to_owned(), false),
            word => (word.to_owned(), false),
        },
        2 => (one(dice, codes), false),
        3 if ids.is_empty() => ("holed".to_owned(), false),
        3 if earlier > 0 && dice.below(2) == 0 => (format!("new({})", one(dice, &ids[..earlier])), false),
        3 if earlier > 0 && dice.below(3) == 0 => (format!("last({})", one(dice, ids)), false),
        3 => (one(dice, ids), false),
        4 if terms == Terms::OfMap => {
            let who = who(dice, &["any", "nobody"], powers);
            (format!("{}({who})", one(dice, &["home", "country"])), false)
        }
        4 if dice.below(3) == 0 => (format!("idle({})", 1 + dice.below(2)), false),
        4 => {
            let who = who(dice, &["any", "nobody", "out", "leader"], powers);
            (format!("{}({who})", one(dice, Holding::NAMES)), false)
        }
        5 if groups.is_empty() => ("provinces".to_owned(), false),
        5 => (one(dice, groups), false),
        6 | 7 => (format!("under({})", inner(dice).0), false),
        8 => (format!("near({})", inner(dice).0), false),
        9 => (format!("within({}, {})", 1 + dice.below(3), inner(dice).0), false),
        10 => (format!("( {})", inner(dice).0), false),
        _ => {
            let terms = (0..2 + dice.below(3)).map(|_| match inner(dice) {
                (text, true) => format!("({text})"),
                (text, false) => text,
            });
            let terms: Vec<String> = terms.collect();
            (terms.join(one(dice, &[" | ", " & ", "  - "])), true)
        }
    }
}

/// The codes of the faces of these kinds.
pub(crate) fn codes(chart: &NamedMap, kinds: &[FaceKind]) -> Vec<String> {
    let faces = chart.map().faces().filter(|(_, face)| kinds.contains(&face.kind()));
    faces.map(|(_, face)| face.name().to_owned()).collect()
}

/// The lands without waterways that lie on two seas, each with two of them.
pub(super) fn shores(chart: &NamedMap) -> Vec<(String, [String; 2])> {
    let map = chart.map();
    let is_sea = |id: &ProvinceId| map.face(*id).is_some_and(|face| face.kind() == FaceKind::Sea);
    let of = |land: &String| {
        let across = map.sides_of(map.find(land)?).map(|side| map.across(side)).filter(is_sea);
        let mut seas: Vec<String> = across.map(|sea| map.name(sea).to_owned()).collect();
        seas.sort_unstable();
        seas.dedup();
        let [one, .., other] = &seas[..] else { return None };
        Some((land.clone(), [one.clone(), other.clone()]))
    };
    let lies_on = |waterway: &Waterway, land: ProvinceId| match waterway {
        Waterway::Canal { province, .. } | Waterway::Passage { province, .. } => *province == land,
        Waterway::Strait { provinces, .. } => provinces.contains(&land),
    };
    let has_none = |land: &&String| {
        map.find(land).is_some_and(|land| !map.waterways().any(|waterway| lies_on(waterway, land)))
    };
    codes(chart, &[FaceKind::Land]).iter().filter(has_none).filter_map(of).collect()
}

/// Entries while they are drawn.
struct Entries<'a> {
    dice: &'a mut Stream,
    text: String,
    count: usize,
    /// The ids that sets may name.
    ids: Vec<String>,
    codes: Vec<String>,
    groups: Vec<String>,
    powers: Vec<String>,
    terms: Terms,
    /// Lands, lands without a centre, and seas that no schedule lists yet.
    lands: Vec<String>,
    plain: Vec<String>,
    seas: Vec<String>,
    /// Lands with two seas on which they lie, and the ids of the entries that dig canals.
    shores: Vec<(String, [String; 2])>,
    canals: Vec<String>,
    /// May seas freeze? Provinces then include ice.
    freezes: bool,
    /// Is the first entry a mark by choice, which nothing that powers choose may name?
    spares: bool,
}

const EARLY: [&str; 3] = ["spring", "fall", "spring-and-fall"];
const WINTERS: [&str; 4] = ["winter", "spring-and-winter", "fall-and-winter", "all"];

/// The lands with the most lands around them.
const MOST_INLAND: &str = "by = \"most\"\nmeasure = \"land\"\n";

/// The end of what lasts until a date.
const UNTIL: &str = "until F1905";

/// The point of the season at which an entry acts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// Before the retreats.
    Early,
    /// At the end.
    Late,
}

/// What an entry of one or more verbs may have.
struct Verbs {
    change: &'static str,
    /// May units be unable to stay?
    forces_out: bool,
    /// May units become others?
    converts: bool,
    gives_owner: bool,
    /// Can all that they change end?
    ends: bool,
    /// Are the places that they change of one property?
    has_places: bool,
}

/// An entry of which the most frequent values are so.
const fn verbs(change: &'static str) -> Verbs {
    Verbs { change, forces_out: true, converts: false, gives_owner: false, ends: true, has_places: true }
}

const COLLAPSE: Verbs = verbs("\"collapse\"");
const VOID: Verbs = verbs("\"void\"");
const RESTORE: Verbs = Verbs { converts: true, gives_owner: true, ..verbs("\"restore\"") };
const DIG: Verbs = Verbs { forces_out: false, ..verbs("\"dig\"") };
const FILL: Verbs = Verbs { has_places: false, ends: false, ..RESTORE };
const RESTORE_BOTH: Verbs = Verbs { has_places: false, ends: false, ..RESTORE };
const TOGGLES: [Verbs; 2] = [
    Verbs { converts: true, gives_owner: true, ..verbs("{ open = \"collapse\", hole = \"restore\" }") },
    Verbs { converts: true, gives_owner: true, ..verbs("{ open = \"void\", hole = \"restore\" }") },
];
const SUBMERGE: Verbs = Verbs { converts: true, ..verbs("\"submerge\"") };
const RAISE: Verbs = Verbs { forces_out: false, ..verbs("\"raise\"") };
const FREEZE: Verbs = Verbs { converts: true, ..verbs("\"freeze\"") };
const SWAP: Verbs = Verbs { converts: true, ..verbs("{ land = \"submerge\", sea = \"raise\" }") };
const OPEN: Verbs = Verbs { forces_out: false, ends: false, ..verbs("\"open\"") };
const SINK_OR_OPEN: Verbs =
    Verbs { converts: true, ends: false, ..verbs("{ land = \"submerge\", impassable = \"open\" }") };
const MIXED: [Verbs; 2] = [
    Verbs {
        converts: true,
        gives_owner: true,
        ends: false,
        has_places: false,
        ..verbs("{ land = \"submerge\", hole = \"restore\" }")
    },
    Verbs {
        converts: true,
        gives_owner: true,
        ends: false,
        has_places: false,
        ..verbs("{ sea = \"freeze\", ice = \"restore\" }")
    },
];
const SPLIT: Verbs = Verbs { forces_out: false, ends: false, ..verbs("\"split\"") };
const FOUND: Verbs = Verbs { forces_out: false, gives_owner: true, ..verbs("\"found\"") };
const RUIN: Verbs = Verbs { forces_out: false, ..verbs("\"ruin\"") };
const MARK: Verbs = verbs("\"mark\"");

/// The entries of a file on this board, and the sections that belong to them.
pub(super) fn entries(dice: &mut Stream, chart: &NamedMap, terms: Terms) -> String {
    let all = codes(chart, &[FaceKind::Land, FaceKind::Sea, FaceKind::Impassable]);
    let [mut lands, mut seas] = [FaceKind::Land, FaceKind::Sea].map(|kind| codes(chart, &[kind]));
    dice.shuffle(&mut lands);
    dice.shuffle(&mut seas);
    let has_centre = |code: &String| {
        let info = chart.map().find(code).and_then(|id| chart.info(id));
        info.is_some_and(|info| info.supply_centre)
    };
    let (lands, plain) = lands.into_iter().partition(has_centre);
    let names: Vec<String> = chart.power_names().infos().iter().map(|info| info.name.clone()).collect();
    let groups = ["g-list", "g-near", "g-any"].map(str::to_owned).to_vec();
    let freezes = dice.below(2) == 0;
    let (ids, text) = (Vec::new(), String::new());
    let mut all = Entries {
        dice,
        text,
        count: 0,
        ids,
        codes: all,
        groups,
        powers: [names[0].to_lowercase(), names[names.len() - 1].clone()].to_vec(),
        terms,
        lands,
        plain,
        seas,
        shores: shores(chart),
        canals: Vec::new(),
        freezes,
        spares: false,
    };
    if all.dice.below(2) == 0 {
        all.spares = true;
        let [unnamed, again] = [one(all.dice, &["nature", "none"]), one(all.dice, &["never", "last-home"])];
        let [lasts, told] =
            [one(all.dice, &["ever", "until-eliminated"]), one(all.dice, &["owner", "on-request"])];
        let keys =
            format!("unnamed = \"{unnamed}\"\nagain = \"{again}\"\nlasts = \"{lasts}\"\ntold = \"{told}\"\n");
        all.entry("\"mark\"", &keys, true);
    }
    for _ in 0..3 + all.dice.below(5) {
        all.any();
    }
    if all.dice.below(4) == 0 {
        let keys = all.borders() + &all.stranded();
        all.entry("\"quake\"", &keys, false);
        all.text += "[waterways]\nrule = \"isthmuses\"\n";
    }
    all.groups();
    let of_first =
        all.codes.iter().step_by(20).map(|code| format!("{code:?}")).collect::<Vec<_>>().join(", ");
    let of_last = &all.codes[1..3];
    let _ = write!(
        all.text,
        "[countries]\n{} = [{of_first}]\n{} = {of_last:?}\n",
        names[0],
        names[names.len() - 1]
    );
    all.text
}

impl Entries<'_> {
    fn entry(&mut self, change: &str, keys: &str, has_places: bool) {
        let id = format!("e{}", self.count);
        let _ = write!(self.text, "[[changes]]\nid = \"{id}\"\nchange = {change}\n{keys}\n");
        self.count += 1;
        if has_places {
            self.ids.push(id);
        }
    }

    /// The groups that sets name.
    fn groups(&mut self) {
        let list: Vec<String> = (0..3).map(|_| format!("{:?}", one(self.dice, &self.codes))).collect();
        let Entries { dice, codes, ids, groups, powers, terms, .. } = self;
        let names = Names { codes, ids, earlier: 0, groups: &groups[..2], powers, terms: *terms };
        let (any, _) = set(dice, &names, 2);
        let _ = write!(
            self.text,
            "[groups]\ng-list = [{}]\ng-near = \"g-list | (near(g-list) & sea)\"\ng-any = \"{any}\"\n",
            list.join(", ")
        );
    }

    fn stranded(&mut self) -> String {
        let fates = ["destroy", "trap", "trap-or-disband", "convert", "convert-or-disband"];
        format!("stranded = \"{}\"\n", one(self.dice, &fates))
    }

    /// A set all of whose faces are of the kinds of this word, as text that an operator may follow.
    fn within(&mut self, word: &str) -> String {
        match self.dice.below(5) {
            0 | 1 => word.to_owned(),
            2 if !self.ids.is_empty() => format!("({word} - {})", one(self.dice, &self.ids)),
            _ => {
                let Entries { dice, codes, ids, groups, powers, terms, .. } = self;
                let names = Names { codes, ids, earlier: ids.len(), groups, powers, terms: *terms };
                format!("(({}) & {word})", set(dice, &names, 2).0)
            }
        }
    }

    fn of(&mut self, word: &str) -> String {
        format!("of = \"{}\"\n", self.within(word))
    }

    /// The borders of quakes.
    fn borders(&mut self) -> String {
        if self.dice.below(3) == 0 {
            return String::new();
        }
        let Entries { dice, codes, ids, groups, powers, terms, spares, .. } = self;
        let ids = &ids[usize::from(*spares)..];
        let names = Names { codes, ids, earlier: 0, groups: &groups[..2], powers, terms: *terms };
        let [one, other] = [(); 2].map(|()| match dice.below(3) {
            0 => ("all".to_owned(), false),
            _ => set(dice, &names, 2),
        });
        format!("of = \"borders({}, {})\"\n", one.0, other.0)
    }

    /// Open land and sea.
    fn ground(&self) -> &'static str {
        if self.freezes { "(land | sea)" } else { "provinces" }
    }

    fn period(&mut self, seasons: &[&str]) -> String {
        let mut text = format!("seasons = \"{}\"\n", one(self.dice, seasons));
        let from = one(self.dice, &["", "1902", "\"S1901\"", "\"F1902\"", "\"W1901\""]);
        if !from.is_empty() {
            let _ = writeln!(text, "from = {from}");
        }
        let _ = writeln!(text, "{}", one(self.dice, &["", "", "until = 1906", "until = \"F1907\""]));
        text + one(self.dice, &["", "every = 1\n", "every = 2\n", "every = 3\n"])
    }

    /// The point of the season and the seasons.
    fn at(&mut self) -> (String, At) {
        match self.dice.below(5) {
            0 | 1 => (self.period(&EARLY) + "at = \"before-retreats\"\n", At::Early),
            _ => (self.period(&[&EARLY[..], &WINTERS[..]].concat()), At::Late),
        }
    }

    /// The fates of units, how long the changes last, and the owners of centres.
    fn fates(&mut self, verbs: &Verbs, at: At) -> String {
        let mut keys = self.stranded();
        let opens = verbs.change.contains("collapse") || verbs.change.contains("void");
        let mut units = vec!["destroy"];
        if at == At::Early {
            units.push("retreat");
        }
        if at == At::Early && opens {
            units.extend(["swallow", "choose"]);
        }
        if verbs.converts {
            units.extend(["convert", "convert-or-disband"]);
        }
        if verbs.change.contains("freeze") {
            units.extend(["trap", "trap-or-disband"]);
        }
        if verbs.change.contains("mark") {
            units.push("stay");
        }
        if verbs.forces_out && self.dice.below(2) == 0 {
            let _ = writeln!(keys, "units = \"{}\"", one(self.dice, &units));
        }
        if at == At::Early && opens && self.dice.below(2) == 0 {
            let _ = writeln!(keys, "entering = \"{}\"", one(self.dice, &["as-usual", "destroy", "swallow"]));
        }
        if (opens || verbs.change.contains("freeze")) && self.dice.below(3) == 0 {
            keys += "centre = \"lost\"\n";
        }
        if verbs.gives_owner && self.dice.below(3) > 0 {
            keys += &self.owner("owner");
        }
        if verbs.change.contains("found") {
            let _ = writeln!(keys, "home = \"{}\"", one(self.dice, &["none", "country", "owner"]));
        }
        if verbs.ends && self.dice.below(2) == 0 {
            keys += &self.lasts(at);
        }
        keys
    }

    fn lasts(&mut self, at: At) -> String {
        let spans = ["1 season", "2 seasons", "3 seasons", "1 year", "2 years", UNTIL];
        let lasts = one(self.dice, &spans);
        let mut units = vec!["destroy", "convert", "trap", "convert-or-disband"];
        if lasts.contains("season") || lasts.contains("year") && at == At::Early {
            units.push("retreat");
        }
        let mut keys = format!("lasts = \"{lasts}\"\n");
        if self.dice.below(2) == 0 {
            let _ = writeln!(keys, "back_units = \"{}\"", one(self.dice, &units));
        }
        if self.dice.below(2) == 0 {
            keys += &self.owner("back_owner");
        }
        keys
    }

    fn owner(&mut self, key: &str) -> String {
        let words: Vec<String> =
            (0..=self.dice.below(3)).map(|_| format!("{:?}", one(self.dice, OwnerRule::NAMES))).collect();
        if words.len() == 1 {
            format!("{key} = {}\n", words[0])
        } else {
            format!("{key} = [{}]\n", words.join(", "))
        }
    }

    /// How many places nature draws, or that it draws none.
    fn count(&mut self) -> String {
        let changing: Vec<String> = self.ids.iter().filter(|id| *id != "e0").cloned().collect();
        let count = format!("count = {}\n", 1 + self.dice.below(3));
        match self.dice.below(8) {
            0 => "chance = \"1/12\"\n".to_owned(),
            1 => "chance = \"1/40\"\n".to_owned(),
            2 if !changing.is_empty() => format!("per = \"{}\"\n{count}", one(self.dice, &changing)),
            _ => count,
        }
    }

    /// How the powers vote.
    fn vote(&mut self) -> String {
        let votes = one(self.dice, &["one", "centres"]);
        let wins = one(self.dice, &["majority", "plurality"]);
        let order = format!("VOTE{}", char::from(b'A' + self.count as u8));
        let ties = match wins {
            "majority" => "",
            _ => one(self.dice, &["ties = \"nature\"\n", "ties = \"all\"\n", "ties = \"none\"\n"]),
        };
        format!("by = \"vote\"\norder = \"{order}\"\nvotes = \"{votes}\"\nwins = \"{wins}\"\n{ties}")
    }

    /// The places with the most or the least by a measure.
    fn measured(&mut self) -> String {
        let measure = match self.dice.below(4) {
            0 if self.terms == Terms::All => "owner-centres".to_owned(),
            1 => one(self.dice, &["sea", "land", "all", "holed", "centres"]).to_owned(),
            _ => {
                let Entries { dice, codes, ids, groups, powers, terms, .. } = self;
                let names = Names { codes, ids, earlier: ids.len(), groups, powers, terms: *terms };
                set(dice, &names, 1).0
            }
        };
        let by = one(self.dice, &["most", "least"]);
        let ties = one(self.dice, &["", "ties = \"nature\"\n", "ties = \"all\"\n", "ties = \"none\"\n"]);
        let count = 1 + self.dice.below(3);
        format!("by = \"{by}\"\nmeasure = \"{measure}\"\n{ties}count = {count}\n")
    }

    /// A drawn entry, one with a measure, or one that acts on all of its set.
    fn drawn(&mut self, verbs: &Verbs, of: &str) {
        let (mut at, point) = self.at();
        let mut who = match self.dice.below(5) {
            0 => "by = \"all\"\n".to_owned(),
            1 => self.measured(),
            _ => self.count(),
        };
        if !who.starts_with("by = \"all\"") && !who.contains("per =") && self.dice.below(3) == 0 {
            let ahead = one(self.dice, &["1 season", "2 seasons", "3 seasons", "1 year"]);
            let _ = writeln!(who, "foretold = \"{ahead}\"");
        }
        let is_public = !self.spares || !of.contains("e0") && !of.contains("g-any");
        if is_public && !at.contains("inter") && !at.contains("\"all\"") && self.dice.below(6) == 0 {
            who = self.vote();
        }
        let fates = self.fates(verbs, point);
        // What lasts until a date is not made after it.
        if fates.contains(UNTIL) {
            at = at
                .lines()
                .filter(|line| !["until", "every"].iter().any(|key| line.starts_with(key)))
                .fold(String::new(), |all, line| all + line + "\n");
            at += "until = 1904\n";
        }
        let keys = of.to_owned() + &at + &who + &fates;
        self.entry(verbs.change, &keys, verbs.has_places);
    }

    fn any(&mut self) {
        match self.dice.below(22) {
            0..3 => {
                let verbs = if self.dice.below(2) == 0 { &COLLAPSE } else { &VOID };
                let of = self.of("provinces");
                if self.dice.below(4) > 0 {
                    return self.drawn(verbs, &of);
                }
                let who = match self.dice.below(3) {
                    0 => self.measured(),
                    _ => "count = 2\n".to_owned(),
                };
                let keys = self.period(&EARLY) + "foretold = \"before-retreats\"\n" + &who;
                let keys = of + &keys + &self.fates(verbs, At::Late).replace(UNTIL, "1 season");
                self.entry(verbs.change, &keys, true);
            }
            3..5 => {
                let of = self.of("holed");
                self.drawn(&RESTORE, &of);
            }
            5..7 => {
                let but_one = format!("provinces - {}", self.codes[0]);
                let sets = ["provinces", "land", "sea", "centres", "land & centres", &but_one];
                let set = one(self.dice, &sets);
                let verbs = one(self.dice, &[0, 1]);
                self.drawn(&TOGGLES[verbs], &format!("of = \"({set}) | under({set})\"\n"));
            }
            7 => {
                let of = self.of(self.ground());
                let keys = of + &self.period(&[&EARLY[..], &WINTERS[..]].concat());
                let keys = keys + one(self.dice, &["count = 2\n", "chance = \"1/40\"\n", MOST_INLAND]);
                let stranded = self.stranded();
                self.entry(SPLIT.change, &(keys + &stranded), true);
            }
            8 => {
                let of = self.of("land");
                self.drawn(&SUBMERGE, &of);
            }
            9 => {
                let of = self.of("sea");
                self.drawn(&RAISE, &of);
            }
            10 => match self.dice.below(5) {
                0 | 1 => self.drawn(&OPEN, "of = \"impassable\"\n"),
                2 => self.drawn(&SINK_OR_OPEN, "of = \"land | impassable\"\n"),
                3 => self.drawn(&SWAP, "of = \"(land & near(sea)) | (sea & near(land))\"\n"),
                _ => self.drawn(&MIXED[0], "of = \"land | holed\"\n"),
            },
            11 | 12 if self.freezes => {
                let of = self.of("sea");
                self.drawn(&FREEZE, &of);
            }
            13 if self.freezes => match self.dice.below(3) {
                0 => self.drawn(&MIXED[1], "of = \"sea | ice\"\n"),
                1 => self.drawn(&RESTORE_BOTH, "of = \"ice | holed\"\n"),
                _ => {
                    let of = self.of("ice");
                    self.drawn(&RESTORE, &of);
                }
            },
            11..14 => {
                let of = self.of("sea");
                self.drawn(&RAISE, &of);
            }
            14 => {
                let but_one = format!("inland - {}", self.codes[0]);
                let sets = ["land", "land - centres", "coastal", &but_one, "near(sea) & land"];
                let of = format!("of = \"{}\"\n", one(self.dice, &sets));
                self.drawn(&FOUND, &of);
            }
            15 => {
                let but_one = format!("centres - {}", self.codes[0]);
                let sets = ["centres", "centres & land", &but_one, "near(sea) & centres"];
                let of = format!("of = \"{}\"\n", one(self.dice, &sets));
                self.drawn(&RUIN, &of);
            }
            16 | 17 => {
                let of = self.of("all");
                self.drawn(&MARK, &of);
            }
            18 if self.canals.is_empty() => self.dig(),
            18 => {
                let of = format!("of = \"{}\"\n", one(self.dice, &self.canals));
                self.drawn(&FILL, &of);
            }
            19 => self.dig(),
            _ => self.schedule(),
        }
    }

    /// Canals through some lands.
    fn dig(&mut self) {
        let picked: Vec<(String, [String; 2])> = (0..4).map(|_| one(self.dice, &self.shores)).collect();
        let ends: BTreeMap<String, [String; 2]> = picked.into_iter().collect();
        let names: Vec<&str> = ends.keys().map(String::as_str).collect();
        let table: Vec<String> = ends.iter().map(|(land, seas)| format!("{land} = {seas:?}")).collect();
        let of = format!("of = \"{}\"\nends = {{ {} }}\n", names.join(" | "), table.join(", "));
        self.canals.push(format!("e{}", self.count));
        self.drawn(&DIG, &of);
    }

    /// An entry with a schedule; of voids, a second one that restores them.
    fn schedule(&mut self) {
        let (Some(land), Some(plain), Some(sea)) = (self.lands.pop(), self.plain.pop(), self.seas.pop())
        else {
            return;
        };
        let year = 1901 + self.dice.below(3);
        let shift = one(self.dice, &["", "shift = -1\n", "shift = 2\n"]);
        let date = |season: &str, year: u32, places: &str| {
            let year =
                i64::from(year) - if shift.contains('-') { -1 } else { 2 * i64::from(shift.contains('2')) };
            format!("{shift}[changes.schedule]\n{season}{year} = [{places}]\n")
        };
        let [land, plain, sea] = [land, plain, sea].map(|name| format!("\"{name}\""));
        let season = one(self.dice, &["S", "F", "W"]);
        match self.dice.below(7) {
            0 => {
                let fates = self.fates(&SUBMERGE, At::Late);
                self.entry(
                    SUBMERGE.change,
                    &(fates + &date(season, year, &format!("{land}, {plain}"))),
                    true,
                );
            }
            1 => {
                let keys = "owner = [\"occupant\", \"last-occupant\", \"country\"]\n".to_owned();
                self.entry(FOUND.change, &(keys + &date("W", year, &plain)), true);
            }
            2 => {
                let fates = self.fates(&RUIN, At::Late);
                self.entry(RUIN.change, &(fates + &date(season, year, &land)), true);
            }
            3 => {
                let verbs = if self.freezes { &FREEZE } else { &RAISE };
                let fates = self.fates(verbs, At::Late).replace(UNTIL, "1 season");
                let every = one(self.dice, &["spring", "fall", "winter"]);
                let keys = format!("{fates}[changes.schedule]\n{every} = [{sea}]\n");
                self.entry(verbs.change, &keys, true);
            }
            4 => {
                let fates = self.fates(&MARK, At::Early) + "at = \"before-retreats\"\n";
                let season = one(self.dice, &["S", "F"]);
                self.entry(MARK.change, &(fates + &date(season, year, &format!("{land}, {sea}"))), true);
            }
            _ => {
                let hole =
                    "at = \"before-retreats\"\nunits = \"swallow\"\n".to_owned() + &date("F", year, &land);
                self.entry(VOID.change, &hole, true);
                let back = self.owner("owner") + &date(one(self.dice, &["S", "W"]), year + 1, &land);
                self.entry(RESTORE.change, &back, true);
            }
        }
    }
}
