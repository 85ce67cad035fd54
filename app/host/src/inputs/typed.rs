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
        let push = vec![PushText::Named(self.push.clone())];
        Ok(Contents::read(&all)?.with_samplers(samplers(&self.samplers)?).with_push(push).with_draw(draw))
    }
}

/// Refuses a text that does not fit a program. Files are not read.
///
/// # Errors
/// What does not fit.
pub fn check(of: RunText, text: &str, program: &Program) -> Result<(), String> {
    match of {
        RunText::Push => assigned(&PushBlock::of(program), text).map(|_| ()),
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
}
