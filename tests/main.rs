//! The promises of the library and of its bots, in one binary: a folder for each part of the program, a module for each
//! kind of promise. `docs/rules.md` names the test of each rule.
#![allow(clippy::print_stdout, unreachable_pub)]
#![allow(
    clippy::disallowed_methods,
    reason = "what is computed here is compared with some tolerance, or rounded"
)]

mod bots;
mod changes;
mod diagnostic;
mod docs;
mod env;
mod fuzz;
mod games;
mod helpers;
mod import;
mod imports;
mod map;
mod picture;
mod prose;
mod referee;
mod rules;
mod session;
mod symmetry;
mod variants;
