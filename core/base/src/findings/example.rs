//! Examples of findings: inputs that raise a code.

use std::fmt::Write;

/// An input that raises a code.
#[derive(Debug, PartialEq, Eq)]
pub enum Example {
    /// Arguments of `lanescope`, to run in the folder of the samples.
    Command(&'static str),
    /// The same, where a Vulkan device is needed.
    OnDevice(&'static str),
    /// Text files, and arguments of `lanescope` that read them.
    Files {
        /// Names and texts.
        files: &'static [(&'static str, &'static str)],
        /// The arguments.
        command: &'static str,
    },
    /// A sample with bytes replaced. `lanescope inspect` of the changed file raises the code.
    Changed {
        /// Description of the change.
        what: &'static str,
        /// The sample, relative to the folder of the samples.
        sample: &'static str,
        /// Offsets, and the bytes that are written there.
        bytes: &'static [(usize, &'static [u8])],
    },
    /// A description, where the input has no short form as text or needs a driver.
    Described(&'static str),
}

impl Example {
    /// The example as text; lines of files are indented.
    pub fn text(&self) -> String {
        match self {
            Example::Command(command) => format!("In the folder samples:\n    lanescope {command}"),
            Example::OnDevice(command) => {
                format!("In the folder samples, with a Vulkan device:\n    lanescope {command}")
            }
            Example::Files { files, command } => {
                let mut out = String::new();
                for (name, text) in *files {
                    // Writing to a string cannot fail.
                    let _ = writeln!(out, "{name}:");
                    for line in text.lines() {
                        let _ = writeln!(out, "    {}", line.replace('\u{feff}', "<byte order mark>"));
                    }
                }
                out + &format!("Command:\n    lanescope {command}")
            }
            Example::Changed { what, sample, bytes } => {
                let mut out = format!("{sample} of the folder samples, changed: {what}");
                for (at, new) in *bytes {
                    let new: Vec<String> = new.iter().map(|byte| format!("{byte:02x}")).collect();
                    let _ = write!(out, "\n    byte {at:#x}: {}", new.join(" "));
                }
                out
            }
            Example::Described(text) => (*text).to_owned(),
        }
    }

    /// Files that the example brings along: names and texts.
    pub fn files(&self) -> &'static [(&'static str, &'static str)] {
        if let Example::Files { files, .. } = self { files } else { &[] }
    }

    /// Names of files that its command reads.
    pub fn samples(&self) -> Vec<&'static str> {
        match self {
            Example::Command(command) | Example::OnDevice(command) | Example::Files { command, .. } => {
                let is_file = |word: &&str| word.contains('.') && !word.starts_with('-') && !word.contains('=');
                command.split(' ').filter(is_file).collect()
            }
            Example::Changed { sample, .. } => vec![sample],
            Example::Described(_) => Vec::new(),
        }
    }

    /// The changed sample; none for other examples, and where an offset lies outside the file.
    pub fn changed(&self, file: &[u8]) -> Option<Vec<u8>> {
        let Example::Changed { bytes, .. } = self else { return None };
        let mut out = file.to_vec();
        for (at, new) in *bytes {
            out.get_mut(*at..at.checked_add(new.len())?)?.copy_from_slice(new);
        }
        Some(out)
    }
}
