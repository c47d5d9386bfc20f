//! The variants that ship, rule by rule, and variant files. If a variant has several modules, `rules` tests its rules
//! in games, and `draws` the draws of nature. Requests from outside are in `cli/tests/sessions/adjudicate_*.md`.

mod black_hole;
mod black_hole_2012;
mod deluge;
mod deluge_ii;
mod double_reversible;
mod double_reversible_2014;
mod files;
mod impassable;
mod sahara;
mod schizo;
mod schizo_ii;
mod seismic;
