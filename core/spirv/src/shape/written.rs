//! Numbers as a person writes them, as bytes.

use lanescope_base::half;

use super::{Scalar, ScalarKind};

impl Scalar {
    /// Writes a number that a person wrote into a record.
    ///
    /// # Errors
    /// What is not a number, does not fit the type, or lies outside of the record.
    pub fn put(self, record: &mut [u8], offset: usize, text: &str) -> Result<(), String> {
        let text = text.trim();
        let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        let wrong = || format!("`{text}` is not a valid {self}");
        let bits: u64 = match (hex, self.kind, self.bits) {
            (Some(digits), ..) => u64::from_str_radix(digits, 16).map_err(|_| wrong())?,
            (None, ScalarKind::Float, 32) => text.parse::<f32>().map_err(|_| wrong())?.to_bits().into(),
            (None, ScalarKind::Float, 64) => text.parse::<f64>().map_err(|_| wrong())?.to_bits(),
            (None, ScalarKind::Float, _) => half::nearest(text.parse::<f32>().map_err(|_| wrong())?.into()).into(),
            (None, ScalarKind::Int, bits) => {
                let value = text.parse::<i64>().map_err(|_| wrong())?;
                let shift = 64 - bits.clamp(1, 64);
                if value << shift >> shift != value {
                    return Err(wrong());
                }
                value as u64 & (u64::MAX >> shift)
            }
            (None, ScalarKind::Uint, _) => text.parse::<u64>().map_err(|_| wrong())?,
        };
        if bits > u64::MAX >> (64 - self.bits.clamp(1, 64)) {
            return Err(wrong());
        }
        let size = self.bytes() as usize;
        let place = record.get_mut(offset..offset.saturating_add(size));
        place.ok_or("the member lies outside of the record")?.copy_from_slice(&bits.to_le_bytes()[..size]);
        Ok(())
    }
}
