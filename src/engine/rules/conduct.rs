//! How a bot behaves: six words, one for each seat of a game.

/// What was wrong with a bot. The order is that of tables; how grave it is says [`Conduct::gravity`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum Conduct {
    /// Nothing.
    #[default]
    Ok,
    /// It answered after its move clock had run out, or not yet when the clock ran out.
    Timeout,
    /// Its program ended, or could not be started.
    Crash,
    /// Its program was there and silent until the watchdog's time was over.
    Stall,
    /// What it wrote is no reply to what it was asked: not JSON, wrong echo, no end of the line, too long.
    Protocol,
    /// It gave orders that are not legal.
    Illegal,
}

impl Conduct {
    /// All words, in the order of tables.
    pub const ALL: [Conduct; 6] =
        [Conduct::Ok, Conduct::Timeout, Conduct::Crash, Conduct::Stall, Conduct::Protocol, Conduct::Illegal];

    /// The word in tables and files.
    pub const fn name(self) -> &'static str {
        match self {
            Conduct::Ok => "ok",
            Conduct::Timeout => "timeout",
            Conduct::Crash => "crash",
            Conduct::Stall => "stall",
            Conduct::Protocol => "protocol",
            Conduct::Illegal => "illegal",
        }
    }

    /// How grave it is: of two faults in one game the graver is recorded, of two that are as grave the first. After
    /// the gravest the program is no more.
    pub const fn gravity(self) -> u8 {
        match self {
            Conduct::Ok => 0,
            Conduct::Illegal => 1,
            Conduct::Timeout => 2,
            Conduct::Crash | Conduct::Stall | Conduct::Protocol => 3,
        }
    }

    /// The graver of the two; this one if they are as grave.
    pub const fn or_graver(self, other: Conduct) -> Conduct {
        if other.gravity() > self.gravity() { other } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gravest_counts_and_of_equals_the_first() {
        let all = |faults: &[Conduct]| faults.iter().fold(Conduct::Ok, |worst, &next| worst.or_graver(next));
        assert_eq!(all(&[Conduct::Illegal, Conduct::Timeout, Conduct::Illegal]), Conduct::Timeout);
        assert_eq!(all(&[Conduct::Timeout, Conduct::Crash, Conduct::Stall]), Conduct::Crash);
        assert_eq!(all(&[]), Conduct::Ok);
    }
}
