//! Two games, original and image, that are played side by side: each decision is made in both, mirrored and renamed,
//! and after each stage the one is the image of the other.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use crate::helpers::table::Told;
use crate::symmetry::decisions;
use crate::symmetry::fated::{Here, There};
use crate::symmetry::image::Image;
use crate::symmetry::likeness::Likeness;
use upheaval::game::{Game, Referee, Stage};
use upheaval::ids::{CoastId, Location, Power, Powers, ProvinceId, ProvinceSet};
use upheaval::rng::Stream;
use upheaval::rules::answers::Answers;
use upheaval::rules::answers::Declarations;
use upheaval::rules::game_state::{ExemptionChange, GameState};
use upheaval::rules::order::{Order, RetreatOrder, Route};
use upheaval::rules::position::{Phase, Position};
use upheaval::rules::retreat::RetreatOutcome;
use upheaval::rules::seismic::SeismicOutcome;
use upheaval::rules::variant::{UnorderedRetreats, Variant};

/// No power says anything.
fn silence() -> Answers {
    Answers::none(Powers::STANDARD)
}

pub(crate) struct Lockstep<'a> {
    image: &'a Image,
    pub one: Game,
    other: Game,
    referee: Referee,
    nature: Here,
    given: There<'a>,
    dice: Stream,
    /// How often each compared feature occurred.
    pub seen: BTreeMap<&'static str, usize>,
}

impl<'a> Lockstep<'a> {
    /// Games of a variant and of its image.
    pub(crate) fn new(image: &'a Image, variants: [&Arc<Variant>; 2], dice: Stream) -> Lockstep<'a> {
        let games = variants.map(|variant| Game::new(Arc::clone(variant), 1912));
        Lockstep::with(image, games, dice)
    }

    /// Games from a given position, which is that of the original.
    pub(super) fn resumed(
        image: &'a Image,
        variants: [&Arc<Variant>; 2],
        at: Phase,
        position: &Position,
        dice: Stream,
    ) -> Lockstep<'a> {
        let [mut here, mut there] = variants.map(|variant| GameState::new(Arc::clone(&variant.terrain)));
        here.position.clone_from(position);
        {
            let likeness = Likeness::of(image, &here.terrain, &there.terrain);
            for province in *position.occupied() {
                let unit = position.unit(province).expect("occupied");
                there.position.place(likeness.face(province), likeness.unit(province, unit));
            }
            for power in Powers::STANDARD {
                for centre in *position.centres_of(power) {
                    there.position.set_owner(likeness.face(centre), Some(power));
                }
            }
        }
        let mut worlds = [here, there].into_iter();
        let games = variants
            .map(|variant| Game::resumed(Arc::clone(variant), 1912, worlds.next().expect("two worlds"), at));
        Lockstep::with(image, games, dice)
    }

    fn with(image: &'a Image, [one, other]: [Game; 2], dice: Stream) -> Lockstep<'a> {
        let [here, there] = [&one, &other].map(|game| game.terrain().chart().clone());
        let nature = Here { dice: dice.clone(), dealt: VecDeque::new(), start: here };
        let given = There { image, dealt: VecDeque::new(), start: there };
        Lockstep { image, one, other, referee: Referee::new(), nature, given, dice, seen: BTreeMap::new() }
    }

    /// Plays this many stages, or to the end; returns their number.
    pub(crate) fn play(&mut self, stages: usize) -> usize {
        self.compare();
        for played in 0..stages {
            if self.one.stage() == Stage::Over {
                return played;
            }
            self.step();
            self.compare();
        }
        stages
    }

    fn step(&mut self) {
        match self.one.stage() {
            Stage::Movement => self.movement(),
            Stage::Retreats => self.retreats(),
            Stage::Coasts => self.coasts(),
            Stage::Adjustments => {
                let orders = decisions::adjustments(&self.one, &mut self.dice);
                let likeness = self.likeness();
                let images = upheaval::ids::ByPower::from_fn(Powers::STANDARD, |power| {
                    orders[power].iter().map(|&order| likeness.adjustment(order)).collect()
                });
                self.settle(&Answers { adjustments: orders, ..silence() });
                self.settle_there(&Answers { adjustments: images, ..silence() });
            }
            Stage::Seismic => self.seismic(),
            Stage::Over => {}
        }
    }

    fn likeness(&self) -> Likeness<'_> {
        Likeness::of(self.image, self.one.terrain(), self.other.terrain())
    }

    fn settle(&mut self, answers: &Answers) -> Told {
        let mut told = Told::default();
        self.one.settle(&mut self.referee, answers, &mut self.nature, &mut told);
        told
    }

    /// Settles the image with the draws of the original.
    fn settle_there(&mut self, answers: &Answers) -> Told {
        for dealt in &self.nature.dealt {
            *self.seen.entry(dealt.what()).or_default() += 1;
        }
        self.given.dealt.append(&mut self.nature.dealt);
        let mut told = Told::default();
        self.other.settle(&mut self.referee, answers, &mut self.given, &mut told);
        assert!(self.given.dealt.is_empty(), "drawn here and not there");
        told
    }

    fn movement(&mut self) {
        let (orders, declared) = decisions::movement(&self.one, &mut self.dice);
        let position = &self.one.world().position;
        // The fleet that keeps it aboard is chosen by code.
        let orders = match decisions::has_two_own_ferries(position, &orders) {
            true => upheaval::rules::order::Orders::all_hold(),
            false => orders,
        };
        let likeness = self.likeness();
        let images = likeness.orders(position, &orders);
        let supported =
            |at: ProvinceId| matches!(orders[at], Order::SupportMove { .. } | Order::SupportHold { .. });
        let supports = position.occupied().iter().filter(|&at| supported(at)).count();
        let landings = orders.landings().len();
        let mut declared_there =
            Declarations { announce: declared.announce.clone(), ..Declarations::none(Powers::STANDARD) };
        for power in Powers::STANDARD {
            declared_there.exempt[power] = declared.exempt[power].map(|centre| likeness.face(centre));
            let choices = likeness.set(self.one.exempt_choices(power));
            assert_eq!(choices, self.other.exempt_choices(power), "{power:?}");
        }
        let before = position.clone();
        let answers = Answers { orders, declared, ..silence() };
        let by_lists = self.settle(&answers).retreats;
        let (orders, resolution) = (&answers.orders, self.referee.resolution());
        let by_convoy = |&at: &ProvinceId| {
            matches!(orders[at], Order::Move { route: Route::Convoy, .. }) && resolution.moved(at)
        };
        let convoyed = before.occupied().iter().filter(by_convoy).count();
        for (what, count) in [("supports", supports), ("convoyed", convoyed), ("landings", landings)] {
            *self.seen.entry(what).or_default() += count;
        }
        *self.seen.entry("dislodged").or_default() += self.one.dislodged().dislodged.len() + by_lists.len();
        let answers = Answers { orders: images, declared: declared_there, ..silence() };
        let by_lists_there = self.settle_there(&answers).retreats;
        assert_eq!(by_lists.len(), by_lists_there.len(), "retreats by lists");
        for outcome in by_lists {
            *self.seen.entry(outcome.word()).or_default() += 1;
        }
    }

    fn retreats(&mut self) {
        let defaults = match self.one.variant().unordered_retreats {
            UnorderedRetreats::Disband => usize::MAX,
            UnorderedRetreats::NorthThenAnticlockwise => usize::from(!self.image.mirrored),
        };
        let orders = decisions::retreats(&self.one, defaults, &mut self.dice);
        let pairs = self.pairs_of_dislodged();
        let likeness = self.likeness();
        let mut images: Vec<Option<RetreatOrder>> = vec![None; orders.len()];
        for (i, &there) in pairs.iter().enumerate() {
            let kind = self.one.dislodged().dislodged[i].unit.kind;
            images[there] = orders[i].map(|order| likeness.retreat(kind, order));
        }
        let words = self.settle(&Answers { retreats: orders, ..silence() }).retreats;
        let images = self.settle_there(&Answers { retreats: images, ..silence() }).retreats;
        for (i, &there) in pairs.iter().enumerate() {
            assert_eq!(words[i].word(), images[there].word(), "the {i}th to retreat");
            let what = if matches!(words[i], RetreatOutcome::SentTo { .. }) {
                "sent by default"
            } else {
                words[i].word()
            };
            *self.seen.entry(what).or_default() += 1;
        }
    }

    /// For each dislodged unit here its number there.
    fn pairs_of_dislodged(&self) -> Vec<usize> {
        let likeness = self.likeness();
        let (here, there) = (&self.one.dislodged().dislodged, &self.other.dislodged().dislodged);
        assert_eq!(here.len(), there.len());
        let mut taken: Vec<usize> = Vec::new();
        for (i, unit) in here.iter().enumerate() {
            let ways = |options: Vec<Location>| options.into_iter().collect::<BTreeSet<Location>>();
            let options = self.one.retreat_options(i);
            let options = ways(options.iter().map(|&to| likeness.place_for(unit.unit.kind, to)).collect());
            let is_image = |j: &usize| {
                let image = &there[*j];
                let who = |unit: upheaval::rules::position::Unit| (unit.kind, unit.power, unit.cargo);
                !taken.contains(j)
                    && image.at == likeness.face(unit.at)
                    && who(image.unit) == who(unit.unit)
                    && image.attacker == unit.attacker.map(|from| likeness.face(from))
                    && image.attacker_convoyed == unit.attacker_convoyed
                    && ways(self.other.retreat_options(*j)) == options
            };
            let Some(found) = (0..there.len()).find(is_image) else {
                let name = self.one.terrain().chart().map().name(unit.at);
                panic!("the {:?} in {name} is not dislodged there, or can go elsewhere", unit.unit)
            };
            taken.push(found);
        }
        taken
    }

    fn coasts(&mut self) {
        let chosen = decisions::coasts(&self.one, &mut self.dice);
        *self.seen.entry("coasts").or_default() += chosen.len();
        let trapped: ProvinceSet =
            self.one.trapped().iter().filter(|_| self.dice.below(2) == 0).map(|&(at, _)| at).collect();
        let likeness = self.likeness();
        let place = |province, coast| likeness.place(Location { province, coast });
        let image = |&(at, coast)| (likeness.face(at), place(at, coast).coast);
        let images = chosen.iter().map(image).collect();
        let trapped_there = likeness.set(trapped);
        for choice in self.one.coast_choices() {
            let fleet = likeness.face(choice.fleet);
            let image = self.other.coast_choices().iter().find(|other| other.fleet == fleet);
            let image = image.expect("a choice there, too");
            let coasts: BTreeSet<CoastId> =
                choice.coasts.iter().map(|&coast| place(choice.fleet, coast).coast).collect();
            assert_eq!(coasts, image.coasts.iter().copied().collect());
            if !self.image.mirrored {
                assert_eq!(place(choice.fleet, choice.default).coast, image.default);
            }
        }
        let all = |games: &Game| {
            let mut trapped: Vec<(ProvinceId, Power)> = games.trapped().to_vec();
            trapped.sort();
            trapped
        };
        let mut images_of_trapped: Vec<(ProvinceId, Power)> =
            self.one.trapped().iter().map(|&(at, power)| (likeness.face(at), power)).collect();
        images_of_trapped.sort();
        assert_eq!(images_of_trapped, all(&self.other));
        self.settle(&Answers { coasts: chosen, disbanded: trapped, ..silence() });
        self.settle_there(&Answers { coasts: images, disbanded: trapped_there, ..silence() });
    }

    fn seismic(&mut self) {
        let mut orders = decisions::quakes(self.one.terrain().chart().map(), &mut self.dice);
        for power in Powers::STANDARD {
            if self.one.world().position.is_out(power) {
                orders[power] = None;
            }
        }
        decisions::wish(self.one.terrain(), &mut orders, &mut self.dice);
        let images = self.likeness().seismic(&orders);
        let outcomes = self.settle(&Answers { seismic: orders, ..silence() }).seismic.expect("settled");
        let there = self.settle_there(&Answers { seismic: images, ..silence() }).seismic.expect("settled");
        for power in Powers::STANDARD {
            let [here, there]: [Option<SeismicOutcome>; 2] = [outcomes[power], there[power]];
            assert_eq!(here, there, "{power:?}");
            *self.seen.entry("shaken").or_default() += usize::from(here == Some(SeismicOutcome::Done));
        }
    }

    /// Is the state there the image of the state here?
    fn compare(&self) {
        let (one, other) = (&self.one, &self.other);
        assert_eq!((one.phase(), one.stage(), one.ending()), (other.phase(), other.stage(), other.ending()));
        assert_eq!(one.eliminated(), other.eliminated());
        let likeness = self.likeness();
        likeness.compare_boards();
        let (here, there) = (one.world(), other.world());
        let name = |id: ProvinceId| one.terrain().chart().map().name(id);
        assert_eq!(here.position.occupied().len(), there.position.occupied().len());
        // The default of a fleet that waits for its coast depends on directions.
        let waits = |at: ProvinceId| here.coast_choices.iter().any(|choice| choice.fleet == at);
        for at in *here.position.occupied() {
            let unit = here.position.unit(at).expect("occupied");
            let image = there.position.unit(likeness.face(at));
            if waits(at) && self.image.mirrored {
                assert_eq!(image.map(|image| (image.kind, image.power)), Some((unit.kind, unit.power)));
            } else {
                assert_eq!(image, Some(likeness.unit(at, unit)), "in {}", name(at));
            }
        }
        for power in Powers::STANDARD {
            let owned = likeness.set(*here.position.centres_of(power));
            assert_eq!(owned, *there.position.centres_of(power), "{power:?}");
            assert_eq!(likeness.set(one.build_sites(power)), other.build_sites(power), "{power:?}");
            let (x, y) = (here.exemptions[power], there.exemptions[power]);
            let face = |centre: Option<ProvinceId>| centre.map(|centre| likeness.face(centre));
            assert_eq!((face(x.centre), face(x.announced)), (y.centre, y.announced), "{power:?}");
            let change = match x.change {
                ExemptionChange::Offered(last) => ExemptionChange::Offered(likeness.face(last)),
                other => other,
            };
            assert_eq!(change, y.change, "{power:?}");
        }
        assert_eq!(likeness.set(here.doomed), there.doomed);
        let held: Vec<ProvinceSet> = here.held.iter().map(|&places| likeness.set(places)).collect();
        assert_eq!(held, there.held);
        assert_eq!(likeness.set(here.fresh_holes), there.fresh_holes);
        assert_eq!(likeness.set(here.retreats.contested), there.retreats.contested, "contested");
        for (id, _) in one.terrain().chart().map().faces() {
            let face = likeness.face(id);
            assert_eq!(here.last_owner[id], there.last_owner[face], "{}", name(id));
            assert_eq!(here.last_occupant[id], there.last_occupant[face], "{}", name(id));
        }
        let swallowed = |world: &GameState, image: &dyn Fn(ProvinceId) -> ProvinceId| {
            let mut all: Vec<_> = world
                .swallowed
                .iter()
                .map(|gone| (image(gone.hole), gone.unit.power, gone.unit.designation()))
                .collect();
            all.sort();
            all
        };
        assert_eq!(swallowed(here, &|hole| likeness.face(hole)), swallowed(there, &|hole| hole));
        self.pairs_of_dislodged();
    }
}
