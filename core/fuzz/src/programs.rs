//! Samples that targets analyse together with what they read. They are embedded, so that the program is self-contained.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use lanescope_core::load::{self, LoadError};
use lanescope_core::program::Program;

macro_rules! samples {
    ($($name:literal),+ $(,)?) => {
        /// The bytes of a sample.
        pub fn embedded(name: &str) -> &'static [u8] {
            match name {
                $($name => include_bytes!(concat!("../../../samples/", $name)),)+
                _ => panic!("{name} is no sample that was taken along"),
            }
        }
    };
}

samples!(
    "design_note.vert",
    "race.comp",
    "textured_quad.pipe",
    "tiled_blur.foz",
    "tiled_blur.pipe",
    "shared_location.spvasm",
    "dxil/brick_wall.ms.dxil",
    "dxil/lit_surface.ps.dxil",
    "work_graphs/01_tile_classify.dxil",
    "work_graphs/02_quadtree_recursion.dxil",
    "work_graphs/04_broadcast_grids.dxil",
    "work_graphs/05_sparse_array.dxil",
);

/// A file of that name beside nothing else, as the loader takes it.
///
/// # Errors
/// Errors of the loader.
pub fn program(name: &str, bytes: &[u8]) -> Result<Program, LoadError> {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    // In memory where there is such a folder: targets do this thousands of times in a second.
    let memory = PathBuf::from("/dev/shm");
    let folder = if memory.is_dir() { memory } else { std::env::temp_dir() };
    let path = folder.join(format!("lanescope-fuzz.{}.{count}.{name}", std::process::id()));
    std::fs::write(&path, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let loaded = load::load(std::slice::from_ref(&path), &[]);
    // Leftovers do no harm.
    let _ = std::fs::remove_file(&path);
    loaded
}
