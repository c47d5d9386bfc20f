//! The section `[seats]` of an experiment file: which bot plays which power.

use super::catalogue::{Bots, Catalogue};
use super::file::{BotNames, SeatOrderKeys, SeatsKeys};
use crate::sim::seating::{LineUp, LineUpSchedule, LineUps, SeatOrder, Seating};
use upheaval_engine::diagnostic::Form;
use upheaval_engine::diagnostic::value::Placed;
use upheaval_map::ids::{ByPower, PowerNames, Powers};

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
    let order = if shuffle.is_some() { SeatOrder::ShuffledByBlock } else { SeatOrder::Listed };
    let powers = names.map(PowerNames::powers);
    let ways: Vec<_> = [
        seats.all.as_ref().map(|all| ("all", all.span())),
        seats.lineup.as_ref().map(|list| ("lineup", list.span())),
        seats.lineups.as_ref().map(|list| ("lineups", list.span())),
        seats.powers.first().map(|(name, _)| ("a power", name.span())),
    ]
    .into_iter()
    .flatten()
    .collect();
    if let Some(names) = names {
        let known = ["all", "lineup", "lineups", "rotate", "shuffle"].into_iter().chain(names.iter());
        let unknown = seats.powers.iter().filter(|(name, _)| names.named(name).is_err());
        let mut is_sound = true;
        for (name, _) in unknown {
            let known = upheaval_engine::diagnostic::suggest(name, known.clone());
            form.fault(name.span(), format!("unknown key `seats.{}`; {known}", **name));
            is_sound = false;
        }
        if !is_sound {
            return None;
        }
    }
    let way = match ways.as_slice() {
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
    if let Some(rotate) = seats.rotate.as_ref().filter(|_| !has_line_ups) {
        form.fault(rotate.span(), "`seats.rotate` needs a `lineup`, whose bots it rotates");
    }
    let fixed = match way {
        "all" => None,
        _ if has_line_ups => seats.rotate.as_ref().filter(|rotate| !***rotate).map(|_| "`rotate = false`"),
        _ => Some("a bot for each power"),
    };
    if let (Some(shuffle), Some(fixed)) = (shuffle, fixed) {
        let message = format!(
            "`seats.shuffle` and {fixed} exclude each other: the bots of a line-up that rotates are shuffled, these keep \
             their seats; remove one"
        );
        form.fault(shuffle.span(), message);
    }
    let mut reader = Reader { form, bots, order };
    let deal = LineUpSchedule::EveryBlock;
    if let Some(name) = &seats.all {
        let bot = reader.bots.index(name)?;
        return Some(Seating::Fixed(ByPower::from_fn(powers?, |_| bot)));
    }
    if let Some(names) = &seats.lineup {
        let list = vec![reader.line_up("lineup", names, powers)?];
        return Some(seated(LineUps { list, deal, order }, seats.rotate.as_ref(), powers?));
    }
    if let Some(lists) = &seats.lineups {
        let list = reader.line_ups(lists, powers)?;
        return Some(seated(LineUps { list, deal, order }, seats.rotate.as_ref(), powers?));
    }
    let found: Vec<Option<usize>> = seats.powers.iter().map(|(_, bot)| reader.bots.index(bot)).collect();
    let names = names?;
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
        let indices = self.bots.indices(list);
        let number = powers?.len();
        if list.len() == number {
            return indices;
        }
        let message =
            format!("`seats.{what}` must name {number} bots, one for each power, not {}", list.len());
        self.form.refuse(list.span(), message)
    }

    fn line_ups(&mut self, lists: &Placed<Vec<BotNames>>, powers: Option<Powers>) -> Option<Vec<LineUp>> {
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
        match lists.len() {
            1..=MOST_LINE_UPS => Some(list).filter(|list| list.len() == lists.len()),
            n => {
                let message = format!("`seats.lineups` must have 1 to {MOST_LINE_UPS} line-ups, not {n}");
                self.form.refuse(lists.span(), message)
            }
        }
    }
}

fn sorted(line_up: &LineUp) -> LineUp {
    let mut bots = line_up.clone();
    bots.sort_unstable();
    bots
}
