//! The picture of a board.

mod boards;
mod designed;
mod drawn_soundly;
mod frames;
mod games;
mod geometry;
mod golden;
mod holes;
mod hostile;
mod legible;
mod measure;
mod orders;
mod palette;
mod seen;
