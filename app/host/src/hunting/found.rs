//! What was found, and what tells one failure from another.

use std::fmt;

use lanescope_core::reduce::condition::{Condition, Test};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::reducing::compilers::without_numbers;

/// What kind of failure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// A compiler died, or did not end.
    Crash,
    /// A compiler refused a program that has nothing that it lacks.
    Refusal,
    /// A device leaves other results than the interpreter.
    Results,
    /// A run on a device ended without results.
    Run,
    /// The rewritten program leaves other results.
    Rewritten,
    /// The front end refused a program.
    Source,
}

impl What {
    /// As a table shows it.
    pub fn name(self) -> &'static str {
        match self {
            What::Crash => "crash",
            What::Refusal => "refusal",
            What::Results => "results",
            What::Run => "run failed",
            What::Rewritten => "rewritten differs",
            What::Source => "front end",
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What tells one failure from another. Failures of one signature are one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Signature {
    /// What kind it is.
    pub what: What,
    /// The compiler or the device.
    pub on: String,
    /// Its last line or message with `#` for numbers; of different results, the instructions that are left of the
    /// reduced program.
    pub how: String,
}

/// A failure of one program.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Suspect {
    pub what: What,
    /// As a table shows it, other than every other one.
    pub on: String,
    /// The compiler, among those of the hunt.
    pub compiler: Option<usize>,
    /// What was seen.
    pub message: String,
}

impl Suspect {
    /// What is known before it is reduced. Of different results nothing is but that they differ.
    pub fn signature(&self) -> Signature {
        let how = match self.what {
            What::Results | What::Rewritten => String::new(),
            _ => without_numbers(&self.message),
        };
        Signature { what: self.what, on: self.on.clone(), how }
    }

    /// The condition under which a program still shows it, where only the compiler is asked that did; `None` where none
    /// says so.
    pub fn condition(&self) -> Option<Condition> {
        let on = Some(self.on.clone());
        let test = match self.what {
            What::Crash => Test::Crashes { on: None },
            What::Refusal => Test::Fails { on: None },
            What::Results => Test::ResultsDiffer { on, from: Some(super::ask::INTERPRETER.to_owned()) },
            What::Rewritten => Test::ResultsDiffer { on, from: None },
            What::Run | What::Source => return None,
        };
        Some(Condition::Test(test))
    }
}

/// A failure that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// What tells it from others.
    pub signature: Signature,
    /// What was seen of the first program.
    pub message: String,
    /// The number of the first program that shows it.
    pub number: u64,
    /// The programs that show it.
    pub programs: u64,
    /// Instructions in functions: of that program, and of the reduced one, where it was reduced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<[usize; 2]>,
    /// Why it was not reduced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_reduced: Option<String>,
    /// The name of its folder.
    pub folder: String,
}
