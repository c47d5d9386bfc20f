//! The ground a game is played on: the chart and everything derived from it, made anew when the map changes and
//! shared by every game that still stands on it.

use std::sync::{Arc, OnceLock};

use super::gazetteer::Gazetteer;
use upheaval_map::ids::{ByPower, Location, Powers, ProvinceSet, UnitKind};
use upheaval_map::topology::{Board, Chart, HomeDistances, Metrics, Quake, QuakeList, derive};

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
    board: Arc<Board>,
    centres: ProvinceSet,
    homes: ByPower<ProvinceSet>,
    names: OnceLock<Gazetteer>,
    hash: OnceLock<u64>,
    metrics: OnceLock<(Arc<Metrics>, Arc<HomeDistances>)>,
    quakes: OnceLock<QuakeList>,
}

impl Clone for Terrain {
    /// What was derived on first use is not cloned, for a clone is made to be changed; but the list of quakes follows.
    fn clone(&self) -> Self {
        Terrain {
            chart: self.chart.clone(),
            board: Arc::clone(&self.board),
            centres: self.centres,
            homes: self.homes.clone(),
            names: OnceLock::new(),
            hash: OnceLock::new(),
            metrics: OnceLock::new(),
            quakes: self.quakes.clone(),
        }
    }
}

fn centres_and_homes(chart: &Chart) -> (ProvinceSet, ByPower<ProvinceSet>) {
    let (mut centres, mut homes) = (ProvinceSet::EMPTY, ByPower::<ProvinceSet>::new(chart.powers()));
    for (id, home) in chart.open_centres() {
        centres.insert(id);
        if let Some(power) = home {
            homes[power].insert(id);
        }
    }
    (centres, homes)
}

impl Terrain {
    /// Derives the tables of a chart.
    pub fn new(chart: Chart) -> Terrain {
        let board = Arc::new(derive(chart.map()));
        let (centres, homes) = centres_and_homes(&chart);
        let (names, hash, metrics, quakes) = Default::default();
        Terrain { chart, board, centres, homes, names, hash, metrics, quakes }
    }

    /// Changes the chart by `change`, which must do all or nothing, and derives the tables anew. Returns the board
    /// as it was before and what `change` returned; an error leaves everything as it was.
    pub fn change<T, E>(
        &mut self,
        change: impl FnOnce(&mut Chart) -> Result<T, E>,
    ) -> Result<(Arc<Board>, T), E> {
        self.chart.begin_change();
        let changed = change(&mut self.chart)?;
        let board = Arc::new(derive(self.chart.map()));
        if self.chart.map().has_made_faces() {
            (self.centres, self.homes) = centres_and_homes(&self.chart);
        }
        self.names = OnceLock::new();
        self.hash = OnceLock::new();
        self.metrics = OnceLock::new();
        if let Some(quakes) = self.quakes.get_mut() {
            quakes.follow(self.chart.map());
        }
        Ok((std::mem::replace(&mut self.board, board), changed))
    }

    /// Makes these provinces supply centres. The map and its tables stay as they are.
    pub fn found_centres(&mut self, centres: ProvinceSet) {
        centres.iter().for_each(|centre| self.chart.found_centre(centre));
        (self.centres, self.homes) = centres_and_homes(&self.chart);
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
        &self.measured().0
    }

    /// How far the powers' homes are from each other; logs keep that, too.
    pub fn home_distances(&self) -> &Arc<HomeDistances> {
        &self.measured().1
    }

    fn measured(&self) -> &(Arc<Metrics>, Arc<HomeDistances>) {
        self.metrics.get_or_init(|| {
            let (metrics, distances) = Metrics::new(&self.chart, &self.board);
            (Arc::new(metrics), Arc::new(distances))
        })
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
