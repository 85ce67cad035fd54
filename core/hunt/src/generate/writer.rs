//! Text with indentation.

/// Lines of a source.
#[derive(Debug, Default)]
pub(super) struct Writer {
    text: String,
    depth: usize,
}

impl Writer {
    /// Adds a line.
    pub fn line(&mut self, line: impl AsRef<str>) {
        (0..self.depth).for_each(|_| self.text.push_str("    "));
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    /// Adds a line, after which lines are indented.
    pub fn open(&mut self, line: impl AsRef<str>) {
        self.line(line);
        self.depth += 1;
    }

    /// Ends what was opened.
    pub fn close(&mut self, line: impl AsRef<str>) {
        self.depth = self.depth.saturating_sub(1);
        self.line(line);
    }

    /// The source.
    pub fn into_text(self) -> String {
        self.text
    }
}
