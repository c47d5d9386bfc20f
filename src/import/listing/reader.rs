//! Parses the statements line by line.

use std::collections::BTreeMap;

use crate::error::ImportError;

/// Finds an included file: returns the text for a name, or the reason why not.
pub type Includes<'a> = dyn Fn(&str) -> Result<String, String> + 'a;

/// The terrain of a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListedTerrain {
    /// `LAND`: armies.
    Land,
    /// `WATER`: fleets.
    Water,
    /// `COAST` and `PORT`: both.
    Coast,
    /// `SHUT`: neither.
    Shut,
}

/// A location and its neighbours, as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedPlace {
    /// The code as written: the case is significant.
    pub code: String,
    /// Its terrain.
    pub terrain: ListedTerrain,
    /// Its neighbours as written.
    pub abuts: Vec<String>,
    /// The line of the file, from 1.
    pub line: usize,
}

/// A power as described by a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PowerListing {
    /// In capitals.
    pub name: String,
    /// `FRENCH`, with `+` for a space.
    pub adjective: Option<String>,
    /// The letter that represents it.
    pub mark: Option<char>,
    /// Its home centres.
    pub homes: Vec<String>,
    /// The centres that it owns at the start, if they are not its homes.
    pub owns: Option<Vec<String>>,
    /// Its units at the start.
    pub units: Vec<String>,
    homes_replaced: bool,
}

/// The statements of a file and of the files that it includes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AdjacencyList {
    /// The powers, in their order in the file.
    pub powers: Vec<PowerListing>,
    /// Centres that are listed as unowned; the list may include homes, which are not neutral.
    pub unowned: Vec<String>,
    /// Full names by code in capitals.
    pub names: BTreeMap<String, String>,
    /// The locations in their order in the file.
    pub places: Vec<ListedPlace>,
    /// The number of centres needed to win, if the file gives it.
    pub victory: Option<u32>,
    /// The first phase.
    pub begin: Option<String>,
    /// Powers without a player.
    pub dummies: Vec<String>,
}

/// The deepest permitted nesting of included files.
const DEEPEST: usize = 8;

/// Reads a file and the files that it includes.
///
/// # Errors
/// The first line that is not a valid statement, or an included file that cannot be read.
pub fn read(file: &str, text: &str, includes: &Includes<'_>) -> Result<AdjacencyList, ImportError> {
    let mut reader = Reader { listing: AdjacencyList::default(), includes, used: vec![file.to_owned()] };
    reader.read(file, text, 0)?;
    Ok(reader.listing)
}

struct Reader<'a> {
    listing: AdjacencyList,
    includes: &'a Includes<'a>,
    used: Vec<String>,
}

/// The position of a statement.
#[derive(Clone, Copy)]
struct At<'a> {
    file: &'a str,
    line: usize,
}

impl At<'_> {
    fn fault(self, message: impl Into<String>) -> ImportError {
        ImportError::line(self.file, self.line, message)
    }
}

impl Reader<'_> {
    fn read(&mut self, file: &str, text: &str, depth: usize) -> Result<(), ImportError> {
        // The power that units, homes and centres are assigned to.
        let mut power: Option<usize> = None;
        for (line, text) in (1..).zip(text.lines()) {
            let words: Vec<&str> = text.split_whitespace().collect();
            let at = At { file, line };
            let Some(&first) = words.first().filter(|word| !word.starts_with('#')) else { continue };
            match first.to_uppercase().as_str() {
                "VICTORY" => {
                    let number = words.get(1).and_then(|word| word.parse().ok());
                    self.listing.victory =
                        Some(number.ok_or_else(|| at.fault("VICTORY is followed by a number of centres"))?);
                }
                "USE" | "USES" | "MAP" => {
                    for name in &words[1..] {
                        self.include(at, name, depth)?;
                    }
                }
                "BEGIN" => self.listing.begin = Some(words[1..].join(" ").to_uppercase()),
                "RULE" | "RULES" => {}
                _ if text.contains('=') => self.name(at, text)?,
                "OWNS" | "CENTERS" if power.is_some() => {
                    let centres = words[1..].iter().map(|word| word.to_uppercase());
                    let resets = first.to_uppercase() == "CENTERS";
                    let owns = &mut self.power(power, at)?.owns;
                    match owns {
                        Some(owns) if !resets => owns.extend(centres),
                        _ => *owns = Some(centres.collect()),
                    }
                }
                "INHABITS" | "HOME" | "HOMES" => {
                    let power = self.power(power, at)?;
                    if !power.homes_replaced || first.to_uppercase() != "INHABITS" {
                        power.homes.clear();
                    }
                    power.homes_replaced = true;
                    let name = power.name.clone();
                    self.add_homes(Some(&name), &words[1..]);
                }
                "UNITS" => self.power(power, at)?.units.clear(),
                "A" | "F" => {
                    let [kind, place] = words[..] else {
                        return Err(at.fault("a unit is `A` or `F` and one location"));
                    };
                    let (kind, place) = (kind.to_uppercase(), place.to_uppercase());
                    self.power(power, at)?; // before another's unit is taken away
                    let province = |unit: &str| unit[2..].split('/').next().unwrap_or_default().to_owned();
                    let unit = format!("{kind} {place}");
                    for other in &mut self.listing.powers {
                        other.units.retain(|other| province(other) != province(&unit));
                    }
                    self.power(power, at)?.units.push(unit);
                }
                "DUMMY" | "DUMMIES" => {
                    let named = self.named_powers(at, &words, power)?;
                    self.listing.dummies.extend(named);
                }
                "UNPLAYED" => {
                    let gone = self.named_powers(at, &words, power)?;
                    self.listing.powers.retain(|power| !gone.contains(&power.name));
                    power = None;
                }
                "DROP" => words[1..].iter().for_each(|code| self.drop_place(&code.to_uppercase())),
                "WATER" | "LAND" | "COAST" | "PORT" | "SHUT" | "AMEND" if words.len() > 1 => {
                    self.place(at, &words)?;
                }
                _ => power = self.power_line(at, &words)?,
            }
        }
        Ok(())
    }

    fn power(&mut self, power: Option<usize>, at: At<'_>) -> Result<&mut PowerListing, ImportError> {
        power
            .and_then(|index| self.listing.powers.get_mut(index))
            .ok_or_else(|| at.fault("this belongs to a power, but no power is named above it"))
    }

    fn include(&mut self, at: At<'_>, name: &str, depth: usize) -> Result<(), ImportError> {
        let name = if name.contains('.') { name.to_owned() } else { format!("{name}.map") };
        if depth == DEEPEST || self.used.contains(&name) {
            return Err(at.fault(format!("`{name}` is used twice")));
        }
        let text =
            (self.includes)(&name).map_err(|error| at.fault(format!("cannot use `{name}`: {error}")))?;
        self.used.push(name.clone());
        self.read(&name, &text, depth + 1)
    }

    /// `Full name = CODE alias …`
    fn name(&mut self, at: At<'_>, text: &str) -> Result<(), ImportError> {
        let (name, codes) = text.split_once('=').unwrap_or((text, ""));
        if name.contains("->") {
            return Err(at.fault("a place cannot be renamed; write its one name"));
        }
        let Some(code) = codes.split_whitespace().next() else {
            return Err(at.fault("a full name is followed by `=` and a code"));
        };
        self.listing.names.insert(code.to_uppercase(), name.split_whitespace().collect::<Vec<_>>().join(" "));
        Ok(())
    }

    fn place(&mut self, at: At<'_>, words: &[&str]) -> Result<(), ImportError> {
        let (word, code) = (words[0].to_uppercase(), words[1]);
        if words.get(2).is_some_and(|abuts| !abuts.eq_ignore_ascii_case("ABUTS")) {
            return Err(at.fault(format!("`{}` stands where `ABUTS` should", words[2])));
        }
        let same = |place: &ListedPlace| place.code.eq_ignore_ascii_case(code);
        let before = self.listing.places.iter().position(same);
        let terrain = match word.as_str() {
            "WATER" => ListedTerrain::Water,
            "LAND" => ListedTerrain::Land,
            "SHUT" => ListedTerrain::Shut,
            "AMEND" => match before {
                Some(index) => self.listing.places[index].terrain,
                None => return Err(at.fault(format!("there is no `{code}` to amend"))),
            },
            _ => ListedTerrain::Coast,
        };
        let mut abuts = match before {
            Some(index) if word == "AMEND" => self.listing.places[index].abuts.clone(),
            _ => Vec::new(),
        };
        for &neighbour in words.get(3..).unwrap_or_default() {
            match neighbour.strip_prefix('-') {
                Some(gone) => abuts.retain(|other| !starts_with(other, gone)),
                None => abuts.push(neighbour.to_owned()),
            }
        }
        if let Some(index) = before {
            let old = self.listing.places.remove(index);
            // A province that is listed again without coasts loses its coasts.
            if old.code != code && code == code.to_uppercase() {
                self.listing.places.retain(|place| !starts_with(&place.code, &format!("{code}/")));
            }
        }
        self.listing.places.push(ListedPlace { code: code.to_owned(), terrain, abuts, line: at.line });
        Ok(())
    }

    fn drop_place(&mut self, code: &str) {
        let listing = &mut self.listing;
        listing.places.retain(|place| !starts_with(&place.code, code));
        for place in &mut listing.places {
            place.abuts.retain(|neighbour| !starts_with(neighbour, code));
        }
        listing.names.retain(|name, _| !name.starts_with(code));
        listing.unowned.retain(|centre| centre != code);
        for power in &mut listing.powers {
            power.homes.retain(|home| home != code);
            power.units.retain(|unit| !unit[2..].starts_with(code));
            if let Some(owns) = &mut power.owns {
                owns.retain(|centre| !centre.starts_with(code));
            }
        }
    }

    /// `ALL`, `ALL EXCEPT names`, names, or nothing for the current power.
    fn named_powers(
        &self,
        at: At<'_>,
        words: &[&str],
        power: Option<usize>,
    ) -> Result<Vec<String>, ImportError> {
        let names = |words: &[&str]| -> Vec<String> {
            let text = words.join(" ");
            let names = text.split([',', ' ']).filter(|name| !name.is_empty());
            names.map(str::to_uppercase).collect()
        };
        let all = || self.listing.powers.iter().map(|power| power.name.clone());
        match words.get(1).map(|word| word.to_uppercase()).as_deref() {
            None => match power.and_then(|index| self.listing.powers.get(index)) {
                Some(power) => Ok(vec![power.name.clone()]),
                None => Err(at.fault("which power? None is named above")),
            },
            Some("ALL") => match words.get(2) {
                None => Ok(all().collect()),
                Some(word) if word.eq_ignore_ascii_case("EXCEPT") => {
                    let kept = names(&words[3..]);
                    Ok(all().filter(|name| !kept.contains(name)).collect())
                }
                Some(word) => Err(at.fault(format!("`{word}` stands where `EXCEPT` should"))),
            },
            Some(_) => Ok(names(&words[1..])),
        }
    }

    /// `FRANCE (FRENCH:F) BRE MAR PAR`, or `UNOWNED BEL …`.
    fn power_line(&mut self, at: At<'_>, words: &[&str]) -> Result<Option<usize>, ImportError> {
        let name = words[0].to_uppercase();
        if words.get(1) == Some(&"->") {
            return Err(at.fault("a power cannot be renamed; write its one name"));
        }
        if ["UNOWNED", "NEUTRAL", "CENTERS"].contains(&name.as_str()) {
            self.add_homes(None, &words[1..]);
            return Ok(None);
        }
        let known = self.listing.powers.iter().position(|power| power.name == name);
        let index = known.unwrap_or_else(|| {
            self.listing.powers.push(PowerListing { name: name.clone(), ..PowerListing::default() });
            self.listing.powers.len() - 1
        });
        let mut homes = &words[1..];
        if let Some(own) = homes.first().and_then(|word| word.strip_prefix('(')) {
            let Some(own) = own.strip_suffix(')') else {
                return Err(at.fault(format!("`({own}` is not followed by `)`; spaces are written `+`")));
            };
            let (adjective, mark) = own.split_once(':').map_or((own, None), |(own, mark)| (own, Some(mark)));
            let power = &mut self.listing.powers[index];
            power.adjective = Some(adjective.to_owned()).filter(|adjective| !adjective.is_empty());
            power.mark = mark.and_then(|mark| mark.chars().next()).map(|mark| mark.to_ascii_uppercase());
            homes = &homes[1..];
        }
        if self.listing.powers[index].homes_replaced {
            self.listing.powers[index].homes.clear();
            self.listing.powers[index].homes_replaced = false;
        }
        if let Some(bad) = homes
            .iter()
            .find(|home| !home.trim_start_matches('-').chars().all(|c| c.is_alphanumeric() || c == '.'))
        {
            return Err(at.fault(format!("`{bad}` is not the code of a home centre of {name}")));
        }
        self.add_homes(Some(&name), homes);
        Ok(Some(index))
    }

    /// Homes of a power, or neutral centres; a preceding `-` removes one.
    fn add_homes(&mut self, power: Option<&str>, homes: &[&str]) {
        for home in homes {
            let code = home.trim_start_matches('-').to_uppercase();
            let listing = &mut self.listing;
            let of_power = listing.powers.iter_mut().find(|other| Some(other.name.as_str()) == power);
            if power.is_some() {
                listing.unowned.push(code.clone());
            }
            let list = of_power.map_or(&mut listing.unowned, |power| &mut power.homes);
            list.retain(|other| *other != code);
            if !home.starts_with('-') && !code.is_empty() {
                list.push(code);
            }
        }
    }
}

/// Does a code begin like this, regardless of case?
fn starts_with(code: &str, begin: &str) -> bool {
    code.to_uppercase().starts_with(&begin.to_uppercase())
}
