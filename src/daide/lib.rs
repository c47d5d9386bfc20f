//! DAIDE, the protocol that Diplomacy programs have used for twenty years, at its level 0 (no press), and its
//! translation to and from the messages between `upheaval` and bots. docs/daide.md lists the published
//! documents.
//!
//! ```text
//!   bytes ◀─▶ frame ◀─▶ tokens ◀─▶ message, order ◀─▶ Server ◀─▶ request, notation: the bots' protocol of upheaval
//! ```
//! A [`server::Server`] plays one game with one client. It does no input or output: the owner of the
//! connection passes the client's messages to it and sends its answers.

pub(crate) mod board;
pub mod frame;
pub mod lexicon;
pub(crate) mod message;
pub(crate) mod order;
pub(crate) mod order_book;
pub(crate) mod position;
pub mod request;
pub mod server;
pub mod token;
