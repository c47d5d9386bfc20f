//! `greedy` with one rival at a time: a bot that leaves most powers alone, as people do.
//!
//! ```text
//!                    ┌─ its rivals, and powers that lead ─▶ as greedy sees them ──────────┐
//!   foreign centres ─┤                                                                    ├─▶ greedy
//!                    └─ other powers: it spares these ────▶ as if they were about to vanish ─┘
//! ```
//! A rival is drawn by lot among the powers with a centre within two moves of the bot's units, and remains one until
//! its last centre is gone. Rivals are all that the bot remembers: it forgives whoever attacks it, and does not
//! negotiate.

use upheaval_engine::ask::{Answer, Ask, Observation};
use upheaval_engine::bot::{Bot, BotKind, BotSetting, Pace, Tuning};
use upheaval_engine::ids::{Power, ProvinceSet};
use upheaval_engine::rng::Stream;

use crate::Greedy;
use crate::common::reach;

/// The powers that a [`Feud`] fights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FeudSettings {
    /// How many rivals it has at a time.
    pub rivals: usize,
    /// From how many centres on it fights a power in any case, in percent of an equal share of the centres among
    /// the powers that own one; at 0 never.
    pub leader: usize,
}

impl FeudSettings {
    /// Those of `feud`.
    pub const DEFAULT: FeudSettings = FeudSettings { rivals: 1, leader: 0 };
}

/// See the module documentation.
#[derive(Clone, Debug)]
pub struct Feud {
    settings: FeudSettings,
    rivals: Vec<Power>,
    greedy: Greedy,
}

pub(crate) const KIND: BotKind = BotKind {
    name: "feud",
    description: "`greedy` that fights one rival at a time, and leaves the other powers alone",
    // It uses this bot: when that plays differently, so does it.
    version: 1 + crate::greedy::KIND.version,
    make: || Box::new(Feud::new(FeudSettings::DEFAULT)),
    tuning: Some(Tuning { settings: &SETTINGS, make: tuned }),
    pace: Pace::Quick,
    weights: None,
};

const SETTINGS: [BotSetting; 2] = [
    BotSetting {
        name: "rivals",
        meaning: "number of powers that it fights at a time, each until it has lost its last centre",
        least: 0,
        most: 100,
        default: FeudSettings::DEFAULT.rivals as u64,
    },
    BotSetting {
        name: "leader",
        meaning: "the size from which it always fights a power, in percent of an equal share of the centres; \
                  0 means never",
        least: 0,
        most: 10_000,
        default: FeudSettings::DEFAULT.leader as u64,
    },
];

fn tuned(values: &[u64]) -> Box<dyn Bot> {
    let value = |at: usize| SETTINGS[at].value(values, at) as usize;
    Box::new(Feud::new(FeudSettings { rivals: value(0), leader: value(1) }))
}

impl Feud {
    /// The bot with these settings.
    pub fn new(settings: FeudSettings) -> Feud {
        Feud { settings, rivals: Vec::new(), greedy: Greedy::default() }
    }

    /// The centres of the powers that it leaves alone. Draws rivals where it lacks them.
    fn spared(&mut self, seen: &Observation<'_>, dice: &mut Stream) -> ProvinceSet {
        let centres_of = |power| *seen.position.centres_of(power) & *seen.centres;
        self.rivals.retain(|&rival| !centres_of(rival).is_empty());
        if self.rivals.len() < self.settings.rivals {
            self.draw_rivals(seen, dice);
        }
        let leader = self.settings.leader;
        let owners = seen.powers().iter().filter(|&power| !centres_of(power).is_empty()).count();
        let leads =
            |power| leader > 0 && 100 * centres_of(power).len() * owners >= leader * seen.centres.len();
        let fights = |power| self.rivals.contains(&power) || leads(power);
        let spared = seen.powers().iter().filter(|&power| power != seen.power && !fights(power));
        spared.map(centres_of).collect()
    }

    /// Draws rivals among the powers within reach, as many as it lacks.
    fn draw_rivals(&mut self, seen: &Observation<'_>, dice: &mut Stream) {
        let near = within_two_moves(seen) & *seen.centres;
        let mut others: Vec<Power> = seen.powers().iter().filter(|&power| power != seen.power).collect();
        others.retain(|power| {
            near.intersects(seen.position.centres_of(*power)) && !self.rivals.contains(power)
        });
        dice.shuffle(&mut others);
        others.truncate(self.settings.rivals - self.rivals.len());
        self.rivals.append(&mut others);
    }
}

/// Where the power's units could be after two moves without a convoy; of coasts, fleets may choose any.
fn within_two_moves(seen: &Observation<'_>) -> ProvinceSet {
    let own = *seen.position.units_of(seen.power);
    own.iter().fold(own, |all, at| {
        let first = reach(seen, at);
        let fleet = seen.position.fleets().contains(at);
        let next = |to| if fleet { *seen.board.fleet_reach_any(to) } else { *seen.board.army_reach(to) };
        first.iter().fold(all | first, |all, to| all | next(to))
    })
}

/// The observation in which these centres are about to vanish, so that nothing is to be gained by going there. `greedy`
/// retreats into one where no other place is nearer to a centre that it wants: a retreat is never refused for it.
fn sparing<'a>(seen: &Observation<'a>, spared: ProvinceSet) -> Observation<'a> {
    let mut altered = *seen;
    altered.doomed |= spared;
    altered
}

impl Bot for Feud {
    fn new_game(&mut self, _power: Power) {
        self.rivals.clear();
    }

    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        match ask {
            Ask::Movement(_) | Ask::Retreats(_) | Ask::Adjustments(_) | Ask::Seismic(_) => {
                let spared = self.spared(seen, dice);
                self.greedy.decide(&sparing(seen, spared), ask, dice, answer);
            }
            _ => self.greedy.decide(seen, ask, dice, answer),
        }
    }
}
