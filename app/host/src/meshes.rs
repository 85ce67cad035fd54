//! Meshes of OBJ files: vertices with the attributes that a vertex shader reads, and indices of triangles.
//!
//! Only the file itself is read: materials are not needed, and their files are not opened.

use lanescope_core::name::words_of;
use lanescope_core::run::inputs::{AttributeOf, IndexBits, Indices, MAX_INVOCATIONS, Vertices, packed_vertices};
use lanescope_core::spirv::shape::ScalarKind;
use tobj::{LoadError, LoadOptions, Mesh};

/// The most bytes of a file: its faces take a multiple of that while it is read.
pub const MOST_BYTES: usize = 16 << 20;
/// The most digits of an index.
const DIGITS: usize = 9;

/// Whether a file's name says that it is one.
pub fn is_one(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("obj"))
}

/// What of a mesh an attribute reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Positions,
    Normals,
    Coordinates,
}

impl Part {
    const ALL: [Part; 3] = [Part::Positions, Part::Normals, Part::Coordinates];

    fn name(self) -> &'static str {
        match self {
            Part::Positions => "positions",
            Part::Normals => "normals",
            Part::Coordinates => "texture coordinates",
        }
    }

    /// What an attribute's name says: `inNormal`, `a_texcoord0`, `UV`, `position`.
    fn said(name: &str) -> Option<Part> {
        let words = words_of(name);
        let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
        if has(&["normal", "normals", "nrm"]) {
            return Some(Part::Normals);
        }
        if has(&["uv", "uvs", "tex", "texcoord", "texcoords", "texture"]) {
            return Some(Part::Coordinates);
        }
        // A word beside `vertex` says what of it is meant: `a_vertex`, but not `vertexColor`.
        let is_vertex = has(&["vertex"]) && words.iter().all(|word| word == "vertex" || word.len() <= 2);
        (is_vertex || has(&["position", "positions", "pos"])).then_some(Part::Positions)
    }

    /// The numbers of a mesh, and how many a vertex has.
    fn of(self, mesh: &Mesh) -> (&[f32], usize) {
        match self {
            Part::Positions => (&mesh.positions, 3),
            Part::Normals => (&mesh.normals, 3),
            Part::Coordinates => (&mesh.texcoords, 2),
        }
    }
}

/// The vertices and triangles of a file. `file` names it in errors.
///
/// # Errors
/// A line that cannot be read; a file that is too large; attributes for which it has nothing.
pub fn read(text: &str, attributes: &[AttributeOf], file: &str) -> Result<(Vertices, Indices), String> {
    let bound = bound(attributes).map_err(|why| format!("{file}: {why}"))?;
    if text.len() > MOST_BYTES {
        return Err(format!("{file}: {} bytes: an OBJ file has at most {MOST_BYTES}", text.len()));
    }
    check_numbers(text).map_err(|(line, why)| format!("{file}:{line}: {why}"))?;
    let options = LoadOptions { triangulate: true, single_index: true, ignore_points: true, ignore_lines: true };
    let mut rest = text.as_bytes();
    let loaded = tobj::load_obj_buf(&mut rest, &options, |_| Err(LoadError::OpenFileFailed));
    let (models, _) = loaded.map_err(|error| {
        let read = text.len() - rest.len();
        let line = text.as_bytes()[..read].iter().filter(|byte| **byte == b'\n').count().max(1);
        format!("{file}: {error}, in line {line} or the faces before it")
    })?;
    let meshes: Vec<Mesh> = models.into_iter().map(|model| model.mesh).collect();
    let (bytes, values) = joined(&meshes, attributes, &bound).map_err(|why| format!("{file}: {why}"))?;
    let said: Vec<String> =
        attributes.iter().zip(&bound).map(|(of, part)| format!("{} = {}", of.label(), part.name())).collect();
    let from = format!("{file}: {}", said.join(", "));
    Ok((packed_vertices(attributes, from, bytes), Indices { bits: IndexBits::Word, values }))
}

/// What each attribute reads: what its name says. Where no name says anything, positions, normals and texture coordinates
/// in the order of locations.
fn bound(attributes: &[AttributeOf]) -> Result<Vec<Part>, String> {
    if attributes.is_empty() {
        return Err("the vertex shader reads no attributes, so nothing of a mesh would be drawn".to_owned());
    }
    if let Some(other) = attributes.iter().find(|attribute| attribute.kind != ScalarKind::Float) {
        return Err(format!("{} has integers: a mesh has floating-point numbers only", other.label()));
    }
    let said: Vec<Option<Part>> = attributes.iter().map(|one| one.name.as_deref().and_then(Part::said)).collect();
    let is_said = said.iter().any(Option::is_some);
    let in_order = Part::ALL.into_iter().map(Some).chain(std::iter::repeat(None));
    let all = attributes.iter().zip(said).zip(in_order);
    all.map(|((attribute, said), next)| {
        let part = if is_said { said } else { next };
        part.ok_or_else(|| {
            let label = attribute.label();
            format!("{label}: its name says neither positions, normals nor texture coordinates; use a CSV file")
        })
    })
    .collect()
}

/// Refuses indices that no file within the limit has, and those that count back to before the first.
fn check_numbers(text: &str) -> Result<(), (usize, String)> {
    // Positions, texture coordinates and normals so far: faces name them in this order.
    let mut counts = [0u32; 3];
    for (at, line) in (1..).zip(text.lines()) {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => counts[0] += 1,
            Some("vt") => counts[1] += 1,
            Some("vn") => counts[2] += 1,
            Some("f" | "l") => {
                let numbers = words.flat_map(|word| word.split('/').zip(counts));
                for (number, count) in numbers.filter(|(number, _)| !number.is_empty()) {
                    check_number(number, count).map_err(|why| (at, why))?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_number(text: &str, count: u32) -> Result<(), String> {
    if text.len() > DIGITS + 1 {
        let begin: String = text.chars().take(DIGITS).collect();
        return Err(format!("`{begin}…`: an index has at most {DIGITS} digits"));
    }
    match text.parse::<i64>() {
        Ok(0) => Err("0 is not an index: the first one is 1".to_owned()),
        Ok(back) if back < -i64::from(count) => Err(format!("{back}: there are {count} before this line")),
        Ok(_) => Ok(()),
        Err(_) => Err(format!("`{text}` is not an index")),
    }
}

/// The vertices of all meshes one after the other, and their indices.
fn joined(meshes: &[Mesh], attributes: &[AttributeOf], bound: &[Part]) -> Result<(Vec<u8>, Vec<u32>), String> {
    let count: usize = meshes.iter().map(|mesh| mesh.positions.len() / 3).sum();
    let indices: usize = meshes.iter().map(|mesh| mesh.indices.len()).sum();
    let most = MAX_INVOCATIONS as usize;
    if count.max(indices) > most {
        return Err(format!("{count} vertices and {indices} indices: at most {most} are drawn"));
    }
    if indices == 0 {
        return Err("no face with three vertices or more".to_owned());
    }
    let mut bytes = Vec::with_capacity(count * attributes.len() * 16);
    let mut values: Vec<u32> = Vec::with_capacity(indices);
    let mut before = 0;
    for mesh in meshes {
        let count = mesh.positions.len() / 3;
        for (attribute, part) in attributes.iter().zip(bound) {
            let (numbers, each) = part.of(mesh);
            if numbers.len() != count * each {
                let which =
                    if numbers.is_empty() { "the faces of an object have" } else { "some vertices of faces have" };
                return Err(format!("{which} no {}, which {} reads", part.name(), attribute.label()));
            }
        }
        for vertex in 0..count {
            for (attribute, part) in attributes.iter().zip(bound) {
                let (numbers, each) = part.of(mesh);
                let mut four = [0.0f32, 0.0, 0.0, 1.0];
                let taken = each.min(attribute.components.clamp(1, 4) as usize);
                four[..taken].copy_from_slice(&numbers[vertex * each..vertex * each + taken]);
                bytes.extend(four.iter().flat_map(|number| number.to_le_bytes()));
            }
        }
        values.extend(mesh.indices.iter().map(|index| index + before));
        before += count as u32;
    }
    Ok((bytes, values))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attribute(location: u32, name: &str, components: u32) -> AttributeOf {
        let name = (!name.is_empty()).then(|| name.to_owned());
        AttributeOf { location, name, kind: ScalarKind::Float, components }
    }

    fn parts(names: &[&str]) -> Result<Vec<Part>, String> {
        bound(&(0..).zip(names).map(|(at, name)| attribute(at, name, 3)).collect::<Vec<_>>())
    }

    const QUAD: &str = "# a quad
mtllib /nowhere/materials.mtl
o quad
v 0 0 0.5
v 1 0 0.5
v 1 1 0.5
v 0 1 0.5
vt 0.25 0.75
vt 1 0
vn 0 0 1
usemtl red
f 1/1/1 2/2/1 3/1/1 4/1/1
";

    #[test]
    fn names_say_what_is_read() {
        use Part::{Coordinates, Normals, Positions};
        assert_eq!(parts(&["inNormal", "a_pos", "UV0"]), Ok(vec![Normals, Positions, Coordinates]));
        assert_eq!(parts(&["vertexNormal", "TEXCOORD", "in_TexCoord"]), Ok(vec![Normals, Coordinates, Coordinates]));
        assert_eq!(parts(&["", "", ""]), Ok(vec![Positions, Normals, Coordinates]), "by order");
        assert_eq!(parts(&["a", "b"]), Ok(vec![Positions, Normals]), "names that say nothing");
        let why = parts(&["position", "tint"]);
        assert!(why.as_ref().is_err_and(|why| why.contains("tint (location1)")), "{why:?}");
        assert_eq!(parts(&["normal", "a_vertex"]), Ok(vec![Normals, Positions]));
        let why = parts(&["position", "vertexColor"]);
        assert!(
            why.as_ref().is_err_and(|why| why.contains("vertexColor (location1): its name says neither")),
            "{why:?}"
        );
        assert!(parts(&["a", "b", "c", "d"]).is_err_and(|why| why.contains("d (location3)")));
        assert!(parts(&[]).is_err());
        let integers = AttributeOf { kind: ScalarKind::Uint, ..attribute(2, "position", 3) };
        assert!(bound(&[integers]).is_err_and(|why| why.contains("integers")));
    }

    #[test]
    fn faces_are_triangles() {
        let attributes = [attribute(0, "uv", 2), attribute(1, "position", 4)];
        let (vertices, indices) = read(QUAD, &attributes, "quad.obj").expect("reads");
        assert_eq!(indices.values, [0, 1, 2, 0, 2, 3]);
        let bytes = &vertices.buffers[0].bytes.0;
        let floats: Vec<f32> = bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
        assert_eq!(floats[..8], [0.25, 0.75, 0.0, 1.0, 0.0, 0.0, 0.5, 1.0]);
        assert_eq!((floats.len(), &floats[28..31]), (32, &[0.0, 1.0, 0.5][..]));
        let from = "quad.obj: uv (location0) = texture coordinates, position (location1) = positions";
        assert_eq!(vertices.input.from, from);
        // A second object counts its vertices anew.
        let two = format!("{QUAD}o other\nf -4/1 -3/1 -2/2\n");
        let (_, indices) = read(&two, &attributes, "two.obj").expect("reads");
        assert_eq!(indices.values, [0, 1, 2, 0, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn what_is_not_there_is_named() {
        let attributes = [attribute(0, "position", 3), attribute(1, "normal", 3)];
        let refused = |text: &str| read(text, &attributes, "a.obj").expect_err("is refused");
        for (text, why) in [
            ("v 0 0 0\nv 0 x 0\n", "a.obj: position parse error, in line 2"),
            ("v 0 0 0\nf 1 2 3\n", "face vertex index out of bounds"),
            ("v 0 0 0\nvn 0 0 1\nf 1//1 1//2 1//1\n", "face normal index out of bounds"),
            ("v 0 0 0\nf 1 1 1\n", "the faces of an object have no normals, which normal (location1) reads"),
            ("v 0 0 0\nv 1 0 0\nvn 0 0 1\nf 1//1 2 1//1\n", "some vertices of faces have no normals"),
            (
                "v 0 0 0\nvn 0 0 1\nf 1//9223372036854775807 1//1 1//1\n",
                "a.obj:3: `922337203…`: an index has at most 9",
            ),
            ("v 0 0 0\nf 1/-9223372036854775808 1 1\n", "at most 9 digits"),
            ("v 0 0 0\nvn 0 0 1\nf 1//-2 1//1 1//1\n", "a.obj:3: -2: there are 1 before this line"),
            ("v 0 0 0\nf 0 1 1\n", "0 is not an index"),
            ("v 0 0 0\nf 1 x 1\n", "`x` is not an index"),
            ("v 0 0 0\nf\n", "invalid polygon"),
            ("v 0 0 0\nl 1 1\n", "no face"),
            ("", "no face"),
        ] {
            let error = refused(text);
            assert!(error.contains(why), "{text}: {error}");
        }
        for length in 0..QUAD.len() {
            _ = read(&QUAD[..length], &attributes, "a.obj");
        }
        let many = format!("v 0 0 0\nvn 0 0 1\nf{}\n", " 1//1".repeat(400_000));
        assert!(refused(&many).contains("at most 1048576 are drawn"));
    }
}
