//! Boards other than the standard one, and the rules of each variant that ships on them: the boards of other numbers of
//! powers that ship, and random boards with points.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value as Json, json};
use toml::{Table, Value};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::variant::Variant;

use super::small_maps;

/// A board, and the provinces of it that mechanisms name.
pub struct Board {
    pub name: String,
    pub first_year: u16,
    /// The keys `map` and `start` of its variants.
    own: Table,
    archipelago: String,
    /// Provinces and two seas that each lies on: its canals and straits.
    passages: Vec<(String, [String; 2])>,
    /// Provinces that sink, a list for each year.
    submerges: [Vec<String>; 3],
    /// Impassable faces that open.
    opens: Vec<String>,
    /// Lands that become centres.
    founds: Vec<String>,
}

/// The boards of five and of ten powers that ship.
pub fn of_other_powers() -> [Board; 2] {
    [
        Board {
            first_year: 1,
            own: own("ancient-mediterranean"),
            name: "ancient-mediterranean".to_owned(),
            archipelago: "CRE".to_owned(),
            passages: vec![
                passage("ATH AEG ION"),
                passage("BYZ AEG BLA"),
                passage("SIN GOP REE"),
                passage("THB GOP REE"),
            ],
            submerges: ["SIC CYR ATH", "ROM SIN NEA BYZ", "ALE SPA CAR SID"].map(words),
            opens: words("EBR"),
            founds: words("GAU PHA"),
        },
        Board {
            first_year: 1994,
            own: own("modern"),
            name: "modern".to_owned(),
            archipelago: "DEN".to_owned(),
            passages: vec![
                passage("CAI EME RED"),
                passage("DEN BHM SKA"),
                passage("HAM BHM HEL"),
                passage("IST AEG WBS"),
                passage("SWE BHM SKA"),
            ],
            submerges: ["HOL LON CAI", "VEN GIB IST ROS", "DEN STP NAP IRN"].map(words),
            opens: Vec::new(),
            founds: words("SIB ALG"),
        },
    ]
}

fn own(name: &str) -> Table {
    testkit::read(&format!("experiments/boards/{name}.toml")).parse().expect("TOML")
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

/// A province and its two seas.
fn passage(text: &str) -> (String, [String; 2]) {
    let [province, x, y]: [String; 3] = words(text).try_into().expect("three names");
    (province, [x, y])
}

fn texts(list: &[String]) -> Value {
    Value::Array(list.iter().cloned().map(Value::String).collect())
}

impl Board {
    /// The file of a variant that ships on this board, with entries of other variants beside its own, by their ids.
    /// Keys that name provinces of the standard board name some of this one instead.
    pub fn rules(&self, id: &str, entries: &[(&str, &str)]) -> String {
        let shipped =
            |id: &str| -> Table { Variant::shipped_text(id).expect("it ships").parse().expect("TOML") };
        let mut rules = shipped(id);
        let mut changes = changes_of(&rules);
        for &(other, entry) in entries {
            let of_other = changes_of(&shipped(other)).into_iter();
            let mut found = of_other.filter(|change| change["id"].as_str() == Some(entry));
            let mut change = found.next().expect("the other variant has it");
            // Nothing is spared here.
            if let Some(Value::String(of)) = change.get_mut("of") {
                *of = of.replace(" - spared", "");
            }
            changes.push(change);
        }
        for key in ["map", "start"] {
            rules.insert(key.to_owned(), self.own[key].clone());
        }
        rules.remove("sources");
        rules.insert("id".to_owned(), Value::String(format!("{id}-on-{}", self.name)));
        if let Some(Value::Table(on)) = rules.get_mut("board") {
            on.insert("archipelagos".to_owned(), texts(std::slice::from_ref(&self.archipelago)));
        }
        if let Some(Value::Table(waterways)) = rules.get_mut("waterways")
            && waterways.contains_key("passages")
        {
            let passages = self.passages.iter().map(|(province, seas)| (province.clone(), texts(seas)));
            waterways.insert("passages".to_owned(), Value::Table(passages.collect()));
        }
        if rules.contains_key("countries") {
            rules.insert("countries".to_owned(), Value::Table(self.countries()));
        }
        for change in &mut changes {
            // Iceland is on no other board.
            if let Some(Value::String(of)) = change.get_mut("of") {
                *of = of.replace(" - ICE", "");
            }
            if change.contains_key("from") {
                let after = if id == "sahara" { 5 } else { 1 };
                change.insert("from".to_owned(), Value::String(format!("S{:04}", self.first_year + after)));
            }
            if change.contains_key("schedule") {
                let schedule = self.schedule(change["id"].as_str().expect("an id"));
                change.insert("schedule".to_owned(), Value::Table(schedule));
            }
        }
        // A board on which nothing opens has no such entry.
        changes.retain(|change| {
            change.get("schedule").and_then(Value::as_table).is_none_or(|rows| !rows.is_empty())
        });
        if !changes.is_empty() {
            rules.insert("changes".to_owned(), Value::Array(changes.into_iter().map(Value::Table).collect()));
        }
        if let Some(Value::Table(victory)) = rules.get_mut("victory")
            && victory.contains_key("last_winter")
        {
            victory.insert("last_winter".to_owned(), Value::Integer(i64::from(self.first_year) + 6));
        }
        toml::to_string(&rules).expect("TOML")
    }

    /// The schedule of an entry: the places that sink, open or become centres, by the Winter at whose end they do.
    fn schedule(&self, id: &str) -> Table {
        let winter = |after: u16| format!("W{:04}", self.first_year + after);
        match id {
            "sinking" => {
                (0..).zip(&self.submerges).map(|(after, list)| (winter(after), texts(list))).collect()
            }
            "new-centres" | "begun" => Table::from_iter([(winter(0), texts(&self.founds))]),
            "ended" => Table::from_iter([(winter(2), texts(&self.founds))]),
            "desert" => Table::from_iter([(winter(2), texts(&self.submerges[0]))]),
            "drying" => {
                let seas: BTreeSet<&String> = self.passages.iter().flat_map(|(_, seas)| seas).collect();
                Table::from_iter([(
                    winter(1),
                    Value::Array(seas.into_iter().cloned().map(Value::String).collect()),
                )])
            }
            "opening" => Table::from_iter((!self.opens.is_empty()).then(|| (winter(1), texts(&self.opens)))),
            _ => panic!("{id} has another schedule"),
        }
    }

    /// The country of a power is its homes.
    fn countries(&self) -> Table {
        let units = self.own["start"]["units"].as_table().expect("units");
        let province = |unit: &Value| {
            let place = unit.as_str().and_then(|text| text.split([' ', '/']).nth(1)).expect("a unit");
            Value::String(place.to_owned())
        };
        let countries = units.iter().map(|(power, units)| {
            let provinces = units.as_array().expect("a list").iter().map(province);
            (power.clone(), Value::Array(provinces.collect()))
        });
        countries.collect()
    }
}

/// The entries `[[changes]]` of a variant file.
fn changes_of(rules: &Table) -> Vec<Table> {
    let list = rules.get("changes").and_then(Value::as_array);
    list.into_iter().flatten().map(|entry| entry.as_table().expect("a table").clone()).collect()
}

/// A face of a random board.
struct Face {
    name: String,
    kind: &'static str,
    around: Vec<String>,
}

/// The number of powers of a random board.
const POWERS: usize = 3;

/// A random board of hexagons for three powers, and its map file, which its variants name by this path: lands, seas,
/// points and impassable faces, straits along borders between lands, and canals from one sea or point to another. A
/// third of the straits and canals have an end at a point.
pub fn random(number: u64, path: &Path) -> (Board, Json) {
    let mut dice = Stream::keyed(4302, Purpose::Bot, &[number]);
    let faces = loop {
        let faces = drawn(&mut dice);
        let lands = faces.iter().filter(|face| face.kind == "land").count();
        let has_two_seas = |face: &&Face| face.kind == "land" && touching(&faces, face, &["sea"]).len() > 1;
        let opens = faces.iter().any(|face| face.kind == "impassable");
        if lands > 3 * POWERS + 2 && opens && faces.iter().any(|face| has_two_seas(&face)) {
            break faces;
        }
    };
    let mut lands: Vec<&Face> = faces.iter().filter(|face| face.kind == "land").collect();
    dice.shuffle(&mut lands);
    let (homes, others) = lands.split_at(2 * POWERS);
    let name = |face: &&Face| face.name.clone();
    let power = |at: usize| format!("POWER{}", ["A", "B", "C"][at]);
    let lines: Vec<String> =
        faces.iter().map(|face| format!("{} {} {}", face.name, face.kind, face.around.join(" "))).collect();
    let mut map = small_maps::json(&lines.join("\n"));
    for (i, face) in homes.iter().enumerate() {
        map["faces"][&face.name]["home"] = json!(power(i % POWERS));
    }
    let founds: Vec<String> = others[..2].iter().map(name).collect();
    for found in &founds {
        map["faces"][found]["supply_centre"] = json!(false);
    }
    let (mut straits, mut canals) = (Vec::new(), Vec::new());
    for land in &lands {
        for other in touching(&faces, land, &["land"]).iter().filter(|other| **other > land.name) {
            if dice.below(3) == 0 {
                straits.push(json!([land.name, other]));
            }
        }
        let mut water = touching(&faces, land, &["sea", "point"]);
        dice.shuffle(&mut water);
        if let [x, y, ..] = &water[..]
            && dice.below(3) == 0
        {
            canals.push(json!({"through": land.name, "ends": [x, y]}));
        }
    }
    (map["straits"], map["canals"]) = (json!(straits), json!(canals));
    let passages = lands.iter().filter_map(|land| match &touching(&faces, land, &["sea"])[..] {
        [x, y, ..] => Some((land.name.clone(), [x.clone(), y.clone()])),
        _ => None,
    });
    // An army in each home, and a fleet in one of them that touches a sea.
    let units = (0..POWERS).map(|at| {
        let own = homes.iter().enumerate().filter(|(i, _)| i % POWERS == at);
        let unit = |(i, face): (usize, &&Face)| {
            // It has a single coast.
            let is_fleet = i >= POWERS && touching(&faces, face, &["sea", "point"]).len() == 1;
            let is_fleet = is_fleet && touching(&faces, face, &["point"]).is_empty();
            Value::String(format!("{} {}", if is_fleet { "F" } else { "A" }, face.name))
        };
        (power(at), Value::Array(own.map(unit).collect()))
    });
    let units: Table = units.collect();
    let start = Table::from_iter([
        ("phase".to_owned(), Value::String("S1901M".to_owned())),
        ("units".to_owned(), Value::Table(units)),
    ]);
    let map_key = Value::String(path.to_string_lossy().into_owned());
    let own = Table::from_iter([("map".to_owned(), map_key), ("start".to_owned(), Value::Table(start))]);
    let board = Board {
        name: format!("random-{number}"),
        first_year: 1901,
        own,
        archipelago: lands[0].name.clone(),
        passages: passages.collect(),
        submerges: [0, 1, 2].map(|year| others.iter().skip(2 + year).step_by(3).take(2).map(name).collect()),
        opens: faces
            .iter()
            .filter(|face| face.kind == "impassable")
            .take(1)
            .map(|f| f.name.clone())
            .collect(),
        founds,
    };
    (board, map)
}

/// Hexagons of random kinds, with a point among them.
fn drawn(dice: &mut Stream) -> Vec<Face> {
    let size = [4, 5].map(|least| least + dice.below(3) as usize);
    let mut faces: Vec<Face> = small_maps::ocean(size[0], size[1])
        .lines()
        .map(|line| {
            let mut words = line.split(' ').map(str::to_owned);
            let (name, kind) = (words.next().expect("a name"), words.next().expect("a kind"));
            let kind = match dice.below(20) {
                _ if kind == "outside" => "outside",
                0..2 => "point",
                2 => "impassable",
                3..11 => "sea",
                _ => "land",
            };
            Face { name, kind, around: words.collect() }
        })
        .collect();
    let inside: Vec<usize> =
        (0..faces.len()).filter(|&i| !faces[i].around.contains(&"OUT".to_owned())).collect();
    let inside: Vec<usize> = inside.into_iter().filter(|&i| faces[i].kind != "outside").collect();
    if let Some(&at) = dice.choose(&inside) {
        faces[at].kind = "point";
    }
    faces
}

/// The neighbours of a face that are of these kinds.
fn touching(faces: &[Face], face: &Face, kinds: &[&str]) -> Vec<String> {
    let is_wanted =
        |name: &&String| faces.iter().any(|other| other.name == **name && kinds.contains(&other.kind));
    face.around.iter().filter(is_wanted).cloned().collect()
}
