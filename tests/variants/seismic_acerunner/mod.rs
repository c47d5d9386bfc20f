//! `seismic-acerunner`: the revision by AceRunner.

mod at_once;
mod desk;
mod rules;
mod straits;
mod waterways;
