//! What the DirectX shader compiler calls files. It takes text alone, and does not find folders with characters beyond
//! Latin-1, or beyond ASCII without a locale of UTF-8; it reads `-` as standard input and what begins with `-` as an
//! option; and what a stream includes is in the working directory.

use std::path::{Path, PathBuf};

use super::Source;

/// The names of a source and of the folders of its includes.
#[derive(Debug)]
pub(super) struct Names {
    /// What the compiler calls the source.
    told: String,
    /// What it is called in messages.
    shown: String,
    /// By what the compiler calls a folder, before a `/`: the folder.
    folders: Vec<(String, PathBuf)>,
    /// How many of them are not looked through: that of the source, and those of files before it.
    own: usize,
    /// What the files are called that are included before the source, and these files.
    first: Vec<(String, PathBuf)>,
}

impl Names {
    /// `utf8`: the compiler reads names that are not ASCII.
    pub(super) fn of(source: &Source<'_>, utf8: bool) -> Names {
        let text_of = |folder: &Path| text_of(folder, utf8);
        let file = source.path.file_name().unwrap_or_default();
        let file = file.to_str().filter(|_| utf8).map_or_else(|| ascii(&file.to_string_lossy()), str::to_owned);
        let in_folder = source.path.parent() == Some(source.folder) && !source.folder.as_os_str().is_empty();
        let folder = if in_folder { text_of(source.folder) } else { ".".to_owned() };
        let told = match (in_folder, file.starts_with('-') || source.path.parent() != Some(Path::new(""))) {
            (false, false) => file,
            _ => format!("{}/{file}", folder.trim_end_matches('/')),
        };
        let mut folders = vec![(folder, if in_folder { source.folder.to_owned() } else { PathBuf::from(".") })];
        let first: Vec<(String, PathBuf)> = source.first.iter().map(|path| (first_name(path), path.clone())).collect();
        for (told, path) in &first {
            let told = told.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
            folders.push((told, path.parent().unwrap_or(Path::new("")).to_owned()));
        }
        let own = folders.len();
        let searched = source.conversion.include_dirs.iter();
        folders.extend(searched.map(|folder| (text_of(Path::new(folder)), PathBuf::from(folder))));
        Names { told, shown: source.path.display().to_string(), folders, own, first }
    }

    /// What the compiler calls the source.
    pub(super) fn told(&self) -> &str {
        &self.told
    }

    /// The folders that are looked through, as the compiler calls them.
    pub(super) fn folders(&self) -> impl Iterator<Item = &str> {
        self.folders.iter().skip(self.own).map(|(told, _)| told.as_str())
    }

    /// What the files are called that are included before the source.
    pub(super) fn first(&self) -> Vec<String> {
        self.first.iter().map(|(told, _)| told.clone()).collect()
    }

    /// The file that the compiler asks for.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        if let Some((_, path)) = self.first.iter().find(|(told, _)| told == name) {
            return path.clone();
        }
        let within = |(told, folder): &(String, PathBuf)| {
            // The compiler puts `./` before a relative name.
            let rest =
                name.strip_prefix(told.as_str()).or_else(|| name.strip_prefix("./")?.strip_prefix(told.as_str()))?;
            let rest = if told.ends_with('/') { Some(rest) } else { rest.strip_prefix('/') }?;
            Some(folder.join(rest.trim_start_matches('/')))
        };
        let found = self.folders.iter().filter(|(told, folder)| Path::new(told) != folder).find_map(within);
        found.unwrap_or_else(|| PathBuf::from(name))
    }

    /// Messages with the names that the user knows.
    pub(super) fn shown(&self, log: &str) -> String {
        let lines = log.lines().map(|line| {
            let included = line.strip_prefix("In file included from ").map(|rest| ("In file included from ", rest));
            let (before, rest) = included.unwrap_or(("", line));
            match self.known(rest) {
                Some(known) => format!("{before}{known}"),
                None => line.to_owned(),
            }
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// A line that begins with a name, with the one that the user knows.
    fn known(&self, line: &str) -> Option<String> {
        if let Some(rest) = line.strip_prefix(&self.told).filter(|rest| rest.starts_with(':')) {
            return Some(format!("{}{rest}", self.shown));
        }
        self.folders.iter().filter(|(told, folder)| Path::new(told) != folder).find_map(|(told, folder)| {
            let told = told.trim_end_matches('/');
            let rest =
                line.strip_prefix(told).or_else(|| line.strip_prefix("./")?.strip_prefix(told))?.strip_prefix('/')?;
            Some(folder.join(rest).display().to_string())
        })
    }
}

/// The last character of a folder's name that the compiler finds.
const LAST: char = '\u{ff}';

/// A folder as text that is no option. It is in debug information too, so it is the folder's own name where that is found.
fn text_of(folder: &Path, utf8: bool) -> String {
    let own = folder.to_str().filter(|text| utf8 && text.chars().all(|c| c <= LAST));
    let text = own.map_or_else(|| ascii(&folder.to_string_lossy()), str::to_owned);
    if text.starts_with('-') { format!("./{text}") } else { text }
}

/// An absolute path as it stands in `#include "…"`.
fn first_name(path: &Path) -> String {
    ascii(&path.to_string_lossy()).replace(['"', '\\', '\n', '\r'], "_")
}

/// A name with numbers for characters that are not ASCII.
fn ascii(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_ascii() { out.push(c) } else { out.push_str(&format!("_{:x}_", u32::from(c))) }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::given::Given;
    use lanescope_model::options::Conversion;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    fn names(path: &OsStr, folder: &OsStr, conversion: &Conversion) -> Names {
        named(path, folder, conversion, false)
    }

    fn named(path: &OsStr, folder: &OsStr, conversion: &Conversion, utf8: bool) -> Names {
        let (path, folder) = (Path::new(path), Path::new(folder));
        let source = Source {
            path,
            folder,
            text: "",
            entry: "main",
            profile: "ps_6_0",
            narrow: false,
            conversion,
            first: &[],
            given: Given::default(),
        };
        Names::of(&source, utf8)
    }

    #[test]
    fn usual_names_stay() {
        let conversion =
            Conversion { include_dirs: vec!["shared".to_owned(), "/x/".to_owned()], ..Conversion::default() };
        for (path, folder) in [("a.hlsl", ""), ("x/a.hlsl", "x"), ("/x/a.hlsl", "/x"), ("../a.hlsl", "..")] {
            let names = names(path.as_ref(), folder.as_ref(), &conversion);
            assert_eq!(names.told(), path);
            assert_eq!(names.folders().collect::<Vec<_>>(), ["shared", "/x/"]);
            for include in ["./b.hlsli", "x/b.hlsli", "shared/../b.hlsli"] {
                assert_eq!(names.file(include), Path::new(include));
            }
            assert_eq!(names.shown("a.hlsl:1:2: error: x"), "a.hlsl:1:2: error: x");
        }
    }

    #[test]
    fn what_a_stream_includes_is_in_the_working_directory() {
        let conversion = Conversion::default();
        for (path, told) in [("-", "./-"), ("/dev/fd/63", "./63"), ("-x.hlsl", "./-x.hlsl")] {
            let names = names(path.as_ref(), "".as_ref(), &conversion);
            assert_eq!(names.told(), told);
            let log = format!("In file included from {told}:1:\n./b:1:1: error: x\n{told}:2:1: error: y\n {told}:");
            let shown = format!("In file included from {path}:1:\n./b:1:1: error: x\n{path}:2:1: error: y\n {told}:");
            assert_eq!(names.shown(&log), shown);
        }
    }

    #[test]
    fn names_have_ascii_forms() {
        let conversion = Conversion { include_dirs: vec!["數".to_owned()], ..Conversion::default() };
        let names = names("ä/größe.hlsl".as_ref(), "ä".as_ref(), &conversion);
        assert_eq!(names.told(), "_e4_/gr_f6__df_e.hlsl");
        assert_eq!(names.folders().collect::<Vec<_>>(), ["_6578_"]);
        assert_eq!(names.file("_e4_/x/ö.hlsli"), Path::new("ä/x/ö.hlsli"));
        assert_eq!(names.file("_6578_/b.hlsli"), Path::new("數/b.hlsli"));
        assert_eq!(names.file("./_6578_/ü/b.hlsli"), Path::new("數/ü/b.hlsli"));
        let log = "In file included from _e4_/gr_f6__df_e.hlsl:1:\n_6578_/b.hlsli:2:1: error: x\n_6578_y";
        assert_eq!(names.shown(log), "In file included from ä/größe.hlsl:1:\n數/b.hlsli:2:1: error: x\n_6578_y");
    }

    #[test]
    fn names_that_the_compiler_finds_stay() {
        let conversion = Conversion { include_dirs: vec!["ü".to_owned(), "數".to_owned()], ..Conversion::default() };
        let names = named("ä/數.hlsl".as_ref(), "ä".as_ref(), &conversion, true);
        assert_eq!(names.told(), "ä/數.hlsl");
        assert_eq!(names.folders().collect::<Vec<_>>(), ["ü", "_6578_"]);
        assert_eq!(names.file("ä/x/ö.hlsli"), Path::new("ä/x/ö.hlsli"));
        assert_eq!(names.shown("ä/數.hlsl:1:1: error: x"), "ä/數.hlsl:1:1: error: x");
        let beyond = named("數/a.hlsl".as_ref(), "數".as_ref(), &conversion, true);
        assert_eq!(beyond.told(), "_6578_/a.hlsl");
        let broken = OsStr::from_bytes(b"gr\xf6.hlsl");
        assert_eq!(named(broken, "".as_ref(), &conversion, true).told(), "gr_fffd_.hlsl");
    }

    #[test]
    fn folders_that_are_no_text_are_found() {
        let conversion = Conversion::default();
        let folder = OsStr::from_bytes(b"/x/gr\xf6\xdfe");
        let names = names(OsStr::from_bytes(b"/x/gr\xf6\xdfe/a.hlsl"), folder, &conversion);
        assert_eq!(names.told(), "/x/gr_fffd__fffd_e/a.hlsl");
        assert_eq!(names.file("/x/gr_fffd__fffd_e/sub/b.hlsli"), Path::new(folder).join("sub/b.hlsli"));
        assert_eq!(names.file("/x/b.hlsli"), Path::new("/x/b.hlsli"));
    }
}
