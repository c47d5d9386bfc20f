//! What is hashed of the borders: the names of the faces in their order, then face by face its cycles. Of a face there is
//! how many cycles it has, and of each of these how many bytes follow: for each side the rank of the face across among
//! the names, and whether a waterway ends or crosses there.
//!
//! ```text
//!    ADR           AEG           ALB
//!    1 │ 10 │ …    1 │ 14 │ …    1 │ 8 │ …      first the cycles, then the bytes of the cycle, then two for each side
//! ```
//!
//! The part of a face follows from its boundary alone. So a text is the last one that was written, with the parts of the
//! faces whose boundary has been touched since written again, and those at which a waterway has come or gone. Where a
//! split has made other names, the ranks in the old text are replaced first.

use std::cmp::Ordering;
use std::sync::Arc;

use super::BorderText;
use crate::ids::{MAX_PROVINCES, ProvinceId, ProvinceSet};
use crate::topology::face::Names;
use crate::topology::half_edge::{BorderId, BorderSet, HalfEdgeId};
use crate::topology::map::PlanarMap;
use crate::topology::waterway::{CanalEnd, Waterway};

impl BorderText {
    /// Begins a text of which nothing is written.
    fn begin(names: &Arc<Names>, at_waterway: BorderSet, room: usize) -> BorderText {
        let (faces, names) = (names.sorted().len(), Arc::clone(names));
        BorderText { names, bytes: Vec::with_capacity(room), ends: Vec::with_capacity(faces), at_waterway }
    }

    /// The hash of the names and of this text behind them.
    pub fn hash(&self) -> u64 {
        let mut hash = [0; 8];
        hash.copy_from_slice(&self.names.hasher().update(&self.bytes).finalize().as_bytes()[..8]);
        u64::from_le_bytes(hash)
    }

    /// Where the parts of the faces before this rank end.
    #[inline]
    fn begin_of(&self, rank: usize) -> usize {
        rank.checked_sub(1).map_or(0, |before| usize::from(self.ends[before]))
    }

    /// Adds the parts of the faces of these ranks, as they are in another text.
    fn copy(&mut self, other: &BorderText, from: usize, to: usize) {
        let (begin, end) = (other.begin_of(from), other.begin_of(to));
        let moved = self.bytes.len().wrapping_sub(begin) as u16;
        self.bytes.extend_from_slice(&other.bytes[begin..end]);
        self.ends.extend(other.ends[from..to].iter().map(|end| end.wrapping_add(moved)));
    }

    /// The same text with these names, which have come out of its own by splits: of a face that is new there is nothing
    /// in it yet. `None` if the faces that stay are not in the same order by their names, for then a cycle may begin at
    /// another side.
    fn renamed(&self, names: &Arc<Names>) -> Option<BorderText> {
        let mut ranks = [0; MAX_PROVINCES];
        let mut text = BorderText::begin(names, self.at_waterway, 0);
        let mut passed = 0;
        for (rank, &id) in (0..=u8::MAX).zip(names.sorted()) {
            if self.names.has(id) {
                if usize::from(self.names.rank(id)) != passed {
                    return None;
                }
                ranks[passed] = rank;
                passed += 1;
            }
            text.ends.push(self.begin_of(passed) as u16);
        }
        text.bytes = self.bytes.clone();
        let mut rest = text.bytes.as_mut_slice();
        while let [cycles, parts @ ..] = rest {
            rest = parts;
            for _ in 0..*cycles {
                let [low, high, sides @ ..] = rest else { break };
                let (cycle, next) = sides.split_at_mut(usize::from(u16::from_le_bytes([*low, *high])));
                cycle
                    .as_chunks_mut::<2>()
                    .0
                    .iter_mut()
                    .for_each(|[rank, _]| *rank = ranks[usize::from(*rank)]);
                rest = next;
            }
        }
        Some(text)
    }
}

impl PlanarMap {
    /// What is hashed of the borders, out of what was the last time.
    pub(super) fn border_text(&self) -> BorderText {
        let same = |before: &Arc<BorderText>| Arc::ptr_eq(&before.names, &self.names);
        match &self.structure.before {
            Some(before) if same(before) => self.follow_text(before),
            Some(before) => match before.renamed(&self.names) {
                Some(before) => self.follow_text(&before),
                None => self.new_text(),
            },
            None => self.new_text(),
        }
    }

    /// What is hashed of the borders, out of a text that has become another only at the faces touched since.
    fn follow_text(&self, before: &BorderText) -> BorderText {
        let at_waterway = self.borders_at_waterways();
        let mut stale = self.structure.stale | self.touch.bounded;
        at_waterway.differences(&before.at_waterway).for_each(|border| {
            // One that is gone has been touched.
            stale.extend(border.sides().into_iter().filter_map(|side| Some(self.sides[side.index()]?.face)));
        });
        let ranks: ProvinceSet = stale.iter().map(|id| ProvinceId(self.rank(id))).collect();
        let mut writer = Writer::new(self, at_waterway, before.bytes.len() + 64);
        let mut copied = 0;
        for ProvinceId(rank) in ranks {
            let rank = usize::from(rank);
            writer.text.copy(before, copied, rank);
            writer.write(self.names.sorted()[rank]);
            copied = rank + 1;
        }
        writer.text.copy(before, copied, before.ends.len());
        writer.text
    }

    /// What is hashed of the borders, out of nothing.
    fn new_text(&self) -> BorderText {
        let room = 4 * self.faces.len() + 2 * self.sides.len();
        let mut writer = Writer::new(self, self.borders_at_waterways(), room);
        self.names.sorted().iter().for_each(|&id| writer.write(id));
        writer.text
    }

    /// Which borders a waterway in force ends at or crosses.
    fn borders_at_waterways(&self) -> BorderSet {
        let mut at_waterway = BorderSet::default();
        let mut mark = |border: BorderId| at_waterway.insert(border);
        for waterway in self.waterways() {
            match waterway {
                Waterway::Canal { province, ends } => {
                    let stands = |&border: &BorderId| self.side_of(border, *province).is_some();
                    ends.iter().flat_map(CanalEnd::borders).filter(stands).for_each(&mut mark);
                }
                Waterway::Strait { border, .. } => mark(*border),
                Waterway::Passage { province, seas } => {
                    let joined = self.sides_of(*province).filter(|&side| seas.contains(&self.across(side)));
                    joined.map(HalfEdgeId::border).for_each(&mut mark);
                }
            }
        }
        at_waterway
    }
}

/// Writes the text of a map, one face after the other.
struct Writer<'m> {
    map: &'m PlanarMap,
    text: BorderText,
    /// Faces with several cycles.
    several: ProvinceSet,
    /// What is written of a cycle, from its head on; kept for its memory.
    round: Vec<[u8; 2]>,
}

impl<'m> Writer<'m> {
    fn new(map: &'m PlanarMap, at_waterway: BorderSet, room: usize) -> Writer<'m> {
        let several = map.further_cycles.iter().map(|&(of, _)| of).collect();
        let text = BorderText::begin(&map.names, at_waterway, room);
        Writer { map, text, several, round: Vec::with_capacity(64) }
    }

    /// Writes the part of the next face.
    fn write(&mut self, id: ProvinceId) {
        if self.several.contains(id) {
            self.write_several(id);
        } else {
            let cycle = self.map.faces.get(id.index()).and_then(|body| body.first_cycle);
            self.text.bytes.push(u8::from(cycle.is_some()));
            cycle.into_iter().for_each(|head| self.write_cycle(head));
        }
        self.text.ends.push(self.text.bytes.len() as u16);
    }

    /// Writes the cycles of a face that has several, sorted by what is written of them.
    fn write_several(&mut self, id: ProvinceId) {
        let cycles: Vec<HalfEdgeId> = self.map.cycles_of(id).collect();
        self.text.bytes.push(cycles.len() as u8);
        let begin = self.text.bytes.len();
        let mut written: Vec<Vec<u8>> = Vec::with_capacity(cycles.len());
        for head in cycles {
            self.write_cycle(head);
            written.push(self.text.bytes.split_off(begin));
        }
        // The length, which is in front, does not count.
        written.sort_unstable_by(|x, y| x[2..].cmp(&y[2..]));
        self.text.bytes.extend(written.into_iter().flatten());
    }

    /// Writes how long a cycle is and then the cycle, turned to its smallest rotation.
    fn write_cycle(&mut self, head: HalfEdgeId) {
        let Writer { map, text, round, .. } = self;
        round.clear();
        let (mut lowest, mut first, mut more) = (u8::MAX, 0, false);
        let mut at = head;
        loop {
            let rank = map.rank(map.across(at));
            more = rank == lowest || more && rank > lowest;
            if rank < lowest {
                (lowest, first) = (rank, round.len());
            }
            round.push([rank, u8::from(text.at_waterway.contains(at.border()))]);
            at = map.next(at);
            if at == head {
                break;
            }
        }
        if more {
            first = self.first_of_several(head, lowest);
        }
        let Writer { text, round, .. } = self;
        let (end, begin) = round.split_at(first);
        text.bytes.extend((2 * round.len() as u16).to_le_bytes());
        text.bytes.extend_from_slice(begin.as_flattened());
        text.bytes.extend_from_slice(end.as_flattened());
    }
    /// At which of the sides to the face of lowest rank the smallest rotation of the cycle at hand begins.
    fn first_of_several(&self, head: HalfEdgeId, lowest: u8) -> usize {
        let n = self.round.len();
        let from = |turn: usize| self.round[turn..].iter().chain(&self.round[..turn]).map(|&[rank, _]| rank);
        let mut turns = (0..n).filter(|&turn| self.round[turn][0] == lowest);
        let mut first = turns.next().unwrap_or(0);
        for turn in turns {
            match from(turn).cmp(from(first)) {
                Ordering::Less => first = turn,
                Ordering::Greater => {}
                Ordering::Equal => {
                    // The cycle repeats itself: the ids of its sides decide.
                    let mut sides: Vec<HalfEdgeId> = self.map.cycle(head).collect();
                    self.map.turn_to_print(&mut sides);
                    return self.map.cycle(head).position(|side| side == sides[0]).unwrap_or(0);
                }
            }
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, Stream};
    use crate::topology::waterway::WaterwayRule;
    use crate::topology::{atlas, drawn, test_walk};

    /// What is hashed of the borders, written without a shortcut.
    fn plainly(map: &PlanarMap) -> u64 {
        let at_waterway = plain_waterways(map);
        // The names in their order; from there on a face is its rank among them.
        let faces = map.names.sorted();
        let mut text: Vec<u8> = Vec::with_capacity(8 * faces.len() + 4 * map.sides.len());
        for &id in faces {
            text.extend(map.name(id).as_bytes());
            text.push(0);
        }
        let mut sides: Vec<HalfEdgeId> = Vec::new();
        // The cycles of the face at hand, one behind the other, and where each begins and ends.
        let (mut cycles, mut stretches): (Vec<u8>, Vec<(usize, usize)>) = Default::default();
        for &id in faces {
            cycles.clear();
            stretches.clear();
            for head in map.cycles_of(id) {
                let begin = cycles.len();
                sides.clear();
                sides.extend(map.cycle(head));
                map.turn_to_print(&mut sides);
                for &side in &sides {
                    // The rank of the face across, and whether a waterway ends or crosses there.
                    let waterway = at_waterway.contains(&side.border());
                    cycles.extend([map.rank(map.across(side)), u8::from(waterway)]);
                }
                stretches.push((begin, cycles.len()));
            }
            stretches.sort_unstable_by_key(|&(begin, end)| &cycles[begin..end]);
            text.push(stretches.len() as u8);
            for &(begin, end) in &stretches {
                text.extend(((end - begin) as u16).to_le_bytes());
                text.extend(&cycles[begin..end]);
            }
        }
        let mut hash = [0; 8];
        hash.copy_from_slice(&blake3::hash(&text).as_bytes()[..8]);
        u64::from_le_bytes(hash)
    }

    /// The borders at which a waterway in force ends or which one crosses, asked of every border.
    fn plain_waterways(map: &PlanarMap) -> Vec<BorderId> {
        let lies_at = |border: &BorderId| {
            let owners = border.sides().map(|side| map.owner(side));
            map.waterways().any(|waterway| match waterway {
                Waterway::Canal { province, ends } => {
                    owners.contains(province) && ends.iter().any(|end| end.contains(*border))
                }
                Waterway::Strait { border: own, .. } => own == border,
                Waterway::Passage { province, seas } => {
                    owners.contains(province) && seas.iter().any(|sea| owners.contains(sea))
                }
            })
        };
        map.borders().filter(lies_at).collect()
    }

    #[test]
    fn a_text_that_follows_its_map_is_the_one_written_anew() {
        let (mut several, mut looped, mut slept, mut split) = (0, 0, 0, 0);
        for (board, chart) in (0..).zip(atlas::shipped().filter_map(atlas::find)) {
            for game in 0..24 {
                let mut dice = Stream::keyed(game, Purpose::Custom("texts"), &[board]);
                let mut chart = chart.clone();
                if game % 2 == 0 {
                    chart.set_waterway_rule(WaterwayRule::Isthmuses);
                }
                for step in 0..40 {
                    let mut changed = chart.clone();
                    for _ in 0..1 + dice.below(3) {
                        if dice.below(3) > 0 {
                            changed.begin_change();
                        }
                        if dice.below(2) == 0 {
                            let season = test_walk::season(changed.map(), &mut dice);
                            let _ = changed.shake(&season, &mut |_| None);
                        } else {
                            drawn::change(&mut changed, dice.below(drawn::KINDS), &mut dice);
                        }
                        // Nobody may ask for some time.
                        if dice.below(2) == 0 {
                            let text = changed.map().border_text();
                            assert_eq!(text.hash(), plainly(changed.map()), "{board}, {game}, {step}");
                            changed.map().counts();
                        }
                    }
                    let map = changed.map();
                    assert_eq!(map.border_text().hash(), plainly(map), "{board}, {game}, {step}");
                    several += map.further_cycles.len();
                    looped += map.borders().filter(|border| map.flanks(border.sides()[0]).is_none()).count();
                    slept += usize::from(map.waterways().count() < map.waterways.len());
                    split += usize::from(map.faces.len() > chart.map().faces.len());
                    chart = changed;
                }
            }
        }
        let seen = [several, looped, slept, split];
        assert!(seen.iter().all(|&times| times > 20), "islands, loops, waterways asleep, splits: {seen:?}");
    }

    #[test]
    fn a_text_is_written_anew_where_a_half_does_not_stand_where_the_whole_did() {
        let file = include_str!("../../maps/standard.json").replace("\"GAS\"", "\"BUR.0\"");
        let mut chart =
            atlas::parse("changed.json", &file).expect("it has another code and nothing else is new");
        for (name, keeps_order) in [("PAR", true), ("BUR", false)] {
            chart.map().counts();
            chart.begin_change();
            let sides: Vec<HalfEdgeId> =
                chart.map().sides_of(chart.map().find(name).expect("a province")).collect();
            chart.split(sides[0], sides[2]).expect("they are two borders");
            let map = chart.map();
            let before = map.structure.before.as_ref().expect("it was asked for");
            assert_eq!(before.renamed(map.names()).is_some(), keeps_order, "{name}");
            assert_eq!(map.border_text().hash(), plainly(map), "{name}");
        }
    }
}
