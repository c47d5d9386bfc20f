//! Votes: with the orders of a movement each power may name one place of an entry's set (`VOTE BUR`), and the place with
//! the most votes changes.
//!
//! ```text
//!   orders ─▶ the votes are counted ─▶ movement ─▶ BEFORE-RETREATS or END: the place changes
//!             its places are announced              (`coming.rs`)
//! ```

use std::sync::Arc;

use upheaval_map::ids::{Power, ProvinceId, ProvinceSet};

use super::entry::{Entry, FaceChange, Vote, Which};
use super::foretold::Coming;
use super::list::Changes;
use super::words::{Ties, Votes, Wins};
use crate::rules::answers::Declarations;
use crate::rules::event::Event;
use crate::rules::game_state::{EventContext, GameState};
use crate::rules::nature::HowMany;
use crate::rules::order::Poll;
use crate::rules::position::{Phase, PhaseKind};

impl Vote {
    /// The number of votes of a power; a power that is out has none.
    fn of(&self, power: Power, world: &GameState) -> usize {
        match self.votes {
            _ if world.position.is_out(power) => 0,
            Votes::One => 1,
            Votes::Centres => (*world.position.centres_of(power) & *world.terrain.centres()).len(),
        }
    }

    /// Does this number of votes suffice?
    fn suffice(&self, votes: usize, all: usize) -> bool {
        match self.wins {
            Wins::Plurality => votes > 0,
            Wins::Majority => 2 * votes > all,
        }
    }
}

impl Changes {
    /// The votes in the season of this phase, with the indices of their entries.
    fn votes(&self, at: Phase) -> impl Iterator<Item = (usize, &Entry, &FaceChange, &Vote)> {
        let all = self.entries().iter().enumerate();
        all.filter_map(move |(index, entry)| match entry.faces()? {
            change @ FaceChange { which: Which::Voted(_, vote), .. }
                if at.kind == PhaseKind::Movement && change.acts(at.into()) =>
            {
                Some((index, entry, change, vote))
            }
            _ => None,
        })
    }

    /// Do the powers vote in some seasons?
    #[inline]
    pub(crate) fn have_votes(&self) -> bool {
        self.voting != 0
    }

    /// The questions to a power in this movement phase.
    pub(crate) fn polls(&self, world: &GameState, at: Phase, power: Power) -> impl Iterator<Item = Poll> {
        let votes = self.votes(at).filter(move |(.., vote)| vote.of(power, world) > 0);
        votes.filter_map(move |(index, _, change, vote)| {
            let eligible = self.eligible(change, world);
            let name = |face| Arc::from(world.terrain.chart().map().name(face));
            (!eligible.is_empty()).then(|| Poll {
                topic: Arc::clone(&vote.order),
                options: eligible.iter().map(name).collect(),
                entry: Some(index),
            })
        })
    }

    /// Counts the votes of a movement phase, and announces the places that change. All are counted on the same board.
    pub(crate) fn count_votes(
        &self,
        world: &mut GameState,
        scene: &mut EventContext<'_>,
        declared: &Declarations,
    ) {
        let mut coming = Vec::new();
        for (index, entry, change, vote) in self.votes(scene.at) {
            let winners = self.winners(world, scene, entry, change, vote, declared);
            let at = (scene.at.into(), change.at);
            coming.extend(winners.iter().map(|face| Coming { face, entry: index, at }));
        }
        world.coming.append(&mut coming);
    }

    /// The places that change by a vote, which are announced.
    fn winners(
        &self,
        world: &GameState,
        scene: &mut EventContext<'_>,
        entry: &Entry,
        change: &FaceChange,
        vote: &Vote,
        declared: &Declarations,
    ) -> ProvinceSet {
        let map = world.terrain.chart().map();
        let powers = world.terrain.powers();
        let eligible = self.eligible(change, world);
        let cast: Vec<(ProvinceId, usize)> = powers
            .iter()
            .filter_map(|power| {
                let ballot = declared.ballot(power, &vote.order)?;
                let face = map.find(&ballot.option).filter(|face| eligible.contains(*face))?;
                Some((face, vote.of(power, world)))
            })
            .collect();
        let votes_for = |face| cast.iter().filter(|(of, _)| *of == face).map(|(_, votes)| votes).sum();
        let most: usize = cast.iter().map(|(face, _)| votes_for(*face)).max().unwrap_or(0);
        let all = powers.iter().map(|power| vote.of(power, world)).sum();
        if !vote.suffice(most, all) {
            return ProvinceSet::EMPTY;
        }
        let first: ProvinceSet =
            cast.iter().map(|(face, _)| *face).filter(|&face| votes_for(face) == most).collect();
        let id = || entry.id.as_str().into();
        match vote.ties {
            Ties::None if first.len() > 1 => ProvinceSet::EMPTY,
            Ties::Nature if first.len() > 1 => {
                let drawn = scene.nature.faces(scene.at, entry, &world.terrain, &first, HowMany::Count(1));
                let drawn: ProvinceSet = drawn.into_iter().filter(|&face| first.contains(face)).collect();
                drawn.iter().for_each(|face| world.tell(scene, &Event::PlaceDrawn(face, id())));
                drawn
            }
            _ => {
                first.iter().for_each(|face| world.tell(scene, &Event::PlaceChosen(face, id())));
                first
            }
        }
    }
}
