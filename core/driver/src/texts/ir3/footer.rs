//! The declarations in front of the code, and the remarks at the end that say what registers hold.

use std::collections::{BTreeMap, BTreeSet};

use super::super::super::isa::{File, Live, Register, Registers};
use super::super::{Slot, SlotKind};
use super::line::register;

/// What they say.
#[derive(Default)]
pub(super) struct Footer {
    /// Inputs that are in registers at the beginning: known where all is read.
    pub delivered: Vec<Delivered>,
    /// The first register of each output at the end as printed, and what it is.
    pub outputs: Vec<(String, Slot)>,
    /// Textures that are fetched before the code: the number of the first of the two coordinates.
    pub fetches: Vec<u32>,
    /// Textures are fetched before the code.
    pub has_fetches: bool,
    /// The header of a tessellation or of a geometry shader is among inputs or outputs: this stage is one, or is before one.
    pub has_header: bool,
    /// The lists of inputs and of outputs, of those that are there.
    pub lists: BTreeSet<&'static str>,
    /// Of inputs there is more than is kept, or something that is not understood.
    pub inputs_cut: bool,
    /// So it is of outputs.
    pub outputs_cut: bool,
    /// What instructions read by number.
    varyings: BTreeMap<u32, Slot>,
    /// What remarks say to be in a register at the beginning.
    named: Vec<(Registers, Slot, u8)>,
    /// The first registers that are declared to hold something at the beginning.
    declared: BTreeSet<Registers>,
    /// The registers that declarations fill before the code.
    pub held: Live,
    /// How many entries of inputs and of outputs are kept.
    count: [usize; 2],
}

/// An input that is in registers at the beginning.
pub(super) struct Delivered {
    /// The first register, where the text says it.
    pub register: Option<Registers>,
    /// What it is.
    pub slot: Slot,
    /// How many components it has.
    pub components: u8,
}

/// The names of the lists.
pub(super) const INPUTS: &str = "inputs:";
pub(super) const OUTPUTS: &str = "outputs:";
/// The most entries that are kept of inputs, and of outputs: a stage has less than a hundred.
const AT_MOST: usize = 256;

impl Footer {
    /// Reads a declaration, or a remark where it is one of inputs or outputs: `; FRAG: outputs: r1.y (FRAG_RESULT_DATA0)`.
    /// False for one that is not understood and may be one of inputs.
    pub fn read(&mut self, line: &str) -> bool {
        let line = line.trim();
        if line.starts_with("@tex") {
            self.has_fetches = true;
            let found = fetch(line).filter(|_| self.has_place(INPUTS));
            self.fetches.extend(found);
            let first = line.split(['(', ')']).nth(1).and_then(register);
            self.hold(first.filter(|_| found.is_some()), line);
            return found.is_some();
        }
        if let Some(rest) = line.strip_prefix("@in(") {
            let name = rest.split_once(')').map(|(name, _)| name);
            let found = name.and_then(register).filter(|_| self.has_place(INPUTS));
            self.inputs_cut |= found.is_none();
            self.declared.extend(found);
            self.hold(found, line);
            return true;
        }
        let Some((stage, rest)) = line.strip_prefix(';').and_then(|rest| rest.split_once(": ")) else { return true };
        let stage = stage.trim();
        if !stage.bytes().all(|b| b.is_ascii_uppercase()) {
            return true;
        }
        for list in [INPUTS, OUTPUTS] {
            let Some(all) = rest.strip_prefix(list) else { continue };
            self.lists.insert(list);
            for entry in entries(all) {
                let read = entry.and_then(|(name, inner)| match list {
                    INPUTS => self.input(name, inner, stage == "TES"),
                    _ => self.output(name, inner, stage == "TCS"),
                });
                *self.cut(list) |= read.is_none();
            }
        }
        true
    }

    /// Finds what is in registers at the beginning: each has a declaration. An input that nothing reads has an entry too,
    /// with no register or with that of something else. The list prints a half register as if it were a full one.
    pub fn close(&mut self) {
        let mut counts: BTreeMap<Registers, usize> = BTreeMap::new();
        self.named.iter().for_each(|(register, ..)| *counts.entry(*register).or_default() += 1);
        for (named, slot, components) in std::mem::take(&mut self.named) {
            let found: Vec<Registers> = halves(named).filter(|one| self.declared.contains(one)).collect();
            let count = counts.get(&named).copied().unwrap_or_default();
            match found.as_slice() {
                [] => {}
                all if all.len() == count => {
                    let register = if let [one] = all { Some(*one) } else { None };
                    self.delivered.push(Delivered { register, slot, components });
                }
                // Which of them has the register is not said.
                _ => self.inputs_cut = true,
            }
        }
        let is_named = |one: &Registers| counts.keys().any(|named| halves(*named).any(|other| other == *one));
        self.inputs_cut |= !self.declared.iter().all(is_named);
    }

    /// Adds the registers that a declaration fills: one for each bit of `wrmask=0x7`, from the first one on.
    fn hold(&mut self, first: Option<Registers>, line: &str) {
        let mask = line.split_once("wrmask=0x").and_then(|(_, mask)| mask.split([')', ',']).next());
        let mask = mask.map_or(Some(1), |mask| u16::from_str_radix(mask, 16).ok()).unwrap_or_default();
        let bits = (0u16..16).filter(|bit| mask >> bit & 1 == 1);
        let all = bits.filter_map(|bit| first.map(|one| Registers { first: one.first.saturating_add(bit), ..one }));
        all.flat_map(Register::each).for_each(|register| _ = self.held.insert(register));
    }

    /// Whether a list has more than is kept or understood.
    fn cut(&mut self, list: &str) -> &mut bool {
        if list == INPUTS { &mut self.inputs_cut } else { &mut self.outputs_cut }
    }

    /// Whether one more entry of a list is kept.
    fn has_place(&mut self, list: &str) -> bool {
        let [inputs, outputs] = &mut self.count;
        let count = if list == INPUTS { inputs } else { outputs };
        let has = *count < AT_MOST;
        *count += usize::from(has);
        *self.cut(list) |= !has;
        has
    }

    /// What is in no register is not written at the end.
    fn output(&mut self, name: &str, inner: &str, of_patch: bool) -> Option<()> {
        self.has_header |= is_header(inner);
        if is_none(name) {
            return Some(());
        }
        register(name).filter(|_| self.has_place(OUTPUTS))?;
        self.outputs.push((name.to_owned(), slot(inner, of_patch)));
        Some(())
    }

    /// `VARYING_SLOT_VAR1 slot=33 cm=f,il=4,b=1`: read by number where `b` is 1, from the number `il` on.
    fn input(&mut self, name: &str, inner: &str, of_patch: bool) -> Option<()> {
        let (what, rest) = inner.split_once(' ')?;
        self.has_header |= is_header(what);
        let value = |key: &str| {
            let parts = rest.split([' ', ',']);
            parts.filter_map(|part| part.split_once('=')).find(|(other, _)| *other == key).map(|(_, value)| value)
        };
        let mask = u32::from_str_radix(value("cm")?, 16).ok().filter(|mask| *mask <= 0xf)?;
        let number: u32 = value("il")?.parse().ok()?;
        let by_number = match value("b")? {
            "0" => false,
            "1" => true,
            _ => return None,
        };
        if mask == 0 || !by_number && is_none(name) {
            return Some(());
        }
        if !self.has_place(INPUTS) {
            return None;
        }
        let slot = slot(what, of_patch);
        if by_number {
            for part in (0u8..4).filter(|part| mask >> part & 1 == 1) {
                let own = Slot { component: Some(part), ..slot.clone() };
                let other = |known: &mut Slot| *known = Slot::unknown(SlotKind::Unknown);
                self.varyings.entry(number.checked_add(u32::from(part))?).and_modify(other).or_insert(own);
            }
        } else {
            let components = u8::try_from(mask.trailing_ones()).ok().filter(|_| mask & (mask + 1) == 0)?;
            self.named.push((register(name)?, slot, components));
        }
        Some(())
    }

    /// The varying that has a number.
    pub fn varying(&self, number: u32) -> Slot {
        self.varyings.get(&number).cloned().unwrap_or_else(|| Slot::unknown(SlotKind::Unknown))
    }
}

/// The number of the first of two coordinates: `@tex(r0.z) src=6, bindless=1, samp=1, tex=0, wrmask=0x7, opc=sam`.
fn fetch(line: &str) -> Option<u32> {
    let (name, rest) = line.strip_prefix("@tex(")?.split_once(')')?;
    register(name)?;
    let mut parts = rest.split(',');
    let mut value = |key: &str| parts.next()?.trim().strip_prefix(key)?.strip_prefix('=');
    let number: u32 = value("src")?.parse().ok()?;
    for key in ["bindless", "samp", "tex"] {
        value(key)?.parse::<u32>().ok()?;
    }
    let mask = u32::from_str_radix(value("wrmask")?.strip_prefix("0x")?, 16).ok()?;
    let is_known = (1..=0xf).contains(&mask) && value("opc")? == "sam" && parts.next().is_none();
    number.checked_add(1).filter(|_| is_known)?;
    Some(number)
}

/// `r1.w (NAME slot=32 …) r0.x (…)`: registers, and what stands in parentheses after each. None for another form.
fn entries(text: &str) -> impl Iterator<Item = Option<(&str, &str)>> {
    let all = text.split(')').map(str::trim).filter(|entry| !entry.is_empty());
    all.map(|entry| entry.split_once('(').map(|(register, inner)| (register.trim(), inner.trim())))
}

/// Whether a name says that there is no register.
fn is_none(name: &str) -> bool {
    matches!(name, "r63.x" | "hr63.x")
}

/// What a register in the list of inputs may be declared as.
fn halves(named: Registers) -> impl Iterator<Item = Registers> {
    let half = (named.file == File::Full).then_some(Registers { file: File::Half, ..named });
    std::iter::once(named).chain(half)
}

/// Whether a name is that of the header that stages before the rasterizer pass on to each other.
fn is_header(name: &str) -> bool {
    name.contains("TCS_HEADER") || name.contains("GS_HEADER")
}

/// What a name stands for: `VARYING_SLOT_VAR3`, `VERT_ATTRIB_GENERIC0`, `FRAG_RESULT_DATA0`, `SYSTEM_VALUE_VERTEX_ID`.
/// `of_patch`: the names of patches' slots are those of patches, not numbers that the compiler uses again.
fn slot(name: &str, of_patch: bool) -> Slot {
    let numbered = [
        ("VARYING_SLOT_VAR", SlotKind::Varying),
        ("VARYING_SLOT_PATCH", SlotKind::Patch),
        ("VERT_ATTRIB_GENERIC", SlotKind::Attribute),
        ("FRAG_RESULT_DATA", SlotKind::Color),
    ];
    let found = numbered.iter().find_map(|(start, what)| {
        let number: u32 = name.strip_prefix(start)?.parse().ok()?;
        let is_other = *what == SlotKind::Patch && !of_patch;
        Some(if is_other { Slot::built_in(&format!("patch slot {number}"), None) } else { Slot::at(*what, number, 0) })
    });
    let own = ["VARYING_SLOT_", "SYSTEM_VALUE_", "FRAG_RESULT_", "VERT_ATTRIB_"];
    found.unwrap_or_else(|| {
        let bare = own.iter().find_map(|start| name.strip_prefix(start)).unwrap_or(name);
        let words = match bare {
            "POS" => "position".to_owned(),
            "PSIZ" => "point size".to_owned(),
            other => other.to_ascii_lowercase().replace('_', " "),
        };
        let component = (bare == "POS").then_some(0);
        Slot::built_in(&words, component)
    })
}
