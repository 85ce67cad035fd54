//! From the outputs of vertices to fragments in quads.

use std::sync::Arc;

use super::coverage::{Coverage, sample_locations};
use super::triangle::Triangle;
use super::vertices::Layout;
use crate::draw::Work;
use crate::error::LaunchError;
use crate::kernels::float::Real;
use crate::machine::Machine;
use crate::program::Program;
use lanescope_spirv::enums::BuiltIn;

/// The most fragments of a draw, with helper invocations.
const MAX_FRAGMENTS: usize = 1 << 22;

/// A fragment, or a helper invocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fragment {
    pub pixel: [u32; 2],
    /// Index of the triangle.
    pub triangle: u32,
    /// Samples that it is of, as bits; 0 for a helper invocation.
    pub coverage: u32,
    /// The sample that it is shaded at, where the shader runs for each sample.
    pub sample: Option<u32>,
}

/// The fragments of a draw.
#[derive(Debug)]
pub struct Raster {
    pub(crate) size: [u32; 2],
    pub(crate) locations: &'static [[f64; 2]],
    /// Those that have an area.
    pub(crate) triangles: Vec<Triangle>,
    /// By vertex: a row of outputs.
    pub(crate) values: Vec<u64>,
    pub(crate) layout: Layout,
    /// Four for each quad, by triangle, row, column, sample.
    pub(crate) fragments: Vec<Fragment>,
}

/// A fragment that covers a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Covering {
    /// Its number among all fragments, helper invocations included: lane `number % wave` of wave `number / wave`.
    pub number: u32,
    /// Its triangle, from 0.
    pub triangle: u32,
    /// The samples that it covers, as bits.
    pub coverage: u32,
    /// The sample that it is shaded at, where the shader runs for each sample.
    pub sample: Option<u32>,
}

impl Raster {
    /// Rasterises the triangles of vertices that have run, for a fragment shader. The viewport is the whole picture, with
    /// depths from 0 to 1.
    ///
    /// # Errors
    /// A machine of another stage; a count of samples without standard locations; too many fragments.
    pub fn new(
        vertices: &Machine,
        fragment: &Program,
        size: [u32; 2],
        samples: u32,
    ) -> Result<Arc<Raster>, LaunchError> {
        let locations = sample_locations(samples).ok_or(LaunchError::Samples { samples })?;
        let Work::Vertices(work) = &vertices.setup.work else {
            let (entry, found) = (vertices.program().entry().to_owned(), vertices.program().stage());
            return Err(LaunchError::Stage { entry, found, expected: lanescope_base::StageKind::Vertex });
        };
        let layout = Layout::of(vertices.program());
        let bytes = vertices.state.memory.objects.get(work.outputs).map_or(&[][..], |object| &object.bytes);
        let (words, _) = bytes.as_chunks::<8>();
        let values: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let mut raster = Raster { size, locations, triangles: Vec::new(), values, layout, fragments: Vec::new() };
        for number in 0..work.call.count / 3 {
            raster.triangle(number, fragment.sample_rate)?;
        }
        Ok(Arc::new(raster))
    }

    fn triangle(&mut self, number: u32, sample_rate: bool) -> Result<(), LaunchError> {
        let first = number * 3;
        let builtin = |wanted| self.layout.builtin(wanted);
        let value = |vertex: u32, at: usize| f32::load(self.value(first + vertex, at)).wide();
        let Some((start, 4)) = builtin(BuiltIn::Position) else { return Ok(()) };
        let position = [0, 1, 2].map(|vertex| [0, 1, 2, 3].map(|at| value(vertex, start + at)));
        let planes = |wanted| {
            let (start, n) = builtin(wanted).unwrap_or((0, 0));
            (start..start + n).map(|at| [0, 1, 2].map(|vertex| value(vertex, at))).collect::<Vec<_>>()
        };
        if planes(BuiltIn::CullDistance).iter().any(|plane| plane.iter().all(|distance| *distance < 0.0)) {
            return Ok(());
        }
        let Some(triangle) = Triangle::new(first, &position) else { return Ok(()) };
        let coverage = Coverage::new(&position, &planes(BuiltIn::ClipDistance), self.size);
        let Some([columns, rows]) = coverage.bounds(self.size) else { return Ok(()) };
        let index = self.triangles.len() as u32;
        self.triangles.push(triangle);
        let quads = |[first, last]: [u32; 2]| (first / 2..=last / 2).map(|at| at * 2);
        for y in quads(rows) {
            for x in quads(columns) {
                let pixels = [[x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]];
                let covered = pixels.map(|pixel| {
                    let inside = pixel[0] < self.size[0] && pixel[1] < self.size[1];
                    if inside { coverage.samples(pixel, self.locations) } else { 0 }
                });
                let all = covered.iter().fold(0, |all, one| all | one);
                let shaded: Vec<Option<u32>> = match sample_rate {
                    true => (0..self.locations.len() as u32).filter(|at| all >> at & 1 == 1).map(Some).collect(),
                    false if all == 0 => Vec::new(),
                    false => vec![None],
                };
                if self.fragments.len() + 4 * shaded.len() > MAX_FRAGMENTS {
                    let needed = (self.fragments.len() as u64 + 4) * size_of::<Fragment>() as u64;
                    return Err(LaunchError::Memory { needed, limit: (MAX_FRAGMENTS * size_of::<Fragment>()) as u64 });
                }
                for sample in shaded {
                    let of = sample.map_or(u32::MAX, |sample| 1 << sample);
                    let quad = pixels.iter().zip(covered).map(|(pixel, covered)| Fragment {
                        pixel: *pixel,
                        triangle: index,
                        coverage: covered & of,
                        sample,
                    });
                    self.fragments.extend(quad);
                }
            }
        }
        Ok(())
    }

    /// A scalar of a vertex's row.
    pub(crate) fn value(&self, vertex: u32, at: usize) -> u64 {
        self.values.get(vertex as usize * self.layout.scalars + at).copied().unwrap_or(0)
    }

    /// Width and height of the picture.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Samples of a pixel.
    pub fn samples(&self) -> u32 {
        self.locations.len() as u32
    }

    /// Fragments and helper invocations.
    pub fn invocations(&self) -> u32 {
        self.fragments.len() as u32
    }

    /// The fragments that cover a pixel, in the order in which they are drawn: the last one at a sample stays.
    pub fn at(&self, pixel: [u32; 2]) -> Vec<Covering> {
        let all = (0..).zip(&self.fragments).filter(|(_, fragment)| fragment.pixel == pixel && fragment.coverage != 0);
        all.map(|(number, fragment)| Covering {
            number,
            triangle: self.number_of(fragment.triangle),
            coverage: fragment.coverage,
            sample: fragment.sample,
        })
        .collect()
    }

    /// The first pixel that is covered, in the order of drawing.
    pub fn first_pixel(&self) -> Option<[u32; 2]> {
        self.fragments.iter().find(|fragment| fragment.coverage != 0).map(|fragment| fragment.pixel)
    }

    /// How many pixels are covered.
    pub fn covered_pixels(&self) -> u32 {
        let pixels: std::collections::BTreeSet<[u32; 2]> =
            self.fragments.iter().filter(|fragment| fragment.coverage != 0).map(|fragment| fragment.pixel).collect();
        pixels.len() as u32
    }

    /// The pixels where every sample is of one triangle, as are all samples of the eight pixels around: away from edges,
    /// by row and column. Without `clipped` only those of triangles inside of the view volume: devices may cut the others
    /// into several.
    pub fn interior(&self, clipped: bool) -> Vec<bool> {
        let [width, height] = self.size.map(i64::from);
        let all = if self.locations.len() >= 32 { u32::MAX } else { (1 << self.locations.len()) - 1 };
        // By pixel: the last triangle, and its samples; 0 where triangles share it.
        let mut last: Vec<Option<(u32, u32)>> = vec![None; (width * height) as usize];
        for fragment in self.fragments.iter().filter(|fragment| fragment.coverage != 0) {
            let [x, y] = fragment.pixel;
            let Some(cell) = last.get_mut((y * self.size[0] + x) as usize) else { continue };
            *cell = match *cell {
                Some((triangle, coverage)) if triangle == fragment.triangle => {
                    Some((triangle, coverage | fragment.coverage))
                }
                _ => Some((fragment.triangle, fragment.coverage)),
            };
        }
        let whole = |x: i64, y: i64| {
            let inside = (0..width).contains(&x) && (0..height).contains(&y);
            let cell = last.get(inside.then_some((y * width + x) as usize)?).copied().flatten();
            let whole = cell.filter(|(_, coverage)| *coverage == all).map(|(triangle, _)| triangle);
            whole.filter(|triangle| clipped || self.triangles.get(*triangle as usize).is_some_and(|t| !t.clipped))
        };
        let near = |x: i64, y: i64| {
            let own = whole(x, y);
            let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (x + dx, y + dy)));
            let mut inside = around.filter(|(x, y)| (0..width).contains(x) && (0..height).contains(y));
            own.is_some() && inside.all(|(x, y)| whole(x, y) == own)
        };
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| near(x, y)).collect()
    }

    /// The number of a triangle of the draw.
    pub(crate) fn number_of(&self, triangle: u32) -> u32 {
        self.triangles.get(triangle as usize).map_or(0, |triangle| triangle.first / 3)
    }
}
