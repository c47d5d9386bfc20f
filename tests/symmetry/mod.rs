//! The mirror image of the board, and the board with other names of provinces: the rules do not depend on left and
//! right or on names, so the game there equals the game here, mirrored and renamed. Nor do the decisions of bots
//! (`bots.rs`).
//!
//! Some rulings do depend on directions or codes. The games of these tests avoid them:
//!
//! | ruling | depends on | in the tests |
//! |---|---|---|
//! | 4.6 default retreats | due north, then anticlockwise | in a mirror every retreat is ordered |
//! | 4.6 default retreats | the code of the province left; at equal bearings codes | one default in a phase |
//! | 2.1, 2.3 coasts without a choice | the first counter-clockwise from north | in a mirror only the choices are compared |
//! | 4.11 halves | the first runs counter-clockwise | in a mirror the two ends change places |
//! | 8.7 (7) the terminus without a choice | the first by code | it is chosen |
//! | DATC 4.D.8 civil disorder | the code, in the end | every removal is ordered |
//! | army/fleet rule 5, several own ferries | the first by code | such games are skipped |
//! | docs/map-command.md: names of coasts, `#n` | compass and code | places are compared rather than their names |
//! | 4.2 what nature draws | hashes of codes | what is drawn here is given there |
//! | docs/rules.md: releases that lie level at one shore | the code | no two centres of a board are level |

mod bots;
mod decisions;
mod fated;
mod games;
pub mod image;
mod likeness;
pub mod lockstep;
mod seismic;
mod shores;
mod wheel;
