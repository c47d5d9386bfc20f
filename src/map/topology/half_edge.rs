//! Half-edges: borders and their two half-edges by number, and their links. [`super::map`] has a drawing.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::ids::{ByProvince, ProvinceId};

/// One of the two half-edges of a border. Its twin is `id ^ 1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct HalfEdgeId(pub(crate) u16);

/// A border, which consists of two half-edges.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct BorderId(pub(crate) u16);

impl HalfEdgeId {
    /// The same border seen from the face on the other side.
    #[inline]
    pub const fn twin(self) -> HalfEdgeId {
        HalfEdgeId(self.0 ^ 1)
    }

    /// The border of this half-edge.
    #[inline]
    pub const fn border(self) -> BorderId {
        BorderId(self.0 >> 1)
    }

    /// Its index in tables of half-edges: twice the number of its border, plus one for the second half-edge.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl BorderId {
    /// The border with this number. It need not exist on a given map.
    #[inline]
    pub const fn numbered(number: u16) -> BorderId {
        BorderId(number)
    }

    /// Its index in tables of borders.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The two half-edges of the border.
    #[inline]
    pub const fn sides(self) -> [HalfEdgeId; 2] {
        [HalfEdgeId(self.0 << 1), HalfEdgeId((self.0 << 1) | 1)]
    }
}

/// A set of borders. A map with the largest number of faces has fewer borders than the set has room for; any
/// border beyond counts as a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct BorderSet([u64; 16]);

impl BorderSet {
    #[inline]
    pub(crate) fn insert(&mut self, border: BorderId) {
        if let Some(word) = self.0.get_mut(border.index() / 64) {
            *word |= 1 << (border.index() % 64);
        }
    }

    #[inline]
    pub(crate) fn contains(&self, border: BorderId) -> bool {
        self.0.get(border.index() / 64).is_none_or(|word| word >> (border.index() % 64) & 1 != 0)
    }

    /// The borders that are in exactly one of the two sets.
    #[inline]
    pub(crate) fn differences(&self, other: &BorderSet) -> BorderSet {
        BorderSet(std::array::from_fn(|word| self.0[word] ^ other.0[word]))
    }

    /// Calls the function for every border, in ascending order.
    #[inline]
    pub(crate) fn for_each(&self, mut f: impl FnMut(BorderId)) {
        for (i, &word) in (0..).zip(&self.0) {
            let mut left = word;
            while left != 0 {
                f(BorderId(64 * i + left.trailing_zeros() as u16));
                left &= left - 1;
            }
        }
    }
}

/// The links of a half-edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HalfEdge {
    pub(crate) face: ProvinceId,
    pub(crate) next: HalfEdgeId,
    pub(crate) prev: HalfEdgeId,
}

// The faces of a map: their kinds, states and names.

// A point, at which more than three faces meet (rules.md 1.4), is always collapsed: it cannot be restored, opened or
// drawn.
/// The kind of a face.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "KindEntry"))]
pub enum FaceKind {
    /// A land province.
    Land,
    /// A sea.
    Sea,
    /// Inside the board, but closed to all units.
    Impassable,
    /// Everything beyond the edge of the board.
    Outside,
    /// A point at which more than three faces meet, all of which are adjacent there.
    Point,
    /// A frozen sea: ground for armies, and dry for fleets.
    // Last, because the hash of a map contains the numbers of the kinds.
    Ice,
}

impl FaceKind {
    /// Its word, which map files and reports use.
    pub const fn word(self) -> &'static str {
        match self {
            FaceKind::Land => "land",
            FaceKind::Sea => "sea",
            FaceKind::Impassable => "impassable",
            FaceKind::Outside => "outside",
            FaceKind::Point => "point",
            FaceKind::Ice => "ice",
        }
    }
}

/// Whether a face can be used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum FaceState {
    /// Usable according to its kind.
    Open,
    /// A black hole with closure: the faces round it meet in one point (rules.md 1.4).
    Collapsed,
    /// A black hole without closure: impassable (rules.md 1.5).
    Void,
}

/// What the map stores about a face, except for its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FaceData {
    pub(crate) kind: FaceKind,
    pub(crate) state: FaceState,
    /// One half-edge of its first boundary cycle. It is `None` only during an operation.
    pub(crate) first_cycle: Option<HalfEdgeId>,
}

impl FaceData {
    /// An open face that has no boundary yet.
    pub(crate) const fn new(kind: FaceKind) -> FaceData {
        FaceData { kind, state: FaceState::Open, first_cycle: None }
    }

    #[inline]
    pub(crate) fn is_open_land(&self) -> bool {
        self.kind == FaceKind::Land && self.state == FaceState::Open
    }

    #[inline]
    pub(crate) fn is_open_sea(&self) -> bool {
        self.kind == FaceKind::Sea && self.state == FaceState::Open
    }

    #[inline]
    pub(crate) fn is_open_ice(&self) -> bool {
        self.kind == FaceKind::Ice && self.state == FaceState::Open
    }

    /// May a border that splits a neighbour end at this face (rules.md 4.11)? It may end at any face but the
    /// Outside and points.
    pub(crate) fn can_hold_an_end(&self) -> bool {
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

    /// A hash of the name, for draws that must not depend on indices.
    pub fn key(self) -> u64 {
        self.names.key(self.id)
    }

    /// The code, `BUR` or `BUR.1`.
    pub fn name(self) -> &'a str {
        self.names.get(self.id).unwrap_or_default()
    }

    /// Its rank among the faces of the map by code.
    pub fn rank(self) -> u8 {
        self.names.rank(self.id)
    }

    /// Its kind, even while it is a hole.
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

    /// Is it a land province units can enter? Ice is not one, although armies can enter it.
    #[inline]
    pub fn is_open_land(self) -> bool {
        self.body.is_open_land()
    }

    /// Is it a frozen sea that armies can enter?
    #[inline]
    pub fn is_open_ice(self) -> bool {
        self.body.is_open_ice()
    }

    /// Is it a sea that fleets can enter?
    #[inline]
    pub fn is_open_sea(self) -> bool {
        self.body.is_open_sea()
    }
}

/// The names of the faces of a map. Maps with the same names share them: only a split adds names.
#[derive(Debug, Default)]
pub struct Names {
    /// All codes, concatenated. The code of a face that has been split stays, unused.
    text: String,
    /// By province index.
    codes: Vec<Code>,
    /// The faces sorted by code.
    sorted: Vec<ProvinceId>,
    /// The rank of each face in that order.
    ranks: ByProvince<u8>,
    /// See [`Names::hasher`].
    hashed: OnceLock<Box<blake3::Hasher>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Code {
    /// The range of the code in the text.
    begin: u32,
    end: u32,
    /// See [`Face::key`].
    key: u64,
}

impl Clone for Names {
    /// A clone usually gets additions, so it has room for the halves of a face unless their codes are very
    /// long.
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

/// A copy of a list with room for one more item.
pub(super) fn with_room<T: Copy>(list: &[T]) -> Vec<T> {
    let mut copy = Vec::with_capacity(list.len() + 1);
    copy.extend_from_slice(list);
    copy
}

impl Names {
    /// Sets the code of a face, replacing any earlier one.
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
            self.codes.resize(id.index() + 1, Code::default());
        }
        self.codes[id.index()] = code;
        let place = self.sorted.partition_point(|&other| self.get(other) < Some(name));
        self.sorted.insert(place, id);
        // Ranks change only between the old and the new place.
        let end = before.map_or(self.sorted.len(), |before| before.max(place) + 1);
        let begin = before.map_or(place, |before| before.min(place));
        for (rank, &id) in (begin..end).zip(&self.sorted[begin..end]) {
            self.ranks[id] = rank as u8;
        }
    }

    /// Does the face have a code?
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

    /// The rank of a face in the order of the codes.
    #[inline]
    pub(crate) fn rank(&self, id: ProvinceId) -> u8 {
        self.ranks[id]
    }

    /// A hasher that has been fed all codes in order, each followed by a zero byte. It is cached because
    /// borders move more often than names change.
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

    /// The faces sorted by code.
    pub fn sorted(&self) -> &[ProvinceId] {
        &self.sorted
    }
}
