//! The numbers that `dumbbot` plays by. All that it does follows from these, the board and its dice. They were found
//! by trying others against six of `greedy` (`docs/bots.md`).

/// How many steps a centre's worth spreads.
pub const STEPS: usize = 8;

/// What counts how much in one season.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// A centre of others, for each point of its owner's size.
    pub attack: i64,
    /// A centre of its own, for each point of the size of the largest power that could take it.
    pub defence: i64,
    /// What a place counts by the centres so many steps away.
    pub spread: [i64; STEPS],
    /// Each unit of its own that could be there.
    pub strength: i64,
    /// Each unit of that power that could send most there.
    pub competition: i64,
}

/// Spring: nothing changes hands, so there is nothing to defend yet, and to be next to much is better than to be on one
/// thing.
pub const SPRING: Weights = Weights {
    attack: 7,
    defence: 0,
    spread: [400, 700, 25, 12, 10, 6, 4, 3],
    strength: 2000,
    competition: 2000,
};

/// Fall: who stands on a centre has it, and to take one is better than to keep one.
pub const FALL: Weights = Weights {
    attack: 4,
    defence: 1,
    spread: [1000, 120, 25, 8, 8, 5, 5, 2],
    strength: 2000,
    competition: 2000,
};

/// Builds: what is near counts, for nobody stays where it is built.
pub const BUILD: Weights = Weights {
    attack: 5,
    defence: 4,
    spread: [400, 500, 160, 160, 50, 20, 10, 10],
    strength: 0,
    competition: 0,
};

/// Removals: what a unit holds counts, and what it can still get to.
pub const REMOVE: Weights =
    Weights { attack: 2, defence: 6, spread: [750, 240, 90, 60, 30, 12, 12, 4], strength: 0, competition: 0 };

/// A power's size: this much, ...
pub const SIZE: i64 = 40;
/// ... this much for each centre, ...
pub const SIZE_OF_A_CENTRE: i64 = 4;
/// ... and this much for its centres times themselves: large powers are to be cut down first.
pub const SIZE_SQUARED: i64 = 3;

/// In a step a place takes over this part of what its neighbours and itself hold together: one in so many.
pub const SPREADS_TO: u32 = 5;

/// The chance in a hundred to look at the next best although it is worth no less than the best.
pub const NEXT_BEST: i64 = 25;
/// How many times faster that chance sinks than the worth: at 5, what is worth a tenth less has half of it.
pub const NEXT_BEST_FALLS: i64 = 9;

/// How much of what a move would gain counts, in a hundred, where nobody disputes it.
pub const UNDISPUTED: i64 = 100;
/// The same where its own units are more than any other power's.
pub const STRONGER: i64 = 90;
/// The same where they are as many or fewer. Much, for the others may have better to do.
pub const DISPUTED: i64 = 70;
/// The same where they are as many or fewer, and a unit of others stands there.
pub const DISPUTED_BY_WHO_STANDS_THERE: i64 = 40;
/// The same where a unit of others stands, and nobody could help: it only goes if it has nothing better to do.
pub const ALONE_AGAINST_A_UNIT: i64 = 5;

/// What it costs an army to take a fleet from its other business.
pub const COST_OF_A_FLEET: i64 = 20000;
/// What it costs an army never to be one again.
pub const COST_OF_THE_ARMY: i64 = 16000;

/// No more units than this support one: others that could bring so many seldom agree with themselves.
pub const ENOUGH_SUPPORTS: u8 = 5;
/// A unit gives up where it is going, to support another, if that is worth less than this part in a hundred of what the
/// other goes for.
pub const REINFORCED_BY: i64 = 55;

/// What a fleet is worth more than an army where both can be built and what is near is worth the same, in a hundred:
/// fleets are hard to drive out.
pub const FLEET_BUILT: i64 = 125;
