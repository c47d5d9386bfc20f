//! Parameters of a request's variant: values that replace those in its file, as `--set` does in an
//! experiment.
//!
//! A key is that of the file, such as `deluge.schedule`, or only its last part where that is unambiguous:
//! `schedule`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::RequestError;
use crate::diagnostic::suggest;
use crate::rules::variant::setting::{Setting, is_parameter};
use crate::rules::variant::{Variant, parameter};

/// The settings for a request's parameters; `plain` is the variant without them.
pub(super) fn settings(
    parameters: &BTreeMap<String, Value>,
    plain: &Variant,
) -> Result<Vec<Setting>, RequestError> {
    let mut settings: Vec<Setting> = Vec::with_capacity(parameters.len());
    for (key, value) in parameters {
        let fault = |message: String| RequestError::Parameter { key: key.clone(), message };
        let parameter = full_key(key, value, plain).map_err(fault)?;
        if settings.iter().any(|other| other.parameter == parameter) {
            return Err(fault(format!("`{parameter}` is set twice")));
        }
        settings.push(Setting { parameter, value: toml_value(value).map_err(fault)? });
    }
    Ok(settings)
}

/// The full key in the file; the variant's own parameters take precedence.
fn full_key(key: &str, value: &Value, plain: &Variant) -> Result<String, String> {
    let is_short = |name: &&'static str| name.rsplit('.').next() == Some(key);
    let own: Vec<&'static str> = plain.parameters().iter().map(|own| own.key).filter(is_short).collect();
    // A section may have the same name as another section's key; only a table can replace a section.
    let is_section = !parameter::keys().any(|name| name == key) && !value.is_object();
    if is_parameter(key) && (!is_section || own.is_empty()) {
        return Ok(key.to_owned());
    }
    let all = || parameter::keys().filter(is_short).collect();
    let found: Vec<&str> = if own.is_empty() { all() } else { own };
    match found[..] {
        [only] => Ok(only.to_owned()),
        [] => {
            let last = |name: &'static str| name.rsplit('.').next().unwrap_or(name);
            let known = parameter::keys().map(|name| if key.contains('.') { name } else { last(name) });
            Err(format!("a variant has no such parameter; {}", suggest(key, known)))
        }
        _ => Err(format!("it may be any of {}: write the whole key", found.join(", "))),
    }
}

/// The value in the form of a variant file.
fn toml_value(value: &Value) -> Result<toml::Value, String> {
    Ok(match value {
        Value::Null => return Err("`null` is not a value of a parameter".to_owned()),
        Value::Bool(truth) => toml::Value::Boolean(*truth),
        Value::String(text) => toml::Value::String(text.clone()),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => toml::Value::Integer(whole),
            (None, Some(number)) => toml::Value::Float(number),
            (None, None) => return Err(format!("{number} is too large")),
        },
        Value::Array(values) => toml::Value::Array(values.iter().map(toml_value).collect::<Result<_, _>>()?),
        Value::Object(entries) => {
            let entries = entries.iter().map(|(key, value)| Ok((key.clone(), toml_value(value)?)));
            toml::Value::Table(entries.collect::<Result<_, String>>()?)
        }
    })
}
