//! Commands of code lenses: what the command line does with a pipeline, as a child process.

use std::ffi::OsString;
use std::io::{Read as _, Seek as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use lanescope_core::foreign::plain_lines;
use serde::Deserialize;

use crate::project::Pipeline;

/// Compiles the pipeline of a document for a chip; performed by the server.
pub const COMPILE: &str = "lanescope.compile";
/// Runs the pipeline of a document; performed by the server.
pub const RUN: &str = "lanescope.run";
/// Opens the pipeline of a document in the window; performed by the server.
pub const SHOW: &str = "lanescope.show";
/// Starts a debug session of a document's pipeline; performed by the client.
pub const DEBUG: &str = "lanescope.debug";
/// The commands that the server performs.
pub const PERFORMED: [&str; 3] = [RUN, SHOW, COMPILE];

/// The most bytes of a child's output that are kept.
const MOST: u64 = 1 << 20;
/// The most lines that a message shows.
const MOST_LINES: usize = 40;

/// The argument of a command.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Argument {
    /// The document.
    pub uri: lsp_types::Uri,
    /// The chip that it is compiled for; by default that of the target.
    pub chip: Option<String>,
    /// The device that runs it; by default the interpreter.
    pub device: Option<String>,
}

/// The flags of the command line that load and analyse a pipeline as the server does.
pub fn flags(pipeline: &Pipeline) -> Vec<OsString> {
    let mut out: Vec<OsString> = pipeline.files.iter().map(|file| file.clone().into_os_string()).collect();
    // The flags say what the workspace file does.
    out.push("--no-config".into());
    let mut flag = |name: &str, value: &str| out.push(OsString::from(format!("--{name}={value}")));
    flag("target", pipeline.options.target.name());
    for define in &pipeline.options.dxil.defines {
        flag("define", define);
    }
    for folder in &pipeline.options.dxil.include_dirs {
        flag("include-dir", folder);
    }
    for entry in &pipeline.options.entry {
        flag("entry", entry);
    }
    if let Some(profile) = &pipeline.options.dxil.profile {
        flag("profile", profile);
    }
    if let Some(stage) = pipeline.options.stage {
        flag("stage", stage.name());
    }
    out
}

/// Opens files in the window, which stays when the editor is closed. If it ends with an error, `failed` gets what it wrote.
///
/// # Errors
/// The process, or a thread, does not start.
pub fn open_window(files: &[PathBuf], failed: impl FnOnce(&str) + Send + 'static) -> std::io::Result<()> {
    // A pipe would end with the server, which the window may outlive.
    let mut written = tempfile::tempfile()?;
    let mut command = Command::new(std::env::current_exe()?);
    command.args(files).env("NO_COLOR", "1").stdin(Stdio::null()).stdout(Stdio::null()).stderr(written.try_clone()?);
    let mut child = command.spawn()?;
    std::thread::Builder::new().name("window".to_owned()).spawn(move || {
        if child.wait().is_ok_and(|status| status.success()) {
            return;
        }
        let mut bytes = Vec::new();
        // What could not be read is missing in the message.
        let _ = written.rewind().and_then(|()| (&mut written).take(MOST).read_to_end(&mut bytes));
        failed(plain_lines(&String::from_utf8_lossy(&bytes)).trim_end());
    })?;
    Ok(())
}

/// A child process until somebody waits for it: the thread that reads its output, or who ends it.
type Slot = Arc<Mutex<Option<Child>>>;

/// The child process of a command, of which there is one at most. Dropping it ends that.
#[derive(Default)]
pub struct Running(Mutex<Option<Slot>>);

impl Running {
    /// Runs this program with arguments, and passes on what it writes: its output, or why it failed. One that is running
    /// ends.
    ///
    /// # Errors
    /// The process, or a thread, does not start.
    pub fn start(
        &self,
        arguments: Vec<OsString>,
        done: impl FnOnce(Result<String, String>) + Send + 'static,
    ) -> std::io::Result<()> {
        self.stop();
        let mut command = Command::new(std::env::current_exe()?);
        command.args(arguments).env("NO_COLOR", "1");
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        // Each child has its own: a thread must not take the one that came after it.
        let held: Slot = Arc::new(Mutex::new(Some(child)));
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&held));
        let read = |stream: Option<Box<dyn std::io::Read + Send>>| {
            let mut bytes = Vec::new();
            if let Some(mut stream) = stream {
                // What could not be read is missing in the text; the rest is drained, so that the child can end.
                let _ = (&mut stream).take(MOST).read_to_end(&mut bytes);
                let _ = std::io::copy(&mut stream, &mut std::io::sink());
            }
            plain_lines(&String::from_utf8_lossy(&bytes))
        };
        std::thread::Builder::new().name("command".to_owned()).spawn(move || {
            let errors = stderr.map(|stream| std::thread::spawn(move || read(Some(Box::new(stream)))));
            let output = read(stdout.map(|stream| Box::new(stream) as Box<dyn std::io::Read + Send>));
            let errors = errors.and_then(|thread| thread.join().ok()).unwrap_or_default();
            let child = held.lock().unwrap_or_else(PoisonError::into_inner).take();
            let status = child.and_then(|mut child| child.wait().ok());
            done(match status.and_then(|status| status.code()) {
                // Findings are a result.
                Some(0 | 1) => Ok(output),
                Some(_) => Err(errors.trim_end().to_owned()),
                None => Err("the command was ended".to_owned()),
            });
        })?;
        Ok(())
    }

    /// Ends the process that is running.
    fn stop(&self) {
        let Some(slot) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
        if let Some(mut child) = slot.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // One that has ended by itself cannot be killed.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Statistics of `isa --stat --format csv` as lines: one for each stage, with the chip.
pub fn statistics(csv: &str) -> String {
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    for row in csv.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let [stage, _, name, chip, _, _, value, ..] = cells.as_slice() else { continue };
        if value.is_empty() || name.to_lowercase().contains("hash") {
            continue;
        }
        let heading = format!("{stage} on {chip}");
        let known = lines.iter().position(|(own, _)| *own == heading);
        let at = known.unwrap_or_else(|| {
            lines.push((heading, Vec::new()));
            lines.len() - 1
        });
        lines[at].1.push(format!("{name} {value}"));
    }
    let lines: Vec<String> = lines.into_iter().map(|(heading, all)| format!("{heading}: {}", all.join(", "))).collect();
    lines.join("\n")
}

/// The first lines of a text, for a message.
pub fn shortened(text: &str) -> String {
    let mut lines: Vec<&str> = text.trim().lines().take(MOST_LINES).collect();
    if text.trim().lines().count() > MOST_LINES {
        lines.push("…");
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_a_line_for_each_stage() {
        let csv = "stage,executable,statistic,place,version,stages,value,change,percent,driver\n\
            vertex,v,Driver pipeline hash,gfx1100,original,whole,0x1,,,\nvertex,v,VGPRs,gfx1100,original,whole,24,,,\n\
            vertex,v,Code size,gfx1100,original,whole,516,,,\nfragment,f,VGPRs,gfx1100,original,whole,8,,,\n";
        assert_eq!(statistics(csv), "vertex on gfx1100: VGPRs 24, Code size 516\nfragment on gfx1100: VGPRs 8");
    }

    #[test]
    fn messages_have_a_limit() {
        let text = "a\n".repeat(MOST_LINES + 5);
        assert_eq!(shortened(&text).lines().count(), MOST_LINES + 1);
        assert_eq!(shortened("\na\nb\n\n"), "a\nb");
    }
}
