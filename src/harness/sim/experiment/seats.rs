//! Which bot plays which power: the section `[seats]` of an experiment file.

use toml::Spanned;

use super::catalogue::Catalogue;
use super::roster::Bots;
use super::seating::{LineUp, LineUpSchedule, LineUps, SeatOrder, Seating};
use upheaval_engine::diagnostic::Diagnostic;
use upheaval_engine::diagnostic::table::{Table, Texts};
use upheaval_map::ids::{ByPower, PowerNames, Powers};

/// The most line-ups: each plays every block.
const MOST_LINE_UPS: usize = 1000;

/// The key that says whether the seats are shuffled.
const SHUFFLE: &str = "shuffle";

/// The possible keys, in the file's words.
const WAYS: &str = "`all`, a bot for each power, `lineup`, `lineups`";

pub(super) fn read<C: Catalogue>(
    seats: &Table<'_>,
    bots: &mut Bots<'_, C>,
    power_names: &PowerNames,
) -> Result<Seating, Diagnostic> {
    let (powers, names) = (power_names.powers(), power_names.iter());
    let mut allowed = vec!["all", "lineup", "lineups", "rotate", SHUFFLE];
    allowed.extend(names.clone());
    seats.allow(&allowed)?;
    let ways: Vec<_> = ["all", "lineup", "lineups"]
        .map(|way| (way, seats.key(way)))
        .into_iter()
        .chain(names.clone().map(|name| ("a power", seats.key(name))).find(|(_, key)| key.is_some()))
        .filter_map(|(way, span)| Some((way, span?)))
        .collect();
    let way = match ways.as_slice() {
        [] => {
            return Err(seats.fault(
                seats.span(),
                format!(
                    "`seats` is empty; write `all = \"greedy\"`, or a bot for each of the {0} powers, or \
                     `lineup = [..]` with {0} bots",
                    powers.len()
                ),
            ));
        }
        [(way, _)] => *way,
        [first, second, ..] => {
            let message = format!("`seats` has both {} and {}; keep one of: {WAYS}", first.0, second.0);
            return Err(seats.fault(second.1.clone(), message));
        }
    };
    let rotate = seats.truth("rotate")?;
    if let Some(rotate) = &rotate {
        match way {
            "lineup" | "lineups" => {}
            _ => {
                let message = format!("`seats.rotate` needs a `lineup` of {} bots to rotate", powers.len());
                return Err(seats.fault(rotate.span(), message));
            }
        }
    }
    let order = order(seats)?;
    if let (SeatOrder::ShuffledByBlock, Some(place)) = (order, seats.key(SHUFFLE)) {
        let fixed = match way {
            "all" => None,
            "lineup" | "lineups" => {
                rotate.as_ref().filter(|rotate| !*rotate.get_ref()).map(|_| "`rotate = false`")
            }
            _ => Some("a bot for each power"),
        };
        if let Some(fixed) = fixed {
            let message = format!(
                "`seats.shuffle` and {fixed} exclude each other: the bots of a line-up that rotates are shuffled, these \
                 keep their seats; leave one out"
            );
            return Err(seats.fault(place, message));
        }
    }
    match way {
        "all" => {
            let name = seats.text("all")?.ok_or_else(|| seats.missing("all", "all = \"greedy\""))?;
            let bot = bots.index(seats, &name)?;
            Ok(Seating::Fixed(ByPower::from_fn(powers, |_| bot)))
        }
        "lineup" => {
            let list = seats.texts("lineup")?.unwrap_or(Spanned::new(0..0, Vec::new()));
            let list = vec![line_up(seats, "lineup", &list, bots, powers)?];
            Ok(seated(LineUps { list, deal: LineUpSchedule::EveryBlock, order }, rotate, powers))
        }
        "lineups" => {
            let list = line_ups(seats, bots, powers, order)?;
            Ok(seated(LineUps { list, deal: LineUpSchedule::EveryBlock, order }, rotate, powers))
        }
        _ => {
            let missing: Vec<_> = names.filter(|name| seats.key(name).is_none()).collect();
            if !missing.is_empty() {
                let message = format!("`seats` has no bot for {}; add them", missing.join(", "));
                return Err(seats.fault(seats.span(), message));
            }
            let mut by_power = ByPower::new(powers);
            for power in powers {
                if let Some(name) = seats.text(power_names.name(power))? {
                    by_power[power] = bots.index(seats, &name)?;
                }
            }
            Ok(Seating::Fixed(by_power))
        }
    }
}

/// The order of the seats, from a table `seats`.
fn order(seats: &Table<'_>) -> Result<SeatOrder, Diagnostic> {
    Ok(match seats.truth(SHUFFLE)?.is_some_and(Spanned::into_inner) {
        true => SeatOrder::ShuffledByBlock,
        false => SeatOrder::Listed,
    })
}

/// The order of the seats, from a file whose line-ups follow from other keys.
///
/// # Errors
/// The file's `seats` has a fault, or says more than this.
pub fn order_alone(root: &Table<'_>) -> Result<SeatOrder, Diagnostic> {
    let Some(seats) = root.table("seats")? else { return Ok(SeatOrder::default()) };
    seats.allow(&[SHUFFLE])?;
    order(&seats)
}

/// Line-ups in all rotations, or in fixed seats where `rotate` is `false`.
fn seated(line_ups: LineUps, rotate: Option<Spanned<bool>>, powers: Powers) -> Seating {
    if rotate.is_none_or(Spanned::into_inner) {
        return Seating::Rotated(line_ups);
    }
    let fixed = |line_up: &LineUp| ByPower::from_fn(powers, |power| line_up[power.index()]);
    match line_ups.list.as_slice() {
        [line_up] => Seating::Fixed(fixed(line_up)),
        list => Seating::FixedLineUps(list.iter().map(fixed).collect()),
    }
}

fn line_up<C: Catalogue>(
    seats: &Table<'_>,
    what: &str,
    list: &Texts<'_>,
    bots: &mut Bots<'_, C>,
    powers: Powers,
) -> Result<LineUp, Diagnostic> {
    let mut indices = Vec::new();
    for name in list.get_ref() {
        indices.push(bots.index(seats, name)?);
    }
    if indices.len() == powers.len() {
        return Ok(indices);
    }
    let (number, named) = (powers.len(), indices.len());
    let message = format!("`seats.{what}` must name {number} bots, one for each power, not {named}");
    Err(seats.fault(list.span(), message))
}

fn line_ups<C: Catalogue>(
    seats: &Table<'_>,
    bots: &mut Bots<'_, C>,
    powers: Powers,
    order: SeatOrder,
) -> Result<Vec<LineUp>, Diagnostic> {
    let lists = seats.lists_of_texts("lineups")?.unwrap_or_default();
    let place = seats.key("lineups").unwrap_or_default();
    let mut list: Vec<LineUp> = Vec::new();
    for names in &lists {
        let line_up = line_up(seats, "lineups", names, bots, powers)?;
        let is_same = |other: &LineUp| match order {
            SeatOrder::Listed => *other == line_up,
            SeatOrder::ShuffledByBlock => sorted(other) == sorted(&line_up),
        };
        if list.iter().any(is_same) {
            let why = if order == SeatOrder::Listed {
                ""
            } else {
                ", in an order that does not matter if shuffled"
            };
            return Err(
                seats.fault(names.span(), format!("this line-up is listed twice{why}; list each once"))
            );
        }
        list.push(line_up);
    }
    match list.len() {
        1..=MOST_LINE_UPS => Ok(list),
        n => {
            Err(seats
                .fault(place, format!("`seats.lineups` must have 1 to {MOST_LINE_UPS} line-ups, not {n}")))
        }
    }
}

fn sorted(line_up: &LineUp) -> LineUp {
    let mut bots = line_up.clone();
    bots.sort_unstable();
    bots
}
