//! How cells play, in words and tables.

use std::fmt::Write;

use crate::Estimate;
use crate::balance::Balance;
use crate::balance::cell::CellBalance;
use crate::balance::play::OrderShares;
use crate::balance::text::{mean, percent};
use crate::table::{Table, power_width, width_of};

pub(super) const LEGEND: &str = "\
course: a power leads with more centres than any other at a year's count; decided: the power that ends on top leads from then on;
  closeness: centres of the second as a part of the first's; drama: how far behind the power on top was; docs/measures.md
orders: shares of those in movement phases; choices: log10 of the joint legal orders of a power, with `log.choices = true`
";

/// The cells side by side, where there are several.
pub(super) fn beside(balance: &Balance, out: &mut String) {
    if balance.cells.len() < 2 {
        return;
    }
    let label = |cell: &CellBalance| {
        let label = balance.label(&cell.arm);
        match balance.cells.iter().any(|other| other.line_up != cell.line_up) {
            true => format!("{label}, {}", cell.seating.label),
            false => label.to_owned(),
        }
    };
    let labels: Vec<String> = balance.cells.iter().map(label).collect();
    let width = width_of(&labels, 12) + 2;
    let columns = [
        ("years", 23),
        ("solos %", 9),
        ("lead changes", 22),
        ("decided after", 22),
        ("closeness", 24),
        ("drama", 24),
    ];
    let mut table = Table::new(out, ("how it plays", width), columns);
    for (label, cell) in labels.iter().zip(&balance.cells) {
        let play = &cell.play;
        let solos = cell.ends.solo.map_or("-".to_owned(), |of| format!("{:.1}", 100.0 * of.estimate));
        table.row(
            label,
            [
                mean(cell.length.mean, 2),
                solos,
                mean(play.lead_changes, 2),
                mean(play.decided, 2),
                mean(play.closeness, 3),
                mean(play.drama, 3),
            ],
        );
    }
    out.push('\n');
}

/// The course, orders and captures of a cell.
pub(super) fn render(cell: &CellBalance, out: &mut String) {
    let play = &cell.play;
    // Writing into a string cannot fail.
    let _ = writeln!(
        out,
        "\ncourse: {} lead changes; decided after {} years, {} % of the game, undecided in {} % of games",
        mean(play.lead_changes, 2),
        mean(play.decided, 2),
        percent(play.decided_share),
        percent(play.undecided)
    );
    let _ = writeln!(
        out,
        "closeness {}; drama {}; {} % of the powers that ended on top came from behind",
        mean(play.closeness, 3),
        mean(play.drama, 3),
        percent(play.comebacks)
    );
    let kinds = ["holds", "moves", "supports", "convoys", "special"].map(|name| (name, 12));
    let columns = kinds.into_iter().chain([("choices (95% CI)", 26)]);
    let name = power_width(cell.powers.keys());
    let mut table = Table::new(out, ("orders, %", name.max(11)), columns);
    let row = |of: &OrderShares, choices: Option<Estimate>| {
        let kinds = [of.holds, of.moves, of.supports, of.convoys, of.special];
        let kinds =
            kinds.into_iter().map(|of| of.map_or("-".to_owned(), |of| format!("{:.1}", 100.0 * of.estimate)));
        kinds.chain([mean(choices, 2)]).collect::<Vec<_>>()
    };
    for (power, of) in &play.powers {
        table.row(power, row(&of.orders, of.choices));
    }
    table.row("all", row(&play.orders, None));
    let powers = cell.powers.keys().map(|power| (power.as_str(), power.len() + 2));
    let columns = powers.chain([("nobody", 8)]);
    let mut table = Table::new(out, ("takes a game", name.max(14)), columns);
    for (power, of) in &play.captures {
        let number = |of: Option<Estimate>| of.map_or("-".to_owned(), |of| format!("{:.2}", of.estimate));
        let from = of.from.values().map(|of| number(*of));
        table.row(format!("{power} from"), from.chain([number(of.from_nobody)]));
    }
}
