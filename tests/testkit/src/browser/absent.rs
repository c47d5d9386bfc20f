//! A substitute for the browser if the feature `browser` is off: it never starts, so there is never a page.

use std::path::Path;

use serde::de::DeserializeOwned;

use super::Look;
use crate::{runs_slow, skipped};

/// A browser that is not available. Its field has no value, but is private, so that the compiler does not regard code
/// that uses it as unreachable.
pub struct Browser(Never);

/// A page that cannot be opened.
pub struct Page(Never);

enum Never {}

impl Browser {
    /// `None`, after a line with the reason.
    pub fn start(_: &Path) -> Option<Browser> {
        if runs_slow("a look at the page in a browser") {
            skipped("a look at the page in a browser: `--features testkit/browser` compiles that too");
        }
        None
    }

    /// Opens a file.
    pub fn open(&self, _: &Path) -> Page {
        match self.0 {}
    }

    /// Opens a file at a place in it.
    pub fn open_at(&self, _: &Path, _: &str) -> Page {
        match self.0 {}
    }
}

impl Page {
    /// The value of a JavaScript expression on the page.
    pub fn ask<T: DeserializeOwned>(&self, _: &str) -> T {
        match self.0 {}
    }

    /// Runs JavaScript on the page.
    pub fn make(&self, _: &str) {
        match self.0 {}
    }

    /// Follows a link within the page.
    pub fn go_to(&self, _: &str) {
        match self.0 {}
    }

    /// Presses a key.
    pub fn press(&self, _: &str) {
        match self.0 {}
    }

    /// Clicks on the first element of a selector.
    pub fn click(&self, _: &str) {
        match self.0 {}
    }

    /// Changes the emulated display.
    pub fn look(&self, _: Look) {
        match self.0 {}
    }

    /// Sets the size of its window.
    pub fn size(&self, _: u32, _: u32) {
        match self.0 {}
    }

    /// The complaints of the browser.
    pub fn complaints(&self) -> Vec<String> {
        match self.0 {}
    }

    /// The network requests of the page.
    pub fn requests(&self) -> Vec<String> {
        match self.0 {}
    }

    /// Takes pictures of the whole page.
    pub fn picture(&self, _: &str) {
        match self.0 {}
    }
}
