//! Each table of a run is opened once by a command that reads the run, whatever it computes. The system counts the
//! openings.

use std::collections::BTreeMap;
use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};

use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};

use crate::program::{desk, play, run_in, the_run};

/// How often each table of a run folder was opened while `command` ran.
fn openings(run: &Path, command: impl FnOnce()) -> BTreeMap<PathBuf, usize> {
    let watch = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).unwrap();
    // Two openings without an event between them could be reported as one.
    let flags = WatchFlags::OPEN | WatchFlags::CLOSE_NOWRITE;
    let mut folders = BTreeMap::new();
    let mut left = vec![run.to_owned()];
    while let Some(folder) = left.pop() {
        folders.insert(inotify::add_watch(&watch, &folder, flags).unwrap(), folder.clone());
        left.extend(
            std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).filter(|p| p.is_dir()),
        );
    }
    command();
    let mut buffer = [MaybeUninit::uninit(); 1 << 16];
    let mut events = inotify::Reader::new(&watch, &mut buffer);
    let mut openings = BTreeMap::new();
    while let Ok(event) = events.next() {
        assert!(!event.events().contains(ReadFlags::QUEUE_OVERFLOW), "too many events to count");
        let Some(name) = event.file_name().and_then(|name| name.to_str().ok()) else { continue };
        if event.events().contains(ReadFlags::OPEN) && name.ends_with(".parquet") {
            *openings.entry(folders[&event.wd()].join(name)).or_default() += 1;
        }
    }
    openings
}

/// Makes sure that the command opens exactly these tables, and each file once.
fn assert_each_once(dir: &Path, arguments: &[&str], tables: &[&str]) {
    let run = the_run(dir);
    let folder = run.to_str().unwrap();
    let arguments: Vec<&str> =
        arguments.iter().map(|argument| if *argument == "FOLDER" { folder } else { argument }).collect();
    let opened = openings(&run, || assert_eq!(run_in(dir, &arguments, b"").code, 0, "{arguments:?}"));
    let twice: Vec<_> = opened.iter().filter(|(_, times)| **times != 1).collect();
    assert!(twice.is_empty(), "{arguments:?}: {twice:?}");
    let table = |path: &PathBuf| {
        path.strip_prefix(&run).unwrap().components().next().unwrap().as_os_str().to_str().unwrap().to_owned()
    };
    let mut found: Vec<String> = opened.keys().map(table).collect();
    found.dedup();
    assert_eq!(found, tables, "{arguments:?}");
}

#[test]
fn each_command_opens_each_table_of_a_run_at_most_once() {
    let dir = desk(
        "name = \"x\"\nvariants = [\"standard\", \"black-hole\"]\ngames = 70\nseed = 1\nlast_year = 1902\n\
         seats.lineup = [\"greedy\", \"random\", \"random\", \"random\", \"random\", \"random\", \"random\"]\n",
    );
    assert_eq!(play(dir.path(), &[]).code, 0);
    assert_each_once(dir.path(), &["standings", "FOLDER"], &["games", "seats"]);
    assert_each_once(dir.path(), &["balance", "FOLDER"], &["events", "games", "seats", "turns"]);
    let all = ["distances", "events", "games", "seats", "topology", "turns"];
    assert_each_once(dir.path(), &["report", "FOLDER", "--out", "page.html"], &all);
}
