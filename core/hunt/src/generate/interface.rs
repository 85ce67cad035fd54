//! Graphics pipelines: what one stage passes to the next.

use fastrand::Rng;
use lanescope_base::StageKind;

use super::writer::Writer;

/// What the components of a varying are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scalar {
    Float,
    Int,
    Uint,
    Double,
    Half,
}

impl Scalar {
    fn ty(self, count: u32) -> String {
        let (scalar, vector) = match self {
            Scalar::Float => ("float", "vec"),
            Scalar::Int => ("int", "ivec"),
            Scalar::Uint => ("uint", "uvec"),
            Scalar::Double => ("double", "dvec"),
            Scalar::Half => ("float16_t", "f16vec"),
        };
        if count == 1 { scalar.to_owned() } else { format!("{vector}{count}") }
    }

    fn is_float(self) -> bool {
        matches!(self, Scalar::Float | Scalar::Half)
    }
}

/// One varying, or member of a block.
#[derive(Debug, Clone)]
struct Varying {
    name: String,
    location: u32,
    component: u32,
    scalar: Scalar,
    /// Components, 1 to 4.
    count: u32,
    /// Elements of an array; 0 where it is none.
    elements: u32,
    /// Columns of a matrix; 0 where it is none.
    columns: u32,
    qualifier: &'static str,
    /// It is a member of the block.
    in_block: bool,
    /// The next stage reads it.
    is_read: bool,
}

impl Varying {
    fn ty(&self) -> String {
        let one =
            if self.columns > 0 { format!("mat{}x{}", self.columns, self.count) } else { self.scalar.ty(self.count) };
        if self.elements > 0 { format!("{one}[{}]", self.elements) } else { one }
    }

    /// Locations that it takes.
    fn locations(&self) -> u32 {
        let one = if self.scalar == Scalar::Double && self.count > 2 { 2 } else { 1 };
        one * self.columns.max(1) * self.elements.max(1)
    }

    /// Its scalar parts, as paths behind its name.
    fn parts(&self) -> Vec<String> {
        let elements: Vec<String> = match self.elements {
            0 => vec![String::new()],
            count => (0..count).map(|at| format!("[{at}]")).collect(),
        };
        let columns: Vec<String> = match self.columns {
            0 => vec![String::new()],
            count => (0..count).map(|at| format!("[{at}]")).collect(),
        };
        let components: Vec<String> = match self.count {
            1 => vec![String::new()],
            count => ["x", "y", "z", "w"].iter().take(count as usize).map(|part| format!(".{part}")).collect(),
        };
        let with = |element: &String| {
            let column = |column: &String| {
                let (element, column) = (element.clone(), column.clone());
                components.iter().map(move |component| format!("{element}{column}{component}")).collect::<Vec<_>>()
            };
            columns.iter().flat_map(column).collect::<Vec<_>>()
        };
        elements.iter().flat_map(with).collect()
    }
}

const QUALIFIERS: [&str; 7] = ["", "", "", "flat ", "noperspective ", "centroid ", "sample "];

/// The varyings between two stages.
struct Interface {
    all: Vec<Varying>,
    has_block: bool,
    /// The qualifiers count: the next stage is the fragment shader.
    to_fragment: bool,
}

impl Interface {
    fn new(random: &mut Rng, prefix: &str, to_fragment: bool) -> Interface {
        let mut all: Vec<Varying> = Vec::new();
        let mut location = random.u32(..2);
        // The rest of the last location, for varyings that share it.
        let mut rest: Option<(u32, u32, Scalar, &'static str)> = None;
        let with_doubles = random.u32(..12) == 0;
        let with_halves = random.u32(..12) == 0;
        for at in 0..random.u32(1..7) {
            let name = format!("{prefix}{at}");
            if let Some((own, component, scalar, qualifier)) = rest.take()
                && random.u32(..3) > 0
            {
                let count = random.u32(1..=4 - component);
                all.push(Varying {
                    name,
                    location: own,
                    component,
                    scalar,
                    count,
                    elements: 0,
                    columns: 0,
                    qualifier,
                    in_block: false,
                    is_read: random.u32(..5) > 0,
                });
                continue;
            }
            let scalar = match random.u32(..10) {
                0..6 => Scalar::Float,
                6 => Scalar::Int,
                7 => Scalar::Uint,
                8 if with_doubles => Scalar::Double,
                9 if with_halves => Scalar::Half,
                _ => Scalar::Float,
            };
            let qualifier = match (to_fragment, scalar.is_float()) {
                (false, _) => "",
                (true, true) => QUALIFIERS[random.usize(..QUALIFIERS.len())],
                (true, false) => "flat ",
            };
            let count = random.u32(1..5);
            let elements = if random.u32(..4) == 0 { random.u32(1..5) } else { 0 };
            let columns =
                if scalar == Scalar::Float && count > 1 && random.u32(..8) == 0 { random.u32(2..5) } else { 0 };
            let varying = Varying {
                name,
                location,
                component: 0,
                scalar,
                count,
                elements,
                columns,
                qualifier,
                in_block: false,
                is_read: random.u32(..5) > 0,
            };
            location += varying.locations() + u32::from(random.u32(..6) == 0);
            if elements == 0 && columns == 0 && count < 4 && scalar != Scalar::Double {
                rest = Some((location - 1, count, scalar, qualifier));
                // A gap after it would be shared instead.
                location = varying.location + 1;
                rest = rest.map(|(_, component, scalar, qualifier)| (varying.location, component, scalar, qualifier));
            }
            all.push(varying);
        }
        let has_block = random.u32(..4) == 0;
        if has_block {
            all.iter_mut().filter(|varying| varying.component == 0).for_each(|varying| varying.in_block = true);
            // Locations that are shared by a member and a variable are not.
            let shared: Vec<u32> = all.iter().filter(|one| one.component > 0).map(|one| one.location).collect();
            all.iter_mut().filter(|one| shared.contains(&one.location)).for_each(|one| one.in_block = false);
        }
        let has_block = all.iter().any(|one| one.in_block);
        Interface { all, has_block, to_fragment }
    }

    /// Declares it; `dimension` is behind its names, as `[]` or `[3]`, and `block` names the block's instance.
    fn declare(&self, out: &mut Writer, direction: &str, dimension: &str, block: &str) {
        for one in self.all.iter().filter(|one| !one.in_block) {
            let component = if one.component > 0 { format!(", component = {}", one.component) } else { String::new() };
            let (qualifier, ty) = (one.qualifier, one.ty());
            let (ty, own) =
                ty.split_once('[').map_or((ty.as_str(), String::new()), |(ty, rest)| (ty, format!("[{rest}")));
            let name = &one.name;
            out.line(format!(
                "layout(location = {}{component}) {qualifier}{direction} {ty} {direction}_{name}{dimension}{own};",
                one.location
            ));
        }
        if self.has_block {
            out.open(format!("{direction} Block_{} {{", self.all[0].name));
            for one in self.all.iter().filter(|one| one.in_block) {
                out.line(format!("layout(location = {}) {}{} {};", one.location, one.qualifier, one.ty(), one.name));
            }
            out.close(format!("}} {block}{dimension};"));
        }
    }

    /// A varying as the stage that has it as `direction` names it.
    fn name(one: &Varying, direction: &str, block: &str, index: &str) -> String {
        if one.in_block { format!("{block}{index}.{}", one.name) } else { format!("{direction}_{}{index}", one.name) }
    }

    /// Writes each of its scalars, in order or the other way round, from floats that are known.
    fn write(&self, random: &mut Rng, out: &mut Writer, index: &str, known: &[String]) {
        for one in &self.all {
            let target = Interface::name(one, "out", "block_out", index);
            for part in one.parts() {
                let value = value(random, known);
                let value = match one.scalar {
                    Scalar::Float => value,
                    Scalar::Int => format!("int({value})"),
                    Scalar::Uint => format!("uint(abs({value}))"),
                    Scalar::Double => format!("double({value})"),
                    Scalar::Half => format!("float16_t({value})"),
                };
                out.line(format!("{target}{part} = {value};"));
            }
        }
    }

    /// Reads of it, as floats.
    fn reads(&self, random: &mut Rng, index: &str) -> Vec<String> {
        let mut out = Vec::new();
        for one in self.all.iter().filter(|one| one.is_read) {
            let source = Interface::name(one, "in", "block_in", index);
            let may_interpolate = self.to_fragment && one.scalar == Scalar::Float && one.qualifier != "flat ";
            for part in one.parts() {
                if random.u32(..4) == 0 {
                    continue;
                }
                let read = match random.u32(..10) {
                    0 if one.elements > 1 && one.columns == 0 => {
                        let component =
                            part.rsplit_once('.').map_or(String::new(), |(_, component)| format!(".{component}"));
                        format!("{source}[turn % {}u]{component}", one.elements)
                    }
                    1 if may_interpolate && one.columns == 0 && !one.in_block => {
                        let (whole, component) =
                            part.rsplit_once('.').map_or((part.as_str(), String::new()), |(whole, component)| {
                                (whole, format!(".{component}"))
                            });
                        match random.u32(..3) {
                            0 => format!("interpolateAtCentroid({source}{whole}){component}"),
                            1 => format!("interpolateAtOffset({source}{whole}, vec2(0.25, -0.25)){component}"),
                            _ => format!("interpolateAtSample({source}{whole}, 0){component}"),
                        }
                    }
                    _ => format!("{source}{part}"),
                };
                out.push(format!("float({read})"));
            }
        }
        out
    }
}

/// A float made of floats that are known.
fn value(random: &mut Rng, known: &[String]) -> String {
    let one = |random: &mut Rng| known[random.usize(..known.len())].clone();
    match random.u32(..12) {
        0..4 => one(random),
        4 | 5 => format!("{} * {}.5", one(random), random.u32(1..9)),
        6 => format!("{} + {}", one(random), one(random)),
        7 => format!("{}.25", random.u32(..20)),
        8 => format!("uniforms.u[{}]", random.u32(..16)),
        9 => format!("max({}, {})", one(random), one(random)),
        10 => format!("({} > {}.0 ? {} : {})", one(random), random.u32(..9), one(random), one(random)),
        _ => format!("sin({})", one(random)),
    }
}

const UNIFORMS: &str = "layout(push_constant) uniform Uniforms { float u[16]; } uniforms;";

fn head(extensions: &[&str]) -> Writer {
    let mut out = Writer::default();
    out.line("#version 460");
    out.line("#extension GL_EXT_shader_explicit_arithmetic_types : require");
    extensions.iter().for_each(|name| out.line(format!("#extension {name} : require")));
    out.line(UNIFORMS);
    out
}

/// A pipeline of two to four stages.
pub(super) fn pipeline(random: &mut Rng) -> Vec<(StageKind, String)> {
    let to_fragment = Interface::new(random, "f", true);
    let mut stages = match random.u32(..12) {
        0..7 => vec![(StageKind::Vertex, vertex(random, &to_fragment))],
        7 | 8 => {
            let between = Interface::new(random, "g", false);
            vec![
                (StageKind::Vertex, vertex(random, &between)),
                (StageKind::Geometry, geometry(random, &between, &to_fragment)),
            ]
        }
        9 | 10 => {
            let [to_control, to_evaluation] = ["c", "e"].map(|prefix| Interface::new(random, prefix, false));
            vec![
                (StageKind::Vertex, vertex(random, &to_control)),
                (StageKind::TessControl, control(random, &to_control, &to_evaluation)),
                (StageKind::TessEval, evaluation(random, &to_evaluation, &to_fragment)),
            ]
        }
        _ => vec![(StageKind::Mesh, mesh(random, &to_fragment))],
    };
    stages.push((StageKind::Fragment, fragment(random, &to_fragment)));
    stages
}

fn vertex(random: &mut Rng, next: &Interface) -> String {
    let mut out = head(&[]);
    out.line("layout(location = 0) in vec4 p;");
    out.line("layout(location = 1) in vec4 q;");
    next.declare(&mut out, "out", "", "block_out");
    out.open("void main() {");
    out.line("gl_Position = p;");
    let mut known: Vec<String> =
        ["p", "q"].iter().flat_map(|name| ["x", "y", "z", "w"].map(|part| format!("{name}.{part}"))).collect();
    known.push("float(gl_VertexIndex)".to_owned());
    if random.u32(..6) == 0 {
        out.line("gl_PointSize = 2.0;");
    }
    next.write(random, &mut out, "", &known);
    out.close("}");
    out.into_text()
}

fn geometry(random: &mut Rng, before: &Interface, next: &Interface) -> String {
    let mut out = head(&[]);
    out.line("layout(triangles) in;");
    out.line("layout(triangle_strip, max_vertices = 6) out;");
    before.declare(&mut out, "in", "[]", "block_in");
    next.declare(&mut out, "out", "", "block_out");
    out.open("void main() {");
    out.line("uint turn = uint(gl_PrimitiveIDIn);");
    out.open("for (int i = 0; i < 3; i++) {");
    let mut known = before.reads(random, "[i]");
    known.push("gl_in[i].gl_Position.x".to_owned());
    next.write(random, &mut out, "", &known);
    out.line("gl_Position = gl_in[i].gl_Position;");
    if random.u32(..4) == 0 {
        out.line("gl_Layer = i;");
    }
    out.line("EmitVertex();");
    out.close("}");
    out.line("EndPrimitive();");
    out.close("}");
    out.into_text()
}

fn control(random: &mut Rng, before: &Interface, next: &Interface) -> String {
    let mut out = head(&[]);
    out.line("layout(vertices = 3) out;");
    before.declare(&mut out, "in", "[]", "block_in");
    next.declare(&mut out, "out", "[]", "block_out");
    out.open("void main() {");
    out.line("uint turn = uint(gl_PrimitiveID);");
    let mut known = before.reads(random, "[gl_InvocationID]");
    known.push("gl_in[gl_InvocationID].gl_Position.y".to_owned());
    next.write(random, &mut out, "[gl_InvocationID]", &known);
    out.line("gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;");
    if random.bool() {
        out.line("barrier();");
    }
    for level in 0..3 {
        let value = value(random, &known);
        out.line(format!("gl_TessLevelOuter[{level}] = {value};"));
    }
    out.line("gl_TessLevelInner[0] = 2.0;");
    out.close("}");
    out.into_text()
}

fn evaluation(random: &mut Rng, before: &Interface, next: &Interface) -> String {
    let mut out = head(&[]);
    let spacing = ["equal_spacing", "fractional_odd_spacing"][random.usize(..2)];
    out.line(format!("layout(triangles, {spacing}, ccw) in;"));
    before.declare(&mut out, "in", "[]", "block_in");
    next.declare(&mut out, "out", "", "block_out");
    out.open("void main() {");
    out.line("uint turn = uint(gl_PrimitiveID);");
    let mut known: Vec<String> = (0..3).flat_map(|at| before.reads(random, &format!("[{at}]"))).collect();
    known.push("gl_TessCoord.x".to_owned());
    next.write(random, &mut out, "", &known);
    out.line("gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y;");
    out.close("}");
    out.into_text()
}

fn mesh(random: &mut Rng, next: &Interface) -> String {
    let mut out = head(&["GL_EXT_mesh_shader"]);
    out.line("layout(local_size_x = 32) in;");
    out.line("layout(triangles, max_vertices = 32, max_primitives = 10) out;");
    next.declare(&mut out, "out", "[]", "block_out");
    out.open("void main() {");
    out.line("uint i = gl_LocalInvocationIndex;");
    out.line("SetMeshOutputsEXT(32, 10);");
    let known = ["float(i)", "float(gl_WorkGroupID.x)", "uniforms.u[i % 16u]"].map(str::to_owned);
    out.line("gl_MeshVerticesEXT[i].gl_Position = vec4(float(i), 1.0, 0.5, 1.0);");
    next.write(random, &mut out, "[i]", &known);
    out.line("if (i < 10u) gl_PrimitiveTriangleIndicesEXT[i] = uvec3(i, i + 1u, i + 2u);");
    out.close("}");
    out.into_text()
}

fn fragment(random: &mut Rng, before: &Interface) -> String {
    let mut out = head(&[]);
    before.declare(&mut out, "in", "", "block_in");
    let outputs = random.u32(1..4);
    (0..outputs).for_each(|at| out.line(format!("layout(location = {at}) out vec4 color{at};")));
    out.open("void main() {");
    out.line("uint turn = uint(gl_FragCoord.x);");
    let mut reads = before.reads(random, "");
    random.shuffle(&mut reads);
    if random.u32(..5) == 0 {
        out.line("if (gl_FragCoord.y < 3.0) discard;");
    }
    reads.push("gl_FragCoord.z".to_owned());
    let mut left = reads.clone();
    for at in 0..outputs {
        let parts: Vec<String> = (0..4)
            .map(|_| {
                let one = left.pop().unwrap_or_else(|| reads[random.usize(..reads.len())].clone());
                match random.u32(..6) {
                    0 => format!("{one} * {}.25", random.u32(1..9)),
                    1 => format!("{one} + {}", reads[random.usize(..reads.len())]),
                    2 => format!("dFdx({one})"),
                    _ => one,
                }
            })
            .collect();
        out.line(format!("color{at} = vec4({});", parts.join(", ")));
    }
    // What is left is read too.
    if !left.is_empty() {
        out.line(format!("color0.x += {};", left.join(" + ")));
    }
    out.close("}");
    out.into_text()
}
