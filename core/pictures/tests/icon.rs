//! The program's icon: its pixel files are those of the drawing. `UPDATE_SNAPSHOTS=1` writes them anew.

#![cfg(feature = "png")]

use std::path::Path;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Sides of the pixel files.
const SIDES: [u32; 7] = [16, 24, 32, 48, 64, 128, 256];

#[test]
fn pixels_of_the_icon_are_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/icon");
    let drawing = std::fs::read_to_string(folder.join("lanescope.svg")).expect("the drawing");
    let tree = Tree::from_str(&drawing, &Options::default()).expect("is SVG");
    for side in SIDES {
        let mut pixels = Pixmap::new(side, side).expect("a size");
        let scale = side as f32 / tree.size().width();
        resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
        let file = folder.join(format!("lanescope-{side}.png"));
        if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
            pixels.save_png(&file).expect("the folder is writable");
        }
        let kept = Pixmap::decode_png(&std::fs::read(&file).expect("the pixel file")).expect("is PNG");
        assert_eq!(kept.data(), pixels.data(), "{} is not the drawing; set UPDATE_SNAPSHOTS=1", file.display());
    }
}
