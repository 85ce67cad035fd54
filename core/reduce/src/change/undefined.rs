//! Undefined behaviour that a module's text alone shows, or cannot rule out where the one before could.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_base::ids::Id;
use lanescope_spirv::enums::{BuiltIn, Decoration, Op, StorageClass};

use super::assigned::maybe_unwritten;
use super::lines::{Line, Lines};

/// What is undefined, if it runs.
#[derive(Debug, Default)]
pub(super) struct ByText {
    /// Variables that are read and that nothing writes.
    unwritten: BTreeSet<Id>,
    /// Variables of functions of which a read can be reached without a write.
    maybe_unwritten: BTreeSet<Id>,
    /// Integer divisions and remainders by zero.
    divisions: usize,
    /// Instructions that use an undefined value.
    undefined: usize,
    /// Outputs that are declared, by what the next stage sees of each, with whether something writes them.
    outputs: BTreeMap<Output, bool>,
}

/// An output, or a member of an output block.
type Output = (Id, Option<u32>);

impl ByText {
    /// What a module shows.
    pub fn of(lines: &Lines) -> ByText {
        let definitions = lines.definitions();
        let line = |id: Id| definitions.get(&id).and_then(|&at| lines.all.get(at));
        let mut reads: BTreeSet<Id> = BTreeSet::new();
        let mut written: BTreeSet<Id> = BTreeSet::new();
        let mut found = ByText::default();
        let parameters = parameters(lines, &line);
        for each in &lines.all {
            let variables = each.ids().flat_map(|id| variables(id, &line, &parameters));
            match each.op {
                Op::Load => reads.extend(variables),
                Op::AccessChain | Op::InBoundsAccessChain | Op::EntryPoint | Op::Name | Op::Variable => {}
                // What the function does with it is seen there.
                Op::FunctionCall => {}
                _ if each.is_about() => {}
                // Whatever else has a pointer may write through it.
                _ => written.extend(variables),
            }
            match each.op {
                Op::UDiv | Op::SDiv | Op::UMod | Op::SMod | Op::SRem if is_zero(each.id(4), &line, 0) => {
                    found.divisions += 1;
                }
                _ => {}
            }
            let takes_undefined = |id: Id| line(id).is_some_and(|line| line.op == Op::Undef);
            found.undefined += usize::from(!each.is_about() && each.ids().any(takes_undefined));
        }
        found.unwritten = reads.difference(&written).copied().collect();
        found.maybe_unwritten = maybe_unwritten(lines);
        found.outputs = outputs(lines, &line);
        found
    }

    /// Whether it shows no more than another.
    pub fn is_within(&self, other: &ByText) -> bool {
        self.unwritten.is_subset(&other.unwritten)
            && self.maybe_unwritten.is_subset(&other.maybe_unwritten)
            && self.divisions <= other.divisions
            && self.undefined <= other.undefined
            && other.outputs.iter().all(|(output, written)| !written || self.keeps(*output))
    }

    /// Whether an output that was written is written, or is gone. A position is not gone: what is drawn would be undefined.
    fn keeps(&self, output: Output) -> bool {
        match (self.outputs.get(&output), output) {
            (Some(written), _) => *written,
            (None, (_, member)) => member.is_none(),
        }
    }
}

/// The outputs of the module: variables with a location, and the position, alone or as a member of a block.
fn outputs<'l>(lines: &Lines, line: &impl Fn(Id) -> Option<&'l Line>) -> BTreeMap<Output, bool> {
    let writes = writes(lines, line);
    let is_written = |output: Id, member: Option<u32>| {
        let all = writes.get(&output);
        all.is_some_and(|all| member.is_none() || all.contains(&member) || all.contains(&None))
    };
    // The id 0, which no variable has, stands for the position however it is declared.
    let (position, built_in) = (BuiltIn::Position as u32, Decoration::BuiltIn as u32);
    let mut out = BTreeMap::new();
    for each in &lines.all {
        match each.op {
            Op::Decorate if each.word(2) == built_in && each.word(3) == position => {
                *out.entry((Id(0), Some(0))).or_default() |= is_written(each.id(1), None);
            }
            Op::MemberDecorate if each.word(3) == built_in && each.word(4) == position => {
                for variable in variables_of(lines, each.id(1), line) {
                    *out.entry((Id(0), Some(0))).or_default() |= is_written(variable, Some(each.word(2)));
                }
            }
            Op::Variable if StorageClass::from_u32(each.word(3)) == Some(StorageClass::Output) => {
                out.extend(each.result().map(|id| ((id, None), is_written(id, None))));
            }
            _ => {}
        }
    }
    out
}

/// The variables that something may write: with the members of a block that it may be.
fn writes<'l>(lines: &Lines, line: &impl Fn(Id) -> Option<&'l Line>) -> BTreeMap<Id, BTreeSet<Option<u32>>> {
    let mut out: BTreeMap<Id, BTreeSet<Option<u32>>> = BTreeMap::new();
    for each in &lines.all {
        match each.op {
            Op::AccessChain | Op::InBoundsAccessChain | Op::Load | Op::EntryPoint | Op::Variable => continue,
            _ if each.is_about() => continue,
            _ => {}
        }
        for mut at in each.ids().filter_map(line) {
            let mut members = BTreeSet::new();
            while matches!(at.op, Op::AccessChain | Op::InBoundsAccessChain) {
                let indices = at.words.get(4..).unwrap_or_default().iter().filter_map(|&index| line(Id(index)));
                // Which of the indices is the member's depends on what is an array: any of them may be.
                members.extend(indices.filter(|index| index.op == Op::Constant).map(|index| Some(index.word(3))));
                let Some(next) = line(at.id(3)) else { break };
                at = next;
            }
            if let (Op::Variable, Some(variable)) = (at.op, at.result()) {
                members.extend(members.is_empty().then_some(None));
                out.entry(variable).or_default().append(&mut members);
            }
        }
    }
    out
}

/// Output variables whose type is a block, or an array of it.
fn variables_of<'l>(lines: &Lines, block: Id, line: &impl Fn(Id) -> Option<&'l Line>) -> Vec<Id> {
    let is_of = |variable: &&Line| {
        let pointee = line(variable.id(1)).map(|pointer| pointer.id(3));
        let element = pointee.and_then(line).filter(|ty| ty.op == Op::TypeArray).map(|array| array.id(2));
        element.or(pointee) == Some(block)
    };
    let class = |variable: &&Line| StorageClass::from_u32(variable.word(3)) == Some(StorageClass::Output);
    let variables = lines.all.iter().filter(|line| line.op == Op::Variable);
    variables.filter(class).filter(is_of).filter_map(Line::result).collect()
}

/// By parameter of a function: the variables into which a call of it may give pointers.
type Parameters = BTreeMap<Id, BTreeSet<Id>>;

fn parameters<'l>(lines: &Lines, line: &impl Fn(Id) -> Option<&'l Line>) -> Parameters {
    let mut of_function: BTreeMap<Id, Vec<Id>> = BTreeMap::new();
    let mut function = Id(0);
    for each in &lines.all {
        match (each.op, each.result()) {
            (Op::Function, Some(id)) => function = id,
            (Op::FunctionParameter, Some(id)) => of_function.entry(function).or_default().push(id),
            _ => {}
        }
    }
    let mut out = Parameters::new();
    loop {
        let mut is_more = false;
        for call in lines.all.iter().filter(|line| line.op == Op::FunctionCall) {
            let taken = of_function.get(&call.id(3)).map(Vec::as_slice).unwrap_or_default();
            for (parameter, &argument) in taken.iter().zip(call.words.get(4..).unwrap_or_default()) {
                let given = variables(Id(argument), line, &out);
                let known = out.entry(*parameter).or_default();
                let before = known.len();
                known.extend(given);
                is_more |= known.len() > before;
            }
        }
        if !is_more {
            return out;
        }
    }
}

/// The variables without initial contents that a pointer may lead into.
fn variables<'l>(pointer: Id, line: &impl Fn(Id) -> Option<&'l Line>, parameters: &Parameters) -> BTreeSet<Id> {
    let Some(mut at) = line(pointer) else { return BTreeSet::new() };
    // As deep as accesses may be chained in any real module.
    for _ in 0..64 {
        match at.op {
            Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject => match line(at.id(3)) {
                Some(next) => at = next,
                None => return BTreeSet::new(),
            },
            _ => break,
        }
    }
    let class = StorageClass::from_u32(at.word(3));
    let is_own = matches!(
        class,
        Some(StorageClass::Function | StorageClass::Private | StorageClass::Workgroup | StorageClass::Output)
    );
    match (at.op, at.result()) {
        (Op::Variable, Some(id)) if is_own && at.words.len() == 4 => BTreeSet::from([id]),
        (Op::FunctionParameter, Some(id)) => parameters.get(&id).cloned().unwrap_or_default(),
        _ => BTreeSet::new(),
    }
}

/// Whether a value is a constant with a component that is zero.
fn is_zero<'l>(id: Id, line: &impl Fn(Id) -> Option<&'l Line>, depth: u32) -> bool {
    let Some(value) = line(id) else { return false };
    match value.op {
        Op::ConstantNull => true,
        Op::Constant => value.words.get(3..).unwrap_or_default().iter().all(|&word| word == 0),
        Op::ConstantComposite if depth == 0 => {
            value.words.get(3..).unwrap_or_default().iter().any(|&part| is_zero(Id(part), line, 1))
        }
        _ => false,
    }
}
