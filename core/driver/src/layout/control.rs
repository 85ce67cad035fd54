//! The constructs of a form: which branches decide between the values of a phi.
//!
//! ```text
//! loop {                     // phis here take what the loop carries
//!     if %7 { break } else { }
//! }                          // phis here are decided by what ends here
//! ```

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use super::nir::Statement;

/// The most branches of a construct that is looked into.
const MAX_BRANCHES: usize = 32;

/// A construct that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Region {
    /// Its branches, as indices in the form's list of them.
    pub branches: Range<usize>,
    /// How branches, loops and jumps are put together: a number that is equal for equal ones.
    pub shape: u64,
}

/// A construct that is not closed yet.
struct Open {
    first: usize,
    shape: DefaultHasher,
    /// The phis of a loop's beginning.
    phis: Vec<usize>,
}

/// What precedes a line, but for phis.
enum Before {
    Begin,
    Ended(Region),
    Other,
}

/// The constructs that decide between the values of phis, by the index of each phi. `statements` are those of the lines,
/// with the number of the line of each.
pub(super) fn regions<'l>(
    lines: impl Iterator<Item = &'l str>,
    statements: &[(usize, Statement<'_>)],
) -> HashMap<usize, Region> {
    let mut out = HashMap::new();
    let mut next = statements.iter().enumerate().peekable();
    let mut open: Vec<Open> = Vec::new();
    let mut branches = 0;
    let mut before = Before::Other;
    for (number, line) in lines.enumerate() {
        let line = line.trim();
        let statement = next.next_if(|(_, (at, _))| *at == number).map(|(index, (_, statement))| (index, statement));
        if let Some((index, _)) = statement.filter(|(_, statement)| statement.op == "phi") {
            match (&before, open.last_mut()) {
                (Before::Ended(region), _) => _ = out.insert(index, region.clone()),
                (Before::Begin, Some(top)) => top.phis.push(index),
                _ => {}
            }
            continue;
        }
        if line == "}" {
            let Some(mut top) = open.pop() else { continue };
            "}".hash(&mut top.shape);
            let region = Region { branches: top.first..branches, shape: top.shape.finish() };
            open.iter_mut().last().into_iter().for_each(|parent| region.shape.hash(&mut parent.shape));
            let is_known = region.branches.len() <= MAX_BRANCHES;
            out.extend(top.phis.into_iter().filter(|_| is_known).map(|phi| (phi, region.clone())));
            before = if is_known { Before::Ended(region) } else { Before::Other };
        } else if line == "} else {" || ["break", "continue", "return", "halt"].contains(&line) {
            open.iter_mut().last().into_iter().for_each(|top| line.hash(&mut top.shape));
            before = Before::Other;
        } else if line.ends_with('{') {
            let is_loop = line.ends_with("loop {");
            let mut shape = DefaultHasher::new();
            is_loop.hash(&mut shape);
            open.push(Open { first: branches, shape, phis: Vec::new() });
            before = if is_loop { Before::Begin } else { Before::Other };
        } else if statement.is_some() {
            before = Before::Other;
        }
        branches += usize::from(statement.is_some_and(|(_, s)| s.dest.is_none() && s.op == "if"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::nir::Nir;

    const LOOP: &str = "shader: MESA_SHADER_VERTEX\nimpl main {\n\
        con 32 %1 = load_const (0x00000001)\n\
        div 1 %2 = ilt %9, %1\n\
        con loop {\ndiv block b1:\n\
        div 32 %3 = phi b2: %5, b0: %1\n\
        div 1 %4 = ilt %3, %1\n\
        if %4 {\nbreak\n} else {\n}\n\
        div 32 %5 = iadd %3, %1\n\
        }\n\
        div 32 %6 = phi b1: %3\n\
        if %2 {\n} else {\n}\n\
        div 32 %7 = phi b3: %5, b4: %1\n\
        div 32 %8 = iadd %7, %1\n\
        div 32 %10 = phi b3: %5, b4: %1\n}\n";

    #[test]
    fn phis_have_the_branches_that_decide_them() {
        let nir = Nir::read(LOOP).expect("a form");
        let index = |name: &str| nir.made(name).expect("is made").0;
        let conditions = |name: &str| {
            let nodes = nir.conditions(index(name));
            nodes.filter_map(|(index, _)| Some(nir.statements.get(index)?.dest?.name)).collect::<Vec<_>>()
        };
        assert_eq!([conditions("%3"), conditions("%6"), conditions("%7")], [["%4"], ["%4"], ["%2"]]);
        assert_eq!(nir.region(index("%10")), None, "it does not follow the end of a construct");
        let shape = |text: &str, name: &str| {
            let nir = Nir::read(text).expect("a form");
            nir.region(nir.made(name).expect("is made").0).expect("a region").shape
        };
        assert_eq!(shape(LOOP, "%3"), shape(LOOP, "%6"));
        assert_ne!(shape(LOOP, "%3"), shape(LOOP, "%7"));
        let other = LOOP.replace("{\nbreak\n} else {\n}", "{\n} else {\nbreak\n}");
        assert_ne!(shape(LOOP, "%3"), shape(&other, "%3"), "the loop goes on where it ended");
        // What comes from a block stands at its place in their order.
        let operands = &nir.statements[index("%3")].operands;
        assert_eq!(operands.iter().map(|operand| operand.name).collect::<Vec<_>>(), ["%1", "%5"]);
    }
}
