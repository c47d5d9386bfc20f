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

impl Part {
    /// The loops it needs.
    pub(super) fn loops(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.with).chain(self.without)
    }

    /// Its cost.
    pub(super) fn tally(&self, of: impl Fn(&str) -> Tally) -> Tally {
        self.without.map_or(of(self.with), |without| of(self.with).less(of(without)))
    }
}

const fn part(name: &'static str, how: &'static str, with: &'static str) -> Part {
    Part { name, how, with, without: None }
}

const fn difference(
    name: &'static str,
    how: &'static str,
    with: &'static str,
    without: &'static str,
) -> Part {
    Part { name, how, with, without: Some(without) }
}

/// A movement phase of random play on `standard` with the retreats and adjustments that follow: the whole comes first.
pub(super) const PARTS: [Part; 7] = [
    difference(
        "**the whole phase**",
        "whole games less their setup (bots, dice, position), divided by their movement phases",
        "games",
        "beginnings",
    ),
    part("chains of fleets followed", "`ConvoyChains::update`", "chains"),
    difference("orders drawn", "`legal::draw` for all units, less the chains", "chains, drawn", "chains"),
    part("adjudicated", "`Adjudicator::resolve`", "resolved"),
    difference(
        "moves carried out",
        "`Resolution::apply_into`, less adjudication and a fresh position",
        "resolved, copied, carried out",
        "resolved, copied",
    ),
    difference(
        "retreats",
        "games continued from that stage, with the end of the season, less copying them",
        "retreats",
        "retreats copied",
    ),
    difference(
        "adjustments",
        "games continued from that stage, with the end of the year, less copying them",
        "adjustments",
        "adjustments copied",
    ),
];

/// A prepared terrain is copied, since it is changed: the copy is subtracted.
const ON_A_COPY: &str = "a copy of the ground changed, less copying it";

/// The same for a seismic season.
const SEASON: &str = "orders settled, carried out and derived on a copy, less copying it";

/// The same for the phases of a variant.
const PHASE: &str = "games continued, nothing drawn, less copying them";

/// Whole games of seven of the same bot, to 1910, with their setup.
const GAMES: &str = "whole games to 1910, with their setup";

/// What may not become dearer: `kept.txt` has a count of each.
pub(super) const HELD: [Part; 17] = [
    part("a game of random on standard", GAMES, "games of random"),
    part("a game of greedy on standard", GAMES, "games of greedy"),
    part("a game of dumbbot on standard", GAMES, "games of dumbbot"),
    part("a game of random on schizo-ii", GAMES, "games of random on schizo-ii"),
    part("a game of greedy on schizo-ii", GAMES, "games of greedy on schizo-ii"),
    part("a game of dumbbot on schizo-ii", GAMES, "games of dumbbot on schizo-ii"),
    part("a game of random on seismic-1971", GAMES, "games of random on seismic-1971"),
    part("a game of greedy on seismic-1971", GAMES, "games of greedy on seismic-1971"),
    part("a game of dumbbot on seismic-1971", GAMES, "games of dumbbot on seismic-1971"),
    part("a logged game of random on standard", "runs of 70 games into a folder", "logged games of random"),
    part("a logged game of greedy on standard", "runs of 70 games into a folder", "logged games of greedy"),
    part("an adjudication", "`Adjudicator::resolve`", "resolved"),
    part("legal orders of all units drawn", "with their chains", "chains, drawn"),
    part("legal orders of all units listed", "with their chains", "chains, listed"),
    difference("a split with its tables", ON_A_COPY, "split", "split: copies"),
    difference("a seismic season", SEASON, "season: seismic-1971", "copies: seismic-1971"),
    part("a step of a batch of 256 games", "all tables written, then stepped", "steps of a batch"),
];

/// Other tasks.
pub(super) const WORKS: [Part; 23] = [
    part(
        "the setup of a game, divided by its phases",
        "`Game::new`, seven bots, seven streams of dice",
        "beginnings",
    ),
    part("a whole game of seven `greedy`", "`standard` to 1910", "games of greedy"),
    part("a whole game of seven `dumbbot`", "`standard` to 1910", "games of dumbbot"),
    part("legal orders of all units drawn", "with their chains", "chains, drawn"),
    part("legal orders of all units listed", "with their chains", "chains, listed"),
    difference(
        "orders of all units checked",
        "`legal::is_legal`, for bots that do not draw, less the chains",
        "chains, checked",
        "chains",
    ),
    difference("map: collapse", ON_A_COPY, "collapse", "collapse: copies"),
    difference("map: restore", ON_A_COPY, "restore", "restore: copies"),
    difference("map: submerge", ON_A_COPY, "submerge", "submerge: copies"),
    difference("map: split", ON_A_COPY, "split", "split: copies"),
    difference("map: separate", ON_A_COPY, "separate", "separate: copies"),
    difference("seismic season, `seismic-1971`", SEASON, "season: seismic-1971", "copies: seismic-1971"),
    difference(
        "seismic season, `seismic-acerunner`",
        SEASON,
        "season: seismic-acerunner",
        "copies: seismic-acerunner",
    ),
    part("all seismic orders listed", "`PlanarMap::quakes`", "quakes"),
    difference("a phase of `standard`", PHASE, "phases: standard", "phases copied: standard"),
    difference("a phase of `black-hole`", PHASE, "phases: black-hole", "phases copied: black-hole"),
    difference("a phase of `black-hole-i`", PHASE, "phases: black-hole-i", "phases copied: black-hole-i"),
    difference("a phase of `black-hole-ii`", PHASE, "phases: black-hole-ii", "phases copied: black-hole-ii"),
    difference(
        "a phase of `double-reversible`",
        PHASE,
        "phases: double-reversible",
        "phases copied: double-reversible",
    ),
    difference("a phase of `schizo-ii`", PHASE, "phases: schizo-ii", "phases copied: schizo-ii"),
    difference("a phase of `deluge-ii`", PHASE, "phases: deluge-ii", "phases copied: deluge-ii"),
    difference("a phase of `seismic-1971`", PHASE, "phases: seismic-1971", "phases copied: seismic-1971"),
    difference(
        "a phase of `seismic-acerunner`",
        PHASE,
        "phases: seismic-acerunner",
        "phases copied: seismic-acerunner",
    ),
];
