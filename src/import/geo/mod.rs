//! Drawings.
use crate::{Format, ImportError, Imported, Source};

pub fn import(source: &Source<'_>, _format: Format) -> Result<Imported, ImportError> {
    Err(ImportError::file(source.file, "not yet"))
}
