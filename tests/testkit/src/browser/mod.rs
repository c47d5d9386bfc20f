//! A page in a headless Chromium: its network requests, complaints, content and appearance.
//!
//! The browser is the one that `UPHEAVAL_CHROMIUM` names, which must start; otherwise one that is found on the path. If
//! there is none, tests report that and are skipped. They are slow tests.
//!
//! The protocol of a browser takes a tenth of the compile time of all tests, and only slow tests use a browser. It is
//! therefore compiled with the feature `browser`, as `.ci/run` does; without the feature the same tests are compiled
//! against a browser that never starts.

#[cfg(not(feature = "browser"))]
mod absent;
#[cfg(feature = "browser")]
mod chromium;

#[cfg(not(feature = "browser"))]
pub use absent::{Browser, Page};
#[cfg(feature = "browser")]
pub use chromium::{Browser, Page};

/// The display of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// The width of the window, in pixels.
    pub width: u32,
    /// The colour scheme or medium.
    pub light: Light,
}

/// The colour scheme or medium of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Light {
    /// A light screen.
    Day,
    /// A dark screen.
    Night,
    /// Paper.
    Paper,
}

/// Runs several tasks at once: a test that uses a browser waits most of the time.
pub fn at_once<T: Sync>(things: &[T], look: impl Fn(&T) + Sync) {
    const AT_ONCE: usize = 4;
    std::thread::scope(|scope| {
        for some in things.chunks(things.len().div_ceil(AT_ONCE).max(1)) {
            let look = &look;
            scope.spawn(move || some.iter().for_each(look));
        }
    });
}
