//! Compute shaders: functions, control flow, arrays, shared memory.
//!
//! All of it is defined: variables are initialised, indices are within arrays, shifts are masked, divisors are not zero,
//! loops end, barriers are met by all invocations, and each invocation writes places of its own. Floats stay between a
//! millionth and a million, are `precise`, and are compared only as variables: nothing overflows, is fused, or is
//! rounded in one of two ways.

use fastrand::Rng;

use super::expression::{Array, Scope, Type, Variable};
use super::writer::Writer;

/// How much of GLSL a kernel uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// What each device computes alike.
    Exact,
    /// Everything.
    All,
}

/// Results of an invocation, in words.
const RESULTS: u32 = 4;

/// A function that can be called.
struct Function {
    name: String,
    parameters: Vec<Type>,
    /// The last parameter is `inout`.
    changes: bool,
}

/// Sizes of workgroups: with less than a wave, with several, and such that layouts may change.
const SHAPES: [[u32; 2]; 8] = [[1, 1], [16, 1], [32, 1], [64, 1], [8, 8], [16, 4], [12, 8], [4, 4]];

struct Kernel<'r> {
    random: &'r mut Rng,
    out: Writer,
    scope: Scope,
    functions: Vec<Function>,
    /// Types that locals may have.
    types: Vec<Type>,
    names: u32,
    /// Loops around the current place.
    loops: u32,
    /// What is left to write.
    budget: u32,
    /// Invocations of a workgroup.
    group: u32,
}

/// A compute shader.
pub(super) fn kernel(random: &mut Rng, reach: Reach) -> String {
    let is_wide = reach == Reach::All;
    let mut types =
        vec![Type::Uint, Type::Uint, Type::Uint, Type::Int, Type::Float, Type::Bool, Type::Uvec(random.u8(2..5))];
    let mut some = |ty: Type, random: &mut Rng| {
        if random.u32(..5) == 0 {
            types.push(ty);
        }
    };
    some(Type::Uint64, random);
    some(Type::Uint16, random);
    some(Type::Uint8, random);
    if is_wide {
        some(Type::Half, random);
    }
    let scope =
        Scope { is_wide, subgroups: is_wide && random.bool(), images: is_wide && random.bool(), ..Scope::default() };
    let shape = SHAPES[random.usize(..SHAPES.len())];
    let group = shape[0] * shape[1];
    let budget = random.u32(10..60);
    let (out, functions) = (Writer::default(), Vec::new());
    let mut kernel = Kernel { random, out, scope, functions, types, names: 0, loops: 0, budget, group };
    kernel.head(shape);
    for _ in 0..kernel.random.u32(..4) {
        kernel.function();
    }
    kernel.main();
    kernel.out.into_text()
}

impl Kernel<'_> {
    fn head(&mut self, [x, y]: [u32; 2]) {
        let out = &mut self.out;
        out.line("#version 460");
        out.line("#extension GL_EXT_shader_explicit_arithmetic_types : require");
        if self.scope.subgroups {
            for name in ["basic", "vote", "ballot", "arithmetic", "shuffle", "clustered", "quad"] {
                out.line(format!("#extension GL_KHR_shader_subgroup_{name} : require"));
            }
        }
        out.line(format!("layout(local_size_x = {x}, local_size_y = {y}) in;"));
        out.line("layout(set = 0, binding = 0) readonly buffer Input { uint data[256]; };");
        out.line(format!("layout(set = 0, binding = 1) buffer Output {{ uint result[{}]; }};", self.group * RESULTS));
        if self.scope.images {
            out.line("layout(set = 0, binding = 2) uniform sampler2D picture;");
            out.line("layout(set = 0, binding = 3) uniform sampler2DArray layers;");
            out.line("layout(set = 0, binding = 4, r32ui) uniform uimage2D counters;");
        }
        out.line(format!("shared uint tile[{}];", self.group));
        out.line("shared uint total;");
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn any_type(&mut self) -> Type {
        self.types[self.random.usize(..self.types.len())]
    }

    fn expression(&mut self, ty: Type) -> String {
        let depth = self.random.u32(1..4);
        self.scope.of(self.random, ty, depth)
    }

    /// Declares a variable with a value.
    fn declare(&mut self, ty: Type) {
        let value = self.expression(ty);
        let name = self.fresh("v");
        let precise = if matches!(ty, Type::Float | Type::Half) { "precise " } else { "" };
        self.out.line(format!("{precise}{} {name} = {value};", ty.name()));
        self.bound(&name, ty);
        self.scope.variables.push(Variable { name, ty, is_writable: true });
    }

    /// Keeps a float away from what overflows and from denormal numbers.
    fn bound(&mut self, name: &str, ty: Type) {
        if ty == Type::Float {
            let instead = self.random.u32(1..20);
            self.out.line(format!("if (!(abs({name}) < 1000000.0 && abs({name}) > 0.000001)) {name} = {instead}.5;"));
        }
    }

    fn declare_array(&mut self) {
        let length = [2, 3, 4, 5, 8, 16][self.random.usize(..6)];
        let name = self.fresh("a");
        let values: Vec<String> = (0..length).map(|_| self.scope.uint(self.random, 1)).collect();
        self.out.line(format!("uint {name}[{length}] = uint[{length}]({});", values.join(", ")));
        self.scope.arrays.push(Array { name, length, is_writable: true });
    }

    fn assign(&mut self) {
        let target = match self.random.u32(..4) {
            0 => self.scope.element(self.random, 1, true).map(|element| (element, Type::Uint)),
            _ => {
                let ty = self.any_type();
                self.scope.variable(self.random, ty, true).map(|name| (name.to_owned(), ty))
            }
        };
        let Some((target, ty)) = target else { return self.declare(Type::Uint) };
        let value = self.expression(ty);
        match (ty, self.random.u32(..4)) {
            (Type::Uint, 0) => self.out.line(format!("{target} += {value};")),
            (Type::Uint, 1) => self.out.line(format!("{target} ^= {value};")),
            (Type::Uvec(count), 0) => {
                let (index, scalar) = (self.scope.uint(self.random, 1), self.scope.uint(self.random, 1));
                self.out.line(format!("{target}[{index} % {count}u] = {scalar};"));
            }
            _ => self.out.line(format!("{target} = {value};")),
        }
        self.bound(&target, ty);
    }

    fn call(&mut self) {
        if self.functions.is_empty() || self.loops > 1 {
            return self.assign();
        }
        let at = self.random.usize(..self.functions.len());
        let (parameters, changes) = (self.functions[at].parameters.clone(), self.functions[at].changes);
        let changed =
            if changes { self.scope.variable(self.random, Type::Uint, true).map(str::to_owned) } else { None };
        if changes && changed.is_none() {
            return self.declare(Type::Uint);
        }
        // What is computed for a parameter is not `precise`: of floats it is a variable or a number.
        let depth = |ty| if matches!(ty, Type::Float | Type::Half) { 0 } else { 1 };
        let mut arguments: Vec<String> =
            parameters.iter().map(|&ty| self.scope.of(self.random, ty, depth(ty))).collect();
        arguments.extend(changed);
        let name = self.fresh("v");
        let call = format!("{}({})", self.functions[at].name, arguments.join(", "));
        self.out.line(format!("uint {name} = {call};"));
        self.scope.variables.push(Variable { name, ty: Type::Uint, is_writable: true });
    }

    /// Statements whose variables are gone after them.
    fn block(&mut self, depth: u32) {
        let (variables, arrays) = (self.scope.variables.len(), self.scope.arrays.len());
        for _ in 0..self.random.u32(1..4) {
            self.statement(depth);
        }
        self.scope.variables.truncate(variables);
        self.scope.arrays.truncate(arrays);
    }

    fn statement(&mut self, depth: u32) {
        self.budget = self.budget.saturating_sub(1);
        if self.budget == 0 || depth == 0 {
            return self.assign();
        }
        match self.random.u32(..20) {
            0..4 => {
                let ty = self.any_type();
                self.declare(ty);
            }
            4..8 => self.assign(),
            8 => self.declare_array(),
            9..12 => self.selection(depth - 1),
            12..15 if self.loops < 3 => self.turns(depth - 1),
            15 => self.switch(depth - 1),
            16 | 17 => self.call(),
            18 => self.float_as_integer(),
            _ if self.loops > 0 => {
                let (how, when) = (["break", "continue"][self.random.usize(..2)], self.scope.bool(self.random, 2));
                self.out.line(format!("if ({when}) {how};"));
            }
            _ => self.assign(),
        }
    }

    fn selection(&mut self, depth: u32) {
        let condition = self.scope.bool(self.random, 2);
        self.out.open(format!("if ({condition}) {{"));
        self.block(depth);
        if self.random.bool() {
            self.out.close("} else {");
            self.out.open("{");
            self.block(depth);
            self.out.close("}");
        }
        self.out.close("}");
    }

    fn turns(&mut self, depth: u32) {
        let name = self.fresh("i");
        let most = self.random.u32(1..8);
        let limit = match self.random.u32(..3) {
            0 => format!("{most}u"),
            _ => format!("({} & {most}u)", self.scope.uint(self.random, 1)),
        };
        self.loops += 1;
        let own = Variable { name: name.clone(), ty: Type::Uint, is_writable: false };
        match self.random.u32(..3) {
            // `continue` leads to the step, so that each of them ends.
            0 | 1 => {
                // The limit is taken once: its variables may change within.
                let bound = self.fresh("n");
                self.out.line(format!("uint {bound} = {limit};"));
                self.out.open(format!("for (uint {name} = 0u; {name} < {bound}; {name}++) {{"));
                self.scope.variables.push(own);
                self.block(depth);
                self.scope.variables.pop();
                self.out.close("}");
            }
            _ => {
                self.out.line(format!("uint {name} = {limit};"));
                self.out.open("do {");
                self.scope.variables.push(own);
                self.block(depth);
                self.scope.variables.pop();
                self.out.close(format!("}} while ({name}-- > 0u && {name} < 64u);"));
            }
        }
        self.loops -= 1;
    }

    fn switch(&mut self, depth: u32) {
        let selector = self.scope.uint(self.random, 2);
        let cases = self.random.u32(2..6);
        self.out.open(format!("switch ({selector} & 7u) {{"));
        // What leaves a loop would leave the switch instead.
        let loops = std::mem::take(&mut self.loops);
        for case in 0..cases {
            let of = match case + 1 == cases && self.random.bool() {
                true => "default:".to_owned(),
                false => format!("case {case}u:"),
            };
            self.out.open(format!("{of} {{"));
            self.block(depth.min(1));
            self.out.close("}");
            if case + 1 == cases || self.random.u32(..3) > 0 {
                self.out.line("break;");
            }
        }
        self.loops = loops;
        self.out.close("}");
    }

    /// A float becomes an integer where it is one's value.
    fn float_as_integer(&mut self) {
        let float = self.scope.variable(self.random, Type::Float, false).map(str::to_owned);
        let target = self.scope.variable(self.random, Type::Uint, true).map(str::to_owned);
        match (float, target) {
            (Some(float), Some(target)) => {
                self.out.line(format!("if ({float} >= 0.0 && {float} < 65536.0) {target} = uint({float});"));
            }
            _ => self.declare(Type::Float),
        }
    }

    fn function(&mut self) {
        let name = self.fresh("f");
        let outer = (std::mem::take(&mut self.scope.variables), std::mem::take(&mut self.scope.arrays));
        let parameters: Vec<Type> = (0..self.random.usize(1..4)).map(|_| self.any_type()).collect();
        let changes = self.random.u32(..3) == 0;
        let mut declared = Vec::new();
        for &ty in &parameters {
            let parameter = self.fresh("p");
            declared.push(format!("{} {parameter}", ty.name()));
            // A parameter is not `precise`.
            let is_writable = ty != Type::Float;
            self.scope.variables.push(Variable { name: parameter, ty, is_writable });
        }
        if changes {
            let parameter = self.fresh("p");
            declared.push(format!("inout uint {parameter}"));
            self.scope.variables.push(Variable { name: parameter, ty: Type::Uint, is_writable: true });
        }
        self.out.open(format!("uint {name}({}) {{", declared.join(", ")));
        self.declare(Type::Uint);
        for _ in 0..self.random.u32(1..5) {
            self.statement(2);
        }
        if self.random.u32(..3) == 0 {
            let (when, early) = (self.scope.bool(self.random, 2), self.scope.uint(self.random, 1));
            self.out.line(format!("if ({when}) return {early};"));
            self.statement(1);
        }
        let value = self.scope.uint(self.random, 2);
        self.out.line(format!("return {value};"));
        self.out.close("}");
        (self.scope.variables, self.scope.arrays) = outer;
        self.functions.push(Function { name, parameters, changes });
    }

    fn main(&mut self) {
        let group = self.group;
        self.out.open("void main() {");
        self.out.line("uint lane = gl_LocalInvocationIndex;");
        self.out.line("if (lane == 0u) total = 0u;");
        let own = |name: &str| Variable { name: name.to_owned(), ty: Type::Uint, is_writable: false };
        self.scope.variables.push(own("lane"));
        self.scope.arrays.push(Array { name: "data".to_owned(), length: 256, is_writable: false });
        for ty in self.types.clone() {
            self.declare(ty);
        }
        let parts = self.random.u32(1..5);
        for part in 0..parts {
            for _ in 0..self.random.u32(1..6) {
                self.statement(3);
            }
            if part + 1 < parts && self.random.bool() {
                self.exchange(group);
            }
        }
        // All that was computed reaches the results.
        let all = self.scope.variables.clone();
        let mut sum = vec!["0u".to_owned()];
        for variable in all.iter().rev().take(12) {
            let name = &variable.name;
            match variable.ty {
                Type::Bool => sum.push(format!("uint({name})")),
                Type::Uint => sum.push(name.clone()),
                Type::Uvec(_) => sum.push(format!("{name}.x ^ {name}.y")),
                Type::Int | Type::Uint16 | Type::Uint8 => sum.push(format!("uint({name})")),
                Type::Uint64 => sum.push(format!("uint({name}) + uint({name} >> 32)")),
                Type::Float => sum.push(format!("floatBitsToUint({name})")),
                Type::Half => sum.push(format!("floatBitsToUint(float({name}))")),
            }
        }
        let count = sum.len().div_ceil(RESULTS as usize).max(1);
        for (at, some) in sum.chunks(count).enumerate() {
            let some: Vec<String> = some.iter().map(|one| format!("({one})")).collect();
            self.out.line(format!("result[lane * {RESULTS}u + {at}u] = {};", some.join(" ^ ")));
        }
        self.out.close("}");
    }

    /// Invocations see each other's values.
    fn exchange(&mut self, group: u32) {
        let value = self.scope.uint(self.random, 2);
        let name = self.fresh("v");
        if self.random.bool() {
            self.out.line(format!("tile[lane] = {value};"));
            self.out.line("barrier();");
            let by = self.random.u32(1..group.max(2));
            self.out.line(format!("uint {name} = tile[(lane + {by}u) % {group}u];"));
        } else {
            self.out.line("barrier();");
            let how = ["Add", "Or", "Xor", "Max"][self.random.usize(..4)];
            self.out.line(format!("atomic{how}(total, {value});"));
            self.out.line("barrier();");
            self.out.line(format!("uint {name} = total;"));
        }
        self.out.line("barrier();");
        self.scope.variables.push(Variable { name, ty: Type::Uint, is_writable: true });
    }
}
