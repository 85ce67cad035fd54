//! Text for editors: Markdown, or plain text for those that show nothing else. Foreign text in it is shown, not obeyed.

use lanescope_core::foreign::plain;
use lsp_types::{MarkupContent, MarkupKind};

/// Paragraphs and tables that an editor shows.
#[derive(Debug, Default)]
pub struct Page {
    text: String,
    plain: bool,
}

impl Page {
    /// An empty page, in Markdown if the client shows that.
    pub fn new(markdown: bool) -> Page {
        Page { text: String::new(), plain: !markdown }
    }

    /// Whether nothing is on it.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Text in which nothing is a sign of Markdown.
    fn escaped(&self, text: &str) -> String {
        let mut out = String::new();
        for c in plain(text).chars() {
            if !self.plain && "\\`*_[]<>#|~&".contains(c) {
                out.push('\\');
            }
            out.push(c);
        }
        out
    }

    fn strong(&self, text: &str) -> String {
        if self.plain { plain(text) } else { format!("**{}**", self.escaped(text)) }
    }

    /// A paragraph of its own.
    fn paragraph(&mut self, text: &str) {
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.text.push_str(text);
    }

    /// A heading, and what follows it in its line.
    pub fn heading(&mut self, text: &str, rest: &str) {
        let rest = if rest.is_empty() { String::new() } else { format!("  {}", self.escaped(rest)) };
        let heading = format!("{}{rest}", self.strong(text));
        self.paragraph(&heading);
    }

    /// A paragraph.
    pub fn text(&mut self, text: &str) {
        let lines: Vec<String> = text.lines().map(|line| self.escaped(line)).collect();
        self.paragraph(&lines.join(if self.plain { "\n" } else { "  \n" }));
    }

    /// A list.
    pub fn list(&mut self, items: &[String]) {
        let items: Vec<String> = items.iter().map(|item| format!("- {}", self.escaped(item))).collect();
        if !items.is_empty() {
            self.paragraph(&items.join("\n"));
        }
    }

    /// A table.
    pub fn table(&mut self, columns: &[&str], rows: &[Vec<String>]) {
        let cells = |row: &[String]| match self.plain {
            true => row.join("  "),
            false => format!("| {} |", row.join(" | ")),
        };
        let mut lines = vec![cells(&columns.iter().map(|name| self.escaped(name)).collect::<Vec<_>>())];
        if !self.plain {
            lines.push(format!("|{}", "---|".repeat(columns.len())));
        }
        lines.extend(rows.iter().map(|row| cells(&row.iter().map(|cell| self.escaped(cell)).collect::<Vec<_>>())));
        self.paragraph(&lines.join("\n"));
    }

    /// The page as the protocol has it.
    pub fn content(self) -> MarkupContent {
        let kind = if self.plain { MarkupKind::PlainText } else { MarkupKind::Markdown };
        MarkupContent { kind, value: self.text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_is_not_markdown() {
        let mut page = Page::new(true);
        page.heading("a*b", "[x](y)");
        page.table(&["n"], &[vec!["|<b>".to_owned()]]);
        page.text("\u{1b}[31m\nnext");
        let text = page.content().value;
        assert_eq!(text, "**a\\*b**  \\[x\\](y)\n\n| n |\n|---|\n| \\|\\<b\\> |\n\n\u{fffd}\\[31m  \nnext");
        let mut page = Page::new(false);
        page.heading("a*b", "");
        page.list(&["c_d".to_owned()]);
        assert_eq!(page.content().value, "a*b\n\n- c_d");
    }
}
