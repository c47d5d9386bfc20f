//! The effect of a shake on straits, canals and isthmuses: AceRunner rule 9, with rules.md 8.7. All quakes
//! are considered at once, on the map before and the map after them, so that the result does not depend on
//! their order.
//!
//! A border that was not itself separated is seen as a row of marks: its two ends, and in between the
//! releases that have cut it. At each mark there is now a sea or a land; a land has come to touch one of the
//! border's two provinces:
//!
//! ```text
//!                                 L1
//!     end ──── piece ──── release ──── piece ──── end         X, Y, Z: what has come there
//!      Y                     X                     Z
//!                                 L2
//! ```
//!
//! A strait stays on each piece that lies between two seas (2). Where lands have come between two seas, they
//! raise a single question together (3): a canal may pass them through a province that has kept both seas. Its
//! causes are the quakes that have joined these lands; a quake that has brought a sea (2) asks nothing.

use super::half_edge::{BorderId, BorderSet, HalfEdgeId};
use super::isthmus::{Matter, WaterwayAdvice, WaterwayOption, WaterwayQuestion};
use super::map::{PlanarMap, Trace};
use super::quake::Quake;
use super::shake::{Centres, Shaken};
use super::surgery::Surgery;
use super::waterway::{CanalEnd, Waterway};
use crate::ids::{ProvinceId, ProvinceSet};

impl PlanarMap {
    /// Does these quakes at once (see `PlanarMap::shake`) and updates straits and canals. Questions about
    /// existing straits and canals are asked first, then those about new isthmuses, in the order of names. No
    /// answer affects which other questions are asked.
    ///
    /// # Errors
    /// The quakes would together cut a face; the map is then unchanged.
    pub(super) fn shake_with_isthmuses(
        &mut self,
        quakes: &[Quake],
        centres: Centres<'_>,
        advice: WaterwayAdvice<'_>,
    ) -> Surgery {
        let before = self.clone();
        // Waterways are resolved here, not while borders are cut and merged.
        self.waterways.clear();
        match self.shake(quakes, centres) {
            Ok(shaken) => {
                let near = &self.touch.borders;
                let aftermath = Aftermath { before: &before, after: self, quakes, shaken: &shaken, near };
                let waterways = aftermath.waterways(advice);
                if waterways != before.waterways {
                    self.touch_waterways(before.waterways.iter().chain(&waterways));
                }
                self.waterways = waterways;
                self.structure.outdate();
                Ok(())
            }
            Err(error) => {
                *self = before;
                Err(error)
            }
        }
    }
}

/// A direction along a half-edge: to the next one counter-clockwise round its face, or back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    On,
    Back,
}

impl Turn {
    const BOTH: [Turn; 2] = [Turn::Back, Turn::On];

    fn reverse(self) -> Turn {
        match self {
            Turn::On => Turn::Back,
            Turn::Back => Turn::On,
        }
    }

    fn step(self, map: &PlanarMap, side: HalfEdgeId) -> HalfEdgeId {
        match self {
            Turn::On => map.next(side),
            Turn::Back => map.prev(side),
        }
    }
}

/// An end of a border, or a place at which a release has cut it.
struct Mark {
    /// The quake that has changed it.
    by: Option<Quake>,
    /// Was there a sea here before?
    was_sea: bool,
    /// If there is no sea here now: the province of the border that the land now touches.
    land: Option<ProvinceId>,
}

/// The new state of one end of a canal.
enum EndNow {
    /// It is at these borders.
    Stands(CanalEnd),
    /// All its borders were separated; for each of them, what is in its place.
    Lost(Vec<Gap>),
}

/// The place of a canal's border that was separated.
struct Gap {
    by: Quake,
    /// On each side of it: the sea there, if any, with its border with the province.
    shores: [Option<(ProvinceId, BorderId)>; 2],
}

impl Gap {
    /// The number of waters that have connected here: none by rule (5), one by (6), two by (7).
    fn waters(&self) -> usize {
        self.shores.iter().flatten().count()
    }
}

struct Aftermath<'a> {
    before: &'a PlanarMap,
    after: &'a PlanarMap,
    quakes: &'a [Quake],
    shaken: &'a Shaken,
    /// The borders that were touched. Any change of a waterway or isthmus happens at one of these.
    near: &'a BorderSet,
}

impl Aftermath<'_> {
    /// The waterways of the map after the shake.
    fn waterways(&self, advice: WaterwayAdvice<'_>) -> Vec<Waterway> {
        let mut found: Vec<Waterway> = Vec::with_capacity(self.before.waterways.len() + 1);
        for waterway in &self.before.waterways {
            if !self.is_near(waterway) {
                found.push(waterway.clone());
                continue;
            }
            match waterway {
                Waterway::Strait { border, provinces } => {
                    self.follow_strait(*border, *provinces, advice, &mut found);
                }
                &Waterway::Canal { province, ref ends, origin } => {
                    let ends = self.follow_canal(province, ends, advice);
                    found.extend(ends.map(|ends| Waterway::Canal { province, ends, origin }));
                }
                Waterway::Passage { .. } => {}
            }
        }
        self.open_isthmuses(advice, &mut found);
        let mut distinct: Vec<Waterway> = Vec::with_capacity(found.len());
        for waterway in found {
            if !distinct.iter().any(|other| other.is_same(&waterway)) {
                distinct.push(waterway);
            }
        }
        distinct
    }

    /// Was a border of this waterway touched? If not, all of them keep their ends and the seas there.
    fn is_near(&self, waterway: &Waterway) -> bool {
        match waterway {
            Waterway::Strait { border, .. } => self.near.contains(*border),
            Waterway::Canal { ends: [one, other], .. } => {
                let is_near = |border| self.near.contains(border);
                one.borders().any(|border| is_near(border) || other.contains(border))
                    || other.borders().any(is_near)
            }
            Waterway::Passage { .. } => false,
        }
    }

    fn is_sea(&self, id: ProvinceId) -> bool {
        self.before.at(id).is_open_sea()
    }

    fn is_separated(&self, border: BorderId) -> bool {
        self.quakes.contains(&Quake::Separation(border))
    }

    /// The border that a piece, or a border that was neither cut nor separated, is now part of.
    fn now(&self, piece: BorderId) -> BorderId {
        self.after.merged_into(self.shaken.cut, piece)
    }

    /// The releases and the pieces of a border in their order along this half-edge. A border that was not cut
    /// has no releases and one piece, itself. The pieces are those before any merge.
    fn cuts_along(&self, side: HalfEdgeId) -> (Vec<Quake>, Vec<BorderId>) {
        let mut stretches = self.shaken.stretches.iter();
        match stretches.find(|stretch| stretch.side.border() == side.border()) {
            Some(stretch) => {
                let (mut releases, mut pieces) = (stretch.releases.clone(), stretch.pieces.clone());
                if stretch.side != side {
                    releases.reverse();
                    pieces.reverse();
                }
                (releases, pieces)
            }
            None => (Vec::new(), vec![side.border()]),
        }
    }

    /// The outermost piece of a border at its end in this direction, after merges.
    fn last_piece(&self, side: HalfEdgeId, turn: Turn) -> BorderId {
        let (_, pieces) = self.cuts_along(side);
        let outermost = match turn {
            Turn::On => pieces.last(),
            Turn::Back => pieces.first(),
        };
        self.now(outermost.copied().unwrap_or(side.border()))
    }

    /// The end of a border that was not itself separated, seen along this half-edge.
    ///
    /// ```text
    ///    ── side ──●── own ── Y       own separates: the province across connects with Y
    ///    ── twin ──●── its ── Y       its separates: the side's own province does
    /// ```
    fn end(&self, side: HalfEdgeId, turn: Turn) -> Mark {
        let map = self.before;
        let own = turn.step(map, side);
        let its = turn.reverse().step(map, side.twin());
        let was_sea = self.is_sea(map.across(own));
        let (gone, comes, touches) = if self.is_separated(own.border()) {
            (own, map.across(turn.step(map, own)), map.across(side))
        } else if self.is_separated(its.border()) {
            (its, map.across(turn.reverse().step(map, its)), map.owner(side))
        } else {
            return Mark { by: None, was_sea, land: None };
        };
        let by = Some(Quake::Separation(gone.border()));
        Mark { by, was_sea, land: (!self.is_sea(comes)).then_some(touches) }
    }

    /// The marks of a border in their order along this half-edge; there is one more mark than there are
    /// pieces. A loop has no ends: the first release serves as both.
    fn marks(&self, side: HalfEdgeId) -> Vec<Mark> {
        let cut = |release: Quake| {
            let Quake::Release([x, y]) = release else { return None };
            let (here, there) = if x.border() == side.border() { (x, y) } else { (y, x) };
            let (touches, comes) = (self.before.owner(here), self.before.owner(there));
            let land = (!self.is_sea(comes)).then_some(touches);
            Some(Mark { by: Some(release), was_sea: false, land })
        };
        let (releases, _) = self.cuts_along(side);
        let is_loop = self.before.next(side) == side;
        let end = |turn| match releases.first() {
            Some(&first) if is_loop => cut(first),
            _ => Some(self.end(side, turn)),
        };
        let between = releases.iter().skip(usize::from(is_loop)).map(|&release| cut(release));
        [end(Turn::Back)].into_iter().chain(between).chain([end(Turn::On)]).flatten().collect()
    }

    // ---- straits ----

    /// Rules (1) to (3).
    fn follow_strait(
        &self,
        border: BorderId,
        provinces: [ProvinceId; 2],
        advice: WaterwayAdvice<'_>,
        found: &mut Vec<Waterway>,
    ) {
        if self.is_separated(border) {
            return; // (1)
        }
        let Some(side) = self.before.side_of(border, provinces[0]) else { return };
        let marks = self.marks(side);
        let by = distinct(marks.iter().filter(|mark| mark.land.is_some()).filter_map(|mark| mark.by));
        let (_, pieces) = self.cuts_along(side);
        // From sea to sea; a land at an end of the whole border counts as taking the place of a sea.
        let ends = [0, marks.len() - 1];
        let bounds: Vec<usize> =
            (0..marks.len()).filter(|i| ends.contains(i) || marks[*i].land.is_none()).collect();
        for bound in bounds.windows(2) {
            let (from, to) = (bound[0], bound[1]);
            let lands = marks[from..=to].iter().filter_map(|mark| mark.land);
            // A land that touches one province at an end has taken the sea there from the other.
            let has_both =
                |&id: &ProvinceId| [from, to].into_iter().all(|i| marks[i].land.is_none_or(|of| of == id));
            let through: ProvinceSet = lands.clone().filter(has_both).collect();
            if lands.count() == 0 {
                found.push(Waterway::Strait { border: self.now(pieces[from]), provinces }); // (2)
            } else if !through.is_empty() {
                let matter = Matter::StraitCut { between: provinces, through };
                if let Some(WaterwayOption::Canal(id)) = ask(advice, matter, &by) {
                    let ends = [(from, pieces[from], Turn::Back), (to, pieces[to - 1], Turn::On)];
                    let ends = ends.map(|(mark, piece, turn)| {
                        self.sea_beyond(side, id, turn, marks[mark].land.is_none().then_some(piece))
                    });
                    if let [Some(x), Some(y)] = ends {
                        found.extend(Waterway::canal(id, [x, y]));
                    }
                }
            }
        }
    }

    /// The border of one of the two provinces with the sea at an end of a strait: the sea that ends this
    /// piece or, if a land has come between, the sea that ended the whole border before.
    fn sea_beyond(
        &self,
        side: HalfEdgeId,
        id: ProvinceId,
        turn: Turn,
        piece: Option<BorderId>,
    ) -> Option<BorderId> {
        let is_own = self.before.owner(side) == id;
        let turn = if is_own { turn } else { turn.reverse() };
        match piece {
            Some(piece) => {
                let of_it = self.after.side_of(self.now(piece), id)?;
                Some(turn.step(self.after, of_it).border())
            }
            None => {
                let shore = turn.step(self.before, if is_own { side } else { side.twin() });
                Some(self.last_piece(shore, turn.reverse()))
            }
        }
    }

    // ---- canals ----

    /// Rules (4) to (7): the current ends of a canal, if it still exists.
    fn follow_canal(
        &self,
        province: ProvinceId,
        ends: &[CanalEnd; 2],
        advice: WaterwayAdvice<'_>,
    ) -> Option<[CanalEnd; 2]> {
        let now = ends.each_ref().map(|end| self.end_now(province, end));
        if let [EndNow::Stands(x), EndNow::Stands(y)] = &now
            && self.have_met(province, ends, [x, y])
        {
            return None; // (4)
        }
        let lost =
            || now.iter().filter_map(|end| if let EndNow::Lost(gaps) = end { Some(gaps) } else { None });
        if lost().any(|gaps| gaps.iter().all(|gap| gap.waters() == 0)) {
            return None; // (5)
        }
        let with = |waters| lost().flatten().filter(move |gap| gap.waters() == waters);
        let to: ProvinceSet = with(1).flat_map(|gap| gap.shores).flatten().map(|(sea, _)| sea).collect();
        if !to.is_empty() {
            let matter = Matter::CanalMoved { through: province, to };
            if ask(advice, matter, &distinct(with(1).map(|gap| gap.by))) == Some(WaterwayOption::Delete) {
                return None; // (6)
            }
        }
        let forked_by = distinct(with(2).map(|gap| gap.by));
        let mut moved = |end: &EndNow| match end {
            EndNow::Stands(end) => Some(end.clone()),
            EndNow::Lost(gaps) => {
                let shores = gaps.iter().filter_map(|gap| self.shore_of(province, gap, &forked_by, advice));
                CanalEnd::at(shores.collect::<Vec<_>>())
            }
        };
        let [x, y] = &now;
        let [x, y] = [moved(x)?, moved(y)?];
        (!self.have_met(province, ends, [&x, &y])).then_some([x, y]) // (4) again
    }

    /// The new state of one end of a canal. The end is lost if none of the pieces into which its border may
    /// have been cut is left.
    fn end_now(&self, province: ProvinceId, end: &CanalEnd) -> EndNow {
        let sides = end.borders().filter_map(|border| self.before.side_of(border, province));
        let (lost, stand): (Vec<HalfEdgeId>, Vec<HalfEdgeId>) =
            sides.partition(|side| self.is_separated(side.border()));
        let left = stand.iter().flat_map(|&side| self.cuts_along(side).1).map(|piece| self.now(piece));
        if let Some(end) = CanalEnd::at(left) {
            return EndNow::Stands(end);
        }
        let gap = |side: HalfEdgeId| Gap {
            by: Quake::Separation(side.border()),
            shores: Turn::BOTH.map(|turn| {
                let beside = turn.step(self.before, side);
                let sea = self.before.across(beside);
                self.is_sea(sea).then(|| (sea, self.last_piece(beside, turn.reverse())))
            }),
        };
        EndNow::Lost(lost.into_iter().map(gap).collect())
    }

    /// The new place of a canal's end whose border is gone: at the only sea beside it, or at the chosen one
    /// of two.
    fn shore_of(
        &self,
        province: ProvinceId,
        gap: &Gap,
        by: &[Quake],
        advice: WaterwayAdvice<'_>,
    ) -> Option<BorderId> {
        let [Some((x, at_x)), Some((y, at_y))] = gap.shores else {
            return gap.shores.into_iter().flatten().next().map(|(_, border)| border);
        };
        if x == y {
            return Some(at_x); // a sea has closed round what was there
        }
        let to = self.before.by_name([x, y]);
        let chosen = match ask(advice, Matter::CanalForked { through: province, to }, by) {
            Some(WaterwayOption::Terminus(sea)) => sea,
            _ => to[0],
        };
        Some(if chosen == x { at_x } else { at_y })
    }

    /// Are the two ends of the canal now adjacent?
    fn have_met(&self, province: ProvinceId, old: &[CanalEnd; 2], now: [&CanalEnd; 2]) -> bool {
        let follow = |one: usize, other: usize| {
            now[one].borders().any(|border| {
                let Some(side) = self.after.side_of(border, province) else { return false };
                let behind = self.after.next(side).border();
                now[other].contains(behind)
                    && !self.followed(province, [&old[one], &old[other]], [border, behind])
            })
        };
        now[0].borders().any(|border| now[1].contains(border)) || follow(0, 1) || follow(1, 0)
    }

    /// Did these two borders of a province follow each other before, as ends of a canal?
    fn followed(&self, province: ProvinceId, old: [&CanalEnd; 2], [first, second]: [BorderId; 2]) -> bool {
        old[0].borders().filter(|&border| !self.is_separated(border)).any(|border| {
            let Some(side) = self.before.side_of(border, province) else { return false };
            let behind = self.before.next(side);
            old[1].contains(behind.border())
                && self.last_piece(side, Turn::On) == first
                && self.last_piece(behind, Turn::Back) == second
        })
    }

    // ---- new isthmuses ----

    /// Rule 9 (a): waterways at isthmuses that did not exist before.
    fn open_isthmuses(&self, advice: WaterwayAdvice<'_>, found: &mut Vec<Waterway>) {
        let map = self.after;
        let has_strait = |border| {
            found.iter().any(|way| matches!(way, Waterway::Strait { border: own, .. } if *own == border))
        };
        let mut new: Vec<(BorderId, [ProvinceId; 2], Vec<Quake>)> = Vec::new();
        self.near.for_each(|border| {
            let between = Some(border).filter(|&own| map.has(own)).and_then(|own| map.isthmus(own));
            if let Some(between) = between.filter(|_| !has_strait(border))
                && let Some(by) = self.made_by(border)
            {
                new.push((border, between, by));
            }
        });
        new.sort_by_key(|&(border, between, _)| (map.ranks(between), border));
        for (border, between, by) in new {
            let option = ask(advice, Matter::NewIsthmus { between }, &by)
                .unwrap_or_else(|| self.default_at(border, between));
            let waterway = match option {
                WaterwayOption::Strait => Some(Waterway::Strait { border, provinces: between }),
                WaterwayOption::Canal(province) => map.side_of(border, province).and_then(|side| {
                    Waterway::canal(province, [map.prev(side), map.next(side)].map(HalfEdgeId::border))
                }),
                _ => None,
            };
            found.extend(waterway);
        }
    }

    /// A strait where two seas have been pinched off, unless the two provinces shared a border before or meet
    /// through the one sea of a release.
    fn default_at(&self, border: BorderId, [x, y]: [ProvinceId; 2]) -> WaterwayOption {
        let shared_a_border = self.before.sides_of(x).any(|side| self.before.across(side) == y);
        let is_released = self.shaken.made.iter().any(|&(_, new)| new == border);
        if shared_a_border || is_released { WaterwayOption::Nothing } else { WaterwayOption::Strait }
    }

    /// The quakes that have made this border an isthmus; `None` if it was one before and has not been cut.
    fn made_by(&self, border: BorderId) -> Option<Vec<Quake>> {
        if let Some(&(release, _)) = self.shaken.made.iter().find(|&&(_, new)| new == border) {
            return Some(vec![release]);
        }
        let parts = self.parts_of(border);
        if parts.is_empty() {
            return Some(vec![Quake::Separation(border)]);
        }
        let mut by: Vec<Quake> = Vec::new();
        for (side, piece) in parts {
            let marks = self.marks(side);
            if marks.len() == 2 && self.before.isthmus(side.border()).is_some() {
                return None;
            }
            // If only one sea replaced another, or a land is gone elsewhere, no isthmus was made.
            by.extend(
                marks[piece..=piece + 1].iter().filter(|mark| !mark.was_sea).filter_map(|mark| mark.by),
            );
        }
        Some(distinct(by.into_iter()))
    }

    /// The parts of the old map that make up this border: half-edges of borders that were not separated, each
    /// with the number of the piece along it. A new border has none.
    fn parts_of(&self, border: BorderId) -> Vec<(HalfEdgeId, usize)> {
        let merges = self.after.trail.get(self.shaken.cut..).unwrap_or_default();
        let merged = merges.iter().filter_map(|trace| match trace {
            Trace::Merged { gone, .. } => Some(*gone),
            _ => None,
        });
        let is_cut = |whole: BorderId| self.shaken.stretches.iter().any(|own| own.side.border() == whole);
        let whole = std::iter::once(border)
            .chain(merged)
            .filter(|&own| self.before.has(own) && !self.is_separated(own) && !is_cut(own))
            .filter(|&own| self.now(own) == border)
            .map(|own| (own.sides()[0], 0));
        let pieces = self.shaken.stretches.iter().flat_map(|stretch| {
            let pieces = stretch.pieces.iter().enumerate();
            pieces.filter(|&(_, &piece)| self.now(piece) == border).map(|(i, _)| (stretch.side, i))
        });
        whole.chain(pieces).collect()
    }
}

/// These quakes, each once.
fn distinct(quakes: impl Iterator<Item = Quake>) -> Vec<Quake> {
    let mut all: Vec<Quake> = Vec::new();
    for quake in quakes {
        if !all.contains(&quake) {
            all.push(quake);
        }
    }
    all
}

/// The answer to a question, if it is one.
fn ask(advice: WaterwayAdvice<'_>, matter: Matter, by: &[Quake]) -> Option<WaterwayOption> {
    advice(&WaterwayQuestion { matter, by: by.to_vec() }).filter(|&option| matter.takes(option))
}
