//! The variants that ship, rule by rule, and variant files. If a variant has several modules, `rules` tests its rules
//! in games, and `draws` the draws of nature. Requests from outside are in `cli/tests/sessions/adjudicate_*.md`.

mod black_hole;
mod deluge_ii;
mod double_reversible;
mod files;
mod schizo_ii;
mod seismic;
