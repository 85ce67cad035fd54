//! Pairs of a vertex and a fragment shader, by number: of sums and products of floats, or of everything else too, as
//! integers, clamps, choices, loops and operations of subgroups.

/// A random number generator (xorshift): the same pairs everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() >> 11) as usize % count
    }

    fn percent(&mut self) -> usize {
        self.below(100)
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }
}

/// A varying: how it is interpolated, and what each component is.
struct Varying {
    qualifier: &'static str,
    is_integer: bool,
    values: Vec<String>,
}

/// An expression of the fragment shader, with `{0}` and `{1}` for scalars: variable and component.
struct Expression {
    text: String,
    scalars: Vec<(usize, usize)>,
}

/// A pair.
pub struct Generated {
    varyings: Vec<Varying>,
    outputs: Vec<Expression>,
}

/// What the fragment shader has in place of a scalar.
#[derive(Debug, Clone, Copy)]
pub enum Instead {
    /// What nothing else depends on.
    Other,
    /// What the vertex shader writes to it.
    Same,
}

const INPUTS: [&str; 8] = ["p.x", "p.y", "p.z", "p.w", "q.x", "q.y", "q.z", "q.w"];
const INTEGERS: [&str; 4] = ["i.x", "i.y", "i.z", "i.w"];
const VERTEX: &str = "#version 460\n#extension GL_KHR_shader_subgroup_ballot : require\n\
    layout(location = 0) in vec4 p;\nlayout(location = 1) in vec4 q;\nlayout(location = 2) in uvec4 i;\n";
const UNIFORMS: &str = "layout(push_constant) uniform Uniforms { float u[32]; } uniforms;\n";
const LOOPS: &str = "float turned(float x, float by) {\n    \
    for (int n = 0; n < 77 && x < by * 100.0; n += 1) { x = x * x + by; }\n    return x;\n}\n\
    uint counted(float x, float by) {\n    uint n = 0u;\n    \
    while (n < 77u && x < by * 100.0) { x = x * x + by; n += 1u; }\n    return n;\n}\n";

impl Generated {
    /// A pair of floats that are added and multiplied.
    pub fn of(seed: u64) -> Generated {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        (0..8).for_each(|_| _ = random.next());
        // No two factors are the same: what is computed twice differs.
        let mut factor = 1;
        let mut next = || {
            factor += 2;
            factor
        };
        let mut known: Vec<String> = Vec::new();
        let mut varyings = Vec::new();
        for _ in 0..2 + random.below(4) {
            let qualifier = random.one(&["", "", "", "flat ", "noperspective ", "centroid "]);
            let mut values = Vec::new();
            for _ in 0..1 + random.below(4) {
                let (a, b) = (random.one(&INPUTS), random.one(&INPUTS));
                let value = match random.percent() {
                    0..30 => a.to_owned(),
                    30..60 => format!("{a} * {}.0", next()),
                    60..75 => format!("{a} + {b} * {}.0", next()),
                    75..82 if !known.is_empty() => random.one(&known),
                    75..88 => format!("{}.5", next()),
                    88..94 => format!("uniforms.u[{}]", random.below(32)),
                    _ => format!("{a} * uniforms.u[{}]", random.below(32)),
                };
                known.push(value.clone());
                values.push(value);
            }
            varyings.push(Varying { qualifier, is_integer: false, values });
        }
        let all: Vec<(usize, usize)> = varyings
            .iter()
            .enumerate()
            .flat_map(|(v, varying)| (0..varying.values.len()).map(move |c| (v, c)))
            .collect();
        let mut pool = all.clone();
        let mut outputs = Vec::new();
        for _ in 0..4 * (1 + random.below(2)) {
            let mut pick = |random: &mut Random| {
                if pool.is_empty() || random.percent() >= 80 {
                    return random.one(&all);
                }
                let at = random.below(pool.len());
                pool.swap_remove(at)
            };
            let (a, b) = (pick(&mut random), pick(&mut random));
            let (text, scalars) = match random.percent() {
                0..25 => ("{0}".to_owned(), vec![a]),
                25..45 => ("({0} + {1})".to_owned(), vec![a, b]),
                45..60 => (format!("({{0}} * {}.25)", next()), vec![a]),
                60..75 => (format!("({{0}} * {}.25 + {{1}})", next()), vec![a, b]),
                75..85 => ("({0} * {1})".to_owned(), vec![a, b]),
                85..93 => ("max({0}, {1})".to_owned(), vec![a, b]),
                _ => ("(dFdx({0}) + {1})".to_owned(), vec![a, b]),
            };
            outputs.push(Expression { text, scalars });
        }
        Generated { varyings, outputs }
    }

    /// A pair of what is not a sum or a product of floats.
    pub fn mixed(seed: u64) -> Generated {
        let mut random = Random(seed.wrapping_mul(0xd134_2543_de82_ef95) | 1);
        (0..8).for_each(|_| _ = random.next());
        let mut factor = 1;
        let mut next = || {
            factor += 2;
            factor
        };
        let mut varyings = Vec::new();
        for _ in 0..2 + random.below(3) {
            let is_integer = random.percent() < 50;
            let qualifier = if is_integer || random.percent() < 60 { "flat " } else { "" };
            let mut values = Vec::new();
            for _ in 0..1 + random.below(3) {
                let (a, b, i) = (random.one(&INPUTS), random.one(&INPUTS), random.one(&INTEGERS));
                let n = next();
                values.push(match (is_integer, random.percent()) {
                    (true, 0..20) => i.to_owned(),
                    (true, 20..40) => format!("({i} & {n}u)"),
                    (true, 40..50) => format!("({i} + {n}u)"),
                    (true, 50..60) => format!("({i} >> {}u)", n % 32),
                    (true, 60..70) => format!("({a} > {n}.0 ? {n}u : {}u)", n + 1),
                    (true, 70..80) => format!("counted({a}, {n}.0)"),
                    (true, 80..88) => format!("subgroupBallotBitCount(subgroupBallot({a} > {n}.0))"),
                    (true, 88..94) => format!("subgroupBroadcastFirst({i} + {n}u)"),
                    (true, _) => format!("{n}u"),
                    (false, 0..20) => a.to_owned(),
                    (false, 20..35) => format!("min({a}, {n}.0)"),
                    (false, 35..50) => format!("clamp({a}, -{n}.0, {n}.5)"),
                    (false, 50..65) => format!("({a} > {n}.0 ? {b} : {b} * {n}.5)"),
                    (false, 65..75) => format!("turned({a}, {n}.0)"),
                    (false, 75..82) => format!("float(counted({a}, {n}.0))"),
                    (false, 82..88) => format!("subgroupBroadcastFirst({a} * {n}.0)"),
                    (false, 88..94) => format!("floor({a} * {n}.0)"),
                    (false, _) => format!("{n}.5"),
                });
            }
            varyings.push(Varying { qualifier, is_integer, values });
        }
        let of = |is_integer| {
            let of = varyings.iter().enumerate().filter(|(_, varying)| varying.is_integer == is_integer);
            of.flat_map(|(v, varying)| (0..varying.values.len()).map(move |c| (v, c))).collect::<Vec<_>>()
        };
        let (integers, floats) = (of(true), of(false));
        let mut pools = [integers.clone(), floats.clone()];
        let mut outputs = Vec::new();
        for _ in 0..4 * (1 + random.below(2)) {
            let is_integer = floats.is_empty() || !integers.is_empty() && random.percent() < 50;
            let mut pick = |random: &mut Random| {
                let (pool, all) = if is_integer { (&mut pools[0], &integers) } else { (&mut pools[1], &floats) };
                if pool.is_empty() || random.percent() >= 80 {
                    return random.one(all);
                }
                let at = random.below(pool.len());
                pool.swap_remove(at)
            };
            let (a, b, n) = (pick(&mut random), pick(&mut random), next());
            let (text, scalars) = match (is_integer, random.percent()) {
                (true, 0..20) => ("uintBitsToFloat({0})".to_owned(), vec![a]),
                (true, 20..40) => ("float({0} + {1})".to_owned(), vec![a, b]),
                (true, 40..55) => (format!("float({{0}} + {n}u)"), vec![a]),
                (true, 55..70) => (format!("float({{0}} * {n}u + {{1}})"), vec![a, b]),
                (true, 70..85) => ("float({0} ^ {1})".to_owned(), vec![a, b]),
                (true, _) => (format!("({{0}} > {n}u ? float({{1}}) : {n}.5)"), vec![a, b]),
                (false, 0..20) => ("{0}".to_owned(), vec![a]),
                (false, 20..35) => (format!("min({{0}}, {n}.0)"), vec![a]),
                (false, 35..50) => ("({0} + {1})".to_owned(), vec![a, b]),
                (false, 50..65) => (format!("({{0}} > {n}.25 ? {{1}} : {n}.5)"), vec![a, b]),
                (false, 65..80) => ("min({0}, {1})".to_owned(), vec![a, b]),
                (false, _) => (format!("({{0}} * {n}.25 - {{1}})"), vec![a, b]),
            };
            outputs.push(Expression { text, scalars });
        }
        Generated { varyings, outputs }
    }

    /// Whether a loop makes a scalar: what stands in its registers last is not what it makes.
    pub fn is_made_by_loop(&self, (location, component): (u32, u8)) -> bool {
        let value = self.varyings.get(location as usize).and_then(|varying| varying.values.get(usize::from(component)));
        value.is_some_and(|value| value.contains("counted(") || value.contains("turned("))
    }

    /// What the vertex shader writes to a scalar, by location and component, where that is a number or a uniform.
    pub fn fixed(&self, (location, component): (u32, u8)) -> Option<&str> {
        let value = self.varyings.get(location as usize)?.values.get(usize::from(component))?;
        let number = value.strip_suffix('u').unwrap_or(value);
        (number.parse::<f32>().is_ok() || value.starts_with("uniforms.")).then_some(value)
    }

    /// The texts of both shaders; with something else in place of one scalar in the fragment shader.
    pub fn texts(&self, without: Option<((u32, u8), Instead)>) -> [(&'static str, String); 2] {
        let declare = |direction: &str| {
            let one = |(location, varying): (usize, &Varying)| {
                let all = if varying.is_integer { ["uint", "uvec2", "uvec3"] } else { ["float", "vec2", "vec3"] };
                let ty = all.get(varying.values.len() - 1).copied().unwrap_or("vec4");
                format!("layout(location = {location}) {}{direction} {ty} v{location};\n", varying.qualifier)
            };
            self.varyings.iter().enumerate().map(one).collect::<String>()
        };
        let mut vertex = VERTEX.to_owned() + UNIFORMS + &declare("out") + LOOPS;
        vertex += "void main() {\n    gl_Position = p;\n";
        for (location, varying) in self.varyings.iter().enumerate() {
            let name = |component: usize| self.scalar((location, component));
            for (component, value) in varying.values.iter().enumerate() {
                vertex += &format!("    {} = {value};\n", name(component));
            }
        }
        let mut fragment = "#version 460\n".to_owned() + UNIFORMS + &declare("in");
        let colors = self.outputs.chunks(4);
        for index in 0..colors.len() {
            fragment += &format!("layout(location = {index}) out vec4 color{index};\n");
        }
        fragment += "void main() {\n";
        let instead = |scalar: (usize, usize)| match without {
            Some((gone, instead)) if gone == (scalar.0 as u32, scalar.1 as u8) => match instead {
                Instead::Same => self.fixed(gone).map(str::to_owned),
                Instead::Other if self.varyings[scalar.0].is_integer => Some("uint(gl_FragCoord.x)".to_owned()),
                Instead::Other => Some("gl_FragCoord.x".to_owned()),
            },
            _ => None,
        };
        for (index, all) in colors.enumerate() {
            let one = |expression: &Expression| {
                expression.scalars.iter().enumerate().fold(expression.text.clone(), |text, (n, scalar)| {
                    let name = instead(*scalar).unwrap_or_else(|| self.scalar(*scalar));
                    text.replace(&format!("{{{n}}}"), &name)
                })
            };
            let all: Vec<String> = all.iter().map(one).collect();
            fragment += &format!("    color{index} = vec4({});\n", all.join(", "));
        }
        [("vert", vertex + "}\n"), ("frag", fragment + "}\n")]
    }

    fn scalar(&self, (variable, component): (usize, usize)) -> String {
        match self.varyings[variable].values.len() {
            1 => format!("v{variable}"),
            _ => format!("v{variable}.{}", ["x", "y", "z", "w"][component]),
        }
    }
}
