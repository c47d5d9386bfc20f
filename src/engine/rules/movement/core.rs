//! Questions that depend on themselves: circular movements and convoy paradoxes.
//!
//! The open questions form a graph, with an arrow from each question to those that can change its answer:
//!
//! ```text
//!     convoy BRE-LON intact? ----> WAL-ENG succeeds? ----> F LON's support given?
//!              ^                                                    |
//!              +----------------------------------------------------+          (6.F.14)
//! ```
//!
//! A *knot* is a strongly connected component that no arrow leaves. Arrows are drawn only where an answer can
//! really make a difference, whatever else is still open: that keeps a convoy that is merely next to a
//! circular movement out of its knot.
//!
//! The consistent answers are found by guessing one and sweeping, so a knot of many questions that one guess
//! settles costs one guess rather than a power of two.

use crate::rules::rulebook::ParadoxRule;
use upheaval_map::topology::Board;

use super::Verdict::{self, No, Open, Yes};
use super::{NONE, Piece, Resolution, Role, TABLE};

/// A question: about a piece's own success (0 to 254), or about its convoy (256 and up). A landing's convoy
/// is the fleet that it lands from.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Question(u16);

impl Question {
    const CONVOY: u16 = 256;
    const COUNT: usize = 512;

    fn success(piece: u8) -> Self {
        Question(u16::from(piece))
    }

    fn convoy(piece: u8) -> Self {
        Question(u16::from(piece) + Question::CONVOY)
    }

    fn is_convoy(self) -> bool {
        self.0 >= Question::CONVOY
    }

    fn piece(self) -> u8 {
        self.0 as u8
    }
}

/// A set of questions.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Questions([u64; Question::COUNT / 64]);

impl Questions {
    const EMPTY: Questions = Questions([0; Question::COUNT / 64]);

    fn insert(&mut self, q: Question) -> bool {
        let new = !self.contains(q);
        self.0[q.0 as usize / 64] |= 1 << (q.0 % 64);
        new
    }

    fn contains(&self, q: Question) -> bool {
        self.0[q.0 as usize / 64] >> (q.0 % 64) & 1 != 0
    }

    fn iter(self) -> impl Iterator<Item = Question> {
        self.0.into_iter().enumerate().flat_map(|(word, bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 != 0).map(move |bit| Question((word * 64 + bit) as u16))
        })
    }

    fn len(self) -> usize {
        self.0.iter().map(|bits| bits.count_ones() as usize).sum()
    }
}

/// The answers known so far, to be restored after a guess.
#[derive(Clone, Copy)]
struct Answers {
    verdict: [Verdict; TABLE],
    convoy: [Verdict; TABLE],
}

/// If at most this many questions influence a question, all their answers are tried to find out which of them
/// matter; otherwise all are assumed to matter.
const TRIED: usize = 10;

/// The largest number of guesses for one knot. Legal orders never come near it; orders constructed to defeat
/// the search are then treated as having several outcomes.
const GUESSES: u32 = 1 << 14;

/// The arrows of the graph that have been drawn so far.
struct Graph {
    drawn: Questions,
    from: [Questions; Question::COUNT],
}

struct Search {
    /// The number of answers to look for.
    wanted: u32,
    found: u32,
    /// The first of the answers in which most moves succeed, the number of these moves, and the moves that
    /// succeed in any answer.
    best: Option<(usize, Answers)>,
    moves: Questions,
    guesses: u32,
}

impl Resolution {
    /// Finds one knot among the open questions and resolves it.
    // Its tables are large and seldom needed: inlined, they would enlarge every resolution's stack frame.
    #[inline(never)]
    pub(super) fn break_knot(&mut self, board: &Board, open: &[u8]) {
        let all = self.open_questions(open);
        let Some(start) = all.iter().next() else { return };
        let mut graph = Graph { drawn: Questions::EMPTY, from: [Questions::EMPTY; Question::COUNT] };
        let knot = self.knot_from(board, &mut graph, start);

        // Nothing outside the knot affects it, so other answers may be arbitrary during the search.
        let before = self.answers();
        for q in all.iter().filter(|&q| !knot.contains(q)) {
            self.answer(q, No);
        }
        let convoys = knot.iter().any(|q| self.is_of_convoy(q));
        let landings = !convoys && knot.iter().any(Question::is_convoy);
        let mut search = Search {
            wanted: if landings { GUESSES } else { 2 },
            found: 0,
            best: None,
            moves: Questions::EMPTY,
            guesses: 0,
        };
        self.search(board, knot, &mut search);
        self.restore(&before);

        match search.best {
            // If there are landings, all moves that can succeed must do so together: those that make way for
            // one another succeed, and of those that keep each other out, none takes precedence.
            Some((moves, answers))
                if search.found == 1 || !convoys && (!landings || moves == search.moves.len()) =>
            {
                for q in knot.iter() {
                    self.answer(q, answers.get(q));
                }
            }
            _ => self.rule_paradox(knot),
        }
    }

    /// The backup rule: 4.A.2.
    fn rule_paradox(&mut self, knot: Questions) {
        let convoys = knot.iter().any(|q| self.is_of_convoy(q));
        for q in knot.iter() {
            if self.is_of_convoy(q) {
                self.struck.insert(self.piece(q.piece()).at);
                self.answer(q, No);
            }
        }
        // A landing that would keep its own fleet from the sea it lands from, by blocking its way or by
        // cutting its support, or two landings each of which would do so to the other's fleet: as with a
        // convoy, the army gives way.
        let landings = !convoys && knot.iter().any(Question::is_convoy);
        if landings {
            knot.iter().filter(|q| q.is_convoy()).for_each(|q| self.answer(q, No));
            return;
        }
        // Without either there always is a consistent outcome; should that ever fail, all units stay.
        if self.rulebook.paradox == ParadoxRule::Dptg || !convoys {
            for q in knot.iter() {
                if !q.is_convoy() && self.piece(q.piece()).role == Role::Move {
                    self.answer(q, No);
                }
            }
        }
    }

    /// Is the question about a convoy, rather than about the place of the fleet that an army lands from?
    fn is_of_convoy(&self, q: Question) -> bool {
        q.is_convoy() && !self.is_landing(q.piece())
    }

    fn open_questions(&self, open: &[u8]) -> Questions {
        let mut all = Questions::EMPTY;
        for &i in open {
            self.add_if_open(Question::success(i), &mut all);
            self.add_if_open(Question::convoy(i), &mut all);
        }
        all
    }

    fn add_if_open(&self, q: Question, to: &mut Questions) {
        let i = q.piece();
        if i == NONE {
            return;
        }
        let Piece { role, travel, .. } = *self.piece(i);
        let open = if q.is_convoy() {
            role == Role::Move && travel.needs_fleets() && self.convoy[i as usize] == Open
        } else {
            matches!(role, Role::Move | Role::Support) && self.verdict[i as usize] == Open
        };
        if open {
            to.insert(q);
        }
    }

    /// All open questions that the rules refer to for this one.
    fn looks_at(&self, q: Question) -> Questions {
        let mut set = Questions::EMPTY;
        let piece = *self.piece(q.piece());
        let add_supports = |i: u8, set: &mut Questions| {
            let mut s = self.piece(i).first_support;
            while s != NONE {
                self.add_if_open(Question::success(s), set);
                s = self.piece(s).next_support;
            }
        };
        let add_move = |i: u8, set: &mut Questions| {
            self.add_if_open(Question::success(i), set);
            self.add_if_open(Question::convoy(i), set);
        };
        if self.is_landing(q.piece()) && q.is_convoy() {
            self.add_if_open(Question::success(piece.subject), &mut set);
        } else if q.is_convoy() {
            for fleet in self.fleets_of[q.piece() as usize] {
                for a in self.attackers(fleet) {
                    self.add_if_open(Question::success(a), &mut set);
                }
            }
        } else if piece.role == Role::Support {
            for a in self.attackers(piece.at) {
                add_move(a, &mut set);
            }
        } else {
            self.add_if_open(Question::convoy(q.piece()), &mut set);
            for a in self.attackers(piece.to) {
                add_supports(a, &mut set);
                self.add_if_open(Question::convoy(a), &mut set);
                if a != q.piece() {
                    self.add_if_open(Question::success(a), &mut set);
                    if self.piece(a).opposed {
                        add_move(self.piece(a).occupant, &mut set);
                    }
                }
            }
            if piece.occupant != NONE {
                add_move(piece.occupant, &mut set);
                add_supports(piece.occupant, &mut set);
            }
        }
        set
    }

    /// The open questions that can make a difference to this one.
    fn depends_on(&mut self, board: &Board, q: Question) -> Questions {
        let seen = self.looks_at(q);
        let count = seen.len();
        if count > TRIED {
            return seen;
        }
        let mut list = [Question(0); TRIED];
        for (slot, other) in list.iter_mut().zip(seen.iter()) {
            *slot = other;
        }
        // One bit for each combination of their answers: does it make this answer yes?
        let mut yes = [0u64; (1 << TRIED) / 64];
        for ways in 0..1usize << count {
            for (bit, &other) in list[..count].iter().enumerate() {
                self.answer(other, if ways >> bit & 1 != 0 { Yes } else { No });
            }
            if self.ask(board, q) == Yes {
                yes[ways / 64] |= 1 << (ways % 64);
            }
        }
        let mut matter = Questions::EMPTY;
        for (bit, &other) in list[..count].iter().enumerate() {
            self.answer(other, Open);
            let is_yes = |ways: usize| yes[ways / 64] >> (ways % 64) & 1 != 0;
            if (0..1usize << count).any(|ways| is_yes(ways) != is_yes(ways ^ 1 << bit)) {
                matter.insert(other);
            }
        }
        matter
    }

    /// The questions that this one depends on, directly or indirectly; includes itself only if it does.
    fn reach(&mut self, board: &Board, graph: &mut Graph, start: Question) -> Questions {
        let mut reached = Questions::EMPTY;
        let mut waiting = [start; Question::COUNT];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let q = waiting[count];
            if graph.drawn.insert(q) {
                graph.from[q.0 as usize] = self.depends_on(board, q);
            }
            for q in graph.from[q.0 as usize].iter() {
                if reached.insert(q) {
                    waiting[count] = q;
                    count += 1;
                }
            }
        }
        reached
    }

    /// A knot that this question depends on or is part of.
    fn knot_from(&mut self, board: &Board, graph: &mut Graph, mut start: Question) -> Questions {
        loop {
            let mut reached = self.reach(board, graph, start);
            let further =
                reached.iter().find(|&q| q != start && !self.reach(board, graph, q).contains(start));
            match further {
                // Following an arrow that does not lead back gets closer to a knot.
                Some(q) => start = q,
                None => {
                    reached.insert(start);
                    return reached;
                }
            }
        }
    }

    fn ask(&self, board: &Board, q: Question) -> Verdict {
        let i = q.piece();
        if q.is_convoy() {
            self.convoy_verdict(board, i)
        } else if self.piece(i).role == Role::Move {
            self.move_verdict(i)
        } else {
            self.support_verdict(i)
        }
    }

    fn answer(&mut self, q: Question, verdict: Verdict) {
        let answers = if q.is_convoy() { &mut self.convoy } else { &mut self.verdict };
        answers[q.piece() as usize] = verdict;
    }

    fn answered(&self, q: Question) -> Verdict {
        let answers = if q.is_convoy() { &self.convoy } else { &self.verdict };
        answers[q.piece() as usize]
    }

    fn answers(&self) -> Answers {
        Answers { verdict: self.verdict, convoy: self.convoy }
    }

    fn restore(&mut self, answers: &Answers) {
        self.verdict = answers.verdict;
        self.convoy = answers.convoy;
    }

    /// Searches for consistent answers to the knot, up to the wanted number; leaves the answers in an
    /// arbitrary state.
    fn search(&mut self, board: &Board, knot: Questions, search: &mut Search) {
        // Follow the implications of the guesses so far, until a contradiction or a fixed point.
        let mut news = true;
        while news {
            news = false;
            for q in knot.iter() {
                let (known, implied) = (self.answered(q), self.ask(board, q));
                if implied == Open || implied == known {
                    continue;
                }
                if known != Open {
                    return;
                }
                self.answer(q, implied);
                news = true;
            }
        }
        let is_move = |r: &Resolution, q: Question| !q.is_convoy() && r.piece(q.piece()).role == Role::Move;
        let open = |r: &Resolution, q: &Question| r.answered(*q) == Open;
        // Moves first, and success first: of the outcomes of a circular movement this is the one to be
        // chosen.
        let guess = knot
            .iter()
            .filter(|q| open(self, q))
            .find(|&q| is_move(self, q))
            .or_else(|| knot.iter().find(|q| open(self, q)));
        let Some(guess) = guess else {
            search.found += 1;
            let mut moves = 0;
            for q in knot.iter().filter(|&q| is_move(self, q) && self.answered(q) == Yes) {
                search.moves.insert(q);
                moves += 1;
            }
            if search.best.is_none_or(|(most, _)| moves > most) {
                search.best = Some((moves, self.answers()));
            }
            return;
        };
        let here = self.answers();
        for verdict in [Yes, No] {
            search.guesses += 1;
            if search.guesses > GUESSES {
                search.found = u32::MAX / 2;
                search.moves = Questions([u64::MAX; Question::COUNT / 64]);
                return;
            }
            self.answer(guess, verdict);
            self.search(board, knot, search);
            if search.found >= search.wanted {
                return;
            }
            self.restore(&here);
        }
    }
}

impl Answers {
    fn get(&self, q: Question) -> Verdict {
        let answers = if q.is_convoy() { &self.convoy } else { &self.verdict };
        answers[q.piece() as usize]
    }
}
