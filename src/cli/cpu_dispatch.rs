//! Hands over to a build of the program for newer processors, if the installation has one.
//!
//! A release for Intel and AMD processors has two programs. `skewer` runs on all of them. The other one is built for x86-64-v3 and is in the
//! same folder or in `../lib/skewer`. `skewer` hands over to it if the processor supports it. Its name contains the version, so that one
//! left behind by an update is never started.

use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// The name of the other program. `packaging/archive` uses the same name.
const NAME: &str = concat!("skewer-", env!("CARGO_PKG_VERSION"), "-x86-64-v3");

/// The folders where it may be, relative to the folder of this program.
const FOLDERS: [&str; 2] = [".", "../lib/skewer"];

/// Replaces this process with the program for this processor, with the same arguments. Returns if there is none, or if this is it.
pub(super) fn hand_over(arguments: impl IntoIterator<Item = OsString>) {
    if cfg!(target_feature = "avx2") || !has_x86_64_v3() {
        return;
    }
    let program = env::current_exe().ok();
    if let Some(mut tuned) = program.and_then(|program| command(&program, arguments)) {
        // If it cannot be started, this program continues.
        let _ = tuned.exec();
    }
}

/// Returns whether the processor has everything that compilers use for x86-64-v3, and the system lets programs use it.
fn has_x86_64_v3() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("f16c")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("movbe")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("xsave")
}

/// Returns the command that starts the other program, if there is one. The first argument is the name by which this program was called.
fn command(program: &Path, arguments: impl IntoIterator<Item = OsString>) -> Option<Command> {
    // A name in a folder of programs is often a link to the installation.
    let program = program.canonicalize().ok()?;
    let folder = program.parent()?;
    let tuned = FOLDERS
        .iter()
        .map(|place| folder.join(place).join(NAME))
        .find(|tuned| tuned.is_file())?;
    let mut arguments = arguments.into_iter();
    let mut command = Command::new(tuned);
    if let Some(name) = arguments.next() {
        command.arg0(name);
    }
    command.args(arguments);
    Some(command)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    use super::*;

    /// Makes an installation with these programs and returns the path of its `skewer`. The programs are links to a shell, because a file
    /// that has just been written may be too busy to be started.
    fn installed(folder: &Path, programs: &[&str]) -> PathBuf {
        for place in ["bin", "lib/skewer"] {
            fs::create_dir_all(folder.join(place)).expect("it can be made");
        }
        for program in programs {
            symlink("/bin/sh", folder.join(program)).expect("a link");
        }
        let skewer = folder.join("bin/skewer");
        fs::write(&skewer, "").expect("it can be written");
        skewer
    }

    fn arguments(arguments: &[&str]) -> Vec<OsString> {
        arguments.iter().map(OsString::from).collect()
    }

    #[test]
    fn the_program_of_the_same_version_is_started_with_name_and_arguments() {
        for place in ["bin", "lib/skewer"] {
            let folder = tempfile::tempdir().expect("a folder");
            let skewer = installed(folder.path(), &[&format!("{place}/{NAME}")]);
            let link = folder.path().join("link");
            symlink(&skewer, &link).expect("a link");
            // A shell prints the name and the arguments with which it was called.
            for (given, said) in [
                (&["cql", "-c", "echo $0"][..], "cql\n"),
                (
                    &["skewer", "-c", "printf '<%s>' \"$@\"", "sh", "one", "two 2"],
                    "<one><two 2>",
                ),
            ] {
                for program in [&skewer, &link] {
                    let mut command = command(program, arguments(given)).expect("a command");
                    assert!(command.get_program().as_encoded_bytes().ends_with(NAME.as_bytes()));
                    let output = command.output().expect("it runs");
                    assert_eq!(String::from_utf8_lossy(&output.stdout), said, "{place}");
                }
            }
        }
    }

    #[test]
    fn no_program_of_another_version_is_started() {
        let folder = tempfile::tempdir().expect("a folder");
        let others = [
            "bin/skewer-0.0.0-x86-64-v3",
            "bin/skewer-x86-64-v3",
            "lib/skewer/skewer",
        ];
        let skewer = installed(folder.path(), &others);
        assert!(command(&skewer, arguments(&["skewer"])).is_none());
        assert!(command(&folder.path().join("missing"), arguments(&["skewer"])).is_none());
    }
}
