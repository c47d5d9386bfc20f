//! The behaviour of the bots that ship, the knowledge of every bot, and programs as bots.

mod derived;
mod dumbbot;
mod external;
mod feud;
mod games;
mod handicaps;
mod imagined;
mod learned;
mod lists;
mod matrix;
mod passages;
mod search;
mod seismic;
