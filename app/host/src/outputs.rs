//! Results of a run as files, for the command line and the window.

use lanescope_core::run::{self, Ran};
use lanescope_inspector::command::{Output, OutputFile};
use lanescope_pictures::draw::pixels_png;

use crate::json;

/// A file of one output: its name and its contents.
///
/// # Errors
/// Where the run has no such output, or not in that form.
pub fn file(ran: &Ran, output: &Output) -> Result<(String, Vec<u8>), String> {
    let Output { name, what, rewritten, plane } = output;
    let missing = || format!("the run has no {name} in this format");
    let done = if *rewritten { ran.against.as_ref().ok_or_else(missing)? } else { &ran.execution };
    let surface = || done.run.surface(name, *plane).ok_or_else(missing);
    let png = |pixels: &run::Pixels| {
        pixels_png(pixels.size[0], pixels.size[1], &pixels.rgba).map_err(|error| error.to_string())
    };
    let (bytes, extension) = match what {
        OutputFile::Binary => (done.data.get(name).ok_or_else(missing)?.0.clone(), "bin"),
        OutputFile::Json => {
            let buffer = done.run.buffers.iter().find(|buffer| buffer.name == *name).ok_or_else(missing)?;
            let mut text = Vec::new();
            json::write(&buffer.shape.json(done.contents(name)), &mut text).map_err(|error| error.to_string())?;
            (text, "json")
        }
        OutputFile::Png => (png(&run::picture(done, &surface()?, None))?, "png"),
        OutputFile::DifferencePng => {
            let against = ran.against.as_ref().ok_or_else(missing)?;
            let pixels = run::difference(&ran.execution, against, &surface()?, None).ok_or_else(missing)?;
            (png(&pixels)?, "difference.png")
        }
    };
    let side = if *rewritten { ".rewritten" } else { "" };
    let image = done.run.images.iter().find(|image| image.name == *name && image.planes() > 1);
    let part = match image {
        Some(image) if matches!(what, OutputFile::Png | OutputFile::DifferencePng) => {
            format!(".{}{plane}", image.plane_noun())
        }
        _ => String::new(),
    };
    Ok((format!("{name}{side}{part}.{extension}"), bytes))
}
