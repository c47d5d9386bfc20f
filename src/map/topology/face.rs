//! The faces of a map: what each is made of, and what they are called.

use std::sync::OnceLock;

use super::half_edge::HalfEdgeId;
use crate::ids::{ByProvince, ProvinceId};

/// What a face is made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum FaceKind {
    /// A land province.
    Land,
    /// A sea.
    Sea,
    /// Inside the board, but nobody may enter (Switzerland).
    Impassable,
    /// Everything beyond the edge of the board.
    Outside,
    /// A point of the board at which more than three faces meet, and all of them are adjacent there (rules.md 1.4). It
    /// is collapsed as long as there is a board: nothing restores, opens or draws it.
    Point,
}

/// Whether a face is there to be used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum FaceState {
    /// As its kind says.
    Open,
    /// A black hole with closure: the faces round it meet in one point (rules.md 1.4).
    Collapsed,
    /// A black hole without closure: impassable (rules.md 1.5).
    Void,
}

/// What the map keeps of a face, but for its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FaceData {
    pub kind: FaceKind,
    pub state: FaceState,
    /// One side of its first boundary cycle. Without a boundary it is only while an operation is at it.
    pub first_cycle: Option<HalfEdgeId>,
}

impl FaceData {
    /// An open face without a boundary.
    pub const fn new(kind: FaceKind) -> FaceData {
        FaceData { kind, state: FaceState::Open, first_cycle: None }
    }

    #[inline]
    pub fn is_open_land(&self) -> bool {
        self.kind == FaceKind::Land && self.state == FaceState::Open
    }

    #[inline]
    pub fn is_open_sea(&self) -> bool {
        self.kind == FaceKind::Sea && self.state == FaceState::Open
    }

    /// May a border that splits a neighbour end at this face (rules.md 4.11)? Anywhere but at the Outside and at a point.
    pub fn can_hold_an_end(&self) -> bool {
        !matches!(self.kind, FaceKind::Outside | FaceKind::Point)
    }
}

/// A face as it is on a map: a province, Switzerland, or the Outside.
#[derive(Clone, Copy, Debug)]
pub struct Face<'a> {
    names: &'a Names,
    id: ProvinceId,
    body: FaceData,
}

impl<'a> Face<'a> {
    #[inline]
    pub(super) fn new(names: &'a Names, id: ProvinceId, body: FaceData) -> Face<'a> {
        Face { names, id, body }
    }

    /// A hash of the name, for draws that must not hang on indices.
    pub fn key(self) -> u64 {
        self.names.key(self.id)
    }

    /// The code, `BUR` or `BUR.1`.
    pub fn name(self) -> &'a str {
        self.names.get(self.id).unwrap_or_default()
    }

    /// Its place among the faces of the map by their codes.
    pub fn rank(self) -> u8 {
        self.names.rank(self.id)
    }

    /// What it is made of, under any hole.
    #[inline]
    pub fn kind(self) -> FaceKind {
        self.body.kind
    }

    /// Open, collapsed or void.
    #[inline]
    pub fn state(self) -> FaceState {
        self.body.state
    }

    /// May a border that splits a neighbour end at this face (rules.md 4.11)? Anywhere but at the Outside.
    pub fn can_hold_an_end(self) -> bool {
        self.body.can_hold_an_end()
    }

    /// Is it a land province units can enter?
    #[inline]
    pub fn is_open_land(self) -> bool {
        self.body.is_open_land()
    }

    /// Is it a sea that fleets can enter?
    #[inline]
    pub fn is_open_sea(self) -> bool {
        self.body.is_open_sea()
    }
}

/// What the faces of a map are called. Shared by all maps that call them alike: only a split makes new names.
#[derive(Debug)]
pub struct Names {
    /// One code behind the other. That of a face that has been split stays, unused.
    text: String,
    /// By province index.
    codes: Vec<Code>,
    /// The faces in the order of their codes.
    sorted: Vec<ProvinceId>,
    /// The place of each among them.
    ranks: ByProvince<u8>,
    /// See [`Names::hasher`].
    hashed: OnceLock<Box<blake3::Hasher>>,
}

#[derive(Clone, Copy, Debug)]
struct Code {
    /// Where it begins and ends in the text.
    begin: u32,
    end: u32,
    /// See [`Face::key`].
    key: u64,
}

impl Code {
    const NONE: Code = Code { begin: 0, end: 0, key: 0 };
}

impl Clone for Names {
    /// A clone is made to be added to: it has room for the halves of a face, unless their codes are very long.
    fn clone(&self) -> Names {
        let mut text = String::with_capacity(self.text.len() + 32);
        text.push_str(&self.text);
        Names {
            text,
            codes: with_room(&self.codes),
            sorted: with_room(&self.sorted),
            ranks: self.ranks,
            hashed: OnceLock::new(),
        }
    }
}

/// A copy of a list to which one thing more can be added.
pub(super) fn with_room<T: Copy>(list: &[T]) -> Vec<T> {
    let mut copy = Vec::with_capacity(list.len() + 1);
    copy.extend_from_slice(list);
    copy
}

impl Names {
    /// No face is called anything.
    pub fn none() -> Names {
        let (text, codes, sorted, hashed) = Default::default();
        Names { text, codes, sorted, ranks: ByProvince::filled(0), hashed }
    }

    /// Gives a face its code, instead of any that it has.
    pub fn call(&mut self, id: ProvinceId, name: &str) {
        self.hashed.take();
        let begin = self.text.len() as u32;
        self.text.push_str(name);
        let mut key = [0; 8];
        key.copy_from_slice(&blake3::hash(name.as_bytes()).as_bytes()[..8]);
        let code = Code { begin, end: self.text.len() as u32, key: u64::from_le_bytes(key) };
        let before = Some(usize::from(self.rank(id))).filter(|&rank| self.sorted.get(rank) == Some(&id));
        if let Some(before) = before {
            self.sorted.remove(before);
        }
        if self.codes.len() <= id.index() {
            self.codes.resize(id.index() + 1, Code::NONE);
        }
        self.codes[id.index()] = code;
        let place = self.sorted.partition_point(|&other| self.get(other) < Some(name));
        self.sorted.insert(place, id);
        // Only between the one place and the other do ranks change.
        let end = before.map_or(self.sorted.len(), |before| before.max(place) + 1);
        let begin = before.map_or(place, |before| before.min(place));
        for (rank, &id) in (begin..end).zip(&self.sorted[begin..end]) {
            self.ranks[id] = rank as u8;
        }
    }

    /// Has a face a code?
    #[inline]
    pub(super) fn has(&self, id: ProvinceId) -> bool {
        self.codes.get(id.index()).is_some_and(|code| code.begin < code.end)
    }

    /// The code of a face.
    pub fn get(&self, id: ProvinceId) -> Option<&str> {
        let code = self.codes.get(id.index())?;
        self.text.get(code.begin as usize..code.end as usize).filter(|name| !name.is_empty())
    }

    /// See [`Face::key`]; 0 for an index without a face.
    pub fn key(&self, id: ProvinceId) -> u64 {
        self.codes.get(id.index()).map_or(0, |code| code.key)
    }

    /// The face with this code.
    pub fn find(&self, name: &str) -> Option<ProvinceId> {
        let place = self.sorted.binary_search_by(|&id| self.get(id).cmp(&Some(name))).ok()?;
        Some(self.sorted[place])
    }

    /// The place of a face in the order of the codes.
    #[inline]
    pub fn rank(&self, id: ProvinceId) -> u8 {
        self.ranks[id]
    }

    /// A hasher that has been given all codes in their order, each with a zero behind it. As borders move more often than
    /// names change, it is kept.
    pub(super) fn hasher(&self) -> blake3::Hasher {
        let hashed = self.hashed.get_or_init(|| {
            let mut text = Vec::with_capacity(self.text.len() + self.sorted.len());
            for &id in &self.sorted {
                text.extend_from_slice(self.get(id).unwrap_or("?").as_bytes());
                text.push(0);
            }
            let mut hasher = Box::new(blake3::Hasher::new());
            hasher.update(&text);
            hasher
        });
        blake3::Hasher::clone(hashed)
    }

    /// The faces in the order of their codes.
    pub fn sorted(&self) -> &[ProvinceId] {
        &self.sorted
    }
}
