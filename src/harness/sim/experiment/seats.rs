//! The section `[seats]` of an experiment file: which bot plays which power.

use super::catalogue::{Bots, Catalogue};
use super::file::{BotNames, SeatOrderKeys, SeatsKeys};
use crate::sim::seating::{LineUp, LineUpSchedule, LineUps, SeatOrder, Seating};
use toml::Value;
use upheaval_engine::diagnostic::value::{Entries, Open, Placed};
use upheaval_engine::diagnostic::{Form, suggest};
use upheaval_map::ids::{ByPower, MAX_POWERS, PowerNames, Powers};

/// The most line-ups: each plays every block.
const MOST_LINE_UPS: usize = 1000;

/// The possible keys, in the file's words.
const WAYS: &str = "`all`, a bot for each power, `lineup`, `lineups`";

impl From<SeatOrderKeys> for SeatOrder {
    fn from(keys: SeatOrderKeys) -> SeatOrder {
        if keys.shuffle { SeatOrder::ShuffledByBlock } else { SeatOrder::Listed }
    }
}

/// A section `[seats]` that is being read.
struct Reader<'a, 'b, C> {
    form: &'a Form<'a>,
    bots: &'a mut Bots<'b, C>,
    order: SeatOrder,
}

/// Reads the section `[seats]` for a board with these powers, if the board is known.
pub(super) fn read<C: Catalogue>(
    form: &Form<'_>,
    seats: &Placed<SeatsKeys>,
    bots: &mut Bots<'_, C>,
    names: Option<&PowerNames>,
) -> Option<Seating> {
    let shuffle = seats.shuffle.as_ref().filter(|shuffle| ***shuffle);
    let rotate = seats.rotate.as_ref().filter(|rotate| form.is_sound(&rotate.span()));
    let order = if shuffle.is_some() { SeatOrder::ShuffledByBlock } else { SeatOrder::Listed };
    let powers = names.map(PowerNames::powers);
    // All bots are looked up, so that all faults are found.
    let mut reader = Reader { form, bots, order };
    let all = seats.all.as_ref().map(|name| reader.bots.index(name));
    let line_up = seats.lineup.as_ref().map(|names| reader.line_up("lineup", names, powers));
    let line_ups = seats.lineups.as_ref().map(|lists| reader.line_ups(lists, powers));
    let of_powers = reader.of_powers(&seats.powers, names);
    let ways: Vec<_> = [
        seats.all.as_ref().map(|all| ("all", all.span())),
        seats.lineup.as_ref().map(|list| ("lineup", list.span())),
        seats.lineups.as_ref().map(|list| ("lineups", list.span())),
        seats.powers.first().filter(|_| of_powers.is_some()).map(|(name, _)| ("a power", name.span())),
    ]
    .into_iter()
    .flatten()
    .collect();
    let way = match ways.as_slice() {
        [] if of_powers.is_none() => return None,
        [] => {
            let number = powers.map_or("the".to_owned(), |powers| format!("the {}", powers.len()));
            let message = format!(
                "`seats` is empty; write `all = \"greedy\"`, or a bot for each of {number} powers, or `lineup = [..]` with \
                 as many bots"
            );
            return form.refuse(seats.span(), message);
        }
        [(way, _)] => *way,
        [first, second, ..] => {
            let message = format!("`seats` has both {} and {}; keep one of: {WAYS}", first.0, second.0);
            return form.refuse(second.1.clone(), message);
        }
    };
    let has_line_ups = way.starts_with("lineup");
    if let Some(rotate) = rotate.filter(|_| !has_line_ups) {
        form.fault(rotate.span(), "`seats.rotate` needs a `lineup`, whose bots it rotates");
    }
    let fixed = match way {
        "all" => None,
        _ if has_line_ups => rotate.filter(|rotate| !***rotate).map(|_| "`rotate = false`"),
        _ => Some("a bot for each power"),
    };
    if let (Some(shuffle), Some(fixed)) = (shuffle, fixed) {
        let message = format!(
            "`seats.shuffle` and {fixed} exclude each other: the bots of a line-up that rotates are shuffled, these keep \
             their seats; remove one"
        );
        form.fault(shuffle.span(), message);
    }
    if let Some(bot) = all {
        let bot = bot?;
        return Some(Seating::Fixed(ByPower::from_fn(powers?, |_| bot)));
    }
    if let Some(list) = line_up.map(|line_up| Some(vec![line_up?])).or(line_ups) {
        let line_ups = LineUps { list: list?, deal: LineUpSchedule::EveryBlock, order };
        return Some(seated(line_ups, rotate, powers?));
    }
    let (found, names) = (of_powers?, names?);
    let is_given = |name: &&str| seats.powers.iter().any(|(given, _)| given.as_str() == *name);
    let missing: Vec<_> = names.iter().filter(|name| !is_given(name)).collect();
    if !missing.is_empty() {
        let message = format!("`seats` has no bot for {}; add them", missing.join(", "));
        return form.refuse(seats.span(), message);
    }
    let mut by_power = ByPower::new(names.powers());
    for ((name, _), bot) in seats.powers.iter().zip(found) {
        by_power[names.named(name).ok()?] = bot?;
    }
    Some(Seating::Fixed(by_power))
}

/// Line-ups in all rotations, or in fixed seats if `rotate` is `false`.
fn seated(line_ups: LineUps, rotate: Option<&Placed<bool>>, powers: Powers) -> Seating {
    if rotate.is_none_or(|rotate| **rotate) {
        return Seating::Rotated(line_ups);
    }
    let fixed = |line_up: &LineUp| ByPower::from_fn(powers, |power| line_up[power.index()]);
    match line_ups.list.as_slice() {
        [line_up] => Seating::Fixed(fixed(line_up)),
        list => Seating::FixedLineUps(list.iter().map(fixed).collect()),
    }
}

impl<C: Catalogue> Reader<'_, '_, C> {
    fn line_up(&mut self, what: &str, list: &BotNames, powers: Option<Powers>) -> Option<LineUp> {
        let indices = self.bots.indices(&list[..list.len().min(MAX_POWERS)]);
        let number = powers?.len();
        if list.len() == number {
            return indices;
        }
        let message =
            format!("`seats.{what}` must name {number} bots, one for each power, not {}", list.len());
        self.form.refuse(list.span(), message)
    }

    /// The bots of a section with a key for each power; `None` if a key is unknown.
    fn of_powers(
        &mut self,
        entries: &Entries<Placed<Open>>,
        names: Option<&PowerNames>,
    ) -> Option<Vec<Option<usize>>> {
        let known = ["all", "lineup", "lineups", "rotate", "shuffle"];
        let mut found = Vec::new();
        for (key, value) in entries.iter() {
            if let Some(names) = names.filter(|names| names.named(key).is_err()) {
                if self.form.is_sound(&value.span()) {
                    let known = suggest(key, known.into_iter().chain(names.iter()));
                    self.form.fault(key.span(), format!("unknown key `seats.{}`; {known}", **key));
                }
                continue;
            }
            found.push(match &**value {
                Open::Single(Value::String(bot)) => self.bots.index(&Placed::new(value.span(), bot.clone())),
                other => {
                    let message = format!("`seats.{}` must be a text in quotes, not {other}", **key);
                    self.form.refuse(value.span(), message)
                }
            });
        }
        Some(found).filter(|found| found.len() == entries.len())
    }

    fn line_ups(&mut self, lists: &Placed<Vec<BotNames>>, powers: Option<Powers>) -> Option<Vec<LineUp>> {
        if !(1..=MOST_LINE_UPS).contains(&lists.len()) {
            let message =
                format!("`seats.lineups` must have 1 to {MOST_LINE_UPS} line-ups, not {}", lists.len());
            return self.form.refuse(lists.span(), message);
        }
        let mut list: Vec<LineUp> = Vec::new();
        for names in lists.iter() {
            let Some(line_up) = self.line_up("lineups", names, powers) else { continue };
            let is_same = |other: &LineUp| match self.order {
                SeatOrder::Listed => *other == line_up,
                SeatOrder::ShuffledByBlock => sorted(other) == sorted(&line_up),
            };
            if list.iter().any(is_same) {
                let why = match self.order {
                    SeatOrder::Listed => "",
                    SeatOrder::ShuffledByBlock => ", in an order that does not matter if shuffled",
                };
                self.form.fault(names.span(), format!("this line-up is listed twice{why}; list each once"));
            }
            list.push(line_up);
        }
        Some(list).filter(|list| list.len() == lists.len())
    }
}

fn sorted(line_up: &LineUp) -> LineUp {
    let mut bots = line_up.clone();
    bots.sort_unstable();
    bots
}
