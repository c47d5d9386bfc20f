//! A page in a headless Chromium: what it asks the network for, what it complains of, what stands on it, how it looks.
//!
//! The browser is the one that `UPHEAVAL_CHROMIUM` names, and has to start then; else one that is found on the path. Where
//! there is none, tests say so and are skipped. They are slow tests.
//!
//! The protocol of a browser is a tenth of all that the tests compile, and only slow tests look at pages. So it is
//! compiled with the feature `browser`, as `.ci/run` does it; without the feature the same tests are compiled against
//! a browser that never starts.

#[cfg(not(feature = "browser"))]
mod absent;
#[cfg(feature = "browser")]
mod chromium;

#[cfg(not(feature = "browser"))]
pub use absent::{Browser, Page};
#[cfg(feature = "browser")]
pub use chromium::{Browser, Page};

/// How a page is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// How wide the window is, in pixels.
    pub width: u32,
    /// In which light.
    pub light: Light,
}

/// Where a page is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Light {
    /// On a bright screen.
    Day,
    /// On a dark screen.
    Night,
    /// On paper.
    Paper,
}

/// Looks at several things at once: a test that talks with a browser waits most of the time.
pub fn at_once<T: Sync>(things: &[T], look: impl Fn(&T) + Sync) {
    const AT_ONCE: usize = 4;
    std::thread::scope(|scope| {
        for some in things.chunks(things.len().div_ceil(AT_ONCE).max(1)) {
            let look = &look;
            scope.spawn(move || some.iter().for_each(look));
        }
    });
}
