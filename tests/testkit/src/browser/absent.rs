//! In place of the browser where the feature `browser` is off: it never starts, so there is never a page.

use std::path::Path;

use serde::de::DeserializeOwned;

use super::Look;
use crate::{runs_slow, skipped};

/// A browser that cannot be had. That its field has no value is private, so that no code which uses it is unreachable
/// in the eyes of the compiler.
pub struct Browser(Never);

/// A page that cannot be open.
pub struct Page(Never);

enum Never {}

impl Browser {
    /// `None`, after a line that says why.
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
    /// What a JavaScript expression is on the page.
    pub fn ask<T: DeserializeOwned>(&self, _: &str) -> T {
        match self.0 {}
    }

    /// Does something on the page.
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

    /// Looks at it in another way.
    pub fn look(&self, _: Look) {
        match self.0 {}
    }

    /// Makes its window so large.
    pub fn size(&self, _: u32, _: u32) {
        match self.0 {}
    }

    /// What the browser complained of.
    pub fn complaints(&self) -> Vec<String> {
        match self.0 {}
    }

    /// What the page asked the network for.
    pub fn requests(&self) -> Vec<String> {
        match self.0 {}
    }

    /// Takes pictures of the whole page.
    pub fn picture(&self, _: &str) {
        match self.0 {}
    }
}
