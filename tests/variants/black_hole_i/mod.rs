//! `black-hole-i`: rr01.

mod exemption;
mod rules;
mod secrecy;
mod victory;
