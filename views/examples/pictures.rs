//! Writes a picture of every sample in the gallery, light and dark: `cargo run --example pictures -- FOLDER`.

use std::path::PathBuf;

use lanescope_core::packing::Fallback;
use lanescope_core::workgroup::{Macro, Micro};
use lanescope_views::picture::{Picture, png, svg};
use lanescope_views::theme::Theme;
use lanescope_views::workgroup::{ColorBy, MapSettings, Numbers};
use lanescope_views::{gallery, packing, workgroup};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("usage: pictures FOLDER")?);
    std::fs::create_dir_all(&folder)?;
    for theme in [Theme::light(), Theme::dark()] {
        for (name, picture) in pictures(&theme) {
            let name = format!("{name}-{}", if theme.dark { "dark" } else { "light" });
            std::fs::write(folder.join(format!("{name}.svg")), svg(&picture))?;
            std::fs::write(folder.join(format!("{name}.png")), png(&picture, 2.0)?)?;
        }
    }
    Ok(())
}

fn pictures(theme: &Theme) -> Vec<(&'static str, Picture)> {
    let by = |color_by, numbers| MapSettings { color_by, numbers, ..MapSettings::default() };
    let wave = MapSettings::default();
    let mut not_packed = gallery::note_example();
    not_packed.fallback = Some(Fallback::Mesh);
    let small = gallery::layout([6, 4, 2], 32, Micro::Quads, Macro::None);
    let line = gallery::layout([256, 1, 1], 64, Micro::None, Macro::None);
    let lane = |layout, settings| workgroup::picture(layout, settings, theme);
    vec![
        ("packing", packing::picture(&gallery::note_example(), theme)),
        ("packing-every-case", packing::picture(&gallery::every_case(), theme)),
        ("packing-32-slots", packing::picture(&gallery::many_slots(32), theme)),
        ("packing-fallback", packing::picture(&not_packed, theme)),
        ("lanes-quads", lane(&gallery::quads_8x8(), &wave)),
        ("lanes-strips", lane(&gallery::strips_16x16(64), &wave)),
        ("lanes-strips-order", lane(&gallery::strips_16x16(64), &by(ColorBy::Order, Numbers::Thread))),
        ("lanes-large", lane(&gallery::large_layout(), &by(ColorBy::Wave, Numbers::Lane))),
        ("lanes-large-quads", lane(&gallery::large_layout(), &by(ColorBy::Quad, Numbers::Thread))),
        ("lanes-small", lane(&small, &MapSettings { z: Some(1), ..by(ColorBy::Order, Numbers::Thread) })),
        ("lanes-slices", lane(&gallery::layout([6, 4, 5], 32, Micro::Quads, Macro::None), &wave)),
        ("lanes-line", lane(&line, &wave)),
        ("lanes-hardware", lane(&gallery::hardware_walk(), &wave)),
        ("groups", workgroup::group_map_picture(&gallery::group_map(), theme)),
    ]
}
