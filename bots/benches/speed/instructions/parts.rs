//! The parts that are counted, and their loops.

/// The cost of a unit of work.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    pub nanoseconds: f64,
    /// `None` without valgrind.
    pub instructions: Option<f64>,
}

impl Tally {
    /// The difference.
    pub(super) fn less(self, other: Tally) -> Tally {
        Tally {
            nanoseconds: self.nanoseconds - other.nanoseconds,
            instructions: self.instructions.zip(other.instructions).map(|(x, y)| x - y),
        }
    }
}

/// A part: the cost of one loop minus the cost of another that does everything except this part.
pub(super) struct Part {
    pub name: &'static str,
    pub how: &'static str,
    with: &'static str,
    without: Option<&'static str>,
}

const fn part(name: &'static str, with: &'static str) -> Part {
    Part { name, how: "", with, without: None }
}

impl Part {
    const fn less(self, without: &'static str) -> Part {
        Part { without: Some(without), ..self }
    }

    const fn by(self, how: &'static str) -> Part {
        Part { how, ..self }
    }

    /// The loops it needs.
    pub(super) fn loops(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.with).chain(self.without)
    }

    /// Its cost.
    pub(super) fn tally(&self, of: impl Fn(&str) -> Tally) -> Tally {
        self.without.map_or(of(self.with), |without| of(self.with).less(of(without)))
    }
}

/// A movement phase of random play on `standard` with the retreats and adjustments that follow: the whole comes first.
pub(super) const PARTS: [Part; 7] = [
    part("**the whole phase**", "games")
        .less("beginnings")
        .by("whole games less their setup (bots, dice, position), divided by their movement phases"),
    part("chains of fleets followed", "chains").by("`ConvoyChains::update`"),
    part("orders drawn", "chains, drawn").less("chains").by("`legal::draw` for all units, less the chains"),
    part("adjudicated", "resolved").by("`Adjudicator::resolve`"),
    part("moves carried out", "resolved, copied, carried out")
        .less("resolved, copied")
        .by("`Resolution::apply_into`, less adjudication and a fresh position"),
    part("retreats", "retreats")
        .less("retreats copied")
        .by("games continued from that stage, with the end of the season, less copying them"),
    part("adjustments", "adjustments")
        .less("adjustments copied")
        .by("games continued from that stage, with the end of the year, less copying them"),
];

/// What may not become dearer: `kept.txt` has a count of each. Games are of seven of the same bot, to 1910, with their
/// setup; a logged game is one of a run of 70 into a folder. A prepared map is copied, since it is changed: the copy is
/// subtracted.
pub(super) const HELD: [Part; 17] = [
    part("a game of random on standard", "games of random on standard"),
    part("a game of greedy on standard", "games of greedy on standard"),
    part("a game of dumbbot on standard", "games of dumbbot on standard"),
    part("a game of random on schizo-ii", "games of random on schizo-ii"),
    part("a game of greedy on schizo-ii", "games of greedy on schizo-ii"),
    part("a game of dumbbot on schizo-ii", "games of dumbbot on schizo-ii"),
    part("a game of random on seismic-1971", "games of random on seismic-1971"),
    part("a game of greedy on seismic-1971", "games of greedy on seismic-1971"),
    part("a game of dumbbot on seismic-1971", "games of dumbbot on seismic-1971"),
    part("a logged game of random on standard", "logged games of random"),
    part("a logged game of greedy on standard", "logged games of greedy"),
    part("an adjudication", "resolved"),
    part("legal orders of all units drawn", "chains, drawn"),
    part("legal orders of all units listed", "chains, listed"),
    part("a split with its tables", "split").less("split copied"),
    part("a seismic season", "season").less("season copied"),
    part("a step of a batch of 256 games", "steps of a batch"),
];
