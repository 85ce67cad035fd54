//! Ray tracing.

use super::tokens::Token;
use super::{Named, Read, Reader, quoted};
use crate::number::Number;
use crate::script::Line;
use crate::script::pipeline::{BindingTable, Pipeline, PipelineKind, ShaderGroup};
use crate::script::rays::{AccelerationStructure, Geometry, GeometryFlag, Instance, InstanceFlag, Level, Shape};

impl Reader<'_> {
    pub(super) fn acceleration_structure(&mut self) -> Read<()> {
        let line = self.line();
        let index = self.script.structures.len();
        let is_top = self.one_of("a level", &[false, true], |top| if top { "TOP_LEVEL" } else { "BOTTOM_LEVEL" })?;
        let name = self.new_name(if is_top { Named::TopLevel } else { Named::BottomLevel }, index)?;
        self.end()?;
        let level = if is_top { Level::Top(self.instances()?) } else { Level::Bottom(self.geometries()?) };
        self.script.structures.push(AccelerationStructure { line, name, level });
        self.end()
    }

    fn geometries(&mut self) -> Read<Vec<Geometry>> {
        let mut out: Vec<Geometry> = Vec::new();
        while let Some(word) = self.in_block("ACCELERATION_STRUCTURE")? {
            let line = self.line();
            if word != "GEOMETRY" {
                return Err(self.wrong("GEOMETRY or END", quoted(word)));
            }
            let shape = self.one_of("a shape", Shape::ALL, Shape::name)?;
            if out.first().is_some_and(|first| first.shape != shape) {
                return Err(self.wrong("geometries of one shape", format!("`{shape}`")));
            }
            out.push(self.geometry(line, shape)?);
        }
        Ok(out)
    }

    fn geometry(&mut self, line: Line, shape: Shape) -> Read<Geometry> {
        let (mut flags, mut coordinates) = (Vec::new(), Vec::new());
        while self.peek_in_block("GEOMETRY")? {
            if self.eat("FLAGS")? {
                self.flags(|reader| {
                    flags.push(reader.one_of("a property of a geometry", GeometryFlag::ALL, GeometryFlag::name)?);
                    Ok(())
                })?;
            } else {
                coordinates.push(self.number("a coordinate")?);
            }
        }
        let each = shape.coordinates();
        if coordinates.is_empty() || !coordinates.len().is_multiple_of(each) {
            return Err(self.wrong(
                format!("{each} coordinates for each of {shape}"),
                format!("{} coordinates", coordinates.len()),
            ));
        }
        Ok(Geometry { line, shape, flags, coordinates })
    }

    /// Flags up to the end of the line, or up to `END` where the line has none.
    fn flags(&mut self, mut flag: impl FnMut(&mut Self) -> Read<()>) -> Read<()> {
        if self.tokens.at_line_end()? {
            while self.peek_in_block("FLAGS")? {
                flag(self)?;
            }
            return Ok(());
        }
        while !self.tokens.at_line_end()? {
            if self.eat("END")? {
                break;
            }
            flag(self)?;
        }
        Ok(())
    }

    fn instances(&mut self) -> Read<Vec<Instance>> {
        let mut out = Vec::new();
        while let Some(word) = self.in_block("ACCELERATION_STRUCTURE")? {
            let line = self.line();
            if word != "BOTTOM_LEVEL_INSTANCE" {
                return Err(self.wrong("BOTTOM_LEVEL_INSTANCE or END", quoted(word)));
            }
            let (bottom, _) = self.known_name(Named::BottomLevel)?;
            let mut own = Instance { line, bottom, index: None, offset: None, mask: None, flags: 0, transform: None };
            while let Some(word) = self.in_block("BOTTOM_LEVEL_INSTANCE")? {
                match word {
                    "INDEX" => own.index = Some(self.count("an index")?),
                    "OFFSET" => own.offset = Some(self.count("an offset")?),
                    "MASK" => own.mask = Some(self.count("a mask")?),
                    "FLAGS" => {
                        let mut bits = 0;
                        self.flags(|reader| {
                            bits |= reader.instance_flag()?;
                            Ok(())
                        })?;
                        own.flags |= bits;
                    }
                    "TRANSFORM" => own.transform = Some(self.transform()?),
                    other => return Err(self.wrong("INDEX, OFFSET, MASK, FLAGS, TRANSFORM or END", quoted(other))),
                }
            }
            out.push(own);
        }
        Ok(out)
    }

    fn instance_flag(&mut self) -> Read<u32> {
        match self.tokens.peek()? {
            Token::Number(_) => self.count("bits"),
            _ => Ok(self.one_of("a property of an instance", InstanceFlag::ALL, InstanceFlag::name)?.bit()),
        }
    }

    /// A `nan` is allowed here: an instance with one is inactive.
    fn transform(&mut self) -> Read<[Number; 12]> {
        let (mut out, mut count) = ([Number::Unsigned(0); 12], 0);
        while self.peek_in_block("TRANSFORM")? {
            let value = self.number("a number")?;
            let Some(place) = out.get_mut(count) else { return Err(self.wrong("12 numbers in TRANSFORM", "one more")) };
            *place = value;
            count += 1;
        }
        if count == 12 { Ok(out) } else { Err(self.wrong("12 numbers in TRANSFORM", format!("{count} numbers"))) }
    }

    /// What only ray tracing pipelines have.
    pub(super) fn ray_statement(&mut self, out: &mut Pipeline, word: &str) -> Read<()> {
        let line = self.line();
        let known = ["SHADER_GROUP", "SHADER_BINDING_TABLE", "MAX_RAY_PAYLOAD_SIZE", "MAX_RAY_HIT_ATTRIBUTE_SIZE"];
        if !known.contains(&word) && !["MAX_RAY_RECURSION_DEPTH", "FLAGS", "USE_LIBRARY"].contains(&word) {
            return Err(self.wrong("a statement of a pipeline or END", quoted(word)));
        }
        if out.kind != PipelineKind::RayTracing {
            return Err(self.wrong(format!("a statement of a {} pipeline", out.kind), quoted(word)));
        }
        let rays = &mut out.rays;
        match word {
            "SHADER_GROUP" => {
                let name = self.word("the name of a group")?.to_owned();
                let mut shaders = Vec::new();
                while !self.tokens.at_line_end()? {
                    shaders.push(self.known_name(Named::Shader)?.0);
                }
                if rays.groups.iter().any(|group| group.name == name) || shaders.is_empty() {
                    return Err(self.wrong("a new name of a group, and its shaders", quoted(&name)));
                }
                rays.groups.push(ShaderGroup { line, name, shaders });
            }
            "SHADER_BINDING_TABLE" => {
                let name = self.word("the name of a table")?.to_owned();
                self.end()?;
                let mut groups = Vec::new();
                while let Some(group) = self.in_block("SHADER_BINDING_TABLE")? {
                    groups.push(group.to_owned());
                }
                if rays.tables.iter().any(|table| table.name == name) {
                    return Err(self.wrong("a new name of a table", quoted(&name)));
                }
                rays.tables.push(BindingTable { line, name, groups });
            }
            "MAX_RAY_PAYLOAD_SIZE" => rays.max_payload = Some(self.count("a size in bytes")?),
            "MAX_RAY_HIT_ATTRIBUTE_SIZE" => rays.max_attribute = Some(self.count("a size in bytes")?),
            "MAX_RAY_RECURSION_DEPTH" => rays.max_recursion = Some(self.count("a depth")?),
            "FLAGS" => {
                let mut is_library = false;
                self.flags(|reader| reader.keyword("LIBRARY").map(|()| is_library = true))?;
                rays.is_library |= is_library;
            }
            _ => {
                while !self.tokens.at_line_end()? {
                    rays.libraries.push(self.known_name(Named::Pipeline)?.0);
                }
            }
        }
        self.end()
    }
}
