//! The first lines of a balance: which bots played, and what about their games must be known before anything is read of
//! the powers.
//!
//! A rotation over the seats makes powers alike and hides how unlike the bots are: rules look fair in which one bot
//! wins every game. And where every game ends in the same way, equal powers say nothing.

use serde::Serialize;

use crate::balance::cell::{BotRecord, CellBalance};
use crate::balance::source::{SeatedBot, seated};
use upheaval_harness::record::GameEnd;

/// From this share of the games on, one of several bots won most of them.
pub(crate) const MOST: f64 = 0.5;
/// From this share of the games on, nearly all ended alike.
pub(crate) const NEARLY_ALL: f64 = 0.95;
/// Which bot can be trusted for which question.
const VALIDITY: &str = "docs/validity.md";

/// The first lines of a balance.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Headline {
    /// What must be known first; empty where nothing must.
    pub notices: Vec<HeadlineNotice>,
    /// The bots of each line-up; empty for games of people.
    pub line_ups: Vec<NamedBots>,
    /// The page on which bot can be trusted for which question.
    pub validity: &'static str,
}

/// The bots of a line-up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamedBots {
    /// The line-up's number.
    pub line_up: usize,
    /// Its display name.
    pub label: String,
    /// Its bots, in the order of their first seats.
    pub bots: Vec<SeatedBot>,
}

/// Something about the games of a line-up that must be known first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeadlineNotice {
    /// The line-up's number.
    pub line_up: usize,
    /// The arms whose games it is about.
    pub arms: Vec<String>,
    /// What is so.
    pub what: NoticeKind,
    /// The least share of the games of an arm.
    pub least: f64,
    /// The greatest share.
    pub most: f64,
    /// The notice in words.
    pub sentence: String,
}

/// What must be known first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoticeKind {
    /// One of several bots won at least half of the games.
    WonMost(SeatedBot),
    /// At least 95% of the games ended in this way.
    EndedAlike {
        /// The word of the column `end`.
        end: &'static str,
    },
}

impl CellBalance {
    /// How nearly all of its games ended, if they ended alike, and the share that did.
    pub fn ended_alike(&self) -> Option<(GameEnd, f64)> {
        // A game that was stopped counts as a solo or a draw, too.
        let ends = self.ends.all().into_iter().filter(|(end, _)| *end != GameEnd::Stopped);
        let mut known = ends.filter_map(|(end, share)| Some((end, share?.estimate)));
        known.find(|(_, share)| *share >= NEARLY_ALL)
    }

    /// The one of several bots that won most of its games, if one did.
    pub(crate) fn won_most(&self) -> Option<&BotRecord> {
        self.bots.iter().find(|of| self.bots.len() > 1 && of.won >= MOST)
    }

    /// What must be known of its games, with the shares of the games that it is true of.
    fn notices(&self) -> impl Iterator<Item = (NoticeKind, f64)> {
        let won = self.won_most().map(|of| (NoticeKind::WonMost(of.seated.clone()), of.won));
        let alike =
            self.ended_alike().map(|(end, share)| (NoticeKind::EndedAlike { end: end.name() }, share));
        won.into_iter().chain(alike)
    }
}

impl Headline {
    /// Of these cells, whose games people may have played.
    pub(super) fn of(cells: &[CellBalance], of_people: bool) -> Headline {
        let mut notices: Vec<HeadlineNotice> = Vec::new();
        let mut line_ups: Vec<NamedBots> = Vec::new();
        for cell in cells {
            if !of_people && line_ups.iter().all(|known| known.line_up != cell.line_up) {
                let (label, bots) = (cell.seating.label.clone(), seated(&cell.seating.bots));
                line_ups.push(NamedBots { line_up: cell.line_up, label, bots });
            }
            for (what, share) in cell.notices() {
                let same = |known: &&mut HeadlineNotice| known.line_up == cell.line_up && known.what == what;
                match notices.iter_mut().find(same) {
                    Some(known) => {
                        known.arms.push(cell.arm.clone());
                        known.least = known.least.min(share);
                        known.most = known.most.max(share);
                    }
                    None => notices.push(HeadlineNotice {
                        line_up: cell.line_up,
                        arms: vec![cell.arm.clone()],
                        what,
                        least: share,
                        most: share,
                        sentence: String::new(),
                    }),
                }
            }
        }
        line_ups.sort_by_key(|of| of.line_up);
        // A bot that won most games comes first, and it is not said of all line-ups before anything is said of one.
        notices.sort_by_key(|of| (matches!(of.what, NoticeKind::EndedAlike { .. }), of.line_up));
        let label = |arm: &String| {
            cells.iter().find(|cell| cell.arm == *arm).map_or(arm.clone(), |cell| cell.label.clone())
        };
        let all = |line_up: usize| cells.iter().filter(|cell| cell.line_up == line_up).count();
        for notice in &mut notices {
            let whose = line_ups.iter().find(|of| of.line_up == notice.line_up);
            let line_up = match line_ups.len() {
                1 => String::new(),
                _ => whose.map_or(String::new(), |of| format!(" of {}", of.label)),
            };
            let arms = match all(notice.line_up) == notice.arms.len() {
                true => String::new(),
                false => format!(" ({})", notice.arms.iter().map(label).collect::<Vec<_>>().join("; ")),
            };
            let seats = whose.map_or(0, |of| of.bots.iter().map(|of| of.seats).sum());
            notice.sentence = notice.words(&format!("{line_up}{arms}"), seats);
        }
        Headline { notices, line_ups, validity: VALIDITY }
    }

    /// The first lines as text.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let notices = self.notices.iter().map(|notice| notice.sentence.clone());
        let bots = self.line_ups.iter().map(|of| {
            let bots: Vec<String> = of.bots.iter().map(|of| format!("{} × {}", of.seats, of.bot)).collect();
            format!("The bots of {}: {}.", of.label, bots.join(", "))
        });
        let trusted = format!("The page {} says which bot to trust for which question.", self.validity);
        notices.chain(bots).chain((!self.line_ups.is_empty()).then_some(trusted))
    }
}

impl HeadlineNotice {
    /// In words. `games` names the line-up and the arms, where there are others.
    fn words(&self, games: &str, all_seats: usize) -> String {
        let share = match (format!("{:.1}", 100.0 * self.least), format!("{:.1}", 100.0 * self.most)) {
            (least, most) if least == most => format!("{least}%"),
            (least, most) => format!("{least} to {most}%"),
        };
        match &self.what {
            NoticeKind::WonMost(SeatedBot { bot, seats }) => format!(
                "{bot} won {share} of the games{games} with {seats} of {all_seats} seats. The results of the powers are mostly \
                 those of this bot, and equal powers do not mean that the bots are equal."
            ),
            NoticeKind::EndedAlike { end } => {
                let (how, so) = match *end {
                    "solo" => ("ended in a solo", "The score then says only which power won."),
                    "draw" => (
                        "were drawn",
                        "They do not show whether one power would win more often than another: equal scores are not evidence \
                         that the powers are equal.",
                    ),
                    "deserted" => (
                        "ended with no power left",
                        "No power scored in them, which is not evidence that the powers are equal.",
                    ),
                    _ => (
                        "are not finished",
                        "No power won them, which is not evidence that the powers are equal.",
                    ),
                };
                format!("Nearly all games{games} ended alike: {share} {how}. {so}")
            }
        }
    }
}
