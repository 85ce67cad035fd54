//! What a graphics pipeline draws, as it is stated on the command line and typed elsewhere.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use lanescope_core::gpu::{MAX_BUFFER, attributes_of, scene};
use lanescope_core::program::{Program, StageKind};
use lanescope_core::run::inputs::{self, CompareOp, DrawInputs, Topology, no_vertex_input};

use crate::files::{read_at_most, text_at_most};
use crate::{image_files, meshes};

/// A draw as it is stated: files, and what else it has.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DrawSource {
    /// The file with vertices.
    pub vertices: Option<PathBuf>,
    /// The file with indices.
    pub indices: Option<PathBuf>,
    /// The file with depths.
    pub depth: Option<PathBuf>,
    /// What is not in files.
    pub draw: DrawInputs,
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
            "depth-test" => self.draw.depth_test = Some(CompareOp::typed(value)?),
            "vertex-count" => self.draw.count = Some(number()?),
            "instances" => self.draw.instances = Some(number()?),
            "topology" => self.draw.topology = Some(Topology::typed(value)?),
            "size" => self.draw.size = Some(size(value)?),
            _ => {
                let known: Vec<&str> = DrawSource::PARTS.iter().map(|(name, _)| *name).collect();
                return Err(format!("expected one of {}", known.join(", ")));
            }
        }
        Ok(())
    }

    /// The first part that is stated, by its name.
    pub fn first(&self) -> Option<&'static str> {
        let parts = [
            (self.vertices.is_some(), "vertices"),
            (self.indices.is_some(), "indices"),
            (self.depth.is_some(), "depth"),
            (self.draw.depth_test.is_some(), "depth-test"),
            (self.draw.size.is_some(), "size"),
        ];
        let own = parts.into_iter().find(|(given, _)| *given).map(|(_, name)| name);
        own.or_else(|| self.draw.of_vertex_input())
    }

    /// Reads the files; their names are relative to a folder.
    ///
    /// # Errors
    /// The file that cannot be read, and why.
    pub fn read(&self, folder: &Path) -> Result<DrawText, String> {
        Ok(DrawText {
            vertices: file("vertices", &self.vertices, folder, |path| text_at_most(path, MAX_BUFFER))?,
            indices: file("indices", &self.indices, folder, |path| text_at_most(path, MAX_BUFFER))?,
            depth: file("depth", &self.depth, folder, |path| read_at_most(path, MAX_BUFFER))?,
            draw: self.draw.clone(),
        })
    }
}

/// What is read of a part's file in a folder, and the file's name.
fn file<T>(
    part: &str,
    path: &Option<PathBuf>,
    folder: &Path,
    read: impl FnOnce(&Path) -> Result<T, String>,
) -> Result<Option<(T, String)>, String> {
    let Some(path) = path.as_ref().map(|path| folder.join(path)) else { return Ok(None) };
    let contents = read(&path).map_err(|why| format!("--{part}: {why}"))?;
    Ok(Some((contents, path.display().to_string())))
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

/// Parses `WxH`.
pub fn size(text: &str) -> Result<[u32; 2], String> {
    let parts = text.split_once(['x', '×', ',']);
    let size = parts.and_then(|(width, height)| Some([width.trim().parse().ok()?, height.trim().parse().ok()?]));
    size.ok_or_else(|| format!("`{text}`: expected WIDTHxHEIGHT"))
}

/// A draw whose files were read, until the program is known whose attributes it has.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DrawText {
    /// The text of a file with vertices, and its name.
    pub vertices: Option<(String, String)>,
    /// The same of indices.
    pub indices: Option<(String, String)>,
    /// The bytes of a file with depths, and its name.
    pub depth: Option<(Vec<u8>, String)>,
    /// What is not in files.
    pub draw: DrawInputs,
}

impl DrawText {
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
        let mut out = self.draw.clone();
        let files = [(self.vertices.is_some(), "vertices"), (self.indices.is_some(), "indices")];
        let of_vertices = files.iter().find(|(given, _)| *given).map(|(_, name)| *name).or(out.of_vertex_input());
        if let Some(part) = of_vertices.filter(|_| program.stage(StageKind::Mesh).is_some()) {
            return Err(no_vertex_input(part));
        }
        if let Some((text, file)) = &self.vertices {
            if program.stage(StageKind::Vertex).is_none() {
                return Err("--vertices needs a vertex shader".to_owned());
            }
            let attributes = attributes_of(program).map_err(|error| error.to_string())?;
            if meshes::is_one(file) {
                if self.indices.is_some() {
                    return Err(format!("--indices cannot be used with {file}: an OBJ file has indices of its own"));
                }
                let (vertices, indices) = meshes::read(text, &attributes, file)?;
                (out.vertices, out.indices) = (Some(vertices), Some(indices));
                out.topology = out.topology.or_else(|| triangles(program));
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
            out.size = out.size.or(depths.size);
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
            draw: DrawInputs {
                size: Some([16, 8]),
                topology: Topology::named("TRIANGLE_STRIP"),
                depth_test: CompareOp::named("LESS"),
                instances: Some(2),
                ..DrawInputs::default()
            },
            ..DrawSource::default()
        };
        assert_eq!(found.parse(), Ok(expected));
        for (name, value) in DrawSource::PARTS.map(|(name, takes)| match (name, takes) {
            ("topology", _) => (name, "point-list"),
            ("depth-test", _) => (name, "GREATER_OR_EQUAL"),
            ("size", _) => (name, "1x1"),
            _ => (name, "0"),
        }) {
            let one = format!("{name}={value}").parse::<DrawSource>();
            assert_eq!(one.map(|one| one.first()), Ok(Some(name)));
        }
        assert_eq!("".parse(), Ok(DrawSource::default()));
        for (name, _) in DrawSource::PARTS {
            let why = format!("{name}=?").parse::<DrawSource>().err();
            assert!(!why.is_some_and(|why| why.contains("expected one of vertices")), "{name} is known");
        }
        for (wrong, why) in [
            ("size", "`size`: expected NAME=VALUE"),
            ("size=4", "expected WIDTHxHEIGHT"),
            ("instances=-1", "`instances=-1`: expected a number"),
            ("topology=cubes", "expected point-list, line-list"),
            ("depth-test=lt", "expected never, less, equal"),
            ("heads=2", "expected one of vertices, indices"),
        ] {
            let found = wrong.parse::<DrawSource>();
            assert!(found.as_ref().is_err_and(|said| said.contains(why)), "{wrong}: {found:?}");
        }
    }
}
