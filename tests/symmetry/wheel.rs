//! Boards of equal powers around a common centre, like that of `upheaval new map`: turned by a power's share of a
//! circle, each is itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use tempfile::TempDir;
use upheaval::diagnostic::Source;
use upheaval::rng::Stream;
use upheaval::rules::variant::Variant;

use crate::symmetry::image::Image;

/// A board of these powers, in this order counter-clockwise.
pub(super) struct Wheel {
    powers: Vec<char>,
    /// By how many degrees it is turned counter-clockwise.
    turned: f64,
    image: Option<Image>,
}

impl Wheel {
    /// A board of this many powers.
    pub(super) fn of(powers: usize) -> Wheel {
        Wheel { powers: ('A'..='Z').take(powers).collect(), turned: 0.0, image: None }
    }

    /// The same board, turned by some degrees.
    pub(super) fn turned(self, degrees: f64) -> Wheel {
        Wheel { turned: degrees, ..self }
    }

    /// The same board with east and west exchanged.
    pub(super) fn mirrored(self) -> Wheel {
        Wheel { image: Some(Image::mirrored()), ..self }
    }

    /// The same board with the names of powers and provinces exchanged among themselves.
    pub(super) fn renamed(mut self, dice: &mut Stream) -> Wheel {
        dice.shuffle(&mut self.powers);
        Wheel { image: Some(Image::renamed(&self.file(), dice)), ..self }
    }

    /// The same board with names exchanged among themselves, and east and west.
    pub(super) fn renamed_and_mirrored(mut self, dice: &mut Stream) -> Wheel {
        dice.shuffle(&mut self.powers);
        Wheel { image: Some(Image::renamed_and_mirrored(&self.file(), dice)), ..self }
    }

    /// The variant of three units for each power, on this board.
    pub(super) fn variant(&self) -> Arc<Variant> {
        let file = self.file();
        let file = self.image.as_ref().map_or_else(|| file.clone(), |image| image.map(&file));
        let folder = TempDir::new().expect("a folder");
        std::fs::write(folder.path().join("wheel.json"), file.to_string()).expect("a file");
        let units: Vec<String> = (0..self.powers.len())
            .map(|sector| {
                let [cap, har, val] = ["CAP", "HAR", "VAL"].map(|place| self.code(sector, place));
                format!("{} = [\"F {cap}\", \"A {har}\", \"A {val}\"]", self.power(sector))
            })
            .collect();
        let text = format!(
            "id = \"wheel\"\ntitle = \"wheel\"\nsummary = \"equal powers\"\nsource = \"its own\"\n\
             map = \"wheel.json\"\nrulebook = \"2023\"\n[start]\nphase = \"S1901M\"\n[start.units]\n{}\n\
             [victory]\nrule = \"centre-majority\"\ndeserted = \"nobody\"\n\
             [retreats]\nsent = \"after-movement\"\nunordered = \"disband\"\n[builds]\nsites = \"home\"\n",
            units.join("\n")
        );
        let variant = Variant::check(&Source::new("wheel.toml", text), folder.path());
        Arc::new(variant.unwrap_or_else(|error| panic!("{error}")))
    }

    /// The words of orders here, and of the powers, with those on another board of as many powers.
    pub(super) fn words(&self, there: &Wheel) -> BTreeMap<String, String> {
        let places = RINGS.iter().flat_map(|&(place, ..)| (0..self.powers.len()).map(move |n| (n, place)));
        let provinces = places.map(|(sector, place)| (self.code(sector, place), there.code(sector, place)));
        let powers = (0..self.powers.len()).map(|sector| (self.power(sector), there.power(sector)));
        provinces.chain(powers).chain([(self.named("CROWN"), there.named("CROWN"))]).collect()
    }

    fn power(&self, sector: usize) -> String {
        format!("POWER{}", self.powers[sector])
    }

    fn code(&self, sector: usize, place: &str) -> String {
        self.named(&format!("{}{place}", self.powers[sector]))
    }

    fn named(&self, code: &str) -> String {
        self.image.as_ref().map_or_else(|| code.to_owned(), |image| image.code(code))
    }

    /// The map file, before names are exchanged.
    fn file(&self) -> Value {
        let count = self.powers.len();
        let mut faces = Map::new();
        for (sector, power) in self.powers.iter().enumerate() {
            let beside = [(sector + count - 1) % count, sector, (sector + 1) % count];
            for &(place, radius, share, kind, neighbours) in &RINGS {
                let neighbours: Vec<String> = neighbours
                    .split(' ')
                    .map(|neighbour| match neighbour.split_at(1) {
                        ("-", place) => format!("{}{place}", self.powers[beside[0]]),
                        ("=", place) => format!("{}{place}", self.powers[beside[1]]),
                        ("+", place) => format!("{}{place}", self.powers[beside[2]]),
                        _ => neighbour.to_owned(),
                    })
                    .collect();
                let degrees = 90.0 + self.turned + 360.0 / count as f64 * (sector as f64 + share);
                let centre = [degrees.to_radians().cos(), degrees.to_radians().sin()]
                    .map(|part| (radius * part * 10.0).round() / 10.0);
                let is_home = ["CAP", "HAR", "VAL"].contains(&place);
                let home = is_home.then(|| self.power(sector));
                let face = json!({
                    "name": format!("{place} of {power}"), "kind": kind, "supply_centre": is_home || place == "MAR",
                    "home": home, "neighbours_ccw": neighbours, "centre": centre,
                });
                faces.insert(format!("{power}{place}"), face);
            }
        }
        let fields: Vec<String> = self.powers.iter().map(|power| format!("{power}FIE")).collect();
        let crown = json!({
            "name": "Crown", "kind": "land", "supply_centre": true, "home": null, "neighbours_ccw": fields,
            "centre": [0, 0],
        });
        faces.insert("CROWN".to_owned(), crown);
        json!({ "faces": faces })
    }
}

/// The provinces of a power from the middle outwards: the radius, the part of a power's share of the circle by which
/// the province lies behind its power, its kind, and its neighbours counter-clockwise, of its own power (`=`), the one
/// before (`-`) and the next (`+`).
const RINGS: [(&str, f64, f64, &str, &str); 7] = [
    ("FIE", 50.0, 0.5, "land", "=VAL =MAR +VAL +FIE CROWN -FIE"),
    ("MAR", 100.0, 0.5, "land", "=CAP =WOL +HAR +VAL =FIE =VAL"),
    ("VAL", 100.0, 0.0, "land", "=HAR =CAP =MAR =FIE -FIE -MAR"),
    ("CAP", 150.0, 1.0 / 6.0, "land", "=SEA =WOL =MAR =VAL =HAR"),
    ("HAR", 150.0, -1.0 / 6.0, "land", "=SEA =CAP =VAL -MAR -WOL"),
    ("WOL", 150.0, 0.5, "land", "=SEA +SEA +HAR =MAR =CAP"),
    ("SEA", 200.0, 0.0, "sea", "OUT +SEA =WOL =CAP =HAR -WOL -SEA"),
];
