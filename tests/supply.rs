//! The sources and licences of crates: the contents of `deny.toml`, checked without a tool that must be installed; and
//! the promised version of Rust is the one that all tests use.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;
use spdx::{Expression, ParseMode};
use testkit::{path, read};
use toml::Table;

/// A TOML file of the repository.
fn table(from_the_root: &str) -> Table {
    read(from_the_root).parse().expect("TOML")
}

/// The texts of a list.
fn texts(list: &toml::Value) -> BTreeSet<&str> {
    list.as_array().expect("a list").iter().map(|text| text.as_str().expect("a text")).collect()
}

#[test]
fn the_oldest_rust_that_is_promised_is_the_one_of_the_tests() {
    let promised =
        table("Cargo.toml")["workspace"]["package"]["rust-version"].as_str().expect("a version").to_owned();
    let pinned = table("rust-toolchain.toml")["toolchain"]["channel"].as_str().expect("a version").to_owned();
    assert_eq!(pinned, format!("{promised}.0"));
}

#[test]
fn every_crate_comes_from_the_registry_and_no_two_versions_but_those_that_are_listed() {
    let (lock, deny) = (table("Cargo.lock"), table("deny.toml"));
    let [registry] = texts(&deny["sources"]["allow-registry"]).into_iter().collect::<Vec<_>>()[..] else {
        panic!("one registry")
    };
    let skipped = deny["bans"]["skip"].as_array().expect("a list");
    let skipped: BTreeSet<&str> =
        skipped.iter().map(|entry| entry["crate"].as_str().expect("a text")).collect();
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in lock["package"].as_array().expect("a list") {
        let name = package["name"].as_str().expect("a name");
        versions.entry(name).or_default().push(package["version"].as_str().expect("a version"));
        match package.get("source") {
            Some(source) => assert_eq!(source.as_str(), Some(&*format!("registry+{registry}")), "{name}"),
            None => assert!(name.starts_with("upheaval") || name == "testkit", "{name} has no source"),
        }
    }
    let mut doubled = BTreeSet::new();
    for (name, versions) in &versions {
        let listed: Vec<String> = versions.iter().map(|version| format!("{name}@{version}")).collect();
        let open = listed.iter().filter(|listed| !skipped.contains(listed.as_str())).count();
        assert!(versions.len() == 1 || open <= 1, "{name} is there in {versions:?}: see deny.toml");
        if versions.len() > 1 {
            doubled.extend(listed);
        }
    }
    let idle: Vec<_> = skipped.iter().filter(|listed| !doubled.contains(**listed)).collect();
    assert!(idle.is_empty(), "deny.toml lists what is not doubled any more: {idle:?}");
}

#[test]
fn every_licence_of_a_crate_that_is_compiled_here_is_one_of_those_allowed() {
    let deny = table("deny.toml");
    let allowed = texts(&deny["licenses"]["allow"]);
    let host =
        String::from_utf8(Command::new("rustc").arg("-vV").output().expect("rustc").stdout).expect("text");
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let said = Command::new(std::env::var("CARGO").unwrap_or("cargo".to_owned()))
        .args(["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", host])
        .current_dir(path(""))
        .output()
        .expect("cargo");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let metadata: Value = serde_json::from_slice(&said.stdout).expect("JSON");
    let nodes = metadata["resolve"]["nodes"].as_array().expect("a list");
    let compiled: BTreeSet<&str> = nodes.iter().filter_map(|node| node["id"].as_str()).collect();
    let packages = metadata["packages"].as_array().expect("a list");
    let packages = packages.iter().filter(|package| compiled.contains(package["id"].as_str().unwrap_or("")));
    let mut seen = 0;
    for package in packages {
        let (name, licence) = (&package["name"], package["license"].as_str());
        let licence = licence.unwrap_or_else(|| panic!("{name} names no licence"));
        let expression =
            Expression::parse_mode(licence, ParseMode::LAX).unwrap_or_else(|error| panic!("{name}: {error}"));
        let fits = expression.evaluate(|term| allowed.contains(term.to_string().as_str()));
        assert!(fits, "{name} is under {licence}: see deny.toml");
        seen += 1;
    }
    assert!(seen > 200, "{seen} crates");
}

/// Each binary of tests is linked by itself, which takes longer than most changes take to compile.
#[test]
fn the_tests_of_the_workspace_are_linked_into_nine_binaries_at_most() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(path(""))
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("a list");
    let targets = packages.iter().flat_map(|package| package["targets"].as_array().expect("a list"));
    let linked: Vec<&str> = targets
        .filter(|target| target["test"] == true && target["kind"] != serde_json::json!(["example"]))
        .map(|target| target["src_path"].as_str().expect("a path"))
        .collect();
    assert!((2..=9).contains(&linked.len()), "{linked:#?}");
}
