//! The distances between the homes of the powers: sums over games.

/// This many units of a sum make a step. They are whole numbers, so that the order of additions cannot affect them.
const STEP: f64 = 1e6;

/// The distances between the homes in all games at the end of a year.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ways {
    /// Games.
    pub games: u64,
    /// In the order of [`upheaval_map::topology::HomeDistances::pairs`].
    pairs: Vec<Way>,
}

/// The distance of two powers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Way {
    /// Games in which there is a path.
    pub games: u64,
    sum: u64,
}

impl Way {
    /// The mean over these games; `None` without any.
    pub(crate) fn mean(self) -> Option<f64> {
        (self.games > 0).then(|| self.sum as f64 / STEP / self.games as f64)
    }
}

impl Ways {
    /// Adds the distances of a game.
    pub(crate) fn add(&mut self, distances: &[Option<f32>]) {
        self.games += 1;
        self.make_room(distances.len());
        for (way, distance) in self.pairs.iter_mut().zip(distances) {
            if let Some(distance) = distance {
                way.games += 1;
                way.sum += (f64::from(*distance) * STEP).round() as u64;
            }
        }
    }

    /// Adds all games of another.
    pub(crate) fn merge(&mut self, other: &Ways) {
        self.games += other.games;
        self.make_room(other.pairs.len());
        for (mine, theirs) in self.pairs.iter_mut().zip(&other.pairs) {
            mine.games += theirs.games;
            mine.sum += theirs.sum;
        }
    }

    /// The distance of the pair with this number in [`upheaval_map::topology::HomeDistances::pairs`].
    pub(crate) fn of(&self, pair: usize) -> Way {
        self.pairs.get(pair).copied().unwrap_or_default()
    }

    fn make_room(&mut self, pairs: usize) {
        if self.pairs.len() < pairs {
            self.pairs.resize(pairs, Way::default());
        }
    }

    /// Are all distances those of another year, and is there always a path?
    pub(crate) fn are_those_of(&self, other: &Ways) -> bool {
        let always = |ways: &Ways, way: &Way| way.games == ways.games;
        self.pairs.iter().zip(&other.pairs).all(|(a, b)| {
            always(self, a) == always(other, b)
                && match (a.mean(), b.mean()) {
                    (Some(a), Some(b)) => (a - b).abs() < 1.0 / STEP,
                    (a, b) => a == b,
                }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_is_of_the_games_with_a_way() {
        let mut one = Ways::default();
        one.add(&[Some(2.5), None, Some(1.0)]);
        let mut other = Ways::default();
        other.add(&[Some(3.0), None, None]);
        one.merge(&other);
        assert_eq!((one.games, one.of(0).games, one.of(0).mean()), (2, 2, Some(2.75)));
        assert_eq!((one.of(1).mean(), one.of(2).games, one.of(2).mean()), (None, 1, Some(1.0)));
        assert!(one.are_those_of(&one) && !one.are_those_of(&other));
    }
}
