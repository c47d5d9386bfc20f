//! A planar map and its annotations: positions, supply centres, homes, names of coasts. Changes to the map go
//! through this module, so that the annotations follow the borders.

use std::sync::Arc;

use super::board::{Board, Former};
use super::isthmus::WaterwayAdvice;
use super::map::PlanarMap;
use super::quake::Quake;
use super::surgery::{Surgery, SurgeryError};
use super::waterway::{Waterway, WaterwayRule};
use crate::ids::{CoastId, Location, Power, PowerNames, Powers, ProvinceId, ProvinceSet};
use crate::topology::bearing::{Bearing, CoastName};
use crate::topology::half_edge::{BorderId, FaceKind, HalfEdgeId, with_room};

/// The annotations of a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProvinceInfo {
    /// The index of its names among the chart's; see [`NamedMap::full_name`].
    pub(super) called: u8,
    /// The geographic centre in map units, east and north; `None` for the Outside.
    pub position: Option<[f64; 2]>,
    /// Is it a supply centre (while it is open)?
    pub supply_centre: bool,
    /// The power whose home centre it is.
    pub home: Option<Power>,
}

/// A planar map with the annotations of its faces.
///
/// ```
/// use upheaval_map::topology::atlas;
/// let mut chart = atlas::standard();
/// let marseilles = chart.map().find("MAR").unwrap();
/// chart.collapse(marseilles)?;
/// assert!(chart.map().holes().contains(marseilles));
/// chart.restore(marseilles)?;
/// assert!(chart.map().holes().is_empty());
/// # Ok::<(), upheaval_map::topology::SurgeryError>(())
/// ```
#[derive(Clone, Debug)]
pub struct NamedMap {
    map: PlanarMap,
    powers: PowerNames,
    /// One entry for each province index that has a face. Clones share the list until one of them writes to
    /// it.
    info: Arc<Vec<Option<ProvinceInfo>>>,
    called: Arc<[FaceNames]>,
}

/// The full name of a face, and the other names that people use.
#[derive(Clone, Debug)]
pub(crate) struct FaceNames {
    pub full: String,
    pub also: Vec<String>,
}

/// The fate of a fleet on a coast when the map changes (rules.md 2).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CoastFate {
    /// It stays on the one coast that remains of its own, whatever that coast is now called (2.2).
    Stays(CoastId),
    /// Its coast vanished, and the province has exactly one other (2.3).
    Moves(CoastId),
    /// Its coast split, or vanished while the province has others: the owner chooses (2.1, 2.3).
    Choice {
        /// The coasts to choose from, in ascending order.
        coasts: Vec<CoastId>,
        /// The coast that it takes if no choice is made.
        default: CoastId,
    },
    /// The province has no coast left (2.4).
    Lost,
}

impl NamedMap {
    /// Combines a map with the annotations of its faces; `info` yields one entry for each face.
    pub(crate) fn new(
        map: PlanarMap,
        powers: PowerNames,
        info: Vec<Option<ProvinceInfo>>,
        called: Vec<FaceNames>,
    ) -> NamedMap {
        NamedMap { map, powers, info: Arc::new(info), called: Arc::from(called) }
    }

    /// The underlying map.
    #[inline]
    pub fn map(&self) -> &PlanarMap {
        &self.map
    }

    /// The powers of the board.
    #[inline]
    pub fn powers(&self) -> Powers {
        self.powers.powers()
    }

    /// The names of the powers.
    pub fn power_names(&self) -> &PowerNames {
        &self.powers
    }

    /// The annotations of a face.
    pub fn info(&self, id: ProvinceId) -> Option<&ProvinceInfo> {
        self.info.get(id.index())?.as_ref()
    }

    /// The full name of a face, such as `Burgundy`; half of a split province keeps the name of the whole.
    pub fn full_name(&self, id: ProvinceId) -> Option<&str> {
        self.called(id).map(|names| names.full.as_str())
    }

    /// The other names and codes by which people call a face, such as `MID`.
    pub fn also(&self, id: ProvinceId) -> &[String] {
        self.called(id).map_or(&[], |names| &names.also)
    }

    fn called(&self, id: ProvinceId) -> Option<&FaceNames> {
        self.called.get(usize::from(self.info(id)?.called))
    }

    /// The extant supply centres: those whose face is open land or sea. A centre below ice sleeps.
    pub fn centres(&self) -> ProvinceSet {
        self.open_centres().map(|(id, _)| id).collect()
    }

    /// The extant home centres of a power.
    pub fn homes(&self, power: Power) -> ProvinceSet {
        self.open_centres().filter(|&(_, home)| home == Some(power)).map(|(id, _)| id).collect()
    }

    /// The extant supply centres, each with the power whose home it is.
    pub(crate) fn open_centres(&self) -> impl Iterator<Item = (ProvinceId, Option<Power>)> {
        let faces = (0..=u8::MAX).map(ProvinceId).zip(self.map.faces.iter().zip(self.info.iter()));
        faces.filter_map(|(id, (face, info))| {
            let centre = info.as_ref().filter(|info| info.supply_centre)?;
            (face.is_open_land() || face.is_open_sea()).then_some((id, centre.home))
        })
    }

    /// Begins a change: [`NamedMap::coast_fate`] compares later states with the map as it is now.
    pub fn begin_change(&mut self) {
        self.map.trail.clear();
        let over = std::mem::take(&mut self.map.touch);
        self.map.structure.end_change(&over.bounded);
    }

    // ---- changes; the operations of the same names are described in `surgery` ----

    /// See [`PlanarMap::collapse`].
    pub fn collapse(&mut self, id: ProvinceId) -> Surgery {
        self.map.collapse(id)
    }

    /// See [`PlanarMap::void`].
    pub fn void(&mut self, id: ProvinceId) -> Surgery {
        self.map.void(id)
    }

    /// See [`PlanarMap::restore`]. A supply centre reappears together with its province, and with the sea below
    /// ice.
    pub fn restore(&mut self, id: ProvinceId) -> Surgery {
        self.map.restore(id)
    }

    /// See [`PlanarMap::submerge`]. A supply centre is lost permanently.
    pub fn submerge(&mut self, id: ProvinceId) -> Surgery {
        self.map.submerge(id)?;
        if let Some(info) = Arc::make_mut(&mut self.info).get_mut(id.index()).and_then(Option::as_mut) {
            info.supply_centre = false;
        }
        Ok(())
    }

    /// See [`PlanarMap::raise`]. A supply centre stays.
    pub fn raise(&mut self, id: ProvinceId) -> Surgery {
        self.map.raise(id)
    }

    /// See [`PlanarMap::freeze`]. A supply centre is not extant until the ice thaws.
    pub fn freeze(&mut self, id: ProvinceId) -> Surgery {
        self.map.freeze(id)
    }

    /// See [`PlanarMap::thaw`].
    pub fn thaw(&mut self, id: ProvinceId) -> Surgery {
        self.map.thaw(id)
    }

    /// See [`PlanarMap::reform`]. The face keeps its mark as a supply centre.
    pub fn reform(&mut self, id: ProvinceId, kind: FaceKind) -> Surgery {
        self.map.reform(id, kind)
    }

    /// See [`PlanarMap::dig`].
    pub fn dig(&mut self, id: ProvinceId, seas: [ProvinceId; 2]) -> Surgery {
        self.map.dig(id, seas)
    }

    /// See [`PlanarMap::fill`].
    pub fn fill(&mut self, id: ProvinceId) -> Surgery {
        self.map.fill(id)
    }

    /// Makes a province a supply centre, which is a home of this power, if of any; unless it already is a supply
    /// centre.
    pub fn found_centre(&mut self, id: ProvinceId, home: Option<Power>) {
        self.set_centre(id, true, home);
    }

    /// Makes a supply centre an ordinary province, unless it already is one.
    pub fn ruin_centre(&mut self, id: ProvinceId) {
        self.set_centre(id, false, None);
    }

    fn set_centre(&mut self, id: ProvinceId, is_centre: bool, home: Option<Power>) {
        let info = Arc::make_mut(&mut self.info).get_mut(id.index()).and_then(Option::as_mut);
        if let Some(info) = info.filter(|info| info.supply_centre != is_centre) {
            *info = ProvinceInfo { supply_centre: is_centre, home, ..*info };
            self.map.touch.made.insert(id);
        }
    }

    /// See [`PlanarMap::open`].
    pub fn open(&mut self, id: ProvinceId) -> Surgery {
        self.map.open(id)
    }

    /// Does these quakes at once; the map must allow each of them, and none may contradict another (rules.md
    /// 8.5). If waterways follow the rules of isthmuses, `advice` makes the choices about them.
    ///
    /// # Errors
    /// Together the quakes would cut a face; the chart is then unchanged.
    pub fn shake(&mut self, quakes: &[Quake], advice: WaterwayAdvice<'_>) -> Surgery {
        let NamedMap { map, info, .. } = self;
        let centres = |id: ProvinceId| info.get(id.index())?.as_ref()?.position;
        match map.waterway_rule {
            WaterwayRule::Tied => map.shake(quakes, &centres).map(|_| ()),
            WaterwayRule::Isthmuses => map.shake_with_isthmuses(quakes, &centres, advice),
        }
    }

    /// Does a single quake, with the default choices for waterways.
    ///
    /// # Errors
    /// The map does not allow the quake.
    pub fn quake(&mut self, quake: Quake) -> Surgery {
        if !self.map.allows(quake) {
            return Err(SurgeryError::Contradiction);
        }
        self.shake(&[quake], &mut |_| None)
    }

    /// Sets what happens to waterways when borders move from now on.
    pub fn set_waterway_rule(&mut self, rule: WaterwayRule) {
        self.map.waterway_rule = rule;
    }

    /// Replaces all waterways.
    pub fn set_waterways(&mut self, waterways: Vec<Waterway>) {
        self.map.structure.outdate();
        let before = std::mem::replace(&mut self.map.waterways, waterways.clone());
        self.map.touch_waterways(before.iter().chain(&waterways));
    }

    /// See [`PlanarMap::split`]. Both halves keep the parent's centre and home; the position of a half is the
    /// plain mean of the positions of its parent and of the neighbours it received, without its sibling and
    /// the Outside (rules.md 4.6).
    pub fn split(&mut self, first: HalfEdgeId, second: HalfEdgeId) -> Surgery<[ProvinceId; 2]> {
        let halves = self.map.split(first, second)?;
        let mut all = with_room(&self.info);
        all.resize(self.map.faces.len(), None);
        let parent = all[halves[0].index()].take();
        for (half, sibling) in [(halves[0], halves[1]), (halves[1], halves[0])] {
            let neighbours: ProvinceSet = self
                .map
                .sides_of(half)
                .map(|side| self.map.across(side))
                .filter(|&id| id != sibling)
                .collect();
            let points: Vec<[f64; 2]> = parent
                .iter()
                .chain(neighbours.iter().filter_map(|id| all[id.index()].as_ref()))
                .filter_map(|info| info.position)
                .collect();
            all[half.index()] = parent.map(|info| ProvinceInfo { position: mean(&points), ..info });
        }
        self.info = Arc::new(all);
        Ok(halves)
    }

    /// Makes exactly these faces archipelagos (rules.md 4.9); an index without a face is ignored. A face
    /// keeps the mark whatever happens to it, and both halves of a split inherit it. Tables derived earlier
    /// do not reflect the change.
    pub fn set_archipelagos(&mut self, faces: ProvinceSet) {
        self.map.faces_hashed.take();
        let before = self.map.archipelagos;
        self.map.archipelagos = faces.iter().filter(|&id| self.map.face(id).is_some()).collect();
        self.map.touch.made |= (before | self.map.archipelagos) - (before & self.map.archipelagos);
    }

    // ---- coasts ----

    /// The names of a province's coasts in the order of their [`CoastId`]s; empty if there are fewer than two
    /// coasts (docs/map-command.md).
    ///
    /// A name given by the map file (`STP/NC`) stays with the coast that keeps most of its old contacts. Any
    /// other name is the quarter of the compass in which the mean of the contacts' positions lies, seen from
    /// the position of the province.
    pub fn coast_names(&self, board: &Board, province: ProvinceId) -> Vec<CoastName> {
        if board.coasts(province) < 2 {
            return Vec::new();
        }
        let coasts: Vec<Location> = board.stations_of(province).collect();
        let mut names: Vec<Option<CoastName>> = vec![None; coasts.len()];
        let labels: Vec<_> = self.map.labels.iter().filter(|label| label.province == province).collect();
        let mut data: Vec<CoastName> = labels.iter().map(|label| label.name).collect();
        data.sort_unstable();
        data.dedup();
        let mut claims: Vec<(usize, CoastName, usize)> = data
            .iter()
            .flat_map(|&name| {
                let labels = &labels;
                coasts.iter().enumerate().map(move |(i, &coast)| {
                    let of_it = |side: &&HalfEdgeId| {
                        labels.iter().any(|label| label.name == name && label.border == side.border())
                    };
                    (board.contacts(coast).iter().filter(of_it).count(), name, i)
                })
            })
            .filter(|&(kept, ..)| kept > 0)
            .collect();
        claims.sort_by_key(|&(kept, name, coast)| (usize::MAX - kept, name, coast));
        for (_, name, coast) in claims {
            if names[coast].is_none() && !names.contains(&Some(name)) {
                names[coast] = Some(name);
            }
        }
        let mut unnamed: Vec<(&str, usize)> = (0..coasts.len())
            .filter(|&i| names[i].is_none())
            .map(|i| (self.contact_names(board, coasts[i]).min().unwrap_or(""), i))
            .collect();
        unnamed.sort_unstable();
        for (_, coast) in unnamed {
            let quarter = self.bearing(board, coasts[coast]).quarter();
            let free = (1..=u8::MAX).map(|ordinal| CoastName { quarter, ordinal });
            names[coast] = free.into_iter().find(|&name| !names.contains(&Some(name)));
        }
        names.into_iter().flatten().collect()
    }

    fn contact_names<'a>(&'a self, board: &'a Board, coast: Location) -> impl Iterator<Item = &'a str> {
        board.contacts(coast).iter().map(|&side| self.map.name(self.map.across(side)))
    }

    /// The bearing of the mean position of the coast's contacts, including holes, from the position of the
    /// province.
    fn bearing(&self, board: &Board, coast: Location) -> Bearing {
        self.bearing_of(coast.province, board.contacts(coast).iter().map(|&side| self.map.across(side)))
    }

    /// The bearing of the mean position of the faces at the ends of the coast from the position of the
    /// province.
    fn bearing_of_ends(&self, board: &Board, coast: Location) -> Bearing {
        let contacts = board.contacts(coast);
        let beside = contacts.iter().flat_map(|&side| [self.map.prev(side), self.map.next(side)]);
        let ends = beside.filter(|side| !contacts.contains(side));
        self.bearing_of(coast.province, ends.map(|side| self.map.across(side)))
    }

    /// The faces at which the coast begins, counter-clockwise; one for each of its runs.
    fn faces_before(&self, board: &Board, coast: Location) -> impl Iterator<Item = ProvinceId> {
        let contacts = board.contacts(coast);
        let before = contacts.iter().map(|&side| self.map.prev(side));
        before.filter(|side| !contacts.contains(side)).map(|side| self.map.across(side))
    }

    /// The bearing of the mean position of these faces from the position of a province; north if either is
    /// unknown.
    fn bearing_of(&self, province: ProvinceId, faces: impl Iterator<Item = ProvinceId>) -> Bearing {
        let points: Vec<[f64; 2]> = faces.filter_map(|id| self.info(id)?.position).collect();
        match (self.info(province).and_then(|info| info.position), mean(&points)) {
            (Some(from), Some(to)) => Bearing::between(from, to),
            _ => Bearing::NORTH,
        }
    }

    /// Is the place of the fleet, a sea or an unchanged coast, exactly what it was before the last change?
    /// This is so for most fleets; [`NamedMap::coast_fate`] decides the fate of all others.
    pub fn is_unmoved(&self, old: Former<'_>, new: &Board, fleet: Location) -> bool {
        let contacts = new.contacts(fleet);
        let at_sea = old.sea().contains(fleet.province) && new.sea().contains(fleet.province);
        let traced = |side: &HalfEdgeId| self.map.trail.iter().any(|trace| trace.is_of(side.border()));
        at_sea || !contacts.is_empty() && contacts == old.contacts(fleet) && !contacts.iter().any(traced)
    }

    /// The fate of a fleet that was on this coast of the old board, on the map as it is now (rules.md 2). The
    /// old board is the one from before the last [`NamedMap::begin_change`].
    pub fn coast_fate(&self, old: Former<'_>, new: &Board, fleet: Location) -> CoastFate {
        self.coast_fate_in(old, new, fleet.province, &[fleet.coast], fleet.province)
    }

    /// The same for a fleet whose owner had not yet chosen between these coasts of a province. After the
    /// change it is in the province `now`, which is one of the halves if the province was split (rules.md 2,
    /// 4.11).
    pub fn coast_fate_in(
        &self,
        old: Former<'_>,
        new: &Board,
        province: ProvinceId,
        coasts: &[CoastId],
        now: ProvinceId,
    ) -> CoastFate {
        let contacts = |&coast| old.contacts(Location { province, coast });
        self.coast_with(new, now, coasts.iter().flat_map(contacts).map(|side| side.border()).collect())
    }

    /// The fate of a fleet that vanished with its province and now returns with it (rules.md 2, 4.8).
    /// `contacts` are the borders of its coast, from [`NamedMap::coast_borders`] before the province vanished;
    /// borders may have moved since then only in the last change.
    pub fn coast_returned(&self, new: &Board, province: ProvinceId, contacts: &[BorderId]) -> CoastFate {
        self.coast_with(new, province, contacts.to_vec())
    }

    /// The borders that make up this coast of the board, by which it is recognised on another board; empty
    /// for a sea or a place that does not exist.
    pub fn coast_borders(&self, board: &Board, at: Location) -> Vec<BorderId> {
        board.contacts(at).iter().map(|side| side.border()).collect()
    }

    /// The coast of a province for a fleet whose coast consisted of these borders when the last change began:
    /// a part of that coast if there is one, otherwise any other coast (rules.md 2).
    fn coast_with(&self, new: &Board, province: ProvinceId, mut before: Vec<BorderId>) -> CoastFate {
        self.map.follow(&mut before);
        let coasts: Vec<Location> = new.stations_of(province).collect();
        if self.map.face(province).is_none_or(|face| face.kind() == FaceKind::Sea) {
            return coasts.first().map_or(CoastFate::Lost, |sea| CoastFate::Stays(sea.coast));
        }
        let kept = |coast: &Location| {
            new.contacts(*coast).iter().filter(|side| before.contains(&side.border())).count()
        };
        let parts: Vec<Location> = coasts.iter().copied().filter(|coast| kept(coast) > 0).collect();
        let vanished = parts.is_empty();
        let candidates = if vanished { coasts } else { parts };
        match candidates[..] {
            [] => CoastFate::Lost,
            [only] if vanished => CoastFate::Moves(only.coast),
            [only] => CoastFate::Stays(only.coast),
            _ => {
                let bearing = |coast: &Location| self.bearing(new, *coast);
                // Two parts on one sea lie in the same direction; the faces at their ends distinguish them.
                // If both lie between the same two provinces, due north belongs to the one that begins later.
                let of_ends = |coast: &Location| self.bearing_of_ends(new, *coast);
                let begins = |coast: &Location| {
                    let faces = self.faces_before(new, *coast);
                    let bearings = faces.map(|face| self.bearing_of(coast.province, [face].into_iter()));
                    bearings.max_by(Bearing::anticlockwise).unwrap_or(Bearing::NORTH)
                };
                let best = candidates.iter().copied().min_by(|a, b| {
                    kept(b)
                        .cmp(&kept(a))
                        .then_with(|| bearing(a).anticlockwise(&bearing(b)))
                        .then_with(|| of_ends(a).anticlockwise(&of_ends(b)))
                        .then_with(|| begins(b).anticlockwise(&begins(a)))
                        .then(a.cmp(b))
                });
                CoastFate::Choice {
                    coasts: candidates.iter().map(|c| c.coast).collect(),
                    default: best.map_or(CoastId::FIRST, |c| c.coast),
                }
            }
        }
    }
}

fn mean(points: &[[f64; 2]]) -> Option<[f64; 2]> {
    let n = points.len() as f64;
    let sum = points.iter().fold([0.0, 0.0], |[x, y], [dx, dy]| [x + dx, y + dy]);
    (n > 0.0).then(|| [sum[0] / n, sum[1] / n])
}
