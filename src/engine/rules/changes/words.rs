//! The words of the keys of entries: what each means, and its text in files.

use crate::rules::position::Season;
use crate::rules::words::words;

words! {
    /// What happens to a place, or to a border.
    Verb {
        /// All faces round it become adjacent (Tinamou rule 1; rules.md 1.4).
        Collapse = "collapse",
        /// It becomes an impassable hole (rules.md 1.5).
        Void = "void",
        /// A hole comes back (rules.md 4.8, 4.10).
        Restore = "restore",
        /// Land becomes sea (rules.md 6.3).
        Submerge = "submerge",
        /// Sea becomes land.
        Raise = "raise",
        /// Sea becomes ice, which armies can enter.
        Freeze = "freeze",
        /// An impassable face becomes land (rules.md 6.5).
        Open = "open",
        /// A canal is dug through it, between two seas.
        Dig = "dig",
        /// It is cut in two halves (rules.md 4.11).
        Split = "split",
        /// Land becomes a supply centre (rules.md 6.4).
        Found = "found",
        /// A supply centre becomes an ordinary province.
        Ruin = "ruin",
        /// Only the set of the entry changes (rules.md 4.5).
        Mark = "mark",
        /// Borders move by orders of the powers (rules.md 8).
        Quake = "quake",
    }

    /// When in a season an entry acts.
    Point {
        /// Once, before the first phase: in the Winter before the first Spring.
        Start = "start",
        /// When the movement is settled, before the retreats of a Spring or Fall.
        BeforeRetreats = "before-retreats",
        /// After the retreats of a Spring or Fall and, in Fall, the recording of owners; after the adjustments of a
        /// Winter.
        End = "end",
    }

    /// The seasons in which an entry acts.
    Seasons {
        /// Spring.
        Spring = "spring",
        /// Fall.
        Fall = "fall",
        /// Winter.
        Winter = "winter",
        /// Spring and Fall.
        SpringAndFall = "spring-and-fall",
        /// Spring and Winter.
        SpringAndWinter = "spring-and-winter",
        /// Fall and Winter.
        FallAndWinter = "fall-and-winter",
        /// All three.
        All = "all",
    }

    /// Who decides on which places an entry acts.
    By {
        /// Nature draws them.
        Nature = "nature",
        /// All places of the set, or of the schedule.
        All = "all",
        /// Those with the most by a measure.
        Most = "most",
        /// Those with the least by a measure.
        Least = "least",
        /// The powers vote.
        Vote = "vote",
        /// Each power chooses one.
        Choice = "choice",
        /// The powers' orders.
        Orders = "orders",
    }

    /// The number of votes of each power.
    Votes {
        /// One.
        One = "one",
        /// As many as it has supply centres.
        Centres = "centres",
    }

    /// The votes that a place needs.
    Wins {
        /// More than any other place.
        Plurality = "plurality",
        /// More than half of the votes that exist, cast or not.
        Majority = "majority",
    }

    /// What becomes of places that tie at the last of those that a measure or a vote chooses.
    Ties {
        /// Nature draws among them.
        Nature = "nature",
        /// All of them change.
        All = "all",
        /// None of them changes.
        None = "none",
    }

    /// The fate of the units that may not stay; for a mark, of all units in the place.
    Fate {
        /// They stay: for a mark only.
        Stay = "stay",
        /// They are destroyed (rules.md 4.4).
        Destroy = "destroy",
        /// They vanish with the place, and come back with it (rules.md 4.8).
        Swallow = "swallow",
        /// They must retreat.
        Retreat = "retreat",
        /// They retreat, or vanish with the place and come back with it.
        Choose = "choose",
        /// An army becomes a fleet, a fleet an army.
        Convert = "convert",
        /// The same, unless their owner disbands them at once.
        ConvertOrDisband = "convert-or-disband",
        /// A fleet is trapped: it may only hold until it can sail again (rules.md 8.8).
        Trap = "trap",
        /// The same, unless its owner disbands it at once.
        TrapOrDisband = "trap-or-disband",
    }

    /// The fate of units that were ordered into the place and did not get in.
    Entering {
        /// They stay, or retreat, as the rules say.
        AsUsual = "as-usual",
        /// They are destroyed.
        Destroy = "destroy",
        /// They vanish with the place, and come back with it (rules.md 4.8).
        Swallow = "swallow",
    }

    /// The fate of a fleet that a change leaves without any coast (rules.md 8.8).
    Stranded {
        /// It is lost.
        Destroy = "destroy",
        /// It is trapped: it may only hold until a coast opens.
        Trap = "trap",
        /// The same, unless its owner disbands it at once.
        TrapOrDisband = "trap-or-disband",
        /// It becomes an army.
        Convert = "convert",
        /// The same, unless its owner disbands it at once.
        ConvertOrDisband = "convert-or-disband",
    }

    /// What becomes of the centre of a place that turns into a hole or ice.
    CentreFate {
        /// It does not count until the place comes back.
        Asleep = "asleep",
        /// It is lost permanently.
        Lost = "lost",
    }

    /// The power whose home a founded centre is.
    HomeRule {
        /// No power's.
        None = "none",
        /// The power's in whose country it lies.
        Country = "country",
        /// Its first owner's.
        Owner = "owner",
    }

    /// The owner of a centre that is founded or comes back.
    OwnerRule {
        /// The power whose unit is there.
        Occupant = "occupant",
        /// The last power to have a unit there after a Spring or Fall (rules.md 6.4).
        LastOccupant = "last-occupant",
        /// The owner when it vanished.
        LastOwner = "last-owner",
        /// The same, if it is a home centre.
        HomeLastOwner = "home-last-owner",
        /// The power whose home centre it is.
        HomePower = "home-power",
        /// The power in whose country it lies, unless that power is eliminated.
        Country = "country",
        /// Nobody.
        Nobody = "nobody",
    }

    /// The mark of a power that names no centre with its first orders.
    Unnamed {
        /// One of its home centres is drawn.
        Nature = "nature",
        /// It has none.
        None = "none",
    }

    /// May a power change its mark?
    Again {
        /// Never.
        Never = "never",
        /// Once: the marked centre is in foreign hands, the power has two home centres left, and one of those becomes a
        /// hole; it may name the last one (rr01, rule 6).
        LastHome = "last-home",
    }

    /// Who knows a mark.
    Told {
        /// Its owner.
        Owner = "owner",
        /// Its owner, and everybody if the owner has it announced (rr01, rule 7).
        OnRequest = "on-request",
    }

    /// How long a mark lasts.
    Lasts {
        /// As long as the game.
        Ever = "ever",
        /// Until its power is eliminated, and then never again (rr01, rule 8).
        UntilEliminated = "until-eliminated",
    }
}

impl Seasons {
    /// Is this one of them?
    pub const fn includes(self, season: Season) -> bool {
        use Seasons::{All, Fall, FallAndWinter, Spring, SpringAndFall, SpringAndWinter, Winter};
        match season {
            Season::Spring => matches!(self, Spring | SpringAndFall | SpringAndWinter | All),
            Season::Fall => matches!(self, Fall | SpringAndFall | FallAndWinter | All),
            Season::Winter => matches!(self, Winter | SpringAndWinter | FallAndWinter | All),
        }
    }
}
