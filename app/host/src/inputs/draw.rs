//! What a graphics pipeline draws, as it is stated on the command line and typed elsewhere.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use lanescope_core::gpu::{MAX_BUFFER, attributes_of, scene};
use lanescope_core::program::Program;
use lanescope_core::run::inputs::{self, CompareOp, DrawInputs, Topology};

use crate::files::read_at_most;
use crate::{image_files, meshes};

/// A draw as it is stated: files, and what else it has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DrawSource {
    /// The file with vertices.
    pub vertices: Option<PathBuf>,
    /// The file with indices.
    pub indices: Option<PathBuf>,
    /// The file with depths.
    pub depth: Option<PathBuf>,
    /// Which depths pass the depth test.
    pub depth_test: Option<CompareOp>,
    /// How many vertices or indices are drawn.
    pub count: Option<u32>,
    /// How many instances.
    pub instances: Option<u32>,
    /// What the vertices form.
    pub topology: Option<Topology>,
    /// Width and height of the attachments.
    pub size: Option<[u32; 2]>,
}

impl DrawSource {
    /// The parts by their names, which are those of the flags, each with what it takes.
    pub const PARTS: [(&str, &str); 8] = [
        ("vertices", "FILE.csv or FILE.obj"),
        ("indices", "FILE"),
        ("vertex-count", "N"),
        ("instances", "N"),
        ("topology", "TOPOLOGY"),
        ("depth", "FILE"),
        ("depth-test", "COMPARISON"),
        ("size", "WxH"),
    ];

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = || value.parse::<u32>().map_err(|_| "expected a number".to_owned());
        match name {
            "vertices" => self.vertices = Some(PathBuf::from(value)),
            "indices" => self.indices = Some(PathBuf::from(value)),
            "depth" => self.depth = Some(PathBuf::from(value)),
            "depth-test" => self.depth_test = Some(comparison(value)?),
            "vertex-count" => self.count = Some(number()?),
            "instances" => self.instances = Some(number()?),
            "topology" => self.topology = Some(topology(value)?),
            "size" => self.size = Some(size(value)?),
            _ => {
                let known: Vec<&str> = DrawSource::PARTS.iter().map(|(name, _)| *name).collect();
                return Err(format!("expected one of {}", known.join(", ")));
            }
        }
        Ok(())
    }

    /// Reads the files; their names are relative to a folder.
    ///
    /// # Errors
    /// The file that cannot be read, and why.
    pub fn read(&self, folder: &Path) -> Result<DrawText, String> {
        let file = |path: &Option<PathBuf>| path.as_ref().map(|path| DrawText::file(&folder.join(path))).transpose();
        let depth = |path: &PathBuf| {
            let path = folder.join(path);
            let name = path.display().to_string();
            read_at_most(&path, MAX_BUFFER).map(|bytes| (bytes, name))
        };
        Ok(DrawText {
            vertices: file(&self.vertices).map_err(|why| format!("--vertices: {why}"))?,
            indices: file(&self.indices).map_err(|why| format!("--indices: {why}"))?,
            depth: self.depth.as_ref().map(depth).transpose().map_err(|why| format!("--depth: {why}"))?,
            depth_test: self.depth_test,
            count: self.count,
            instances: self.instances,
            topology: self.topology,
            size: self.size,
        })
    }
}

/// `vertices=square.obj; size=16x8`.
impl FromStr for DrawSource {
    type Err = String;

    fn from_str(text: &str) -> Result<DrawSource, String> {
        let mut out = DrawSource::default();
        for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').ok_or_else(|| format!("`{part}`: expected NAME=VALUE"))?;
            out.set(name.trim(), value.trim()).map_err(|why| format!("`{part}`: {why}"))?;
        }
        Ok(out)
    }
}

/// Parses a topology by Vulkan's name: `TRIANGLE_STRIP`, `triangle-strip`.
pub fn topology(text: &str) -> Result<Topology, String> {
    let name = text.replace('-', "_");
    Topology::named(&name).ok_or_else(|| one_of(Topology::NAMES))
}

/// Parses a comparison by Vulkan's name: `LESS_OR_EQUAL`, `less-or-equal`.
pub fn comparison(text: &str) -> Result<CompareOp, String> {
    let name = text.replace('-', "_");
    CompareOp::named(&name).ok_or_else(|| one_of(CompareOp::NAMES))
}

fn one_of(names: &[(i32, &str)]) -> String {
    let known: Vec<&str> = names.iter().map(|(_, name)| *name).collect();
    format!("expected one of {}", known.join(", "))
}

/// Parses `WxH`.
pub fn size(text: &str) -> Result<[u32; 2], String> {
    let parts = text.split_once(['x', '×', ',']);
    let size = parts.and_then(|(width, height)| Some([width.trim().parse().ok()?, height.trim().parse().ok()?]));
    size.ok_or_else(|| format!("`{text}`: expected WIDTHxHEIGHT"))
}

/// A draw whose files were read, until the program is known whose attributes it has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DrawText {
    /// The text of a file with vertices, and its name.
    pub vertices: Option<(String, String)>,
    /// The same of indices.
    pub indices: Option<(String, String)>,
    /// The bytes of a file with depths, and its name.
    pub depth: Option<(Vec<u8>, String)>,
    /// Which depths pass the depth test.
    pub depth_test: Option<CompareOp>,
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
    /// A program that draws nothing; a table or a mesh that does not have its attributes; depths of another size.
    pub(super) fn of(&self, program: &Program) -> Result<DrawInputs, String> {
        if *self == DrawText::default() {
            return Ok(DrawInputs::default());
        }
        if !program.stages.iter().any(|stage| stage.stage.is_graphics()) {
            return Err(
                "vertices, instances, depths and sizes are of a draw, but the program is not a graphics pipeline"
                    .to_owned(),
            );
        }
        let DrawText { count, instances, topology, size, depth_test, .. } = *self;
        let mut out = DrawInputs { count, instances, topology, size, depth_test, ..DrawInputs::default() };
        if let Some((text, file)) = &self.vertices {
            let attributes = attributes_of(program).map_err(|error| error.to_string())?;
            if meshes::is_one(file) {
                if self.indices.is_some() {
                    return Err(format!("--indices cannot be used with {file}: an OBJ file has indices of its own"));
                }
                let (vertices, indices) = meshes::read(text, &attributes, file)?;
                (out.vertices, out.indices) = (Some(vertices), Some(indices));
                out.topology = topology.or_else(|| triangles(program));
            } else {
                out.vertices = Some(inputs::vertices(text, &attributes, file)?);
            }
        }
        if let Some((text, file)) = &self.indices {
            out.indices = Some(inputs::indices(text, file)?);
        }
        if let Some((bytes, file)) = &self.depth {
            let wrong = |why: String| format!("{file}: {why}");
            let depths = image_files::depths(bytes).map_err(wrong)?;
            out.size = size.or(depths.size);
            out.attachments = vec![depths.contents(out.size(scene::SIDE)).map_err(wrong)?];
        }
        Ok(out)
    }
}

/// Triangles, where the pipeline description states something else that vertices form.
fn triangles(program: &Program) -> Option<Topology> {
    let triangles = Topology::named("TRIANGLE_LIST");
    let stated = program.pipeline.as_deref().and_then(|pipeline| pipeline.state.topology);
    triangles.filter(|_| stated.is_some_and(|stated| stated.name() != Some("PATCH_LIST") && Some(stated) != triangles))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_typed() {
        let found = "vertices=a b.obj; depth = d.png;size=16x8; topology=triangle-strip; depth-test=less; instances=2;";
        let expected = DrawSource {
            vertices: Some(PathBuf::from("a b.obj")),
            depth: Some(PathBuf::from("d.png")),
            size: Some([16, 8]),
            topology: Topology::named("TRIANGLE_STRIP"),
            depth_test: CompareOp::named("LESS"),
            instances: Some(2),
            ..DrawSource::default()
        };
        assert_eq!(found.parse(), Ok(expected));
        assert_eq!("".parse(), Ok(DrawSource::default()));
        for (name, _) in DrawSource::PARTS {
            let why = format!("{name}=?").parse::<DrawSource>().err();
            assert!(!why.is_some_and(|why| why.contains("expected one of vertices")), "{name} is known");
        }
        for (wrong, why) in [
            ("size", "`size`: expected NAME=VALUE"),
            ("size=4", "expected WIDTHxHEIGHT"),
            ("instances=-1", "`instances=-1`: expected a number"),
            ("topology=cubes", "expected one of POINT_LIST"),
            ("depth-test=lt", "expected one of NEVER"),
            ("heads=2", "expected one of vertices, indices"),
        ] {
            let found = wrong.parse::<DrawSource>();
            assert!(found.as_ref().is_err_and(|said| said.contains(why)), "{wrong}: {found:?}");
        }
    }
}
