//! Values year by year, for games that end in different years.

/// A value for each year from the start on, and one value that stands for all later years.
///
/// A game that ended in 1908 thus has a value for 1920 although it does not know how long other games last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Yearly<T> {
    /// By year, from the start on.
    pub years: Vec<T>,
    /// In every later year.
    pub after: T,
}

impl<T: Clone> Yearly<T> {
    /// The value in a year, counted from the start.
    pub(crate) fn at(&self, year: usize) -> &T {
        self.years.get(year).unwrap_or(&self.after)
    }

    /// Adds another, year by year.
    pub(crate) fn add<U: Clone>(&mut self, other: &Yearly<U>, mut add: impl FnMut(&mut T, &U)) {
        if self.years.len() < other.years.len() {
            self.years.resize(other.years.len(), self.after.clone());
        }
        self.years.iter_mut().enumerate().for_each(|(year, mine)| add(mine, other.at(year)));
        add(&mut self.after, &other.after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ended_goes_on_as_it_ended() {
        let mut all: Yearly<i32> = Yearly::default();
        for (years, after) in [(vec![3, 5], 7), (vec![1, 1, 1, 1], 0), (vec![], 100)] {
            all.add(&Yearly { years, after }, |sum, value| *sum += value);
        }
        assert_eq!(all, Yearly { years: vec![104, 106, 108, 108], after: 107 });
        assert_eq!((*all.at(1), *all.at(9)), (106, 107));
    }
}
