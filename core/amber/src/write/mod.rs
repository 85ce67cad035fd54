//! The writer.

mod command;
mod pipeline;

use std::fmt::Write;

use crate::number::{Number, float};
use crate::read::read;
use crate::script::rays::{AccelerationStructure, InstanceFlag, Level};
use crate::script::state::Sampler;
use crate::script::{
    Buffer, BufferForm, Initializer, Requirement, Script, Shader, ShaderCode, ShaderSource, Size, VirtualFile,
};
use crate::types::layout::Struct;

/// Why a script has no text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// A name or text that does not read as itself: one with a space, or a shader with `END` in it.
    #[error("the text of the script does not read: {0}")]
    Unreadable(crate::Error),
    /// The text reads as another script.
    #[error("the text of the script reads as another script")]
    Different,
}

/// The text of a script, which reads as the same script. Lines are those of the new text.
///
/// # Errors
/// Where no text reads as the script.
pub fn write(script: &Script) -> Result<String, WriteError> {
    let mut out = Out { text: "#!amber\n".to_owned() };
    out.script(script);
    match read(out.text.as_bytes()) {
        Ok(again) if again == *script => Ok(out.text),
        Ok(_) => Err(WriteError::Different),
        Err(error) => Err(WriteError::Unreadable(error)),
    }
}

/// A text that grows.
struct Out {
    text: String,
}

impl Out {
    /// Adds text.
    fn add(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.text.write_fmt(text);
    }

    fn end_line(&mut self) {
        self.text.push('\n');
    }

    /// A keyword and its value, if any.
    fn option<T: std::fmt::Display>(&mut self, keyword: &str, value: Option<T>) {
        if let Some(value) = value {
            self.add(format_args!(" {keyword} {value}"));
        }
    }

    fn script(&mut self, script: &Script) {
        script.requirements.iter().for_each(|one| self.requirement(one));
        script.files.iter().for_each(|one| self.file(one));
        script.structs.iter().for_each(|one| self.structure(one));
        script.shaders.iter().for_each(|one| self.shader(one));
        script.samplers.iter().for_each(|one| self.sampler(one));
        script.buffers.iter().for_each(|one| self.buffer(one));
        script.structures.iter().for_each(|one| self.acceleration_structure(one));
        script.pipelines.iter().for_each(|one| self.pipeline(one));
        script.commands.iter().for_each(|one| self.command(one, ""));
    }

    fn requirement(&mut self, one: &Requirement) {
        match one {
            Requirement::Device { kind, name, .. } => self.add(format_args!("{kind} {name}\n")),
            Requirement::FenceTimeout { milliseconds, .. } => {
                self.add(format_args!("SET ENGINE_DATA fence_timeout_ms {milliseconds}\n"));
            }
        }
    }

    /// A text in quotes.
    fn quoted(&mut self, text: &str) {
        self.text.push('"');
        for c in text.chars() {
            match c {
                '\\' | '"' => self.text.extend(['\\', c]),
                '\n' => self.text.push_str("\\n"),
                c => self.text.push(c),
            }
        }
        self.text.push('"');
    }

    fn file(&mut self, one: &VirtualFile) {
        self.text.push_str("VIRTUAL_FILE ");
        self.quoted(&one.path);
        self.add(format_args!("\n{}END\n", one.text));
    }

    fn structure(&mut self, one: &Struct) {
        self.add(format_args!("STRUCT {}", one.name));
        self.option("STRIDE", one.stride);
        self.end_line();
        for member in &one.members {
            self.add(format_args!("  {} {}", member.ty, member.name));
            self.option("OFFSET", member.offset);
            self.option("MATRIX_STRIDE", member.matrix_stride);
            self.end_line();
        }
        self.text.push_str("END\n");
    }

    fn shader(&mut self, one: &Shader) {
        self.add(format_args!("SHADER {} {} ", one.stage, one.name));
        let ShaderCode::Given { format, target, source } = &one.code else {
            self.text.push_str("PASSTHROUGH\n");
            return;
        };
        self.add(format_args!("{format}"));
        if let Some(target) = target {
            self.text.push_str(" TARGET_ENV ");
            self.quoted(target);
        }
        match source {
            ShaderSource::Text(text) => self.add(format_args!("\n{text}END\n")),
            ShaderSource::VirtualFile(path) => {
                self.text.push_str(" VIRTUAL_FILE ");
                self.quoted(path);
                self.end_line();
            }
            ShaderSource::File(path) => {
                self.text.push_str(" FILE ");
                self.quoted(path);
                self.end_line();
            }
        }
    }

    fn sampler(&mut self, one: &Sampler) {
        self.add(format_args!("SAMPLER {}", one.name));
        self.option("MAG_FILTER", one.mag_filter);
        self.option("MIN_FILTER", one.min_filter);
        for (mode, direction) in one.address.iter().zip(["U", "V", "W"]) {
            self.option(&format!("ADDRESS_MODE_{direction}"), *mode);
        }
        self.option("BORDER_COLOR", one.border);
        self.option("MIN_LOD", one.min_lod.map(single));
        self.option("MAX_LOD", one.max_lod.map(single));
        match one.normalized {
            Some(true) => self.text.push_str(" NORMALIZED_COORDS"),
            Some(false) => self.text.push_str(" UNNORMALIZED_COORDS"),
            None => {}
        }
        self.option("COMPARE", one.compare.map(switch));
        self.option("COMPARE_OP", one.compare_op);
        self.end_line();
    }

    fn buffer(&mut self, one: &Buffer) {
        match &one.form {
            BufferForm::Elements { packing, size } => {
                self.add(format_args!("BUFFER {} DATA_TYPE {}", one.name, one.ty));
                if let Some(packing) = packing {
                    self.add(format_args!(" {packing}"));
                }
                match size {
                    Size::OfData => {}
                    Size::Elements(size) => self.add(format_args!(" SIZE {size}")),
                    Size::Area { width, height } => self.add(format_args!(" WIDTH {width} HEIGHT {height}")),
                }
            }
            BufferForm::Attachment { mip_levels, samples } => {
                self.add(format_args!("BUFFER {} FORMAT {}", one.name, one.ty));
                self.option("MIP_LEVELS", *mip_levels);
                self.option("SAMPLES", *samples);
            }
            BufferForm::Image { is_format, dimension, extent, mip_levels, samples } => {
                let keyword = if *is_format { "FORMAT" } else { "DATA_TYPE" };
                self.add(format_args!("IMAGE {} {keyword} {} {dimension}", one.name, one.ty));
                let counted = 1 + dimension_index(*dimension);
                for (keyword, size) in ["WIDTH", "HEIGHT", "DEPTH"].iter().zip(extent).take(counted) {
                    self.add(format_args!(" {keyword} {size}"));
                }
                self.option("MIP_LEVELS", *mip_levels);
                self.option("SAMPLES", *samples);
            }
        }
        self.initializer(&one.initializer);
    }

    fn initializer(&mut self, one: &Initializer) {
        match one {
            Initializer::Absent => self.end_line(),
            Initializer::Fill(value) => self.add(format_args!(" FILL {value}\n")),
            Initializer::Series { from, by } => self.add(format_args!(" SERIES_FROM {from} INC_BY {by}\n")),
            Initializer::File { form, path } => self.add(format_args!(" FILE {form} {path}\n")),
            Initializer::Data(data) => {
                self.text.push_str(" DATA\n");
                // Lines of this many numbers.
                for line in data.chunks(16) {
                    for number in line {
                        self.add(format_args!(" {number}"));
                    }
                    self.end_line();
                }
                self.text.push_str("END\n");
            }
        }
    }

    fn acceleration_structure(&mut self, one: &AccelerationStructure) {
        match &one.level {
            Level::Bottom(geometries) => {
                self.add(format_args!("ACCELERATION_STRUCTURE BOTTOM_LEVEL {}\n", one.name));
                for geometry in geometries {
                    self.add(format_args!("  GEOMETRY {}\n", geometry.shape));
                    if !geometry.flags.is_empty() {
                        let flags: Vec<&str> = geometry.flags.iter().map(|flag| flag.name()).collect();
                        self.add(format_args!("    FLAGS {}\n", flags.join(" ")));
                    }
                    for corner in geometry.coordinates.chunks(3) {
                        let corner: Vec<String> = corner.iter().map(Number::to_string).collect();
                        self.add(format_args!("    {}\n", corner.join(" ")));
                    }
                    self.text.push_str("  END\n");
                }
            }
            Level::Top(instances) => {
                self.add(format_args!("ACCELERATION_STRUCTURE TOP_LEVEL {}\n", one.name));
                for instance in instances {
                    self.add(format_args!("  BOTTOM_LEVEL_INSTANCE {}\n", instance.bottom));
                    self.option("INDEX", instance.index);
                    self.option("OFFSET", instance.offset);
                    self.option("MASK", instance.mask);
                    if instance.flags != 0 {
                        self.flags(instance.flags);
                    }
                    if let Some(transform) = instance.transform {
                        let transform = transform.map(|value| value.to_string()).join(" ");
                        self.add(format_args!("    TRANSFORM {transform} END\n"));
                    }
                    self.text.push_str("  END\n");
                }
            }
        }
        self.text.push_str("END\n");
    }

    /// The bits of an instance, by their names as far as they have one.
    fn flags(&mut self, bits: u32) {
        self.text.push_str(" FLAGS");
        let mut rest = bits;
        for flag in InstanceFlag::ALL.iter().filter(|flag| bits & flag.bit() != 0) {
            self.add(format_args!(" {flag}"));
            rest &= !flag.bit();
        }
        if rest != 0 {
            self.add(format_args!(" {rest:#x}"));
        }
        self.end_line();
    }
}

fn dimension_index(dimension: crate::script::Dimension) -> usize {
    crate::script::Dimension::ALL.iter().position(|one| *one == dimension).unwrap_or_default()
}

fn switch(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

/// A number of 32 bits as the language reads it.
fn single(value: f32) -> String {
    float(f64::from(value))
}
