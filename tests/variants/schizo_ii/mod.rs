//! `schizo-ii`: rr07, as far as `cli/tests/sessions/adjudicate_schizo_ii.md` cannot show it.

mod draws;
mod prophetic;
mod rules;
