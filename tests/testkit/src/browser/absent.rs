//! In place of the browser where the feature `browser` is off: it never starts, so there is never a page.

use std::path::Path;

use serde::de::DeserializeOwned;

use super::Look;
use crate::{runs_slow, skipped};

/// A browser that cannot be had.
pub enum Browser {}

/// A page that cannot be open.
pub enum Page {}

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
        match *self {}
    }

    /// Opens a file at a place in it.
    pub fn open_at(&self, _: &Path, _: &str) -> Page {
        match *self {}
    }
}

impl Page {
    /// What a JavaScript expression is on the page.
    pub fn ask<T: DeserializeOwned>(&self, _: &str) -> T {
        match *self {}
    }

    /// Does something on the page.
    pub fn make(&self, _: &str) {
        match *self {}
    }

    /// Follows a link within the page.
    pub fn go_to(&self, _: &str) {
        match *self {}
    }

    /// Presses a key.
    pub fn press(&self, _: &str) {
        match *self {}
    }

    /// Clicks on the first element of a selector.
    pub fn click(&self, _: &str) {
        match *self {}
    }

    /// Looks at it in another way.
    pub fn look(&self, _: Look) {
        match *self {}
    }

    /// Makes its window so large.
    pub fn size(&self, _: u32, _: u32) {
        match *self {}
    }

    /// What the browser complained of.
    pub fn complaints(&self) -> Vec<String> {
        match *self {}
    }

    /// What the page asked the network for.
    pub fn requests(&self) -> Vec<String> {
        match *self {}
    }

    /// Takes pictures of the whole page.
    pub fn picture(&self, _: &str) {
        match *self {}
    }
}
