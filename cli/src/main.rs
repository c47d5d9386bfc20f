//! The `upheaval` command line.
fn main() {}
