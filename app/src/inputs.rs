//! What files give to the buffers and images of a run: the same for the command line and the window.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use lanescope_core::gpu::{Content, Given, MAX_BUFFER};
use lanescope_core::program::Program;
use lanescope_core::run::{Blob, Place};

/// A resource and what fills it, as the command line writes it: `u0=numbers.bin`, `0:1=4096`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filling {
    /// The resource.
    pub place: Place,
    /// What fills it.
    pub source: Source,
}

/// What fills a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// As ever, this many bytes.
    Bytes(u64),
    /// A file's bytes.
    File(PathBuf),
}

impl FromStr for Filling {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (place, source) = text.split_once('=').ok_or("u0=FILE, 0:1=FILE or 0:1=BYTES was expected")?;
        let place = place.parse()?;
        let source = match source.parse() {
            Ok(bytes) => Source::Bytes(bytes),
            Err(_) if source.is_empty() => return Err("a file or a size was expected after `=`".to_owned()),
            Err(_) => Source::File(PathBuf::from(source)),
        };
        Ok(Filling { place, source })
    }
}

/// Contents that were read, until the program is known whose descriptors they fill.
#[derive(Debug, Default)]
pub struct Contents(Vec<(Place, Content)>);

impl Contents {
    /// Reads the files.
    ///
    /// # Errors
    /// The file that cannot be read, and why.
    pub fn read(fillings: &[Filling]) -> Result<Contents, String> {
        let one = |filling: &Filling| {
            let content = match &filling.source {
                Source::Bytes(bytes) => Content::Size(*bytes),
                Source::File(path) => Content::Bytes(Blob(read(path)?)),
            };
            Ok((filling.place, content))
        };
        fillings.iter().map(one).collect::<Result<_, String>>().map(Contents)
    }

    /// The contents, for the descriptors of a program.
    ///
    /// # Errors
    /// A name that the program does not have, or that two of them mean.
    pub fn of(&self, program: &Program) -> Result<Vec<Given>, String> {
        let mut out: Vec<Given> = Vec::new();
        for (place, content) in &self.0 {
            let (set, binding) = place.find(program)?;
            if out.iter().any(|given| (given.set, given.binding) == (set, binding)) {
                return Err(format!("{place} is given twice: it is set {set}, binding {binding}"));
            }
            out.push(Given { set, binding, content: content.clone() });
        }
        Ok(out)
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let wrong = |why: String| format!("{}: {why}", path.display());
    let size = std::fs::metadata(path).map_err(|error| wrong(format!("cannot be read: {error}")))?.len();
    if size > MAX_BUFFER {
        return Err(wrong(format!("has {size} bytes; a buffer has at most {MAX_BUFFER}")));
    }
    std::fs::read(path).map_err(|error| wrong(format!("cannot be read: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_are_named_by_descriptor_or_register() {
        let filling = |text: &str| text.parse::<Filling>();
        let source = Source::File(PathBuf::from("a=b.bin"));
        let place = Place::Descriptor(1, 20);
        assert_eq!(filling("set1.binding20=a=b.bin"), Ok(Filling { place, source: source.clone() }));
        assert_eq!(filling("1:20=a=b.bin"), Ok(Filling { place, source }));
        let place = Place::Register('u', 2, 1);
        assert_eq!(filling("u2,space1=64"), Ok(Filling { place, source: Source::Bytes(64) }));
        for wrong in ["set0.binding0", "set0=a", "binding0.set0=a", "set-1.binding0=a", "set0.binding0=", "", "u0"] {
            assert!(filling(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named() {
        let missing: Filling = "0:0=/nowhere/numbers.bin".parse().expect("reads");
        let error = Contents::read(&[missing]).expect_err("there is no such file");
        assert!(error.starts_with("/nowhere/numbers.bin: cannot be read"), "{error}");
    }
}
