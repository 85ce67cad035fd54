//! What a draw in the interpreter writes to.

use std::sync::Arc;

use super::super::GpuError;
use super::super::scene::{CLEAR, Slot};
use super::state::{ColorState, DrawState};
use lanescope_base::ids::Hex;
use lanescope_interpreter::draw::ColorAttachment;
use lanescope_run::AttachmentRun;
use lanescope_run::inputs::DrawInputs;
use lanescope_spirv::shape::ScalarKind;

/// The attachment of an output, which a description may say more of.
pub(super) fn attachment(slot: &Slot, described: Option<&ColorState>, given: Option<[u32; 4]>) -> ColorAttachment {
    let plain = ColorAttachment::plain(slot.location, given.unwrap_or_else(|| clear(slot.kind)));
    let Some(&ColorState { channels, blend, mask }) = described else { return plain };
    let clear = [0, 1, 2, 3].map(|at| channels[at].stored(plain.clear[at], at == 3));
    ColorAttachment { clear, channels, blend, mask, ..plain }
}

fn clear(kind: ScalarKind) -> [u32; 4] {
    match kind {
        ScalarKind::Float => CLEAR.0.map(f32::to_bits),
        _ => CLEAR.1,
    }
}

/// What attachments hold before a draw, by location; absent for the depth.
type Held = Vec<(Option<u32>, Arc<[u8]>)>;

/// What attachments hold before a draw, where that is given.
pub(super) fn held(draw: &DrawInputs, rows: &[AttachmentRun], state: &DrawState) -> Result<Held, GpuError> {
    let mut out = Vec::new();
    for row in rows {
        let Some(contents) = draw.contents(row.location) else { continue };
        let contents = contents.of_samples(row.size, row.samples);
        let mut contents = contents.map_err(|why| GpuError::Unusable(format!("{}: {why}", row.name)))?.into_owned();
        let channels = row.location.and_then(|at| state.colors.get(&at)).map(|color| color.channels);
        for (at, word) in contents.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            if let Some(channels) = channels {
                *word = channels[at % 4].stored(u32::from_le_bytes(*word), at % 4 == 3).to_le_bytes();
            } else if row.location.is_none() && at % 4 > 0 {
                // As a shader reads a depth.
                *word = if at % 4 == 3 { 1f32.to_le_bytes() } else { [0; 4] };
            }
        }
        out.push((row.location, contents.into()));
    }
    Ok(out)
}

/// The attachments of outputs, before anything is known of their contents.
pub(super) fn attachments(outputs: &[Slot], depth: bool, (size, samples): ([u32; 2], u32)) -> Vec<AttachmentRun> {
    let row = |name: String, location, kind| AttachmentRun {
        name,
        location,
        size,
        samples,
        kind,
        bytes: u64::from(size[0]) * u64::from(size[1]) * u64::from(samples) * 16,
        hash: Hex(0),
    };
    let colors = outputs.iter().map(|slot| row(format!("color{}", slot.location), Some(slot.location), slot.kind));
    colors.chain(depth.then(|| row("depth".to_owned(), None, ScalarKind::Float))).collect()
}
