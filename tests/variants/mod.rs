//! The variants that ship, rule by rule, and variant files. Of a variant with several modules `rules` goes through its
//! rules in games, `desk` through requests from outside, and `draws` says what nature draws.

mod black_hole;
mod black_hole_i;
mod black_hole_ii;
mod deluge_ii;
mod double_reversible;
mod files;
mod schizo_ii;
mod seismic_1971;
mod seismic_acerunner;
