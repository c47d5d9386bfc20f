//! What a power is asked at a point of a season, and what it may answer.
//!
//! ```text
//!   Game::asks(power) ─▶ Ask ─▶ the power: a bot, a program, a person ─▶ Answer: Decision by Decision, each checked
//!                                                                            │
//!   Game: settles the stage ◀─ Answers of all powers ◀───────────────────────┘
//! ```
//! An [`Ask`] is one question: its kind, and what may be chosen. A power writes its decisions into an [`Answer`], which
//! refuses those that are not possible, with the reason. The rules decide whatever a power leaves open.

mod adjustments;
mod answer;
mod coasts;
mod declared;
mod handicap;
mod imagined;
mod movement;
mod observation;
mod poll;
mod public;
mod retreats;
mod seismic;
mod subject;

use arrayvec::ArrayVec;

pub use adjustments::Adjustments;
pub use answer::Answer;
pub use coasts::Trapped;
pub use declared::{Announce, Exempt};
pub use handicap::{Faculty, Handicap};
pub use imagined::Imagined;
pub use movement::Movement;
pub use observation::Observation;
pub use public::Public;
pub use retreats::{RetreatChoice, Retreating, Retreats};
pub use seismic::Seismic;
pub use subject::Subject;

use crate::game::{Game, Stage};
use crate::reading::Refusal;
use crate::rules::decision::Decision;
use crate::rules::game_state::CoastChoice;
use crate::rules::poll::Poll;
use upheaval_map::ids::Power;

/// A kind of question: who is asked, and which decisions are possible. Each kind is whole in a file of its own.
trait Question: Sized {
    /// Calls `found` with each question of the kind to the power in the stage that the game waits for.
    fn asked(game: &Game, power: Power, found: impl FnMut(Self));

    /// The word for the subject of a question about the power itself: `EXEMPT`.
    fn topic(&self) -> &str {
        ""
    }

    /// Calls `found` with each possible decision and its subject, in canonical order; the decisions about a subject
    /// follow each other.
    fn choices(&self, seen: &Observation<'_>, found: impl FnMut(Subject, Decision));

    /// Is the decision an answer to this question, possible or not?
    fn takes(&self, decision: &Decision) -> bool;

    /// May the decision, which is of this kind, be given?
    fn check(&self, answer: &mut Answer<'_>, decision: &Decision) -> Result<(), Refusal>;

    /// What the power has decided so far.
    fn decided(&self, answer: &Answer<'_>) -> Vec<Decision>;

    /// Takes it back.
    fn withdraw(&self, answer: &mut Answer<'_>);
}

macro_rules! questions {
    ($($(#[$meaning:meta])* $Kind:ident($Question:ty),)*) => {
        /// A question to a power at a point of a season.
        #[derive(Clone, Debug)]
        pub enum Ask {
            $($(#[$meaning])* $Kind($Question),)*
        }

        impl Ask {
            fn each_of(game: &Game, power: Power, mut found: impl FnMut(Ask)) {
                $(<$Question>::asked(game, power, |question| found(Ask::$Kind(question)));)*
            }

            /// The word for the subject of a question about the power itself: `EXEMPT`; empty for other questions.
            pub fn topic(&self) -> &str {
                match self {
                    $(Ask::$Kind(question) => question.topic(),)*
                }
            }

            /// Calls `found` with each possible decision and its subject, in canonical order; the decisions about a
            /// subject follow each other.
            pub fn choices(&self, seen: &Observation<'_>, found: impl FnMut(Subject, Decision)) {
                match self {
                    $(Ask::$Kind(question) => question.choices(seen, found),)*
                }
            }

            /// Is the decision an answer to this question, possible or not?
            pub fn takes(&self, decision: &Decision) -> bool {
                match self {
                    $(Ask::$Kind(question) => question.takes(decision),)*
                }
            }

            fn check(&self, answer: &mut Answer<'_>, decision: &Decision) -> Result<(), Refusal> {
                match self {
                    $(Ask::$Kind(question) => question.check(answer, decision),)*
                }
            }

            fn decided(&self, answer: &Answer<'_>) -> Vec<Decision> {
                match self {
                    $(Ask::$Kind(question) => question.decided(answer),)*
                }
            }

            fn withdraw(&self, answer: &mut Answer<'_>) {
                match self {
                    $(Ask::$Kind(question) => question.withdraw(answer),)*
                }
            }
        }
    };
}
questions! {
    /// Which home centre should holes spare? Without an answer, the variant makes the first choice, and a later one
    /// stays as it is.
    Exempt(Exempt),
    /// Should the exempt centre be announced?
    Announce(Announce),
    /// A question of a mechanism, such as a vote. Without an answer, the mechanism decides.
    Poll(Poll),
    /// The orders of the power's units, and lists of retreats where these are sent with the orders. Units without an
    /// order hold.
    Movement(Movement),
    /// The orders of the power's dislodged units. A unit without one does what the variant prescribes.
    Retreats(Retreats),
    /// The coast of a fleet whose own coast split or vanished. Without an answer it takes the default.
    Coast(CoastChoice),
    /// The fate of a fleet that has just lost its last coast. It stays unless the power disbands it.
    Trapped(Trapped),
    /// Builds or removals. Civil disorder makes up for missing removals.
    Adjustments(Adjustments),
    /// A seismic order, or none.
    Seismic(Seismic),
}

/// The questions that a power answers together: at most [`MOST_POLLS`](crate::rules::poll::MOST_POLLS) beside its exempt
/// centre, the announcement of it, and its orders.
pub(crate) type Asks = ArrayVec<Ask, 8>;

impl Ask {
    /// Is it answered together with the orders of a movement?
    pub fn is_of_movement(&self) -> bool {
        matches!(self, Ask::Exempt(_) | Ask::Announce(_) | Ask::Poll(_) | Ask::Movement(_))
    }

    /// Is a bot with this handicap asked?
    pub(crate) fn is_allowed(&self, handicap: Handicap) -> bool {
        match self {
            Ask::Exempt(_) | Ask::Announce(_) => !handicap.denies(Faculty::Exemptions),
            Ask::Seismic(_) => !handicap.denies(Faculty::Seismic),
            _ => true,
        }
    }
}

impl Game {
    /// The questions to a power in the stage that the game waits for.
    pub fn asks(&self, power: Power) -> Vec<Ask> {
        let mut asks = Vec::new();
        Ask::each_of(self, power, |ask| asks.push(ask));
        asks
    }

    /// Calls `ask` for one power after the other with the questions that it answers together, in the order in which the
    /// game asks them: fleets that need a coast in their order, each by itself, and otherwise the powers in theirs.
    pub(crate) fn each_asked(&self, mut ask: impl FnMut(Power, &mut Asks)) {
        let mut asks = Asks::new();
        let mut turn = |power, asks: &mut Asks| {
            if !asks.is_empty() {
                ask(power, asks);
                asks.clear();
            }
        };
        if self.stage() == Stage::Coasts {
            for choice in self.coast_choices() {
                asks.push(Ask::Coast(choice.clone()));
                turn(choice.power, &mut asks);
            }
            for &(fleet, power) in self.trapped() {
                asks.push(Ask::Trapped(Trapped { fleet }));
                turn(power, &mut asks);
            }
            return;
        }
        for power in self.powers() {
            Ask::each_of(self, power, |ask| asks.push(ask));
            turn(power, &mut asks);
        }
    }
}
