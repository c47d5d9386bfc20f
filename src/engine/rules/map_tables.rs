//! The ground on which a game is played: the chart and everything derived from it. It is rebuilt when the map
//! changes, and shared by all games whose map is still the same.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use crate::rules::gazetteer::Gazetteer;
use upheaval_map::ids::{ByPower, Location, Power, PowerNames, Powers, ProvinceId, ProvinceSet, UnitKind};
use upheaval_map::topology::{
    Board, HomeDistances, Metrics, NamedMap, Quake, QuakeList, Survey, Surveys, derive,
};

/// A chart with its tables. Data that only text and logs need is derived on first use.
///
/// ```
/// use upheaval_engine::rules::map_tables::MapTables;
/// use upheaval_engine::topology::atlas;
/// let mut terrain = MapTables::new(atlas::standard());
/// let before = terrain.hash();
/// let paris = terrain.names().find("PAR").unwrap();
/// terrain.change(|chart| chart.collapse(paris))?;
/// assert_ne!(terrain.hash(), before);
/// assert_eq!(terrain.centres().len(), 33);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MapTables {
    chart: NamedMap,
    board: Board,
    centres: ProvinceSet,
    homes: ByPower<ProvinceSet>,
    names: OnceLock<Gazetteer>,
    hash: OnceLock<u64>,
    surveys: Surveys,
    quakes: OnceLock<QuakeList>,
    kept: Kept,
}

impl Clone for MapTables {
    /// A clone is made in order to be changed, so data derived on first use is not cloned. The exceptions are
    /// the measures and the list of quakes, because those of the next map are computed from them.
    fn clone(&self) -> Self {
        MapTables {
            chart: self.chart.clone(),
            board: self.board.clone(),
            centres: self.centres,
            homes: self.homes.clone(),
            names: OnceLock::new(),
            hash: OnceLock::new(),
            surveys: self.surveys.clone(),
            quakes: self.quakes.clone(),
            kept: Kept::default(),
        }
    }
}

impl MapTables {
    /// Derives the tables of a chart.
    pub fn new(chart: NamedMap) -> MapTables {
        let board = derive(chart.map());
        let (centres, homes) = (ProvinceSet::EMPTY, ByPower::new(chart.powers()));
        let (names, hash, surveys, quakes, kept) = Default::default();
        let mut terrain = MapTables { chart, board, centres, homes, names, hash, surveys, quakes, kept };
        terrain.count_centres(terrain.board.passable());
        terrain
    }

    /// Changes the chart by `change`, which must be all or nothing, and updates the affected parts of the
    /// tables; [`Board::former`] has the previous state until the next change. Returns the result of
    /// `change`; an error leaves everything unchanged.
    pub fn change<T, E>(&mut self, change: impl FnOnce(&mut NamedMap) -> Result<T, E>) -> Result<T, E> {
        self.chart.begin_change();
        let changed = change(&mut self.chart)?;
        self.board.follow(self.chart.map());
        self.count_centres(*self.chart.map().remade());
        self.names = OnceLock::new();
        self.hash = OnceLock::new();
        self.surveys.outdate();
        if let Some(quakes) = self.quakes.get_mut() {
            quakes.follow(self.chart.map());
        }
        self.kept = Kept::default();
        Ok(changed)
    }

    /// Updates whether these faces are centres, and of which power they are homes.
    fn count_centres(&mut self, faces: ProvinceSet) {
        self.centres -= faces;
        for (_, homes) in self.homes.iter_mut() {
            *homes -= faces;
        }
        let awake = self.board.passable() - *self.board.ice();
        for id in faces {
            let Some(info) = self.chart.info(id) else { continue };
            if !info.supply_centre || !awake.contains(id) {
                continue;
            }
            self.centres.insert(id);
            if let Some(power) = info.home {
                self.homes[power].insert(id);
            }
        }
    }

    /// Makes a province a supply centre. The map and its tables are unchanged.
    pub(crate) fn found_centre(&mut self, centre: ProvinceId, home: Option<Power>) {
        self.chart.found_centre(centre, home);
        self.count_centres(ProvinceSet::single(centre));
    }

    /// The map with its annotations.
    pub fn chart(&self) -> &NamedMap {
        &self.chart
    }

    /// The tables of play.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Data that a bot has derived from the tables of play, cached as long as the tables are valid. It is
    /// computed on first use and shared by all users of the same type, in every game on this ground.
    ///
    /// ```
    /// use upheaval_engine::ids::ProvinceSet;
    /// use upheaval_engine::rules::map_tables::MapTables;
    /// use upheaval_engine::topology::{Board, atlas};
    ///
    /// /// The coasts of a board.
    /// struct Shores(ProvinceSet);
    ///
    /// impl From<&Board> for Shores {
    ///     fn from(board: &Board) -> Self {
    ///         Shores(board.land().iter().filter(|&at| board.coasts(at) > 0).collect())
    ///     }
    /// }
    ///
    /// let mut terrain = MapTables::new(atlas::standard());
    /// let denmark = terrain.names().find("DEN").unwrap();
    /// assert!(terrain.kept::<Shores>().0.contains(denmark));
    /// terrain.change(|chart| chart.collapse(denmark))?;
    /// assert!(!terrain.kept::<Shores>().0.contains(denmark));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn kept<T>(&self) -> &T
    where
        T: for<'a> From<&'a Board> + Send + Sync + 'static,
    {
        self.kept.get(|| T::from(self.board()))
    }

    /// The extant supply centres.
    #[inline]
    pub fn centres(&self) -> &ProvinceSet {
        &self.centres
    }

    /// The extant home centres of every power.
    #[inline]
    pub fn homes(&self) -> &ByPower<ProvinceSet> {
        &self.homes
    }

    /// The powers of the board.
    #[inline]
    pub fn powers(&self) -> Powers {
        self.chart.powers()
    }

    /// The names of the powers.
    pub fn power_names(&self) -> &PowerNames {
        self.chart.power_names()
    }

    /// The names of provinces, coasts and powers.
    pub fn names(&self) -> &Gazetteer {
        self.names.get_or_init(|| Gazetteer::of(&self.chart, &self.board))
    }

    /// One place as text, `BUR` or `SPA/SC`. Use this for a few places on a map that may soon change, and
    /// [`MapTables::names`] for many.
    pub fn place(&self, at: Location, kind: UnitKind) -> String {
        let province = self.chart.map().name(at.province);
        if kind == UnitKind::Fleet
            && self.board.coasts(at.province) > 1
            && let Some(coast) = self.chart.coast_names(&self.board, at.province).get(usize::from(at.coast.0))
        {
            return format!("{province}/{coast}");
        }
        province.to_owned()
    }

    /// The logged measures of the map; all rows for one map share them.
    pub fn metrics(&self) -> &Arc<Metrics> {
        self.surveyed().metrics()
    }

    /// The distances between the powers' homes, which are also logged.
    pub fn home_distances(&self) -> &Arc<HomeDistances> {
        self.surveyed().distances()
    }

    fn surveyed(&self) -> &Survey {
        self.surveys.get(&self.chart, &self.board, &self.homes)
    }

    /// Every seismic order that the map allows on its own, in canonical order.
    pub fn quakes(&self) -> &[Quake] {
        self.quakes.get_or_init(|| QuakeList::new(self.chart.map())).as_slice()
    }

    /// A hash of the map: equal for equal maps, however they were reached.
    pub fn hash(&self) -> u64 {
        *self.hash.get_or_init(|| self.chart.map().hash())
    }
}

// Data that other code derives from a board and caches with it: one value of each type, computed on first
// use.
//
// Look-ups take no lock, because the ground of a variant is shared by all threads: the values form a list
// that only grows, and each place in it is written once.

/// The rest of the list. There are only as many types as bots cache, which is few.
#[derive(Debug, Default)]
struct Kept {
    here: OnceLock<Box<dyn Any + Send + Sync>>,
    next: OnceLock<Box<Kept>>,
}

impl Kept {
    /// The value of this type; `make` creates it if there is none.
    #[inline]
    fn get<T: Any + Send + Sync>(&self, make: impl Fn() -> T) -> &T {
        let mut place = self;
        loop {
            if let Some(found) = place.here.get_or_init(|| Box::new(make())).downcast_ref() {
                return found;
            }
            place = place.next.get_or_init(Box::default);
        }
    }
}
