//! Contents of buffers and images of a run from files, for the command line and the window.

mod draw;
mod typed;

use std::path::{Path, PathBuf};
use std::str::FromStr;

use lanescope_core::gpu::{Content, Given, Inputs, MAX_BUFFER, fillable, texel_bytes};
use lanescope_core::program::Program;
use lanescope_core::run::inputs::{
    GivenSampler, ImageContents, NamedType, PushBlock, PushBytes, SamplerState, VkFormat, assigned, from_hex, packed,
};
use lanescope_core::run::{Blob, Place, ResourceNames};
use lanescope_core::text_format::counted;

use crate::files::{read_at_most, text_at_most};
use crate::image_files;

pub use draw::{DrawSource, DrawText, size};
pub use typed::{Filled, check};

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
    /// Texels of a format, for a texel buffer: numbers that are typed, or a file's bytes.
    Texels(VkFormat, Box<Source>),
}

impl Source {
    /// What stands after the resource.
    fn parse(text: &str) -> Result<Source, String> {
        if let Some((format, rest)) = text.split_once(':')
            && let Some(format) = VkFormat::named(&format.trim().replace('-', "_"))
        {
            return match Source::parse(rest.trim_start())? {
                Source::Bytes(_) => Err(format!("texels of format {format}: expected a file or numbers, not a size")),
                Source::Texels(..) => Err(format!("texels of format {format}: expected one format")),
                source => Ok(Source::Texels(format, Box::new(source))),
            };
        }
        let is_typed = |word: &str| NamedType::named(word).is_some() && text.trim_start().len() > word.len();
        if text.split_whitespace().next().is_some_and(is_typed) {
            return Ok(Source::Values(packed(text)?));
        }
        match text.parse() {
            Ok(bytes) => Ok(Source::Bytes(bytes)),
            Err(_) if text.is_empty() => Err("expected a file or a size after `=`".to_owned()),
            Err(_) => Ok(Source::File(PathBuf::from(text))),
        }
    }

    /// With its file in a folder.
    fn within(self, folder: &Path) -> Source {
        match self {
            Source::File(path) => Source::File(folder.join(path)),
            Source::Texels(format, source) => Source::Texels(format, Box::new(source.within(folder))),
            other => other,
        }
    }

    /// Reads its file.
    fn read(&self) -> Result<Content, String> {
        Ok(match self {
            Source::Bytes(bytes) => Content::Size(*bytes),
            Source::Values(bytes) => Content::Bytes(Blob(bytes.clone())),
            Source::File(path) => Content::Bytes(Blob(read_at_most(path, MAX_BUFFER)?)),
            Source::Texels(format, source) => match source.read()? {
                Content::Bytes(texels) => {
                    let contents = texels_of(*format, texels);
                    Content::Image(contents.map_err(|why| match source.as_ref() {
                        Source::File(path) => format!("{}: {why}", path.display()),
                        _ => why,
                    })?)
                }
                other => other,
            },
        })
    }
}

/// Texels of a texel buffer.
fn texels_of(format: VkFormat, texels: Blob) -> Result<ImageContents, String> {
    let each = texel_bytes(format).ok_or_else(|| format!("texels of format {format} are not supported"))?;
    let bytes = texels.0.len();
    let count = u32::try_from(bytes / each.max(1) as usize).unwrap_or(u32::MAX);
    if count == 0 || !bytes.is_multiple_of(each as usize) {
        return Err(format!(
            "{bytes} bytes of texels: expected a multiple of {each}, the size of one of format {format}"
        ));
    }
    Ok(ImageContents { size: [count, 1, 1], layers: 1, levels: 1, format: Some(format), texels })
}

impl FromStr for Filling {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (place, source) = text.split_once('=').ok_or("expected u0=FILE, 0:1=FILE or 0:1=BYTES")?;
        let (place, element) = place_and_element(place)?;
        let source = Source::parse(source)?;
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
    /// Members by name, or a file that has them: `@FILE`. Its name is relative to a folder.
    ///
    /// # Errors
    /// A file that cannot be read, or is not a text.
    pub fn read(text: &str, folder: &Path) -> Result<PushText, String> {
        let Some(file) = text.strip_prefix('@') else { return Ok(PushText::Named(text.to_owned())) };
        text_at_most(&folder.join(file), PUSH_FILE).map(PushText::Named)
    }

    /// Bytes in hexadecimal digits.
    ///
    /// # Errors
    /// What is not that.
    pub fn hex(text: &str) -> Result<PushText, String> {
        from_hex(text).map(PushText::Bytes)
    }
}

/// What fills a descriptor.
#[derive(Debug)]
struct ReadFilling {
    place: Place,
    /// Which descriptor of an array.
    element: Option<u32>,
    content: Content,
    /// The file that an image is read from.
    file: Option<PathBuf>,
}

/// Contents that were read, until the program is known whose descriptors they fill.
#[derive(Debug, Default)]
pub struct Contents {
    fillings: Vec<ReadFilling>,
    samplers: Vec<SamplerText>,
    push: Vec<PushText>,
    draw: DrawText,
}

impl Contents {
    /// Reads the files.
    ///
    /// # Errors
    /// The file that cannot be read, and why.
    pub fn read(fillings: &[Filling]) -> Result<Contents, String> {
        let one = |filling: &Filling| {
            let file = match &filling.source {
                Source::File(path) => Some(path.clone()),
                _ => None,
            };
            Ok(ReadFilling { place: filling.place, element: filling.element, content: filling.source.read()?, file })
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
        for ReadFilling { place, element, content, file } in &self.fillings {
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
                Content::Bytes(Blob(bytes))
                    if image_files::is_one(bytes) && kind_of(program, set, binding) == Some("image") =>
                {
                    let image = image_files::contents(program, (set, binding), bytes);
                    let name = || file.as_ref().map_or_else(String::new, |path| format!("{}: ", path.display()));
                    Content::Image(image.map_err(|why| format!("{place}: {}{why}", name()))?)
                }
                Content::Image(_) if kind_of(program, set, binding) != Some("texel buffer") => {
                    let kind = kind_of(program, set, binding).unwrap_or("no buffer or image");
                    return Err(format!(
                        "{place}: a format of texels is stated for what is not a texel buffer: {kind}"
                    ));
                }
                other => other.clone(),
            };
            out.push(Given { set, binding, element: *element, content });
        }
        Ok(out)
    }
}

/// What a descriptor is that can be filled.
fn kind_of(program: &Program, set: u32, binding: u32) -> Option<&'static str> {
    let all = fillable(program);
    all.iter().find(|one| (one.set, one.binding) == (set, binding)).map(|one| one.kind)
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
    fn texels_have_a_format() {
        let source = |text: &str| text.parse::<Filling>().map(|filling| filling.source);
        let read = |text: &str| source(text).and_then(|source| source.read());
        let Ok(Content::Image(contents)) = read("0:1=r16-uint:uint16_t 1,2,3") else { panic!("texels") };
        assert_eq!((contents.size, contents.format.and_then(VkFormat::name)), ([3, 1, 1], Some("R16_UINT")));
        let file = Source::File(PathBuf::from("a:b.bin"));
        assert_eq!(source("0:1=R8_UNORM:a:b.bin"), Ok(Source::Texels(VkFormat(9), Box::new(file.clone()))));
        assert_eq!(source("0:1=a:b.bin"), Ok(file), "no format");
        for (wrong, why) in [
            ("0:1=R8_UNORM:64", "expected a file or numbers, not a size"),
            ("0:1=R8_UNORM:R8_UNORM:a", "expected one format"),
            ("0:1=R8_UNORM:", "expected a file"),
            (
                "0:1=R32G32_UINT:uint 1",
                "4 bytes of texels: expected a multiple of 8, the size of one of format R32G32_UINT",
            ),
            ("0:1=BC1_RGB_UNORM_BLOCK:uint 1,2", "texels of format BC1_RGB_UNORM_BLOCK are not supported"),
            ("0:1=R8_UNORM:/nowhere/a.bin", "/nowhere/a.bin: cannot be read"),
        ] {
            assert!(read(wrong).is_err_and(|said| said.contains(why)), "{wrong}: {:?}", read(wrong));
        }
    }

    #[test]
    fn names_a_file_that_cannot_be_read() {
        let missing: Filling = "0:0=/nowhere/numbers.bin".parse().expect("reads");
        let error = Contents::read(&[missing]).expect_err("there is no such file");
        assert!(error.starts_with("/nowhere/numbers.bin: cannot be read"), "{error}");
    }
}
