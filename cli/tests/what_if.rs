//! The table of outcomes of `upheaval effect`.

use crate::program::{played, run_in};

#[test]
fn outcomes_have_a_row_for_each_game_province_and_power() {
    let (dir, run) = played(
        "name = \"what-if\"\nvariants = [\"black-hole\"]\ngames = 4\nseed = 5\nlast_year = 1902\nseats.all = \"greedy\"\n",
    );
    let run = run.to_str().unwrap();
    let asked = ["effect", run, "--games", "4", "--years", "1", "--parquet", "o.parquet"];
    assert_eq!(run_in(dir.path(), &asked, b"").code, 0);
    let (batches, _) = upheaval::record::parquet::read(&dir.path().join("o.parquet")).unwrap();
    let rows: usize = batches.iter().map(|batch| batch.num_rows()).sum();
    assert!(rows > 4 * 60 * 7 && rows.is_multiple_of(7), "{rows}");
}
