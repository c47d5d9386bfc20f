//! The bots that ship with `upheaval`.
