//! The program from outside, in one binary: a module for each command; `referee` and `tutorial` for their pages.

mod adjudicate;
mod balance;
mod browser;
mod experiment;
mod external;
#[cfg(unix)]
mod links;
mod map;
mod plan;
mod program;
mod referee;
mod replay;
mod report;
mod resume;
mod run;
mod shard;
mod sweep;
mod tournament;
mod tutorial;
mod variants;
mod verify;
mod viewer;
