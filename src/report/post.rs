//! The report of a settled stage, as a gamemaster posts it: as text, in Markdown, or in BBCode.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use upheaval_engine::ask::Retreating;
use upheaval_engine::game::Stage;
use upheaval_harness::game_record::{GameRecord, HostedGame, MissingOrders, Reader, StageRecord, heading_of};
use upheaval_map::ids::PowerNames;
use upheaval_map::named;

named! {
    /// The language of a report.
    pub enum PostFormat {
        /// Plain text.
        Text = "txt",
        /// Markdown, as in Discord or a wiki.
        Markdown = "md",
        /// BBCode, as in a forum.
        BbCode = "bbcode",
    }
}

/// A report: a title, and blocks of lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Post {
    title: String,
    blocks: Vec<Block>,
}

/// Lines under a heading.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Block {
    heading: String,
    lines: Vec<String>,
}

impl Post {
    /// The report on the stage before the current state of the game, for this reader: orders and results by power, what
    /// happened, centres, units, and what is due next. `None` at the start.
    pub fn after(game: &HostedGame, reader: Reader) -> Option<Post> {
        let record = game.record().seen_by(reader);
        let stage = record.stages.last()?;
        let mut post = Post::titled(&record, &stage.heading());
        post.orders(stage, &record);
        let dislodged = game.now().dislodged;
        post.block("Dislodged", dislodged.iter().map(|unit| retreating(unit, &record.power_names)));
        post.block(
            "What happened",
            stage.events_beside_orders().map(|e| e.display(&record.power_names).to_string()),
        );
        post.position(game, Some(&stage.centres), reader);
        Some(post)
    }

    /// The position, and what is due.
    pub fn now(game: &HostedGame, reader: Reader) -> Post {
        let heading = match game.record().is_over() {
            true => "the end".to_owned(),
            false => heading_of(game.game()),
        };
        let mut post = Post::titled(game.record(), &heading);
        post.position(game, None, reader);
        post
    }

    fn titled(record: &GameRecord, heading: &str) -> Post {
        Post { title: format!("{}: {heading}", record.game.experiment), blocks: Vec::new() }
    }

    /// Adds a block, unless it is empty.
    fn block(&mut self, heading: &str, lines: impl IntoIterator<Item = String>) {
        let lines: Vec<String> = lines.into_iter().collect();
        if !lines.is_empty() {
            self.blocks.push(Block { heading: heading.to_owned(), lines });
        }
    }

    /// The orders of each power, with their results.
    fn orders(&mut self, stage: &StageRecord, record: &GameRecord) {
        let falls = stage.stage == Stage::Movement.name();
        let note = match record.game.missing {
            Some(MissingOrders::CivilDisorder) if falls => "no orders came: it is in civil disorder",
            _ => "no orders came",
        };
        for info in record.power_names.infos() {
            let own = stage.orders.iter().filter(|line| line.power == info.name).map(ToString::to_string);
            let is_silent = stage.given.get(&info.name).is_some_and(Vec::is_empty);
            self.block(&info.proper_name, is_silent.then(|| note.to_owned()).into_iter().chain(own));
        }
    }

    /// Centres and units of each power, and what is due. `before` are the centres before the stage.
    fn position(
        &mut self,
        game: &HostedGame,
        before: Option<&BTreeMap<String, Vec<String>>>,
        reader: Reader,
    ) {
        let (now, powers) = (game.now(), game.power_names());
        let centres = powers.infos().iter().filter_map(|info| {
            let had = before.and_then(|before| before.get(&info.name)).map_or(0, Vec::len);
            let has = now.centres.get(&info.name).map_or(0, Vec::len);
            let change = match before {
                Some(_) if has != had => format!(" ({:+})", has as i64 - had as i64),
                _ => String::new(),
            };
            let list =
                now.centres.get(&info.name).map_or(String::new(), |all| format!(": {}", all.join(", ")));
            (has > 0 || had > 0).then(|| format!("{} {has}{change}{list}", info.proper_name))
        });
        self.block("Centres", centres.collect::<Vec<_>>());
        let units =
            now.units.iter().map(|(power, units)| format!("{}: {}", powers.proper(power), units.join(", ")));
        self.block("Units", units.collect::<Vec<_>>());
        if game.record().is_over() {
            return self.block("The end", [game.record().outcome()]);
        }
        let due = game.due(reader).into_iter().map(|due| {
            let player = match game.bot(due.power) {
                Some(bot) => format!(" ({bot})"),
                None => String::new(),
            };
            format!("{}{player}: {}", powers.info(due.power).proper_name, due.what.join("; "))
        });
        self.block(&format!("Next: {}", heading_of(game.game())), due.collect::<Vec<_>>());
    }

    /// The report in this language.
    pub fn render(&self, format: PostFormat) -> String {
        let mut text = String::new();
        let escaped = |line: &str| escaped(line, format);
        let title = escaped(&self.title);
        // Writing into a string cannot fail.
        let _ = match format {
            PostFormat::Text => writeln!(text, "{title}\n{}", "=".repeat(title.chars().count())),
            PostFormat::Markdown => writeln!(text, "## {title}"),
            PostFormat::BbCode => writeln!(text, "[size=150][b]{title}[/b][/size]"),
        };
        for Block { heading, lines } in &self.blocks {
            let heading = escaped(heading);
            let lines = lines.iter().map(|line| escaped(line));
            text += &match format {
                PostFormat::Text => {
                    format!("\n{heading}\n{}", lines.map(|line| format!("  {line}\n")).collect::<String>())
                }
                PostFormat::Markdown => {
                    format!(
                        "\n**{heading}**\n{}",
                        lines.map(|line| format!("- {line}\n")).collect::<String>()
                    )
                }
                PostFormat::BbCode => format!(
                    "\n[b]{heading}[/b]\n[list]\n{}[/list]\n",
                    lines.map(|line| format!("[*]{line}\n")).collect::<String>()
                ),
            };
        }
        text
    }
}

/// A unit that must retreat, with the places it can go to.
fn retreating(unit: &Retreating, powers: &PowerNames) -> String {
    let options = match &unit.options[..] {
        [] => "has nowhere to go".to_owned(),
        options => format!("may retreat to {}", options.join(", ")),
    };
    format!("{}, {}: {options}", powers.proper(&unit.power), unit.unit)
}

/// A line without what the language would act on: names come from files.
fn escaped(line: &str, format: PostFormat) -> String {
    let mut text = String::new();
    for c in line.chars() {
        match (format, c) {
            (_, c) if c.is_control() => text.push('\u{fffd}'),
            (PostFormat::Markdown, '\\' | '*' | '_' | '`' | '[' | ']' | '<' | '>' | '#' | '|' | '~') => {
                text.extend(['\\', c]);
            }
            (PostFormat::BbCode, '[') => text.push('('),
            (PostFormat::BbCode, ']') => text.push(')'),
            (_, c) => text.push(c),
        }
    }
    text
}
