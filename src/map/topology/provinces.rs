//! The provinces of a board as a list: codes, full names, kinds, coasts, centres.

use std::fmt::Write as _;

use serde::Serialize;

use super::board::Board;
use super::named_map::NamedMap;
use super::report::word_for;

/// A province, an impassable face or the Outside, as a line of a list.
#[derive(Serialize, Debug, Clone, PartialEq)]
pub struct ProvinceLine {
    /// `SPA`.
    pub code: String,
    /// `Spain`.
    pub name: String,
    /// `land`, `sea`, `impassable`, `outside`, `hole` or `void`.
    pub kind: &'static str,
    /// The names of the coasts of a land province; `None` for a single coast.
    pub coasts: Vec<Option<String>>,
    /// Is it a supply centre?
    pub supply_centre: bool,
    /// The power whose home centre it is.
    pub home: Option<String>,
}

/// Every face of a chart sorted by code; `board` must be derived from the chart.
///
/// ```
/// use upheaval_map::topology::{atlas, derive, provinces};
/// let chart = atlas::standard();
/// let list = provinces::list(&chart, &derive(chart.map()));
/// let spain = list.iter().find(|line| line.code == "SPA").unwrap();
/// assert_eq!((spain.name.as_str(), spain.coasts.len()), ("Spain", 2));
/// ```
pub fn list(chart: &NamedMap, board: &Board) -> Vec<ProvinceLine> {
    let map = chart.map();
    let mut lines: Vec<ProvinceLine> = map
        .faces()
        .map(|(id, face)| {
            let names = chart.coast_names(board, id);
            let coasts = if board.land().contains(id) { usize::from(board.coasts(id)) } else { 0 };
            let info = chart.info(id);
            let mut coasts: Vec<Option<String>> =
                (0..coasts).map(|i| names.get(i).map(ToString::to_string)).collect();
            coasts.sort();
            ProvinceLine {
                code: face.name().to_owned(),
                name: chart.full_name(id).unwrap_or_default().to_owned(),
                kind: word_for(face.kind(), face.state()),
                coasts,
                supply_centre: info.is_some_and(|info| info.supply_centre),
                home: info.and_then(|info| info.home).map(|power| chart.power_names().name(power).to_owned()),
            }
        })
        .collect();
    lines.sort_by(|a, b| a.code.cmp(&b.code));
    lines
}

/// The list as text, one line for each face, in columns.
pub fn to_text(lines: &[ProvinceLine]) -> String {
    let width = |of: fn(&ProvinceLine) -> usize| lines.iter().map(of).max().unwrap_or(0) + 2;
    let (codes, names) = (width(|line| line.code.len()), width(|line| line.name.chars().count()));
    let mut text = String::new();
    for line in lines {
        let coasts = match &line.coasts[..] {
            [] => String::new(),
            [_] => "coast".to_owned(),
            several => several.iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" "),
        };
        let centre = match (line.supply_centre, &line.home) {
            (false, _) => String::new(),
            (true, None) => "centre".to_owned(),
            (true, Some(power)) => format!("home of {power}"),
        };
        let columns =
            format!("{:<codes$}{:<names$}{:<12}{coasts:<8}{centre}", line.code, line.name, line.kind);
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{}", columns.trim_end());
    }
    text
}
