//! The conduct of a bot: one of six words for each seat of a game.

upheaval_map::named! {
    /// The worst fault of a bot in a game. The order is that of tables; `gravity` gives the severity.
    #[derive(Hash, Default, serde::Deserialize, serde::Serialize)]
    #[serde(rename_all = "kebab-case")]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Conduct {
        /// No fault. It is not among the faults that files name.
        #[default]
        #[serde(skip_deserializing)]
        Ok = "ok",
        /// It answered after its move clock had run out, or did not answer at all in that time.
        Timeout = "timeout",
        /// Its program exited, or could not be started.
        Crash = "crash",
        /// Its program was running but silent until the watchdog's time limit.
        Stall = "stall",
        /// Its output was not a valid reply to the request: not JSON, wrong echo, no end of line, too long.
        Protocol = "protocol",
        /// It gave illegal orders.
        Illegal = "illegal",
    }
}

impl Conduct {
    /// Does the bot not play what it would play? It is late, or plays no longer; an illegal order is its own decision.
    pub const fn is_failure(self) -> bool {
        self.gravity() > Conduct::Illegal.gravity()
    }

    /// The severity: of two faults in one game the more severe is recorded, and of two equally severe faults
    /// the first. After the most severe faults the program is no longer running.
    pub(crate) const fn gravity(self) -> u8 {
        match self {
            Conduct::Ok => 0,
            Conduct::Illegal => 1,
            Conduct::Timeout => 2,
            Conduct::Crash | Conduct::Stall | Conduct::Protocol => 3,
        }
    }

    /// The more severe of the two; this one if they are equally severe.
    pub const fn or_graver(self, other: Conduct) -> Conduct {
        if other.gravity() > self.gravity() { other } else { self }
    }
}

// Orders that do not count.

/// An order that was refused, as it was given, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusedOrder {
    /// The order's text.
    pub order: String,
    /// Why it does not count: a sentence for the power that gave it.
    pub reason: String,
}

impl RefusedOrder {
    /// An order, and why it does not count.
    pub fn new(order: impl Into<String>, reason: impl Into<String>) -> RefusedOrder {
        RefusedOrder { order: order.into(), reason: reason.into() }
    }
}
