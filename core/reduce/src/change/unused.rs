//! What nothing uses any more.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_base::ids::Id;
use lanescope_spirv::enums::Op;
use lanescope_spirv::facts;
use lanescope_spirv::opcode::Section;

use super::lines::{Line, Lines};

/// The ids that nothing uses: names, decorations and interfaces do not count.
pub(super) fn unused(lines: &Lines) -> BTreeSet<Id> {
    let used = uses(lines);
    lines.all.iter().filter_map(Line::result).filter(|id| !used.contains_key(id)).collect()
}

fn uses(lines: &Lines) -> BTreeMap<Id, u32> {
    let mut out: BTreeMap<Id, u32> = BTreeMap::new();
    for line in lines.all.iter().filter(|line| !line.is_about()) {
        match line.op {
            Op::EntryPoint => *out.entry(line.id(2)).or_default() += 1,
            _ => line.ids().for_each(|id| *out.entry(id).or_default() += 1),
        }
    }
    out
}

/// Removes instructions and functions that nothing uses, except those in `kept`, until there is no more.
pub(super) fn remove(lines: &mut Lines, kept: &BTreeSet<Id>) {
    let sets = sets(lines);
    let mut used = uses(lines);
    let is_unused = |line: &Line, used: &BTreeMap<Id, u32>| {
        line.result().is_some_and(|id| !used.contains_key(&id) && !kept.contains(&id))
    };
    loop {
        let mut gone: BTreeSet<usize> = BTreeSet::new();
        // Backwards: an operand comes before its use.
        for (at, line) in lines.all.iter().enumerate().rev() {
            if is_unused(line, &used) && only_gives_its_result(line, &sets) {
                gone.insert(at);
                take(&mut used, line);
            }
        }
        for function in lines.functions() {
            if is_unused(&lines.all[function.start], &used) {
                for at in function {
                    gone.insert(at);
                    take(&mut used, &lines.all[at]);
                }
            }
        }
        if gone.is_empty() {
            break;
        }
        let mut at = 0..;
        lines.all.retain(|_| at.next().is_none_or(|at| !gone.contains(&at)));
    }
    let defined: BTreeSet<Id> = lines.all.iter().filter_map(Line::result).collect();
    lines.all.retain(|line| !line.is_about() || defined.contains(&line.id(1)));
    lines.leave_interfaces(&defined);
}

/// Takes an instruction's uses off.
fn take(used: &mut BTreeMap<Id, u32>, line: &Line) {
    for id in line.ids() {
        if let Some(count) = used.get_mut(&id) {
            *count -= 1;
            if *count == 0 {
                used.remove(&id);
            }
        }
    }
}

/// Sets of extended instructions, by their ids.
fn sets(lines: &Lines) -> BTreeMap<Id, String> {
    let imports = lines.all.iter().filter(|line| line.op == Op::ExtInstImport);
    imports
        .filter_map(|line| {
            let bytes = line.words.get(2..)?.iter().flat_map(|word| word.to_le_bytes()).take_while(|&byte| byte != 0);
            Some((line.result()?, String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned()))
        })
        .collect()
}

/// `Modf` and `Frexp` of `GLSL.std.450`, which write through a pointer.
const WRITING: [u32; 2] = [35, 51];

/// Whether an instruction without a use does nothing.
fn only_gives_its_result(line: &Line, sets: &BTreeMap<Id, String>) -> bool {
    use Op::*;
    match line.op {
        ExtInst => {
            let set = sets.get(&line.id(3)).map_or("", |name| name.as_str());
            set == "GLSL.std.450" && !WRITING.contains(&line.word(4)) || set.starts_with("NonSemantic.")
        }
        // A volatile access is done even if its value is not used.
        Load => line.word(4) & 1 == 0,
        Variable | UntypedVariableKHR | ExtInstImport | String => true,
        op => facts(op).is_pure() || facts(op).section == Section::Global && op != TypeForwardPointer,
    }
}
