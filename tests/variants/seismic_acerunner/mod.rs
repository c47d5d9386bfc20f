//! `seismic-acerunner`: the revision by AceRunner.

mod desk;
mod rules;
mod straits;
mod waterways;
