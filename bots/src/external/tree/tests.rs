use super::*;

#[test]
fn the_descendants_of_a_process_are_found_with_their_usage() {
    let mut child = std::process::Command::new("sleep").arg("600").spawn().unwrap();
    let tree = ProcessTree::now();
    assert!(tree.below(std::process::id()).contains(&child.id()));
    let Usage { processes, memory, .. } = tree.usage(child.id());
    assert!(processes == 0 && memory > 0, "{processes} {memory}");
    child.kill().unwrap();
    // It has not been reaped.
    while !ProcessTree::now().below(std::process::id()).is_disjoint(&[child.id()].into()) {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.wait().unwrap();
}

#[test]
fn the_processes_of_a_group_are_killed_with_it() {
    let Some(group) = ControlGroup::new() else {
        eprintln!("SKIPPED the_processes_of_a_group_are_killed_with_it: no control group can be made here");
        return;
    };
    let path = group.path().to_owned();
    let mut child = std::process::Command::new("sleep").arg("600").spawn().unwrap();
    enter_group(&path, child.id());
    drop(group);
    assert!(!path.exists());
    assert!(!child.wait().unwrap().success());
}
