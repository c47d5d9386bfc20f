//! The questions of a variant's mechanisms, such as votes.

use super::{Answer, Observation, Question, Subject};
use crate::game::Game;
use crate::reading::Refusal;
use crate::rules::decision::Decision;
use crate::rules::poll::Poll;
use upheaval_map::ids::Power;

impl Question for Poll {
    fn asked(game: &Game, power: Power, found: impl FnMut(Poll)) {
        game.polls(power).for_each(found);
    }

    fn topic(&self) -> &str {
        &self.topic
    }

    fn choices(&self, _: &Observation<'_>, mut found: impl FnMut(Subject, Decision)) {
        self.options.iter().for_each(|option| found(Subject::Power, Decision::Ballot(self.ballot(option))));
    }

    fn takes(&self, decision: &Decision) -> bool {
        matches!(decision, Decision::Ballot(ballot) if ballot.topic == self.topic)
    }

    fn check(&self, _: &mut Answer<'_>, decision: &Decision) -> Result<(), Refusal> {
        match decision {
            Decision::Ballot(ballot) if self.options.contains(&ballot.option) => Ok(()),
            _ => Err(Refusal::NoOption),
        }
    }

    fn decided(&self, answer: &Answer<'_>) -> Vec<Decision> {
        let ballot = answer.answers.declared.ballot(answer.seen.power, &self.topic);
        ballot.cloned().map(Decision::Ballot).into_iter().collect()
    }

    fn withdraw(&self, answer: &mut Answer<'_>) {
        answer.answers.declared.withdraw_ballot(answer.seen.power, &self.topic);
    }
}
