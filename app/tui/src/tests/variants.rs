//! Variants of a program, in its tab.

use super::*;
use lanescope_inspector::view::ViewId;

#[test]
fn variants_of_a_file_are_listed_and_compared() {
    for size in [SMALL, LARGE] {
        let mut stage = Stage::new(LOOK, size);
        let text = FRAGMENT.replace("gloss, 1.0", "\n#ifndef GLOSS\n#define GLOSS gloss\n#endif\nGLOSS, 1.0");
        let files = vec![stage.file("lit.vert", VERTEX), stage.file("lit.frag", &text)];
        let list = stage.file("lit.variants", "-D GLOSS=gloss\n-D GLOSS=0.0\n-D GLOSS=nothing\n");
        stage.open(files);
        stage.app.act(Command::ShowTab(ViewId::Compare));
        stage.settle();
        assert!(stage.text().contains(":variants"), "{}", stage.text());
        stage.press(KeyCode::Char(':'));
        stage.type_in("variants");
        stage.press(KeyCode::Enter);
        stage.settle();
        stage.type_clear();
        stage.type_in(&list.display().to_string());
        stage.press(KeyCode::Enter);
        stage.settle();
        let shown = stage.text();
        for words in ["3 variants, 2 different programs", "the base", "differs", "cannot be used"] {
            assert!(shown.contains(words), "{words}: {shown}");
        }
        // Enter on the row of the second one.
        stage.press(KeyCode::Char('/'));
        stage.type_in("GLOSS=0.0");
        stage.press(KeyCode::Enter);
        stage.press(KeyCode::Enter);
        stage.settle();
        let shown = stage.text();
        assert!(shown.contains("gloss") && !shown.contains("different programs"), "{shown}");
    }
}
