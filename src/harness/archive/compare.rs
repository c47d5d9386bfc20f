//! Comparison of a position from a file with the position by the rules: the first difference, and a game continued from
//! the file's position.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::sheet::{Moment, Page, province};
use upheaval_engine::game::{Game, Stage};
use upheaval_engine::rules::game_state::GameState;
use upheaval_engine::rules::gazetteer::Gazetteer;
use upheaval_engine::rules::notation::WrittenUnit;
use upheaval_engine::rules::position::{Dislodged, Phase, Unit};
use upheaval_map::ids::{Location, Power};

/// A difference between a position of a file and the position by the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Difference {
    pub province: String,
    /// The content according to the file.
    pub in_file: String,
    /// The content according to the rules.
    pub by_rules: String,
}

/// The content of each province.
type Places = BTreeMap<String, String>;

/// The first province, by its name, in which file and game differ.
pub(super) fn difference(page: &Page, game: &Game) -> Option<Difference> {
    let mut units = Places::new();
    for (power, written) in page.units.iter() {
        let power = game.power_names().name(power);
        written.iter().for_each(|unit| note(&mut units, place_of(unit), format!("{power} {unit}")));
    }
    let mut ours = Places::new();
    for (power, written) in game.world().written_units() {
        written.iter().for_each(|unit| note(&mut ours, place_of(unit), format!("{power} {unit}")));
    }
    let waiting = || match page.at {
        Moment::Before(_) => dislodged(page, game),
        // Not every program records which units still have to retreat when a game is ended.
        Moment::End => None,
    };
    first(&units, &ours).or_else(waiting).or_else(|| centres(page, game))
}

/// Adds an entry to the content of a province.
fn note(places: &mut Places, place: &str, what: String) {
    let there = places.entry(province(place).to_owned()).or_default();
    if !there.is_empty() {
        there.push_str(", ");
    }
    there.push_str(&what);
}

fn place_of(unit: &str) -> &str {
    unit.split(' ').nth(1).unwrap_or(unit)
}

fn first(in_file: &Places, by_rules: &Places) -> Option<Difference> {
    let mut provinces: Vec<&String> = in_file.keys().chain(by_rules.keys()).collect();
    provinces.sort_unstable();
    let province = provinces.into_iter().find(|place| in_file.get(*place) != by_rules.get(*place))?;
    let or_nothing = |places: &Places| places.get(province).map_or("nothing", String::as_str).to_owned();
    Some(Difference {
        province: province.clone(),
        in_file: or_nothing(in_file),
        by_rules: or_nothing(by_rules),
    })
}

/// The units that must retreat. Some programs name units that have no retreat, others remove them from the board at
/// once.
fn dislodged(page: &Page, game: &Game) -> Option<Difference> {
    let name = |power: Power, unit: &str| format!("{} {unit}, dislodged", game.power_names().name(power));
    let mut in_file = Places::new();
    for (power, waiting) in page.dislodged.iter() {
        waiting.iter().for_each(|of| note(&mut in_file, place_of(&of.unit), name(power, &of.unit)));
    }
    let mut by_rules = Places::new();
    if game.stage() == Stage::Retreats {
        let names = game.terrain().names();
        for (i, Dislodged { unit, at, .. }) in game.dislodged().dislodged.iter().enumerate() {
            let text =
                names.unit(Location { province: *at, coast: unit.coast }, unit.designation()).to_string();
            let listed = in_file.contains_key(names.province(*at));
            if listed || !game.retreat_options(i).is_empty() {
                note(&mut by_rules, place_of(&text), name(unit.power, &text));
            }
        }
    }
    first(&in_file, &by_rules)
}

/// The supply centres of the board, by owner. Some files list the owners of all provinces.
fn centres(page: &Page, game: &Game) -> Option<Difference> {
    let owned = page.centres.as_ref()?;
    let names = game.terrain().names();
    let is_centre =
        |code: &str| game.terrain().centres().iter().any(|id| names.province(id).eq_ignore_ascii_case(code));
    let name = |power: &str| format!("a centre of {power}");
    let mut in_file = Places::new();
    for (power, codes) in owned.iter() {
        for code in codes.iter().filter(|code| is_centre(code)) {
            note(&mut in_file, &code.to_ascii_uppercase(), name(game.power_names().name(power)));
        }
    }
    let mut by_rules = Places::new();
    for (power, codes) in game.world().written_centres() {
        codes.iter().for_each(|code| note(&mut by_rules, code, name(&power)));
    }
    first(&in_file, &by_rules)
}

/// The game at this phase as the file has it.
///
/// # Errors
/// The units or centres of the file are impossible on the board; the error says why.
pub(super) fn taken_up(page: &Page, game: &Game, phase: Phase) -> Result<Game, String> {
    let before = game.world();
    let mut world = GameState::new(Arc::clone(&before.terrain));
    let terrain = Arc::clone(&before.terrain);
    let names = terrain.names();
    let placed = |text: &str| -> Result<(WrittenUnit, Location), String> {
        let unit = WrittenUnit::parse(text, names).map_err(|error| error.to_string())?;
        let at = unit.placed(text, names, terrain.board()).map_err(|error| error.to_string())?;
        Ok((unit, at))
    };
    for (power, units) in page.units.iter() {
        for text in units {
            let (unit, at) = placed(text)?;
            if world.position.occupied().contains(at.province) {
                return Err(format!("`{text}` of {} is in the place of another unit", names.power(power)));
            }
            world.position.place(at.province, Unit::new(unit.kind, power, at.coast));
        }
    }
    for (power, waiting) in page.dislodged.iter() {
        for waiting in waiting {
            let (unit, at) = placed(&waiting.unit)?;
            if let Some(options) = &waiting.options {
                let letter = waiting.unit.split(' ').next().unwrap_or_default();
                let ways = options.iter().map(|to| Ok(placed(&format!("{letter} {to}"))?.1));
                let ways = ways.collect::<Result<Vec<Location>, String>>()?;
                world.retreats.ways.push((world.retreats.dislodged.len(), ways));
            }
            world.retreats.dislodged.push(Dislodged {
                unit: Unit::new(unit.kind, power, at.coast),
                at: at.province,
                attacker: None,
                attacker_convoyed: false,
            });
        }
    }
    world.retreats.sort_by_province();
    match &page.centres {
        Some(owned) => {
            for (power, codes) in owned.iter() {
                own(&mut world, power, codes, names);
            }
        }
        None => {
            for power in game.powers() {
                for centre in *before.position.centres_of(power) {
                    world.position.set_owner(centre, Some(power));
                }
            }
        }
    }
    let eliminated = game.eliminated().clone();
    Ok(Game::resumed(Arc::clone(game.variant()), game.last_year(), world, phase).with_eliminated(eliminated))
}

fn own(world: &mut GameState, power: Power, codes: &[String], names: &Gazetteer) {
    for centre in *Arc::clone(&world.terrain).centres() {
        if codes.iter().any(|code| names.province(centre).eq_ignore_ascii_case(code)) {
            world.position.set_owner(centre, Some(power));
        }
    }
}
