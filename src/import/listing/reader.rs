//! Parses the statements line by line.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use crate::listing::place_index::{ListedTerrain, PlaceId, PlaceIndex, PowerNumber, Roster, in_prose};
use crate::note::{ImportError, ImportNote};
use crate::steps::step;
use upheaval_map::ids::MAX_PROVINCES;

/// Finds an included file: returns the text for a name, or the reason why not.
pub(crate) type Includes<'a> = dyn Fn(&str) -> Result<String, String> + 'a;

/// The largest number of coasts with names, four for each face that a map can have.
const MOST_COASTS: usize = 4 * MAX_PROVINCES;

/// The deepest permitted nesting of included files.
const DEEPEST: usize = 8;

/// Reads a file and the files that it includes, and notes the statements for which a map file has no place.
///
/// # Errors
/// The first line that is not a valid statement, an included file that cannot be read, or more provinces than a map
/// can have.
pub(super) fn read(
    file: &str,
    text: &str,
    includes: &Includes<'_>,
    notes: &mut Vec<ImportNote>,
) -> Result<(PlaceIndex, Roster), ImportError> {
    let own = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let mut reader = Reader {
        places: PlaceIndex::default(),
        roster: Roster::default(),
        left_out: LeftOut::default(),
        includes,
        used: BTreeSet::from([own.to_owned()]),
    };
    reader.read(file, text, 0)?;
    let coasts = reader.places.listed().filter(|(place, _)| place.code.contains('/')).count();
    let provinces = reader.places.listed().count() - coasts;
    if provinces > MAX_PROVINCES {
        let message = format!("{provinces} provinces; a map holds up to {MAX_PROVINCES} faces");
        return Err(ImportError::file(file, message));
    }
    if coasts > MOST_COASTS {
        let message = format!("{coasts} named coasts; at most {MOST_COASTS} are read");
        return Err(ImportError::file(file, message));
    }
    notes.extend(reader.left_out.notes());
    Ok((reader.places, reader.roster))
}

struct Reader<'a> {
    places: PlaceIndex,
    roster: Roster,
    left_out: LeftOut,
    includes: &'a Includes<'a>,
    used: BTreeSet<String>,
}

/// The position of a statement.
#[derive(Clone, Copy)]
struct At<'a> {
    file: &'a str,
    line: usize,
}

impl At<'_> {
    fn fault(self, message: impl Display) -> ImportError {
        ImportError::line(self.file, self.line, message)
    }
}

/// The lines that a statement above them takes away.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stanza {
    /// None: the line is a statement of the map.
    Map,
    /// The lines up to `END DIRECTIVES`.
    Directives,
    /// The lines of a season, up to the next `IN` or `FROM`.
    Season,
}

impl Reader<'_> {
    fn read(&mut self, file: &str, text: &str, depth: usize) -> Result<(), ImportError> {
        // The power that units, homes and centres are assigned to.
        let mut power: Option<PowerNumber> = None;
        let mut stanza = Stanza::Map;
        for (line, text) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            let words: Vec<&str> = text.split_whitespace().collect();
            let at = At { file, line };
            let Some(&first) = words.first().filter(|word| !word.starts_with('#')) else { continue };
            let word = first.to_uppercase();
            match self.stanza(at, &words, stanza) {
                Some(next) => stanza = next,
                None => self.statement(at, &word, &words, text, &mut power, depth)?,
            }
        }
        Ok(())
    }

    /// If a line begins or ends a stanza or is in one: the stanza after it.
    fn stanza(&mut self, at: At<'_>, words: &[&str], stanza: Stanza) -> Option<Stanza> {
        let upper = |word: Option<&&str>| word.map_or_else(String::new, |word| word.to_uppercase());
        let (first, last) = (upper(words.first()), upper(words.last()));
        if words.len() <= 2 && ["DIRECTIVE", "DIRECTIVES"].contains(&last.as_str()) {
            if first == "END" {
                return Some(Stanza::Map);
            }
            self.leave_out(at, "DIRECTIVES");
            return Some(Stanza::Directives);
        }
        if stanza == Stanza::Directives {
            return Some(stanza);
        }
        if first == "FROM" && upper(words.get(1)) == "START" {
            return Some(Stanza::Map);
        }
        if ["IN", "FROM"].contains(&first.as_str()) {
            self.leave_out(at, &first);
            // A statement on the same line, after a colon, is the only one.
            let rest = words[1..].join(" ");
            let has_one = rest.split_once(':').is_some_and(|(_, statement)| !statement.trim().is_empty());
            return Some(if has_one { Stanza::Map } else { Stanza::Season });
        }
        (stanza == Stanza::Season).then_some(stanza)
    }

    fn leave_out(&mut self, at: At<'_>, statement: &str) {
        if let Some(why) = reason(statement) {
            self.left_out.record(at, statement, statement, why);
        }
    }

    fn statement(
        &mut self,
        at: At<'_>,
        word: &str,
        words: &[&str],
        text: &str,
        power: &mut Option<PowerNumber>,
        depth: usize,
    ) -> Result<(), ImportError> {
        match word {
            "USE" | "USES" | "MAP" => {
                for name in &words[1..] {
                    self.include(at, name, depth)?;
                }
            }
            // `FLOW IFYEARDIV:2=1` names no place.
            "FLOW" => self.leave_out(at, word),
            _ if text.contains('=') => self.name(at, text)?,
            "OWNS" | "CENTERS" if word == "OWNS" || power.is_some() => {
                let number = self.owner(*power, at)?;
                let centres = self.centres(at, &words[1..]);
                self.roster.own(number, centres.into_iter(), word == "CENTERS");
            }
            "INHABITS" | "HOME" | "HOMES" => {
                let number = self.owner(*power, at)?;
                self.roster.replace_homes(number, word != "INHABITS");
                self.add_homes(at, Some(number), &words[1..])?;
            }
            "UNITS" => {
                let number = self.owner(*power, at)?;
                self.roster.disband(number);
            }
            "A" | "F" => {
                let [_, place] = words[..] else {
                    return Err(at.fault("expected a unit: `A` or `F`, and one location"));
                };
                let number = self.owner(*power, at)?;
                let province = self.places.id(place.split('/').next().unwrap_or_default());
                let place = self.places.id(place);
                self.roster.station(number, if word == "A" { 'A' } else { 'F' }, province, place);
            }
            "DUMMY" | "DUMMIES" => {
                self.leave_out(at, word);
                if words.len() > 1 {
                    *power = None;
                }
            }
            "UNPLAYED" => {
                for gone in self.named_powers(at, words, *power)? {
                    self.roster.remove(gone);
                }
                *power = None;
            }
            "DROP" => {
                for code in &words[1..] {
                    for place in self.places.drop(code) {
                        self.roster.forget(place);
                    }
                }
            }
            "WATER" | "LAND" | "COAST" | "PORT" | "SHUT" | "AMEND" => self.place(at, word, words)?,
            "TEAM" | "TEAMS" => {
                self.leave_out(at, word);
                *power = None;
            }
            _ if reason(word).is_some() => self.leave_out(at, word),
            _ => *power = self.power_line(at, words)?,
        }
        Ok(())
    }

    fn owner(&mut self, power: Option<PowerNumber>, at: At<'_>) -> Result<PowerNumber, ImportError> {
        power
            .filter(|&number| self.roster.power(number).is_some())
            .ok_or_else(|| at.fault("expected the name of a power above this line"))
    }

    fn include(&mut self, at: At<'_>, name: &str, depth: usize) -> Result<(), ImportError> {
        let name = if name.contains('.') { name.to_owned() } else { format!("{name}.map") };
        if depth == DEEPEST {
            return Err(at.fault(format!("included files are nested more than {DEEPEST} deep")));
        }
        if !self.used.insert(name.clone()) {
            return Err(at.fault(format!("`{name}` is used twice")));
        }
        let text =
            (self.includes)(&name).map_err(|error| at.fault(format!("cannot use `{name}`: {error}")))?;
        self.read(&name, &text, depth + 1)
    }

    /// `Full name = CODE alias …`, or `OLD -> Full name = CODE alias …`.
    fn name(&mut self, at: At<'_>, text: &str) -> Result<(), ImportError> {
        let (name, codes) = text.split_once('=').unwrap_or((text, ""));
        let (old, name) = name.split_once("->").map_or((None, name), |(old, name)| (Some(old.trim()), name));
        let Some(code) = codes.split_whitespace().next() else {
            return Err(at.fault("expected `=` and a code after the full name"));
        };
        let place = match old {
            Some(old) => self.places.rename(old, code).map_err(|message| at.fault(message))?,
            None => self.places.id(code),
        };
        self.places.call(place, name.split_whitespace().collect::<Vec<_>>().join(" "));
        Ok(())
    }

    fn place(&mut self, at: At<'_>, word: &str, words: &[&str]) -> Result<(), ImportError> {
        let Some(&code) = words.get(1) else {
            return Err(at.fault(format!("expected the code of a location after `{word}`")));
        };
        if words.get(2).is_some_and(|abuts| !abuts.eq_ignore_ascii_case("ABUTS")) {
            return Err(at.fault(format!("expected `ABUTS`, found `{}`", words[2])));
        }
        let terrain = match word {
            "WATER" => Some(ListedTerrain::Water),
            "LAND" => Some(ListedTerrain::Land),
            "SHUT" => Some(ListedTerrain::Shut),
            "AMEND" => None,
            _ => Some(ListedTerrain::Coast),
        };
        if word == "PORT" {
            let why = "convoys through land; the location is a coast like any other";
            self.left_out.record(at, word, word, why);
        }
        let place = match terrain {
            Some(terrain) => self.places.list(code, terrain, at.line, words.len() > 2),
            None => {
                let amended = self.places.amend(code, at.line);
                amended.ok_or_else(|| at.fault(format!("there is no `{code}` to amend")))?
            }
        };
        for &neighbour in words.get(3..).unwrap_or_default() {
            match neighbour.strip_prefix('-') {
                Some(gone) => self.places.part(place, gone),
                None => {
                    if let Some(neighbour) = self.unrestricted(at, neighbour)? {
                        self.places.abut(place, neighbour);
                    }
                }
            }
        }
        Ok(())
    }

    /// The neighbour of an entry such as `*MAO`, `naf~`, `EI:NAF` or `AEG(CON,SMY)`, whose restriction a map cannot
    /// have; `None` for `:SKA`, which no unit may enter.
    fn unrestricted<'w>(&mut self, at: At<'_>, entry: &'w str) -> Result<Option<&'w str>, ImportError> {
        let (powers, rest) =
            entry.split_once(':').map_or((None, entry), |(powers, rest)| (Some(powers), rest));
        let code = rest.split_once('(').map_or(rest, |(code, _)| code);
        let code = code.trim_matches(|c: char| !c.is_alphanumeric());
        if code.is_empty() {
            return Err(at.fault(format!("`{entry}` is not the code of a neighbour")));
        }
        if code == entry {
            return Ok(Some(code));
        }
        let is_closed = powers == Some("");
        let why = if is_closed {
            "one-way adjacencies"
        } else {
            "adjacencies that are open only to some units or powers"
        };
        self.left_out.record(at, why, entry, why);
        Ok((!is_closed).then_some(code))
    }

    /// `ALL`, `ALL EXCEPT names`, names, or nothing for the current power.
    fn named_powers(
        &self,
        at: At<'_>,
        words: &[&str],
        power: Option<PowerNumber>,
    ) -> Result<BTreeSet<PowerNumber>, ImportError> {
        let named = |words: &[&str]| -> Result<BTreeSet<PowerNumber>, ImportError> {
            let names = words.iter().flat_map(|word| word.split(',')).filter(|name| !name.is_empty());
            let number =
                |name| self.roster.find(name).ok_or_else(|| at.fault(format!("there is no power `{name}`")));
            names.map(number).collect()
        };
        match words.get(1).map(|word| word.to_uppercase()).as_deref() {
            None => {
                let power = power.ok_or_else(|| at.fault("no power is named above this line"))?;
                Ok(BTreeSet::from([power]))
            }
            Some("ALL") => match words.get(2) {
                None => Ok(self.roster.all_but(&BTreeSet::new()).into_iter().collect()),
                Some(word) if word.eq_ignore_ascii_case("EXCEPT") => {
                    Ok(self.roster.all_but(&named(&words[3..])?).into_iter().collect())
                }
                Some(word) => Err(at.fault(format!("expected `EXCEPT`, found `{word}`"))),
            },
            Some(_) => named(&words[1..]),
        }
    }

    /// `FRANCE (FRENCH:F) BRE MAR PAR`, `OLD -> NEW …`, or `UNOWNED BEL …`.
    fn power_line(&mut self, at: At<'_>, words: &[&str]) -> Result<Option<PowerNumber>, ImportError> {
        let is_unowned =
            |word: &str| ["UNOWNED", "NEUTRAL", "CENTERS"].contains(&word.to_uppercase().as_str());
        let (words, old) = match words {
            [old, "->", rest @ ..] => (rest, Some(*old)),
            _ => (words, None),
        };
        let Some(&name) = words.first() else {
            return Err(at.fault("expected the new name of the power after `->`"));
        };
        if is_unowned(name) {
            if old.is_some() {
                return Err(at.fault(format!("`{name}` is not a name of a power")));
            }
            self.add_homes(at, None, &words[1..])?;
            return Ok(None);
        }
        let index = match old {
            Some(old) => {
                let index = self.roster.find(old);
                let index = index.ok_or_else(|| at.fault(format!("there is no power `{old}` to rename")))?;
                self.roster.rename(index, name).map_err(|message| at.fault(message))?;
                index
            }
            None => self.roster.find(name).unwrap_or_else(|| {
                if !words.get(1).is_some_and(|own| own.starts_with('(')) {
                    // Nothing else says that it is a power.
                    let At { file, line } = at;
                    let note = ImportNote::ReadAsPower { file: file.to_owned(), line, name: name.to_owned() };
                    self.left_out.powers.push(note);
                }
                self.roster.add(name)
            }),
        };
        let mut homes = &words[1..];
        if let Some(own) = homes.first().and_then(|word| word.strip_prefix('(')) {
            let Some(own) = own.strip_suffix(')') else {
                return Err(at.fault(format!("expected `)` after `({own}`; write spaces as `+`")));
            };
            let (adjective, mark) = own.split_once(':').map_or((own, None), |(own, mark)| (own, Some(mark)));
            if let Some(power) = self.roster.power(index) {
                power.entry.adjective = Some(in_prose(adjective)).filter(|_| !adjective.is_empty());
                power.entry.mark =
                    mark.and_then(|mark| mark.chars().next()).map(|mark| mark.to_ascii_uppercase());
            }
            homes = &homes[1..];
        }
        self.roster.begin_homes(index);
        self.add_homes(at, Some(index), homes)?;
        Ok(Some(index))
    }

    /// The centres of a line, without `SC!` and `SC?`, which stand for rights to build.
    fn centres(&mut self, at: At<'_>, words: &[&str]) -> Vec<PlaceId> {
        let mut places = Vec::new();
        for word in words {
            if ["&SC", "SC!", "SC?"].contains(&word.to_uppercase().as_str()) {
                let why = "building in centres that are not homes";
                self.left_out.record(at, why, word, why);
            } else {
                places.push(self.places.id(word));
            }
        }
        places
    }

    /// Homes of a power, or neutral centres; a preceding `-` removes one.
    fn add_homes(
        &mut self,
        at: At<'_>,
        power: Option<PowerNumber>,
        homes: &[&str],
    ) -> Result<(), ImportError> {
        for &home in homes {
            let code = home.trim_start_matches(['-', '*', '+', '@', '~']);
            let signs = &home[..home.len() - code.len()];
            let code =
                code.strip_suffix(')').and_then(|code| code.split_once('(')).map_or(code, |(code, _)| code);
            for why in signs.chars().filter_map(sign) {
                self.left_out.record(at, why, home, why);
            }
            if signs.contains(['*', '+']) && !signs.contains('-') {
                continue;
            }
            for place in self.centres(at, &[code]) {
                if !code.chars().all(|c| c.is_alphanumeric() || c == '.') || code.is_empty() {
                    return Err(at.fault(format!("`{home}` is not the code of a centre")));
                }
                let is_home = !signs.contains(['-', '@']);
                self.roster.set_home(power, place, is_home);
            }
        }
        Ok(())
    }
}

// Statements of DPjudge's map files for which a map file has no place. Without this table they would be read as names
// of powers. The source is the page "DPjudge Map File Syntax" of that program.

/// Why a statement is left out; `None` if it is not one of these.
fn reason(statement: &str) -> Option<&'static str> {
    Some(match statement {
        "NOTIFY" | "FLAG" | "FLAGS" | "TEXTONLY" => "it concerns the pages and letters of DPjudge",
        "BEGIN" | "VICTORY" | "RULE" | "RULES" | "RESERVES" | "MILITIA" | "LEAGUE" => {
            "rules belong in a variant file"
        }
        "DUMMY" | "DUMMIES" | "CONTROL" | "ROTATE" | "TEAM" | "TEAMS" => {
            "an experiment says who plays a power"
        }
        "FLOW" => "the seasons of a year belong to the rules",
        "NEWHOMES" => "the homes of a map do not change",
        "DIRECTIVE" | "DIRECTIVES" => {
            "rules belong in a variant file, and so do the lines up to END DIRECTIVES"
        }
        "IN" | "FROM" => "a map file has no changes for single seasons",
        _ => return None,
    })
}

/// Why a sign that stands at a home or a centre is not supported; `None` if it is not one of these.
fn sign(sign: char) -> Option<&'static str> {
    Some(match sign {
        '*' | '+' => "a place to build that is not a centre",
        '@' => "a replacement for another home; the centre is not a home",
        '~' => "hidden builds; the centre is a home like any other",
        _ => return None,
    })
}

/// What is left out at one or more lines.
struct Entry {
    /// The first line.
    line: usize,
    /// The last line, and the number of lines between it and the first, with the last.
    last: usize,
    more: usize,
    /// What stands in the first line.
    statement: String,
    why: &'static str,
}

/// The lines of a source that a note names.
#[derive(Default)]
struct LeftOut {
    /// By file, and by statement or reason.
    entries: BTreeMap<(String, String), Entry>,
    /// The lines that are read as names of powers.
    powers: Vec<ImportNote>,
}

impl LeftOut {
    /// A statement or an entry of a list is left out, or something about it. Those with one key in one file have one
    /// note.
    fn record(&mut self, At { file, line }: At<'_>, key: &str, statement: &str, why: &'static str) {
        step();
        let first = || Entry { line, last: line, more: 0, statement: statement.to_owned(), why };
        let entry = self.entries.entry((file.to_owned(), key.to_owned())).or_insert_with(first);
        entry.more += usize::from(entry.last != line);
        entry.last = line;
    }

    /// The notes.
    fn notes(self) -> impl Iterator<Item = ImportNote> {
        let entries = self.entries.into_iter();
        self.powers.into_iter().chain(entries.map(|((file, _), entry)| {
            let Entry { line, more, statement, why, .. } = entry;
            ImportNote::NotSupported { file, line, more, statement, why }
        }))
    }
}
