//! The contents of the tables.

use std::collections::{BTreeMap, BTreeSet};

use upheaval::env::{
    AskKind, Batch, BatchConfig, Bounds, OrderKind, PADDED_GAME, PADDED_SEAT, Padded, Tables, tables,
};
use upheaval::prelude::Session;
use upheaval::rules::variant::Variant;

use super::{Filled, all_of, choices, first_seat};

#[test]
fn the_columns_are_as_many_as_the_rows_have() {
    let widths: BTreeMap<&str, usize> =
        tables::ALL.iter().map(|form| (form.name, form.columns.len())).collect();
    let expected = [("games", 10), ("nodes", 14), ("edges", 5), ("seats", 5), ("asks", 8), ("orders", 6)];
    assert_eq!(widths, BTreeMap::from(expected));
    assert!(AskKind::ALL.iter().enumerate().all(|(code, &kind)| kind as usize == code));
    assert!(OrderKind::ALL.iter().enumerate().all(|(code, &kind)| kind as usize == code));
}

#[test]
fn the_board_at_the_start_is_the_standard_one() {
    let batch = Batch::new(BatchConfig { games: 2, ..all_of("standard") }).unwrap();
    let Filled { games, nodes, edges, seats, asks, .. } = Filled::of(&batch);
    assert_eq!((nodes.len(), seats.len(), asks.len()), (150, 14, 44));
    let of = |name| tables::NODES.column(name);
    let second = &nodes[75..];
    assert_eq!(&nodes[..75], second);
    let count = |column: usize, value: i32| second.iter().filter(|node| node[column] == value).count();
    assert_eq!([0, 1, 2].map(|terrain| count(of("terrain"), terrain)), [19, 42, 14]);
    assert_eq!((count(of("centre"), 1), count(of("unit"), 0), count(of("unit"), 1)), (34, 13, 9));
    assert_eq!((count(of("coasts"), 2), count(of("home"), -1), count(of("owner"), 5)), (3, 75 - 22, 4));
    // Each move has a reverse, and each game has edges of its own.
    let ways: BTreeSet<[i32; 5]> = edges.iter().copied().collect();
    assert!(edges.iter().all(|&[from, to, kind, a, b]| ways.contains(&[to, from, kind, b, a])));
    assert_eq!(games.iter().map(|game| game[tables::GAMES.column("nodes")]).collect::<Vec<_>>(), [0, 75]);
    assert!(edges[edges.len() / 2..].iter().all(|edge| edge[0] >= 75 && edge[1] >= 75));
}

/// For the first seat of a game, in every phase: the same number of choices as the session lists, unit by unit.
#[test]
fn the_choices_are_those_that_a_session_lists() {
    for id in Variant::shipped() {
        let config = BatchConfig { games: 1, seed: 3, ..first_seat(all_of(id), "hold") };
        let mut batch = Batch::new(config.clone()).unwrap();
        let power = config.seats.powers().iter().next().unwrap();
        let mut session = Session::new(id, 3).unwrap().ending_in(config.last_year);
        let mut compared = 0;
        while batch.sizes().asks > 0 {
            while !session.awaited().contains(&power) {
                session.advance();
            }
            let filled = Filled::of(&batch);
            let count = |ask: &[i32; 8]| (ask[7] - ask[6]) as usize;
            let listed: Vec<usize> =
                session.legal_orders(power).iter().map(|choice| choice.orders.len()).collect();
            let kind = |ask: &&[i32; 8]| AskKind::ALL[ask[1] as usize];
            let asked: Vec<usize> = filled
                .asks
                .iter()
                .filter(|ask| ask[5] == 0)
                .map(|ask| match kind(&ask) {
                    // Giving no answer is a choice of its own here.
                    AskKind::List | AskKind::Exempt | AskKind::Announce | AskKind::Seismic => count(ask) - 1,
                    _ => count(ask),
                })
                .collect();
            let is = |kind: AskKind| filled.asks.iter().any(|ask| ask[1] == kind as i32);
            match (is(AskKind::Build), is(AskKind::Removal)) {
                // A session lists the builds site by site, each with the choice to waive it.
                (true, _) => assert_eq!(asked, [1 + listed.iter().map(|count| count - 1).sum::<usize>()]),
                (_, true) => assert_eq!(asked, [listed.iter().sum::<usize>()]),
                _ => assert_eq!(asked, listed, "{id} {}", session.phase()),
            }
            compared += 1;
            batch.step(&vec![-1; filled.asks.len()]).unwrap();
            session.advance();
        }
        assert!(compared > 0, "{id}");
    }
}

#[test]
fn the_tables_do_not_depend_on_the_threads() {
    let play = |threads: usize| {
        let mut batch = Batch::new(BatchConfig { threads, games: 9, ..all_of("schizo-ii") }).unwrap();
        let mut all = Vec::new();
        for _ in 0..9 {
            let filled = Filled::of(&batch);
            batch.step(&choices(&filled)).unwrap();
            all.push(filled);
        }
        all
    };
    assert_eq!(play(1), play(3));
}

/// Memory for the fixed shapes of a batch, and its contents.
#[derive(PartialEq)]
struct Fixed {
    games: Vec<i32>,
    of_seats: Vec<i32>,
    nodes: Vec<i32>,
    edges: Vec<i32>,
    asks: Vec<i32>,
    orders: Vec<i32>,
    mask: Vec<i8>,
}

fn fresh(batch: &Batch, bounds: Bounds) -> Fixed {
    let games = batch.sizes().games;
    let seats = games * batch.config().seats.powers().len();
    let mut mask = vec![0; seats * bounds.asks * bounds.choices];
    mask.iter_mut().step_by(bounds.choices).for_each(|first| *first = 1);
    Fixed {
        games: vec![-1; games * PADDED_GAME],
        of_seats: vec![-1; seats * PADDED_SEAT],
        nodes: vec![-1; games * bounds.nodes * 14],
        edges: vec![-1; games * bounds.edges * 5],
        asks: vec![-1; seats * bounds.asks * 8],
        orders: vec![-1; seats * bounds.orders * 6],
        mask,
    }
}

/// Writes the fixed shapes over the previous ones.
fn write(batch: &Batch, bounds: Bounds, fixed: &mut Fixed) {
    let Fixed { games, of_seats: seats, nodes, edges, asks, orders, mask } = fixed;
    let tables = Tables { games, nodes, edges, seats, asks, orders };
    batch.fill_padded(bounds, Padded { tables, mask }).unwrap();
}

#[test]
fn the_fixed_shapes_say_the_same() {
    for id in ["standard", "black-hole-i", "schizo-ii", "seismic-1971"] {
        let mut batch = Batch::new(all_of(id)).unwrap();
        let powers = batch.config().seats.powers().len();
        let bounds = Bounds::GENEROUS;
        let mut fixed = fresh(&batch, bounds);
        for _ in 0..8 {
            let filled = Filled::of(&batch);
            write(&batch, bounds, &mut fixed);
            let mut other = fresh(&batch, bounds);
            write(&batch, bounds, &mut other);
            assert!(fixed == other, "nothing is left of the step before");
            let chosen = choices(&filled);
            let mut in_shape = vec![-1; filled.games.len() * powers * bounds.asks];
            for (slot, game) in filled.games.iter().enumerate() {
                let begin = game[6] as usize;
                let end = filled.games.get(slot + 1).map_or(filled.nodes.len(), |next| next[6] as usize);
                assert_eq!(fixed.games[slot * PADDED_GAME..][..PADDED_GAME], game[..PADDED_GAME]);
                let rows = fixed.nodes[slot * bounds.nodes * 14..].as_chunks::<14>().0;
                assert_eq!(rows[..end - begin], filled.nodes[begin..end]);
                assert!(rows[end - begin..bounds.nodes].iter().all(|row| row[0] == -1));
            }
            let mut numbers: BTreeMap<i32, usize> = BTreeMap::new();
            for (ask, &choice) in filled.asks.iter().zip(&chosen) {
                let [slot, power, ..] = filled.seats[ask[0] as usize];
                let number = numbers.entry(ask[0]).or_insert(0);
                let seat = slot as usize * powers + power as usize;
                let at = seat * bounds.asks + *number;
                *number += 1;
                in_shape[at] = choice;
                let row = fixed.asks.as_chunks::<8>().0[at];
                let base = filled.games[slot as usize][6];
                let local = |node: i32| if node < 0 { node } else { node - base };
                let exempt = local(filled.seats[ask[0] as usize][3]);
                assert_eq!(fixed.of_seats.as_chunks::<PADDED_SEAT>().0[seat], [power, exempt]);
                assert_eq!(row[1..6], [ask[1], local(ask[2]), ask[3], ask[4], ask[5]]);
                let orders = &fixed.orders.as_chunks::<6>().0[seat * bounds.orders..];
                let own = filled.orders[ask[6] as usize..ask[7] as usize].iter();
                let own: Vec<[i32; 6]> =
                    own.map(|o| [o[0], local(o[1]), local(o[2]), local(o[3]), local(o[4]), o[5]]).collect();
                assert_eq!(orders[row[6] as usize..row[7] as usize], own);
                let mask = &fixed.mask[at * bounds.choices..][..bounds.choices];
                assert_eq!(mask.iter().map(|&bit| bit as usize).sum::<usize>(), own.len());
                assert_eq!(mask[own.len() - 1], 1);
            }
            assert_eq!(batch.choices_of_padded(bounds, &in_shape).unwrap(), chosen);
            batch.step(&chosen).unwrap();
        }
    }
}

#[test]
fn the_bounds_that_are_needed_leave_nothing_out() {
    let mut batch = Batch::new(BatchConfig { games: 3, ..all_of("schizo-ii") }).unwrap();
    for _ in 0..6 {
        let bounds = batch.bounds_needed();
        let mut fixed = fresh(&batch, bounds);
        write(&batch, bounds, &mut fixed);
        let filled = Filled::of(&batch);
        let rows = |cells: &[i32], width: usize| cells.chunks(width).filter(|row| row[0] != -1).count();
        assert_eq!(rows(&fixed.nodes, 14), filled.nodes.len());
        assert_eq!(rows(&fixed.edges, 5), filled.edges.len());
        assert_eq!(rows(&fixed.asks, 8), filled.asks.len());
        let all: i32 = filled.asks.iter().map(|ask| ask[7] - ask[6]).sum();
        let of_fixed = fixed.asks.as_chunks::<8>().0.iter().filter(|row| row[0] != -1);
        assert_eq!(of_fixed.map(|row| row[7] - row[6]).sum::<i32>(), all);
        let fewer = Bounds { nodes: bounds.nodes - 1, ..bounds };
        let mut less = fresh(&batch, fewer);
        write(&batch, fewer, &mut less);
        assert!(rows(&less.nodes, 14) < filled.nodes.len(), "they are the least");
        batch.step(&choices(&filled)).unwrap();
    }
}

#[test]
fn what_does_not_fit_the_bounds_is_left_out() {
    let batch = Batch::new(BatchConfig { games: 1, ..all_of("standard") }).unwrap();
    let bounds = Bounds { nodes: 10, edges: 10, asks: 2, orders: 5, choices: 4 };
    let mut fixed = fresh(&batch, bounds);
    write(&batch, bounds, &mut fixed);
    let filled = Filled::of(&batch);
    assert_eq!(fixed.nodes.as_chunks::<14>().0, &filled.nodes[..10]);
    for (row, mask) in fixed.asks.as_chunks::<8>().0.iter().zip(fixed.mask.chunks(4)) {
        assert!(row[7] - row[6] <= 4 && row[7] <= 5);
        assert_eq!(mask.iter().map(|&bit| i32::from(bit)).sum::<i32>(), (row[7] - row[6]).max(1));
    }
}
