//! Files that people write: how they are read, changed by settings, and refused with the place of each fault.

mod forms;
mod settings;
mod sources;

use upheaval::diagnostic::{Form, Source};

/// The fault at a span of bytes as it is printed: `file:line:column: message`.
fn fault(source: &Source, span: std::ops::Range<usize>, message: &str) -> String {
    let form = Form::new(source, |_| None).expect("TOML");
    form.fault(span, message);
    form.finish::<()>(None).expect_err("it has a fault").to_string()
}
