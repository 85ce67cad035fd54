//! What differs between two op tables of one line of development, by the rules for changing them.

use lanescope_base::named_enum;

use super::opcode::{Opcode, TableKind, Version};
use super::read::coarse;
use super::table::{Op, Operand, Overload};
use super::tables::Tables;
use crate::findings::Severity;

named_enum!(
    /// A rule for the step from an old to a new table.
    ChangeRule {
        /// A stable op keeps its name, class, operands and attribute, and loses no overload and no stage.
        StableChanged = "T1",
        /// A stable op stays.
        StableGone = "T2",
        /// New stable ops come after all others, in the DXIL version in work.
        StableInserted = "T3",
        /// An experimental op that is changed gets a new number.
        ExperimentalChanged = "T4",
        /// A number is not given to another op.
        ExperimentalReused = "T5",
        /// A slot that is left stays reserved.
        SlotGone = "T6",
        /// An experimental op is stable now.
        Stabilised = "T7",
        /// A hole is filled.
        HoleFilled = "T8",
        /// Overloads or stages were added.
        Grown = "T9",
        /// A slot was added, as the rules want it.
        Added = "new",
        /// An experimental op became a hole, as the rules want it.
        Reserved = "hole",
    }
);

impl ChangeRule {
    /// The severity of its changes. A hole that is too young is an error all the same.
    pub fn severity(self) -> Severity {
        match self {
            ChangeRule::StableChanged | ChangeRule::StableGone | ChangeRule::StableInserted | ChangeRule::SlotGone => {
                Severity::Error
            }
            ChangeRule::ExperimentalChanged | ChangeRule::ExperimentalReused => Severity::Warning,
            _ => Severity::Note,
        }
    }
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The rule that it is about.
    pub rule: ChangeRule,
    /// Its severity.
    pub severity: Severity,
    /// The number, in the old table where it is in both.
    pub opcode: Opcode,
    /// The op's name, the new one first where it has two.
    pub name: String,
    /// What differs.
    pub text: String,
    /// The number of the op in the new table, where it moved.
    pub moved: Option<Opcode>,
}

/// What differs, by number: stable slots first. `reserved_in` is the shader model in whose time a hole was made, where it
/// is known.
pub fn compare(old: Tables, new: Tables, reserved_in: &dyn Fn(Opcode) -> Option<Version>) -> Vec<Change> {
    let mut out = Vec::new();
    for kind in TableKind::ALL {
        let (before, after) = (&old.table(*kind).ops, &new.table(*kind).ops);
        for (index, op) in before.iter().enumerate() {
            match after.get(index) {
                Some(now) => slot(op, now, new, reserved_in, &mut out),
                None => {
                    let what = if op.reserved { "the hole" } else { &op.name };
                    let rule = if *kind == TableKind::Stable { ChangeRule::StableGone } else { ChangeRule::SlotGone };
                    let text = format!("{what} is gone: the {kind} table ends before it");
                    push(&mut out, rule, op, text, None);
                }
            }
        }
        for op in after.iter().skip(before.len()) {
            added(op, old, new, &mut out);
        }
    }
    out
}

fn push(out: &mut Vec<Change>, rule: ChangeRule, op: &Op, text: String, moved: Option<Opcode>) {
    let severity = rule.severity();
    out.push(Change { rule, severity, opcode: op.opcode, name: op.name.clone(), text, moved });
}

/// A slot that both tables have.
fn slot(
    op: &'static Op,
    now: &'static Op,
    new: Tables,
    reserved_in: &dyn Fn(Opcode) -> Option<Version>,
    out: &mut Vec<Change>,
) {
    let is_stable = !op.is_experimental();
    match (op.reserved, now.reserved) {
        (true, true) => {}
        (true, false) => {
            let since = reserved_in(op.opcode);
            let released = new.database().source.released_shader_model;
            // One released model has to pass after the one in work when the hole was made.
            let is_young = since.is_some_and(|since| released <= since);
            let age = match since {
                Some(since) if is_young => format!("; it is reserved since {since}, and {released} is released"),
                Some(since) => format!("; it is reserved since {since}"),
                None => "; since when it was reserved is not known".to_owned(),
            };
            let text = format!("the hole is {} now{age}", now.name);
            push(out, ChangeRule::HoleFilled, now, text, None);
            if let Some(last) = out.last_mut().filter(|_| is_young) {
                last.severity = Severity::Error;
            }
        }
        (false, true) if is_stable => push(out, ChangeRule::StableGone, op, "is a hole now".to_owned(), None),
        (false, true) => match new.by_name(&op.name).filter(|moved| !moved.is_experimental()) {
            Some(moved) => stabilised(op, moved, "; the old number is a hole", out),
            None => push(out, ChangeRule::Reserved, op, "is a hole now".to_owned(), None),
        },
        (false, false) => {
            let differ = differences(op, now);
            let is_other = op.name != now.name && op.class != now.class && !same_operands(op, now);
            if is_other && !is_stable {
                let text = format!("the number is {} now ({})", now.name, differ.join("; "));
                return push(out, ChangeRule::ExperimentalReused, op, text, None);
            }
            if !differ.is_empty() {
                let rule = if is_stable { ChangeRule::StableChanged } else { ChangeRule::ExperimentalChanged };
                let named = if op.name == now.name { String::new() } else { format!("now {}: ", now.name) };
                push(out, rule, op, named + &differ.join("; "), None);
            }
            let (lost, grown) = coverage(op, now);
            if !lost.is_empty() {
                let rule = if is_stable { ChangeRule::StableChanged } else { ChangeRule::ExperimentalChanged };
                push(out, rule, op, format!("lost {}", lost.join(", ")), None);
            }
            if !grown.is_empty() {
                push(out, ChangeRule::Grown, op, format!("gained {}", grown.join(", ")), None);
            }
            if op.since != now.since {
                let model = |op: &Op| op.since.map_or_else(|| "none".to_owned(), |since| since.to_string());
                let rule = if is_stable { ChangeRule::StableChanged } else { ChangeRule::ExperimentalChanged };
                // An experimental op follows the model in work.
                let rule = if is_stable { rule } else { ChangeRule::Grown };
                push(out, rule, op, format!("shader model {}, was {}", model(now), model(op)), None);
            }
        }
    }
}

/// A slot that only the new table has.
fn added(op: &'static Op, old: Tables, new: Tables, out: &mut Vec<Change>) {
    let what = if op.reserved { "a hole".to_owned() } else { format!("class {}", op.class) };
    if !op.is_experimental() && !op.reserved {
        let covered = op.dxil_version.filter(|version| *version <= old.database().source.released_dxil_version);
        if let Some(version) = covered {
            let text = format!("is new, but counts among the ops of DXIL {version}, which is released");
            push(out, ChangeRule::StableInserted, op, text, None);
        }
        let before = old.by_name(&op.name).filter(|before| before.is_experimental() && !before.reserved);
        // The old slot may have been renamed, or be a hole now, which is said there.
        if let Some(before) = before {
            if new.slot(before.opcode).is_some_and(|slot| !slot.reserved) {
                stabilised(before, op, "; the old number is kept", out);
            }
            return;
        }
    }
    push(out, ChangeRule::Added, op, format!("is new: {what}"), None);
}

fn stabilised(before: &'static Op, now: &'static Op, more: &str, out: &mut Vec<Change>) {
    let differ = differences(before, now);
    let (lost, _) = coverage(before, now);
    let mut text = format!("is stable now, number {}{more}", now.opcode.shown());
    for differs in differ.iter().chain(&lost) {
        text.push_str(&format!("; {differs}"));
    }
    push(out, ChangeRule::Stabilised, before, text, Some(now.opcode));
    if let Some(last) = out.last_mut().filter(|_| !differ.is_empty()) {
        last.severity = Severity::Warning;
    }
}

fn same_operands(op: &Op, now: &Op) -> bool {
    let types = |op: &Op| op.operands.iter().map(|operand| coarse(operand.type_symbol)).collect::<Vec<_>>();
    let mut names = op.operands.iter().zip(&now.operands);
    types(op) == types(now) && names.all(|(a, b)| a.name == b.name || is_unnamed(a) || is_unnamed(b))
}

/// Whether a source had no names of operands: they are numbered then.
fn is_unnamed(operand: &Operand) -> bool {
    operand.name.strip_prefix("operand").is_some_and(|number| number == operand.position.to_string())
}

/// Name, class, callee, result, operands and attribute that differ.
fn differences(op: &Op, now: &Op) -> Vec<String> {
    let mut out = Vec::new();
    if op.name != now.name {
        out.push(format!("name {}, was {}", now.name, op.name));
    }
    if op.class != now.class {
        out.push(format!("class {}, was {}", now.class, op.class));
    }
    // Whether an integer is used unsigned is no difference in LLVM.
    if coarse(op.returns) != coarse(now.returns) {
        out.push(format!("result {}, was {}", now.returns, op.returns));
    }
    if !same_operands(op, now) {
        out.push(format!("operands ({}), were ({})", shown(now), shown(op)));
    }
    if op.attribute != now.attribute {
        out.push(format!("attribute {}, was {}", now.attribute, op.attribute));
    }
    out
}

/// The operands as a list: `i32 row, $o value`.
pub fn shown(op: &Op) -> String {
    let operands = op.operands.iter().skip(1);
    operands.map(|operand| format!("{} {}", operand.type_symbol, operand.name)).collect::<Vec<_>>().join(", ")
}

/// Overloads and stages that were lost, and those that were added.
fn coverage(op: &Op, now: &Op) -> (Vec<String>, Vec<String>) {
    let overloads = |from: &Op, to: &Op| {
        let mut out = Vec::new();
        for (at, overload) in to.overloads.iter().enumerate() {
            let none = Overload { scalar: Vec::new(), vector_of: Vec::new() };
            let known = from.overloads.get(at).unwrap_or(&none);
            let scalars = overload.scalar.iter().filter(|scalar| !known.scalar.contains(scalar));
            out.extend(scalars.map(|scalar| format!("overload {scalar}")));
            let vectors = overload.vector_of.iter().filter(|scalar| !known.vector_of.contains(scalar));
            out.extend(vectors.map(|scalar| format!("overload <{scalar}>")));
        }
        out
    };
    let (mut lost, mut grown) = (overloads(now, op), overloads(op, now));
    // No list stands for all stages.
    match (op.stages.is_empty(), now.stages.is_empty()) {
        (true, true) => {}
        (true, false) => {
            let names: Vec<&str> = now.stages.iter().map(|stage| stage.name()).collect();
            lost.push(format!("all stages but {}", names.join(", ")));
        }
        (false, true) => grown.push("all other stages".to_owned()),
        (false, false) => {
            let stage = |stage: &super::ShaderKind| format!("stage {stage}");
            lost.extend(op.stages.iter().filter(|one| !now.stages.contains(one)).map(stage));
            grown.extend(now.stages.iter().filter(|one| !op.stages.contains(one)).map(stage));
        }
    }
    (lost, grown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::table::Database;
    use crate::ops::{ShaderKind, database};

    fn changed(change: impl FnOnce(&mut Database)) -> Tables {
        let mut database = database().clone();
        change(&mut database);
        Tables::of(database).expect("the form holds")
    }

    fn rows(old: Tables, new: Tables) -> Vec<String> {
        let reserved = |opcode: Opcode| (opcode.0 == 306).then_some(Version { major: 6, minor: 10 });
        let row = |change: Change| {
            format!("{} {} {:#} {}: {}", change.rule, change.severity, change.opcode, change.name, change.text)
        };
        compare(old, new, &reserved).into_iter().map(row).collect()
    }

    #[track_caller]
    fn only(change: impl FnOnce(&mut Database), expected: &[&str]) {
        assert_eq!(rows(Tables::bundled(), changed(change)), expected);
    }

    #[test]
    fn equal_tables_do_not_differ() {
        assert!(rows(Tables::bundled(), Tables::bundled()).is_empty());
    }

    #[test]
    fn names_each_rule() {
        only(
            |data| {
                data.tables[0].ops[4].operands[1].name = "signature".to_owned();
                data.tables[0].ops[4].overloads[0].scalar.remove(0);
            },
            &[
                "T1 error 0x00000004 LoadInput: operands (u32 signature, u32 rowIndex, u8 colIndex, i32 gsVertexAxis), \
                 were (u32 inputSigId, u32 rowIndex, u8 colIndex, i32 gsVertexAxis)",
                "T1 error 0x00000004 LoadInput: lost overload f16",
            ],
        );
        only(|data| data.tables[0].ops[4].reserved = true, &["T2 error 0x00000004 LoadInput: is a hole now"]);
        only(
            |data| drop(data.tables[0].ops.pop()),
            &["T2 error 0x00000137 FDot: FDot is gone: the stable table ends before it"],
        );
        only(
            |data| data.tables[1].ops[33].class = "Stop".to_owned(),
            &["T4 warning 0x80000021 DebugBreak: class Stop, was DebugBreak"],
        );
        only(
            |data| {
                let mut other = data.tables[1].ops[12].clone();
                (other.opcode, other.name) = (Opcode(0x8000_0021), "Other".to_owned());
                data.tables[1].ops[33] = other;
            },
            &[concat!(
                "T5 warning 0x80000021 DebugBreak: the number is Other now (name Other, was DebugBreak; ",
                "class LinAlgFillMatrix, was DebugBreak; result $x0, was v; operands ($x1 value), were (); ",
                "attribute none, was noduplicate)"
            )],
        );
        only(
            |data| drop(data.tables[1].ops.pop()),
            &[
                "T6 error 0x80000022 IsDebuggingEnabled: IsDebuggingEnabled is gone: the experimental table ends before it",
            ],
        );
        only(
            |data| {
                data.tables[0].ops[306].reserved = false;
                data.tables[0].ops[259].reserved = false;
            },
            &[
                "T8 note 0x00000103 ReservedA0: the hole is ReservedA0 now; since when it was reserved is not known",
                "T8 error 0x00000132 ReservedD1: the hole is ReservedD1 now; it is reserved since 6.10, and 6.9 is \
                 released",
            ],
        );
        only(
            |data| data.tables[1].ops[1].stages.push(ShaderKind::Pixel),
            &["T9 note 0x80000001 GetGroupWaveIndex: gained stage pixel"],
        );
    }

    #[test]
    fn finds_ops_that_became_stable() {
        let moved = |data: &mut Database, keeps: bool| {
            let mut op = data.tables[1].ops[1].clone();
            op.opcode = Opcode(312);
            data.tables[0].ops.push(op);
            if keeps {
                data.tables[1].ops[1].name = "GetGroupWaveIndexPreview".to_owned();
            } else {
                data.tables[1].ops[1].reserved = true;
            }
        };
        only(
            |data| moved(data, false),
            &["T7 note 0x80000001 GetGroupWaveIndex: is stable now, number 312; the old number is a hole"],
        );
        only(
            |data| moved(data, true),
            &[
                "T7 note 0x80000001 GetGroupWaveIndex: is stable now, number 312; the old number is kept",
                "T4 warning 0x80000001 GetGroupWaveIndex: now GetGroupWaveIndexPreview: name \
                 GetGroupWaveIndexPreview, was GetGroupWaveIndex",
            ],
        );
        let released = |data: &mut Database| {
            moved(data, false);
            data.tables[0].ops[312].dxil_version = Some(Version { major: 1, minor: 8 });
        };
        assert!(rows(Tables::bundled(), changed(released))[0].starts_with("T3 error 0x00000138 GetGroupWaveIndex"));
    }
}
