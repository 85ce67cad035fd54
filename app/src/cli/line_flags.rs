//! Flags after a path in a list of files, and of a variant.

use std::ffi::OsString;

use clap::Parser;

use crate::cli::args::entry;
use crate::cli::conversion::ConversionArgs;
use crate::cli::response;
use lanescope_host::worker::FileFlags;

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
    let words: Vec<OsString> =
        response::words(text.as_bytes()).map_err(|_| "the quotation mark is not closed".to_owned())?;
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
