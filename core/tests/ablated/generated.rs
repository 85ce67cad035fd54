//! Pairs of a vertex and a fragment shader, by number.

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

const INPUTS: [&str; 8] = ["p.x", "p.y", "p.z", "p.w", "q.x", "q.y", "q.z", "q.w"];

impl Generated {
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
                    88..94 => format!("uniforms.u[{}]", random.below(4)),
                    _ => format!("{a} * uniforms.u[{}]", random.below(4)),
                };
                known.push(value.clone());
                values.push(value);
            }
            varyings.push(Varying { qualifier, values });
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

    /// The texts of both shaders; without one scalar, by location and component, in the fragment shader.
    pub fn texts(&self, without: Option<(u32, u8)>) -> [(&'static str, String); 2] {
        let declare = |direction: &str| {
            let one = |(location, varying): (usize, &Varying)| {
                let ty = ["float", "vec2", "vec3", "vec4"][varying.values.len() - 1];
                format!("layout(location = {location}) {}{direction} {ty} v{location};\n", varying.qualifier)
            };
            self.varyings.iter().enumerate().map(one).collect::<String>()
        };
        let mut vertex = "#version 460\nlayout(location = 0) in vec4 p;\nlayout(location = 1) in vec4 q;\n\
            layout(push_constant) uniform Uniforms { float u[4]; } uniforms;\n"
            .to_owned()
            + &declare("out")
            + "void main() {\n    gl_Position = p;\n";
        for (location, varying) in self.varyings.iter().enumerate() {
            let name = |component: usize| self.scalar((location, component));
            for (component, value) in varying.values.iter().enumerate() {
                vertex += &format!("    {} = {value};\n", name(component));
            }
        }
        let mut fragment = "#version 460\n".to_owned() + &declare("in");
        let colors = self.outputs.chunks(4);
        for index in 0..colors.len() {
            fragment += &format!("layout(location = {index}) out vec4 color{index};\n");
        }
        fragment += "void main() {\n";
        for (index, all) in colors.enumerate() {
            let one = |expression: &Expression| {
                expression.scalars.iter().enumerate().fold(expression.text.clone(), |text, (n, scalar)| {
                    let gone = without == Some((scalar.0 as u32, scalar.1 as u8));
                    let name = if gone { "gl_FragCoord.x".to_owned() } else { self.scalar(*scalar) };
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
