//! Saving and restoring a session as text.
//!
//! The text contains the rules, the seed, the state from which it was played unless that is the variant's own, and
//! the orders. Restoring a session replays the game from them and compares the hash of the state in every stage.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::adjudicate;
use crate::adjudicate::{AdjudicationService, Chance, Happenings, Id, Request};
use crate::diagnostic::wording;
use crate::game::{Game, Referee, Stage};
use crate::rules::event::Log;
use crate::rules::nature::Seeded;
use crate::rules::variant::{Files, Variant};
use crate::session::{Session, SessionError};
use serde::{Deserialize, Serialize};
use upheaval_map::ids::ByPower;

/// The format id of a saved session.
const FORMAT: &str = "upheaval-session";
/// The version of the format.
const FORMAT_VERSION: u32 = 1;

/// A settled stage: the state before it, and its orders.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PastStage {
    phase: String,
    state: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    orders: BTreeMap<String, Vec<String>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    format: String,
    format_version: u32,
    variant: String,
    files: Files,
    /// The hash of [`Variant::content`].
    rules: String,
    seed: u64,
    #[serde(default, skip_serializing_if = "is_first")]
    block: u64,
    last_year: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<Box<Request>>,
    stages: Vec<PastStage>,
    /// The current stage, with the orders given so far.
    now: PastStage,
}

/// Is it the default block?
fn is_first(block: &u64) -> bool {
    *block == 0
}

impl PastStage {
    pub(super) fn new(game: &Game, orders: &ByPower<Vec<String>>) -> PastStage {
        let given = orders.iter().filter(|(_, texts)| !texts.is_empty());
        PastStage {
            phase: game.phase().to_string(),
            state: format!("{:016x}", game.hash()),
            orders: game.power_names().by_name(given.map(|(power, texts)| (power, texts.clone()))),
        }
    }
}

fn rules(variant: &Variant) -> String {
    blake3::hash(variant.content().to_string().as_bytes()).to_hex().to_string()
}

impl Session {
    /// The session as text: its rules with their files, the seed, and all orders.
    ///
    /// ```
    /// # use upheaval_engine::prelude::*;
    /// let mut game = Session::new("black-hole", 7)?;
    /// game.order(Power::FRANCE, "A PAR - BUR")?;
    /// game.advance();
    /// game.order(Power::FRANCE, "A BUR - MUN")?;
    /// let again = Session::restore(&game.save()?)?;
    /// assert_eq!(again.game().hash(), game.game().hash());
    /// assert_eq!(again.orders(Power::FRANCE), ["A BUR - MUN"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The session was imagined ([`Session::imagine`]).
    pub fn save(&self) -> Result<String, SessionError> {
        let stages = self.past.as_ref().ok_or(SessionError::Imagined)?;
        let variant = self.game.variant();
        let saved = Saved {
            format: FORMAT.to_owned(),
            format_version: FORMAT_VERSION,
            variant: variant.id.clone(),
            files: variant.files.clone(),
            rules: rules(variant),
            seed: self.nature.seed,
            block: self.nature.block,
            last_year: self.game.last_year(),
            start: self.start.clone(),
            stages: stages.clone(),
            now: PastStage::new(&self.game, &self.orders),
        };
        // Plain strings and numbers cannot fail to serialise.
        Ok(serde_json::to_string(&saved).unwrap_or_default())
    }

    /// Restores a session from a text that [`Session::save`] wrote, by replaying the game.
    ///
    /// # Errors
    /// The text is not a saved session; its variant was made in code rather than read from files
    /// ([`Session::restore_with`]); its start is none that a game can go on from; or the game goes differently,
    /// because the text or the program has changed.
    pub fn restore(text: &str) -> Result<Session, SessionError> {
        let saved = Saved::parse(text)?;
        let variant = saved.files.check(&saved.variant)?;
        saved.play(Arc::new(variant))
    }

    /// Replays the session from its start. Before each stage, and at the end, `shown` is called with the
    /// current state and the log so far; each stage is logged to the log that `logged` returns.
    ///
    /// # Errors
    /// The session was imagined, or the game goes differently.
    pub fn play_again<L: Log>(
        &self,
        begin: impl FnOnce(&Session) -> L,
        mut look: impl FnMut(&Session, &L),
    ) -> Result<(Session, L), SessionError> {
        let stages = self.past.as_ref().ok_or(SessionError::Imagined)?;
        let mut session =
            Session::started(self.start.clone(), Arc::clone(self.variant()), self.nature.clone())?
                .ending_in(self.game.last_year());
        let mut log = begin(&session);
        for stage in stages {
            look(&session, &log);
            stage.give(&mut session)?;
            session.advance_into(&mut log);
        }
        look(&session, &log);
        Ok((session, log))
    }

    /// Restores a session with a given variant, for variants that are made in code.
    ///
    /// # Errors
    /// As for [`Session::restore`]; in addition, the variant may be a different one.
    pub fn restore_with(text: &str, variant: Arc<Variant>) -> Result<Session, SessionError> {
        Saved::parse(text)?.play(variant)
    }
}

impl Session {
    /// A session at its start.
    fn started(
        start: Option<Box<Request>>,
        variant: Arc<Variant>,
        nature: Seeded,
    ) -> Result<Session, SessionError> {
        let session = match start {
            Some(start) => Session::from_state(*start, variant)?,
            None => Session::of(variant, nature.seed),
        };
        Ok(Session { nature, ..session })
    }
}

impl Saved {
    fn parse(text: &str) -> Result<Saved, SessionError> {
        let saved: Saved =
            serde_json::from_str(text).map_err(|error| SessionError::Form(wording::of_json_at(&error)))?;
        if (saved.format.as_str(), saved.format_version) != (FORMAT, FORMAT_VERSION) {
            let message = format!(
                "expected format `{FORMAT}`, version {FORMAT_VERSION}, found `{}`, version {}",
                saved.format, saved.format_version
            );
            return Err(SessionError::Form(message));
        }
        Ok(saved)
    }

    fn play(self, variant: Arc<Variant>) -> Result<Session, SessionError> {
        if rules(&variant) != self.rules {
            return Err(SessionError::OtherRules(self.variant));
        }
        let nature = Seeded { seed: self.seed, block: self.block };
        let mut session = Session::started(self.start, variant, nature)?.ending_in(self.last_year);
        for stage in &self.stages {
            stage.give(&mut session)?;
            session.advance();
        }
        self.now.give(&mut session)?;
        Ok(session)
    }
}

impl PastStage {
    /// Compares the state and gives the orders.
    fn give(&self, session: &mut Session) -> Result<(), SessionError> {
        let differs = |what: String| SessionError::Departs { phase: self.phase.clone(), what };
        let now = PastStage::new(&session.game, &ByPower::new(session.game.powers()));
        if (&self.phase, &self.state) != (&now.phase, &now.state) {
            let what = format!("{} with state {}, not {}", now.phase, now.state, self.state);
            return Err(differs(what));
        }
        for (name, texts) in &self.orders {
            let power = session.game.power_names().named(name).map_err(|error| differs(error.to_string()))?;
            for text in texts {
                let given = session.order_in_notation(power, text);
                given.map_err(|refusal| differs(format!("{name} {text}: {refusal}")))?;
            }
        }
        Ok(())
    }
}

// The state of a game as text: out of a session, and into a new one.

impl Session {
    /// The current state of the game in the form of a request to [`crate::adjudicate`], without orders
    /// (docs/adjudicate.md): with the rules, which it names, all that the rest of the game depends on. The secrets of
    /// all powers are in it, and the seed, which foretells the random events. `None` while the game waits for choices
    /// of coasts, and when it is over.
    ///
    /// ```
    /// # use upheaval_engine::prelude::*;
    /// let mut game = Session::new("black-hole", 7)?;
    /// game.advance();
    /// let state = serde_json::to_string(&game.state().expect("it waits for orders"))?;
    /// let mut branch = Session::resume(&state)?;
    /// branch.order(Power::FRANCE, "A PAR - BUR")?;
    /// assert_eq!(branch.advance().map_changes, game.advance().map_changes);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn state(&self) -> Option<Request> {
        if matches!(self.stage(), Stage::Coasts | Stage::Over) {
            return None;
        }
        let nature = Chance::Seeded(self.nature.clone());
        let mut state = Request::of(&self.game, self.happenings.all.clone(), nature);
        if let Some(start) = &self.start {
            (state.variant, state.parameters) = (start.variant.clone(), start.parameters.clone());
        }
        Some(state)
    }

    /// A game that goes on from a state: a request to [`crate::adjudicate`] whose `nature` is a seed, such as the `next`
    /// part of an answer or the [state](Session::state) of another session. Its orders are ignored. Its variant is found
    /// as there, so that a variant file must be in the working folder or below it.
    ///
    /// # Errors
    /// The text is not such a request, has a rulebook of its own, or there is no such variant.
    pub fn resume(state: &str) -> Result<Session, SessionError> {
        let (state, variant) = AdjudicationService::new().read(state)?;
        Session::from_state(state, variant)
    }

    /// The same by the rules of a given variant, in place of the `variant` and `parameters` of the state: for rules that
    /// these do not give, because they were made in code or from a text.
    ///
    /// # Errors
    /// As for [`Session::resume`].
    pub fn resume_with(state: &str, variant: Arc<Variant>) -> Result<Session, SessionError> {
        let state = adjudicate::parse(state)?;
        let (id, parameters) = (variant.id.clone(), BTreeMap::new());
        Session::from_state(Request { variant: id, parameters, ..state }, variant)
    }

    /// The state from which the game was [resumed](Session::resume), if it was.
    pub fn start(&self) -> Option<&Request> {
        self.start.as_deref()
    }

    /// A game that starts in this state.
    pub(super) fn from_state(state: Request, variant: Arc<Variant>) -> Result<Session, SessionError> {
        let (game, nature) = state.resume(variant)?;
        let start = Request { id: Id::default(), orders: None, ..state };
        Ok(Session {
            orders: ByPower::new(game.powers()),
            game,
            referee: Referee::new(),
            nature,
            happenings: Happenings::after(&start.map_events),
            start: Some(Box::new(start)),
            past: Some(Vec::new()),
        })
    }
}
