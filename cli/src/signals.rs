//! What this program does when it is told to end: by Ctrl-C, by a request to end, by `SIGQUIT`, or because
//! its terminal is gone.

use std::io;

/// Calls this, on a thread of its own, when the process is told to end.
///
/// # Errors
/// The system does not take it.
#[cfg(unix)]
pub fn on_end(end: impl FnOnce() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP, SIGQUIT])?;
    let waits = move || {
        if signals.forever().next().is_some() {
            end();
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(waits).map(|_| ())
}

/// Calls this, on a thread of its own, when the process is told to end.
///
/// # Errors
/// The system does not take it.
#[cfg(not(unix))]
pub fn on_end(end: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let mut end = Some(end);
    let ended = ctrlc::set_handler(move || {
        if let Some(end) = end.take() {
            end();
        }
    });
    ended.map_err(io::Error::other)
}
