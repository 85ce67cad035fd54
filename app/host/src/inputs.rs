//! Contents of buffers and images of a run from files, for the command line and the window.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use lanescope_core::gpu::{Content, Given, Inputs, MAX_BUFFER, attributes_of, fillable};
use lanescope_core::program::Program;
use lanescope_core::run::inputs::{
    self, DrawInputs, GivenSampler, NamedType, PushBlock, PushBytes, SamplerState, Topology, assigned, from_hex, packed,
};
use lanescope_core::run::{Blob, Place, ResourceNames};
use lanescope_core::text_format::counted;

use crate::files::read_at_most;
use crate::image_files;

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
    /// Numbers that are typed: `uint 1,2,3`.
    Values(Vec<u8>),
    /// A file's bytes, or for an image the pixels of a PNG file.
    File(PathBuf),
}

impl FromStr for Filling {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (place, source) = text.split_once('=').ok_or("expected u0=FILE, 0:1=FILE or 0:1=BYTES")?;
        let (place, element) = place_and_element(place)?;
        let is_typed = |word: &str| NamedType::named(word).is_some() && source.trim_start().len() > word.len();
        if source.split_whitespace().next().is_some_and(is_typed) {
            return Ok(Filling { place, element, source: Source::Values(packed(source)?) });
        }
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

/// A sampler and its state, as the command line writes it: `s0=linear,repeat`, `0:1[2]=nearest,clamp-to-edge`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SamplerText {
    /// The sampler, or the image with one.
    pub place: Place,
    /// The element of an array of descriptors; where absent, every one that is not named by itself.
    pub element: Option<u32>,
    /// Its state.
    pub state: SamplerState,
}

impl FromStr for SamplerText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (place, state) = text.split_once('=').ok_or("expected s0=linear,repeat or 0:1=linear,repeat")?;
        let (place, element) = place_and_element(place)?;
        Ok(SamplerText { place, element, state: state.parse()? })
    }
}

/// Push constants as they are typed, until the program is known whose block they are of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PushText {
    /// Members by name.
    Named(String),
    /// Bytes.
    Bytes(PushBytes),
}

/// The most bytes of a file of push constants.
const PUSH_FILE: u64 = 1 << 20;

impl PushText {
    /// Members by name, or a file that has them: `@FILE`.
    ///
    /// # Errors
    /// A file that cannot be read, or is not a text.
    pub fn read(text: &str) -> Result<PushText, String> {
        let Some(file) = text.strip_prefix('@') else { return Ok(PushText::Named(text.to_owned())) };
        let bytes = read_at_most(Path::new(file), PUSH_FILE)?;
        let text = String::from_utf8(bytes).map_err(|error| format!("{file}: not UTF-8: {error}"))?;
        Ok(PushText::Named(text))
    }

    /// Bytes in hexadecimal digits.
    ///
    /// # Errors
    /// What is not that.
    pub fn hex(text: &str) -> Result<PushText, String> {
        from_hex(text).map(PushText::Bytes)
    }
}

/// What fills the runs of a program that is open, before it is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filled {
    /// Buffers and images.
    pub fillings: Vec<Filling>,
    /// Push constants by name.
    pub push: String,
}

impl Filled {
    /// Reads the files.
    ///
    /// # Errors
    /// The file that cannot be read, and why.
    pub fn read(&self) -> Result<Contents, String> {
        Ok(Contents::read(&self.fillings)?.with_push(vec![PushText::Named(self.push.clone())]))
    }
}

/// Contents that were read, until the program is known whose descriptors they fill.
#[derive(Debug, Default)]
pub struct Contents {
    fillings: Vec<(Place, Option<u32>, Content)>,
    samplers: Vec<SamplerText>,
    push: Vec<PushText>,
    draw: DrawText,
}

/// A draw as it is typed, until the program is known whose attributes it has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DrawText {
    /// The text of a file with vertices, and its name.
    pub vertices: Option<(String, String)>,
    /// The same of indices.
    pub indices: Option<(String, String)>,
    /// How many vertices or indices are drawn.
    pub count: Option<u32>,
    /// How many instances.
    pub instances: Option<u32>,
    /// What the vertices form.
    pub topology: Option<Topology>,
    /// Width and height of the attachments.
    pub size: Option<[u32; 2]>,
}

impl DrawText {
    /// The text of a file, and its name.
    ///
    /// # Errors
    /// A file that cannot be read, or is not a text.
    pub fn file(path: &Path) -> Result<(String, String), String> {
        let name = path.display().to_string();
        let text = String::from_utf8(read_at_most(path, MAX_BUFFER)?);
        text.map(|text| (text, name.clone())).map_err(|error| format!("{name}: not UTF-8: {error}"))
    }

    /// The draw of a program.
    ///
    /// # Errors
    /// A program that draws nothing; a table that does not have its attributes.
    fn of(&self, program: &Program) -> Result<DrawInputs, String> {
        if *self == DrawText::default() {
            return Ok(DrawInputs::default());
        }
        if !program.stages.iter().any(|stage| stage.stage.is_graphics()) {
            return Err(
                "vertices, instances and sizes are of a draw, but the program is not a graphics pipeline".to_owned()
            );
        }
        let vertices = match &self.vertices {
            Some((text, file)) => {
                let attributes = attributes_of(program).map_err(|error| error.to_string())?;
                Some(inputs::vertices(text, &attributes, file)?)
            }
            None => None,
        };
        let indices = self.indices.as_ref().map(|(text, file)| inputs::indices(text, file)).transpose()?;
        let DrawText { count, instances, topology, size, .. } = *self;
        Ok(DrawInputs { vertices, indices, count, instances, topology, size, ..DrawInputs::default() })
    }
}

impl Contents {
    /// Reads the files.
    ///
    /// # Errors
    /// The file that cannot be read, and why.
    pub fn read(fillings: &[Filling]) -> Result<Contents, String> {
        let one = |filling: &Filling| {
            let content = match &filling.source {
                Source::Bytes(bytes) => Content::Size(*bytes),
                Source::Values(bytes) => Content::Bytes(Blob(bytes.clone())),
                Source::File(path) => Content::Bytes(Blob(read_at_most(path, MAX_BUFFER)?)),
            };
            Ok((filling.place, filling.element, content))
        };
        fillings
            .iter()
            .map(one)
            .collect::<Result<_, String>>()
            .map(|fillings| Contents { fillings, ..Contents::default() })
    }

    /// With states of samplers.
    #[must_use]
    pub fn with_samplers(self, samplers: Vec<SamplerText>) -> Contents {
        Contents { samplers, ..self }
    }

    /// With push constants, in the order in which they lie over each other.
    #[must_use]
    pub fn with_push(self, push: Vec<PushText>) -> Contents {
        Contents { push, ..self }
    }

    /// With a draw.
    #[must_use]
    pub fn with_draw(self, draw: DrawText) -> Contents {
        Contents { draw, ..self }
    }

    /// The push constants, for the blocks of a program.
    ///
    /// # Errors
    /// Those of [`assigned`]; bytes past the end of the blocks.
    pub fn push_constants(&self, program: &Program) -> Result<Vec<PushBytes>, String> {
        let blocks = PushBlock::of(program);
        let mut out = Vec::new();
        for push in &self.push {
            match push {
                PushText::Named(text) => out.extend(assigned(&blocks, text).map_err(|why| format!("--push: {why}"))?),
                PushText::Bytes(given) => {
                    let all = blocks.iter().map(PushBlock::bytes).max().unwrap_or(0);
                    let end = u64::from(given.offset) + given.bytes.0.len() as u64;
                    if end > all {
                        let has = match blocks.as_slice() {
                            [] => "the program has no push constant block".to_owned(),
                            _ => format!("the push constant block has {all} bytes"),
                        };
                        return Err(format!("--push-hex: bytes {} to {end}: {has}", given.offset));
                    }
                    out.push(given.clone());
                }
            }
        }
        Ok(out)
    }

    /// What fills the descriptors of a program: these contents, and a seed or zeros for the others. Registers name what
    /// is read back.
    ///
    /// # Errors
    /// See [`Contents::of`].
    pub fn inputs(&self, program: &Program, fill: u64, zeros: bool) -> Result<Inputs, String> {
        let (buffers, names) = (self.of(program)?, ResourceNames::of(program));
        let push_constants = self.push_constants(program)?;
        let draw = self.draw.of(program)?;
        let samplers = self.samplers_of(program)?;
        Ok(Inputs { fill, zeros, buffers, samplers, push_constants, draw, names, ..Inputs::default() })
    }

    fn samplers_of(&self, program: &Program) -> Result<Vec<GivenSampler>, String> {
        let mut out: Vec<GivenSampler> = Vec::new();
        for SamplerText { place, element, state } in &self.samplers {
            let (set, binding) = place.find(program)?;
            if out.iter().any(|given| (given.set, given.binding, given.element) == (set, binding, *element)) {
                return Err(format!("--sampler: {place} is set more than once: it is set {set}, binding {binding}"));
            }
            out.push(GivenSampler { set, binding, element: *element, state: *state });
        }
        Ok(out)
    }

    /// The contents, for the descriptors of a program.
    ///
    /// # Errors
    /// A name that the program does not have, or that two of them mean; an element that is not there.
    pub fn of(&self, program: &Program) -> Result<Vec<Given>, String> {
        let mut out: Vec<Given> = Vec::new();
        for (place, element, content) in &self.fillings {
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
            let content = match content {
                Content::Bytes(Blob(bytes)) if image_files::is_one(bytes) && is_image(program, set, binding) => {
                    let image = image_files::contents(program, (set, binding), bytes);
                    Content::Image(image.map_err(|why| format!("{place}: {why}"))?)
                }
                other => other.clone(),
            };
            out.push(Given { set, binding, element: *element, content });
        }
        Ok(out)
    }
}

fn is_image(program: &Program, set: u32, binding: u32) -> bool {
    fillable(program).iter().any(|one| (one.set, one.binding) == (set, binding) && one.kind == "image")
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
    fn numbers_are_typed() {
        let source = |text: &str| text.parse::<Filling>().map(|filling| filling.source);
        assert_eq!(source("0.1=uint8_t 1,2"), Ok(Source::Values(vec![1, 2])));
        assert_eq!(source("0:1=uint"), Ok(Source::File(PathBuf::from("uint"))), "a file of this name");
        assert_eq!(source("0:1=my file.bin"), Ok(Source::File(PathBuf::from("my file.bin"))));
        assert!(source("0:1=uint -1").is_err_and(|why| why.contains("does not fit")));
    }

    #[test]
    fn names_a_file_that_cannot_be_read() {
        let missing: Filling = "0:0=/nowhere/numbers.bin".parse().expect("reads");
        let error = Contents::read(&[missing]).expect_err("there is no such file");
        assert!(error.starts_with("/nowhere/numbers.bin: cannot be read"), "{error}");
    }
}
