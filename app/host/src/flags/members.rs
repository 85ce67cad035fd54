//! Members of a JSON object that have the names of flags, as words of a command line: what clients of the debug adapter
//! and of the agents' server send.

use serde_json::Value;

/// A flag of the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flag {
    /// Its name, without the dashes.
    pub name: String,
    /// Whether it has a value.
    pub has_value: bool,
    /// Whether its value may be left out.
    pub is_optional: bool,
    /// Whether it may be repeated.
    pub is_list: bool,
}

impl Flag {
    /// The flags of a command that are shown in its help.
    pub fn shown(command: &clap::Command) -> Vec<Flag> {
        let flags = command.get_arguments().filter(|argument| !argument.is_hide_set());
        flags.filter_map(Flag::of).collect()
    }

    /// The flags of a command, hidden ones too.
    pub fn all(command: &clap::Command) -> Vec<Flag> {
        command.get_arguments().filter_map(Flag::of).collect()
    }

    fn of(argument: &clap::Arg) -> Option<Flag> {
        let name = argument.get_long()?.to_owned();
        let is_list = matches!(argument.get_action(), clap::ArgAction::Append);
        let has_value = argument.get_action().takes_values();
        let is_optional = has_value && argument.get_num_args().is_some_and(|count| count.min_values() == 0);
        Some(Flag { name, has_value, is_optional, is_list })
    }

    /// The words of a member of this flag; none for false.
    ///
    /// # Errors
    /// The value is of another type than the flag takes; the message begins with `member`.
    pub fn words(&self, member: &str, value: &Value) -> Result<Vec<String>, String> {
        let word = |text: String| format!("--{}={text}", self.name);
        match value {
            Value::Bool(is_on) if !self.has_value || self.is_optional => {
                Ok(is_on.then(|| format!("--{}", self.name)).into_iter().collect())
            }
            _ if !self.has_value => Err(format!("`{member}`: expected true or false, found {value}")),
            Value::Array(_) if self.is_list => Ok(texts(member, value)?.into_iter().map(word).collect()),
            // `group: [1, 0, 0]` is `--group=1,0,0`.
            Value::Array(_) => Ok(vec![word(texts(member, value)?.join(","))]),
            _ => texts(member, value).map(|texts| texts.into_iter().map(word).collect()),
        }
    }
}

/// The name of the flag that a member names: `maxSteps` and `max_steps` are `max-steps`.
pub fn kebab(member: &str) -> String {
    let mut out = String::new();
    for (at, c) in member.char_indices() {
        match c {
            '_' => out.push('-'),
            c if c.is_ascii_uppercase() => {
                out.extend((at > 0).then_some('-'));
                out.push(c.to_ascii_lowercase());
            }
            c => out.push(c),
        }
    }
    out
}

/// A text or a number, or a list of them.
///
/// # Errors
/// Something else; the message begins with `member`.
pub fn texts(member: &str, value: &Value) -> Result<Vec<String>, String> {
    let of = |value: &Value| match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(format!("`{member}`: expected a text, a number or a list of them, found {value}")),
    };
    match value {
        Value::Array(values) => values.iter().map(of).collect(),
        value => of(value).map(|text| vec![text]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_in_any_case() {
        for name in ["maxSteps", "max_steps", "max-steps"] {
            assert_eq!(kebab(name), "max-steps");
        }
    }

    #[test]
    fn a_value_may_be_left_out_where_the_flag_says_so() {
        let arg =
            clap::Arg::new("c").long("all-chips").num_args(0..).require_equals(true).action(clap::ArgAction::Append);
        let flag = Flag::of(&arg).expect("has a name");
        let words = |value: Value| flag.words("all_chips", &value);
        assert_eq!(words(Value::Bool(true)), Ok(vec!["--all-chips".to_owned()]));
        assert_eq!(words(Value::Bool(false)), Ok(Vec::new()));
        assert_eq!(words("amd".into()), Ok(vec!["--all-chips=amd".to_owned()]));
    }

    #[test]
    fn hidden_flags_are_not_shown() {
        let command = clap::Command::new("x")
            .arg(clap::Arg::new("a").long("a").action(clap::ArgAction::Append))
            .arg(clap::Arg::new("b").long("b").hide(true).action(clap::ArgAction::SetTrue))
            .arg(clap::Arg::new("file"));
        let a = Flag { name: "a".to_owned(), has_value: true, is_optional: false, is_list: true };
        let b = Flag { name: "b".to_owned(), has_value: false, is_optional: false, is_list: false };
        assert_eq!(Flag::shown(&command), std::slice::from_ref(&a));
        assert_eq!(Flag::all(&command), [a, b]);
    }
}
