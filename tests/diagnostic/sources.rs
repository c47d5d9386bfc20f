//! Files as they are read: the places of faults, and files that are refused.

use std::fs::File;

use upheaval::diagnostic::Source;

use super::fault;

/// The largest file that is read: 16 MiB.
const MOST_BYTES: u64 = 16 << 20;

#[test]
fn a_span_becomes_line_and_column() {
    let source = Source::new("x.toml", "a = 1\n#üb = 2\n");
    assert_eq!(fault(&source, 0..1, "m"), "x.toml:1:1: m");
    assert_eq!(fault(&source, 9..10, "m"), "x.toml:2:3: m");
    assert_eq!(fault(&source, 8..9, "m"), "x.toml:2:2: m", "inside a character");
    assert_eq!(fault(&source, 999..1000, "two\n\n  lines"), "x.toml:3:1: two; lines");
}

#[test]
fn a_file_that_is_no_text_says_where() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("b.toml");
    std::fs::write(&path, b"a = 1\nb = \"\xff\"\n").unwrap();
    let error = Source::read(&path).unwrap_err().to_string();
    assert!(error.ends_with("b.toml:2:6: not UTF-8 text; save the file as UTF-8"), "{error}");
    File::create(&path).unwrap().set_len(MOST_BYTES).unwrap();
    assert_eq!(Source::read(&path).unwrap().text().len() as u64, MOST_BYTES);
    File::create(&path).unwrap().set_len(MOST_BYTES + 1).unwrap();
    let error = Source::read(&path).unwrap_err().to_string();
    assert!(error.ends_with("b.toml`: it has more than 16777216 bytes"), "{error}");
    let error = Source::read(dir.path()).unwrap_err().to_string();
    assert!(error.starts_with("cannot read `"), "{error}");
    assert!(error.ends_with("it is a folder; a regular file is needed"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_link_is_read_where_it_ends_at_a_regular_file() {
    use std::os::unix::fs::symlink;
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    std::fs::write(path("x.toml"), "a = 1").unwrap();
    symlink(path("x.toml"), path("link.toml")).unwrap();
    symlink("/dev/null", path("device.toml")).unwrap();
    assert_eq!(Source::read(&path("link.toml")).unwrap().text(), "a = 1");
    let error = Source::read(&path("device.toml")).unwrap_err().to_string();
    assert!(error.ends_with("it is a device; a regular file is needed"), "{error}");
}
