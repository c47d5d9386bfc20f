//! `black-hole-i`: seed 000, second part.

mod exemption;
mod rules;
mod secrecy;
mod victory;
