//! Commands: names and arguments as in gdb.

use super::super::breakpoints::{Comparison, Location};
use lanescope_base::ids::Id;
use lanescope_spirv::InstId;

/// A command of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// `step [N]`: to another source line, into calls; an instruction where the module has no lines.
    Step(u32),
    /// `next [N]`: the same, over calls.
    Next(u32),
    /// `stepi [N]`: instructions.
    StepInstruction(u32),
    /// `nexti [N]`: instructions, over calls.
    NextInstruction(u32),
    /// `finish`: to the end of the function.
    Finish,
    /// `continue`: to a breakpoint or the end.
    Continue,
    /// `reverse-step [N]`, `back [N]`.
    ReverseStep(u32),
    /// `reverse-stepi [N]`.
    ReverseStepInstruction(u32),
    /// `reverse-continue`.
    ReverseContinue,
    /// `run`, `restart`: to the start.
    Restart,
    /// `break WHERE [if CONDITION]`, `break CONDITION`.
    Break(String),
    /// `watch NAME`: stop where it changes in the chosen lane.
    Watch(String),
    /// `delete N`.
    Delete(usize),
    /// `ignore N COUNT`: pass over the next hits of a breakpoint.
    Ignore(usize, u64),
    /// `print NAME`: in the chosen lane.
    Print(String),
    /// `lanes NAME`: in all lanes.
    Lanes(String),
    /// `info writer NAME`: who wrote memory last.
    InfoWriter(String),
    /// `info locals`.
    InfoLocals,
    /// `info waves`.
    InfoWaves,
    /// `info breakpoints`.
    InfoBreakpoints,
}

impl Command {
    /// Whether it moves the run.
    pub fn moves(&self) -> bool {
        use Command::{Continue, Finish, Next, NextInstruction, Step, StepInstruction};
        self.is_backwards()
            || matches!(self, Step(_) | Next(_) | StepInstruction(_) | NextInstruction(_) | Finish | Continue)
    }

    /// Whether it goes back.
    pub fn is_backwards(&self) -> bool {
        matches!(
            self,
            Command::ReverseStep(_) | Command::ReverseStepInstruction(_) | Command::ReverseContinue | Command::Restart
        )
    }
}

/// Why a command cannot be carried out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// Not a command.
    #[error(
        "unknown command `{0}`: expected step, next, stepi, nexti, finish, continue, reverse-step, reverse-stepi, \
         reverse-continue, restart, break, watch, delete, ignore, print, lanes, info locals, info writer, info waves or \
         info breakpoints"
    )]
    Unknown(String),
    /// A number was expected.
    #[error("`{command}`: expected a number, found `{found}`")]
    Number {
        /// The command.
        command: String,
        /// What was found.
        found: String,
    },
    /// An argument is missing.
    #[error("`{0}`: an argument is missing")]
    Argument(String),
    /// No such name.
    #[error("no variable `{0}` here: expected a name or %ID (`info locals` lists them)")]
    NoName(String),
    /// A value that only its invocation has, or one whose bytes are apart.
    #[error("`{0}` is no range of bytes in memory: `watch {0}` and reverse-continue go to its last change")]
    NotInMemory(String),
    /// Not a location.
    #[error("`{0}`: expected FILE:LINE, a line, %ID or a condition such as `i == 3`")]
    Location(String),
    /// A location without an instruction.
    #[error("`{0}`: no instruction is there")]
    NoInstruction(String),
    /// No such breakpoint.
    #[error("no breakpoint {0}")]
    NoBreakpoint(usize),
}

/// What a breakpoint stops at, as it was given. Names are those of the program, and looked up where it is set.
#[derive(Debug, Clone, PartialEq)]
pub enum BreakpointKind {
    /// An instruction or a line.
    Place {
        /// Where.
        location: Location,
        /// When it counts; absent for always.
        condition: Option<NamedCondition>,
    },
    /// A condition of the chosen lane, at any instruction: it stops where it begins to hold.
    Condition(NamedCondition),
    /// A variable of the chosen lane, or in memory, by its name: it stops where the value changes.
    Watch(String),
}

/// A condition on a variable by its name.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedCondition {
    /// The name, with indices.
    pub name: String,
    /// How the value compares with `number`; booleans are 0 and 1.
    pub comparison: Comparison,
    /// The number.
    pub number: f64,
}

impl NamedCondition {
    /// Reads a condition: `i >= 2`, `values[3] == 0.5`, `found == true`. None for another text.
    pub fn parse(text: &str) -> Option<NamedCondition> {
        parts(text).filter(|condition| !condition.name.is_empty())
    }
}

impl BreakpointKind {
    /// Reads what follows `break`: `a.comp:7`, `7`, `%12`, each with ` if i >= 2` after it, or the condition alone. None
    /// for another text.
    pub fn parse(text: &str) -> Option<BreakpointKind> {
        match text.split_once(" if ") {
            Some((place, condition)) => {
                let (location, condition) = (location(place)?, NamedCondition::parse(condition)?);
                Some(BreakpointKind::Place { location, condition: Some(condition) })
            }
            None => NamedCondition::parse(text)
                .map(BreakpointKind::Condition)
                .or_else(|| Some(BreakpointKind::Place { location: location(text)?, condition: None })),
        }
    }

    /// An instruction.
    pub fn instruction(inst: InstId) -> BreakpointKind {
        BreakpointKind::Place { location: Location::Inst(inst), condition: None }
    }
}

/// Parses commands that are separated by `;`. Empty ones are left out.
///
/// # Errors
/// The first one that is not a command.
pub fn parse_all(text: &str) -> Result<Vec<Command>, CommandError> {
    text.split(';').map(str::trim).filter(|one| !one.is_empty()).map(parse).collect()
}

fn parse(text: &str) -> Result<Command, CommandError> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    let count = || match rest {
        "" => Ok(1),
        rest => rest.parse().map_err(|_| CommandError::Number { command: word.to_owned(), found: rest.to_owned() }),
    };
    let argument = || match rest {
        "" => Err(CommandError::Argument(word.to_owned())),
        rest => Ok(rest.to_owned()),
    };
    Ok(match (word, rest) {
        ("step" | "s", _) => Command::Step(count()?),
        ("next" | "n", _) => Command::Next(count()?),
        ("stepi" | "si", _) => Command::StepInstruction(count()?),
        ("nexti" | "ni", _) => Command::NextInstruction(count()?),
        ("finish" | "fin", "") => Command::Finish,
        ("continue" | "c", "") => Command::Continue,
        ("reverse-step" | "rs" | "back", _) => Command::ReverseStep(count()?),
        ("reverse-stepi" | "rsi", _) => Command::ReverseStepInstruction(count()?),
        ("reverse-continue" | "rc", "") => Command::ReverseContinue,
        ("restart" | "run", "") => Command::Restart,
        ("break" | "b", _) => Command::Break(argument()?),
        ("watch", _) => Command::Watch(argument()?),
        ("delete" | "d", _) => Command::Delete(count()? as usize),
        ("ignore", _) => {
            let (number, count) = argument()?.split_once(char::is_whitespace).map_or_else(
                || Err(CommandError::Argument(word.to_owned())),
                |(number, count)| Ok((number.to_owned(), count.trim().to_owned())),
            )?;
            let wrong = |found: &str| CommandError::Number { command: word.to_owned(), found: found.to_owned() };
            Command::Ignore(number.parse().map_err(|_| wrong(&number))?, count.parse().map_err(|_| wrong(&count))?)
        }
        ("print" | "p", _) => Command::Print(argument()?),
        ("lanes", _) => Command::Lanes(argument()?),
        ("info" | "i", rest) if rest.split_whitespace().next() == Some("writer") => {
            match rest["writer".len()..].trim() {
                "" => return Err(CommandError::Argument("info writer".to_owned())),
                name => Command::InfoWriter(name.to_owned()),
            }
        }
        ("info" | "i", "locals") => Command::InfoLocals,
        ("info" | "i", "waves") => Command::InfoWaves,
        ("info" | "i", "breakpoints") => Command::InfoBreakpoints,
        _ => return Err(CommandError::Unknown(text.to_owned())),
    })
}

/// A name, and the indices after it: `v[2][0]`, `v.2`.
pub(super) fn path(text: &str) -> (&str, Vec<u32>) {
    let end = text.find('[').unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let parts = rest.split(['[', ']']).filter(|part| !part.trim().is_empty());
    // A part that is not a number is beyond every composite.
    (name.trim(), parts.map(|part| part.trim().parse().unwrap_or(u32::MAX)).collect())
}

/// A line or an id.
fn location(text: &str) -> Option<Location> {
    let text = text.trim();
    let line = |file: &str, line: &str| {
        line.trim().parse().ok().map(|line| Location::Line { file: file.trim().to_owned(), line })
    };
    match (text.strip_prefix('%'), text.rsplit_once(':')) {
        (Some(id), _) => id.parse().ok().map(|id| Location::Id(Id(id))),
        (None, Some((file, number))) => line(file, number),
        (None, None) => line("", text),
    }
}

fn parts(text: &str) -> Option<NamedCondition> {
    const ALL: [(&str, Comparison); 6] = [
        ("==", Comparison::Equal),
        ("!=", Comparison::NotEqual),
        ("<=", Comparison::LessOrEqual),
        (">=", Comparison::GreaterOrEqual),
        ("<", Comparison::Less),
        (">", Comparison::Greater),
    ];
    let (sign, comparison) = ALL.into_iter().find(|(sign, _)| text.contains(sign))?;
    let (name, number) = text.split_once(sign)?;
    let number = match number.trim() {
        "true" => 1.0,
        "false" => 0.0,
        number => number.parse().ok()?,
    };
    Some(NamedCondition { name: name.trim().to_owned(), comparison, number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_commands_with_counts_and_arguments() {
        let all = parse_all("step 3; back; print v[2] ;; b a.comp:7 if i >= 2; info waves").expect("commands");
        let text = |text: &str| text.to_owned();
        assert_eq!(
            all,
            [
                Command::Step(3),
                Command::ReverseStep(1),
                Command::Print(text("v[2]")),
                Command::Break(text("a.comp:7 if i >= 2")),
                Command::InfoWaves
            ]
        );
        assert_eq!(parse_all("ignore 2 10"), Ok(vec![Command::Ignore(2, 10)]));
        assert_eq!(parse_all("ignore 2"), Err(CommandError::Argument(text("ignore"))));
        assert_eq!(parse_all("jump"), Err(CommandError::Unknown(text("jump"))));
        assert_eq!(parse_all("print"), Err(CommandError::Argument(text("print"))));
        assert_eq!(parse_all("info writer sums[3]"), Ok(vec![Command::InfoWriter(text("sums[3]"))]));
        assert_eq!(parse_all("info writer"), Err(CommandError::Argument(text("info writer"))));
        let number = CommandError::Number { command: text("step"), found: text("x") };
        assert_eq!(parse_all("step x"), Err(number));
    }

    #[test]
    fn tells_locations_from_conditions() {
        let line = |file: &str, line| Location::Line { file: file.to_owned(), line };
        let at = |location, condition| Some(BreakpointKind::Place { location, condition });
        let is = |name: &str, comparison, number| Some(NamedCondition { name: name.to_owned(), comparison, number });
        assert_eq!(BreakpointKind::parse("dir/a.comp:7"), at(line("dir/a.comp", 7), None));
        assert_eq!(BreakpointKind::parse("7"), at(line("", 7), None));
        assert_eq!(BreakpointKind::parse("%12"), at(Location::Id(Id(12)), None));
        let condition = is("x", Comparison::NotEqual, 4.0);
        assert_eq!(BreakpointKind::parse("%12 if x != 4"), at(Location::Id(Id(12)), condition));
        let condition = is("i", Comparison::LessOrEqual, -2.5).map(BreakpointKind::Condition);
        assert_eq!(BreakpointKind::parse("i <= -2.5"), condition);
        // Neither half of a breakpoint is left out silently.
        for wrong in ["main", "main if i > 2", "a.comp:7 if i", "a.comp:7 if i > j", "7 if > 2", "< 3", "%x"] {
            assert_eq!(BreakpointKind::parse(wrong), None, "{wrong}");
        }
        let condition = is("watch x", Comparison::Less, 3.0).map(BreakpointKind::Condition);
        assert_eq!(BreakpointKind::parse("watch x < 3"), condition);
    }

    #[test]
    fn splits_names_from_indices() {
        assert_eq!(path("v"), ("v", vec![]));
        assert_eq!(path("m[1][0]"), ("m", vec![1, 0]));
    }
}
