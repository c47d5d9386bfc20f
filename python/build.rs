//! Finds the revision that the package is built from, if it is built from a clone and git is installed. `UPHEAVAL_GIT`
//! has it, and is not set otherwise. Changes that are not committed do not show in it.

use std::env;
use std::path::Path;
use std::process::Command;

/// Where this crate lies in the repository: below another repository, a copy of it has no revision of its own.
const PLACE: &str = "python/";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Some(revision) = revision() {
        println!("cargo::rustc-env=UPHEAVAL_GIT={revision}");
    }
}

/// The commit that is checked out, if this crate is a part of it.
fn revision() -> Option<String> {
    if git(&["rev-parse", "--show-prefix"])? != PLACE || git(&["ls-files", "build.rs"])? != "build.rs" {
        return None;
    }
    watch("HEAD");
    if let Some(branch) = git(&["symbolic-ref", "--quiet", "HEAD"]) {
        watch(&branch);
        watch("packed-refs");
    }
    git(&["rev-parse", "HEAD"])
}

/// Has the crate built again when this file of the repository changes.
fn watch(file: &str) {
    let found = git(&["rev-parse", "--git-path", file]).filter(|path| Path::new(path).exists());
    if let Some(path) = found {
        println!("cargo::rerun-if-changed={path}");
    }
}

/// What git prints, without the end of its line; nothing where it fails or is absent.
fn git(arguments: &[&str]) -> Option<String> {
    let folder = env::var_os("CARGO_MANIFEST_DIR")?;
    let output = Command::new("git").args(arguments).current_dir(folder).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim_end().to_owned())
}
