//! What buffers and images contain between commands.

use lanescope_amber::script::Initializer;
use lanescope_amber::{Buffer, bytes};

/// The contents of a buffer between commands.
#[derive(Debug, Clone)]
pub(super) struct Held {
    /// Its bytes; of an image those of its first level.
    pub bytes: Vec<u8>,
    /// Width, height and depth, of what has them.
    pub extent: Option<[u32; 3]>,
    /// The levels after the first one.
    mips: Vec<Vec<u8>>,
}

impl Held {
    /// Contents of one level.
    pub fn new(bytes: Vec<u8>, extent: Option<[u32; 3]>) -> Held {
        Held { bytes, extent, mips: Vec::new() }
    }

    /// The contents of a buffer or image with all of its levels, of which the script states the first.
    ///
    /// # Errors
    /// Levels that the script states nothing of; too many of them.
    pub fn with_levels(self, buffer: &Buffer) -> Result<Held, String> {
        let levels = buffer.mip_levels();
        if levels < 2 {
            return Ok(self);
        }
        let is_uniform = matches!(buffer.initializer, Initializer::Absent | Initializer::Fill(_));
        if !is_uniform {
            return Err(format!(
                "`{}`: MIP_LEVELS above 1 with contents that are not the same everywhere",
                buffer.name
            ));
        }
        let Some(extent) = self.extent.filter(|extent| !extent.contains(&0)) else { return Ok(self) };
        let most = 32 - extent.iter().max().map_or(0, |side| side.leading_zeros());
        if levels > most {
            let [width, height, depth] = extent;
            let size = format!("{width}×{height}×{depth}");
            return Err(format!("`{}`: {levels} mip levels, and an image of {size} has {most}", buffer.name));
        }
        let texels = |level: u32| extent.iter().map(|side| u64::from((side >> level).max(1))).product::<u64>();
        let texel = self.bytes.len() as u64 / texels(0).max(1);
        let sizes: Vec<u64> = (1..levels).map(|level| texels(level) * texel).collect();
        if sizes.iter().sum::<u64>() > bytes::MAX_BUFFER as u64 {
            return Err(format!("`{}`: its mip levels are too large", buffer.name));
        }
        // All texels are the same.
        let mips = sizes.into_iter().map(|size| self.bytes.iter().copied().take(size as usize).collect()).collect();
        Ok(Held { mips, ..self })
    }

    /// How many levels there are.
    pub fn levels(&self) -> u32 {
        1 + self.mips.len() as u32
    }

    /// The bytes of a level.
    pub fn level(&self, level: u32) -> Option<&Vec<u8>> {
        match level.checked_sub(1) {
            None => Some(&self.bytes),
            Some(after) => self.mips.get(after as usize),
        }
    }

    /// The bytes of a level, to write.
    pub fn level_mut(&mut self, level: u32) -> Option<&mut Vec<u8>> {
        match level.checked_sub(1) {
            None => Some(&mut self.bytes),
            Some(after) => self.mips.get_mut(after as usize),
        }
    }

    /// The size of a level.
    pub fn extent_of(&self, level: u32) -> Option<[u32; 3]> {
        let extent = self.extent?;
        (level < self.levels()).then(|| extent.map(|side| (side >> level).max(1)))
    }

    /// Bytes of all levels.
    pub fn all_bytes(&self) -> u64 {
        self.bytes.len() as u64 + self.mips.iter().map(|level| level.len() as u64).sum::<u64>()
    }

    /// What has to be equal where a buffer is copied.
    pub fn shape(&self) -> (usize, Option<[u32; 3]>, u32) {
        (self.bytes.len(), self.extent, self.levels())
    }
}
