//! The matrix game by which `search` chooses.

use upheaval::rng::{Purpose, Stream};
use upheaval_bots::Matrix;

fn matrix(columns: &[[f64; 3]]) -> Matrix {
    let mut matrix = Matrix::default();
    matrix.clear(3);
    columns.iter().for_each(|column| matrix.column(column.iter().copied()));
    matrix
}

#[test]
fn the_row_that_is_best_on_average_is_taken_nearly_always() {
    // The second row is worst in the first column and best over all.
    let strategy = matrix(&[[0.3, 0.1, 0.2], [0.2, 0.5, 0.3], [0.2, 0.6, 0.1]]).strategy();
    assert!(strategy[1] > 0.9, "{strategy:?}");
    assert!((strategy.iter().sum::<f64>() - 1.0).abs() < 1e-9);
}

#[test]
fn rows_that_are_alike_are_taken_alike() {
    let alike = matrix(&[[0.2, 0.2, 0.1], [0.3, 0.3, 0.1]]);
    let strategy = alike.strategy();
    assert!((strategy[0] - strategy[1]).abs() < 1e-9 && strategy[2] < 0.1, "{strategy:?}");
    let mut dice = Stream::keyed(1, Purpose::Bot, &[]);
    let drawn: Vec<usize> = (0..1000).map(|_| alike.draw(&mut dice)).collect();
    let firsts = drawn.iter().filter(|&&row| row == 0).count();
    assert!((400..600).contains(&firsts), "{firsts}");
}

#[test]
fn the_rows_that_brought_most_are_kept_in_their_order_with_all_their_columns() {
    let columns = [[0.1, 0.4, 0.3], [0.2, 0.3, 0.3]];
    let mut kept = matrix(&columns);
    let mut dice = Stream::keyed(1, Purpose::Bot, &[]);
    assert_eq!(kept.keep_best(2, &mut dice), [1, 2]);
    kept.column([0.0, 0.9]);
    assert!(kept.strategy()[1] > 0.9, "{:?}", kept.strategy());
    // Of rows that brought the same, each stays equally often: within six standard errors.
    let kept: Vec<usize> =
        (0..3_000).flat_map(|_| matrix(&[[0.5, 0.5, 0.5]]).keep_best(2, &mut dice)).collect();
    let times = [0, 1, 2].map(|row| kept.iter().filter(|&&at| at == row).count());
    assert!(times.iter().all(|times| (1845..2155).contains(times)), "{times:?}");
}
