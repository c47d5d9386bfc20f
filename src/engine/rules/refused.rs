//! Orders that do not count.

/// An order that was refused, as it was given, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusedOrder {
    /// The order's text.
    pub order: String,
    /// Why it does not count: a sentence for the power that gave it.
    pub reason: String,
}

impl RefusedOrder {
    /// An order, and why it does not count.
    pub fn new(order: impl Into<String>, reason: impl Into<String>) -> RefusedOrder {
        RefusedOrder { order: order.into(), reason: reason.into() }
    }
}
