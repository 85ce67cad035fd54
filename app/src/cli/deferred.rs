//! Arguments that are defined only for the command that is called: two dozen commands have some hundred of them.

use std::ops::Deref;

use clap::builder::{Resettable, StyledStr};
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

/// The arguments of one command.
#[derive(Debug)]
pub struct Deferred<T>(Box<T>);

impl<T> Deref for Deferred<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Args> Args for Deferred<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(|command| keeping_about(command, T::augment_args))
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(|command| keeping_about(command, T::augment_args_for_update))
    }
}

impl<T: FromArgMatches> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Deferred<T>, Error> {
        Ok(Deferred(Box::new(T::from_arg_matches(matches)?)))
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Deferred<T>, Error> {
        Ok(Deferred(Box::new(T::from_arg_matches_mut(matches)?)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}

/// Defines a command's arguments. What a command is about, the arguments' own description does not replace.
fn keeping_about(command: Command, define: fn(Command) -> Command) -> Command {
    let (about, long) = (command.get_about().cloned(), command.get_long_about().cloned());
    let resettable = |text: Option<StyledStr>| text.map_or(Resettable::Reset, Resettable::Value);
    define(command).about(resettable(about)).long_about(resettable(long))
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser, Subcommand};

    use super::*;

    /// Arguments of `do`.
    #[derive(Debug, Args)]
    struct Part {
        #[arg(long)]
        often: u32,
    }

    #[derive(Debug, Subcommand)]
    enum Whole {
        /// What it does
        Do(Deferred<Part>),
    }

    #[derive(Debug, Parser)]
    struct Line {
        #[command(subcommand)]
        whole: Whole,
    }

    #[test]
    fn arguments_are_defined_when_the_command_is_called() {
        let mut command = Line::command();
        let called = command.find_subcommand_mut("do").expect("is a command");
        assert_eq!(called.get_arguments().count(), 0);
        let help = called.render_long_help().to_string();
        assert!(help.starts_with("What it does") && help.contains("--often <OFTEN>"), "{help}");
        let Whole::Do(part) = Line::try_parse_from(["line", "do", "--often", "3"]).expect("is understood").whole;
        assert_eq!(part.often, 3);
        assert!(Line::try_parse_from(["line", "do"]).is_err(), "the flag is required");
    }
}
