//! Whether the validator finishes a module in reasonable time. Some of its checks take time that grows with the product
//! of two counts: the products are taken here first, in time linear in the module or bounded by the limit itself.

use super::error::Problem;
use lanescope_base::ids::Id;
use lanescope_spirv::enums::Op;
use lanescope_spirv::{InstId, Module};

/// The most steps of a check that compares each of some things with each of others: one or two seconds of it.
const MAX_PAIRS: u64 = 1 << 28;

/// The most functions visited when the calls of each function and each entry point are followed: as long, since the
/// validator keeps a tree of those it has visited.
const MAX_VISITS: u64 = 1 << 23;

/// Refuses a module that the validator would seem to hang on. Nothing else takes such time for it.
///
/// # Errors
/// [`Problem::Effort`], with the counts whose product is too large.
pub(super) fn check(module: &Module) -> Result<(), Problem> {
    entry_points(module)?;
    for function in module.functions() {
        blocks(module, function.insts.clone())?;
    }
    calls(module)
}

/// Refuses a product that is too large.
fn pairs(instruction: u32, [first, second]: [(u64, &'static str); 2]) -> Result<(), Problem> {
    if first.0.saturating_mul(second.0) <= MAX_PAIRS {
        return Ok(());
    }
    let what = format!("{} {} and {} {}", first.0, first.1, second.0, second.1);
    Err(Problem::Effort { instruction: instruction as usize, what, limit: MAX_PAIRS })
}

/// Many rules of instructions are checked for each entry point, and each variable is looked for in an entry point's
/// interface.
fn entry_points(module: &Module) -> Result<(), Problem> {
    let entries = module.entry_points();
    let interface = entries.iter().map(|entry| entry.interface.len()).max().unwrap_or(0) as u64;
    pairs(0, [(interface, "interface variables"), (interface, "interface lookups")])?;
    pairs(0, [(entries.len() as u64, "entry points"), (module.len() as u64, "instructions")])
}

/// For each construct its blocks are walked, and for each of those its dominators; for each parent that a phi names the
/// predecessors of its block.
fn blocks(module: &Module, insts: std::ops::Range<u32>) -> Result<(), Problem> {
    let start = insts.start;
    let (mut blocks, mut constructs) = (0u64, 0u64);
    for inst in module.insts_in(insts) {
        match inst.op() {
            Some(Op::Label) => blocks += 1,
            Some(Op::SelectionMerge | Op::LoopMerge) => constructs += 1,
            Some(Op::Switch) => constructs += (inst.words_from(3).len() / (module.case_words(&inst) + 1)) as u64,
            Some(Op::Phi) => {
                let parents = (inst.words_from(3).len() / 2) as u64;
                pairs(inst.index.0, [(parents, "parents of a phi"), (parents, "predecessors")])?;
            }
            _ => {}
        }
    }
    pairs(start, [(constructs, "selections, loops and cases"), (blocks, "blocks of one function")])
}

/// The calls of each function are followed to find recursion, and those of each entry point to know what it reaches.
fn calls(module: &Module) -> Result<(), Problem> {
    let functions = module.functions();
    let starts: Vec<u32> = functions.iter().map(|function| function.insts.start).collect();
    let place = |id: Id| module.def_index(id).and_then(|InstId(start)| starts.binary_search(&start).ok());
    // By function: the functions it calls. Each of its calls counts, as it does for the validator.
    let callees: Vec<Vec<usize>> = functions
        .iter()
        .map(|function| {
            let calls = module.insts_in(function.insts.clone()).filter(|inst| inst.op() == Some(Op::FunctionCall));
            calls.filter_map(|call| place(call.id_at(3))).collect()
        })
        .collect();
    let entries = module.entry_points().iter().filter_map(|entry| place(entry.function));
    // By function: the last walk that visited it.
    let mut visited = vec![usize::MAX; functions.len()];
    let mut visits = 0u64;
    let mut work = Vec::new();
    for (walk, from) in (0..functions.len()).chain(entries).enumerate() {
        work.push(from);
        while let Some(at) = work.pop() {
            visits += 1;
            if visits > MAX_VISITS {
                let what = format!("the calls of {} functions", functions.len());
                let instruction = starts.get(from).map_or(0, |&start| start as usize);
                return Err(Problem::Effort { instruction, what, limit: MAX_VISITS });
            }
            if std::mem::replace(&mut visited[at], walk) != walk {
                work.extend(&callees[at]);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: [u32; 5] = [0x0723_0203, 0x0001_0300, 0, 0x3f_ffff, 0];
    const VOID: u32 = 1;

    fn module(words: impl IntoIterator<Item = u32>) -> Module {
        Module::parse(HEADER.into_iter().chain(words).collect()).expect("a module")
    }

    fn op(op: Op, operands: &[u32]) -> Vec<u32> {
        [&[(operands.len() as u32 + 1) << 16 | op as u32], operands].concat()
    }

    /// Functions that each call the next.
    fn chain(count: u32) -> Module {
        module((0..count).flat_map(|at| {
            let id = 10 + 2 * at;
            let call = op(Op::FunctionCall, &[VOID, id + 1, id + 2]);
            [op(Op::Function, &[VOID, id, 0, 2]), call, op(Op::FunctionEnd, &[])].concat()
        }))
    }

    /// A function of so many blocks with a selection each.
    fn selections(count: u32) -> Module {
        let block = |at: u32| [op(Op::Label, &[10 + at]), op(Op::SelectionMerge, &[10 + at, 0])].concat();
        let blocks: Vec<u32> = (0..count).flat_map(block).collect();
        module([op(Op::Function, &[VOID, 3, 0, 2]), blocks, op(Op::FunctionEnd, &[])].concat())
    }

    /// A phi with so many parents.
    fn phi(count: u32) -> Module {
        let parents: Vec<u32> = [VOID, 4].into_iter().chain((0..2 * count).map(|_| 5)).collect();
        let body = [op(Op::Label, &[5]), op(Op::Phi, &parents)].concat();
        module([op(Op::Function, &[VOID, 3, 0, 2]), body, op(Op::FunctionEnd, &[])].concat())
    }

    /// Entry points of one function.
    fn entries(count: u32) -> Module {
        let entry = |_| op(Op::EntryPoint, &[5, 3, 0]);
        let entries: Vec<u32> = (0..count).flat_map(entry).collect();
        module([entries, op(Op::Function, &[VOID, 3, 0, 2]), op(Op::FunctionEnd, &[])].concat())
    }

    #[test]
    fn refuses_modules_that_validate_too_slowly() {
        for (module, words) in [
            (chain(500), None),
            (chain(5_000), Some("the calls of 5000 functions")),
            (selections(8_000), None),
            (selections(20_000), Some("20000 selections, loops and cases and 20000 blocks of one function")),
            (phi(8_000), None),
            (phi(20_000), Some("20000 parents of a phi")),
            (entries(4_000), None),
            (entries(20_000), Some("20000 entry points and 20002 instructions")),
        ] {
            let found = check(&module).map_err(|problem| problem.to_string());
            match words {
                None => assert_eq!(found, Ok(())),
                Some(words) => {
                    let message = found.expect_err(words);
                    assert!(message.contains(words) && message.contains("the limit"), "{message}");
                }
            }
        }
    }
}
