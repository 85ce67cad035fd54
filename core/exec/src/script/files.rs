//! Contents of buffers that are in files.

use super::held::Held;
use super::{Done, Execute, Runner, Stop};
use lanescope_amber::Buffer;
use lanescope_amber::bytes::MAX_BUFFER;
use lanescope_amber::script::{BufferForm, FileForm, Initializer};

/// Formats with the bytes of a picture's pixels.
const PIXELS: [&str; 3] = ["R8G8B8A8_UNORM", "R8G8B8A8_SRGB", "R8G8B8A8_UINT"];

impl<X: Execute> Runner<'_, X> {
    /// The contents of a buffer that are in a file: one of the script itself, or one beside it.
    pub(super) fn in_file(&mut self, buffer: &Buffer) -> Done<Held, X> {
        let Initializer::File { form, path } = &buffer.initializer else {
            return Err(Stop::not_possible(buffer.line.0, "contents that are not in a file"));
        };
        let not = |why: String| Stop::not_possible(buffer.line.0, format!("FILE {form} {path}: {why}"));
        let own = self.script.files.iter().find(|file| file.path == *path);
        let bytes = match own {
            Some(file) => file.text.clone().into_bytes(),
            // A number of a text has a few characters for each of its bytes.
            None => self.execute.file(path, MAX_BUFFER as u64).map_err(not)?,
        };
        if *form != FileForm::Png {
            let bytes = self.script.contents_of_file(buffer, *form, &bytes).map_err(not)?;
            return Ok(Held::new(bytes, buffer.extent()));
        }
        let format = buffer.ty.format_name().unwrap_or_default();
        if !matches!(buffer.form, BufferForm::Attachment { .. }) || !PIXELS.contains(&format.as_str()) {
            return Err(not(format!("a picture for a buffer of {}: expected FORMAT {}", buffer.ty, PIXELS.join(", "))));
        }
        let ([width, height], pixels) = self.execute.picture(&bytes).map_err(not)?;
        Ok(Held::new(pixels, Some([width, height, 1])))
    }
}
