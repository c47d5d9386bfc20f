//! Data that other code derives from a board and caches with it: one value of each type, computed on first
//! use.
//!
//! Look-ups take no lock, because the ground of a variant is shared by all threads: the values form a list
//! that only grows, and each place in it is written once.

use std::any::Any;
use std::sync::OnceLock;

/// The rest of the list. There are only as many types as bots cache, which is few.
#[derive(Debug, Default)]
pub(super) struct Kept {
    here: OnceLock<Box<dyn Any + Send + Sync>>,
    next: OnceLock<Box<Kept>>,
}

impl Kept {
    /// The value of this type; `make` creates it if there is none.
    #[inline]
    pub(super) fn get<T: Any + Send + Sync>(&self, make: impl Fn() -> T) -> &T {
        let mut place = self;
        loop {
            if let Some(found) = place.here.get_or_init(|| Box::new(make())).downcast_ref() {
                return found;
            }
            place = place.next.get_or_init(Box::default);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_value_of_each_type_is_made_once() {
        let (kept, made) = (Kept::default(), Cell::new(0));
        let count = || made.set(made.get() + 1);
        for _ in 0..3 {
            let number: &u8 = kept.get(|| {
                count();
                7
            });
            let text: &String = kept.get(|| {
                count();
                "seven".to_owned()
            });
            assert_eq!((*number, text.as_str()), (7, "seven"));
        }
        assert_eq!(made.get(), 2);
    }
}
