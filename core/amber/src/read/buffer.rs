//! Buffers and images.

use super::tokens::{Token, Tokens};
use super::{Named, Read, Reader, quoted};
use crate::bytes;
use crate::error::Error;
use crate::number::Number;
use crate::script::{Buffer, BufferForm, Dimension, FileForm, Initializer, Size};
use crate::types::layout::{Layout, Packing};

impl Reader<'_> {
    pub(super) fn buffer(&mut self) -> Read<()> {
        let line = self.line();
        let name = self.new_name(Named::Buffer, self.script.buffers.len())?;
        let is_format = self.one_of("the form of a buffer", &[false, true], form)?;
        let (ty, form, initializer) = if is_format {
            let ty = self.image_format()?;
            let (mut mip_levels, mut samples, mut initializer) = (None, None, Initializer::Absent);
            while let Some(option) = self.option()? {
                match option {
                    "MIP_LEVELS" => mip_levels = Some(self.mip_levels()?),
                    "SAMPLES" => samples = Some(self.samples()?),
                    "FILE" => initializer = self.file()?,
                    other => return Err(self.wrong("MIP_LEVELS, SAMPLES or FILE", quoted(other))),
                }
            }
            (ty, BufferForm::Attachment { mip_levels, samples }, initializer)
        } else {
            let ty = self.data_type()?;
            let packing = match self.tokens.peek()? {
                Token::Word("STD140" | "STD430") => Some(self.one_of("a layout", Packing::ALL, Packing::name)?),
                _ => None,
            };
            let layout = self.layout_of(&ty, packing.unwrap_or(Packing::Std430))?;
            let (size, initializer) = self.size_and_initializer(&layout)?;
            (ty, BufferForm::Elements { packing, size }, initializer)
        };
        self.end()?;
        self.script.buffers.push(Buffer { line, name, form, ty, initializer });
        Ok(())
    }

    fn size_and_initializer(&mut self, layout: &Layout) -> Read<(Size, Initializer)> {
        if self.eat("SIZE")? {
            let size = self.count("a count of elements")?;
            self.bounded(layout, u64::from(size))?;
            if self.eat("FILE")? {
                return Ok((Size::Elements(size), self.file()?));
            }
            return match self.initializer(layout)? {
                // The data alone would state the size.
                Initializer::Absent | Initializer::Data(_) => {
                    Err(self.wrong("FILL, SERIES_FROM or FILE after SIZE", "another initializer"))
                }
                initializer => Ok((Size::Elements(size), initializer)),
            };
        }
        if self.eat("WIDTH")? {
            let width = self.positive("a width")?;
            self.keyword("HEIGHT")?;
            let height = self.positive("a height")?;
            self.bounded(layout, u64::from(width) * u64::from(height))?;
            let size = Size::Area { width, height };
            return match self.initializer(layout)? {
                Initializer::Data(_) => {
                    Err(self.wrong("FILL, SERIES_FROM or the end of the line after HEIGHT", "`DATA`"))
                }
                initializer => Ok((size, initializer)),
            };
        }
        match self.initializer(layout)? {
            data @ Initializer::Data(_) => Ok((Size::OfData, data)),
            _ => Err(self.wrong("SIZE, WIDTH or DATA", "another initializer")),
        }
    }

    /// What a buffer contains at first, if this line says it.
    fn initializer(&mut self, layout: &Layout) -> Read<Initializer> {
        if self.eat("DATA")? {
            return Ok(Initializer::Data(self.data(layout)?));
        }
        let is_fill = self.eat("FILL")?;
        if !is_fill && !self.eat("SERIES_FROM")? {
            return match self.tokens.at_line_end()? {
                true => Ok(Initializer::Absent),
                false => {
                    Err(self.wrong("DATA, FILL, SERIES_FROM or the end of the line", self.tokens.peek()?.called()))
                }
            };
        }
        if layout.segments.is_empty() {
            return Err(self.wrong("a type of numbers", "a format whose components are not whole numbers"));
        }
        let first = self.number("a number")?;
        if is_fill {
            return Ok(Initializer::Fill(first));
        }
        if layout.segments.len() > 1 {
            return Err(self.wrong("a type of one number with SERIES_FROM", "a type of several"));
        }
        self.keyword("INC_BY")?;
        Ok(Initializer::Series { from: first, by: self.number("a number")? })
    }

    /// Numbers up to `END`.
    fn data(&mut self, layout: &Layout) -> Read<Vec<Number>> {
        let mut out = Vec::new();
        while self.peek_in_block("DATA")? {
            let number = self.number("a number or END")?;
            self.fits(layout, out.len(), number)?;
            out.push(number);
        }
        // The last element may be short: the rest of it is zero.
        self.bounded(layout, out.len().div_ceil(layout.segments.len().max(1)) as u64)?;
        Ok(out)
    }

    /// Whether a number can be that of its place among the numbers of elements.
    pub(super) fn fits(&self, layout: &Layout, index: usize, number: Number) -> Read<()> {
        match misfit(layout, index, number) {
            Some((expected, found)) => Err(self.wrong(expected, found)),
            None => Ok(()),
        }
    }

    /// Whether so many elements are not too large.
    fn bounded(&self, layout: &Layout, elements: u64) -> Read<()> {
        let size = elements.saturating_mul(u64::from(layout.size));
        let most = bytes::MAX_BUFFER as u64;
        if size > most {
            Err(self.wrong(format!("a buffer of at most {most} bytes"), format!("{size} bytes")))
        } else {
            Ok(())
        }
    }

    fn file(&mut self) -> Read<Initializer> {
        let form = match self.tokens.peek()? {
            Token::Word("TEXT" | "BINARY" | "PNG") => {
                self.one_of("the form of a file", FileForm::ALL, FileForm::name)?
            }
            _ => FileForm::Png,
        };
        Ok(Initializer::File { form, path: self.path("the path of a file")? })
    }

    fn mip_levels(&mut self) -> Read<u32> {
        match self.positive("a count of mip levels")? {
            levels @ 1..=32 => Ok(levels),
            levels => Err(self.wrong("at most 32 mip levels", format!("`{levels}`"))),
        }
    }

    fn samples(&mut self) -> Read<u32> {
        match self.count("a count of samples")? {
            samples @ (1 | 2 | 4 | 8 | 16 | 32 | 64) => Ok(samples),
            samples => Err(self.wrong("1, 2, 4, 8, 16, 32 or 64 samples", format!("`{samples}`"))),
        }
    }

    pub(super) fn image(&mut self) -> Read<()> {
        let line = self.line();
        let name = self.new_name(Named::Buffer, self.script.buffers.len())?;
        let (mut ty, mut dimension, mut is_format) = (None, None, false);
        let (mut extent, mut mip_levels, mut samples) = ([None; 3], None, None);
        while let Token::Word(word) = self.tokens.peek()? {
            if matches!(word, "DATA" | "FILL" | "SERIES_FROM") {
                break;
            }
            self.tokens.next()?;
            match word {
                "DATA_TYPE" => (ty, is_format) = (Some(self.data_type()?), false),
                "FORMAT" => (ty, is_format) = (Some(self.image_format()?), true),
                "MIP_LEVELS" => mip_levels = Some(self.mip_levels()?),
                "SAMPLES" => samples = Some(self.samples()?),
                "WIDTH" => extent[0] = Some(self.positive("a width")?),
                "HEIGHT" => extent[1] = Some(self.positive("a height")?),
                "DEPTH" => extent[2] = Some(self.positive("a depth")?),
                "DIM_1D" => dimension = Some(Dimension::One),
                "DIM_2D" => dimension = Some(Dimension::Two),
                "DIM_3D" => dimension = Some(Dimension::Three),
                other => return Err(self.wrong("an option of an image or its contents", quoted(other))),
            }
        }
        let dimension = dimension.ok_or_else(|| self.wrong("DIM_1D, DIM_2D or DIM_3D in IMAGE", "none"))?;
        let ty = ty.ok_or_else(|| self.wrong("FORMAT or DATA_TYPE in IMAGE", "none"))?;
        let counted = 1 + Dimension::ALL.iter().position(|one| *one == dimension).unwrap_or_default();
        if extent[..counted].contains(&None) || extent[counted..].iter().any(Option::is_some) {
            return Err(self.wrong(format!("WIDTH, HEIGHT and DEPTH as many as {dimension} has"), "others"));
        }
        let extent = extent.map(|size| size.unwrap_or(1));
        let layout = self.layout_of(&ty, Packing::Std430)?;
        let elements = extent.iter().fold(1, |all: u64, size| all.saturating_mul(u64::from(*size)));
        self.bounded(&layout, elements)?;
        let initializer = self.initializer(&layout)?;
        if let Initializer::Data(data) = &initializer {
            let needed = elements * layout.segments.len() as u64;
            if data.len() as u64 != needed {
                return Err(self.wrong(format!("{needed} numbers in DATA"), format!("{} numbers", data.len())));
            }
        }
        self.end()?;
        let form = BufferForm::Image { is_format, dimension, extent, mip_levels, samples };
        self.script.buffers.push(Buffer { line, name, form, ty, initializer });
        Ok(())
    }
}

/// The numbers of a file with the contents of a buffer: as those of DATA, without more.
///
/// # Errors
/// What is not a number, or not one of the type; more than `most` of them.
pub fn numbers(text: &str, layout: &Layout, most: usize) -> Result<Vec<Number>, Error> {
    let mut tokens = Tokens::of(text);
    let mut out = Vec::new();
    loop {
        let line = tokens.line;
        let number = match tokens.next()? {
            Token::Newline => continue,
            Token::End | Token::Word("END") => return Ok(out),
            Token::Number(number) => number,
            other => return Err(Error::new(line, "a number", other.called())),
        };
        if out.len() == most {
            return Err(Error::new(line, format!("{most} numbers"), "more"));
        }
        if let Some(why) = misfit(layout, out.len(), number) {
            return Err(Error::new(line, why.0, why.1));
        }
        out.push(number);
    }
}

/// What is expected where a number cannot be that of its place among the numbers of elements, and what it is.
fn misfit(layout: &Layout, index: usize, number: Number) -> Option<(String, String)> {
    if layout.segments.is_empty() {
        let found = "a format whose components are not whole numbers";
        return Some(("a type of numbers".to_owned(), found.to_owned()));
    }
    let scalar = layout.segments[index % layout.segments.len()].scalar;
    let fits = scalar.is_float() || number.integer().is_some();
    (!fits).then(|| (format!("a number of {scalar}"), quoted(&number.to_string())))
}

fn form(is_format: bool) -> &'static str {
    if is_format { "FORMAT" } else { "DATA_TYPE" }
}
