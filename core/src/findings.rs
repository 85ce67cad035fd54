//! Rules that a readable shader breaks. A code is never reused; `lanescope help findings` prints the table.

use serde::{Deserialize, Serialize};

use crate::options::named_enum;
use crate::program::StageKind;

named_enum!(
    /// How bad a finding is. Errors decide the exit status.
    Severity {
        /// A rule is broken.
        Error = "error",
        /// Legal, but likely not what was meant.
        Warning = "warning",
        /// Worth knowing.
        Note = "note",
    }
);

/// One rule that did not hold, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The rule's stable code.
    pub code: String,
    /// Its severity, from the table.
    pub severity: Severity,
    /// The stage that breaks it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stage: Option<StageKind>,
    /// What was found, with its numbers.
    pub message: String,
    /// Variable, instruction or entry point.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub place: Option<String>,
}

/// One row of the table of findings.
#[derive(Debug)]
pub struct Rule {
    /// The stable code: a letter for the room, then a number.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The rule, in one line.
    pub about: &'static str,
}

macro_rules! rules {
    ($($name:ident = $code:literal, $severity:ident, $about:literal;)+) => {
        $(#[doc = $about] pub const $name: &Rule = &Rule { code: $code, severity: Severity::$severity, about: $about };)+

        /// Every rule, in the order of the codes.
        pub const RULES: &[&Rule] = &[$($name),+];
    };
}

rules! {
    VALIDATION_STOPPED = "L001", Note, "the validator stopped at a broken rule; the rest of the module is unchecked";
    RECURSION = "L002", Error, "functions call each other in a circle, which shaders may not do";
    RAW_INSTRUCTION = "L003", Note, "an instruction that SPIRV-Tools knows and the grammar here does not is kept as raw words";
    UNKNOWN_SPEC_ID = "L004", Warning, "a value was given for a specialization constant that no module declares";
    LOCATION_LIMIT = "P001", Error, "a location is above the limit that any driver offers";
    INPUT_NOT_WRITTEN = "P002", Warning, "the fragment shader reads an input that the previous stage does not write";
    ALIASED_INPUT = "P003", Note, "one component is read under two classes; each takes a place and the second is wasted";
    DYNAMIC_INDEX = "P004", Note, "an input is indexed with a value known only at run time";
    OPAQUE_USE = "P005", Note, "an instruction kept as raw words may use inputs, so all of them count as used";
    INTERFACE_MISMATCH = "P006", Warning, "an input and the output that feeds it differ in width or component type";
    SIZE_ZERO = "W001", Error, "a dimension of the workgroup is 0";
    SIZE_TOO_LARGE = "W002", Error, "the workgroup has more invocations than can be laid out";
    QUADS_ODD = "W003", Error, "derivative quads need an even number of invocations in x and y";
    LINEAR_NOT_FOUR = "W004", Error, "linear derivatives need a multiple of four invocations";
    SIZE_LIMIT = "W005", Warning, "the workgroup is larger than the limit that common devices offer";
    GROUP_TILE = "W006", Warning, "the workgroup-id swizzle does not apply to this dispatch";
    SIZE_UNKNOWN = "W007", Error, "the workgroup's size is a constant that cannot be evaluated";
    GROUPS_NOT_LISTED = "W008", Note, "the dispatch has more groups than are listed";
    NOT_EXPORTED = "R001", Warning, "an interpolant reads a parameter slot that is never exported; its value is undefined";
    NEEDS_BACK_END = "R002", Note, "a register needs facts that only a compiler's back end has";
    UNKNOWN_FORMAT = "R003", Error, "a colour attachment's format is not known";
    NO_REGISTERS = "R004", Note, "this target has no register tables here";
    COMPILER_DIED = "D001", Error, "a driver's compiler ended its process while it compiled a shader";
    COMPILER_HUNG = "D002", Error, "a driver's compiler did not finish a shader in time";
    COMPILER_MEMORY = "D003", Error, "a driver's compiler took more memory for a shader than it may have";
    NOT_COMPILED = "D004", Warning, "a driver does not compile this version of the program";
}

impl Rule {
    /// A finding under this rule.
    pub fn at(&self, stage: Option<StageKind>, place: Option<String>, message: impl Into<String>) -> Finding {
        Finding { code: self.code.to_owned(), severity: self.severity, stage, message: message.into(), place }
    }
}

/// The row of a code.
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.code == code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_in_order() {
        for pair in RULES.windows(2) {
            let room = |rule: &Rule| "LPWRD".find(&rule.code[..1]);
            assert!((room(pair[0]), pair[0].code) < (room(pair[1]), pair[1].code), "{} {}", pair[0].code, pair[1].code);
        }
    }

    #[test]
    fn the_table_of_codes_is_a_contract() {
        let table: Vec<_> = RULES.iter().map(|r| format!("{} {:7} {}", r.code, r.severity, r.about)).collect();
        insta::assert_snapshot!(table.join("\n"));
    }
}
