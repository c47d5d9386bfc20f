//! The phase machine: decisions in, log of events out.
//!
//! ```text
//!      ┌───────────────────────────── next Spring ──────────────────────────────────────────────┐
//!      ▼                                                                                        │
//!   Movement ─▶ changes ─▶ [Coasts] ─▶ [Retreats] ─▶ owners ─▶ changes ─▶ [Coasts] ─▶ victory ─▶ [Adjustments]
//!                          if a fleet   if any unit   in Fall                                     after Fall
//!                          must choose  can
//! ```
//!
//! Where powers order seismic events, these have a stage of their own before the victory check, or at the end
//! of the year (`game/stages.rs`). In Winter, the map may change after the adjustments, and fleets may again have to
//! choose coasts.
//!
//! A [`Game`] waits in one [`Stage`] for the decisions of that stage and moves on to the next when they are
//! given. The game itself makes no random draws: they come from a [`Nature`] and are recorded in the [`Log`].
//! [`crate::play`] lets bots decide.
//!
//! ```text
//!   Game::asks() ─▶ the powers ─▶ Answers ─ Game::settle() ─▶ Settlement ─▶ Log ─▶ tables, records, bots, the referee
//!                                             ▲        └─ events ────────────▲
//!                            Nature ─ draws ──┘
//! ```
//!
//! The entries of a variant act at fixed points of the season (`src/engine/rules/changes/act.rs` has a drawing). The map
//! changes in one place, `change_map` of the game's state: units whose face is gone are destroyed, fleets find their
//! coasts, units that must retreat find their options, and centres that are gone lose their owner.
//!
//! If retreats are sent with the orders, the game settles them at once from these lists, and the stage
//! [`Stage::Retreats`] never occurs. An army aboard a fleet is the fleet's [`Cargo`], so that the two move, retreat and
//! are hashed as one unit.
//!
//! [`crate::adjudicate`] sets up a position and settles one phase with the same [`Game`]. Everything that a game
//! remembers is therefore part of a request: `tests/referee/` plays games through requests, and fails if something is
//! missing.

mod resumed;
mod stages;
mod stop;

pub use stop::{StopLead, StopRule};

use std::cmp::Ordering;
use std::sync::Arc;

use crate::rules::adjustment::{Adjusting, AdjustmentOutcome, BuildSite, Owed};
use crate::rules::answers::{Answers, FirstOrders};
use crate::rules::changes::Movement;
use crate::rules::event::{Event, Log};
use crate::rules::game_state::{CoastChoice, EventContext, Exempted, GameState};
use crate::rules::legal::ConvoyChains;
use crate::rules::map_tables::MapTables;
use crate::rules::movement::Adjudicator;
use crate::rules::nature::Nature;
use crate::rules::order::{AdjustmentOrder, MOST_POLLS, Poll, RetreatOrder};
use crate::rules::position::{Cargo, Phase, PhaseKind, Position, Retreats, Season, Unit};
use crate::rules::retreat::RetreatDefault;
use crate::rules::rulebook::DisbandDistance;
use crate::rules::settlement::{Adjusted, Settled, Settlement};
use crate::rules::variant::{RetreatsSent, UnorderedRetreats, Variant};
use crate::rules::victory::Deserted;
use crate::rules::{adjustment, retreat, victory};
use upheaval_map::ids::{ByPower, Location, Power, PowerNames, Powers, ProvinceId, ProvinceSet};
use upheaval_map::named;
use upheaval_map::topology::{Bearing, Quake};

named! {
    /// The kind of decision that a game waits for. The order is that of a year.
    pub enum Stage {
        /// Orders to all units and, in some variants, an exempt centre with the first orders.
        Movement = "movement",
        /// Orders to the dislodged units.
        Retreats = "retreats",
        /// Coasts for fleets whose own coast split or vanished.
        Coasts = "coasts",
        /// Builds and removals.
        Adjustments = "adjustments",
        /// Seismic orders.
        Seismic = "seismic",
        /// The game is over and waits for nothing.
        Over = "over",
    }
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// One power won.
    Solo(Power),
    /// A draw of the survivors after the last year (rules.md 3.3); the list is empty if no power is left.
    Draw(Vec<Power>),
}

/// A game between two decisions.
///
/// ```
/// use std::sync::Arc;
/// use upheaval_engine::game::{Game, Referee, Stage};
/// use upheaval_engine::prelude::*;
/// use upheaval_engine::rules::answers::Answers;
/// use upheaval_engine::rules::nature::Seeded;
///
/// let variant = Variant::find("standard", "".as_ref())?.expect("it ships");
/// let mut game = Game::new(Arc::new(variant), 1910);
/// let (mut referee, mut nature) = (Referee::new(), Seeded { seed: 1, block: 0 });
/// // Every unit holds; nothing is logged.
/// game.settle(&mut referee, &Answers::none(game.powers()), &mut nature, &mut ());
/// assert_eq!((game.phase().to_string().as_str(), game.stage()), ("F1901M", Stage::Movement));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    variant: Arc<Variant>,
    last_year: u16,
    world: GameState,
    phase: Phase,
    stage: Stage,
    first_orders: FirstOrders,
    /// The stage after the choice of coasts, while that is awaited.
    after_coasts: AfterCoasts,
    eliminated: ByPower<Option<u16>>,
    ending: Option<Ending>,
    empty_winters: EmptyWinters,
    /// The seismic orders that the entry of the variant allows, while the game waits for them; `None` if it allows all.
    quakes: Option<Vec<Quake>>,
    /// What may stop the game early.
    watch: stop::Watch,
}

/// How the game treats a Winter without any possible build or required removal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum EmptyWinters {
    /// The game skips it.
    Passed,
    /// The game waits for orders, as in any other Winter.
    Asked,
}

/// The continuation after a choice of coasts.
#[derive(Clone, Copy, Debug)]
enum AfterCoasts {
    Retreats,
    /// The seismic phase, if there is one.
    Seismic,
    /// The end of the season or of the year.
    End,
}

/// The tables that settling needs, kept from game to game so that the steady state allocates nothing. Use one
/// for each thread.
#[derive(Clone, Default)]
pub struct Referee {
    adjudicator: Adjudicator,
    chains: ConvoyChains,
    /// The tables of the answers to a stage, while no stage is being answered.
    answers: Option<Box<Answers>>,
}

impl Referee {
    /// A referee with empty tables.
    pub fn new() -> Referee {
        Referee::default()
    }

    /// Updates the tables of convoys for a game, for its legal orders.
    pub fn prepare(&mut self, game: &Game) {
        self.chains.update(game.world.terrain.board(), &game.variant.rulebook, &game.world.position);
    }

    /// The convoys that are possible in the last prepared position.
    pub fn chains(&self) -> &ConvoyChains {
        &self.chains
    }

    /// Empty tables for the answers to a stage of a game, to be [given back](Referee::give_back) when it is settled.
    pub fn answers(&mut self, game: &Game) -> Box<Answers> {
        match self.answers.take() {
            Some(mut answers) if answers.powers() == game.powers() => {
                match game.stage() {
                    Stage::Movement => answers.clear_movement(),
                    _ => answers.clear_others(),
                }
                answers
            }
            _ => Box::new(Answers::none(game.powers())),
        }
    }

    /// Keeps tables for the next stage.
    pub fn give_back(&mut self, answers: Box<Answers>) {
        self.answers = Some(answers);
    }

    /// The resolution of the last movement phase that was settled.
    pub fn resolution(&self) -> &crate::rules::movement::Resolution {
        self.adjudicator.resolution()
    }
}

impl Game {
    /// A new game of a variant that ends as a draw after `last_year`.
    pub fn new(variant: Arc<Variant>, last_year: u16) -> Game {
        let mut world = GameState::new(Arc::clone(&variant.terrain));
        world.position.clone_from(&variant.position);
        let phase = variant.opening();
        Game::resumed(variant, last_year, world, phase)
    }

    /// The rule set.
    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    /// The year after which the game ends as a draw.
    pub fn last_year(&self) -> u16 {
        self.last_year
    }

    /// From now on, the game ends as a draw after this year.
    pub fn set_last_year(&mut self, year: u16) {
        self.last_year = year;
    }

    /// The ground, units and owners.
    pub fn world(&self) -> &GameState {
        &self.world
    }

    /// The ground.
    pub fn terrain(&self) -> &MapTables {
        &self.world.terrain
    }

    /// The powers of the board.
    pub fn powers(&self) -> Powers {
        self.world.terrain.powers()
    }

    /// Their names.
    pub fn power_names(&self) -> &PowerNames {
        self.world.terrain.power_names()
    }

    /// The phase whose orders are awaited.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The kind of decision that is awaited.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The moment at which the game waits, as a number made of its year, season and stage, and of a count if
    /// there are two choices of coasts in one season. It is unique within a game.
    pub fn moment(&self) -> u64 {
        let stage = match (self.stage, self.after_coasts) {
            (Stage::Movement, _) => 0,
            (Stage::Retreats, _) => 1,
            (Stage::Adjustments, _) => 2,
            (Stage::Seismic, _) => 3,
            (Stage::Coasts, AfterCoasts::Retreats) => 4,
            (Stage::Coasts, AfterCoasts::Seismic) => 5,
            (Stage::Coasts, AfterCoasts::End) => 6,
            (Stage::Over, _) => 7,
        };
        (u64::from(self.phase.year) * 4 + self.phase.season as u64) * 8 + stage
    }

    /// The dislodged units that wait for retreats, and the places that are closed to them.
    pub fn dislodged(&self) -> &Retreats {
        &self.world.retreats
    }

    /// The year in which each eliminated power was eliminated.
    pub fn eliminated(&self) -> &ByPower<Option<u16>> {
        &self.eliminated
    }

    /// How the game ended, once it is over.
    pub fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// Is the first movement phase still to be settled?
    pub(crate) fn are_first_orders(&self) -> bool {
        self.first_orders == FirstOrders::Yes
    }

    /// The exemption of each power, so that guesses can replace it.
    pub(crate) fn exemptions_mut(&mut self) -> &mut ByPower<Exempted> {
        &mut self.world.exemptions
    }

    /// The centres of which a power may name one as exempt with the orders for this phase.
    pub fn exempt_choices(&self, power: Power) -> ProvinceSet {
        match (self.stage, self.variant.changes.mark()) {
            (Stage::Movement, Some(mark)) => mark.choices(&self.world, power, self.first_orders),
            _ => ProvinceSet::EMPTY,
        }
    }

    /// May a power have its exempt centre announced with the orders for this phase?
    pub fn can_announce(&self, power: Power) -> bool {
        let mark = self.variant.changes.mark().filter(|_| self.stage == Stage::Movement);
        mark.is_some_and(|mark| mark.can_announce(&self.world, power, self.first_orders))
    }

    /// The questions of the variant's votes and of its rules in Rust to a power, at most [`MOST_POLLS`], to be answered
    /// with the orders for this phase.
    pub(crate) fn polls(&self, power: Power) -> impl Iterator<Item = Poll> {
        let asked = self.stage == Stage::Movement && !self.world.position.is_out(power);
        let has_votes = asked && self.variant.changes.have_votes();
        let votes = has_votes.then(|| self.variant.changes.polls(&self.world, self.phase, power));
        let rules = self.variant.custom.iter().filter(move |_| asked);
        let polls = rules.filter_map(move |rule| rule.act().poll(&self.world, self.phase, power));
        votes.into_iter().flatten().chain(polls).take(MOST_POLLS)
    }

    /// May a power be asked polls?
    #[inline]
    pub(crate) fn may_poll(&self) -> bool {
        self.variant.changes.have_votes() || !self.variant.custom.is_empty()
    }

    /// The places to which the `i`-th dislodged unit can retreat.
    pub fn retreat_options(&self, i: usize) -> Vec<Location> {
        let GameState { terrain, position, retreats, doomed, .. } = &self.world;
        retreat::options(terrain.board(), &self.variant.rulebook, position, retreats, i, doomed).collect()
    }

    /// Does the game wait for the changes before its first phase?
    fn is_opening(&self) -> bool {
        self.phase < self.variant.first_phase && self.variant.changes.act_at_start()
    }

    /// The number of builds or removals of a power in the adjustments.
    pub fn owed(&self, power: Power) -> Owed {
        if self.is_opening() {
            return Owed::Builds(0);
        }
        let GameState { terrain, position, .. } = &self.world;
        let elsewhere = self.variant.builds == BuildSite::HomeElseThree
            && !self.build_sites(power).intersects(&terrain.homes()[power]);
        match adjustment::owed(position, power, terrain.centres()) {
            Owed::Builds(number) if elsewhere => Owed::Builds(number.min(adjustment::MOST_ELSEWHERE)),
            owed => owed,
        }
    }

    /// Where a power may build.
    pub fn build_sites(&self, power: Power) -> ProvinceSet {
        let GameState { terrain, position, .. } = &self.world;
        let (homes, centres) = (&terrain.homes()[power], terrain.centres());
        adjustment::build_sites(terrain.board(), position, power, homes, centres, self.variant.builds)
    }

    /// What a power may build or must remove in the adjustments, before its first order.
    pub(crate) fn adjusting(&self, power: Power) -> Adjusting {
        let owed = self.owed(power);
        let sites = match owed {
            Owed::Builds(1..) => self.build_sites(power),
            Owed::Builds(0) | Owed::Removals(_) => ProvinceSet::EMPTY,
        };
        Adjusting::new(power, owed, sites)
    }

    /// The provinces that are announced or scheduled to become holes before the next movement.
    #[inline]
    pub(crate) fn doomed(&self) -> ProvinceSet {
        self.variant.changes.vanishing(&self.world, self.phase)
    }

    /// The provinces that are announced or scheduled to sink before the year is over (ru10 rule 3).
    pub(crate) fn sinking(&self) -> ProvinceSet {
        let terrain = &self.world.terrain;
        let board = terrain.board();
        self.variant.changes.sinking(&self.world, self.phase) & (*board.land() - *board.ice())
    }

    /// Settles the stage that the game waits for with these answers, of which it takes those to this stage. They must be
    /// possible or at least harmless ([`Adjudicator::resolve`]); the rules decide whatever is missing.
    pub fn settle(
        &mut self,
        referee: &mut Referee,
        answers: &Answers,
        nature: &mut dyn Nature,
        log: &mut dyn Log,
    ) {
        let mut scene = EventContext { at: self.phase, nature, log };
        match self.stage {
            Stage::Movement => self.settle_movement(referee, answers, &mut scene),
            Stage::Retreats => self.retreat(&answers.retreats, &[], &mut scene),
            Stage::Coasts => self.settle_coasts(answers, &mut scene),
            Stage::Adjustments => self.settle_adjustments(&answers.adjustments, &mut scene),
            Stage::Seismic => self.settle_seismic(&answers.seismic, &mut scene),
            Stage::Over => {}
        }
    }

    fn settle_movement(&mut self, referee: &mut Referee, answers: &Answers, scene: &mut EventContext<'_>) {
        let Answers { orders, declared, .. } = answers;
        let at = self.phase;
        let ground = self.ground_of_lists();
        let first = std::mem::replace(&mut self.first_orders, FirstOrders::No);
        self.variant.changes.mark_centres(&mut self.world, scene, declared, first);
        if self.variant.changes.have_votes() {
            self.variant.changes.count_votes(&mut self.world, scene, declared);
        }
        for rule in &self.variant.custom {
            rule.act().after_orders(&mut self.world, scene, declared);
        }
        let rulebook = &self.variant.rulebook;
        let GameState { terrain, position, retreats, .. } = &mut self.world;
        let resolution = referee.adjudicator.resolve(terrain.board(), rulebook, position, orders);
        let ballots = &declared.ballots;
        let settled = Settled::Movement { position, orders, ballots, resolution };
        scene.log.settled(&Settlement { at, terrain, settled });
        let before = rulebook.has_amphibious_armies().then(|| position.clone());
        resolution.apply_into(position, orders, retreats);
        if let Some(before) = before {
            self.count_seasons_aboard(scene);
            self.tell_passages(scene, &before, orders, resolution);
        }
        for dislodged in &self.world.retreats.dislodged {
            self.world.tell(scene, &Event::Dislodged(*dislodged));
        }
        let movement = Movement { orders, resolution };
        self.variant.changes.before_retreats(&mut self.world, scene, movement);
        match self.variant.retreats_sent {
            RetreatsSent::AfterMovement => self.await_coasts(AfterCoasts::Retreats, scene),
            RetreatsSent::WithOrders => self.retreat_by_lists(movement, ground, scene),
        }
    }

    /// Waits for choices of coasts if there are any, and otherwise continues.
    fn await_coasts(&mut self, next: AfterCoasts, scene: &mut EventContext<'_>) {
        if !self.world.coast_choices.is_empty() || !self.world.trapped.is_empty() {
            self.after_coasts = next;
            self.stage = Stage::Coasts;
            return;
        }
        match next {
            AfterCoasts::Retreats => self.await_retreats(scene),
            AfterCoasts::Seismic => self.await_seismic(scene),
            AfterCoasts::End => self.end_season_or_year(scene),
        }
    }

    /// Waits for retreats if any unit can retreat.
    fn await_retreats(&mut self, scene: &mut EventContext<'_>) {
        let GameState { terrain, position, retreats, doomed, .. } = &self.world;
        let (board, rulebook) = (terrain.board(), &self.variant.rulebook);
        let can_go = |i| retreat::options(board, rulebook, position, retreats, i, doomed).next().is_some();
        if (0..retreats.dislodged.len()).any(can_go) {
            self.phase.kind = PhaseKind::Retreats;
            self.stage = Stage::Retreats;
        } else {
            // Units that cannot retreat anywhere need no retreat phase.
            for dislodged in self.world.retreats.dislodged.clone() {
                self.world.lose_dislodged(scene, dislodged);
            }
            self.world.end_retreats();
            self.after_retreats(scene);
        }
    }

    /// Settles the retreats and the rest of the season. `options` are those of the units, if the retreats were sent with
    /// the orders.
    fn retreat(
        &mut self,
        orders: &[Option<RetreatOrder>],
        options: &[Vec<Location>],
        scene: &mut EventContext<'_>,
    ) {
        let GameState { terrain, position, retreats, doomed, .. } = &mut self.world;
        let look = |from, to| bearing_of(terrain, from, to);
        let by_name = |a: Location, b: Location| -> Ordering {
            let names = terrain.names();
            (names.province(a.province), names.coast(a)).cmp(&(names.province(b.province), names.coast(b)))
        };
        let default = match self.variant.unordered_retreats {
            UnorderedRetreats::Disband => RetreatDefault::Disband,
            UnorderedRetreats::NorthThenAnticlockwise => {
                RetreatDefault::NorthThenAnticlockwise { bearing: &look, by_name: &by_name }
            }
        };
        let (board, rulebook) = (terrain.board(), &self.variant.rulebook);
        let outcomes = retreat::settle(board, rulebook, position, retreats, orders, doomed, default);
        let settled = Settled::Retreats { waiting: retreats, orders, outcomes: &outcomes, options };
        scene.log.settled(&Settlement { at: scene.at, terrain, settled });
        for (dislodged, outcome) in self.world.retreats.dislodged.clone().into_iter().zip(&outcomes) {
            match outcome.stands() {
                Some(to) => self.world.tell(scene, &Event::Retreated(dislodged, to)),
                None => self.world.lose_dislodged(scene, dislodged),
            }
        }
        self.world.end_retreats();
        self.after_retreats(scene);
    }

    /// Owners (Fall), then what the variant does to the map, then coasts that must be chosen.
    fn after_retreats(&mut self, scene: &mut EventContext<'_>) {
        if self.phase.season == Season::Fall {
            self.record_owners(scene);
        }
        self.variant.changes.end_season(&mut self.world, scene);
        self.end_by_custom_rules(scene);
        self.await_coasts(AfterCoasts::Seismic, scene);
    }

    fn end_by_custom_rules(&mut self, scene: &mut EventContext<'_>) {
        for rule in &self.variant.custom {
            rule.act().end_season(&mut self.world, scene);
        }
    }

    /// Powers become the owners of centres in which they have a unit (rules.md 3.1).
    fn record_owners(&mut self, scene: &mut EventContext<'_>) {
        for centre in *self.world.terrain.centres() & *self.world.position.occupied() {
            let Some(by) = self.world.position.unit(centre).map(|unit| unit.power) else { continue };
            if self.world.position.centres_of(by).contains(centre) {
                continue;
            }
            let from = self.world.position.owner(centre);
            self.world.position.set_owner(centre, Some(by));
            self.world.tell(scene, &Event::Captured { centre, by, from });
        }
    }

    /// The fleets that wait for a coast.
    pub fn coast_choices(&self) -> &[CoastChoice] {
        &self.world.coast_choices
    }

    /// The newly trapped fleets that their owners may disband.
    pub fn trapped(&self) -> &[(ProvinceId, Power)] {
        &self.world.trapped
    }

    fn settle_coasts(&mut self, answers: &Answers, scene: &mut EventContext<'_>) {
        self.world.settle_coasts(scene, |choice| answers.coast(choice.fleet));
        self.world.settle_trapped(scene, answers.disbanded);
        self.await_coasts(self.after_coasts, scene);
    }

    /// Eliminations, victory, and the transition to the next season.
    fn end_season(&mut self, scene: &mut EventContext<'_>) {
        self.note_eliminations(scene);
        self.close_season(scene);
        let GameState { terrain, position, .. } = &self.world;
        let winner = victory::winner(self.variant.victory, position, terrain.centres(), self.phase.season);
        if let Some(winner) = winner {
            return self.end(Ending::Solo(winner), scene);
        }
        let deserted = self.nobody_is_left();
        if self.phase.season == Season::Fall {
            if deserted && self.variant.deserted == Deserted::SharedByAll {
                return self.end(Ending::Draw(self.powers().iter().collect()), scene);
            }
            self.phase = Phase { season: Season::Winter, kind: PhaseKind::Adjustments, ..self.phase };
            scene.at = self.phase;
            let asked = self.empty_winters == EmptyWinters::Asked;
            if asked || self.powers().iter().any(|power| self.has_adjustments(power)) {
                self.stage = Stage::Adjustments;
            } else {
                self.after_adjustments(scene);
            }
        } else if deserted && self.variant.deserted == Deserted::Nobody {
            self.end(Ending::Draw(Vec::new()), scene);
        } else {
            self.phase = Phase { season: Season::Fall, kind: PhaseKind::Movement, ..self.phase };
            self.stage = Stage::Movement;
        }
    }

    /// Does the power have a possible build or a required removal?
    pub fn has_adjustments(&self, power: Power) -> bool {
        !self.adjusting(power).is_settled()
    }

    fn close_season(&self, scene: &mut EventContext<'_>) {
        scene.log.season(scene.at, &self.world.terrain, &self.world.position);
    }

    /// Settles the adjustments: first each power's orders, then the removals by civil disorder.
    fn settle_adjustments(&mut self, orders: &ByPower<Vec<AdjustmentOrder>>, scene: &mut EventContext<'_>) {
        self.variant.changes.note_occupants(&mut self.world);
        // The fleets whose armies have already been removed.
        let mut unladen = ProvinceSet::EMPTY;
        let mut events = Vec::new();
        let before = self.world.position.clone();
        // Adjustments are simultaneous: a power cannot build on a centre that another power vacates now.
        let mut adjusting = ByPower::from_fn(self.powers(), |power| self.adjusting(power));
        let adjusted = ByPower::from_fn(self.powers(), |power| {
            let (of_power, adjusting) = (&orders[power], &mut adjusting[power]);
            let outcomes = adjustment::judge(self.terrain().board(), &before, adjusting, of_power);
            for (order, outcome) in of_power.iter().zip(&outcomes) {
                if *outcome == AdjustmentOutcome::Done {
                    events.extend(event_of(&before, power, *order, &mut unladen));
                }
            }
            adjustment::carry_out(&mut self.world.position, power, of_power, &outcomes);
            let removed = match adjusting.owed() {
                Owed::Builds(_) => Vec::new(),
                Owed::Removals(n) => self.remove_in_disorder(power, n),
            };
            events.extend(removed.iter().map(|&(at, unit)| Event::Removed(power, at, unit)));
            Adjusted { outcomes, removed }
        });
        let settled = Settled::Adjustments { position: &before, orders, adjusted: &adjusted };
        scene.log.settled(&Settlement { at: scene.at, terrain: self.terrain(), settled });
        events.iter().for_each(|event| self.world.tell(scene, event));
        self.after_adjustments(scene);
    }

    /// Removes units of a power that ordered too few removals (DATC 4.D.8).
    fn remove_in_disorder(&mut self, power: Power, count: usize) -> Vec<(ProvinceId, Unit)> {
        let GameState { terrain, position, .. } = &mut self.world;
        let map = terrain.chart().map();
        let rule = self.variant.rulebook.disband_distance;
        let centres = match rule {
            DisbandDistance::Owned => *position.centres_of(power) & *terrain.centres(),
            DisbandDistance::Home => terrain.homes()[power],
        };
        let by_name = |a, b| map.name(a).cmp(map.name(b));
        let removals =
            adjustment::civil_disorder(terrain.board(), rule, position, power, count, &centres, by_name);
        removals.into_iter().map(|removal| (removal.at, removal.unit)).collect()
    }

    /// The variant's events in Winter, then choices of coasts.
    fn after_adjustments(&mut self, scene: &mut EventContext<'_>) {
        if self.is_opening() {
            self.variant.changes.start(&mut self.world, scene);
            return self.await_coasts(AfterCoasts::End, scene);
        }
        self.variant.changes.end_winter(&mut self.world, scene);
        self.end_by_custom_rules(scene);
        self.await_coasts(AfterCoasts::Seismic, scene);
    }

    fn end_year(&mut self, scene: &mut EventContext<'_>) {
        self.note_eliminations(scene);
        self.close_season(scene);
        if self.variant.last_winter.is_some_and(|last| self.phase.year >= last) {
            let left: Vec<Power> = victory::survivors(&self.world.position).collect();
            let ending = match left[..] {
                [only] => Ending::Solo(only),
                _ => Ending::Draw(left),
            };
            return self.end(ending, scene);
        }
        let deserted = self.nobody_is_left();
        if deserted && self.variant.deserted == Deserted::SharedByAll {
            return self.end(Ending::Draw(self.powers().iter().collect()), scene);
        }
        if deserted || self.phase.year >= self.last_year {
            return self.end(Ending::Draw(survivors(&self.world)), scene);
        }
        if let Some(ending) = self.stops() {
            return self.end(ending, scene);
        }
        self.phase = Phase { year: self.phase.year + 1, season: Season::Spring, kind: PhaseKind::Movement };
        self.stage = Stage::Movement;
    }

    /// Is every power without unit and centre?
    pub(super) fn nobody_is_left(&self) -> bool {
        self.powers().iter().all(|power| self.world.position.is_out(power))
    }

    /// Records eliminated and returned powers (rules.md 7).
    fn note_eliminations(&mut self, scene: &mut EventContext<'_>) {
        for power in self.powers() {
            match (self.eliminated[power], self.world.position.is_out(power)) {
                (None, true) => {
                    self.eliminated[power] = Some(self.phase.year);
                    self.world.tell(scene, &Event::Eliminated(power));
                }
                (Some(_), false) => {
                    self.eliminated[power] = None;
                    self.world.tell(scene, &Event::Revived(power));
                }
                (None, false) | (Some(_), true) => {}
            }
        }
    }

    fn end(&mut self, ending: Ending, scene: &mut EventContext<'_>) {
        self.world.tell(scene, &ending.event());
        self.ending = Some(ending);
        self.stage = Stage::Over;
    }
}

/// The event of an adjustment that is done. `unladen` are the fleets whose armies have been removed before.
fn event_of(
    before: &Position,
    power: Power,
    order: AdjustmentOrder,
    unladen: &mut ProvinceSet,
) -> Option<Event> {
    match order {
        AdjustmentOrder::Build { kind, at } => {
            Some(Event::Built(power, at.province, adjustment::built(power, kind, at)))
        }
        AdjustmentOrder::Remove { at } => before.unit(at).map(|unit| {
            let cargo = if unladen.contains(at) { Cargo::Nothing } else { unit.cargo };
            Event::Removed(power, at, unit.with_cargo(cargo))
        }),
        AdjustmentOrder::RemoveArmy { fleet } => {
            unladen.insert(fleet);
            Some(Event::Removed(power, fleet, Unit::army(power)))
        }
        AdjustmentOrder::Waive => Some(Event::Waived(power)),
    }
}

/// The powers with a unit or a centre.
pub(super) fn survivors(world: &GameState) -> Vec<Power> {
    world.terrain.powers().iter().filter(|&power| !world.position.is_out(power)).collect()
}

/// The bearing of one province from another, from centre to centre (rules.md 4.6).
fn bearing_of(terrain: &MapTables, from: ProvinceId, to: ProvinceId) -> Option<Bearing> {
    let position = |id| terrain.chart().info(id).and_then(|info| info.position);
    Some(Bearing::between(position(from)?, position(to)?))
}
