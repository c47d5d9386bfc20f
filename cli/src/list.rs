//! `upheaval variants` and `upheaval bots`: lists with a line of explanation each; `upheaval variants show`: one
//! variant with its parameters, or the whole file; `upheaval variants start`: the first request of a game of it.

use std::fmt::Write;
use std::sync::Arc;

use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json};
use upheaval::adjudicate::{Chance, Request};
use upheaval::bot::{BotKind, BotSetting};
use upheaval::rules::variant::Variant;
use upheaval::rules::variant::parameter::Parameter;
use upheaval::session::Session;

use crate::failure::Failure;
use crate::output::{FormatArgument, JsonArgument, pretty, print};
use crate::registry::{find_variant, kinds};

/// List the variants, or show one
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct VariantsArguments {
    #[command(subcommand)]
    command: Option<VariantsCommand>,
    #[command(flatten)]
    format: FormatArgument,
}

#[derive(Subcommand)]
enum VariantsCommand {
    /// Print a variant: its parameters, or the whole file
    Show {
        /// Variant: id or file
        variant: String,
        /// Output format
        #[arg(long, value_enum, default_value_t = ShowFormat::Text)]
        format: ShowFormat,
        #[command(flatten)]
        json: JsonArgument,
    },
    /// Print the first request of a game for `upheaval adjudicate`
    #[command(next_line_help = true)]
    Start {
        /// Variant: id or file
        variant: String,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ShowFormat {
    /// The variant file as JSON
    Json,
    /// The parameters with their ranges and sources
    Text,
    /// The variant file with its comments
    Toml,
}

/// Lists the variants, or shows one.
pub(crate) fn variants(arguments: &VariantsArguments) -> Result<(), Failure> {
    let text = match &arguments.command {
        None => list_variants(&arguments.format)?,
        Some(VariantsCommand::Show { variant, format, json }) => {
            shown(&find_variant(variant)?, if json.json { ShowFormat::Json } else { *format })?
        }
        Some(VariantsCommand::Start { variant }) => first_request(variant)?,
    };
    print(&text)
}

/// The position in which a game begins: a line to which orders can be added.
fn first_request(name: &str) -> Result<String, Failure> {
    let session = Session::of(Arc::new(find_variant(name)?), 0);
    let state = session.state().ok_or_else(|| Failure::input("the game is over before it begins"))?;
    let request = Request { variant: name.to_owned(), nature: Chance::default(), last_year: None, ..state };
    Ok(format!("{}\n", json!(request)))
}

fn shown(variant: &Variant, format: ShowFormat) -> Result<String, Failure> {
    Ok(match format {
        ShowFormat::Text => with_parameters(variant),
        ShowFormat::Toml => variant.files.variant.clone(),
        ShowFormat::Json => pretty(&variant.files.to_json())?,
    })
}

fn with_parameters(variant: &Variant) -> String {
    let mut text =
        format!("{}: {}\n{}\nsource: {}\n", variant.id, variant.title, variant.summary, variant.source);
    let (of_entries, general): (Vec<Parameter<'_>>, Vec<Parameter<'_>>) =
        variant.parameters().into_iter().partition(|parameter| parameter.key.starts_with("changes."));
    for Parameter { key, value, values, meaning, source } in general {
        let source = source.unwrap_or("the file does not name a source");
        // Writing into a string cannot fail.
        let _ = write!(text, "\n{key} = {value}\n    {meaning} ({values})\n    source: {source}\n");
    }
    for entry in variant.changes.entries() {
        let _ = write!(text, "\nchanges.{}: {}\n", entry.id, entry.sentence());
        let dates: Vec<String> = variant
            .changes
            .dates(entry, variant.first_phase, variant.last_winter)
            .iter()
            .map(ToString::to_string)
            .collect();
        if !dates.is_empty() {
            let _ = writeln!(text, "    next: {}", dates.join(", "));
        }
        let prefix = format!("changes.{}.", entry.id);
        let mut also = Vec::new();
        for Parameter { key, value, values, source, .. } in &of_entries {
            let Some(name) = key.strip_prefix(&prefix).filter(|name| *name != "id") else { continue };
            // The sentence says these already, and defaults are few words.
            let is_said = ["change", "by", "dice"].contains(&name) || !variant.states(key);
            if source.is_none() && is_said {
                also.push(format!("{name} = {value}"));
                continue;
            }
            let _ = writeln!(text, "{key} = {value} ({values})");
            if let Some(source) = source {
                let _ = writeln!(text, "    source: {source}");
            }
        }
        if !also.is_empty() {
            let _ = writeln!(text, "also: {}", also.join(", "));
        }
    }
    for warning in variant.changes.warnings(&variant.terrain, &variant.position) {
        let _ = write!(text, "\nnote: {warning}\n");
    }
    text
}

fn list_variants(format: &FormatArgument) -> Result<String, Failure> {
    let all = Variant::shipped().map(find_variant).collect::<Result<Vec<Variant>, Failure>>()?;
    Ok(match format.is_json() {
        false => {
            let width = all.iter().map(|variant| variant.id.len() + 2).max().unwrap_or_default();
            let line =
                |variant: &Variant| format!("{:<width$}{}: {}\n", variant.id, variant.title, variant.summary);
            all.iter().map(line).collect()
        }
        true => pretty(&all.iter().map(entry).collect::<Vec<Value>>())?,
    })
}

fn entry(variant: &Variant) -> Value {
    let Variant { id, title, summary, source, map, terrain, .. } = variant;
    let powers: Vec<&str> = terrain.power_names().iter().collect();
    json!({ "id": id, "title": title, "summary": summary, "source": source, "map": map, "powers": powers })
}

/// List the bots and their settings
#[derive(Args)]
pub(crate) struct BotsArguments {
    #[command(flatten)]
    format: FormatArgument,
}

/// Lists the bots.
pub(crate) fn bots(arguments: &BotsArguments) -> Result<(), Failure> {
    let text = match arguments.format.is_json() {
        false => bots_as_text(),
        true => pretty(&kinds().map(|kind| bot_entry(&kind)).collect::<Vec<Value>>())?,
    };
    print(&text)
}

fn bot_entry(kind: &BotKind) -> Value {
    let setting = |setting: &BotSetting| {
        let BotSetting { name, meaning, least, most, default } = setting;
        json!({ "name": name, "meaning": meaning, "least": least, "most": most, "default": default })
    };
    let settings: Vec<Value> = kind.settings().iter().map(setting).collect();
    json!({ "name": kind.name, "description": kind.description, "version": kind.version, "settings": settings })
}

fn bots_as_text() -> String {
    let mut text = String::new();
    for kind in kinds() {
        let _ = writeln!(text, "{:<16}{}", kind.name, kind.description);
        for BotSetting { name, meaning, least, most, default } in kind.settings() {
            let _ = writeln!(text, "{:<16}  {name} = {default}: {meaning} ({least} to {most})", "");
        }
    }
    text
}
