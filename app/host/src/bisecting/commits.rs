//! The commits of a git repository that change files of a program.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::hunks::Base;
use super::{Place, Steps};

/// Commits from the oldest on, with the files as each has them.
pub struct Commits {
    repository: PathBuf,
    /// Their hashes, each with its title.
    all: Vec<(String, String)>,
    /// The files, from the top of the repository.
    files: Vec<PathBuf>,
    base: Base,
}

impl Commits {
    /// `A` of a range `A..B`, and the commits after it. What includes lead to may be in any file: each commit counts.
    ///
    /// # Errors
    /// What git says: no repository, no such commit; files outside of it.
    pub fn of(range: &str, files: &[PathBuf], base: Base) -> Result<Commits, String> {
        let (from, to) = range
            .split_once("..")
            .filter(|(from, to)| !from.is_empty() && !to.contains(".."))
            .ok_or_else(|| format!("`{range}`: expected OLD..NEW, two commits"))?;
        let to = if to.is_empty() { "HEAD" } else { to };
        let first = files.first().ok_or("no file is named")?;
        let folder = first.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let top = git(folder, &["rev-parse", "--show-toplevel"])?;
        let repository = PathBuf::from(top.trim_end());
        let of_repository = |file: &PathBuf| {
            let path = std::fs::canonicalize(file).map_err(|error| format!("{}: {error}", file.display()))?;
            let inside = path.strip_prefix(&repository).map(Path::to_owned);
            inside.map_err(|_| format!("{} is not in the repository {}", file.display(), repository.display()))
        };
        let files = files.iter().map(of_repository).collect::<Result<Vec<_>, _>>()?;
        // A name that begins with a dash would be an option.
        let named = |name: &str| {
            git(&repository, &["rev-parse", "--verify", "--end-of-options", &format!("{name}^{{commit}}")])
        };
        let (from, to) = (named(from)?, named(to)?);
        let (from, to) = (from.trim_end(), to.trim_end());
        let is_before = git(&repository, &["merge-base", "--is-ancestor", from, to]);
        is_before.map_err(|_| format!("{from} is not an ancestor of {to}"))?;
        let title = |hash: &str| git(&repository, &["log", "-1", "--format=%s", hash]);
        let listed = git(
            &repository,
            &[
                "rev-list",
                "--reverse",
                "--first-parent",
                "--format=%H %s",
                "--no-commit-header",
                &format!("{from}..{to}"),
            ],
        )?;
        let mut all = vec![(from.to_owned(), title(from)?.trim_end().to_owned())];
        for line in listed.lines() {
            let (hash, title) = line.split_once(' ').unwrap_or((line, ""));
            all.push((hash.to_owned(), title.to_owned()));
        }
        if all.len() < 2 {
            return Err(format!("there is no commit after {from} up to {to}"));
        }
        Ok(Commits { repository, all, files, base })
    }

    /// A folder with the files of a commit, all of them: what they include may be anywhere.
    fn unpacked(&self, hash: &str) -> Result<tempfile::TempDir, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let archive = folder.path().join("commit.tar");
        let output = format!("--output={}", archive.display());
        git(&self.repository, &["archive", "--format=tar", &output, hash])?;
        let unpacked = run(Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(folder.path()));
        unpacked.map_err(|why| format!("tar: {why}"))?;
        std::fs::remove_file(&archive).map_err(|error| error.to_string())?;
        Ok(folder)
    }
}

impl Steps for Commits {
    fn last(&self) -> usize {
        self.all.len() - 1
    }

    fn name(&self, at: usize) -> String {
        self.all.get(at).map_or_else(String::new, |(hash, title)| format!("{} {title}", &hash[..hash.len().min(12)]))
    }

    fn step(&self, before: usize, after: usize) -> String {
        let names: Vec<String> = (before + 1..=after).map(|at| self.name(at)).collect();
        names.join("\n")
    }

    fn place(&self, at: usize) -> Result<Place, String> {
        let (hash, _) = self.all.get(at).ok_or("there is no such commit")?;
        let folder = self.unpacked(hash)?;
        let mut place = (self.base)();
        place.files = self.files.iter().map(|file| folder.path().join(file)).collect();
        place.kept = Some(folder);
        Ok(place)
    }
}

/// What git prints.
fn git(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new("git");
    // A repository's own settings may name programs that would be run.
    command.arg("-C").arg(folder).args(["-c", "core.fsmonitor=false"]).args(arguments);
    run(&mut command).map_err(|why| format!("git {}: {why}", arguments.first().copied().unwrap_or_default()))
}

fn run(command: &mut Command) -> Result<String, String> {
    let name = OsString::from(command.get_program());
    let done = command.stdin(Stdio::null()).output().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => format!("{} is not installed", name.to_string_lossy()),
        _ => error.to_string(),
    })?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        let said = said.trim();
        return Err(if said.is_empty() { done.status.to_string() } else { said.to_owned() });
    }
    String::from_utf8(done.stdout).map_err(|_| "its output is not UTF-8".to_owned())
}
