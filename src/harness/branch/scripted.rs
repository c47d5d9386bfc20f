//! Bots that give scripted orders once.

use upheaval_engine::ask::{Answer, Ask, Faculty, Handicap, Observation};
use upheaval_engine::bot::{Bot, Decision};
use upheaval_engine::rules::position::Phase;
use upheaval_engine::rules::seismic::SeismicOrder;
use upheaval_map::rng::Stream;

use crate::sim::Playing;

/// A bot with scripted decisions in one phase. It is asked nevertheless, with its own dice. Its decisions about other
/// units in a movement or a retreat phase stay; builds and removals, and a seismic order, are all scripted.
pub(super) struct Scripted {
    pub bot: Box<dyn Bot>,
    pub phase: Phase,
    pub script: Vec<Decision>,
}

impl Bot for Scripted {
    fn inner(&mut self) -> Option<&mut dyn Bot> {
        Some(&mut *self.bot)
    }

    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        self.bot.decide(seen, ask, dice, answer);
        if seen.phase == self.phase {
            if let Ask::Adjustments(_) | Ask::Seismic(_) = ask {
                answer.withdraw(ask);
            }
            answer.give_all(ask, &self.script);
        }
    }

    /// The bot's handicap; a bot that is scripted to give a seismic order may give it.
    fn handicap(&mut self) -> Handicap {
        let own = self.bot.handicap();
        match self.script.iter().any(|decision| matches!(decision, Decision::Seismic(_))) {
            true => own.iter().filter(|&denied| denied != Faculty::Seismic).collect(),
            false => own,
        }
    }
}

/// Makes this quake alone happen in the seismic phase that a game waits for, or none. The first power that is not
/// eliminated orders it, and no other power orders one.
pub(super) fn shake(playing: &mut Playing<'_>, quake: Option<SeismicOrder>) {
    let game = playing.look().1;
    let (phase, powers) = (game.phase(), game.powers());
    let giver = powers.iter().find(|&power| !game.world().position.is_out(power));
    for power in powers {
        let own = quake.clone().filter(|_| Some(power) == giver);
        let script = own.map(Decision::Seismic).into_iter().collect();
        playing.exchange(power, |bot| Box::new(Scripted { bot, phase, script }));
    }
}
