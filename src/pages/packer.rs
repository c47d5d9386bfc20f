//! Packs numbers of a few bits each.

/// Writes numbers of a fixed width in bits, the first in the lowest bits.
pub struct Packer {
    width: u32,
    bytes: Vec<u8>,
    /// Bits that do not fill four bytes yet.
    held: u64,
    bits: u32,
}

impl Packer {
    /// Appends to these bytes.
    pub(crate) fn new(width: u32, bytes: Vec<u8>) -> Packer {
        Packer { width, bytes, held: 0, bits: 0 }
    }

    /// Appends a number for each value.
    pub(crate) fn extend<V: Copy>(&mut self, values: &[V], number: impl Fn(V) -> u32) {
        match self.width {
            0..=4 => self.extend_by::<8, V>(values, number),
            5..=8 => self.extend_by::<4, V>(values, number),
            9..=16 => self.extend_by::<2, V>(values, number),
            _ => self.extend_by::<1, V>(values, number),
        }
    }

    /// Numbers that fit into 32 bits together are combined before they are appended.
    #[inline]
    fn extend_by<const TOGETHER: usize, V: Copy>(&mut self, values: &[V], number: impl Fn(V) -> u32) {
        let shifts: [u32; TOGETHER] = std::array::from_fn(|i| i as u32 * self.width);
        let (groups, rest) = values.as_chunks::<TOGETHER>();
        for group in groups {
            let beside = |all, (&value, &shift)| all | number(value).wrapping_shl(shift);
            let numbers = group.iter().zip(&shifts).fold(0, beside);
            self.take(numbers, TOGETHER as u32 * self.width);
        }
        rest.iter().for_each(|&value| self.take(number(value), self.width));
    }

    /// Appends numbers for those values that have one.
    pub(crate) fn extend_present<V: Copy>(&mut self, values: &[V], number: impl Fn(V) -> Option<u32>) {
        values.iter().filter_map(|&value| number(value)).for_each(|number| self.take(number, self.width));
    }

    /// Appends the same number many times.
    pub(crate) fn repeat(&mut self, number: u32, count: u32) {
        let together = u32::BITS / self.width;
        let mut left = count;
        if left >= together {
            let numbers = (0..together).fold(0, |all, i| all | number << (i * self.width));
            while left >= together {
                self.take(numbers, together * self.width);
                left -= together;
            }
        }
        (0..left).for_each(|_| self.take(number, self.width));
    }

    /// Appends the lowest bits, at most 32; higher bits must be zero.
    #[inline]
    fn take(&mut self, numbers: u32, bits: u32) {
        self.held |= u64::from(numbers) << self.bits;
        self.bits += bits;
        if self.bits >= u32::BITS {
            self.bytes.extend_from_slice(&(self.held as u32).to_le_bytes());
            self.held >>= u32::BITS;
            self.bits -= u32::BITS;
        }
    }

    /// The bytes of 32-bit numbers, for which no bits are pending.
    pub(crate) fn into_plain(self) -> Vec<u8> {
        debug_assert!(self.width == u32::BITS && self.bits == 0);
        self.bytes
    }

    /// The bytes, padded to a whole number of groups of eight.
    pub(crate) fn finish(mut self, count: usize) -> Vec<u8> {
        let rest = (count.next_multiple_of(8) - count) as u32 * self.width + self.bits;
        self.bytes.extend_from_slice(&self.held.to_le_bytes()[..self.bits.div_ceil(8) as usize]);
        let zeros = (rest / 8).saturating_sub(self.bits.div_ceil(8)) as usize;
        self.bytes.resize(self.bytes.len() + zeros, 0);
        self.bytes
    }
}

/// Appends numbers in the hybrid encoding of runs and bit-packed groups; this uses a single run or a single
/// sequence of groups.
pub(crate) fn hybrid(
    width: u32,
    count: usize,
    mut bytes: Vec<u8>,
    pack: impl FnOnce(&mut Packer),
) -> Vec<u8> {
    match width {
        0 => {
            vlq(count << 1, &mut bytes);
            bytes
        }
        _ => {
            vlq(count.div_ceil(8) << 1 | 1, &mut bytes);
            let mut packer = Packer::new(width, bytes);
            pack(&mut packer);
            packer.finish(count)
        }
    }
}

/// One run saying that this number of rows all have a value.
pub(crate) fn present(rows: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    vlq(rows << 1, &mut bytes);
    bytes.push(1);
    bytes
}

/// A number in as many groups of seven bits as it needs, the lowest first.
fn vlq(mut number: usize, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}
