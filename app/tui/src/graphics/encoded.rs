//! An image as the terminal reads it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use image::imageops::{FilterType, crop_imm, resize, thumbnail};
use image::{DynamicImage, ImageBuffer, Rgba, RgbaImage};
use lanescope_core::run::Pixels;
use ratatui::buffer::Buffer;
use ratatui::layout::Size;
use ratatui::widgets::Widget as _;
use ratatui_image::protocol::Protocol as Drawable;
use ratatui_image::protocol::kitty::Kitty;
use ratatui_image::protocol::sixel::Sixel;
use ratatui_image::sliced::{SignedPosition, SlicedImage, SlicedProtocol};

use super::{Graphics, Image, Protocol, Visible};

/// Pixels of an image that is sent to the terminal, at most: larger ones take long to encode.
const PIXELS: u32 = 1 << 20;

/// An image, or the part of one that is in view.
pub struct Encoded {
    pixels: Arc<Pixels>,
    size: [usize; 2],
    what: What,
    /// It was drawn.
    pub used: bool,
}

enum What {
    /// All of it; the terminal keeps it.
    Kitty(SlicedProtocol),
    /// So many rows of it, without those above.
    Sixel { rows: u16, above: usize, drawable: Drawable },
}

impl Encoded {
    /// Encodes what is in view; none where the encoder fails.
    pub fn new(graphics: Graphics, visible: &Visible) -> Option<Encoded> {
        let Visible { image, place, above } = visible;
        let all = scaled(graphics, image)?;
        let what = match graphics.protocol {
            Protocol::Kitty => {
                let size = Size::new(u16::try_from(image.size[0]).ok()?, u16::try_from(image.size[1]).ok()?);
                let kitty = Kitty::new(DynamicImage::ImageRgba8(all), size, next_number(), false, false).ok()?;
                What::Kitty(SlicedProtocol::Kitty(kitty))
            }
            Protocol::Sixel => {
                let rows = u32::try_from(image.size[1]).ok()?;
                let at = |row: u32| u32::try_from(u64::from(all.height()) * u64::from(row) / u64::from(rows)).ok();
                let first = u32::try_from(*above).ok()?;
                let (top, bottom) = (at(first)?, at(first + u32::from(place.height))?);
                let part = crop_imm(&all, 0, top, all.width(), bottom.saturating_sub(top).max(1)).to_image();
                let size = Size::new(place.width, place.height);
                let sixel = Sixel::new(DynamicImage::ImageRgba8(part), size, false).ok()?;
                What::Sixel { rows: place.height, above: *above, drawable: Drawable::Sixel(sixel) }
            }
        };
        Some(Encoded { pixels: Arc::clone(&image.pixels), size: image.size, what, used: false })
    }

    /// Whether this is of the image and shows that part of it.
    pub fn is(&self, Visible { image, place, above }: &Visible) -> bool {
        let part = match &self.what {
            What::Kitty(_) => true,
            What::Sixel { rows, above: first, .. } => (*rows, first) == (place.height, above),
        };
        part && self.size == image.size && Arc::ptr_eq(&self.pixels, &image.pixels)
    }

    /// Whether it may be drawn again as it is: what the terminal keeps as long as the image, else what was drawn last.
    pub fn is_kept(&self) -> bool {
        let is_shown = Arc::strong_count(&self.pixels) > 1;
        self.used || (is_shown && matches!(self.what, What::Kitty(_)))
    }

    pub fn draw(&mut self, visible: &Visible, buffer: &mut Buffer) {
        let Visible { place, above, .. } = *visible;
        self.used = true;
        match &self.what {
            What::Kitty(sliced) => {
                let y = i16::try_from(above).unwrap_or(i16::MAX);
                SlicedImage::new(sliced, SignedPosition { x: 0, y: -y }).render(place, buffer);
            }
            What::Sixel { drawable, .. } => ratatui_image::Image::new(drawable).render(place, buffer),
        }
    }
}

/// A number that no other image of this process has.
fn next_number() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    // Other programs in the same terminal count too.
    let own = (std::process::id() & 0xffff) << 8;
    own.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The image in the pixels of its cells.
fn scaled(graphics: Graphics, image: &Image) -> Option<RgbaImage> {
    let [width, height] = image.pixels.size;
    if width == 0 || height == 0 {
        return None;
    }
    let all = ImageBuffer::<Rgba<u8>, &[u8]>::from_raw(width, height, &image.pixels.rgba)?;
    let side = |cells: usize, cell: u16| u32::try_from(cells).ok().map(|cells| cells.saturating_mul(u32::from(cell)));
    let (mut wide, mut high) = (side(image.size[0], graphics.cell[0])?, side(image.size[1], graphics.cell[1])?);
    while u64::from(wide) * u64::from(high) > u64::from(PIXELS) {
        (wide, high) = (wide / 2, high / 2);
    }
    let (wide, high) = (wide.max(1), high.max(1));
    // Pixels stay squares where an image is enlarged.
    let enlarges = wide >= width && high >= height;
    Some(if enlarges { resize(&all, wide, high, FilterType::Nearest) } else { thumbnail(&all, wide, high) })
}
