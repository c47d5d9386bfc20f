//! Round robins: which entrants sit at the table of each block, so that all sit and meet equally often.
//!
//! A *round* has as many blocks as there are entrants. It has one line-up, as numbers, which is played in every block
//! with these numbers counted from another entrant (modulo the number of entrants). In each round all entrants
//! therefore have the same number of seats, and all pairs of entrants at the same distance meet equally often. Only the
//! distances within the line-up remain to be chosen. They are chosen round by round: the next round is the one that
//! makes the pairs meet most evenly, counted over all earlier rounds. A schedule with one round less is therefore the
//! beginning of one with a round more.
//!
//! ```text
//!  entrants at the table      more entrants than seats: a set of as many as there are seats
//!  twice at the table         fewer entrants than seats: all sit, and a set of entrants has one seat more
//! ```
//! After each round the numbers of blocks in which two pairs of entrants have met (in which they had an additional
//! seat) differ by at most two; the tests state for which numbers of entrants. Once all pairs have met equally often,
//! the rounds repeat.

use super::schedule::common_divisor;
use super::seating::LineUp;

/// The most rounds that are chosen; further ones repeat these.
const MOST_ROUNDS: usize = 512;

/// The line-ups of entrants 0 to `n - 1` at tables of this number of seats, one for each of `blocks`, or as many as
/// there are before they repeat.
pub(super) fn line_ups(n: usize, seats: usize, blocks: usize) -> Vec<LineUp> {
    let rounds = rounds(n, seats, blocks.div_ceil(n).max(1));
    let count = (n * rounds.len()).min(blocks.max(1));
    (0..count)
        .map(|block| rounds[block / n].iter().map(|distance| (block + distance) % n).collect())
        .collect()
}

/// Which entrants sit beside each other in each of `wanted` rounds, or fewer that repeat, as distances from the entrant
/// that a block begins with.
fn rounds(n: usize, seats: usize, wanted: usize) -> Vec<LineUp> {
    // The step by which the entrants of a round are arranged: neighbours change from round to round.
    let steps: Vec<usize> =
        (1..n.max(2)).filter(|&step| common_divisor(n as u64, step as u64) == 1).collect();
    // How many of them have an additional seat: one seat, if there are more entrants than seats.
    let more = seats % n;
    let mut meetings = Meetings::new(n);
    let mut rounds = Vec::new();
    while rounds.len() < wanted.min(MOST_ROUNDS) {
        let step = steps[rounds.len() % steps.len()];
        let in_turn = (0..more).map(|place| place * step % n).collect();
        let chosen = meetings.choose(in_turn, rounds.len() as u64);
        let everybody = (0..seats - more).map(|seat| seat * step % n);
        let chosen = (0..n).map(|place| place * step % n).filter(|entrant| chosen[*entrant]);
        rounds.push(everybody.chain(chosen).collect());
        // All orders of the seats must have occurred, too.
        if meetings.spread() == 0 && rounds.len() >= steps.len() {
            break;
        }
    }
    rounds
}

/// How often the entrants at each distance have met so far.
struct Meetings {
    n: usize,
    /// By distance, from 1 to half the entrants.
    met: Vec<i64>,
}

impl Meetings {
    fn new(n: usize) -> Meetings {
        Meetings { n, met: vec![0; n / 2 + 1] }
    }

    /// The shorter distance round the circle between two entrants.
    fn distance(&self, a: usize, b: usize) -> usize {
        let way = a.abs_diff(b);
        way.min(self.n - way)
    }

    /// In how many blocks of a round two entrants at this distance meet for each pair at this distance in its line-up:
    /// a pair of opposites counts from both sides.
    fn weight(&self, distance: usize) -> i64 {
        if 2 * distance == self.n { 2 } else { 1 }
    }

    /// The largest difference between numbers of meetings.
    fn spread(&self) -> i64 {
        let met = || self.met.iter().skip(1);
        met().max().unwrap_or(&0) - met().min().unwrap_or(&0)
    }

    /// Adds the meetings of a pair, `times` over.
    fn add(&self, to: &mut [i64], a: usize, b: usize, times: i64) {
        let distance = self.distance(a, b);
        to[distance] += times * self.weight(distance);
    }

    /// The unevenness of the meetings with these added: the sum of squares over all pairs.
    fn unevenness(&self, besides: &[i64]) -> i64 {
        let of = |distance: usize| {
            let pairs = if 2 * distance == self.n { self.n / 2 } else { self.n };
            pairs as i64 * (self.met[distance] + besides[distance]).pow(2)
        };
        (1..self.met.len()).map(of).sum()
    }

    /// The set of this many entrants that makes the meetings most even: either the entrants in turn, or one of several
    /// sets that are improved by exchanging entrants until no exchange helps. The entrants in turn are chosen unless
    /// another set is more even. Adds the meetings of the set.
    fn choose(&mut self, in_turn: Vec<usize>, round: u64) -> Vec<bool> {
        let (n, size) = (self.n, in_turn.len());
        // A set and its complement have the same excess of meetings.
        let (small, inverse) = if 2 * size > n { (n - size, true) } else { (size, false) };
        let mut best: Vec<bool> = (0..n).map(|entrant| in_turn.contains(&entrant)).collect();
        let mut least = self.unevenness(&self.meetings_of(&best));
        let tries = if small < 2 { 1 } else { (40_000 / (small * small * n)).clamp(3, 24) };
        for number in 0..tries as u64 {
            let set = self.improved(start(n, small, round << 8 | number), inverse);
            let uneven = self.unevenness(&self.meetings_of(&set));
            if uneven < least {
                (least, best) = (uneven, set);
            }
        }
        self.met = self.met.iter().zip(self.meetings_of(&best)).map(|(a, b)| a + b).collect();
        best
    }

    /// The meetings in a set.
    fn meetings_of(&self, set: &[bool]) -> Vec<i64> {
        let mut met = vec![0; self.met.len()];
        let inside: Vec<usize> = (0..self.n).filter(|&entrant| set[entrant]).collect();
        for (i, &a) in inside.iter().enumerate() {
            inside[..i].iter().for_each(|&b| self.add(&mut met, a, b, 1));
        }
        met
    }

    /// The set of these entrants, or its complement, with entrants exchanged as long as that makes the meetings more
    /// even.
    fn improved(&self, mut places: Vec<usize>, inverse: bool) -> Vec<bool> {
        let mut set: Vec<bool> = (0..self.n).map(|entrant| places.contains(&entrant) != inverse).collect();
        let mut met = self.meetings_of(&set);
        let mut least = self.unevenness(&met);
        loop {
            let before = least;
            for place in &mut places {
                for other in 0..self.n {
                    let old = *place;
                    if set[other] != inverse {
                        continue;
                    }
                    // For the larger set the entrant that is left out comes in and the other goes.
                    let (goes, comes) = if inverse { (other, old) } else { (old, other) };
                    let mut changed = met.clone();
                    for third in (0..self.n).filter(|&third| set[third] && third != goes) {
                        self.add(&mut changed, goes, third, -1);
                        self.add(&mut changed, comes, third, 1);
                    }
                    let uneven = self.unevenness(&changed);
                    if uneven < least {
                        (least, met) = (uneven, changed);
                        (set[goes], set[comes]) = (false, true);
                        *place = other;
                    }
                }
            }
            if least == before {
                return set;
            }
        }
    }
}

/// `size` different entrants, mixed by a number that is not used for anything else (the generator SplitMix64).
fn start(n: usize, size: usize, number: u64) -> Vec<usize> {
    let mut state = number;
    let mut next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    };
    let mut all: Vec<usize> = (0..n).collect();
    for place in 0..size {
        let other = place + (next() % (n - place) as u64) as usize;
        all.swap(place, other);
    }
    all.truncate(size);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each entrant sat, and each pair met, in these blocks.
    fn counts(n: usize, line_ups: &[LineUp]) -> (Vec<i64>, Vec<i64>) {
        let (mut sat, mut met) = (vec![0; n], vec![0; n * n]);
        for line_up in line_ups {
            let mut seats = vec![0; n];
            line_up.iter().for_each(|&entrant| seats[entrant] += 1);
            for a in 0..n {
                sat[a] += seats[a];
                (0..n).filter(|&b| b != a).for_each(|b| met[a * n + b] += seats[a] * seats[b]);
            }
        }
        let pairs = (0..n * n).filter(|pair| pair / n != pair % n).map(|pair| met[pair]).collect();
        (sat, pairs)
    }

    fn spread(counts: &[i64]) -> i64 {
        counts.iter().max().unwrap() - counts.iter().min().unwrap()
    }

    /// The promise of docs/tournaments.md.
    #[test]
    fn in_every_number_of_rounds_all_sit_equally_often_and_meet_with_a_difference_of_two_at_most() {
        let all = (2..=20).flat_map(|n| [2, 3, 4, 5, 7, 10].map(|seats| (n, seats)));
        for (n, seats) in testkit::thinned(all, 5) {
            const ROUNDS: usize = 24;
            let list = line_ups(n, seats, n * ROUNDS);
            let of = |block: usize| list[block % list.len()].clone();
            let all: Vec<LineUp> = (0..n * ROUNDS).map(of).collect();
            let (mut sat, mut met) = counts(n, &[]);
            for rounds in 1..=ROUNDS {
                let (more, pairs) = counts(n, &all[n * (rounds - 1)..n * rounds]);
                sat.iter_mut().zip(more).for_each(|(sat, more)| *sat += more);
                met.iter_mut().zip(pairs).for_each(|(met, more)| *met += more);
                assert_eq!(spread(&sat), 0, "{n} at {seats}, {rounds} rounds: {sat:?}");
                assert!(spread(&met) <= 2, "{n} at {seats}, {rounds} rounds: {met:?}");
            }
            for line_up in &all {
                assert_eq!(line_up.len(), seats);
                let (fewest, most) = (seats / n, seats.div_ceil(n));
                let times = (0..n).map(|entrant| line_up.iter().filter(|&&other| other == entrant).count());
                assert!(
                    times.clone().all(|times| (fewest..=most).contains(&times)),
                    "{n} at {seats}: {line_up:?}"
                );
            }
            let half = line_ups(n, seats, n * 3);
            assert!(all.starts_with(&half), "{n} at {seats}: fewer rounds are the beginning of more");
        }
    }

    #[test]
    fn where_it_can_be_all_pairs_meet_equally_often() {
        // A projective plane: seven entrants in threes; its complement; and pairs for any number.
        for (n, seats, rounds) in
            [(7, 3, 1), (7, 4, 1), (11, 5, 1), (13, 4, 1), (8, 7, 1), (9, 2, 4), (10, 4, 3)]
        {
            let (_, met) = counts(n, &line_ups(n, seats, n * rounds)[..n * rounds]);
            assert_eq!(spread(&met), 0, "{n} at {seats}: {met:?}");
        }
    }

    #[test]
    fn the_most_entrants_at_the_largest_table_are_seated_too() {
        for (n, seats) in [(64, 7), (64, 34), (3, 34), (33, 34), (34, 34)] {
            let (sat, met) = counts(n, &line_ups(n, seats, 2 * n));
            assert!(spread(&sat) == 0 && spread(&met) <= 4, "{n} at {seats}: {}", spread(&met));
        }
    }

    /// The entrants in turn are as even as any other set, so no other set is searched for at the usual tables of the
    /// standard board.
    #[test]
    fn up_to_eight_entrants_at_seven_seats_sit_in_turn() {
        for n in 2..=8 {
            let steps: Vec<usize> =
                (1..n).filter(|&step| common_divisor(n as u64, step as u64) == 1).collect();
            let list = line_ups(n, 7, 10_000);
            assert_eq!(list.len(), n * steps.len(), "{n}");
            for (block, line_up) in list.iter().enumerate() {
                let step = steps[block / n];
                let in_turn: LineUp = (0..7).map(|seat| (block + seat * step) % n).collect();
                assert_eq!(*line_up, in_turn, "{n}, block {block}");
            }
        }
    }
}
