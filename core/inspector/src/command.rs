//! Outputs of a run as files.

/// One output of a run, as a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Its name in the run: `color0`, `set0.binding1`.
    pub name: String,
    /// The requested part.
    pub what: OutputFile,
    /// Of the rewritten program's run, instead of the original's.
    pub rewritten: bool,
    /// Which slice or layer of an image a picture shows; 0 of everything else.
    pub plane: u32,
}

/// The form in which an output is saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputFile {
    /// Its bytes.
    Binary,
    /// A buffer, typed as in the shader.
    Json,
    /// An attachment, or an image's slice or layer, as a picture.
    Png,
    /// Where both runs' pictures differ.
    DifferencePng,
}
