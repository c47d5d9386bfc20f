//! Map files and variants in a mirror, or with other codes.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::symmetry::likeness::sides;
use upheaval::diagnostic::Source;
use upheaval::rng::Stream;
use upheaval::rules::variant::Variant;
use upheaval::topology::{HalfEdgeId, NamedMap, PlanarMap, atlas};

/// The change of a board that must not change the game.
pub(crate) struct Image {
    codes: BTreeMap<String, String>,
    /// East and west are exchanged.
    pub mirrored: bool,
}

impl Image {
    /// The mirror image of the board.
    pub(crate) fn mirrored() -> Image {
        Image { codes: BTreeMap::new(), mirrored: true }
    }

    /// The codes of a map file are permuted.
    pub(crate) fn renamed(file: &Value, dice: &mut Stream) -> Image {
        let codes: Vec<String> = faces(file).keys().cloned().collect();
        let mut others = codes.clone();
        dice.shuffle(&mut others);
        Image { codes: codes.into_iter().zip(others).collect(), mirrored: false }
    }

    /// Both.
    pub(crate) fn renamed_and_mirrored(file: &Value, dice: &mut Stream) -> Image {
        Image { mirrored: true, ..Image::renamed(file, dice) }
    }

    /// The name of a province there; for a half the whole name is translated.
    pub(super) fn code(&self, code: &str) -> String {
        let (whole, half) = match code.split_once('.') {
            Some((whole, half)) => (whole, format!(".{half}")),
            None => (code, String::new()),
        };
        format!("{}{half}", self.codes.get(whole).map_or(whole, String::as_str))
    }

    /// A map file there.
    pub(super) fn map(&self, file: &Value) -> Value {
        let bare = json!({ "faces": self.faces(file) });
        let (one, other) = (parse(&json!({ "faces": file["faces"] })), parse(&bare));
        let stretch = |province: &str, neighbour: &Value| -> Value {
            let neighbour = neighbour.as_str().expect("a neighbour");
            self.stretch([one.map(), other.map()], province, neighbour).into()
        };
        let coasts = file["coasts"].as_object().into_iter().flatten().map(|(province, coasts)| {
            let coasts = coasts.as_object().expect("coasts").iter().map(|(name, contacts)| {
                let contacts = contacts.as_array().expect("contacts").iter();
                let contacts: Vec<Value> = contacts.map(|contact| stretch(province, contact)).collect();
                (self.coast(name), contacts.into())
            });
            (self.code(province), Value::Object(coasts.collect()))
        });
        let canals = file["canals"].as_array().into_iter().flatten().map(|canal| {
            let through = canal["through"].as_str().expect("a province");
            json!({
                "through": self.code(through),
                "ends": [stretch(through, &canal["ends"][0]), stretch(through, &canal["ends"][1])],
            })
        });
        let straits = file["straits"].as_array().into_iter().flatten().map(|pair| {
            let first = pair[0].as_str().expect("a province");
            json!([self.code(first), stretch(first, &pair[1])])
        });
        json!({
            "faces": bare["faces"],
            "coasts": Value::Object(coasts.collect()),
            "canals": canals.collect::<Vec<Value>>(),
            "straits": straits.collect::<Vec<Value>>(),
        })
    }

    fn faces(&self, file: &Value) -> Value {
        let list = |neighbours: &Value| -> Value {
            let mut codes: Vec<Value> = neighbours
                .as_array()
                .expect("neighbours")
                .iter()
                .map(|code| self.code(code.as_str().expect("a code")).into())
                .collect();
            if self.mirrored {
                codes.reverse();
            }
            codes.into()
        };
        let face = |(code, face): (&String, &Value)| {
            let mut face = face.clone();
            face["neighbours_ccw"] = list(&face["neighbours_ccw"]);
            if let Some(islands) = face.get_mut("islands_ccw") {
                *islands = islands.as_array().expect("islands").iter().map(list).collect();
            }
            if self.mirrored
                && let Some(east) = face["centre"][0].as_f64()
            {
                face["centre"][0] = (-east).into();
            }
            (self.code(code), face)
        };
        Value::Object(faces(file).iter().map(face).collect())
    }

    /// A named coast is data, except for the direction in its name.
    fn coast(&self, name: &str) -> String {
        match (self.mirrored, name) {
            (true, "EC") => "WC".to_owned(),
            (true, "WC") => "EC".to_owned(),
            _ => name.to_owned(),
        }
    }

    /// A stretch of a province, such as `MAO#2`, with its name there.
    fn stretch(&self, [one, other]: [&PlanarMap; 2], province: &str, neighbour: &str) -> String {
        let (code, index) = match neighbour.split_once('#') {
            Some((code, index)) => (code, index.parse::<usize>().expect("a number") - 1),
            None => (neighbour, 0),
        };
        let find = |map: &PlanarMap, code: &str| map.find(code).expect("a face");
        let side = one.stretches(find(one, province), find(one, code))[index];
        let there = [province, code].map(|code| find(other, &self.code(code)));
        let stretches = other.stretches(there[0], there[1]);
        let image: HalfEdgeId = sides(self, one, other)[side.index()].expect("a side");
        let at = stretches.iter().position(|&side| side == image).expect("it is one of them");
        let code = self.code(code);
        if stretches.len() > 1 { format!("{code}#{}", at + 1) } else { code }
    }

    /// A shipped variant as it is played there.
    pub(super) fn variant(&self, id: &str) -> Arc<Variant> {
        self.rules(&testkit::read(&format!("variants/{id}.toml")))
    }

    /// The variant of a file's text as it is played there.
    pub(crate) fn rules(&self, text: &str) -> Arc<Variant> {
        let folder = TempDir::new().expect("a folder");
        let board = text.lines().find_map(|line| line.strip_prefix("map = \"")).expect("a map");
        let board = board.trim_end_matches('"').to_owned();
        std::fs::write(folder.path().join("there.json"), self.map(&map_file(&board)).to_string())
            .expect("a file");
        let text =
            translated(text, &self.codes).replacen(&format!("map = \"{board}\""), "map = \"there.json\"", 1);
        let source = Source::new("there.toml", text);
        Arc::new(Variant::check(&source, folder.path()).unwrap_or_else(|error| panic!("{error}")))
    }
}

/// The map file of a board that ships.
pub(crate) fn map_file(board: &str) -> Value {
    serde_json::from_str(&testkit::read(&format!("maps/{board}.json"))).expect("JSON")
}

/// The board of a map file.
pub(super) fn parse(file: &Value) -> NamedMap {
    atlas::parse("there.json", &file.to_string()).unwrap_or_else(|error| panic!("{error}"))
}

fn faces(file: &Value) -> &Map<String, Value> {
    file["faces"].as_object().expect("faces")
}

/// The same text with each word that the table has exchanged.
pub(super) fn translated(text: &str, words: &BTreeMap<String, String>) -> String {
    let mut changed = String::new();
    for part in text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
        let word = part.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        changed.push_str(words.get(word).map_or(word, String::as_str));
        changed.push_str(&part[word.len()..]);
    }
    changed
}
