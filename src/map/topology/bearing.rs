//! Bearings: directions that are compared exactly, so that every machine orders them alike.
//!
//! An angle from the machine's library of mathematics may differ in its last digit from one machine to the next. A
//! bearing is therefore not a number of degrees: two bearings are compared by the products of their components,
//! without rounding.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

// Names of coasts: `NC`, `EC`, `SC`, `WC`, and `NC2` where two would have the same name.

crate::named! {
    /// A quarter of the compass.
    #[derive(PartialOrd, Ord, Hash)]
    pub enum Quarter {
        /// East: bearings from 45° up to 135°.
        East = "EC",
        /// North: from 315° over 0° up to 45°.
        North = "NC",
        /// South: from 135° up to 225°.
        South = "SC",
        /// West: from 225° up to 315°.
        West = "WC",
    }
}

/// The name of a coast. The order is that of the text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct CoastName {
    /// The direction in which the coast lies.
    pub quarter: Quarter,
    /// 1 for the first coast in this direction of its province; its name has no number.
    pub ordinal: u8,
}

impl fmt::Display for CoastName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.quarter.name())?;
        if self.ordinal > 1 { write!(f, "{}", self.ordinal) } else { Ok(()) }
    }
}

/// A text that is not a coast.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a coast; expected NC, EC, SC or WC, followed by a number if several coasts have the name"
)]
pub struct InvalidCoast(pub String);

impl FromStr for CoastName {
    type Err = InvalidCoast;
    fn from_str(s: &str) -> Result<Self, InvalidCoast> {
        let invalid = || InvalidCoast(s.to_owned());
        let (quarter, rest) = s.split_at_checked(2).ok_or_else(invalid)?;
        let quarter = Quarter::ALL.into_iter().find(|known| known.name() == quarter).ok_or_else(invalid)?;
        let ordinal = match rest {
            "" => 1,
            digits => digits.parse().ok().filter(|&n| n > 1).ok_or_else(invalid)?,
        };
        Ok(CoastName { quarter, ordinal })
    }
}

/// The direction of one place from another.
///
/// ```
/// use upheaval_map::topology::{Bearing, Quarter};
/// let (east, south_west) = (Bearing::of(1.0, 0.0), Bearing::of(-1.0, -1.0));
/// assert_eq!(east.quarter(), Quarter::East);
/// assert!(east.clockwise(&south_west).is_lt(), "90° comes before 225°");
/// assert!(south_west.anticlockwise(&east).is_lt());
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bearing {
    east: f64,
    north: f64,
}

impl Bearing {
    /// Due north.
    pub const NORTH: Bearing = Bearing { east: 0.0, north: 1.0 };

    /// The bearing of a vector with these components. The zero vector gives north.
    pub fn of(east: f64, north: f64) -> Bearing {
        if east == 0.0 && north == 0.0 { Bearing::NORTH } else { Bearing { east, north } }
    }

    /// The bearing of the second place as seen from the first; each is given east and north.
    pub fn between([x, y]: [f64; 2], [to_x, to_y]: [f64; 2]) -> Bearing {
        Bearing::of(to_x - x, to_y - y)
    }

    /// The quarter in which it lies.
    pub fn quarter(self) -> Quarter {
        let Bearing { east, north } = self;
        // From 45° to the right of the first component, which belongs to it, to 45° to the left, which does not.
        let faces = |ahead: f64, left: f64| left <= ahead && -left < ahead;
        match () {
            () if faces(east, north) => Quarter::East,
            () if faces(-north, east) => Quarter::South,
            () if faces(-east, -north) => Quarter::West,
            () => Quarter::North,
        }
    }

    /// Compares by the angle from due north on either side, from 0° to 180°.
    pub fn from_north(&self, other: &Bearing) -> Ordering {
        let is_south = self.north < 0.0;
        let by_half = is_south.cmp(&(other.north < 0.0));
        by_half.then_with(|| {
            let by_slope = product(self.east, other.north).cmp(&product(other.east, self.north));
            if is_south { by_slope.reverse() } else { by_slope }
        })
    }

    /// Compares by the angle clockwise from due north, from 0° to below 360°.
    pub fn clockwise(&self, other: &Bearing) -> Ordering {
        self.round(other, |bearing| bearing.east < 0.0)
    }

    /// Compares by the angle counter-clockwise from due north, from 0° to below 360°.
    pub fn anticlockwise(&self, other: &Bearing) -> Ordering {
        self.round(other, |bearing| bearing.east > 0.0)
    }

    /// Compares by the angle in the direction in which the bearings that are `late` come after due south.
    fn round(&self, other: &Bearing, late: fn(&Bearing) -> bool) -> Ordering {
        late(self).cmp(&late(other)).then_with(|| {
            let from_north = self.from_north(other);
            if late(self) { from_north.reverse() } else { from_north }
        })
    }
}

/// The absolute product of two numbers, exactly, in a form that is ordered as the numbers are: an exponent of two and
/// a fraction whose highest bit is set.
fn product(x: f64, y: f64) -> (i32, u128) {
    const FRACTION_BITS: u32 = f64::MANTISSA_DIGITS - 1;
    let parts = |number: f64| {
        let bits = number.abs().to_bits();
        let (exponent, fraction) = ((bits >> FRACTION_BITS) as i32, bits & ((1 << FRACTION_BITS) - 1));
        match exponent {
            0 => (1, fraction), // subnormal
            _ => (exponent, fraction | 1 << FRACTION_BITS),
        }
    };
    let ((x_exponent, x), (y_exponent, y)) = (parts(x), parts(y));
    match u128::from(x) * u128::from(y) {
        0 => (i32::MIN, 0),
        fraction => {
            let shift = fraction.leading_zeros();
            (x_exponent + y_exponent - shift as i32, fraction << shift)
        }
    }
}
