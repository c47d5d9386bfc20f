//! The ground a game is played on: the chart and everything derived from it, made anew when the map changes and
//! shared by every game that still stands on it.

mod kept;

use std::sync::{Arc, OnceLock};

use super::gazetteer::Gazetteer;
use kept::Kept;
use upheaval_map::ids::{ByPower, Location, Powers, ProvinceSet, UnitKind};
use upheaval_map::topology::{
    Board, Chart, HomeDistances, Metrics, Quake, QuakeList, Survey, Surveys, derive,
};

/// A chart with its tables. What only text and logs need is derived on first use.
///
/// ```
/// use upheaval_engine::rules::terrain::Terrain;
/// use upheaval_engine::topology::atlas;
/// let mut terrain = Terrain::new(atlas::standard());
/// let before = terrain.hash();
/// let paris = terrain.names().find("PAR").unwrap();
/// terrain.change(|chart| chart.collapse(paris))?;
/// assert_ne!(terrain.hash(), before);
/// assert_eq!(terrain.centres().len(), 33);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Terrain {
    chart: Chart,
    board: Board,
    centres: ProvinceSet,
    homes: ByPower<ProvinceSet>,
    names: OnceLock<Gazetteer>,
    hash: OnceLock<u64>,
    surveys: Surveys,
    quakes: OnceLock<QuakeList>,
    kept: Kept,
}

impl Clone for Terrain {
    /// What was derived on first use is not cloned: a clone is made to be changed. Only the measures and the list of quakes
    /// are taken along, for those of the next map come from them.
    fn clone(&self) -> Self {
        Terrain {
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

impl Terrain {
    /// Derives the tables of a chart.
    pub fn new(chart: Chart) -> Terrain {
        let board = derive(chart.map());
        let (centres, homes) = (ProvinceSet::EMPTY, ByPower::new(chart.powers()));
        let (names, hash, surveys, quakes, kept) = Default::default();
        let mut terrain = Terrain { chart, board, centres, homes, names, hash, surveys, quakes, kept };
        terrain.count_centres(terrain.board.passable());
        terrain
    }

    /// Changes the chart by `change`, which must do all or nothing, and makes again what that touches in the tables; what
    /// was there before is in [`Board::former`] until the next change. Returns what `change` returned; an error leaves
    /// everything as it was.
    pub fn change<T, E>(&mut self, change: impl FnOnce(&mut Chart) -> Result<T, E>) -> Result<T, E> {
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

    /// Sees whether these faces are centres, and whose homes.
    fn count_centres(&mut self, faces: ProvinceSet) {
        self.centres -= faces;
        for id in faces {
            let Some(info) = self.chart.info(id) else { continue };
            let is_centre = info.supply_centre && self.board.passable().contains(id);
            if is_centre {
                self.centres.insert(id);
            }
            if let Some(power) = info.home {
                let homes = &mut self.homes[power];
                if is_centre { homes.insert(id) } else { homes.remove(id) }
            }
        }
    }

    /// Makes these provinces supply centres. The map and its tables stay as they are.
    pub fn found_centres(&mut self, centres: ProvinceSet) {
        centres.iter().for_each(|centre| self.chart.found_centre(centre));
        self.count_centres(centres);
    }

    /// The map with what is written on it.
    pub fn chart(&self) -> &Chart {
        &self.chart
    }

    /// The tables of play.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// What a bot has made of the tables of play, to be looked up as long as they stand: made when it is first asked for, and
    /// shared by all who ask for the same type, in every game on this ground.
    ///
    /// ```
    /// use upheaval_engine::ids::ProvinceSet;
    /// use upheaval_engine::rules::terrain::Terrain;
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
    /// let mut terrain = Terrain::new(atlas::standard());
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

    /// The names of provinces and coasts.
    pub fn names(&self) -> &Gazetteer {
        self.names.get_or_init(|| Gazetteer::of(&self.chart, &self.board))
    }

    /// One place as text writes it, `BUR` or `SPA/SC`. For a few places on a map that may soon change; who wants many
    /// takes [`Terrain::names`].
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

    /// The measures of the map that logs keep; rows of one map share them.
    pub fn metrics(&self) -> &Arc<Metrics> {
        self.surveyed().metrics()
    }

    /// How far the powers' homes are from each other; logs keep that, too.
    pub fn home_distances(&self) -> &Arc<HomeDistances> {
        self.surveyed().distances()
    }

    fn surveyed(&self) -> &Survey {
        self.surveys.get(&self.chart, &self.board, &self.homes)
    }

    /// Every seismic order that the map allows by itself, in canonical order.
    pub fn quakes(&self) -> &[Quake] {
        self.quakes.get_or_init(|| QuakeList::new(self.chart.map())).as_slice()
    }

    /// A hash of the map: equal for equal maps, however they came about.
    pub fn hash(&self) -> u64 {
        *self.hash.get_or_init(|| self.chart.map().hash())
    }
}
