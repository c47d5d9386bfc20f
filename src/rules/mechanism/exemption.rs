//! The secret exempt centre (seed 000, rule 3; RULINGS 4.5): each power names one of its home centres with its
//! Spring 1901 orders, and no hole is drawn there.

use serde::{Deserialize, Serialize};

use crate::ids::{ByPower, Power, ProvinceId};
use crate::rules::event::Event;
use crate::rules::world::{Scene, World};

/// What happens to a power that names no centre.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unnamed {
    /// One of its home centres is drawn.
    Drawn,
    /// None is exempt.
    None,
}

/// The mechanism's parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Exemption {
    /// What happens to a power that names none.
    pub unnamed: Unnamed,
}

impl Exemption {
    /// Settles the choices made with the first orders. What is no extant home centre of the power counts as no
    /// choice. An exemption that stands already (a position given from outside) is kept.
    pub fn settle(&self, world: &mut World, scene: &mut Scene<'_>, named: &ByPower<Option<ProvinceId>>) {
        for power in Power::ALL {
            if world.exempt[power].is_some() {
                continue;
            }
            let homes = world.terrain.homes()[power];
            let chosen = named[power].filter(|&centre| homes.contains(centre));
            let event = match (chosen, self.unnamed) {
                (Some(centre), _) => Some(Event::ExemptNamed(power, centre)),
                (None, Unnamed::Drawn) => {
                    let drawn = scene.nature.exempt(scene.at, power, &homes);
                    drawn.map(|centre| Event::ExemptDrawn(power, centre))
                }
                (None, Unnamed::None) => None,
            };
            if let Some(event @ (Event::ExemptNamed(_, centre) | Event::ExemptDrawn(_, centre))) = event {
                world.exempt[power] = Some(centre);
                world.tell(scene, &event);
            }
        }
    }
}
