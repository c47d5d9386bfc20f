//! The description of a bot that is an external program.

/// A program that plays, its time limits, and the resources that it may use.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub struct Program {
    /// The command and its arguments.
    pub command: Vec<String>,
    /// The time limit for an answer, in milliseconds; with `None`, only [`Program::stall_ms`] applies.
    pub move_ms: Option<u64>,
    /// The longest permitted silence while an answer is awaited, in milliseconds.
    pub stall_ms: u64,
    /// What it may use of the machine, and what it finds there.
    pub guest: Guest,
    /// Does its author say that it always answers alike?
    pub repeats: Repeats,
}

/// Does a bot answer alike when the same game is played again from the same seed?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub enum Repeats {
    /// Nobody says so: its orders are recorded.
    #[default]
    No,
    /// Its author declares that it does.
    Yes,
}

/// The limits of a program together with all processes that it starts, and its environment. Values that are not set
/// have their defaults.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub struct Guest {
    /// Memory of its own, in mebibytes; [`Guest::MEMORY_MB`] if not set.
    pub memory_mb: Option<u64>,
    /// Processor time, in seconds; without a limit if not set.
    pub cpu_s: Option<u64>,
    /// Processes; [`Guest::PROCESSES`] if not set.
    pub processes: Option<u64>,
    /// The longest file that it may write, in mebibytes; [`Guest::FILE_MB`] if not set.
    pub file_mb: Option<u64>,
    /// The variables of this process's environment that it is passed besides those that every program is passed.
    pub env: Vec<String>,
    /// The folder in which it is started; a new one of its own, which is removed afterwards, if not set.
    pub folder: Option<String>,
}

impl Guest {
    /// Memory of a program that sets nothing, in mebibytes.
    pub const MEMORY_MB: u64 = 16_384;
    /// Processes of a program that sets nothing.
    pub const PROCESSES: u64 = 256;
    /// The longest file of a program that sets nothing, in mebibytes.
    pub const FILE_MB: u64 = 4096;

    /// The keys of the limits, each with what is set.
    pub fn limits(&self) -> [(&'static str, Option<u64>); 4] {
        [
            ("memory_mb", self.memory_mb),
            ("cpu_s", self.cpu_s),
            ("processes", self.processes),
            ("file_mb", self.file_mb),
        ]
    }
}
