//! Every pane in ASCII; colours of some panes, light and dark, with few colours and with many.

use lanescope_inspector::view::ViewId;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};

use super::super::look::{Colors, Look};
use super::{LOOK, SMALL, Stage, compute, graph, pair, panes};

/// Each look with its name.
const LOOKS: [(&str, Look); 5] = [
    ("dark_16", LOOK),
    ("dark_256", Look { colors: Colors::Many, ..LOOK }),
    ("dark_true", Look { colors: Colors::True, ..LOOK }),
    ("light_256", Look { colors: Colors::Many, light: true, ..LOOK }),
    ("none", Look { colors: Colors::None, ..LOOK }),
];

/// The style of each cell as a letter, with a list of the letters.
fn styles(buffer: &Buffer) -> String {
    let mut known: Vec<(Color, Color, Modifier)> = Vec::new();
    let mut out = String::new();
    for line in buffer.content.chunks(usize::from(buffer.area.width)) {
        let letters = line.iter().map(|cell| {
            let style = (cell.fg, cell.bg, cell.modifier);
            let at = known.iter().position(|other| *other == style).unwrap_or_else(|| {
                known.push(style);
                known.len() - 1
            });
            let has_text = cell.symbol() != " " || cell.bg != Color::Reset;
            if has_text { char::from(b'a' + u8::try_from(at).unwrap_or(25).min(25)) } else { ' ' }
        });
        out.push_str(letters.collect::<String>().trim_end());
        out.push('\n');
    }
    for (letter, (text, background, modifier)) in ('a'..='z').zip(known) {
        out.push_str(&format!("{letter}: {text:?} on {background:?} {modifier:?}\n"));
    }
    out
}

#[test]
fn draws_every_pane_in_ascii() {
    let ascii = Look { colors: Colors::None, ascii: true, ..LOOK };
    for (name, stage) in [("pair", pair as fn(Look, (u16, u16)) -> Stage), ("compute", compute), ("graph", graph)] {
        for (view, text) in panes(&mut stage(ascii, SMALL)) {
            assert!(text.is_ascii(), "{view}: {text}");
            insta::assert_snapshot!(format!("{name}_{view}_ascii"), text);
        }
    }
}

#[test]
fn colors_go_with_the_background_and_the_terminal() {
    for (name, look) in LOOKS {
        for (view, stage) in [
            (ViewId::Packing, pair as fn(Look, (u16, u16)) -> Stage),
            (ViewId::Source, pair),
            (ViewId::Workgroup, compute),
        ] {
            let mut stage = stage(look, SMALL);
            stage.app.act(lanescope_inspector::command::Command::ShowTab(view));
            stage.settle();
            insta::assert_snapshot!(format!("styles_{view}_{name}"), styles(&stage.draw()));
        }
    }
}
