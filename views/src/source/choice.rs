//! Which text of a program is shown. What is chosen by hand is remembered for programs of that kind.

use std::collections::BTreeMap;

use lanescope_inspector::settings::TextSettings;
use lanescope_inspector::source::{SourceText, TextForm};

/// Which text is shown.
#[derive(Debug, Default)]
pub(super) struct Choice {
    /// The program in front.
    program: Option<u64>,
    shown: ShownText,
    /// What was shown of the other programs.
    of_programs: BTreeMap<u64, ShownText>,
}

/// The text that is shown of a program.
#[derive(Debug, Default)]
struct ShownText {
    at: usize,
    /// Its title: the texts of a program that is read again may be others.
    title: String,
    /// It was chosen by hand.
    is_chosen: bool,
}

impl Choice {
    /// Begins a frame with the texts of a program; what was chosen for other programs of its kind holds for it.
    pub fn follow(&mut self, program: u64, texts: &[SourceText], settings: &TextSettings) {
        if self.program != Some(program) {
            if let Some(before) = self.program.replace(program) {
                self.of_programs.insert(before, std::mem::take(&mut self.shown));
            }
            let known = self.of_programs.remove(&program);
            self.shown = known.unwrap_or_else(|| first(texts, settings));
        }
        let is_shown = |text: &SourceText| text.title == self.shown.title;
        if !texts.get(self.shown.at).is_some_and(is_shown) {
            match texts.iter().position(is_shown) {
                Some(at) => self.shown.at = at,
                None => self.shown = first(texts, settings),
            }
            self.shown.title = texts.get(self.shown.at).map(|text| text.title.clone()).unwrap_or_default();
        }
    }

    /// The index of the text that is shown.
    pub fn shown(&self) -> usize {
        self.shown.at
    }

    /// The same, where it was chosen by hand.
    pub fn chosen(&self) -> Option<usize> {
        Some(self.shown.at).filter(|_| self.shown.is_chosen)
    }

    /// Shows a text that was gone to, if any.
    pub fn show(&mut self, text: Option<usize>) {
        if let Some(at) = text.filter(|at| *at != self.shown.at) {
            (self.shown.at, self.shown.title) = (at, String::new());
        }
    }

    /// Takes what is chosen by hand. Returns its form, where another text is shown than before.
    pub fn choose(&mut self, texts: &[SourceText], at: usize) -> Option<TextForm> {
        let text = texts.get(at)?;
        let other = (at != self.shown.at).then(|| TextForm::of(text));
        self.shown.is_chosen |= other.is_some();
        self.shown.at = at;
        text.title.clone_into(&mut self.shown.title);
        other
    }

    /// Forgets a program that was closed.
    pub fn forget(&mut self, program: u64) {
        self.of_programs.remove(&program);
        if self.program == Some(program) {
            (self.program, self.shown) = (None, ShownText::default());
        }
    }
}

/// What is shown of a new program: the form that was chosen for its kind, else its first text.
fn first(texts: &[SourceText], settings: &TextSettings) -> ShownText {
    let form = settings.form(&TextForm::all_of(texts));
    let at = form.and_then(|form| texts.iter().position(|text| TextForm::of(text) == form));
    let title = texts.get(at.unwrap_or(0)).map(|text| text.title.clone());
    ShownText { at: at.unwrap_or(0), title: title.unwrap_or_default(), is_chosen: at.is_some() }
}

#[cfg(test)]
mod tests {
    use lanescope_inspector::source::{Language, TextRole};

    use super::*;

    /// The program in front, and what was chosen before.
    #[derive(Default)]
    struct Shown {
        choice: Choice,
        settings: TextSettings,
    }

    impl Shown {
        fn follow(&mut self, program: u64, texts: &[SourceText]) {
            self.choice.follow(program, texts, &self.settings);
        }

        fn choose(&mut self, texts: &[SourceText], at: usize) {
            if let Some(form) = self.choice.choose(texts, at) {
                self.settings = self.settings.with(TextForm::all_of(texts), form);
            }
        }
    }

    fn text(title: &str, role: TextRole, language: Language) -> SourceText {
        let (text, marks) = (String::new(), Vec::new());
        SourceText { title: title.to_owned(), language, input: 0, role, text, marks, instructions: None }
    }

    fn glsl(name: &str) -> Vec<SourceText> {
        vec![
            text(name, TextRole::Source, Language::Glsl),
            text(&format!("{name} (SPIR-V)"), TextRole::Module(0), Language::Spvasm),
        ]
    }

    fn container(name: &str) -> Vec<SourceText> {
        vec![
            text(name, TextRole::Listing, Language::Dxil),
            text(&format!("{name} (hex)"), TextRole::Bytes, Language::Dxil),
        ]
    }

    #[test]
    fn a_choice_holds_for_programs_of_its_kind() {
        let mut shown = Shown::default();
        shown.follow(1, &glsl("a.frag"));
        assert_eq!((shown.choice.shown(), shown.choice.chosen()), (0, None));
        shown.choose(&glsl("a.frag"), 1);
        shown.follow(2, &container("b.dxil"));
        assert_eq!(shown.choice.shown(), 0, "it is of another kind");
        shown.choose(&container("b.dxil"), 1);
        shown.follow(3, &glsl("c.frag"));
        assert_eq!(shown.choice.chosen(), Some(1));
        shown.choose(&glsl("c.frag"), 0);
        shown.follow(1, &glsl("a.frag"));
        assert_eq!(shown.choice.shown(), 1, "what was shown of a program comes back");
        shown.choice.forget(2);
        shown.follow(4, &container("d.dxil"));
        assert_eq!(shown.choice.shown(), 1, "closing a program does not forget the choice for its kind");
    }

    #[test]
    fn a_text_is_found_again_by_its_title() {
        let mut shown = Shown::default();
        shown.follow(1, &glsl("a.frag"));
        shown.choose(&glsl("a.frag"), 1);
        let mut texts = glsl("a.frag");
        texts.insert(0, text("new", TextRole::Source, Language::Glsl));
        shown.follow(1, &texts);
        assert_eq!(shown.choice.shown(), 2);
        shown.follow(1, &texts[..1]);
        assert_eq!(shown.choice.shown(), 0);
        shown.follow(1, &[]);
        assert_eq!(shown.choice.shown(), 0);
    }
}
