//! Which flags are on the command line, so that a flag that has no effect can be rejected even if it has a default.

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};

/// The arguments of a command line, by their ids. A command has it as its first part: reading the others takes them out
/// of what clap found.
#[derive(Debug, Clone, Default)]
pub struct Given(Vec<String>);

impl Given {
    /// The flags of a part of the command that are on the command line, as typed, in the part's order.
    pub fn flags<Part: Args>(&self) -> Vec<String> {
        let part = Part::augment_args(Command::new("part"));
        let given = part.get_arguments().filter(|argument| self.0.iter().any(|id| id == argument.get_id().as_str()));
        given.filter_map(|argument| Some(format!("--{}", argument.get_long()?))).collect()
    }
}

impl FromArgMatches for Given {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Given, clap::Error> {
        let typed = |id: &&clap::Id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
        Ok(Given(matches.ids().filter(typed).map(|id| id.as_str().to_owned()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Given::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Given {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Args)]
    struct Part {
        #[arg(long, default_value_t = 1)]
        often: u32,
        #[arg(long = "break")]
        stops: Vec<String>,
    }

    #[derive(Debug, Parser)]
    struct Whole {
        #[command(flatten)]
        given: Given,
        #[arg(long)]
        other: bool,
        #[command(flatten)]
        part: Part,
    }

    #[test]
    fn a_typed_flag_is_explicit_for_any_value() {
        let whole = |line: &str| Whole::try_parse_from(line.split(' ')).expect("parses");
        assert_eq!(whole("x --break a --other --often 1").given.flags::<Part>(), ["--often", "--break"]);
        let none = whole("x --other");
        assert_eq!((none.given.flags::<Part>().len(), none.part.often, none.part.stops.len()), (0, 1, 0));
        assert!(none.other);
    }
}
