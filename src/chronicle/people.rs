//! A game as people write it.

use std::fmt::{self, Write};

use super::form::{Chronicle, EventLine, OrderLine};

impl fmt::Display for EventLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind.replace('_', " "))?;
        let unit = [self.unit.as_deref(), self.province.as_deref()];
        let unit: Vec<&str> = unit.into_iter().flatten().collect();
        if !unit.is_empty() {
            write!(f, " {}", unit.join(" "))?;
        }
        if let Some(power) = self.power {
            write!(f, " {power}")?;
        }
        if let Some(other) = self.other {
            write!(f, " from {other}")?;
        }
        match &self.detail {
            Some(detail) => write!(f, " ({detail})"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for OrderLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.order)?;
        match (&*self.result, &self.reason) {
            ("ok", None) => Ok(()),
            (result, None) => write!(f, " ({result})"),
            (_, Some(reason)) => write!(f, " ({reason})"),
        }
    }
}

impl Chronicle {
    /// The game as people write it: what was ordered, what came of it, and what happened.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for stage in &self.stages {
            let _ = writeln!(text, "{} {}", stage.phase, stage.stage);
        }
        text
    }
}
