//! What is known of a bot that is a program of its own.

/// A program that plays, and how long it may take.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Program {
    /// What is run, and its arguments.
    pub command: Vec<String>,
    /// How long it may take for an answer, in milliseconds; `None`: as long as it is not [`Program::stall_ms`].
    pub move_ms: Option<u64>,
    /// How long it may be silent while an answer is waited for, in milliseconds.
    pub stall_ms: u64,
}
