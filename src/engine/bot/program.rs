//! The description of a bot that is an external program.

/// A program that plays, and its time limits.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Program {
    /// The command and its arguments.
    pub command: Vec<String>,
    /// The time limit for an answer, in milliseconds; with `None`, only [`Program::stall_ms`] applies.
    pub move_ms: Option<u64>,
    /// The longest permitted silence while an answer is awaited, in milliseconds.
    pub stall_ms: u64,
}
