//! The reader.

mod buffer;
mod command;
mod pipeline;
mod rays;
mod shader;
mod state;
mod tokens;

use std::collections::HashMap;

use crate::error::Error;
use crate::number::Number;
use crate::script::{Line, Requirement, RequirementKind, Script};
use crate::types::layout::{self, Layout, Member, Packing, Struct};
use crate::types::{DataType, ImageFormat, Numbers};
pub(crate) use buffer::numbers;
use tokens::{Token, Tokens, quoted};

/// The longest script, in bytes.
pub const MAX_TEXT: usize = 32 << 20;

/// Whether a text begins as a script does.
pub fn looks_like(bytes: &[u8]) -> bool {
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii_end() == b"#!amber"
}

/// Reads a script. Bytes that are not UTF-8 are replaced.
///
/// # Errors
/// What is not of the language, with its line.
pub fn read(bytes: &[u8]) -> Result<Script, Error> {
    if bytes.len() > MAX_TEXT {
        return Err(Error::new(1, format!("at most {MAX_TEXT} bytes"), format!("{} bytes", bytes.len())));
    }
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut reader =
        Reader { tokens: Tokens::of(text), script: Script::default(), names: HashMap::new(), layouts: Vec::new() };
    while let Some(word) = reader.statement()? {
        reader.item(word)?;
    }
    Ok(reader.script)
}

/// What a name is of: names of one kind are distinct.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Named {
    File,
    Struct,
    Shader,
    Sampler,
    Buffer,
    BottomLevel,
    TopLevel,
    Pipeline,
}

impl Named {
    /// Its noun.
    fn noun(self) -> &'static str {
        match self {
            Named::File => "a VIRTUAL_FILE",
            Named::Struct => "a structure",
            Named::Shader => "a shader",
            Named::Sampler => "a sampler",
            Named::Buffer => "a buffer",
            Named::BottomLevel => "a bottom level",
            Named::TopLevel => "a top level",
            Named::Pipeline => "a pipeline",
        }
    }
}

struct Reader<'t> {
    tokens: Tokens<'t>,
    script: Script,
    /// The names that are declared, with their places in the script's lists.
    names: HashMap<(Named, String), usize>,
    layouts: Vec<(String, [Layout; 2])>,
}

type Read<T> = Result<T, Error>;

impl<'t> Reader<'t> {
    /// The word that begins the next statement; none at the end of the file.
    fn statement(&mut self) -> Read<Option<&'t str>> {
        loop {
            let line = self.tokens.line;
            match self.tokens.next()? {
                Token::Newline => {}
                Token::End => return Ok(None),
                Token::Word(word) => return Ok(Some(word)),
                other => return Err(Error::new(line, "a command", other.called())),
            }
        }
    }

    /// The word that begins the next statement of a block; none at its `END`.
    fn in_block(&mut self, block: &str) -> Read<Option<&'t str>> {
        match self.statement()? {
            Some("END") => Ok(None),
            Some(word) => Ok(Some(word)),
            None => Err(self.wrong(format!("END of {block}"), "the end of the file")),
        }
    }

    fn item(&mut self, word: &'t str) -> Read<()> {
        match word {
            "DEVICE_FEATURE" | "DEVICE_PROPERTY" | "DEVICE_EXTENSION" | "INSTANCE_EXTENSION" => self.requirement(word),
            "SET" => self.engine_data(),
            "VIRTUAL_FILE" => self.virtual_file(),
            "STRUCT" => self.structure(),
            "SHADER" => self.shader(),
            "SAMPLER" => self.sampler(),
            "BUFFER" => self.buffer(),
            "IMAGE" => self.image(),
            "ACCELERATION_STRUCTURE" => self.acceleration_structure(),
            "PIPELINE" => self.pipeline(),
            "DERIVE_PIPELINE" => self.derived_pipeline(),
            "REPEAT" => self.repeat(),
            _ => match self.command(word)? {
                Some(command) => {
                    self.script.commands.push(command);
                    Ok(())
                }
                None => Err(self.wrong("a command", quoted(word))),
            },
        }
    }

    /// An error at this line.
    fn wrong(&self, expected: impl Into<String>, found: impl Into<String>) -> Error {
        Error::new(self.tokens.line, expected, found)
    }

    fn line(&self) -> Line {
        Line(self.tokens.line)
    }

    /// Any word.
    fn word(&mut self, expected: &str) -> Read<&'t str> {
        let line = self.tokens.line;
        match self.tokens.next()? {
            Token::Word(word) => Ok(word),
            other => Err(Error::new(line, expected, other.called())),
        }
    }

    /// This word.
    fn keyword(&mut self, keyword: &str) -> Read<()> {
        let line = self.tokens.line;
        match self.tokens.next()? {
            Token::Word(word) if word == keyword => Ok(()),
            other => Err(Error::new(line, keyword, other.called())),
        }
    }

    /// Whether this word is next; then it is read.
    fn eat(&mut self, keyword: &str) -> Read<bool> {
        let is_next = self.tokens.peek()? == Token::Word(keyword);
        if is_next {
            self.tokens.next()?;
        }
        Ok(is_next)
    }

    /// The next word of this line; none at its end.
    fn option(&mut self) -> Read<Option<&'t str>> {
        if self.tokens.at_line_end()? { Ok(None) } else { self.word("a word").map(Some) }
    }

    /// A word that is one of a list.
    fn one_of<T: Copy>(&mut self, what: &str, all: &[T], name: fn(T) -> &'static str) -> Read<T> {
        let line = self.tokens.line;
        let found = self.tokens.next()?;
        let known = match found {
            Token::Word(word) => all.iter().copied().find(|one| name(*one) == word),
            _ => None,
        };
        known.ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|one| name(*one)).collect();
            Error::new(line, format!("{what}: {}", names.join(", ")), found.called())
        })
    }

    /// `on` or `off`.
    fn switch(&mut self, what: &str) -> Read<bool> {
        self.one_of(what, &[true, false], |on| if on { "on" } else { "off" })
    }

    fn number(&mut self, expected: &str) -> Read<Number> {
        let line = self.tokens.line;
        match self.tokens.next()? {
            Token::Number(number) => Ok(number),
            other => Err(Error::new(line, expected, other.called())),
        }
    }

    /// A whole number from 0 to 2^32 - 1.
    fn count(&mut self, expected: &str) -> Read<u32> {
        self.wide_count(expected).and_then(|value| {
            u32::try_from(value).map_err(|_| self.wrong(format!("{expected} of 32 bits"), quoted(&value.to_string())))
        })
    }

    /// A whole number from 0 to 2^64 - 1.
    fn wide_count(&mut self, expected: &str) -> Read<u64> {
        let line = self.tokens.line;
        match self.tokens.next()? {
            Token::Number(Number::Unsigned(value) | Number::Hex(value)) => Ok(value),
            other => Err(Error::new(line, expected, other.called())),
        }
    }

    /// A whole number from 1 to 2^32 - 1.
    fn positive(&mut self, expected: &str) -> Read<u32> {
        match self.count(expected)? {
            0 => Err(self.wrong(format!("{expected} above 0"), "`0`")),
            value => Ok(value),
        }
    }

    /// A whole number from 0 to 255.
    fn byte(&mut self, expected: &str) -> Read<u8> {
        let value = self.count(expected)?;
        u8::try_from(value).map_err(|_| self.wrong(format!("{expected} from 0 to 255"), quoted(&value.to_string())))
    }

    /// A number of a state, which `nan` is not.
    fn float(&mut self, expected: &str) -> Read<f32> {
        let value = self.number(expected)?.value();
        if value.is_nan() { Err(self.wrong(expected, "`nan`")) } else { Ok(value as f32) }
    }

    /// The end of the line.
    fn end(&mut self) -> Read<()> {
        let line = self.tokens.line;
        match self.tokens.next()? {
            Token::Newline | Token::End => Ok(()),
            other => Err(Error::new(line, "the end of the line", other.called())),
        }
    }

    /// A path, which may be in quotes.
    fn path(&mut self, expected: &str) -> Read<String> {
        let line = self.tokens.line;
        match self.tokens.next()? {
            Token::Word(word) => Ok(word.to_owned()),
            Token::Quoted(text) => Ok(text),
            other => Err(Error::new(line, expected, other.called())),
        }
    }

    /// A name that is declared here.
    fn new_name(&mut self, named: Named, index: usize) -> Read<String> {
        let name = self.word(&format!("the name of {}", named.noun()))?.to_owned();
        self.declare(named, name, index)
    }

    fn declare(&mut self, named: Named, name: String, index: usize) -> Read<String> {
        match self.names.insert((named, name.clone()), index) {
            None => Ok(name),
            Some(_) => Err(self.wrong(
                format!("a new name of {}", named.noun()),
                format!("{}, which is declared before", quoted(&name)),
            )),
        }
    }

    /// A name that is declared before.
    fn known_name(&mut self, named: Named) -> Read<(String, usize)> {
        let name = self.word(&format!("the name of {}", named.noun()))?;
        self.known(named, name)
    }

    fn known(&self, named: Named, name: &str) -> Read<(String, usize)> {
        match self.names.get(&(named, name.to_owned())) {
            Some(index) => Ok((name.to_owned(), *index)),
            None => Err(self.wrong(format!("the name of {} before this line", named.noun()), quoted(name))),
        }
    }

    fn requirement(&mut self, word: &str) -> Read<()> {
        let line = self.line();
        let kind = RequirementKind::ALL.iter().copied().find(|kind| kind.name() == word);
        let kind = kind.ok_or_else(|| self.wrong("a requirement", quoted(word)))?;
        let name = self.word("the name of a requirement")?.to_owned();
        self.script.requirements.push(Requirement::Device { line, kind, name });
        self.end()
    }

    fn engine_data(&mut self) -> Read<()> {
        let line = self.line();
        self.keyword("ENGINE_DATA")?;
        self.keyword("fence_timeout_ms")?;
        let milliseconds = self.count("milliseconds")?;
        self.script.requirements.push(Requirement::FenceTimeout { line, milliseconds });
        self.end()
    }

    /// The type of a buffer or member.
    fn data_type(&mut self) -> Read<DataType> {
        let name = self.word("a type")?;
        if self.names.contains_key(&(Named::Struct, name.to_owned())) {
            return Ok(DataType::Struct(name.to_owned()));
        }
        let numbers = || Numbers::named(name).map(DataType::Numbers);
        let ty = ImageFormat::named(name).map(DataType::Format).or_else(numbers);
        ty.ok_or_else(|| {
            self.wrong("a type (`uint32`, `vec3<float>`), a format or a structure before this line", quoted(name))
        })
    }

    fn image_format(&mut self) -> Read<DataType> {
        let name = self.word("a format")?;
        let format = ImageFormat::named(name).map(DataType::Format);
        format.ok_or_else(|| self.wrong("a format (`R8G8B8A8_UNORM`)", quoted(name)))
    }

    fn layout_of(&self, ty: &DataType, packing: Packing) -> Read<Layout> {
        layout::of(ty, packing, &self.layouts).map_err(|found| self.wrong("a type that can be laid out", found))
    }

    fn structure(&mut self) -> Read<()> {
        let line = self.line();
        let index = self.script.structs.len();
        let name = self.word("the name of a structure")?.to_owned();
        let stride = if self.eat("STRIDE")? { Some(self.count("a stride in bytes")?) } else { None };
        self.end()?;
        let mut members: Vec<Member> = Vec::new();
        while self.peek_in_block("STRUCT")? {
            let ty = self.data_type()?;
            if matches!(ty, DataType::Numbers(Numbers { array: true, .. })) {
                return Err(self.wrong("a type without `[]`", quoted(&ty.to_string())));
            }
            let name = self.word("the name of a member")?.to_owned();
            if members.iter().any(|other| other.name == name) {
                return Err(self.wrong("a new name of a member", quoted(&name)));
            }
            let mut member = Member { name, ty, offset: None, matrix_stride: None };
            while let Some(option) = self.option()? {
                match option {
                    "OFFSET" => member.offset = Some(self.count("an offset in bytes")?),
                    "MATRIX_STRIDE" if matches!(member.ty, DataType::Numbers(Numbers { columns: 2.., .. })) => {
                        member.matrix_stride = Some(self.count("a stride in bytes")?);
                    }
                    other => return Err(self.wrong("OFFSET, or MATRIX_STRIDE of a matrix", quoted(other))),
                }
            }
            members.push(member);
            if members.len() > layout::MAX_NUMBERS {
                return Err(self.wrong(format!("at most {} members", layout::MAX_NUMBERS), "one more"));
            }
        }
        self.declare(Named::Struct, name.clone(), index)?;
        let structure = Struct { line, name, stride, members };
        let layouts = layout::of_struct(&structure, &self.layouts)
            .map_err(|found| Error::new(line.0, "a structure that can be laid out", found))?;
        self.layouts.push((structure.name.clone(), layouts));
        self.script.structs.push(structure);
        self.end()
    }

    /// Whether a block goes on; its `END` is read.
    fn peek_in_block(&mut self, block: &str) -> Read<bool> {
        loop {
            match self.tokens.peek()? {
                Token::Newline => drop(self.tokens.next()?),
                Token::Word("END") => {
                    self.tokens.next()?;
                    return Ok(false);
                }
                Token::End => return Err(self.wrong(format!("END of {block}"), "the end of the file")),
                _ => return Ok(true),
            }
        }
    }
}

#[cfg(test)]
mod tests;
