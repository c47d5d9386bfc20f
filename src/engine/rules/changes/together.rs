//! Checks of the keys of a change of faces against each other.

use std::ops::Range;

use super::entry::{Count, FaceChange};
use super::file::{EntryFile, Reading};
use super::foretold::Foretold;
use super::set::Kinds;
use super::verb::Verbs;
use super::when::{Date, Span};
use super::words::{CentreFate, Entering, Fate, HomeRule, Point, Verb};
use crate::diagnostic::value::Placed;
use crate::rules::position::Season;

/// An entry whose keys are checked.
struct Keys<'a> {
    reading: &'a Reading<'a>,
    file: &'a EntryFile,
    change: &'a FaceChange,
}

impl Reading<'_> {
    /// Do the keys of a change of faces go together?
    pub(super) fn goes_together(&self, file: &EntryFile, change: &FaceChange) -> bool {
        let before = self.form.faults();
        let keys = Keys { reading: self, file, change };
        keys.point();
        keys.fates();
        keys.foretold();
        keys.span();
        keys.centre();
        self.form.faults() == before
    }
}

/// The place of a key's value.
fn span_of<T>(key: Option<&Placed<T>>) -> Option<Range<usize>> {
    key.map(Placed::span)
}

impl Keys<'_> {
    /// Notes a fault at a key, or at the id if the key is left out.
    fn refuse(&self, key: Option<Range<usize>>, message: &str) {
        self.reading.form.fault(key.unwrap_or(self.file.id.span()), message);
    }

    fn verbs(&self) -> &Verbs {
        &self.change.verbs
    }

    /// Is this so of one of its verbs?
    fn any(&self, is: impl Fn(Verb) -> bool) -> bool {
        self.verbs().any(is)
    }

    fn point(&self) {
        if self.change.at == Point::Start && self.change.is_announced() {
            self.refuse(span_of(self.file.foretold.as_ref()), "before the first phase nothing is foretold");
        }
        if self.change.at != Point::BeforeRetreats {
            return;
        }
        if self.verbs().has(Verb::Split) {
            self.refuse(span_of(self.file.at.as_ref()), "provinces split at the `end` of a season only");
        }
        if self.change.period.seasons.includes(Season::Winter) && self.file.schedule.is_none() {
            let message = "a Winter has no retreats, so nothing happens before them; write `at = \"end\"`";
            self.refuse(span_of(self.file.seasons.as_ref()), message);
        }
    }

    /// The fates of units.
    fn fates(&self) {
        let (units, entering) = (span_of(self.file.units.as_ref()), span_of(self.file.entering.as_ref()));
        let early = self.change.at == Point::BeforeRetreats;
        if self.change.swallows() {
            let span = || units.clone().or(entering.clone());
            if !early {
                self.refuse(span(), "units are swallowed only with `at = \"before-retreats\"`");
            } else if !self.any(Verb::makes_hole) {
                self.refuse(span(), "only holes swallow units: `collapse` or `void`");
            }
        } else if self.change.entering == Entering::Destroy && !(early && self.any(Verb::makes_hole)) {
            let message = "units that are ordered into a place are destroyed only by holes, with `at = \"before-retreats\"`";
            self.refuse(entering, message);
        }
        if let Some(written) = &self.file.units {
            if !self.any(Verb::forces_out) {
                self.refuse(units, "no unit has to leave: `units` is for holes, seas, ice and marks");
            } else if let Some(message) = self.unfit(**written, early) {
                self.refuse(units, message);
            }
        }
    }

    /// Why units cannot have this fate.
    fn unfit(&self, fate: Fate, early: bool) -> Option<&'static str> {
        let changes_ground =
            || self.any(|verb| matches!(verb, Verb::Submerge | Verb::Freeze | Verb::Restore));
        match fate {
            Fate::Stay if !self.verbs().has(Verb::Mark) => {
                Some("units cannot stay there; `stay` is for marks")
            }
            Fate::Retreat | Fate::Choose if !early => {
                Some("units retreat only with `at = \"before-retreats\"`: a season has one retreat phase")
            }
            Fate::Convert | Fate::ConvertOrDisband if !changes_ground() => {
                Some("units are converted only where land becomes sea, or sea ice")
            }
            Fate::Trap | Fate::TrapOrDisband if !self.verbs().has(Verb::Freeze) => {
                Some("only ice traps the units in it; see `stranded` for fleets without a coast")
            }
            _ => None,
        }
    }

    fn foretold(&self) {
        if !self.change.is_announced() || self.change.at == Point::Start {
            return;
        }
        let refuse = |message| self.refuse(span_of(self.file.foretold.as_ref()), message);
        if matches!(self.change.count(), Some(Count::Per(..))) {
            return refuse("a number of places `per` other places cannot be foretold");
        }
        if self.change.foretold != Foretold::BeforeRetreats {
            return;
        }
        if self.change.at == Point::BeforeRetreats {
            refuse("what happens before the retreats cannot be foretold before them");
        } else if self.any(|verb| !verb.makes_hole()) {
            refuse(
                "only `collapse` and `void` can be foretold before the retreats; write `\"1 season\"`, for example",
            );
        } else if self.change.period.seasons.includes(Season::Winter) {
            refuse("a Winter has no retreats before which anything could be foretold");
        }
    }

    /// How long the change lasts, and what follows.
    fn span(&self) {
        let FaceChange { lasts, back_units, .. } = *self.change;
        let at = span_of(self.file.lasts.as_ref());
        if lasts == Span::Ever {
            for (key, written) in [
                ("back_units", span_of(self.file.back_units.as_ref())),
                ("back_owner", span_of(self.file.back_owner.as_ref())),
            ] {
                if written.is_some() {
                    self.refuse(
                        written,
                        &format!("`{key}` is for changes that end; add `lasts`, such as \"2 years\""),
                    );
                }
            }
            return;
        }
        if let Some(verb) = [Verb::Split, Verb::Open].into_iter().find(|verb| self.verbs().has(*verb)) {
            self.refuse(
                at,
                &format!("`{}` cannot be undone, so it lasts for good; remove `lasts`", verb.name()),
            );
        } else if self.verbs().mixes() {
            self.refuse(at, "`lasts` needs an entry that changes either holes or ground, not both");
        }
        let kinds = self.change.set().and_then(|set| set.kinds(&|_| None)).unwrap_or(Kinds::HOLE);
        let restores_both = |(verb, state): &(Verb, Kinds)| {
            let has = |kind: Kinds| !kinds.and(*state).and(kind).is_none();
            *verb == Verb::Restore && has(Kinds::HOLE) && has(Kinds::ICE)
        };
        if self.verbs().each().iter().any(restores_both) {
            self.refuse(
                span_of(self.file.lasts.as_ref()),
                "`lasts` needs an entry that restores either holes or ice, not both",
            );
        }
        let first = self.change.period.from.map(|from| from.first());
        let first = first.max(self.reading.first_phase.map(Date::from));
        if let (Span::Until(date), Some(first)) = (lasts, first)
            && date <= first
        {
            self.refuse(
                span_of(self.file.lasts.as_ref()),
                &format!("`lasts` ends at {date}, before the entry acts first"),
            );
        }
        let message = match back_units {
            Fate::Stay | Fate::Swallow | Fate::Choose => "when a change ends, units cannot have this fate",
            Fate::Retreat if matches!(lasts, Span::Until(_)) => {
                "units retreat before the `end` at which this change ends; write a number of seasons or years"
            }
            Fate::Retreat if matches!(lasts, Span::Years(_)) && self.change.at == Point::End => {
                "units retreat only with `at = \"before-retreats\"`: a season has one retreat phase"
            }
            _ => return,
        };
        self.refuse(span_of(self.file.back_units.as_ref()), message);
    }

    fn centre(&self) {
        if self.change.home != HomeRule::None && !self.verbs().has(Verb::Found) {
            self.refuse(span_of(self.file.home.as_ref()), "only `found` makes a centre somebody's `home`");
        }
        if self.change.centre == CentreFate::Lost
            && !self.any(|verb| verb.makes_hole() || verb == Verb::Freeze)
        {
            let message = "`centre` is for holes and ice; a submerged centre is lost in any case";
            self.refuse(span_of(self.file.centre.as_ref()), message);
        }
    }
}
