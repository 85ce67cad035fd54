//! Expressions: what `print` of the command line takes, and in the console its commands.

use lanescope_core::interpreter::debugger::session::{Command, Output, parse_all};
use lanescope_text::{Style, write_printed};
use serde_json::{Value, json};

use super::Debuggee;

/// What an expression asks for.
#[derive(Debug, PartialEq)]
pub enum Evaluated {
    /// An answer.
    Value(Value),
    /// A command that moves.
    Move(Command),
}

impl Debuggee {
    /// The value of an expression in a frame. In the console it may be a command.
    ///
    /// # Errors
    /// A name that the program does not have there; a command that the client has itself.
    pub fn evaluate(&mut self, expression: &str, frame: Option<i64>, is_console: bool) -> Result<Evaluated, String> {
        let expression = expression.trim();
        if is_console && let Some(evaluated) = self.command(expression)? {
            return Ok(evaluated);
        }
        let frame = self.frame(frame)?;
        let target = self.session.find(expression, frame.function).map_err(|why| why.to_string())?;
        let text = self.session.text_of(&target, frame.lane);
        let mut answer = json!({ "result": text });
        self.shown(frame, target, expression).add_to(&mut answer);
        Ok(Evaluated::Value(answer))
    }

    /// A command of the console; none where the text is not one.
    fn command(&mut self, text: &str) -> Result<Option<Evaluated>, String> {
        let Ok(commands) = parse_all(text) else { return Ok(None) };
        let [command] = commands.as_slice() else { return Ok(None) };
        let own = |what: &str| Err(format!("`{text}`: {what}"));
        match command {
            // A variable may be called as a command is.
            command if command.moves() => match self.session.find(text, self.frame(None)?.function) {
                Ok(_) => Ok(None),
                Err(_) => Ok(Some(Evaluated::Move(command.clone()))),
            },
            Command::Break(_) | Command::Watch(_) | Command::Delete(_) | Command::Ignore(..) => {
                own("breakpoints are set in the editor")
            }
            command => {
                let output = self.session.run(command).map_err(|why| format!("`{text}`: {why}"))?;
                Ok(Some(Evaluated::Value(json!({ "result": self.printed(&output), "variablesReference": 0 }))))
            }
        }
    }

    fn printed(&self, output: &Output) -> String {
        let mut out = Vec::new();
        let size = self.session.debugger().machine().size();
        // Memory takes all that is written.
        let _ = write_printed(output, size, &mut out, Style::of(anstream::ColorChoice::Never));
        String::from_utf8_lossy(&out).trim_end().to_owned()
    }
}
