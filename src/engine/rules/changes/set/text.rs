//! The text of a set: its grammar, its names, and its faults with their places.

use std::collections::BTreeMap;
use std::num::NonZeroU8;
use std::ops::Range;
use std::sync::Arc;

use upheaval_map::ids::{PowerNames, ProvinceId, ProvinceSet};
use upheaval_map::topology::PlanarMap;
use upheaval_map::wording::suggest;

use super::{Borders, EntryId, Holding, Operator, Places, Set, Who, Whose, Word, faces};

/// A set with a name, from the section `[groups]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Its places.
    pub set: Set,
    /// How many words, places and entries it has, with those of the groups in it.
    size: usize,
}

/// The groups of a file by their names.
pub type Groups = BTreeMap<String, Arc<Group>>;

impl Group {
    /// The group of a set.
    pub fn new(name: String, set: Set) -> Group {
        Group { name, size: set.size(), set }
    }
}

impl Set {
    /// How many words, places and entries it has, with those of the groups in it.
    fn size(&self) -> usize {
        match self {
            Set::Group(group) => group.size,
            Set::Near(set) | Set::Within(_, set) | Set::Under(set) => set.size(),
            Set::Joined(_, terms) => terms.iter().map(Set::size).fold(0, usize::saturating_add),
            _ => 1,
        }
    }
}

/// What the names in a set may mean.
pub struct Names<'a> {
    /// The board at the start.
    pub map: &'a PlanarMap,
    /// The powers.
    pub powers: &'a PowerNames,
    /// The ids of the entries, in the order of the file.
    pub ids: &'a [&'a str],
    /// The groups.
    pub groups: &'a Groups,
    /// The index of the entry that has the set; `None` for the set of a group.
    pub entry: Option<usize>,
}

/// A fault in the text of a set: where, in bytes, and what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetFault {
    /// The bytes of the text.
    pub at: Range<usize>,
    /// What is wrong, and what would be right.
    pub message: String,
    /// Is it the name of a place that is not on the board?
    pub is_name: bool,
}

/// The deepest nesting of parentheses.
const DEEPEST: usize = 20;
/// The most words, places and entries of a set of groups, which are evaluated again wherever they are named.
const LARGEST: usize = 10_000;
/// The words before a parenthesis.
const FUNCTIONS: [&str; 6] = ["new", "last", "near", "within", "under", "idle"];

/// Reads the text of a set.
///
/// # Errors
/// All names that are unknown; or the first fault of the grammar.
pub fn parse(text: &str, names: &Names<'_>) -> Result<Set, Vec<SetFault>> {
    read(text, names, Parser::set, |set| vec![set])
}

/// Reads the text of a set of borders: `borders(land, sea)`.
///
/// # Errors
/// As those of [`parse`].
pub(in crate::rules::changes) fn parse_borders(
    text: &str,
    names: &Names<'_>,
) -> Result<Borders, Vec<SetFault>> {
    read(text, names, Parser::borders, |Borders(sides)| sides.iter().collect())
}

/// Reads all of a text, whose value has these sets.
fn read<'t, T>(
    text: &'t str,
    names: &'t Names<'t>,
    value: impl Fn(&mut Parser<'t>) -> Result<T, SetFault>,
    sets: impl Fn(&T) -> Vec<&Set>,
) -> Result<T, Vec<SetFault>> {
    let mut parser = Parser { text, at: 0, names, unknown: Vec::new(), depth: 0 };
    let read = value(&mut parser).and_then(|value| match parser.next() {
        None => Ok(value),
        Some((at, token)) => Err(fault(at, unexpected(token, "an operator goes between two sets"))),
    });
    let is_large = |set: &Set| !set.groups().is_empty() && set.size() > LARGEST;
    match read {
        Err(fault) => {
            parser.unknown.push(fault);
            Err(parser.unknown)
        }
        Ok(_) if !parser.unknown.is_empty() => Err(parser.unknown),
        Ok(value) if sets(&value).into_iter().any(is_large) => {
            let message = format!("with its groups the set has more than {LARGEST} terms");
            Err(vec![fault(0..text.len(), message)])
        }
        Ok(value) => Ok(value),
    }
}

/// A word before a parenthesis, as it is written.
fn example(word: &str) -> String {
    match word {
        "new" | "last" => format!("{word}(holes)"),
        "within" => "within(2, land)".to_owned(),
        "idle" => "idle(2)".to_owned(),
        "near" | "under" => format!("{word}(land)"),
        _ => format!("{word}(any)"),
    }
}

fn fault(at: Range<usize>, message: impl Into<String>) -> SetFault {
    SetFault { at, message: message.into(), is_name: false }
}

/// What to say of a word where none is expected.
fn unexpected(token: &str, right: &str) -> String {
    match Operator::NAMES.iter().find(|text| token.len() > 1 && token.starts_with(**text)) {
        Some(operator) => {
            format!("`{token}` is not expected here; write a blank on each side of `{operator}`")
        }
        None => format!("`{token}` is not expected here; {right}"),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    names: &'a Names<'a>,
    unknown: Vec<SetFault>,
    depth: usize,
}

impl<'a> Parser<'a> {
    /// The next token without taking it: a parenthesis, a comma, or what stands between these and blanks.
    fn peek(&self) -> Option<(Range<usize>, &'a str)> {
        let rest = &self.text[self.at..];
        let start = self.at + rest.len() - rest.trim_start().len();
        let rest = &self.text[start..];
        let first = rest.chars().next()?;
        let length = match first {
            '(' | ')' | ',' => 1,
            _ => rest.find(|c: char| c.is_whitespace() || "(),".contains(c)).unwrap_or(rest.len()),
        };
        Some((start..start + length, &rest[..length]))
    }

    fn next(&mut self) -> Option<(Range<usize>, &'a str)> {
        let (at, token) = self.peek()?;
        self.at = at.end;
        Some((at, token))
    }

    fn set(&mut self) -> Result<Set, SetFault> {
        let first = self.term()?;
        let mut terms = vec![first];
        let mut joined: Option<Operator> = None;
        while let Some((at, token)) = self.peek() {
            let Some(operator) = Operator::ALL.into_iter().find(|known| known.name() == token) else { break };
            if let Some(other) = joined.filter(|other| *other != operator) {
                let both =
                    format!("`{}` and `{token}` need parentheses to say which comes first", other.name());
                return Err(fault(at, both));
            }
            joined = Some(operator);
            self.at = at.end;
            terms.push(self.term()?);
        }
        Ok(match joined {
            Some(operator) => Set::Joined(operator, terms),
            None => terms.remove(0),
        })
    }

    fn term(&mut self) -> Result<Set, SetFault> {
        let end = self.text.len();
        let Some((at, token)) = self.next() else {
            return Err(fault(end..end, "a set is missing here, such as `provinces`"));
        };
        match token {
            "(" => self.within(&at),
            "under" if self.opens() => Ok(Set::Under(Box::new(self.within(&at)?))),
            "near" if self.opens() => Ok(Set::Near(Box::new(self.within(&at)?))),
            "borders" if self.opens() => Err(fault(
                at,
                "a set of borders is for quakes, and is all of their `of`; here a set of places is needed",
            )),
            "within" if self.opens() => {
                let steps = self.number("within(2, land)")?;
                Ok(Set::Within(steps, Box::new(self.within(&at)?)))
            }
            "idle" if self.opens() => {
                let seasons = self.number("idle(2)")?;
                self.closes("`idle(…)` takes one number")?;
                Ok(Set::Idle(seasons))
            }
            "new" | "last" if self.opens() => self.of_entry(token),
            _ => match Holding::ALL.into_iter().find(|holding| holding.name() == token) {
                Some(holding) if self.opens() => self.holding(holding),
                _ => Ok(self.named(at, token)),
            },
        }
    }

    /// The borders between two sets.
    fn borders(&mut self) -> Result<Borders, SetFault> {
        let end = self.text.len();
        let right = "a quake moves borders: write two sets, as in `borders(land, sea)`";
        let (at, word) = self.next().unwrap_or((0..end, ""));
        if word != "borders" || !self.takes("(") {
            return Err(fault(at, right));
        }
        let one = self.set()?;
        if !self.takes(",") {
            let (at, _) = self.next().unwrap_or((end..end, ""));
            return Err(fault(at, right));
        }
        let other = self.set()?;
        self.closes(right)?;
        Ok(Borders([one, other]))
    }

    /// Takes this token, if it follows.
    fn takes(&mut self, token: &str) -> bool {
        let found = self.peek().filter(|(_, next)| *next == token);
        found.map(|(at, _)| self.at = at.end).is_some()
    }

    /// Takes an opening parenthesis, if it follows.
    fn opens(&mut self) -> bool {
        self.takes("(")
    }

    /// A set and the parenthesis that closes it.
    fn within(&mut self, opened: &Range<usize>) -> Result<Set, SetFault> {
        if self.depth == DEEPEST {
            return Err(fault(opened.clone(), format!("more than {DEEPEST} parentheses within each other")));
        }
        self.depth += 1;
        let set = self.set()?;
        self.depth -= 1;
        match self.next() {
            Some((_, ")")) => Ok(set),
            Some((at, token)) => {
                Err(fault(at, unexpected(token, "write `|`, `&` or `-` between sets, or `)`")))
            }
            None => Err(fault(opened.clone(), "the parenthesis is not closed")),
        }
    }

    /// Takes the closing parenthesis, or says why something else is wrong.
    fn closes(&mut self, one: &str) -> Result<(), SetFault> {
        let end = self.text.len();
        match self.next() {
            Some((_, ")")) => Ok(()),
            Some((at, _)) => Err(fault(at, one)),
            None => Err(fault(end..end, "the parenthesis is not closed")),
        }
    }

    /// A number from 1 to 100, with a comma if a set follows.
    fn number(&mut self, example: &str) -> Result<NonZeroU8, SetFault> {
        let end = self.text.len();
        let (at, token) = self.next().unwrap_or((end..end, ""));
        let number = token.parse::<NonZeroU8>().ok().filter(|number| number.get() <= 100);
        let has_comma = self.takes(",");
        number.filter(|_| has_comma == example.contains(',')).ok_or_else(|| {
            let comma = if example.contains(',') { " and a comma" } else { "" };
            fault(at, format!("a number from 1 to 100{comma} is missing here, as in `{example}`"))
        })
    }

    /// The entry of `new(…)` or `last(…)`.
    fn of_entry(&mut self, word: &str) -> Result<Set, SetFault> {
        let end = self.text.len();
        let is_new = word == "new";
        let earlier = if is_new { "an earlier entry" } else { "an entry" };
        let Some((at, id)) = self.next().filter(|(_, token)| !["(", ")"].contains(token)) else {
            return Err(fault(self.at.min(end)..end, format!("`{word}(…)` needs the id of {earlier}")));
        };
        let known = match (is_new, self.names.entry) {
            (true, Some(entry)) => &self.names.ids[..entry],
            (false, Some(_)) => self.names.ids,
            (_, None) => &[],
        };
        let set = match self.entry(id) {
            Some(entry) if entry.index < known.len() && is_new => Set::New(entry),
            Some(entry) if entry.index < known.len() => Set::Last(entry),
            found => {
                let message = match (self.names.entry, found) {
                    (None, _) => {
                        format!("`{word}({id})` cannot be in a group; write it in the sets of entries")
                    }
                    (_, Some(_)) => format!(
                        "`{word}({id})` needs {earlier}, and `{id}` acts later; {}",
                        suggest(id, known.iter().copied())
                    ),
                    (_, None) => format!(
                        "`{word}({id})` needs {earlier}, and `{id}` does not exist; {}",
                        suggest(id, known.iter().copied())
                    ),
                };
                self.unknown.push(fault(at, message));
                Set::Word(Word::All)
            }
        };
        self.closes(&format!("`{word}(…)` takes one id"))?;
        Ok(set)
    }

    /// What powers have: `owned(FRANCE)`.
    fn holding(&mut self, holding: Holding) -> Result<Set, SetFault> {
        let end = self.text.len();
        let name = holding.name();
        let Some((at, who)) = self.next().filter(|(_, token)| !["(", ")"].contains(token)) else {
            let message =
                format!("`{name}(…)` needs a power, or one of the words {}", Whose::NAMES.join(", "));
            return Err(fault(self.at.min(end)..end, message));
        };
        let code = who.to_ascii_uppercase();
        let who =
            match (Whose::ALL.into_iter().find(|word| word.name() == who), self.names.powers.find(&code)) {
                (Some(word), _) => Who::Word(word),
                (None, Some(power)) => Who::Power(power, code),
                (None, None) => {
                    let message = match who {
                        "self" => format!("`{name}(self)` is for entries by which powers are asked"),
                        _ => {
                            let known =
                                suggest(who, Whose::NAMES.iter().copied().chain(self.names.powers.iter()));
                            format!("`{who}` is neither a power nor a word for powers; {known}")
                        }
                    };
                    self.unknown.push(SetFault { at, message, is_name: true });
                    Who::Word(Whose::Any)
                }
            };
        self.closes(&format!("`{name}(…)` takes one power, or one word"))?;
        Ok(Set::Of(holding, who))
    }

    fn entry(&self, id: &str) -> Option<EntryId> {
        let index = self.names.ids.iter().position(|known| *known == id)?;
        Some(EntryId { index, name: id.to_owned() })
    }

    /// A word, an id or a place. An unknown name is noted.
    fn named(&mut self, at: Range<usize>, token: &str) -> Set {
        if let Some(word) = Word::ALL.into_iter().find(|word| word.name() == token) {
            return Set::Word(word);
        }
        if let Some(entry) = self.entry(token) {
            return Set::Held(entry);
        }
        if let Some(group) = self.names.groups.get(token) {
            return Set::Group(Arc::clone(group));
        }
        let code = token.to_ascii_uppercase();
        let is_place = |id: &ProvinceId| faces(self.names.map).contains(*id);
        if let Some(id) = self.names.map.find(&code).filter(is_place) {
            return Set::Place(Places::new(vec![code], ProvinceSet::single(id), self.names.map));
        }
        let words = Word::NAMES.iter().chain(&FUNCTIONS).chain(Holding::NAMES).copied();
        let names = self.names.ids.iter().copied().chain(self.names.groups.keys().map(String::as_str));
        let message = match Operator::NAMES.iter().find(|text| token.len() > 1 && token.contains(**text)) {
            Some(operator) if *operator != "-" || token.starts_with('-') || token.ends_with('-') => {
                format!("`{token}` is not a set; write a blank on each side of `{operator}`")
            }
            _ => {
                let known = suggest(token, words.chain(names));
                match FUNCTIONS.iter().chain(Holding::NAMES).find(|word| **word == token) {
                    Some(word) => format!("`{word}` needs a parenthesis, as in `{}`", example(word)),
                    None => format!(
                        "`{token}` is neither a word, nor the id of an entry or a group, nor a place of the board; {known}"
                    ),
                }
            }
        };
        self.unknown.push(SetFault { at, message, is_name: true });
        Set::Word(Word::All)
    }
}
