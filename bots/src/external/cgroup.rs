//! A control group for a program and all the processes that it starts. A process stays in the group of its parent,
//! whatever session or process group it makes and whichever process its parent becomes, so that the system finds all of
//! them and kills them with one call.
//!
//! This requires version 2 of the control groups of Linux, and a place among them in which this process may make one: a
//! container of its own, a service with delegation, root. Elsewhere there is no group, and nothing else changes.

use std::path::{Path, PathBuf};

/// A control group below that of this process. Dropped, it goes with all that is in it.
#[derive(Debug)]
pub(super) struct Cgroup(PathBuf);

impl Cgroup {
    /// Its folder.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::{Duration, Instant};

    use super::Cgroup;

    /// How long it is tried to remove a group whose processes have been killed.
    const PATIENCE: Duration = Duration::from_secs(2);

    impl Cgroup {
        /// A new group with nothing in it; none where none can be made.
        pub(crate) fn new() -> Option<Cgroup> {
            static ABOVE: OnceLock<Option<PathBuf>> = OnceLock::new();
            static NEXT: AtomicU64 = AtomicU64::new(0);
            let above = ABOVE.get_or_init(own).as_ref()?;
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = above.join(format!("upheaval-{}-{number}", std::process::id()));
            fs::create_dir(&path).ok()?;
            let group = Cgroup(path);
            // Older systems have groups without it.
            group.0.join("cgroup.kill").exists().then_some(group)
        }
    }

    /// The folder of this process's own group.
    fn own() -> Option<PathBuf> {
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        place(&groups, &mounts)
    }

    /// Where these groups are, among these mounts.
    pub(super) fn place(groups: &str, mounts: &str) -> Option<PathBuf> {
        let group = Path::new(groups.lines().find_map(|line| line.strip_prefix("0::"))?);
        mounts.lines().find_map(|line| {
            let (mount, system) = line.split_once(" - ")?;
            let mut fields = mount.split(' ').skip(3);
            let (root, point) = (fields.next()?, fields.next()?);
            let is_of_groups = system.split(' ').next() == Some("cgroup2");
            let below = group.strip_prefix(root).ok().filter(|_| is_of_groups)?;
            Some(Path::new(point).join(below))
        })
    }

    /// Moves a process into a group; did it?
    pub(crate) fn enter(group: &Path, process: u32) -> bool {
        fs::write(group.join("cgroup.procs"), process.to_string()).is_ok()
    }

    /// Moves this process back into the group above this one.
    pub(crate) fn leave(group: &Path) {
        if let Some(above) = group.parent() {
            enter(above, std::process::id());
        }
    }

    /// Kills all that is in a group.
    pub(crate) fn kill(group: &Path) {
        let _ = fs::write(group.join("cgroup.kill"), "1");
    }

    /// Kills all that is in a group, and removes it once they are gone.
    pub(crate) fn remove(group: &Path) {
        kill(group);
        let until = Instant::now() + PATIENCE;
        while fs::remove_dir(group).is_err() && group.exists() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod linux {
    use std::path::Path;

    use super::Cgroup;

    impl Cgroup {
        /// There are no control groups here.
        pub(crate) fn new() -> Option<Cgroup> {
            None
        }
    }

    /// There are no control groups here.
    pub(crate) fn enter(_: &Path, _: u32) -> bool {
        false
    }

    /// There are no control groups here.
    pub(crate) fn kill(_: &Path) {}

    /// There are no control groups here.
    pub(crate) fn remove(_: &Path) {}
}

#[cfg(target_os = "linux")]
pub(super) use linux::leave;
pub(super) use linux::{enter, kill, remove};

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_a_group_is_found_among_mounts() {
        let mount = |root: &str| {
            format!(
                "22 1 0:2 / /proc rw - proc proc rw\n\
                 30 1 0:26 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids\n\
                 31 1 0:27 {root} /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n"
            )
        };
        let found = |groups: &str, root: &str| linux::place(groups, &mount(root));
        let place = Some(PathBuf::from("/sys/fs/cgroup/user.slice/run"));
        assert_eq!(found("1:pids:/\n0::/user.slice/run\n", "/"), place);
        assert_eq!(found("0::/box/user.slice/run\n", "/box"), place);
        // Version 1 alone, or a mount of other groups.
        assert_eq!(found("1:pids:/\n", "/"), None);
        assert_eq!(found("0::/user.slice/run\n", "/box"), None);
        assert_eq!(linux::place("0::/\n", "22 1 0:2 / /proc rw - proc proc rw\n"), None);
    }

    #[test]
    fn what_is_in_a_group_is_killed_with_it() {
        let Some(group) = Cgroup::new() else {
            eprintln!("SKIPPED what_is_in_a_group_is_killed_with_it: no control group can be made here");
            return;
        };
        let path = group.path().to_owned();
        let mut child = std::process::Command::new("sleep").arg("600").spawn().unwrap();
        assert!(enter(&path, child.id()));
        drop(group);
        assert!(!path.exists());
        assert!(!child.wait().unwrap().success());
    }
}
