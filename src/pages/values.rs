//! The values of a column in the form that rows have.

use super::packer::Packer;

/// A value of a column: a number, the index of a word in its list, or none.
pub trait Number: Copy + Send + Sync + 'static {
    /// The type of the number.
    type Plain: Bounded;
    /// Is there always a number?
    const ALWAYS: bool;
    /// The number; `None` if there is none.
    fn number(self) -> Option<Self::Plain>;
}

/// A number type as narrow as the column: bounds of bytes are found sixteen at a time.
pub trait Bounded: Copy + Ord + Into<u32> {
    /// The smallest and the largest number of the type.
    const BOUNDS: (Self, Self);
}

macro_rules! numbers {
    ($($number:ty)*) => {
        $(impl Bounded for $number {
            const BOUNDS: (Self, Self) = (<$number>::MIN, <$number>::MAX);
        }
        impl Number for $number {
            type Plain = $number;
            const ALWAYS: bool = true;
            #[inline]
            fn number(self) -> Option<$number> {
                Some(self)
            }
        }
        impl Number for Option<$number> {
            type Plain = $number;
            const ALWAYS: bool = false;
            #[inline]
            fn number(self) -> Option<$number> {
                self
            }
        })*
    };
}

numbers! { u8 u16 u32 }

/// The values of a column in some games, concatenated.
pub trait Numbers: Send + Sync {
    /// The number of rows.
    fn rows(&self) -> usize;
    /// The number of values, and their bounds.
    fn spread(&self) -> Spread;
    /// Packs the differences of the values from the least.
    fn pack(&self, least: u32, into: &mut Packer);
    /// Packs for each row a 1 if it has a value, a 0 if not.
    fn pack_presence(&self, into: &mut Packer);
}

impl<N: Number> Numbers for Vec<N> {
    fn rows(&self) -> usize {
        self.len()
    }
    fn spread(&self) -> Spread {
        let numbers = || self.iter().filter_map(|value| value.number());
        let (least, greatest) = N::Plain::BOUNDS;
        let (least, greatest) =
            numbers().fold((greatest, least), |(least, greatest), n| (least.min(n), greatest.max(n)));
        match numbers().count() {
            0 => Spread::NONE,
            count => Spread { count, least: least.into(), greatest: greatest.into() },
        }
    }
    fn pack(&self, least: u32, into: &mut Packer) {
        match N::ALWAYS {
            true => into.extend(self, |value| value.number().map_or(0, |number| number.into() - least)),
            false => into.extend_present(self, |value| value.number().map(|number| number.into() - least)),
        }
    }
    fn pack_presence(&self, into: &mut Packer) {
        into.extend(self, |value| u32::from(value.number().is_some()));
    }
}

/// Values that stay the same for consecutive rows.
pub struct Runs<T> {
    /// Each value with the number of rows that have it, in order.
    pub(crate) runs: Vec<(T, u32)>,
    rows: usize,
}

impl<T> Default for Runs<T> {
    fn default() -> Self {
        Runs { runs: Vec::new(), rows: 0 }
    }
}

impl<T: Copy + PartialEq> Runs<T> {
    /// Appends a value for this number of rows.
    pub fn push(&mut self, value: T, rows: usize) {
        self.rows += rows;
        match self.runs.last_mut() {
            Some((last, count)) if *last == value => *count += rows as u32,
            _ => self.runs.push((value, rows as u32)),
        }
    }
}

impl<N: Number> Numbers for Runs<N> {
    fn rows(&self) -> usize {
        self.rows
    }
    fn spread(&self) -> Spread {
        let of_run = |&(value, rows): &(N, u32)| {
            let number: Option<u32> = value.number().map(Into::into);
            let one = |number| Spread { count: rows as usize, least: number, greatest: number };
            number.map_or(Spread::NONE, one)
        };
        self.runs.iter().map(of_run).fold(Spread::NONE, Spread::and)
    }
    fn pack(&self, least: u32, into: &mut Packer) {
        for &(value, rows) in &self.runs {
            let Some(number) = value.number() else { continue };
            into.repeat(number.into() - least, rows);
        }
    }
    fn pack_presence(&self, into: &mut Packer) {
        self.runs.iter().for_each(|&(value, rows)| into.repeat(u32::from(value.number().is_some()), rows));
    }
}

/// The number of values, and their bounds.
#[derive(Clone, Copy)]
pub struct Spread {
    /// The number of values.
    pub count: usize,
    /// The smallest; the largest possible number if there are none.
    pub least: u32,
    /// The largest; 0 if there are none.
    pub greatest: u32,
}

impl Spread {
    /// The spread of no values.
    pub(crate) const NONE: Spread = Spread { count: 0, least: u32::MAX, greatest: 0 };

    /// The union of both.
    pub(crate) fn and(self, other: Spread) -> Spread {
        Spread {
            count: self.count + other.count,
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
        }
    }
}
