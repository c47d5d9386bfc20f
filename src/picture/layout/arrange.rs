//! Gives the names and units of all provinces room: those of provinces that are too small go to plates beside them, and
//! fleets on coasts go where they cover nothing.

use std::collections::BTreeSet;

use crate::geometry::{Area, Point};
use crate::layout::Layout;
use crate::scar::Scar;
use crate::spot::{CoastSpot, Contents, PlateParts, Spot};
use crate::view::{Around, View};
use upheaval_map::ids::{ByProvince, Location, ProvinceId};
use upheaval_map::topology::{Board, FaceKind, FaceState, HalfEdgeId, NamedMap, derive};

/// Smaller letters cannot be read on a board that fills a small screen: the name goes to a plate.
const LEAST_LETTERS: f64 = 8.0;
/// The contents of provinces with smaller letters go to a plate if they cover those of others. No province of the
/// standard board has letters as small as that.
const CROWDED: f64 = 9.0;
/// The contents of provinces with smaller letters go to a plate if there is no room for their coasts.
const CROWDED_COASTS: f64 = 12.0;
/// The height of letters on a plate.
const PLATE_LETTERS: f64 = 10.0;
/// All of these are smaller on a board with more faces than this, so that it does not consist of plates.
const USUAL: f64 = 120.0;
/// Half the width of the widest plate: a longer name stays where it is.
const WIDEST: f64 = 60.0;
/// Half the width of the point of a hole.
const HOLE: f64 = 7.0;
/// Half the width of what a plate leaves free of another province that is too small.
const SPECK: f64 = 5.0;

/// An area that is not free.
#[derive(Clone, Copy)]
struct Taken {
    of: ProvinceId,
    area: Area,
    /// Is it the place of a unit? A province has one unit, so its places may overlap.
    is_unit: bool,
}

impl Layout {
    /// Finds places for everything, in the provinces or beside them. `before` is the previous drawing: plates stay in
    /// place if they can.
    pub(super) fn arrange(&mut self, chart: &NamedMap, before: Option<&Layout>) {
        let board = derive(chart.map());
        let scale = self.scale();
        let mut small = self.too_small(chart, &board, scale);
        loop {
            let crowded = self.find_coasts(chart, &board, (&small, scale));
            if crowded.is_empty() {
                break;
            }
            small.extend(crowded);
            small.sort_unstable();
        }
        let all = View { low: Point::default(), high: self.canvas.size };
        let was = |face: ProvinceId| {
            let before =
                before.filter(|before| before.keys.get(face.index()) == self.keys.get(face.index()))?;
            before.spots[face]?.plate.map(|plate| plate.middle)
        };
        let small: Vec<(ProvinceId, Option<Point>)> =
            small.into_iter().map(|face| (face, was(face))).collect();
        self.call_out(chart, &board, small, (all, scale));
        self.note_words(chart, &board);
    }

    /// Moves the contents of these provinces to plates within a part of the board. A province without any room for
    /// one keeps its contents.
    pub(super) fn call_out(
        &mut self,
        chart: &NamedMap,
        board: &Board,
        mut small: Vec<(ProvinceId, Option<Point>)>,
        (bounds, scale): (View, f64),
    ) {
        if small.is_empty() {
            return;
        }
        let faces: Vec<ProvinceId> = small.iter().map(|&(face, _)| face).collect();
        let mut taken: Vec<Area> = self.taken(chart, board, &faces).iter().map(|taken| taken.area).collect();
        let speck = |face: &ProvinceId| Some(Area::new(self.spot(*face)?.middle, [SPECK, SPECK]));
        taken.extend(faces.iter().filter_map(speck));
        // Plates that were there before are the first to be placed.
        small.sort_by_key(|(_, before)| before.is_none());
        let mut leaders: Vec<[Point; 2]> = Vec::new();
        for (face, before) in small {
            let Some(spot) = self.spots[face] else { continue };
            let contents = contents(chart, board, face);
            let around = Around { bounds, taken: &taken, leaders: &leaders, vertices: &self.at };
            let letters = PLATE_LETTERS * scale;
            let half = PlateParts::of(letters, contents).half();
            let Some(at) = around.place(spot.middle, half, before).filter(|_| half.x < WIDEST) else {
                self.keep_in_place(board, face, spot);
                continue;
            };
            let spot = spot.on_plate(at, letters, contents);
            self.coasts.retain(|(coast, _)| coast.province != face);
            if contents.coasts > 1 {
                let coasts = board.stations_of(face).enumerate();
                self.coasts.extend(coasts.map(|(i, at)| (at, spot.coast_on_plate(contents, i))));
            }
            self.spots[face] = Some(spot);
            leaders.push([spot.middle, at]);
            taken.extend(spot.plate);
        }
    }

    /// Without room for a plate, the contents of a province stay in it, whatever they cover.
    fn keep_in_place(&mut self, board: &Board, face: ProvinceId, spot: Spot) {
        if face == self.beyond {
            self.spots[face] = None;
            return;
        }
        let coasts = board.stations_of(face).filter(|_| board.coasts(face) > 1).filter_map(|at| {
            let shore = (self.longest(board, at)?, board.contacts(at));
            let label = self.on_shore(shore, (face, &spot), |_| true);
            Some((at, CoastSpot { unit: self.mooring(shore, (face, &spot), label, |_| true), label }))
        });
        let coasts: Vec<(Location, CoastSpot)> = coasts.collect();
        self.coasts.retain(|(coast, _)| coast.province != face);
        self.coasts.extend(coasts);
    }

    /// The provinces that are too small for their contents, and those that are small and cover the contents of larger
    /// ones.
    fn too_small(&self, chart: &NamedMap, board: &Board, scale: f64) -> Vec<ProvinceId> {
        let is_named = |face: &ProvinceId| {
            let state = chart.map().face(*face).map(|face| face.state());
            !self.is_point(*face) && state != Some(FaceState::Collapsed)
        };
        let mut faces: Vec<(ProvinceId, Spot)> =
            self.net.faces().filter(is_named).filter_map(|face| Some((face, self.spots[face]?))).collect();
        faces.sort_by(|(_, a), (_, b)| b.letters.total_cmp(&a.letters));
        let (mut taken, mut small): (Vec<Area>, Vec<ProvinceId>) = (Vec::new(), Vec::new());
        for (face, spot) in faces {
            let areas = areas(&spot, contents(chart, board, face));
            let covers = || areas.clone().any(|(area, _)| taken.iter().any(|other| other.meets(&area)));
            if spot.letters < LEAST_LETTERS * scale || (spot.letters < CROWDED * scale && covers()) {
                small.push(face);
            } else {
                taken.extend(areas.map(|(area, _)| area));
            }
        }
        small.sort_unstable();
        small
    }

    /// The size of letters on this board, relative to a board with room: large boards have smaller letters everywhere.
    pub(super) fn scale(&self) -> f64 {
        (USUAL / self.net.faces().count().max(1) as f64).sqrt().min(1.0)
    }

    /// Everything that takes up room, except for the contents of these provinces.
    fn taken(&self, chart: &NamedMap, board: &Board, but: &[ProvinceId]) -> Vec<Taken> {
        let hole = |scar: &Scar| Area::new(scar.at, [HOLE, HOLE]);
        let holes = self.scars.iter().map(|scar| Taken { of: self.beyond, area: hole(scar), is_unit: false });
        let mut taken: Vec<Taken> = holes.collect();
        for face in self.net.faces().filter(|face| !but.contains(face) && !self.is_point(*face)) {
            let Some(spot) = self.spots[face] else { continue };
            let areas = areas(&spot, contents(chart, board, face));
            taken.extend(areas.map(|(area, is_unit)| Taken { of: face, area, is_unit }));
            taken.extend(spot.plate.map(|area| Taken { of: face, area, is_unit: false }));
        }
        for (at, coast) in self.coasts.iter().filter(|(at, _)| !but.contains(&at.province)) {
            let Some(spot) = self.spots[at.province] else { continue };
            let of = at.province;
            taken.push(Taken { of, area: spot.coast_area(coast.label, COAST), is_unit: false });
            taken.push(Taken { of, area: spot.unit_area(coast.unit, true), is_unit: true });
        }
        taken
    }

    /// Finds places for the coasts of all provinces but these: first for their names, then for fleets. Returns the
    /// small provinces in which there is no room for them.
    pub(super) fn find_coasts(
        &mut self,
        chart: &NamedMap,
        board: &Board,
        (small, scale): (&[ProvinceId], f64),
    ) -> BTreeSet<ProvinceId> {
        self.coasts.retain(|(at, _)| self.spots[at.province].is_some_and(|spot| spot.plate.is_some()));
        let mut taken = self.taken(chart, board, small);
        let has_several = |face: &ProvinceId| board.coasts(*face) > 1 && !self.is_point(*face);
        let is_on_plate = |face: &ProvinceId| self.spots[*face].is_some_and(|spot| spot.plate.is_some());
        let faces =
            self.net.faces().filter(|face| has_several(face) && !small.contains(face) && !is_on_plate(face));
        let mut crowded: BTreeSet<ProvinceId> = BTreeSet::new();
        let all: Vec<(Location, Spot, HalfEdgeId)> = faces
            .flat_map(|face| board.stations_of(face))
            .filter_map(|at| Some((at, self.spots[at.province]?, self.longest(board, at)?)))
            .collect();
        let first = taken.len();
        for (at, spot, longest) in &all {
            let is_free = |label: Point| is_free(&taken, spot.coast_area(label, COAST), None);
            let label = self.on_shore((*longest, board.contacts(*at)), (at.province, spot), is_free);
            taken.push(Taken { of: at.province, area: spot.coast_area(label, COAST), is_unit: false });
        }
        for (number, (at, spot, longest)) in all.iter().enumerate() {
            let (of, shore) = (at.province, (*longest, board.contacts(*at)));
            let word = |label: Point| Taken { of, area: spot.coast_area(label, COAST), is_unit: false };
            let mut label = taken[first + number].area.middle;
            let moor = |taken: &[Taken], label: Point| {
                let is_free = |unit: Point| is_free(taken, spot.unit_area(unit, true), Some(of));
                let unit = self.mooring(shore, (of, spot), label, is_free);
                (unit, is_free(unit))
            };
            let (mut unit, mut has_room) = moor(&taken, label);
            if !has_room {
                // There may be room for the fleet if the name gives way.
                let mut others = taken.clone();
                others.remove(first + number);
                let (other, is_free_there) = moor(&others, label);
                others.push(Taken { of, area: spot.unit_area(other, true), is_unit: true });
                let is_free = |label: Point| is_free(&others, word(label).area, None);
                let name = self.on_shore(shore, (of, spot), is_free);
                if is_free_there && is_free(name) {
                    (unit, label, has_room) = (other, name, true);
                    taken[first + number] = word(name);
                }
            }
            let is_named = taken
                .iter()
                .enumerate()
                .all(|(i, other)| i == first + number || !other.area.meets(&word(label).area));
            if !(has_room && is_named) && spot.letters < CROWDED_COASTS * scale {
                crowded.insert(of);
            }
            self.coasts.push((*at, CoastSpot { unit, label }));
            taken.push(Taken { of, area: spot.unit_area(unit, true), is_unit: true });
        }
        crowded
    }

    /// Notes where names and plates are.
    pub(super) fn note_words(&mut self, chart: &NamedMap, board: &Board) {
        let faces: Vec<ProvinceId> = self.net.faces().filter(|&face| !self.is_point(face)).collect();
        let words = faces
            .iter()
            .filter_map(|&face| Some((face, self.spots[face]?.name_area(contents(chart, board, face).name))));
        let plates = faces.iter().filter_map(|&face| Some((face, self.spots[face]?.plate?)));
        let coasts = self.coasts.iter().filter_map(|(at, coast)| {
            Some((at.province, self.spots[at.province]?.coast_area(coast.label, COAST)))
        });
        self.words = words.chain(plates).chain(coasts).collect();
    }
}

/// Is an area free, but for the units of this province?
fn is_free(taken: &[Taken], area: Area, but: Option<ProvinceId>) -> bool {
    !taken.iter().any(|other| !(other.is_unit && Some(other.of) == but) && other.area.meets(&area))
}

/// The letters of a coast's name.
const COAST: usize = 2;

/// The contents of a province.
fn contents(chart: &NamedMap, board: &Board, face: ProvinceId) -> Contents {
    let coasts = usize::from(board.coasts(face));
    let is_sea = chart.map().face(face).is_some_and(|face| face.kind() == FaceKind::Sea);
    Contents {
        name: chart.map().name(face).chars().count(),
        is_centre: chart.centres().contains(face),
        has_fleet: is_sea || coasts == 1,
        coasts: if is_sea || coasts < 2 { 0 } else { coasts },
    }
}

/// The name, unit and centre of a province, and which of them is a unit.
fn areas(spot: &Spot, contents: Contents) -> impl Iterator<Item = (Area, bool)> + Clone {
    let centre = contents.is_centre.then(|| (spot.centre_area(), false));
    let own = [(spot.name_area(contents.name), false), (spot.unit_area(spot.unit, contents.has_fleet), true)];
    own.into_iter().chain(centre)
}

// The part of a drawing that a change of the map affects, and the drawing cropped to a part.

/// The distance of names from the edge.
const INSET: f64 = 5.0;
/// Smaller letters would be unreadable: the name is left out then.
const LEAST_CROPPED_LETTERS: f64 = 6.5;

impl View {
    /// The part in which the later drawing differs from the earlier one, with a margin; the whole board if there is no
    /// difference.
    pub fn of_change(before: (&Layout, &NamedMap), after: (&Layout, &NamedMap)) -> View {
        let changed =
            View::round(other_points(before.0, after.0).into_iter().chain(other_faces(before, after)));
        let all = View { low: Point::default(), high: after.0.canvas.size };
        changed.map_or(all, |changed| changed.with_room(all))
    }
}

impl Layout {
    /// The same drawing, cropped to this part: everything outside is left out, and names of provinces that extend
    /// beyond it are moved into their visible part. So are plates beside small provinces that are within it.
    pub fn within(&self, view: View, chart: &NamedMap) -> Layout {
        let mut layout = self.clone();
        layout.view = Some(view);
        let board = derive(chart.map());
        let inside = view.grown(-INSET);
        let (mut spots, mut small) = (ByProvince::filled(None), Vec::new());
        for (id, face) in chart.map().faces() {
            let Some(spot) = self.spot(id) else { continue };
            let (shape, name) = (self.shape(id), face.name().chars().count());
            let is_whole = || shape.iter().flatten().all(|&p| view.holds(p));
            spots[id] = match spot.plate {
                Some(plate) if inside.holds(plate.low()) && inside.holds(plate.high()) => Some(*spot),
                Some(_) if inside.holds(spot.middle) => {
                    small.push((id, None));
                    Some(Spot::within(&shape, name))
                }
                Some(_) => None,
                None if is_whole() => Some(*spot),
                None => {
                    let seen: Vec<Vec<Point>> = shape.iter().map(|cycle| inside.clip(cycle)).collect();
                    Some(Spot::within(&seen, name)).filter(|spot| spot.letters >= LEAST_CROPPED_LETTERS)
                }
            };
        }
        layout.spots = spots;
        let faces: Vec<ProvinceId> = small.iter().map(|&(face, _)| face).collect();
        let scale = self.scale();
        layout.find_coasts(chart, &board, (&faces, scale));
        layout.call_out(chart, &board, small, (inside, scale));
        for face in faces {
            layout.spots[face] = layout.spots[face].filter(|spot| spot.plate.is_some());
        }
        layout.note_words(chart, &board);
        layout
    }
}

/// The vertices of each drawing that are not in the other.
fn other_points(before: &Layout, after: &Layout) -> Vec<Point> {
    let sorted = |layout: &Layout| {
        let mut points = layout.at.clone();
        points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        points
    };
    let (old, new) = (sorted(before), sorted(after));
    let lacks = |of: &[Point], p: &Point| {
        of.binary_search_by(|q| q.x.total_cmp(&p.x).then(q.y.total_cmp(&p.y))).is_err()
    };
    let gone = old.iter().filter(|p| lacks(&new, p));
    let come = new.iter().filter(|p| lacks(&old, p));
    gone.chain(come).copied().collect()
}

/// The outlines of faces whose kind has changed.
fn other_faces(before: (&Layout, &NamedMap), after: (&Layout, &NamedMap)) -> Vec<Point> {
    let what = |chart: &NamedMap, id: ProvinceId| {
        chart.map().face(id).map(|face| (face.name().to_owned(), face.kind(), face.state()))
    };
    let faces = after.1.map().faces().map(|(id, _)| id).filter(|&id| id != after.0.beyond());
    let other = faces.filter(|&id| what(before.1, id) != what(after.1, id));
    other.flat_map(|id| [before.0.outline(id), after.0.outline(id)]).flatten().flatten().collect()
}
