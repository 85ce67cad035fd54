//! The flags of a file: how it is compiled, which of its entry points it is. A command line has them for all its files,
//! a line of a list or of variants for one.

pub mod choices;
pub mod conversion;
pub mod members;
pub mod words;

use std::ffi::OsString;

use clap::Parser;
use clap::builder::{OsStringValueParser, TypedValueParser};
use lanescope_core::spirv::entry_name;

use crate::worker::FileFlags;
use conversion::ConversionArgs;
use words::words;

/// The parser of a name of an entry point, which is text as [`entry_name`] writes it, or a module's bytes.
pub fn entry() -> impl TypedValueParser<Value = String> {
    let text = |name: OsString| name.into_string().unwrap_or_else(|name| entry_name(name.as_encoded_bytes()));
    OsStringValueParser::new().map(text)
}

/// The flags that a line may have.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true, disable_version_flag = true)]
struct LineFlags {
    /// Entry point
    #[arg(long, value_parser = entry())]
    entry: Vec<String>,

    #[command(flatten)]
    conversion: ConversionArgs,
}

/// Reads the flags of a line, quoted as in a response file.
///
/// # Errors
/// What is wrong with them.
pub fn parse(text: &str) -> Result<FileFlags, String> {
    let words: Vec<OsString> = words(text.as_bytes()).map_err(|_| "the quotation mark is not closed".to_owned())?;
    let flags = LineFlags::try_parse_from(words).map_err(|error| {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        first.strip_prefix("error: ").unwrap_or(first).to_owned()
    })?;
    if flags.conversion.no_validate() {
        return Err("--no-validate applies to all files: give it on the command line".to_owned());
    }
    if flags.conversion.validator().is_some() {
        return Err("--validator applies to all files: give it on the command line".to_owned());
    }
    let (conversion, stage) = (flags.conversion.conversion(), flags.conversion.stage());
    Ok(FileFlags { conversion, entries: flags.entry, stage })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_flags_of_sources() {
        let flags = parse("-DA='x y' -U B --entry go --profile ps_6_0 --stage frag --std 450").expect("reads");
        assert_eq!(flags.to_string(), "profile=ps_6_0 std=450 define='A=x y' undefine=B entry=go stage=fragment");
        for (text, why) in [
            ("--target gfx1100", "--target"),
            ("-DA=1 b.frag", "b.frag"),
            ("-D'A", "quotation mark"),
            ("--no-validate", "applies to all files"),
            ("--validator auto", "applies to all files"),
            ("-I /nowhere", "is not a folder"),
        ] {
            assert!(parse(text).is_err_and(|error| error.contains(why)), "{text}: {:?}", parse(text));
        }
    }
}
