//! Expressions over the variables in scope, all of them defined for every value of their operands.

use fastrand::Rng;

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Bool,
    /// Without a sign.
    Uint,
    /// With one.
    Int,
    Float,
    /// `uvec2` to `uvec4`.
    Uvec(u8),
    /// Integers of 64, 16 and 8 bits, without a sign.
    Uint64,
    Uint16,
    Uint8,
    /// A float of 16 bits.
    Half,
}

impl Type {
    /// Its name in GLSL.
    pub fn name(self) -> String {
        match self {
            Type::Bool => "bool".to_owned(),
            Type::Uint => "uint".to_owned(),
            Type::Int => "int".to_owned(),
            Type::Float => "float".to_owned(),
            Type::Uvec(count) => format!("uvec{count}"),
            Type::Uint64 => "uint64_t".to_owned(),
            Type::Uint16 => "uint16_t".to_owned(),
            Type::Uint8 => "uint8_t".to_owned(),
            Type::Half => "float16_t".to_owned(),
        }
    }
}

/// A variable that can be read.
#[derive(Debug, Clone)]
pub(super) struct Variable {
    pub name: String,
    pub ty: Type,
    pub is_writable: bool,
}

/// An array of integers that can be read: its length is a power of two or not.
#[derive(Debug, Clone)]
pub(super) struct Array {
    pub name: String,
    pub length: u32,
    pub is_writable: bool,
}

/// What expressions are made of.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    pub variables: Vec<Variable>,
    pub arrays: Vec<Array>,
    /// What devices may compute differently is allowed.
    pub is_wide: bool,
    /// Operations of subgroups.
    pub subgroups: bool,
    /// Sampled and stored images: `picture`, `layers`, `counters`.
    pub images: bool,
}

impl Scope {
    /// A variable of a type.
    pub fn variable(&self, random: &mut Rng, ty: Type, writable: bool) -> Option<&str> {
        let of = |variable: &&Variable| variable.ty == ty && (variable.is_writable || !writable);
        let all: Vec<&Variable> = self.variables.iter().filter(of).collect();
        random.choice(all).map(|variable| variable.name.as_str())
    }

    /// Whether there is a variable of a type.
    pub fn has(&self, ty: Type) -> bool {
        self.variables.iter().any(|variable| variable.ty == ty)
    }

    /// An element of an array, at an index within it.
    pub fn element(&self, random: &mut Rng, depth: u32, writable: bool) -> Option<String> {
        let all: Vec<&Array> = self.arrays.iter().filter(|array| array.is_writable || !writable).collect();
        let array = random.choice(all)?;
        let index = match random.u32(..4) {
            0 => format!("{}", random.u32(..array.length)),
            _ => format!("{} % {}u", self.uint(random, depth), array.length),
        };
        Some(format!("{}[{index}]", array.name))
    }

    /// An expression of a type, at most `depth` deep.
    pub fn of(&self, random: &mut Rng, ty: Type, depth: u32) -> String {
        match ty {
            Type::Bool => self.bool(random, depth),
            Type::Uint => self.uint(random, depth),
            Type::Int => self.int(random, depth),
            Type::Float => self.float(random, depth),
            Type::Uvec(count) => self.uvec(random, count, depth),
            Type::Uint64 => self.uint64(random, depth),
            Type::Uint16 => self.narrow(random, Type::Uint16, depth),
            Type::Uint8 => self.narrow(random, Type::Uint8, depth),
            Type::Half => self.half(random, depth),
        }
    }

    fn uint_leaf(&self, random: &mut Rng) -> String {
        match random.u32(..4) {
            0 => format!("{}u", super::word(random)),
            _ => match self.variable(random, Type::Uint, false) {
                Some(name) => name.to_owned(),
                None => format!("{}u", random.u32(..100)),
            },
        }
    }

    pub fn uint(&self, random: &mut Rng, depth: u32) -> String {
        let Some(depth) = depth.checked_sub(1) else { return self.uint_leaf(random) };
        let one = |random: &mut Rng| self.uint(random, depth);
        match random.u32(..30) {
            0..4 => self.uint_leaf(random),
            4..12 => {
                let op = ["+", "-", "*", "&", "|", "^"][random.usize(..6)];
                format!("({} {op} {})", one(random), one(random))
            }
            12 => format!("({} << ({} & 31u))", one(random), one(random)),
            13 => format!("({} >> ({} & 31u))", one(random), one(random)),
            14 => format!("({} / ({} | 1u))", one(random), one(random)),
            15 => format!("({} % ({} | 1u))", one(random), one(random)),
            16 => format!("({} ? {} : {})", self.bool(random, depth), one(random), one(random)),
            17 => format!("min({}, {})", one(random), one(random)),
            18 => format!("max({}, {})", one(random), one(random)),
            19 => {
                let name = ["bitCount", "findMSB", "findLSB"][random.usize(..3)];
                format!("uint({name}({}))", one(random))
            }
            20 => format!("bitfieldReverse({})", one(random)),
            21 => {
                let (offset, bits) = (random.i32(0..16), random.i32(0..17));
                format!("bitfieldExtract({}, {offset}, {bits})", one(random))
            }
            22 => {
                let (offset, bits) = (random.i32(0..16), random.i32(0..17));
                format!("bitfieldInsert({}, {}, {offset}, {bits})", one(random), one(random))
            }
            23 => format!("uint({})", self.int(random, depth)),
            24 => format!("~{}", one(random)),
            25 | 26 => self.element(random, depth, false).unwrap_or_else(|| self.uint_leaf(random)),
            27 => {
                let count = random.u8(2..5);
                let vector = self.variable(random, Type::Uvec(count), false).map(str::to_owned);
                match vector {
                    Some(vector) if random.bool() => {
                        format!("{vector}.{}", ["x", "y", "z", "w"][random.usize(..usize::from(count))])
                    }
                    Some(vector) => format!("{vector}[{} % {count}u]", one(random)),
                    None => self.uint_leaf(random),
                }
            }
            28 if self.has(Type::Uint64) => {
                let shift = [0, 7, 32][random.usize(..3)];
                format!("uint({} >> {shift})", self.uint64(random, depth))
            }
            29 if self.has(Type::Uint16) => format!("uint({})", self.narrow(random, Type::Uint16, depth)),
            28 if self.has(Type::Uint8) => format!("uint({})", self.narrow(random, Type::Uint8, depth)),
            _ if self.subgroups => {
                let name = [
                    "subgroupAdd",
                    "subgroupMax",
                    "subgroupXor",
                    "subgroupExclusiveAdd",
                    "subgroupInclusiveOr",
                    "subgroupBroadcastFirst",
                    "subgroupQuadSwapHorizontal",
                    "subgroupQuadSwapDiagonal",
                ];
                match random.u32(..5) {
                    0 => format!("subgroupShuffleXor({}, {}u)", one(random), random.u32(..32)),
                    1 => format!("subgroupBallotBitCount(subgroupBallot({}))", self.bool(random, depth)),
                    2 => format!("subgroupClusteredAdd({}, {}u)", one(random), 1 << random.u32(..4)),
                    _ => format!("{}({})", name[random.usize(..name.len())], one(random)),
                }
            }
            _ if self.images => match random.u32(..2) {
                0 => format!("imageLoad(counters, ivec2({} & 7u, 1)).x", one(random)),
                _ => format!("imageAtomicAdd(counters, ivec2({} & 7u, 0), {})", one(random), one(random)),
            },
            _ => self.uint_leaf(random),
        }
    }

    pub fn int(&self, random: &mut Rng, depth: u32) -> String {
        let leaf = |random: &mut Rng| match self.variable(random, Type::Int, false) {
            Some(name) if random.u32(..4) > 0 => name.to_owned(),
            // In brackets: `--1` would be a decrement.
            _ => format!("({})", random.i32(-50..100)),
        };
        let Some(depth) = depth.checked_sub(1) else { return leaf(random) };
        let one = |random: &mut Rng| self.int(random, depth);
        match random.u32(..16) {
            0..3 => leaf(random),
            3..7 => format!("({} {} {})", one(random), ["+", "-", "*"][random.usize(..3)], one(random)),
            7 => format!("int({})", self.uint(random, depth)),
            8 => format!("({} >> ({} & 31))", one(random), one(random)),
            9 => format!("({} / (({} & 7) + 1))", one(random), one(random)),
            10 => format!("({} ? {} : {})", self.bool(random, depth), one(random), one(random)),
            11 => format!("{}({}, {})", ["min", "max"][random.usize(..2)], one(random), one(random)),
            12 => format!("(-{})", one(random)),
            13 => format!("abs({})", one(random)),
            14 => format!("sign({})", one(random)),
            _ => {
                let (offset, bits) = (random.i32(0..16), random.i32(1..17));
                format!("bitfieldExtract({}, {offset}, {bits})", one(random))
            }
        }
    }

    /// Floats are compared as they are: what compilers may fuse in a comparison would decide it.
    fn float_leaf(&self, random: &mut Rng) -> String {
        match self.variable(random, Type::Float, false) {
            Some(name) if random.u32(..4) > 0 => name.to_owned(),
            _ => format!("{}.{}", random.u32(..40), [0, 25, 5, 75][random.usize(..4)]),
        }
    }

    pub fn float(&self, random: &mut Rng, depth: u32) -> String {
        let Some(depth) = depth.checked_sub(1) else { return self.float_leaf(random) };
        let one = |random: &mut Rng| self.float(random, depth);
        match random.u32(..18) {
            0..3 => self.float_leaf(random),
            3..8 => format!("({} {} {})", one(random), ["+", "-", "*"][random.usize(..3)], one(random)),
            8 => format!("float({} & 0xffffu)", self.uint(random, depth)),
            9 => format!("({} ? {} : {})", self.bool(random, depth), one(random), one(random)),
            10 => format!("abs({})", one(random)),
            11 => format!("(-{})", one(random)),
            12 => format!("{}({})", ["floor", "ceil", "trunc"][random.usize(..3)], self.float_leaf(random)),
            13 if self.is_wide => {
                let name = ["sin", "cos", "exp2", "log2", "sqrt", "inversesqrt", "fract", "tanh", "atan"];
                format!("{}({})", name[random.usize(..name.len())], one(random))
            }
            14 if self.is_wide => format!("({} / {})", one(random), one(random)),
            15 if self.is_wide => {
                let name = ["mix", "fma", "clamp", "smoothstep"][random.usize(..4)];
                format!("{name}({}, {}, {})", one(random), one(random), one(random))
            }
            16 if self.images => {
                let at = format!("vec2({}, {})", one(random), one(random));
                match random.u32(..4) {
                    0 => format!("textureLod(picture, {at}, {}).x", one(random)),
                    1 => format!("textureGather(picture, {at}, 1).w"),
                    2 => format!("textureLod(layers, vec3({at}, {}), 0.0).y", one(random)),
                    _ => format!("texelFetch(picture, ivec2({} & 7u, 2), 0).z", self.uint(random, depth)),
                }
            }
            17 if self.has(Type::Half) => format!("float({})", self.half(random, depth)),
            _ => self.float_leaf(random),
        }
    }

    pub fn bool(&self, random: &mut Rng, depth: u32) -> String {
        let leaf = |random: &mut Rng| match self.variable(random, Type::Bool, false) {
            Some(name) => name.to_owned(),
            None => format!("({} < {}u)", self.uint_leaf(random), random.u32(..64)),
        };
        let Some(depth) = depth.checked_sub(1) else { return leaf(random) };
        let compare = ["<", "<=", ">", ">=", "==", "!="][random.usize(..6)];
        match random.u32(..12) {
            0 | 1 => leaf(random),
            2..5 => format!("({} {compare} {})", self.uint(random, depth), self.uint(random, depth)),
            5 | 6 => format!("({} {compare} {})", self.int(random, depth), self.int(random, depth)),
            7 => format!("({} {compare} {})", self.float_leaf(random), self.float_leaf(random)),
            8 => format!("({} && {})", self.bool(random, depth), self.bool(random, depth)),
            9 => format!("({} || {})", self.bool(random, depth), self.bool(random, depth)),
            10 => format!("(!{})", self.bool(random, depth)),
            _ if self.subgroups => format!("subgroupAny({})", self.bool(random, depth)),
            _ => format!("({} ^^ {})", self.bool(random, depth), self.bool(random, depth)),
        }
    }

    fn uvec(&self, random: &mut Rng, count: u8, depth: u32) -> String {
        let variable = self.variable(random, Type::Uvec(count), false).map(str::to_owned);
        let composed = |random: &mut Rng, depth| {
            let parts: Vec<String> = (0..count).map(|_| self.uint(random, depth)).collect();
            format!("uvec{count}({})", parts.join(", "))
        };
        let Some(depth) = depth.checked_sub(1) else { return variable.unwrap_or_else(|| composed(random, 0)) };
        match (variable, random.u32(..6)) {
            (Some(name), 0) => name,
            (Some(name), 1) => {
                let swizzle: String =
                    (0..count).map(|_| ["x", "y", "z", "w"][random.usize(..usize::from(count))]).collect();
                format!("{name}.{swizzle}")
            }
            (Some(name), 2 | 3) => {
                let op = ["+", "-", "*", "&", "|", "^"][random.usize(..6)];
                format!("({name} {op} {})", self.uvec(random, count, depth))
            }
            (Some(name), 4) => {
                let other = self.uvec(random, count, depth);
                format!("mix({name}, {other}, lessThan({name}, uvec{count}({}u)))", random.u32(..1000))
            }
            _ => composed(random, depth),
        }
    }

    fn uint64(&self, random: &mut Rng, depth: u32) -> String {
        let leaf = |random: &mut Rng| match self.variable(random, Type::Uint64, false) {
            Some(name) if random.u32(..4) > 0 => name.to_owned(),
            _ => format!("uint64_t({})", self.uint_leaf(random)),
        };
        let Some(depth) = depth.checked_sub(1) else { return leaf(random) };
        let one = |random: &mut Rng| self.uint64(random, depth);
        match random.u32(..8) {
            0 | 1 => leaf(random),
            2 | 3 => format!("({} {} {})", one(random), ["+", "-", "*", "^", "&"][random.usize(..5)], one(random)),
            4 => format!("({} << ({} & 63u))", one(random), self.uint(random, depth)),
            5 => format!("({} >> ({} & 63u))", one(random), self.uint(random, depth)),
            6 => format!("({} < {} ? {} : {})", leaf(random), leaf(random), one(random), one(random)),
            _ => format!("({} / ({} | 1ul))", one(random), one(random)),
        }
    }

    fn narrow(&self, random: &mut Rng, ty: Type, depth: u32) -> String {
        let name = ty.name();
        let leaf = |random: &mut Rng| match self.variable(random, ty, false) {
            Some(variable) if random.u32(..4) > 0 => variable.to_owned(),
            _ => format!("{name}({})", self.uint_leaf(random)),
        };
        let Some(depth) = depth.checked_sub(1) else { return leaf(random) };
        let one = |random: &mut Rng| self.narrow(random, ty, depth);
        match random.u32(..6) {
            0 | 1 => leaf(random),
            2 | 3 => {
                let op = ["+", "-", "*", "^", "&", "|"][random.usize(..6)];
                format!("{name}({} {op} {})", one(random), one(random))
            }
            4 => format!("{name}({} >> ({} & 7u))", one(random), self.uint(random, depth)),
            _ => format!("({} < {} ? {} : {})", leaf(random), leaf(random), one(random), one(random)),
        }
    }

    fn half(&self, random: &mut Rng, depth: u32) -> String {
        let leaf = |random: &mut Rng| match self.variable(random, Type::Half, false) {
            Some(name) if random.u32(..4) > 0 => name.to_owned(),
            _ => format!("float16_t({}.5)", random.u32(..10)),
        };
        let Some(depth) = depth.checked_sub(1) else { return leaf(random) };
        let one = |random: &mut Rng| self.half(random, depth);
        match random.u32(..6) {
            0 | 1 => leaf(random),
            2 | 3 => format!("({} {} {})", one(random), ["+", "-", "*", "/"][random.usize(..4)], one(random)),
            4 => format!("float16_t({})", self.float(random, depth)),
            _ => format!("{}({})", ["sqrt", "abs", "fract", "exp2"][random.usize(..4)], one(random)),
        }
    }
}
