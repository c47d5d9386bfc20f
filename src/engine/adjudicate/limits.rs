//! Limits on the size of a request. Each limit is far beyond what a game can produce, and bounds the time and
//! memory that one line can take, whoever has written it.

use super::RequestError;
use super::request::Request;

/// The longest request, in bytes. The map events of some thousand years of a game fit into it.
pub const LONGEST_REQUEST: usize = 1 << 22;

/// The largest number of orders of a power.
pub const MOST_ORDERS: usize = 100_000;

/// The largest number of units, centres and dislodged units of a power; no board has as many provinces.
pub const MOST_ENTRIES: usize = 1000;

/// The deepest permitted nesting, which is also the limit of `serde_json`.
pub const DEEPEST: usize = 127;

/// Rejects a text that is too long or too deeply nested.
pub(super) fn text(text: &str) -> Result<(), RequestError> {
    if text.len() > LONGEST_REQUEST {
        return Err(RequestError::TooLong);
    }
    // The parser does not count the depth of values that are skipped or kept as text.
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => depth += 1,
            b']' | b'}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Err(RequestError::TooDeep);
        }
    }
    Ok(())
}

/// Rejects a request with more entries than a game can produce.
pub(super) fn entries(request: &Request) -> Result<(), RequestError> {
    let within = |most: usize, found: usize, field: &dyn Fn() -> String| match found <= most {
        true => Ok(()),
        false => Err(RequestError::TooMany { field: field(), found, most }),
    };
    for (power, orders) in request.orders.iter().flatten() {
        within(MOST_ORDERS, orders.len(), &|| format!("orders.{power}"))?;
    }
    for (power, entry) in &request.powers {
        within(MOST_ENTRIES, entry.units.len(), &|| format!("powers.{power}.units"))?;
        within(MOST_ENTRIES, entry.centers.len(), &|| format!("powers.{power}.centers"))?;
        within(MOST_ENTRIES, entry.retreats.len(), &|| format!("powers.{power}.retreats"))?;
    }
    within(MOST_ENTRIES, request.contested.len(), &|| "contested".to_owned())
}
