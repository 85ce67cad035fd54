//! The values of an assembly's registers as expressions: what is exported, and what is used.

use std::collections::{BTreeMap, BTreeSet};

/// What is exported to each channel of a slot.
pub type Leaves = BTreeMap<(u32, u8), String>;

/// Parts of names of instructions whose first two operands may be exchanged.
const COMMUTES: [&str; 13] = [
    "add_f", "mul_f", "max_f", "min_f", "add_u", "add_nc_u", "add_co_u", "and_b", "xor_b", "or_b", "mul_lo", "min_u",
    "max_u",
];

/// The registers of a text, by name: `v3`.
#[derive(Default)]
struct State {
    values: BTreeMap<String, String>,
    used: BTreeMap<String, usize>,
    /// The values that came from attributes.
    loaded: BTreeSet<String>,
    /// What is stored to the memory of varyings (GFX11): bytes and value.
    stored: Vec<(usize, String)>,
}

/// A part of a line: `v[2:3]` is two registers.
fn registers(operand: &str) -> Vec<String> {
    let file = operand.chars().next().unwrap_or_default();
    let inner = operand.get(1..).and_then(|rest| rest.strip_prefix('[')?.strip_suffix(']')?.split_once(':'));
    match inner.and_then(|(first, last)| Some((first.parse::<u32>().ok()?, last.parse::<u32>().ok()?))) {
        Some((first, last)) => (first..=last).map(|number| format!("{file}{number}")).collect(),
        None => vec![operand.to_owned()],
    }
}

fn is_register(operand: &str) -> bool {
    operand.starts_with(['v', 's']) && operand[1..].starts_with(|c: char| c.is_ascii_digit() || c == '[')
}

impl State {
    /// The value of an operand. An argument of the shader is one of any, as its register differs with what is passed.
    fn get(&mut self, operand: &str) -> String {
        let (sign, rest) = operand.strip_prefix('-').map_or(("", operand), |rest| ("-", rest));
        let rest = rest.trim_matches('|');
        if rest.starts_with("vcc") {
            return self.values.get("vcc").cloned().unwrap_or_default();
        }
        if !is_register(rest) {
            return operand.to_owned();
        }
        let all: Vec<String> = registers(rest)
            .into_iter()
            .map(|name| {
                let argument = || if name.starts_with('s') { "s".to_owned() } else { format!("argument {name}") };
                self.values.get(&name).cloned().unwrap_or_else(argument)
            })
            .collect();
        // Waves of 64 lanes have a comparison's result in two registers, or in one that has a name.
        let is_result = all.iter().all(|one| one.starts_with("v_cmp") && Some(one) == all.first());
        let text = if is_result { all.into_iter().next().unwrap_or_default() } else { all.join(" ") };
        *self.used.entry(text.clone()).or_default() += 1;
        sign.to_owned() + &text
    }

    /// Carries a line out; the name, and its operands' values of one that exports. Two instructions that are issued at once
    /// (GFX11) read before either writes.
    fn step(&mut self, line: &str, attribute: &impl Fn(&str) -> Option<String>) -> Option<(String, Vec<String>)> {
        let code = line.split(';').next().unwrap_or_default().trim();
        let Some((first, second)) = code.split_once(" :: ") else { return self.one(code, attribute) };
        let [first, second] = [first, second].map(|half| half.trim().replacen("v_dual_", "v_", 1));
        let before = self.values.clone();
        self.one(&first, attribute);
        let after = std::mem::replace(&mut self.values, before.clone());
        self.one(&second, attribute);
        let written = after.into_iter().filter(|(name, value)| before.get(name) != Some(value));
        self.values.extend(written);
        None
    }

    /// Carries an instruction out.
    fn one(&mut self, code: &str, attribute: &impl Fn(&str) -> Option<String>) -> Option<(String, Vec<String>)> {
        let (op, rest) = code.split_once(' ').unwrap_or((code, ""));
        let op = ["_e32", "_e64", "_dpp", "_sdwa"].iter().fold(op, |op, end| op.strip_suffix(end).unwrap_or(op));
        let mut depth = 0;
        let mut parts = vec![String::new()];
        for letter in rest.chars() {
            depth += i32::from(letter == '[') - i32::from(letter == ']');
            if letter == ',' && depth == 0 {
                parts.push(String::new());
            } else if let Some(part) = parts.last_mut() {
                part.push(letter);
            }
        }
        // Modifiers stand after the last operand.
        let last = parts.pop().unwrap_or_default();
        let mut words = last.split_whitespace();
        parts.extend(words.next().map(str::to_owned));
        let modifiers: Vec<&str> = words.collect();
        let operands: Vec<&str> = parts.iter().map(|part| part.trim()).collect();
        if op == "exp" {
            let (target, first) = operands.first()?.split_once(' ')?;
            let all = std::iter::once(first.trim()).chain(operands[1..].iter().copied());
            return Some((target.to_owned(), all.map(|operand| self.get(operand)).collect()));
        }
        if op.starts_with("buffer_store") && modifiers.contains(&"idxen") {
            self.store(&operands, &modifiers);
        }
        if op.starts_with("v_cmp") || op.starts_with("s_cmp") {
            return self.compare(op, &operands);
        }
        let dest = operands.first().filter(|dest| is_register(dest))?.to_string();
        if op.starts_with("buffer_store") || op == "v_interp_p1_f32" {
            return None;
        }
        if let ("v_swap_b32", [first, second]) = (op, operands.as_slice()) {
            let [a, b] = [first, second].map(|name| self.values.remove(*name));
            self.values
                .extend([(*first, b), (*second, a)].into_iter().filter_map(|(to, of)| Some((to.to_owned(), of?))));
            return None;
        }
        let is_choice = op.starts_with("v_cndmask");
        let takes = |operand: &&str| is_choice || op.starts_with("s_") || !operand.starts_with("vcc");
        let sources: Vec<&str> = operands[1..].iter().copied().filter(takes).collect();
        if let Some(name) = sources.iter().find_map(|source| attribute(source)) {
            self.loaded.insert(name.clone());
            self.values.insert(dest, name);
            return None;
        }
        if let Some(value) = self.interpolated(op, &sources, &modifiers) {
            self.values.insert(dest, value);
            return None;
        }
        let mut of: Vec<String> = sources.iter().map(|operand| self.get(operand)).collect();
        let mut name = op;
        match (op, of.len()) {
            ("v_mac_f32" | "v_fmac_f32" | "s_fmac_f32", 2) => {
                name = "fma";
                of.push(self.get(&dest));
            }
            ("v_mad_f32" | "v_fma_f32" | "v_madak_f32" | "v_fmaak_f32" | "s_fmaak_f32", 3) => name = "fma",
            // What is added to is what is made.
            ("s_addk_i32" | "s_addk_co_i32", 1) => of.insert(0, self.get(&dest)),
            // The constant stands between.
            ("v_madmk_f32" | "v_fmamk_f32" | "s_fmamk_f32", 3) => name = "fma",
            ("v_mov_b32" | "s_mov_b32" | "s_movk_i32", 1) if modifiers.is_empty() => {
                let value = of.pop()?;
                self.values.insert(dest, value);
                return None;
            }
            _ => {}
        }
        let commutes = name == "fma" || COMMUTES.iter().any(|part| name.contains(part));
        if let Some(pair) = of.get_mut(..2).filter(|_| commutes) {
            pair.sort();
        }
        // Mesa 26 passes what is the same for all vertices as `s * 0 + s`.
        if name == "fma" && modifiers.is_empty() && of.len() == 3 && of[0] == "0" {
            self.values.insert(dest, of.pop()?);
            return None;
        }
        let offset = |word: &&&str| word.starts_with("offset") || word.contains(':');
        let kept: Vec<&str> = modifiers.iter().filter(offset).copied().collect();
        // Where memory is loaded from is not where the registers of its address are; wide and narrow loads load alike.
        let is_load = name.starts_with("buffer_load") || name.starts_with("tbuffer_load");
        let begin = modifiers.iter().find_map(|word| word.strip_prefix("offset:")?.parse::<usize>().ok()).unwrap_or(0);
        let text = format!("{name}({}) {}", of.join(", "), kept.join(" ")).trim_end().to_owned();
        for (index, register) in registers(&dest).into_iter().enumerate() {
            let value = if is_load { format!("load {}", begin + 4 * index) } else { format!("{text}.{index}") };
            self.values.insert(register, value);
        }
        None
    }
}

impl State {
    /// The attribute's value that an instruction of GFX11 makes of what was loaded of it. As with the instructions of GFX10,
    /// which load and interpolate at once, it is what comes after that counts as a use: the compiler interpolates once
    /// for all of that.
    fn interpolated(&self, op: &str, sources: &[&str], modifiers: &[&str]) -> Option<String> {
        let value = self.loaded.get(self.values.get(*sources.first()?)?)?;
        match op {
            // The second step may be part of a conversion: the first one alone is no use.
            _ if op.starts_with("v_interp_p10") => Some(format!("begun {value}")),
            _ if op.starts_with("v_interp_p2") => Some(value.clone()),
            "v_mov_b32" => modifiers.iter().any(|word| word.starts_with("quad_perm")).then(|| value.clone()),
            _ => None,
        }
    }

    /// Takes a comparison: its result is what is chosen by.
    fn compare(&mut self, op: &str, operands: &[&str]) -> Option<(String, Vec<String>)> {
        let (dest, sources) = match op.starts_with("s_cmp") {
            true => ("scc", operands),
            false => operands.split_first().map(|(dest, sources)| (*dest, sources))?,
        };
        let of: Vec<String> = sources.iter().map(|operand| self.get(operand)).collect();
        let text = format!("{op}({})", of.join(", "));
        let names = if dest.starts_with("vcc") { vec!["vcc".to_owned()] } else { registers(dest) };
        names.into_iter().for_each(|name| _ = self.values.insert(name, text.clone()));
        None
    }

    /// Takes a store of varyings: from where the wave's own begin, with what is added to that.
    fn store(&mut self, operands: &[&str], modifiers: &[&str]) {
        let (Some(data), Some(base)) = (operands.first(), operands.get(3)) else { return };
        let base = self.get(base);
        let literal = |text: &str| match text.strip_prefix("0x") {
            Some(hex) => usize::from_str_radix(hex, 16).ok(),
            None => text.parse().ok(),
        };
        let inner = base.split_once('(').filter(|(name, _)| name.starts_with("s_add"));
        let added = inner.and_then(|(_, rest)| {
            let (inside, _) = rest.rsplit_once(')')?;
            inside.split(", ").find_map(literal)
        });
        let offset = modifiers.iter().find_map(|word| literal(word.strip_prefix("offset:")?)).unwrap_or(0);
        for (index, register) in registers(data).into_iter().enumerate() {
            let value = self.get(&register);
            self.stored.push((added.unwrap_or(0) + offset + 4 * index, value));
        }
    }
}

/// What a stage before the rasteriser exports as parameters.
pub fn exports(isa: &str) -> Leaves {
    let mut state = State::default();
    let mut out = Leaves::new();
    for line in isa.lines() {
        let Some((target, values)) = state.step(line, &|_| None) else { continue };
        let Some(slot) = target.strip_prefix("param").and_then(|slot| slot.parse().ok()) else { continue };
        for (value, channel) in values.into_iter().zip(0u8..).filter(|(value, _)| value != "off") {
            out.insert((slot, channel), value);
        }
    }
    // Slots of a wave are a row of its lanes apart, or those of a lane are next to each other.
    let row = 16 * 32;
    let in_rows = state.stored.iter().all(|(at, _)| at % row < 16);
    let slot_bytes = if in_rows { row } else { 16 };
    for (at, value) in state.stored {
        out.insert(((at / slot_bytes) as u32, (at % slot_bytes / 4) as u8), value);
    }
    out
}

/// How often a fragment shader uses each exported value.
pub fn uses(isa: &str, exported: &Leaves) -> BTreeMap<String, usize> {
    let attribute = |operand: &str| {
        let (slot, channel) = operand.strip_prefix("attr")?.split_once('.')?;
        let channel = "xyzw".find(channel.chars().next()?)? as u8;
        let value = exported.get(&(slot.parse().ok()?, channel));
        Some(value.cloned().unwrap_or_else(|| format!("unknown {operand}")))
    };
    let mut state = State::default();
    for line in isa.lines() {
        state.step(line, &attribute);
    }
    state.used
}
