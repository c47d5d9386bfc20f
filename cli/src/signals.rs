//! The reaction to requests to end: Ctrl-C, a termination signal, `SIGQUIT`, or a closed terminal.

use std::io;

/// Calls this function, on a thread of its own, when the process is asked to end.
///
/// # Errors
/// The system refuses.
#[cfg(unix)]
pub(crate) fn on_end(end: impl FnOnce() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP, SIGQUIT])?;
    let waits = move || {
        if signals.forever().next().is_some() {
            end();
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(waits).map(|_| ())
}

/// Calls this function, on a thread of its own, when the process is asked to end.
///
/// # Errors
/// The system refuses.
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
