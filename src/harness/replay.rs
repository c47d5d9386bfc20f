//! A game kept, and played again from what was kept: without bots, and without drawing anything.
//!
//! ```text
//!   bots ─▶ play() ──Log──▶ Transcript: all that was told, in order, and the hash of the end
//!                               │
//!                               ├──▶ decisions ──▶ Game ──▶ what is told now is compared with
//!                               └──▶ draws ──────▶            what was told then, entry by entry
//! ```
//!
//! The decisions and draws of a stage are read ahead of the entry at which the comparison stands. Whatever else is in
//! the transcript follows from them by the rules; so a changed, missing or added entry is found where the game tells
//! something else, at the latest when the hash of the end is another.

mod departure;
mod reader;
mod transcript;

use std::sync::Arc;

pub use departure::Departure;
pub use transcript::{Entry, Transcript};

use reader::{Compared, Drawn, Reader};
use upheaval_engine::game::{Game, Referee, Stage};
use upheaval_engine::rules::event::Log;
use upheaval_engine::rules::legal::{ConvoyChains, is_legal, is_legal_landing};
use upheaval_engine::rules::order::Orders;
use upheaval_engine::rules::variant::Variant;
use upheaval_map::ids::{ByPower, Power};

/// Plays the game of a transcript again, from the start of its variant to its end. The hash of the game that comes
/// back is that of the original ([`Game::hash`]), and is compared where the transcript has it.
///
/// # Errors
/// The first departure of the game from the transcript.
pub fn replay(variant: Arc<Variant>, last_year: u16, transcript: &Transcript) -> Result<Game, Departure> {
    Replay::new(Game::new(variant, last_year), transcript).finish(&mut ())
}

/// A game that is played again, stage by stage.
pub struct Replay<'a> {
    game: Game,
    referee: Referee,
    chains: ConvoyChains,
    reader: Reader<'a>,
    end: Option<u64>,
}

impl<'a> Replay<'a> {
    /// Begins to play a transcript again from where its game began.
    pub fn new(game: Game, transcript: &'a Transcript) -> Replay<'a> {
        Replay {
            game,
            referee: Referee::new(),
            chains: ConvoyChains::default(),
            reader: Reader::new(&transcript.entries),
            end: transcript.end,
        }
    }

    /// The game as it stands now.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Settles the stage that the game waits in and returns the next. `log` is told what the original's was, faults
    /// of bots included.
    ///
    /// # Errors
    /// The first departure from the transcript. The game has gone on by itself since then: it is of no use.
    pub fn step(&mut self, log: &mut dyn Log) -> Result<Stage, Departure> {
        match self.game.stage() {
            Stage::Movement => self.move_units(log)?,
            Stage::Retreats => self.retreat(log)?,
            Stage::Coasts => self.choose_coasts(log),
            Stage::Adjustments => self.adjust(log),
            Stage::Seismic => self.shake(log)?,
            Stage::Over => return Ok(Stage::Over),
        }
        self.reader.pass_faults(self.game.terrain(), log);
        self.reader.departure()?;
        let stage = self.game.stage();
        if stage == Stage::Over {
            self.check_end()?;
        }
        Ok(stage)
    }

    /// Plays on to the end and returns the game.
    ///
    /// # Errors
    /// As [`Replay::step`].
    pub fn finish(mut self, log: &mut dyn Log) -> Result<Game, Departure> {
        while self.step(log)? != Stage::Over {}
        Ok(self.game)
    }

    fn move_units(&mut self, log: &mut dyn Log) -> Result<(), Departure> {
        let at = self.game.phase();
        let declared = self.reader.declared();
        let Some(Entry::Movement { orders: kept, landings, .. }) = self.reader.decision() else {
            return Err(self.reader.no_orders(at, "movement"));
        };
        let (board, position) = (self.game.terrain().board(), &self.game.world().position);
        self.chains.update(board, &self.game.variant().rulebook, position);
        let mut orders = Orders::all_hold();
        for &(unit, order) in kept {
            // What does not belong to a unit is no order, and missed when the orders are compared.
            if position.occupied().contains(unit) {
                if !is_legal(board, position, &self.chains, unit, order) {
                    return Err(Departure::illegal(at, self.game.terrain(), unit, order));
                }
                orders[unit] = order;
            }
        }
        for &landing in landings {
            let power = position.unit(landing.fleet).map(|unit| unit.power);
            let legal = |power| is_legal_landing(board, position, &self.chains, power, landing);
            if !power.is_some_and(legal) {
                return Err(Departure::illegal_landing(at, self.game.terrain(), landing));
            }
            orders.land(landing);
        }
        let (mut nature, mut log) = (Drawn(&self.reader), Compared { reader: &self.reader, log });
        self.game.settle_movement(&mut self.referee, &orders, &declared, &mut nature, &mut log);
        Ok(())
    }

    fn retreat(&mut self, log: &mut dyn Log) -> Result<(), Departure> {
        let Some(Entry::Retreats { orders, .. }) = self.reader.decision() else {
            return Err(self.reader.no_orders(self.game.phase(), "retreat"));
        };
        let (mut nature, mut log) = (Drawn(&self.reader), Compared { reader: &self.reader, log });
        self.game.settle_retreats(orders, &mut nature, &mut log);
        Ok(())
    }

    fn choose_coasts(&mut self, log: &mut dyn Log) {
        let reader = &self.reader;
        let (mut nature, mut log) = (Drawn(reader), Compared { reader, log });
        let disbanded = reader.disbanded();
        self.game.settle_coasts(&mut nature, &mut log, disbanded, |_, choice| reader.coast(choice.fleet));
    }

    fn adjust(&mut self, log: &mut dyn Log) {
        let orders = ByPower::from_fn(|power: Power| self.reader.adjustments(power));
        let (mut nature, mut log) = (Drawn(&self.reader), Compared { reader: &self.reader, log });
        self.game.settle_adjustments(&orders, &mut nature, &mut log);
    }

    fn shake(&mut self, log: &mut dyn Log) -> Result<(), Departure> {
        let Some(Entry::Seismic { orders, .. }) = self.reader.decision() else {
            return Err(self.reader.no_orders(self.game.phase(), "seismic"));
        };
        let (mut nature, mut log) = (Drawn(&self.reader), Compared { reader: &self.reader, log });
        self.game.settle_seismic(orders, &mut nature, &mut log);
        Ok(())
    }

    fn check_end(&self) -> Result<(), Departure> {
        let at = self.game.phase();
        if let Some(entry) = self.reader.ahead().first() {
            return Err(Departure::goes_on(at, self.game.terrain(), entry));
        }
        let told = self.game.hash();
        match self.end {
            Some(kept) if kept != told => Err(Departure::End { at, kept, told }),
            _ => Ok(()),
        }
    }
}
