//! Inputs of runs as they are typed beside a program that is open: what the flags take, several in one text.

use std::path::{Path, PathBuf};

use lanescope_core::program::Program;
use lanescope_core::run::inputs::{PushBlock, assigned};
use lanescope_inspector::tasks::RunText;

use super::{Contents, DrawSource, Filling, PushText, SamplerText, place_and_element};

/// What fills the runs of a program that is open, before it is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filled {
    /// Buffers and images, from files that were chosen.
    pub fillings: Vec<Filling>,
    /// Buffers and images that are typed.
    pub buffers: String,
    /// States of samplers.
    pub samplers: String,
    /// Push constants by name.
    pub push: String,
    /// What is drawn.
    pub draw: String,
    /// What names of files are relative to.
    pub folder: PathBuf,
}

impl Filled {
    /// Reads the files.
    ///
    /// # Errors
    /// What cannot be read as what it is typed for; the file that cannot be read, and why.
    pub fn read(&self) -> Result<Contents, String> {
        let typed = fillings(&self.buffers)?.into_iter().map(|filling| filling.within(&self.folder));
        let all: Vec<Filling> = self.fillings.iter().cloned().chain(typed).collect();
        let draw = self.draw.parse::<DrawSource>()?.read(&self.folder)?;
        let push = push(&self.push).map(|part| PushText::read(part, &self.folder));
        let push = push.collect::<Result<_, _>>().map_err(|why| format!("--push: {why}"))?;
        Ok(Contents::read(&all)?.with_samplers(samplers(&self.samplers)?).with_push(push).with_draw(draw))
    }
}

/// Refuses a text that does not fit a program. Files are not read.
///
/// # Errors
/// What does not fit.
pub fn check(of: RunText, text: &str, program: &Program) -> Result<(), String> {
    match of {
        RunText::Push => {
            let blocks = PushBlock::of(program);
            let mut members = push(text).filter(|part| !part.starts_with('@'));
            members.try_for_each(|part| assigned(&blocks, part).map(|_| ()))
        }
        RunText::Buffers => fillings(text)?.iter().try_for_each(|filling| filling.place.find(program).map(|_| ())),
        RunText::Samplers => Contents::default().with_samplers(samplers(text)?).samplers_of(program).map(|_| ()),
        RunText::Draw => text.parse::<DrawSource>().map(|_| ()),
    }
}

/// `u0=64; 0:1=uint 1,2; float 3; t0=picture.png`: what follows a `;` and names no resource belongs to what is before.
fn fillings(text: &str) -> Result<Vec<Filling>, String> {
    let names = |part: &str| part.split_once('=').is_some_and(|(place, _)| place_and_element(place.trim()).is_ok());
    let mut parts: Vec<String> = Vec::new();
    for part in text.split(';') {
        match parts.last_mut() {
            Some(before) if !names(part) && !part.trim().is_empty() => *before = format!("{before};{part}"),
            _ if part.trim().is_empty() => {}
            _ => parts.push(part.trim().to_owned()),
        }
    }
    parts.iter().map(|part| part.parse().map_err(|why| format!("`{part}`: {why}"))).collect()
}

/// `scale=2; @draw.txt`: members by name, and files that have them.
fn push(text: &str) -> impl Iterator<Item = &str> {
    text.split(';').map(str::trim).filter(|part| !part.is_empty())
}

/// `s0=linear,repeat; 0:1=nearest`.
fn samplers(text: &str) -> Result<Vec<SamplerText>, String> {
    let parts = text.split(';').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| part.parse().map_err(|why| format!("`{part}`: {why}"))).collect()
}

impl Filling {
    /// With its file in a folder.
    fn within(self, folder: &Path) -> Filling {
        Filling { source: self.source.within(folder), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Source;
    use super::*;
    use lanescope_core::run::Place;

    #[test]
    fn several_are_typed_in_one_text() {
        let found = fillings("u0=64; 0:1=uint 1,2; float 3 ;t0=a.png;").expect("reads");
        let sources: Vec<_> = found.iter().map(|filling| (filling.place, filling.source.clone())).collect();
        let values = Source::Values([1u32.to_le_bytes(), 2u32.to_le_bytes(), 3f32.to_le_bytes()].concat());
        let expected = [
            (Place::Register('u', 0, 0), Source::Bytes(64)),
            (Place::Descriptor(0, 1), values),
            (Place::Register('t', 0, 0), Source::File(PathBuf::from("a.png"))),
        ];
        assert_eq!(sources, expected);
        assert!(fillings("u0").is_err_and(|why| why.contains("`u0`: expected")));
        assert_eq!(fillings(" ;; "), Ok(Vec::new()));
        assert_eq!(samplers("s0=linear,repeat; 0:1[2]=nearest").map(|all| all.len()), Ok(2));
        assert!(samplers("s0=cubic").is_err_and(|why| why.contains("`s0=cubic`: `cubic`")));
    }

    #[test]
    fn names_of_files_are_relative_to_the_program() {
        let read = |buffers: &str, draw: &str| {
            let (buffers, draw) = (buffers.to_owned(), draw.to_owned());
            Filled { buffers, draw, folder: PathBuf::from("/nowhere"), ..Filled::default() }.read().err()
        };
        let why = read("u0=a.bin", "").expect("is refused");
        assert!(why.contains("/nowhere/a.bin: cannot be read"), "{why}");
        let why = read("", "depth=d.png").expect("is refused");
        assert!(why.contains("--depth: /nowhere/d.png: cannot be read"), "{why}");
    }

    #[test]
    fn files_of_push_constants_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("draw.txt"), "# the draw\nsize = 1, 2\n").expect("writes");
        let shader = "layout(push_constant) uniform P { float scale; uvec2 size; };
            layout(binding = 0) buffer B { float x; }; void main() { x = scale + size.x; }";
        let program = lanescope_testing::program(&[("comp", shader)]);
        let given = |push: &str| {
            let filled = Filled { push: push.to_owned(), folder: folder.path().to_owned(), ..Filled::default() };
            filled.read().and_then(|contents| contents.push_constants(&program))
        };
        let by_name = given("scale=2; size=1,2");
        assert!(by_name.is_ok());
        for text in ["scale=2; @draw.txt", "@draw.txt; scale=2", " @draw.txt ;scale=2"] {
            assert_eq!(check(RunText::Push, text, &program), Ok(()), "{text}");
            let mut found = given(text).expect("reads");
            found.sort_by_key(|part| part.offset);
            let bytes = |all: &[lanescope_core::run::inputs::PushBytes]| {
                all.iter().flat_map(|part| part.bytes.0.clone()).collect::<Vec<u8>>()
            };
            assert_eq!(Ok(bytes(&found)), by_name.as_deref().map(bytes), "{text}");
        }
        let why = given("@none.txt").expect_err("is refused");
        assert!(why.starts_with("--push: ") && why.contains("none.txt: cannot be read"), "{why}");
        assert!(check(RunText::Push, "@draw.txt; scal=2", &program).is_err_and(|why| why.contains("`scal`")));
    }
}
