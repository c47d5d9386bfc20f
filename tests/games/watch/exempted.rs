//! The exempt centres of a game, from its reports (rules.md 4.5).

use upheaval::game::Game;
use upheaval::ids::{ByPower, Powers, ProvinceId, ProvinceSet};
use upheaval::rules::changes::{Again, Lasts, Mark, Told, Unnamed};
use upheaval::rules::event::Event;
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::position::{Phase, Position};

use super::check;

/// The spared centre of each power, the powers that announced it, and the powers that changed it.
pub struct Exempted {
    rules: Option<Mark>,
    first_phase: Phase,
    centre: ByPower<Option<ProvinceId>>,
    announced: ByPower<Option<ProvinceId>>,
    changed: ByPower<bool>,
}

impl Exempted {
    pub fn new(start: &Game) -> Exempted {
        Exempted {
            rules: start.variant().changes.mark().copied(),
            first_phase: start.phase(),
            centre: ByPower::new(Powers::STANDARD),
            announced: ByPower::new(Powers::STANDARD),
            changed: ByPower::new(Powers::STANDARD),
        }
    }

    pub fn spared(&self) -> ProvinceSet {
        self.centre.iter().filter_map(|(_, centre)| *centre).collect()
    }

    /// `position` is the one at the end of the last season.
    pub fn event(&mut self, at: Phase, terrain: &MapTables, event: &Event, position: &Position) {
        match *event {
            Event::ExemptNamed(power, centre) | Event::ExemptDrawn(power, centre) => {
                check(at == self.first_phase, "an exempt centre is settled late", at);
                check(self.centre[power].is_none(), "a second exempt centre", at);
                check(terrain.homes()[power].contains(centre), "no home centre is exempt", at);
                let drawn = matches!(event, Event::ExemptDrawn(..));
                check(!drawn || self.rules().unnamed == Unnamed::Nature, "an exempt centre is drawn", at);
                self.centre[power] = Some(centre);
            }
            Event::ExemptChanged(power, centre) => {
                check(self.rules().again == Again::LastHome, "an exempt centre is changed", at);
                check(!std::mem::replace(&mut self.changed[power], true), "a second change", at);
                let own = terrain.homes()[power] & *position.centres_of(power);
                check(own == ProvinceSet::single(centre), "it is not the last home centre", at);
                let before = self.centre[power].replace(centre);
                let foreign = before.and_then(|before| position.owner(before)).is_some_and(|by| by != power);
                check(foreign, "the exempt centre is not in foreign hands", at);
            }
            Event::ExemptAnnounced(power, centre) => {
                check(self.rules().told == Told::OnRequest, "a secret is announced", at);
                check(self.centre[power] == Some(centre), "another centre is announced", at);
                check(self.announced[power] != Some(centre), "it is announced twice", at);
                self.announced[power] = Some(centre);
            }
            Event::ExemptLapsed(power, centre) => {
                check(self.rules().lasts == Lasts::UntilEliminated, "an exemption lapses", at);
                check(self.centre[power].take() == Some(centre), "another exemption lapses", at);
                self.announced[power] = None;
                self.changed[power] = false;
            }
            _ => {}
        }
    }

    fn rules(&self) -> &Mark {
        self.rules.as_ref().expect("the variant has exempt centres")
    }

    /// After the first orders every power has one, if it is drawn for the powers that name none.
    pub fn settled(&self, at: Phase) {
        if at == self.first_phase && self.rules.is_some_and(|rules| rules.unnamed == Unnamed::Nature) {
            check(self.centre.iter().all(|(_, centre)| centre.is_some()), "a power has no exempt centre", at);
        }
    }

    pub fn compare(&self, game: &Game) {
        for power in Powers::STANDARD {
            let known = &game.world().exemptions[power];
            let same = (known.centre, known.announced) == (self.centre[power], self.announced[power]);
            check(same, "the exempt centre differs from the report", game.phase());
            check(self.rules.is_some() || known.centre.is_none(), "a centre is exempt", game.phase());
        }
    }
}
