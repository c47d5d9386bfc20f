//! What a power is asked at a point of a season, and what it may answer.
//!
//! ```text
//!   Game::asks(power) ─▶ Ask ─▶ the power: a bot, a program, a person ─▶ Answer: Decision by Decision, each checked
//!                                                                            │
//!   Game: settles the stage ◀─ Answers of all powers ◀───────────────────────┘
//! ```
//! An [`Ask`] is one question: its kind, and what may be chosen. A power writes its decisions into an [`Answer`], which
//! refuses those that are not possible, with the reason. The rules decide whatever a power leaves open.

mod choices;
mod observation;
mod questions;

use crate::game::{Game, Stage};
use crate::reading::Refusal;
use crate::rules::adjustment::Adjusting;
use crate::rules::answers::Answers;
use crate::rules::conduct::RefusedOrder;
use crate::rules::decision::Decision;
use crate::rules::game_state::CoastChoice;
use crate::rules::order::Poll;
use arrayvec::ArrayVec;
use upheaval_map::ids::{Location, Power, ProvinceId};

pub use crate::ask::choices::{Choice, LegalOrder};
pub use crate::ask::observation::{Faculty, Handicap, Imagined, Observation, Public, Retreating};
pub use crate::ask::questions::{
    Adjustments, Announce, Exempt, Movement, RetreatChoice, Retreats, Seismic, Trapped,
};

/// A kind of question: who is asked, and which decisions are possible. All kinds are in `ask/questions.rs`.
trait Question {
    /// Calls `found` with each question of the kind to the power in the stage that the game waits for.
    fn asked(game: &Game, power: Power, found: impl FnMut(Self))
    where
        Self: Sized;

    /// The word for the subject of a question about the power itself: `EXEMPT`.
    fn topic(&self) -> &str {
        ""
    }

    /// Calls `found` with each possible decision and its subject, in canonical order; the decisions about a subject
    /// follow each other.
    fn choices(&self, seen: &Observation<'_>, found: &mut dyn FnMut(Subject, Decision));

    /// Is the decision an answer to this question, possible or not?
    fn takes(&self, decision: &Decision) -> bool;

    /// Why a decision that is not among the choices is refused.
    fn refusal(&self) -> Refusal {
        Refusal::NotAsked
    }

    /// May the decision, which is of this kind, be given? The methods of [`Answer`] check the orders of a movement.
    fn check(&self, answer: &mut Answer<'_>, decision: &Decision) -> Result<(), Refusal> {
        let mut is_choice = false;
        self.choices(answer.seen, &mut |_, choice| is_choice |= choice == *decision);
        if is_choice { Ok(()) } else { Err(self.refusal()) }
    }

    /// What the power has decided so far.
    fn decided(&self, answer: &Answer<'_>) -> Vec<Decision>;
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

            fn question(&self) -> &dyn Question {
                match self {
                    $(Ask::$Kind(question) => question,)*
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

/// The questions that a power answers together: at most [`MOST_POLLS`](crate::rules::order::MOST_POLLS) beside its exempt
/// centre, the announcement of it, and its orders.
pub(crate) type Asks = ArrayVec<Ask, 8>;

impl Ask {
    /// The word for the subject of a question about the power itself: `EXEMPT`; empty for other questions.
    pub fn topic(&self) -> &str {
        self.question().topic()
    }

    /// Calls `found` with each possible decision and its subject, in canonical order; the decisions about a subject
    /// follow each other.
    pub fn choices(&self, seen: &Observation<'_>, mut found: impl FnMut(Subject, Decision)) {
        self.question().choices(seen, &mut found);
    }

    /// Is the decision an answer to this question, possible or not?
    pub fn takes(&self, decision: &Decision) -> bool {
        self.question().takes(decision)
    }

    /// Is it answered together with the orders of a movement?
    pub fn is_of_movement(&self) -> bool {
        matches!(self, Ask::Exempt(_) | Ask::Announce(_) | Ask::Poll(_) | Ask::Movement(_))
    }

    /// Is a bot with this handicap asked?
    pub(crate) fn is_allowed(&self, handicap: Handicap) -> bool {
        match self {
            Ask::Exempt(_) | Ask::Announce(_) => !handicap.denies(Faculty::Exemptions),
            Ask::Poll(_) => !handicap.denies(Faculty::Votes),
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

// The answer of a power to what it is asked.

/// A power's answer to the questions that it is asked together. A possible decision counts as soon as it is given, and
/// replaces an earlier one about the same; any other is refused and changes nothing. Answers of other powers are not
/// visible.
pub struct Answer<'a> {
    seen: &'a Observation<'a>,
    asks: &'a [Ask],
    /// The answers of all powers, including this one.
    answers: &'a mut Answers,
    /// The builds or removals that are left.
    adjusting: Option<Adjusting>,
    refused: Vec<RefusedOrder>,
}

impl<'a> Answer<'a> {
    /// The answer of the observing power to these questions. It is stored among those of the others.
    #[inline]
    pub fn new(seen: &'a Observation<'a>, asks: &'a [Ask], answers: &'a mut Answers) -> Answer<'a> {
        Answer { seen, asks, answers, adjusting: None, refused: Vec::new() }
    }

    /// The decisions that were refused.
    pub fn refused(&self) -> &[RefusedOrder] {
        &self.refused
    }

    /// The same, without the answer.
    pub(crate) fn into_refused(self) -> Vec<RefusedOrder> {
        self.refused
    }

    /// Gives a decision. Returns false and notes a refusal if it is not possible.
    pub fn give(&mut self, decision: &Decision) -> bool {
        match decision {
            Decision::Order { unit, order } => self.write(*unit, *order),
            Decision::Landing(landing) => self.land(*landing),
            Decision::List(list) => self.list_retreats(list.unit, list.places.iter().copied()),
            _ => match self.check(decision) {
                Ok(()) => {
                    self.answers.put(self.seen.power, decision);
                    true
                }
                Err(refusal) => {
                    self.refused.push(RefusedOrder::new(self.text(decision), refusal.to_string()));
                    false
                }
            },
        }
    }

    /// Gives those of the decisions that answer this question.
    pub fn give_all<'d>(&mut self, ask: &Ask, decisions: impl IntoIterator<Item = &'d Decision>) {
        for decision in decisions.into_iter().filter(|decision| ask.takes(decision)) {
            self.give(decision);
        }
    }

    /// May this decision be given, other than the orders of a movement?
    fn check(&mut self, decision: &Decision) -> Result<(), Refusal> {
        let asked = self.asks.iter().find(|ask| ask.takes(decision));
        asked.ok_or(Refusal::NotAsked)?.question().check(self, decision)
    }

    /// The decisions about a question so far.
    pub fn decided(&self, ask: &Ask) -> Vec<Decision> {
        ask.question().decided(self)
    }

    /// Takes back the seismic order, and all builds and removals.
    pub fn withdraw(&mut self) {
        self.answers.seismic[self.seen.power] = None;
        self.answers.adjustments[self.seen.power].clear();
        self.adjusting = None;
    }

    /// A decision in the notation, as a refusal names it.
    fn text(&self, decision: &Decision) -> String {
        let text = match decision {
            // A quake that is not on the map has no name on it.
            Decision::Seismic(_) => return "a seismic order".to_owned(),
            _ => self.seen.world().text_of(decision),
        };
        text.unwrap_or_else(|| "an order to a province without a unit".to_owned())
    }
}

// What a decision is about.

/// What a possible decision is about: a power makes one decision, or several, about each subject.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The unit in this province.
    Unit(ProvinceId),
    /// The army aboard the fleet in this province, or ordered to it.
    Aboard(ProvinceId),
    /// The retreats of the unit in this province, if it is dislodged.
    Retreats(ProvinceId),
    /// The unit with this number among all that must retreat.
    Dislodged(usize),
    /// The fleet in this province, which has lost its coast.
    Fleet(ProvinceId),
    /// A site for a build.
    Site(ProvinceId),
    /// The power itself.
    Power,
}

impl Subject {
    /// Its text in a question: `A PAR`, `A PAR R`, `PAR`, `EXEMPT`.
    pub fn text(self, ask: &Ask, seen: Public<'_>) -> String {
        let names = seen.names();
        let unit = |at| seen.position().unit_named(names, at);
        match self {
            Subject::Unit(at) => unit(at).to_string(),
            Subject::Aboard(at) => format!("A aboard {}", unit(at)),
            Subject::Retreats(at) => format!("{} R", unit(at)),
            Subject::Dislodged(i) => {
                let dislodged = seen.dislodged().dislodged[i];
                let at = Location { province: dislodged.at, coast: dislodged.unit.coast };
                names.unit(at, dislodged.unit.designation()).to_string()
            }
            Subject::Fleet(at) => format!("F {}", names.province(at)),
            Subject::Site(at) => names.province(at).to_owned(),
            Subject::Power => ask.topic().to_owned(),
        }
    }
}
