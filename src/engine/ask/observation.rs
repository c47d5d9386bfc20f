//! What a power may see of a game.

use std::ops::Deref;

use crate::ask::Ask;
use crate::game::{Game, Stage, StopRule};
use crate::reading;
use crate::reading::{Decision, OrderSource, OrderText, Refusal};
use crate::rules::changes::{Again, ComingChange, Lasts, Unnamed, Verb};
use crate::rules::game_state::{Exempted, ExemptionChange, GameState, Swallowed};
use crate::rules::gazetteer::Gazetteer;
use crate::rules::legal::ConvoyChains;
use crate::rules::map_tables::MapTables;
use crate::rules::nature::Seeded;
use crate::rules::notation::WrittenUnit;
use crate::rules::order::{Listing, Order, Poll, Route};
use crate::rules::position::{Phase, Position, Retreats};
use crate::rules::rulebook::Rulebook;
use crate::rules::{legal, retreat};
use serde::{Deserialize, Serialize};
use upheaval_map::ids::{ByPower, Location, Power, Powers, ProvinceId, ProvinceSet};
use upheaval_map::named;
use upheaval_map::rng::Stream;
use upheaval_map::topology::{Board, Quake, Touched};

/// Everything that a power may see: all that is [public](Public) and the power's own secrets, never those of
/// another power. No path leads from it to the game:
///
/// ```
/// # use upheaval_engine::{ids::ProvinceId, prelude::*};
/// fn public(seen: &Observation<'_>, other: Power) -> Option<ProvinceId> {
///     seen.announced(other)
/// }
/// ```
/// ```compile_fail
/// # use upheaval_engine::{ids::ProvinceId, prelude::*};
/// fn secret(seen: &Observation<'_>, other: Power) -> Option<ProvinceId> {
///     seen.public.game.world().exemptions[other].centre
/// }
/// ```
#[derive(Clone, Copy)]
pub struct Observation<'a> {
    /// The current phase.
    pub phase: Phase,
    /// The power that observes.
    pub power: Power,
    /// All possible moves at present.
    pub board: &'a Board,
    /// Units and owners.
    pub position: &'a Position,
    /// The extant supply centres.
    pub centres: &'a ProvinceSet,
    /// The extant home centres of every power.
    pub homes: &'a ByPower<ProvinceSet>,
    /// Chains of fleets at sea, as needed for legal orders.
    pub chains: &'a ConvoyChains,
    /// The rulebook in force.
    pub rulebook: &'a Rulebook,
    /// Provinces that have been announced to vanish at the end of the season.
    pub doomed: ProvinceSet,
    /// The power's own exempt centre.
    pub exempt: Option<ProvinceId>,
    /// What the bot is denied. Its answer refuses such orders, and it is not asked other questions that its handicap
    /// denies.
    pub handicap: Handicap,
    /// Which lists of retreats are sent with the movement orders ([`Answer::list_retreats`](super::Answer::list_retreats)). Unless it
    /// is [`Listing::None`], bots are not asked for retreats after the movement (rules.md 4.12).
    pub listing: Listing,
    /// The units that vanished with a hole and will return with it (rules.md 4.8).
    pub swallowed: &'a [Swallowed],
    pub(super) public: Public<'a>,
}

impl<'a> Deref for Observation<'a> {
    type Target = Public<'a>;

    fn deref(&self) -> &Public<'a> {
        &self.public
    }
}

impl<'a> Observation<'a> {
    /// What a power may see of a game, for a bot with this handicap. `chains` are those of the position if the game
    /// waits for orders of movement, and otherwise any.
    pub fn new(
        game: &'a Game,
        chains: &'a ConvoyChains,
        power: Power,
        handicap: Handicap,
    ) -> Observation<'a> {
        let world = game.world();
        let terrain = &world.terrain;
        Observation {
            phase: game.phase(),
            power,
            board: terrain.board(),
            position: &world.position,
            centres: terrain.centres(),
            homes: terrain.homes(),
            chains,
            rulebook: &game.variant().rulebook,
            doomed: match handicap.denies(Faculty::Foreknowledge) {
                true => ProvinceSet::EMPTY,
                false => game.doomed(),
            },
            exempt: world.exemptions[power].centre,
            handicap,
            listing: game.variant().listing(),
            swallowed: &world.swallowed,
            public: Public::of(game),
        }
    }

    /// The provinces that sink by a schedule before the year is over (ru10 rule 3).
    pub fn sinking(&self) -> ProvinceSet {
        match self.handicap.denies(Faculty::Foreknowledge) {
            true => ProvinceSet::EMPTY,
            false => self.public.sinking(),
        }
    }

    /// The changes that are announced or scheduled.
    pub fn coming(&self) -> Vec<ComingChange> {
        match self.handicap.denies(Faculty::Foreknowledge) {
            true => Vec::new(),
            false => self.public.coming(),
        }
    }

    /// The questions to the power in the stage that the game waits for, apart from those that its handicap denies.
    pub fn asks(&self) -> Vec<Ask> {
        let mut asks = Vec::new();
        self.each_ask(|ask| asks.push(ask));
        asks
    }

    /// Calls `found` with each of these questions.
    pub fn each_ask(&self, mut found: impl FnMut(Ask)) {
        Ask::each_of(self.public.game, self.power, |ask| {
            if ask.is_allowed(self.handicap) {
                found(ask);
            }
        });
    }

    /// The meaning of each of the power's orders in the stage that the game waits for, or why it does not count
    /// ([`reading::stage`]). Orders that the handicap denies are read too.
    pub fn read<T: AsRef<str>>(&self, texts: &[T], manner: OrderSource) -> Vec<Result<Decision, Refusal>> {
        let lines: Vec<OrderText<'_>> =
            texts.iter().map(|text| OrderText { power: self.power, text: text.as_ref() }).collect();
        reading::stage(self.public.game, self.chains, &lines, manner)
    }

    /// The places to which the unit in this province could move without a convoy, including coasts, in
    /// ascending order; its list of retreats may name these. Empty if there is no unit.
    pub fn ways_from(&self, unit: ProvinceId) -> impl Iterator<Item = Location> + use<'a> {
        let (board, standing) = (self.board, self.position.unit(unit));
        standing
            .into_iter()
            .flat_map(move |standing| retreat::ways(board, unit, standing.kind, standing.coast))
    }

    /// Is this one of the [legal orders](legal::legal_orders) of the unit in this province, and allowed by the
    /// [handicap](Observation::handicap)?
    #[inline]
    pub fn is_legal(&self, unit: ProvinceId, order: Order) -> bool {
        self.handicap.allows(order) && legal::is_legal(self.board, self.position, self.chains, unit, order)
    }

    /// Replaces the content of `out` with the [legal orders](legal::legal_orders) of the unit in this
    /// province that the [handicap](Observation::handicap) allows, ascending; empty if there is no unit.
    pub fn legal_orders(&self, unit: ProvinceId, out: &mut Vec<Order>) {
        out.clear();
        legal::legal_orders(self.board, self.position, self.chains, unit, out);
        if !self.handicap.is_none() {
            out.retain(|&order| self.handicap.allows(order));
        }
    }

    /// The whole world, of which only what is public may be shown.
    pub(super) fn world(&self) -> &'a GameState {
        self.public.game.world()
    }
}

// What everybody may see of a game.

/// The public information about a game.
#[derive(Clone, Copy)]
pub struct Public<'a> {
    pub(super) game: &'a Game,
}

impl<'a> Public<'a> {
    /// Of this game.
    pub fn of(game: &'a Game) -> Public<'a> {
        Public { game }
    }

    /// The current phase.
    pub fn phase(&self) -> Phase {
        self.game.phase()
    }

    /// The kind of decision that the game waits for.
    pub fn stage(&self) -> Stage {
        self.game.stage()
    }

    /// The last year to be played.
    pub fn last_year(&self) -> u16 {
        self.game.last_year()
    }

    /// The powers of the board.
    pub fn powers(&self) -> Powers {
        self.game.powers()
    }

    /// The current ground: the map and everything derived from it.
    pub fn terrain(&self) -> &'a MapTables {
        self.game.terrain()
    }

    /// The names of provinces, coasts and powers, for bots that use text. Built on first use for each map.
    pub fn names(&self) -> &'a Gazetteer {
        self.terrain().names()
    }

    /// Units and owners.
    pub fn position(&self) -> &'a Position {
        &self.game.world().position
    }

    /// The units that wait for their retreats.
    pub fn dislodged(&self) -> &'a Retreats {
        self.game.dislodged()
    }

    /// The units of all powers that must retreat, and their options, as text.
    pub fn retreating(&self) -> Vec<Retreating> {
        Retreating::all(self.game)
    }

    /// Provinces that have been announced to vanish at the end of the season.
    pub fn doomed(&self) -> ProvinceSet {
        self.game.doomed()
    }

    /// Provinces that sink before the year is over (ru10 rule 3).
    pub fn sinking(&self) -> ProvinceSet {
        self.game.sinking()
    }

    /// The changes that are announced or scheduled, in the order of their dates; of a list for every year, the next.
    pub fn coming(&self) -> Vec<ComingChange> {
        self.game.variant().changes.coming(self.game.world(), self.game.phase())
    }

    /// The changes that the options of a poll would bring, if it is the vote of an entry.
    pub fn polled(&self, poll: &Poll) -> Vec<(ProvinceId, Verb)> {
        let chart = self.terrain().chart();
        let change = poll.entry.and_then(|entry| self.game.variant().changes.entries().get(entry)?.faces());
        let changes = change.into_iter().flat_map(|change| {
            let faces = poll.options.iter().filter_map(|option| chart.map().find(option));
            faces.filter_map(|face| Some((face, change.verb_on(chart, face)?)))
        });
        changes.collect()
    }

    /// The exempt centre that a power has announced (rr01, rule 7); a later change is not public.
    pub fn announced(&self, power: Power) -> Option<ProvinceId> {
        self.game.world().exemptions[power].announced
    }

    /// All seismic orders that the map and the variant allow, in canonical order, the same for every power.
    pub fn quakes(&self) -> &'a [Quake] {
        self.game.quakes()
    }

    /// The faces that a seismic order affects.
    pub fn touched(&self, quake: Quake) -> Touched {
        quake.touched(self.terrain().chart().map())
    }
}

// The game as one power knows it, for bots that think ahead: the same engine plays it, and it is then
// discarded.

/// A game as a power imagines it. Changes to it do not affect the real one.
#[derive(Clone, Debug)]
pub struct Imagined {
    /// The game, with a guess in place of each secret.
    pub game: Game,
    /// The random events of the imagined game, unrelated to those of the real one.
    pub nature: Seeded,
}

impl Observation<'_> {
    /// The game as this power knows it: all public information and its own secrets are kept, while the
    /// secrets of others and all random events are guessed with these dice. Different dice give a different
    /// guess.
    pub fn imagined(&self, dice: &mut Stream) -> Imagined {
        // Nor does the power know the rule by which the organiser would stop the game.
        let mut game = self.public.game.clone().stopped_by(StopRule::default());
        for power in self.public.game.powers() {
            if power != self.power {
                let centre = self.guess_exempt(power, dice);
                let announced = self.announced(power).filter(|_| centre.is_some());
                // Whether it may change or has changed would reveal the exempt centre.
                game.exemptions_mut()[power] = Exempted { centre, announced, ..Exempted::default() };
            }
        }
        Imagined { game, nature: Seeded { seed: dice.next_u64(), block: 0 } }
    }

    /// A plausible exempt centre of the power: the announced one, or any home centre that existed from the
    /// start and, unless the choice can be changed, has never been a hole. There is none before the first
    /// orders and where the exemption has lapsed. Where a power need not have one, `None` is as likely as
    /// each centre.
    fn guess_exempt(&self, power: Power, dice: &mut Stream) -> Option<ProvinceId> {
        let variant = self.public.game.variant();
        let rule = variant.changes.mark().filter(|_| !self.public.game.are_first_orders())?;
        let world = self.public.game.world();
        // All powers have seen a power's elimination, and know what lapses with it.
        let gone = self.position.is_out(power) || world.exemptions[power].change == ExemptionChange::Lapsed;
        if gone && rule.lasts == Lasts::UntilEliminated {
            return None;
        }
        let homes = self.homes[power];
        if let Some(announced) = self.announced(power).filter(|&centre| homes.contains(centre)) {
            return Some(announced);
        }
        // The second half of a split province has no part in its exemption (rules.md 4.11).
        let mut likely = homes & variant.terrain.homes()[power];
        if rule.again == Again::Never {
            likely -= world.past_holes;
        }
        let none = usize::from(rule.unnamed == Unnamed::None);
        likely.iter().nth(dice.below((likely.len() + none) as u32) as usize)
    }
}

// Handicaps: kinds of orders that a bot is denied. The difference in strength from the same bot without the
// handicap is the value of that option of the rules.
//
// ```text
//   Handicapped ─ handicap() ─▶ play ─▶ Observation::handicap ─▶ the bot plans by it, its answer refuses by it
//        └─ everything else ─▶ the bot itself
// ```

named! {
    /// What a bot can be denied.
    #[derive(Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Faculty {
        /// Moving armies by convoy, and convoying any army. Carrying an army aboard a fleet is not a convoy.
        Convoys = "convoys",
        /// Supporting a unit in staying, moving or landing.
        Supports = "supports",
        /// Giving seismic orders.
        Seismic = "seismic",
        /// Answering polls, such as votes.
        Votes = "votes",
        /// Seeing which places are announced or scheduled to change.
        Foreknowledge = "foreknowledge",
        /// Naming an exempt centre, changing it, and announcing it. The variant may draw one for the power.
        Exemptions = "exemptions",
    }
}

impl Faculty {
    /// The faculty that an order of the movement phase requires; `None` for orders that are never denied.
    #[inline]
    pub const fn needed_by(order: Order) -> Option<Faculty> {
        match order {
            Order::Convoy { .. } | Order::Move { route: Route::Convoy, .. } => Some(Faculty::Convoys),
            Order::SupportHold { .. } | Order::SupportMove { .. } | Order::SupportLanding { .. } => {
                Some(Faculty::Supports)
            }
            Order::Hold
            | Order::Move { route: Route::Direct, .. }
            | Order::Transform { .. }
            | Order::Embark { .. } => None,
        }
    }
}

/// The faculties that a bot is denied.
///
/// ```
/// use upheaval_engine::ask::{Faculty, Handicap};
///
/// let handicap: Handicap = [Faculty::Supports, Faculty::Convoys].into_iter().collect();
/// assert!(handicap.denies(Faculty::Supports) && !handicap.denies(Faculty::Seismic));
/// assert_eq!(handicap.iter().map(Faculty::name).collect::<Vec<_>>(), ["convoys", "supports"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Handicap(u8);

impl Handicap {
    /// The handicap that denies nothing.
    pub const NONE: Handicap = Handicap(0);

    /// Is nothing denied?
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Is this denied?
    #[inline]
    pub const fn denies(self, faculty: Faculty) -> bool {
        self.0 & 1 << faculty as u8 != 0
    }

    /// May this order of the movement phase be given?
    #[inline]
    pub fn allows(self, order: Order) -> bool {
        self.is_none() || Faculty::needed_by(order).is_none_or(|needed| !self.denies(needed))
    }

    /// The union of both handicaps.
    pub(crate) const fn and(self, other: Handicap) -> Handicap {
        Handicap(self.0 | other.0)
    }

    /// The denied faculties, in the order of [`Faculty::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Faculty> {
        Faculty::ALL.into_iter().filter(move |faculty| self.denies(*faculty))
    }
}

impl FromIterator<Faculty> for Handicap {
    fn from_iter<I: IntoIterator<Item = Faculty>>(denied: I) -> Self {
        denied.into_iter().fold(Handicap::NONE, |all, faculty| Handicap(all.0 | 1 << faculty as u8))
    }
}

/// A unit that must retreat, and its options.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retreating {
    /// Its power.
    pub power: String,
    /// The unit: `A MUN`, or `A MUN#2` for the second of two equal units.
    pub unit: String,
    /// Its options; empty if it is lost.
    pub options: Vec<String>,
}

impl Retreating {
    /// The units of all powers that must retreat, in the game's order.
    pub(crate) fn all(game: &Game) -> Vec<Retreating> {
        let (names, waiting) = (game.terrain().names(), game.dislodged());
        let units = waiting.dislodged.iter().enumerate();
        let told = units.filter_map(|(i, dislodged)| {
            let options = game.retreat_options(i).into_iter();
            Some(Retreating {
                power: names.power(dislodged.unit.power).to_owned(),
                unit: WrittenUnit::dislodged(waiting, i)?.display(names).to_string(),
                options: options.map(|to| names.location(to, dislodged.unit.kind).to_string()).collect(),
            })
        });
        told.collect()
    }
}
