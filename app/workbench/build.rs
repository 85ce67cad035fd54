//! Names the compilers that are linked in, for *About* and `--version`: their crates' versions in the lock file.

use std::path::Path;

/// Crates whose version says which compiler is linked in, with the compiler's name.
const COMPILERS: [(&str, &str); 3] =
    [("glslang-sys", "glslang"), ("spirv-tools-sys", "SPIRV-Tools"), ("dxil-spirv-sys", "dxil-spirv")];

fn main() {
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    let text = std::fs::read_to_string(&lock).unwrap_or_default();
    let version = |package: &str| {
        let at = text.find(&format!("name = \"{package}\"\nversion = \""))?;
        text.get(at..)?.split('"').nth(3)
    };
    let named = COMPILERS.iter().map(|(package, name)| match version(package) {
        Some(version) => format!("{name} (crate {package} {version})"),
        None => format!("{name} (version unknown)"),
    });
    println!("cargo::rustc-env=LANESCOPE_COMPILERS={}", named.collect::<Vec<_>>().join(", "));
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=LANESCOPE_TARGET={target}");
}
