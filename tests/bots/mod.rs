//! What the bots that ship do, what every bot may know, and programs as bots.

mod checks;
mod dumbbot;
mod external;
mod games;
mod handicaps;
mod imagined;
mod learned;
mod lists;
mod matrix;
mod passages;
mod search;
mod seismic;
