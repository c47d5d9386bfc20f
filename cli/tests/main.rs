//! The program from outside, in one binary: a module for each command; `boards`, `referee` and `tutorial` for
//! their pages.
#![allow(clippy::print_stdout, unreachable_pub)]

mod balance;
mod boards;
#[cfg(unix)]
mod daide;
#[cfg(unix)]
mod examples;
mod game;
#[cfg(target_os = "linux")]
mod guests;
mod help;
mod import;
#[cfg(target_os = "linux")]
mod injected;
#[cfg(target_os = "linux")]
mod memory;
mod new;
#[cfg(target_os = "linux")]
mod openings;
mod page;
mod pages;
mod plan;
mod policy;
mod program;
#[path = "../src/readable.rs"]
mod readable;
mod referee;
mod report;
mod resume;
mod schema;
#[cfg(unix)]
mod sessions;
mod sweep;
mod tournament;
mod tune;
mod tutorial;
mod verify;
mod viewer;
mod what_if;
