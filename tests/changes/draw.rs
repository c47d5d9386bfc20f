//! Sets and entries drawn at random, as text. Entries are sound by construction.

use std::fmt::Write as _;

use upheaval::rng::Stream;
use upheaval::rules::changes::{OwnerRule, Word};
use upheaval::topology::{FaceKind, NamedMap};

/// One of a list.
pub(super) fn one<T: Clone>(dice: &mut Stream, of: &[T]) -> T {
    dice.choose(of).expect("not empty").clone()
}

/// A set of the grammar, and whether it is joined by an operator. `new(…)` names one of the first ids.
pub(super) fn set(
    dice: &mut Stream,
    codes: &[String],
    ids: &[String],
    earlier: usize,
    depth: u32,
) -> (String, bool) {
    let inner = |dice: &mut Stream| set(dice, codes, ids, earlier, depth - 1);
    match dice.below(if depth == 0 { 4 } else { 9 }) {
        0 | 1 => (one(dice, Word::NAMES).to_string(), false),
        2 => (one(dice, codes), false),
        3 if ids.is_empty() => ("holed".to_owned(), false),
        3 if earlier > 0 && dice.below(2) == 0 => (format!("new({})", one(dice, &ids[..earlier])), false),
        3 => (one(dice, ids), false),
        4 => (format!("under({})", inner(dice).0), false),
        5 => (format!("( {})", inner(dice).0), false),
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
pub(super) fn codes(chart: &NamedMap, kinds: &[FaceKind]) -> Vec<String> {
    let faces = chart.map().faces().filter(|(_, face)| kinds.contains(&face.kind()));
    faces.map(|(_, face)| face.name().to_owned()).collect()
}

/// Entries while they are drawn.
struct Entries<'a> {
    dice: &'a mut Stream,
    text: String,
    count: usize,
    /// The ids that sets may name.
    ids: Vec<String>,
    codes: Vec<String>,
    /// Lands, and lands without a centre, that no schedule lists yet.
    lands: Vec<String>,
    plain: Vec<String>,
    has_foretold: bool,
}

const EARLY: [&str; 3] = ["spring", "fall", "spring-and-fall"];
const WINTERS: [&str; 4] = ["winter", "spring-and-winter", "fall-and-winter", "all"];

/// The entries of a file on this board, and the sections that belong to them.
pub(super) fn entries(dice: &mut Stream, chart: &NamedMap) -> String {
    let all = codes(chart, &[FaceKind::Land, FaceKind::Sea, FaceKind::Impassable]);
    let mut lands = codes(chart, &[FaceKind::Land]);
    dice.shuffle(&mut lands);
    let has_centre = |code: &String| {
        let info = chart.map().find(code).and_then(|id| chart.info(id));
        info.is_some_and(|info| info.supply_centre)
    };
    let (lands, plain) = lands.into_iter().partition(has_centre);
    let (ids, text) = (Vec::new(), String::new());
    let mut all = Entries { dice, text, count: 0, ids, codes: all, lands, plain, has_foretold: false };
    if all.dice.below(2) == 0 {
        let [unnamed, again] = [one(all.dice, &["nature", "none"]), one(all.dice, &["never", "last-home"])];
        let [lasts, told] =
            [one(all.dice, &["ever", "until-eliminated"]), one(all.dice, &["owner", "on-request"])];
        let keys =
            format!("unnamed = \"{unnamed}\"\nagain = \"{again}\"\nlasts = \"{lasts}\"\ntold = \"{told}\"\n");
        all.entry("\"mark\"", &keys, true);
    }
    for _ in 0..3 + all.dice.below(4) {
        all.any();
    }
    if all.dice.below(4) == 0 {
        let stranded = all.stranded();
        all.entry("\"quake\"", &stranded, false);
        all.text += "[waterways]\nrule = \"isthmuses\"\n";
    }
    all.text += "[countries]\nFRANCE = [\"BUR\", \"PAR\", \"MAO\"]\nTURKEY = [\"SMY\", \"ARM\"]\n";
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

    fn stranded(&mut self) -> String {
        format!("stranded = \"{}\"\n", one(self.dice, &["destroy", "trap", "trap-or-disband"]))
    }

    /// A set all of whose faces are of the kinds of this word.
    fn of(&mut self, word: &str) -> String {
        let set = match self.dice.below(4) {
            0 | 1 => word.to_owned(),
            2 if !self.ids.is_empty() => format!("{word} - {}", one(self.dice, &self.ids)),
            _ => format!("({}) & {word}", set(self.dice, &self.codes, &self.ids, self.ids.len(), 2).0),
        };
        format!("of = \"{set}\"\n")
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

    /// The point of the season, the seasons, and the fate of units at holes.
    fn holes(&mut self) -> String {
        let stranded = self.stranded();
        let point = match self.dice.below(4) {
            0 if !self.has_foretold => {
                self.has_foretold = true;
                self.period(&EARLY) + "foretold = \"before-retreats\"\n"
            }
            1 | 2 => {
                let fates = ["", "units = \"swallow\"\n", "units = \"swallow\"\nentering = \"swallow\"\n"];
                self.period(&EARLY) + "at = \"before-retreats\"\n" + one(self.dice, &fates)
            }
            _ => self.period(&[EARLY, [WINTERS[0], WINTERS[1], WINTERS[3]]].concat()),
        };
        stranded + &point
    }

    /// The point of the season and the seasons of what makes no holes.
    fn at(&mut self) -> String {
        match self.dice.below(3) {
            0 => self.period(&EARLY) + "at = \"before-retreats\"\n",
            _ => self.period(&[&EARLY[..], &WINTERS[..]].concat()),
        }
    }

    fn owner(&mut self) -> String {
        let words: Vec<String> =
            (0..=self.dice.below(3)).map(|_| format!("{:?}", one(self.dice, OwnerRule::NAMES))).collect();
        if words.len() == 1 {
            format!("owner = {}\n", words[0])
        } else {
            format!("owner = [{}]\n", words.join(", "))
        }
    }

    fn count(&mut self) -> String {
        format!("count = {}\n", 1 + self.dice.below(3))
    }

    fn any(&mut self) {
        let count = self.count();
        match self.dice.below(12) {
            0..3 => {
                let change = one(self.dice, &["\"collapse\"", "\"void\""]);
                let keys = self.of("provinces") + &count + &self.holes();
                self.entry(change, &keys, true);
            }
            3..5 => {
                let mut keys = self.of("holed") + &self.at() + &self.owner();
                let changing: Vec<String> = self.ids.iter().filter(|id| *id != "e0").cloned().collect();
                match self.dice.below(3) {
                    0 => keys += "by = \"all\"\n",
                    1 if !changing.is_empty() => {
                        keys += &format!("per = \"{}\"\n{count}", one(self.dice, &changing));
                    }
                    _ => keys += &count,
                }
                self.entry("\"restore\"", &keys, true);
            }
            5..7 => {
                let set = one(
                    self.dice,
                    &["provinces", "land", "sea", "centres", "land & centres", "provinces - PAR"],
                );
                let verb = one(self.dice, &["collapse", "void"]);
                let at = self.at();
                let swallow =
                    if at.contains("before") { one(self.dice, &["", "units = \"swallow\"\n"]) } else { "" };
                let keys = format!("of = \"({set}) | under({set})\"\n{at}{swallow}{count}");
                let keys = keys + &self.owner();
                self.entry(&format!("{{ open = \"{verb}\", hole = \"restore\" }}"), &keys, true);
            }
            7 => {
                let keys = self.of("provinces") + &count + &self.period(&[&EARLY[..], &WINTERS[..]].concat());
                let stranded = self.stranded();
                self.entry("\"split\"", &(keys + &stranded), true);
            }
            8 => {
                let keys = self.of("land") + &self.at() + &self.stranded();
                self.entry("\"submerge\"", &keys, true);
            }
            9 => {
                let keys = "of = \"land | impassable\"\n".to_owned() + &self.at() + &count;
                self.entry("{ land = \"submerge\", impassable = \"open\" }", &keys, true);
            }
            // A set that names it would have to know by which of the two a place has changed.
            10 => {
                let keys = "of = \"land | holed\"\n".to_owned() + &self.at() + &count + &self.owner();
                self.entry("{ land = \"submerge\", hole = \"restore\" }", &keys, false);
            }
            _ => self.schedule(),
        }
    }

    /// An entry with a schedule; of voids, a second one that restores them.
    fn schedule(&mut self) {
        let (Some(land), Some(plain)) = (self.lands.pop(), self.plain.pop()) else { return };
        let year = 1901 + self.dice.below(3);
        let shift = one(self.dice, &["", "shift = -1\n", "shift = 2\n"]);
        let date = |season: &str, year: u32, places: &str| {
            let year =
                i64::from(year) - if shift.contains('-') { -1 } else { 2 * i64::from(shift.contains('2')) };
            format!("{shift}[changes.schedule]\n{season}{year} = [{places}]\n")
        };
        let (land, plain) = (format!("\"{land}\""), format!("\"{plain}\""));
        match self.dice.below(3) {
            0 => {
                let keys = self.stranded()
                    + &date(one(self.dice, &["S", "F", "W"]), year, &format!("{land}, {plain}"));
                self.entry("\"submerge\"", &keys, true);
            }
            1 => {
                let keys = "owner = [\"occupant\", \"last-occupant\", \"country\"]\n".to_owned();
                self.entry("\"found\"", &(keys + &date("W", year, &plain)), true);
            }
            _ => {
                let hole =
                    "at = \"before-retreats\"\nunits = \"swallow\"\n".to_owned() + &date("F", year, &land);
                self.entry("\"void\"", &hole, true);
                let back = self.owner() + &date(one(self.dice, &["S", "W"]), year + 1, &land);
                self.entry("\"restore\"", &back, true);
            }
        }
    }
}
