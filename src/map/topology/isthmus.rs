//! Straits and canals that come and go as borders move: AceRunner rule 9. An *isthmus* is a border
//! between two land provinces with a sea at both ends.
//!
//! ```text
//!      ~ SKA ~                   ~ SKA ~                        ~ SKA ~
//!  DEN ───┼─── SWE           DEN ───┼─── SWE                DEN ───┬─── SWE
//!      ~ BAL ~               ~ BAL ~│~ BOT ~                     KIE      ~ BAL ~
//!  a strait, water along     (2) a land and a sea connect:  (3) two lands connect: the strait goes,
//!  the border                it stays and ends at BOT       or becomes a canal through SWE
//! ```
//!
//! A canal goes through one province, between two of its water borders, and changes when one of those is separated:
//! (5) two lands connect there, it goes; (6) a land and a sea, it is kept and moves to the sea, or goes; (7) two seas, it
//! moves to one of them; and (4) it goes when its two ends come to lie side by side.
//!
//! What may be chosen is asked ([`Question`]); the answer `None` is the rule's default.

use super::face::FaceKind;
use super::half_edge::{BorderId, SideId};
use super::map::{PlanarMap, Waterway};
use super::quake::{Doing, Quake};
use super::surgery::{Surgery, same_canal};
use crate::ids::ProvinceId;

/// What a power may say about a waterway with its seismic order (docs/adjudicate.md).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum WaterwayOption {
    /// `STRAIT`: water along the new isthmus.
    Strait,
    /// `CANAL MAR`: water through this province.
    Canal(ProvinceId),
    /// `NONE`: no water passes the new isthmus.
    Nothing,
    /// `DELETE`: the strait or canal goes.
    Delete,
    /// `KEEP`: the canal stays and moves its end.
    Keep,
    /// `TERMINUS NTH`: the canal ends at this sea from now on.
    Terminus(ProvinceId),
}

/// Something that the givers of seismic orders may choose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// What it is about.
    pub matter: Matter,
    /// The orders that brought it about, as they were on the map before any was done.
    pub by: Vec<Quake>,
}

/// What a question is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Matter {
    /// Rule 9 (a): these two form an isthmus now. By default a strait, or nothing if they shared a border before.
    NewIsthmus {
        /// The provinces, in the order of the border's sides.
        between: [ProvinceId; 2],
    },
    /// Rule 9 (b) (3): the strait between these ends at land now. By default it goes.
    StraitCut {
        /// The provinces.
        between: [ProvinceId; 2],
        /// The one through which there may be a canal instead.
        through: ProvinceId,
    },
    /// Rule 9 (b) (6): the canal has lost an end. By default it moves to the sea that has come in its place.
    CanalMoved {
        /// The province that it goes through.
        through: ProvinceId,
        /// The sea.
        to: ProvinceId,
    },
    /// Rule 9 (b) (7): the canal has lost an end to two seas. By default it moves to the first by name.
    CanalForked {
        /// The province that it goes through.
        through: ProvinceId,
        /// The seas, by name.
        to: [ProvinceId; 2],
    },
}

impl Matter {
    /// Is the option an answer to it?
    pub fn takes(&self, option: WaterwayOption) -> bool {
        use WaterwayOption::{Canal, Delete, Keep, Nothing, Strait, Terminus};
        match (*self, option) {
            (Matter::NewIsthmus { between }, Canal(province)) => between.contains(&province),
            (Matter::NewIsthmus { .. }, Strait | Nothing) => true,
            (Matter::StraitCut { through, .. }, Canal(province)) => province == through,
            (Matter::StraitCut { .. }, Delete) => true,
            (Matter::CanalMoved { .. }, Keep | Delete) => true,
            (Matter::CanalForked { to, .. }, Terminus(sea)) => to.contains(&sea),
            _ => false,
        }
    }

    /// The two provinces by which an order names the isthmus it means (`AT MAR SPA`); `None` for a canal.
    pub fn isthmus(&self) -> Option<[ProvinceId; 2]> {
        match *self {
            Matter::NewIsthmus { between } | Matter::StraitCut { between, .. } => Some(between),
            Matter::CanalMoved { .. } | Matter::CanalForked { .. } => None,
        }
    }
}

/// Answers questions; `None` is the default.
pub type Advice<'a> = &'a mut dyn FnMut(&Question) -> Option<WaterwayOption>;

/// A border that was an isthmus, with its provinces.
type Isthmus = (BorderId, [ProvinceId; 2]);

/// What is to be known of a quake when all is done: the borders on which an isthmus may have come about by it, as they
/// were when the trail was so long.
struct Done {
    quake: Quake,
    borders: Vec<BorderId>,
    begun: usize,
}

impl PlanarMap {
    /// The provinces on both sides of the border, if it is an isthmus.
    fn isthmus(&self, border: BorderId) -> Option<[ProvinceId; 2]> {
        let [side, twin] = border.sides();
        let between = [self.owner(side), self.owner(twin)];
        let lands = between.into_iter().all(|id| self.at(id).is_open_land());
        let seas = self.flanks(side)?.into_iter().all(|id| self.at(id).is_open_sea());
        (lands && seas).then_some(between)
    }

    /// Every isthmus, by its two provinces in the order of the names, sorted.
    pub fn isthmuses(&self) -> Vec<[ProvinceId; 2]> {
        let mut found: Vec<[ProvinceId; 2]> =
            self.borders().filter_map(|border| self.isthmus(border)).map(|pair| self.by_name(pair)).collect();
        found.sort_by_key(|&pair| self.ranks(pair));
        found
    }

    /// Does these quakes at once (see `PlanarMap::shake`) and lets straits and canals follow. Questions come in the
    /// order of the quakes and at last those about new isthmuses, by name.
    ///
    /// # Errors
    /// The quakes would cut a face together; then the map is as it was.
    pub fn shake_with_isthmuses(&mut self, quakes: &[Quake], advice: Advice<'_>) -> Surgery {
        let before = self.clone();
        let mut all: Vec<Done> = Vec::with_capacity(quakes.len());
        let shaken = self.shake(quakes, |map, doing| match doing {
            Doing::Separates(border) => {
                let (quake, begun) = (Quake::Separation(border), map.trail.len());
                all.push(Done { quake, borders: map.laid_bare(border), begun });
                map.follow_separation(border, advice);
            }
            Doing::Released { quake, new, stretches, begun } => {
                let mut borders = stretches.to_vec();
                map.follow_from(begun, &mut borders);
                borders.push(new);
                all.push(Done { quake, borders, begun: map.trail.len() });
            }
        });
        if let Err(error) = shaken {
            *self = before;
            return Err(error);
        }
        for done in &mut all {
            self.follow_from(done.begun, &mut done.borders);
        }
        self.new_isthmuses(&before, &all, advice);
        self.drop_dry_waterways();
        self.structure.take();
        Ok(())
    }

    /// The borders that may become an isthmus when this one is separated: it itself, and those at its corners that
    /// lose something else than a sea there.
    fn laid_bare(&self, border: BorderId) -> Vec<BorderId> {
        let mut borders = vec![border];
        for side in border.sides() {
            if !self.at(self.across(side)).is_open_sea() {
                borders.extend([self.next(side), self.prev(side)].map(SideId::border));
            }
        }
        borders
    }

    /// What becomes of the waterways at the ends of a border that is about to be separated, and of those tied to it.
    fn follow_separation(&mut self, border: BorderId, advice: Advice<'_>) {
        let by = || vec![Quake::Separation(border)];
        let [h, t] = border.sides();
        let Some([c, d]) = self.flanks(h) else { return };
        // The parts of a canal that ends on several pieces of a sea are asked about once.
        let mut asked: Vec<(Matter, Option<WaterwayOption>)> = Vec::new();
        let advice: Advice<'_> = &mut |question: &Question| {
            if let Some(&(_, answer)) = asked.iter().find(|(matter, _)| *matter == question.matter) {
                return answer;
            }
            let answer = advice(question);
            asked.push((question.matter, answer));
            answer
        };
        let all = self.waterways.clone();
        let met: Vec<&Waterway> = all.iter().filter(|canal| self.ends_meet(canal, [h, t])).collect();
        let mut kept = Vec::with_capacity(all.len());
        for &waterway in &all {
            match waterway {
                // (1): its provinces become separated.
                Waterway::Strait { border: own, .. } if own == border => {}
                Waterway::Strait { border: own, provinces } => {
                    kept.extend(self.strait_after(own, provinces, [h, t], [c, d], &by, advice));
                }
                // (4): what lay between its ends goes.
                Waterway::Canal { .. } if met.iter().any(|part| same_canal(part, &waterway, &all)) => {}
                Waterway::Canal { province, terminals } => {
                    let of_province = [h, t].into_iter().find(|&side| self.owner(side) == province);
                    match of_province {
                        Some(side) => {
                            kept.extend(self.canal_after(province, terminals, side, &by, advice));
                        }
                        None => kept.push(waterway),
                    }
                }
                Waterway::Passage { .. } => kept.push(waterway),
            }
        }
        self.waterways = kept;
    }

    /// Do the two ends of this canal come to lie side by side when the border with these sides is separated?
    fn ends_meet(&self, canal: &Waterway, sides: [SideId; 2]) -> bool {
        let Waterway::Canal { province, terminals } = *canal else { return false };
        sides.into_iter().filter(|&side| self.owner(side) == province).any(|side| {
            let ends = [self.next(side), self.prev(side)].map(SideId::border);
            ends == terminals || [ends[1], ends[0]] == terminals
        })
    }

    fn is_land(&self, id: ProvinceId) -> bool {
        !matches!(self.at(id).kind, FaceKind::Sea)
    }

    /// Rules (2) and (3): the strait on `own`, when the border of `h` and `t` is separated and `c` (at the end of `h`)
    /// and `d` connect.
    fn strait_after(
        &self,
        own: BorderId,
        provinces: [ProvinceId; 2],
        [h, t]: [SideId; 2],
        [c, d]: [ProvinceId; 2],
        by: &dyn Fn() -> Vec<Quake>,
        advice: Advice<'_>,
    ) -> Option<Waterway> {
        // The border of the strait at one of the two corners, seen from the province that does not connect; the border
        // of the one that does with what it loses there, and its border at the far end; and what comes there.
        let from = |own: SideId| [self.next(own.twin()), self.prev(own.twin())];
        let to = |own: SideId| [self.prev(own.twin()), self.next(own.twin())];
        let corners = [
            (self.next(h), from(self.next(h)), d),
            (self.prev(h), to(self.prev(h)), c),
            (self.next(t), from(self.next(t)), c),
            (self.prev(t), to(self.prev(t)), d),
        ];
        for (at_corner, [near, far], comes) in corners {
            if at_corner.border() != own || self.is_land(self.across(near)) || !self.is_land(comes) {
                continue; // not its end, or (2): a sea comes in place of a sea
            }
            let through = self.across(at_corner);
            let question = Question { matter: Matter::StraitCut { between: provinces, through }, by: by() };
            return match advice(&question).filter(|&option| question.matter.takes(option)) {
                Some(WaterwayOption::Canal(_)) => canal(through, [far, near]),
                _ => None,
            };
        }
        Some(Waterway::Strait { border: own, provinces })
    }

    /// Rules (5) to (7): the canal of a province when the province's `side` is separated.
    fn canal_after(
        &self,
        province: ProvinceId,
        terminals: [BorderId; 2],
        side: SideId,
        by: &dyn Fn() -> Vec<Quake>,
        advice: Advice<'_>,
    ) -> Option<Waterway> {
        let beside = [self.next(side), self.prev(side)];
        let Some(lost) = terminals.iter().position(|&end| end == side.border()) else {
            return Some(Waterway::Canal { province, terminals });
        };
        let seas: Vec<SideId> = beside.into_iter().filter(|&side| !self.is_land(self.across(side))).collect();
        let end = match seas[..] {
            [] => return None, // (5): two lands connect
            [one] => {
                let to = self.across(one);
                let question = Question { matter: Matter::CanalMoved { through: province, to }, by: by() };
                match advice(&question).filter(|&option| question.matter.takes(option)) {
                    Some(WaterwayOption::Delete) => return None,
                    _ => one,
                }
            }
            [x, y, ..] if self.across(x) == self.across(y) => x.min(y),
            [x, y, ..] => {
                let to = self.by_name([self.across(x), self.across(y)]);
                let question = Question { matter: Matter::CanalForked { through: province, to }, by: by() };
                let chosen = match advice(&question).filter(|&option| question.matter.takes(option)) {
                    Some(WaterwayOption::Terminus(sea)) => sea,
                    _ => to[0],
                };
                if self.across(x) == chosen { x } else { y }
            }
        };
        let other = terminals[1 - lost];
        let beyond = if end == beside[0] { [self.next(end), beside[1]] } else { [self.prev(end), beside[0]] };
        if end.border() == other || beyond.iter().any(|side| side.border() == other) {
            return None; // (4) once more
        }
        let mut terminals = terminals;
        terminals[lost] = end.border();
        Some(Waterway::Canal { province, terminals })
    }

    /// Rule 9 (a): what water passes where there was no isthmus before.
    fn new_isthmuses(&mut self, before: &PlanarMap, all: &[Done], advice: Advice<'_>) {
        let is_new = |&(border, [x, y]): &Isthmus| {
            let was = if before.has(border) { before.isthmus(border) } else { None };
            was != Some([x, y]) && was != Some([y, x])
        };
        let mut new: Vec<Isthmus> = self
            .borders()
            .filter_map(|border| Some((border, self.isthmus(border)?)))
            .filter(is_new)
            .collect();
        new.sort_by_key(|&(border, between)| (self.ranks(between), border));
        for (border, between) in new {
            let by: Vec<Quake> =
                all.iter().filter(|done| done.borders.contains(&border)).map(|done| done.quake).collect();
            let question = Question { matter: Matter::NewIsthmus { between }, by };
            let [x, y] = between;
            let shared_a_border = before.sides_of(x).any(|side| before.across(side) == y);
            let option = advice(&question)
                .filter(|&option| question.matter.takes(option))
                .unwrap_or(if shared_a_border { WaterwayOption::Nothing } else { WaterwayOption::Strait });
            let waterway = match option {
                WaterwayOption::Strait => Some(Waterway::Strait { border, provinces: between }),
                WaterwayOption::Canal(province) => self
                    .side_of(border, province)
                    .and_then(|side| canal(province, [self.prev(side), self.next(side)])),
                _ => None,
            };
            self.waterways.extend(waterway);
        }
    }

    /// Straits that lie at no isthmus any more are gone, and canals an end of which is no water of their province or
    /// whose two ends have become one; and what is there twice is there once.
    fn drop_dry_waterways(&mut self) {
        let mut waterways = std::mem::take(&mut self.waterways);
        waterways.retain(|waterway| match waterway {
            Waterway::Strait { border, provinces } => self
                .side_of(*border, provinces[0])
                .is_some_and(|side| self.across(side) == provinces[1] && self.isthmus(*border).is_some()),
            Waterway::Canal { province, terminals } => {
                let at_sea = |&end: &BorderId| {
                    let side = self.side_of(end, *province);
                    side.is_some_and(|side| self.at(self.across(side)).is_open_sea())
                };
                terminals[0] != terminals[1] && terminals.iter().all(at_sea)
            }
            Waterway::Passage { .. } => true,
        });
        let alike = |x: &Waterway, y: &Waterway| match (x, y) {
            (Waterway::Canal { terminals: x, .. }, Waterway::Canal { terminals: y, .. }) => {
                x == y || *x == [y[1], y[0]]
            }
            _ => x == y,
        };
        for waterway in waterways {
            if !self.waterways.iter().any(|other| alike(other, &waterway)) {
                self.waterways.push(waterway);
            }
        }
    }
}

/// The canal through a province from the one of its sides to the other; none if they are one.
fn canal(province: ProvinceId, ends: [SideId; 2]) -> Option<Waterway> {
    let terminals = ends.map(SideId::border);
    (ends[0] != ends[1]).then_some(Waterway::Canal { province, terminals })
}
