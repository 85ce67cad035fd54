//! The values of a form of other vendors' compilers (Mesa's NIR) as expressions: what is stored to each place, and what is
//! used. A reader of its own, which shares nothing with what is checked.

use std::collections::BTreeMap;

use lanescope_core::chip::Vendor;

use super::symbols::Leaves;

/// Operations whose first two operands may be exchanged.
const COMMUTES: [&str; 18] = [
    "fadd",
    "fmul",
    "ffma",
    "fmin",
    "fmax",
    "feq",
    "fneu",
    "iadd",
    "imul",
    "imul_32x16",
    "iand",
    "ior",
    "ixor",
    "ieq",
    "ine",
    "umin",
    "umax",
    "fmul_rtz",
];
/// What an operand is that no value is known for.
const LATER: &str = "later";

/// A line: `DEST = OP (OPERANDS) (INDICES)`.
struct Line<'t> {
    dest: Option<(&'t str, usize)>,
    op: &'t str,
    is_intrinsic: bool,
    operands: Vec<&'t str>,
    indices: Vec<(&'t str, &'t str)>,
}

/// Whether a word names a value, or a register (`r7`).
fn is_value(word: &str) -> bool {
    let is_register = word.strip_prefix('r').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    word.starts_with('%') || word.starts_with("ssa_") || is_register
}

fn parts(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let split = text.split(|letter: char| {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        letter == ',' && depth == 0
    });
    split.map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// Groups in parentheses.
fn groups(text: &str) -> Vec<&str> {
    let (mut depth, mut begin, mut out) = (0, 0, Vec::new());
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => {
                depth += 1;
                begin = if depth == 1 { at + 1 } else { begin };
            }
            ')' => {
                depth -= 1;
                if depth == 0 {
                    out.push(&text[begin..at]);
                }
            }
            _ => {}
        }
    }
    out
}

impl<'t> Line<'t> {
    fn read(line: &'t str) -> Option<Line<'t>> {
        let line = line.trim();
        let made = line
            .split_once(" = ")
            .filter(|(left, _)| !left.contains('(') && left.split_whitespace().last().is_some_and(is_value));
        let (dest, right) = match made {
            Some((left, right)) => {
                let words: Vec<&str> = left.split_whitespace().collect();
                let wide = words.iter().find_map(|word| word.strip_prefix("vec").or(word.split_once('x').map(|w| w.1)));
                (Some((*words.last()?, wide.and_then(|count| count.parse().ok()).unwrap_or(1))), right.trim())
            }
            None => (None, line),
        };
        let intrinsic = right.strip_prefix("intrinsic ").or_else(|| right.strip_prefix('@'));
        if made.is_none() && intrinsic.is_none() {
            return None;
        }
        let is_intrinsic = intrinsic.is_some();
        let right = intrinsic.unwrap_or(right);
        let right = if right.starts_with('(') { right.split_once(')')?.1 } else { right };
        let (op, rest) = right.split_once(' ').unwrap_or((right, ""));
        let rest = rest.split(" // ").next()?;
        let (mut operands, mut indices) = (Vec::new(), Vec::new());
        if is_intrinsic || op == "load_const" {
            for group in groups(rest) {
                let first = group.split(' ').next().unwrap_or_default();
                if op != "load_const" && (first.contains('=') || group.starts_with("io ")) {
                    indices.extend(parts(group).into_iter().filter_map(|part| part.split_once('=')));
                } else if operands.is_empty() {
                    operands = parts(group);
                }
            }
        } else {
            operands = parts(rest.split("/*").next()?);
        }
        Some(Line { dest, op: op.trim_end_matches('!'), is_intrinsic, operands, indices })
    }

    fn index(&self, name: &str) -> Option<&'t str> {
        self.indices.iter().find(|(own, _)| *own == name).map(|(_, value)| *value)
    }

    fn number(&self, name: &str) -> Option<u32> {
        self.index(name)?.split(' ').next()?.parse().ok()
    }

    /// The varying's location, and the first component.
    fn place(&self) -> Option<(u32, u32)> {
        let location = self.index("io location")?.split(' ').next()?;
        let location = match location.strip_prefix("VARYING_SLOT_VAR") {
            Some(number) => number.parse().ok()?,
            None => location.parse::<u32>().ok()?.checked_sub(32)?,
        };
        Some((location, self.number("component").unwrap_or(0)))
    }

    /// The place of an address of NVIDIA's.
    fn address(&self) -> Option<(u32, u32)> {
        let at = self.number("base")?.checked_sub(128)?;
        (at < 16 * 32).then_some((at / 16, at % 16 / 4))
    }
}

/// The values of a form.
#[derive(Default)]
struct Form<'t> {
    values: BTreeMap<&'t str, Vec<String>>,
    used: BTreeMap<String, usize>,
}

impl<'t> Form<'t> {
    fn operand(&self, operand: &'t str) -> Vec<String> {
        let operand = operand.split_once(": ").map_or(operand, |(_, value)| value);
        let (sign, rest) = operand.strip_prefix('-').map_or(("", operand), |rest| ("-", rest));
        let word = rest.split([' ', '/']).next().unwrap_or_default();
        let (name, swizzle) = word.split_once('.').unwrap_or((word, ""));
        if !is_value(name) {
            return vec![operand.to_owned()];
        }
        let Some(all) = self.values.get(name) else { return vec![LATER.to_owned()] };
        let component = |letter: char| "xyzw".find(letter).or_else(|| "abcdefghijklmnop".find(letter));
        let one = |index: usize| sign.to_owned() + all.get(index).map_or(LATER, String::as_str);
        match swizzle {
            "" => (0..all.len()).map(one).collect(),
            letters => letters.chars().filter_map(component).map(one).collect(),
        }
    }

    /// Carries a line out; `load` is what a load of a place gives.
    fn step(&mut self, line: &Line<'t>, load: &impl Fn((u32, u32)) -> String) {
        let operands: Vec<Vec<String>> = line.operands.iter().map(|operand| self.operand(operand)).collect();
        let is_move = line.op == "mov" || line.op.starts_with("vec");
        if !is_move && line.op != "load_const" {
            operands.iter().flatten().for_each(|value| *self.used.entry(value.clone()).or_default() += 1);
        }
        let Some((name, count)) = line.dest else { return };
        let made = (0..count).map(|component| self.made(line, &operands, component, load)).collect();
        self.values.insert(name, made);
    }

    fn made(
        &self,
        line: &Line<'t>,
        operands: &[Vec<String>],
        component: usize,
        load: &impl Fn((u32, u32)) -> String,
    ) -> String {
        let at = |operand: &Vec<String>| operand.get(component).or(operand.first()).cloned().unwrap_or_default();
        let later = |(location, first): (u32, u32)| load((location, first + component as u32));
        match line.op {
            "load_const" => {
                return line
                    .operands
                    .get(component)
                    .map_or("", |text| text.split([' ', '/']).next().unwrap_or(""))
                    .into();
            }
            "undefined" => return "undefined".to_owned(),
            "mov" => return operands.first().map(at).unwrap_or_default(),
            op if op.starts_with("vec") => return operands.get(component).map(at).unwrap_or_default(),
            "load_interpolated_input" | "load_input" | "load_input_vertex" => {
                if let Some(place) = line.place() {
                    return later(place);
                }
            }
            "load_fs_input_interp_deltas" => {
                if let Some(place) = line.place() {
                    return format!("delta {component} {}", load(place));
                }
            }
            "ipa_nv" => {
                return line.address().map_or_else(|| format!("ipa {:?}", line.number("base")), load);
            }
            _ => {}
        }
        if let Some(value) = interpolated(line.op, operands) {
            return value;
        }
        if line.is_intrinsic && line.op.starts_with("load") || line.op.starts_with("ld") || line.op.starts_with("ald") {
            return loaded(line, operands, component);
        }
        // What is the same for all vertices is passed as `s * 0 + s`.
        if let ("fadd", [product, sum]) = (line.op, operands)
            && at(product) == format!("fmul(0x00000000, {})", at(sum))
        {
            return at(sum);
        }
        let mut all: Vec<String> = if line.is_intrinsic || line.op.starts_with("tex") {
            operands.iter().flatten().cloned().collect()
        } else {
            operands.iter().map(at).collect()
        };
        if let Some(pair) = all.get_mut(..2).filter(|_| COMMUTES.contains(&line.op)) {
            pair.sort();
        }
        format!("{}({})", line.op, all.join(", "))
    }
}

/// The varying that a step of its interpolation gives: Intel's from deltas and barycentric coordinates, NVIDIA's product
/// with the reciprocal of what perspective divides by.
fn interpolated(op: &str, operands: &[Vec<String>]) -> Option<String> {
    let all: Vec<&String> = operands.iter().filter_map(|operand| operand.first()).collect();
    if op == "fmul_rtz" {
        return all.iter().any(|one| one.starts_with("frcp(ipa")).then(|| all[0].clone());
    }
    let plain = |text: &'_ str| text.trim_start_matches('-').to_owned();
    let of = all.iter().find_map(|text| Some(plain(text).strip_prefix("delta ")?.get(2..)?.to_owned()))?;
    let is_part = |text: &&String| {
        let text = plain(text);
        text.starts_with("load_barycentric")
            || text.starts_with("fneg(load_barycentric")
            || text.strip_prefix("delta ").and_then(|rest| rest.get(2..)) == Some(&of)
    };
    if !all.iter().all(is_part) {
        return None;
    }
    let is_last = all.iter().any(|text| plain(text).starts_with("delta 2"));
    Some(if is_last { of } else { format!("delta 9 {of}") })
}

/// What is loaded of constants or of a vertex: wide and narrow loads load alike, and so do those from an address and from
/// one with an offset.
fn loaded(line: &Line<'_>, operands: &[Vec<String>], component: usize) -> String {
    let unit = if line.op.ends_with("_ir3") || line.op == "load_input" { 1 } else { 4 };
    let number = |text: &String| u32::from_str_radix(text.strip_prefix("0x")?, 16).ok();
    let (constant, other): (Vec<_>, Vec<_>) = operands.iter().flatten().partition(|text| number(text).is_some());
    let added: u32 = constant.iter().filter_map(|text| number(text)).fold(0, u32::wrapping_add);
    let first = line.number("component").unwrap_or(0) + component as u32;
    let at = line.number("base").unwrap_or(0).wrapping_add(added);
    let what = line.index("io location").or(line.index("interp_mode")).unwrap_or_default();
    let what = what.split(' ').next().unwrap_or_default();
    // The driver's own number of an attribute depends on which others are read.
    if line.op == "load_input" {
        let at = if what.starts_with("VERT_ATTRIB") { 0 } else { at };
        return format!("load_input {what} {at} {first}");
    }
    let other: Vec<String> = other.into_iter().cloned().collect();
    format!("{} {what} [{}] {}", line.op, other.join(", "), at + unit * first)
}

/// What a stage before the rasterizer stores for each varying.
pub fn exports(text: &str, vendor: Vendor) -> Leaves {
    let mut form = Form::default();
    let mut out = Leaves::new();
    let mut rows = Leaves::new();
    for line in text.lines().filter_map(Line::read) {
        let first = line.operands.first().map(|operand| form.operand(operand)).unwrap_or_default();
        let places: Vec<(u32, u8, String)> = match line.op {
            "store_output" => {
                let mask: Vec<usize> =
                    line.index("wrmask").unwrap_or_default().chars().filter_map(|c| "xyzw".find(c)).collect();
                let place = line.place();
                let one = |index: usize| {
                    let (location, component) = place?;
                    Some((location, (component as usize + index) as u8, first.get(index)?.clone()))
                };
                mask.into_iter().filter_map(one).collect()
            }
            "ast_nv" => match line.address() {
                Some((location, component)) => {
                    first.into_iter().zip(0u8..).map(|(value, n)| (location, component as u8 + n, value)).collect()
                }
                None => Vec::new(),
            },
            op if op.starts_with("store_urb") => {
                let unit = if op.contains("lsc") { 16 } else { 1 };
                let row = line.number("base").unwrap_or(0) / unit;
                let all = first.into_iter().zip(0u32..).filter(|(value, _)| value != "undefined");
                rows.extend(all.map(|(value, n)| ((row + n / 4, (n % 4) as u8), value)));
                Vec::new()
            }
            _ => Vec::new(),
        };
        out.extend(places.into_iter().map(|(location, component, value)| ((location, component), value)));
        form.step(&line, &|place| format!("vertex {place:?}"));
    }
    if vendor == Vendor::Intel && !rows.is_empty() {
        // Rows after those of the header and of the position are in the order of locations.
        let written: Vec<u32> = written(text);
        let mut own: Vec<u32> = rows.keys().map(|(row, _)| *row).filter(|row| *row > 1).collect();
        own.dedup();
        if own.len() == written.len() {
            let at: BTreeMap<u32, u32> = own.into_iter().zip(written).collect();
            out.extend(rows.into_iter().filter_map(|((row, c), value)| Some(((*at.get(&row)?, c), value))));
        }
    }
    out
}

/// The locations that a header lists.
fn written(text: &str) -> Vec<u32> {
    let list = text.lines().find_map(|line| line.trim().strip_prefix("outputs_written:")).unwrap_or_default();
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let [first, last] = [first, last].map(|number| number.trim().parse::<u32>().unwrap_or(0));
        first..=last
    };
    list.split(',').flat_map(range).filter_map(|number| number.checked_sub(32)).collect()
}

/// How often a fragment shader uses each value that is passed; what is passed in a place of which that is not known is
/// named by the place.
pub fn uses(text: &str, exported: &Leaves) -> BTreeMap<String, usize> {
    let load = |(location, component): (u32, u32)| value(exported, (location, component as u8));
    let mut form = Form::default();
    for line in text.lines().filter_map(Line::read) {
        form.step(&line, &load);
    }
    // Steps of an interpolation may be taken together with what comes after it.
    let begun: Vec<(String, usize)> = form
        .used
        .iter()
        .filter_map(|(text, count)| Some((text.strip_prefix("delta 0 ")?.to_owned(), *count)))
        .collect();
    begun.into_iter().for_each(|(value, count)| *form.used.entry(value).or_default() += count);
    form.used
}

/// A value without where push constants are: in Intel's forms that differs with what else the shader uses.
pub fn without_offsets(value: &str) -> String {
    const PUSHED: &str = "load_push_data_intel  [] ";
    let mut parts = value.split(PUSHED);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + PUSHED + part.trim_start_matches(|c: char| c.is_ascii_digit()))
}

/// What is passed in a place.
pub fn value(exported: &Leaves, (location, component): (u32, u8)) -> String {
    exported.get(&(location, component)).cloned().unwrap_or_else(|| format!("place {location}.{component}"))
}
