//! Contents of buffers and images of a run from files, for the command line and the window.

use std::path::PathBuf;
use std::str::FromStr;

use lanescope_core::gpu::{Content, Given, Inputs, MAX_BUFFER, fillable};
use lanescope_core::program::Program;
use lanescope_core::run::{Blob, Place, ResourceNames};
use lanescope_core::text_format::counted;

use crate::files::read_at_most;

/// A resource and what fills it, as the command line writes it: `u0=numbers.bin`, `0:1=4096`, `t2[3]=numbers.bin`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filling {
    /// The resource.
    pub place: Place,
    /// The element of an array of descriptors; where absent, every one that is not named by itself.
    pub element: Option<u32>,
    /// What fills it.
    pub source: Source,
}

/// What fills a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Default contents, with this size in bytes.
    Bytes(u64),
    /// A file's bytes.
    File(PathBuf),
}

impl FromStr for Filling {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (place, source) = text.split_once('=').ok_or("expected u0=FILE, 0:1=FILE or 0:1=BYTES")?;
        let (place, element) = place_and_element(place)?;
        let source = match source.parse() {
            Ok(bytes) => Source::Bytes(bytes),
            Err(_) if source.is_empty() => return Err("expected a file or a size after `=`".to_owned()),
            Err(_) => Source::File(PathBuf::from(source)),
        };
        Ok(Filling { place, element, source })
    }
}

/// `u0[3]`, `t2[3],space1`, `0:1[3]`: a resource, and the element of it in brackets.
fn place_and_element(text: &str) -> Result<(Place, Option<u32>), String> {
    let Some((before, rest)) = text.split_once('[') else { return Ok((text.parse()?, None)) };
    let element =
        rest.split_once(']').and_then(|(element, rest_of_place)| Some((element.trim().parse().ok()?, rest_of_place)));
    let (element, rest_of_place) =
        element.ok_or_else(|| format!("`{text}`: expected an element index, such as u0[3]"))?;
    Ok((format!("{before}{rest_of_place}").parse()?, Some(element)))
}

/// Contents that were read, until the program is known whose descriptors they fill.
#[derive(Debug, Default)]
pub struct Contents(Vec<(Place, Option<u32>, Content)>);

impl Contents {
    /// Reads the files.
    ///
    /// # Errors
    /// The file that cannot be read, and why.
    pub fn read(fillings: &[Filling]) -> Result<Contents, String> {
        let one = |filling: &Filling| {
            let content = match &filling.source {
                Source::Bytes(bytes) => Content::Size(*bytes),
                Source::File(path) => Content::Bytes(Blob(read_at_most(path, MAX_BUFFER)?)),
            };
            Ok((filling.place, filling.element, content))
        };
        fillings.iter().map(one).collect::<Result<_, String>>().map(Contents)
    }

    /// What fills the descriptors of a program: these contents, and a seed or zeros for the others. Registers name what
    /// is read back.
    ///
    /// # Errors
    /// See [`Contents::of`].
    pub fn inputs(&self, program: &Program, fill: u64, zeros: bool) -> Result<Inputs, String> {
        let (buffers, names) = (self.of(program)?, ResourceNames::of(program));
        Ok(Inputs { fill, zeros, buffers, names, ..Inputs::default() })
    }

    /// The contents, for the descriptors of a program.
    ///
    /// # Errors
    /// A name that the program does not have, or that two of them mean; an element that is not there.
    pub fn of(&self, program: &Program) -> Result<Vec<Given>, String> {
        let mut out: Vec<Given> = Vec::new();
        for (place, element, content) in &self.0 {
            let (set, binding) = place.find(program)?;
            if out.iter().any(|given| (given.set, given.binding, given.element) == (set, binding, *element)) {
                return Err(format!("{place} is set more than once: it is set {set}, binding {binding}"));
            }
            if let Some(element) = element {
                let fillable = fillable(program);
                let found = fillable.iter().find(|one| (one.set, one.binding) == (set, binding));
                match found.map(|found| found.elements) {
                    Some(Some(count)) if *element < count => {}
                    Some(Some(count)) => {
                        let has = counted(count, "descriptor");
                        return Err(format!("{place}[{element}] does not exist: {place} is an array of {has}"));
                    }
                    Some(None) => return Err(format!("{place}[{element}]: {place} is not a descriptor array")),
                    None => return Err(format!("{place}[{element}]: no shader declares a descriptor array there")),
                }
            }
            out.push(Given { set, binding, element: *element, content: content.clone() });
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_are_named_by_descriptor_or_register() {
        let filling = |text: &str| text.parse::<Filling>();
        let source = Source::File(PathBuf::from("a=b.bin"));
        let place = Place::Descriptor(1, 20);
        assert_eq!(filling("set1.binding20=a=b.bin"), Ok(Filling { place, element: None, source: source.clone() }));
        assert_eq!(filling("1:20=a=b.bin"), Ok(Filling { place, element: None, source: source.clone() }));
        assert_eq!(filling("1:20[3]=a=b.bin"), Ok(Filling { place, element: Some(3), source }));
        let place = Place::Register('u', 2, 1);
        assert_eq!(filling("u2,space1=64"), Ok(Filling { place, element: None, source: Source::Bytes(64) }));
        for text in ["u2[7],space1=64", "u2,space1[7]=64"] {
            assert_eq!(filling(text), Ok(Filling { place, element: Some(7), source: Source::Bytes(64) }));
        }
        for wrong in [
            "set0.binding0",
            "set0=a",
            "binding0.set0=a",
            "set-1.binding0=a",
            "set0.binding0=",
            "",
            "u0",
            "u0[=1",
            "u0[]=1",
            "u0]=1",
            "u0[-1]=1",
            "[0]=1",
        ] {
            assert!(filling(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_a_file_that_cannot_be_read() {
        let missing: Filling = "0:0=/nowhere/numbers.bin".parse().expect("reads");
        let error = Contents::read(&[missing]).expect_err("there is no such file");
        assert!(error.starts_with("/nowhere/numbers.bin: cannot be read"), "{error}");
    }
}
