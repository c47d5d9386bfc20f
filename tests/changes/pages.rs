//! The examples of docs/changes.md: each is a part of a file, and loads.

use super::with;

#[test]
fn every_example_of_the_page_loads_at_the_end_of_the_standard_rules() {
    let page = testkit::read("docs/changes.md");
    let blocks = page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().expect("an end"));
    let mut loaded = 0;
    for block in blocks.filter(|block| block.starts_with("[[changes]]")) {
        let variant = with(block).unwrap_or_else(|error| panic!("{error}\n{block}"));
        let entries = block.matches("[[changes]]").count();
        assert_eq!(variant.changes.entries().len(), entries);
        assert_eq!(variant.changes.warnings(&variant.terrain, &variant.position), [""; 0], "{block}");
        loaded += 1;
    }
    assert!(loaded >= 11, "only {loaded} examples");
}
