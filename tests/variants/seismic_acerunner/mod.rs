//! `seismic-acerunner`: the revision by AceRunner.

mod at_once;
mod rules;
mod straits;
mod waterways;
