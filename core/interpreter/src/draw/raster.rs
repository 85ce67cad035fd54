//! From primitives to fragments in quads.

use std::sync::Arc;

use super::coverage::{Coverage, sample_locations};
use super::primitive::Primitive;
use super::stream::Stream;
use crate::error::LaunchError;
use crate::kernels::float::Real;
use crate::program::Program;
use crate::stages::Form;
use lanescope_spirv::enums::BuiltIn;

/// The most fragments of a draw, with helper invocations.
const MAX_FRAGMENTS: usize = 1 << 22;
/// The greatest size of a point, in pixels.
const MAX_POINT: f64 = 256.0;

/// A fragment, or a helper invocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fragment {
    pub pixel: [u32; 2],
    /// Index of the primitive.
    pub triangle: u32,
    /// Samples that it is of, as bits; 0 for a helper invocation.
    pub coverage: u32,
    /// The sample that it is shaded at, where the shader runs for each sample.
    pub sample: Option<u32>,
}

/// Which triangles face to the front, and which are not drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Faces {
    /// Whether clockwise triangles face to the front, instead of counter-clockwise ones.
    pub clockwise: bool,
    /// Whether front and back faces are left out.
    pub cull: [bool; 2],
}

/// A picture, and the part of it that is drawn to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Picture {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// The viewport; all of the picture with depths from 0 to 1 where absent.
    pub view: Option<View>,
}

/// A viewport.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// Its left upper corner in pixels.
    pub at: [f32; 2],
    /// Width and height; a negative height turns it upside down.
    pub size: [f32; 2],
    /// The depths of the near and the far plane.
    pub depth: [f32; 2],
}

impl Picture {
    /// Clip coordinates of the viewport as those of the picture.
    fn place(&self, position: [f64; 4]) -> [f64; 4] {
        let Some(View { at, size, depth }) = self.view else { return position };
        let [x, y, z, w] = position;
        let axis = |part: f64, axis: usize| {
            let (at, size, all) = (f64::from(at[axis]), f64::from(size[axis]), f64::from(self.size[axis]));
            part * (size / all) + w * ((2.0 * at + size) / all - 1.0)
        };
        let [near, far] = depth.map(f64::from);
        [axis(x, 0), axis(y, 1), z * (far - near) + w * near, w]
    }

    /// The pixels of the viewport: past the last column and row, from the first ones.
    fn pixels(&self) -> [[u32; 2]; 2] {
        let Some(View { at, size, .. }) = self.view else { return [[0, self.size[0]], [0, self.size[1]]] };
        [0, 1].map(|axis| {
            let ends = [at[axis], at[axis] + size[axis]];
            // A conversion of a float to an integer saturates.
            let first = ends[0].min(ends[1]).floor() as u32;
            let past = ends[0].max(ends[1]).ceil() as u32;
            [first.min(self.size[axis]), past.min(self.size[axis])]
        })
    }
}

/// The fragments of a draw.
#[derive(Debug)]
pub struct Raster {
    pub(crate) size: [u32; 2],
    picture: Picture,
    pub(crate) locations: &'static [[f64; 2]],
    /// Those that may cover a pixel.
    pub(crate) primitives: Vec<Primitive>,
    pub(crate) stream: Arc<Stream>,
    /// Four for each quad, by primitive, row, column, sample.
    pub(crate) fragments: Vec<Fragment>,
}

/// A fragment that covers a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Covering {
    /// Its number among all fragments, helper invocations included: lane `number % wave` of wave `number / wave`.
    pub number: u32,
    /// Its primitive, from 0.
    pub triangle: u32,
    /// The samples that it covers, as bits.
    pub coverage: u32,
    /// The sample that it is shaded at, where the shader runs for each sample.
    pub sample: Option<u32>,
}

impl Raster {
    /// Rasterises primitives for a fragment shader, without the triangles that face away as `faces` says. The viewport is the whole picture, with depths from 0 to 1. Lines are
    /// rectangles one pixel wide.
    ///
    /// # Errors
    /// Patches, which are not rasterised; a count of samples without standard locations; too many fragments.
    pub fn new(
        stream: Arc<Stream>,
        fragment: &Program,
        size: [u32; 2],
        samples: u32,
        faces: Faces,
    ) -> Result<Arc<Raster>, LaunchError> {
        Raster::within(stream, fragment, Picture { size, view: None }, samples, faces)
    }

    /// Like [`Raster::new`], with a viewport.
    ///
    /// # Errors
    /// Those of [`Raster::new`].
    pub fn within(
        stream: Arc<Stream>,
        fragment: &Program,
        picture: Picture,
        samples: u32,
        faces: Faces,
    ) -> Result<Arc<Raster>, LaunchError> {
        let size = picture.size;
        let locations = sample_locations(samples).ok_or(LaunchError::Samples { samples })?;
        let form = stream.form().ok_or(LaunchError::Patches)?;
        let count = stream.primitives();
        let mut raster = Raster { size, picture, locations, primitives: Vec::new(), stream, fragments: Vec::new() };
        for number in 0..count {
            if let Some((mut primitive, coverage)) = raster.primitive(form, number) {
                if form == Form::Triangles {
                    primitive.front ^= faces.clockwise;
                    if faces.cull[usize::from(!primitive.front)] {
                        continue;
                    }
                }
                raster.cover(primitive, &coverage, fragment.sample_rate)?;
            }
        }
        Ok(Arc::new(raster))
    }

    /// A primitive with what it may cover.
    fn primitive(&self, form: Form, number: u32) -> Option<(Primitive, Coverage)> {
        let stream = &*self.stream;
        let corners = stream.vertices_of(number);
        let builtin = |wanted| stream.layout.builtin(wanted);
        let value = |vertex: u32, at: usize| f32::load(stream.value(vertex, at)).wide();
        let (start, _) = builtin(BuiltIn::Position).filter(|(_, n)| *n == 4)?;
        let clip = |vertex: u32| [0, 1, 2, 3].map(|at| value(vertex, start + at));
        let position = |vertex: u32| self.picture.place(clip(vertex));
        // A built-in of the primitive: its own, or that of its first vertex.
        let word = |wanted| {
            let own = stream.own_layout.builtin(wanted).map(|(at, _)| stream.own_value(number, at));
            let of_vertex = || Some(stream.value(*corners.first()?, builtin(wanted)?.0));
            own.or_else(of_vertex).or(Some(0))
        };
        // Only the first layer and viewport are there.
        if word(BuiltIn::Layer) != Some(0) || word(BuiltIn::ViewportIndex) != Some(0) {
            return None;
        }
        let columns = |wanted| {
            let (start, n) = builtin(wanted).unwrap_or((0, 0));
            start..start + n
        };
        if columns(BuiltIn::CullDistance).any(|at| corners.iter().all(|vertex| value(*vertex, at) < 0.0)) {
            return None;
        }
        let (mut primitive, coverage) = match (form, corners) {
            (Form::Triangles, &[a, b, c]) => {
                let corners = [a, b, c];
                let position = corners.map(position);
                let planes = columns(BuiltIn::ClipDistance).map(|at| corners.map(|vertex| value(vertex, at)));
                let planes = planes.chain(self.depth_planes(corners.map(clip)));
                let coverage = Coverage::new(&position, &planes.collect::<Vec<_>>(), self.size);
                (Primitive::triangle(number, corners, &position)?, coverage)
            }
            (Form::Lines, &[a, b]) => {
                let corners = [a, b];
                let planes = columns(BuiltIn::ClipDistance).map(|at| corners.map(|vertex| value(vertex, at)));
                let planes: Vec<_> = planes.chain(self.depth_planes(corners.map(clip))).collect();
                Primitive::line(number, corners, &corners.map(position), &planes, self.size)?
            }
            (Form::Points, &[vertex]) => {
                if columns(BuiltIn::ClipDistance).any(|at| value(vertex, at) < 0.0) {
                    return None;
                }
                let is_cut = |[distance]: [f64; 1]| distance < 0.0;
                if self.depth_planes([clip(vertex)]).into_iter().any(is_cut) {
                    return None;
                }
                let side = builtin(BuiltIn::PointSize).map_or(0.0, |(at, _)| value(vertex, at));
                // A size that nothing writes is 1.
                let side = if side > 0.0 { side.min(MAX_POINT) } else { 1.0 };
                Primitive::point(number, vertex, &position(vertex), side, self.size)?
            }
            _ => return None,
        };
        let own = stream.own_layout.builtin(BuiltIn::PrimitiveId).is_some() || builtin(BuiltIn::PrimitiveId).is_some();
        primitive.id = word(BuiltIn::PrimitiveId).filter(|_| own).map_or(stream.number(number), |id| id as u32);
        Some((primitive, coverage))
    }

    /// Distances from the near and the far plane, where the viewport has other depths than these.
    fn depth_planes<const N: usize>(&self, clip: [[f64; 4]; N]) -> Vec<[f64; N]> {
        match self.picture.view {
            None => Vec::new(),
            Some(_) => vec![clip.map(|[_, _, z, _]| z), clip.map(|[_, _, z, w]| w - z)],
        }
    }

    fn cover(&mut self, primitive: Primitive, coverage: &Coverage, sample_rate: bool) -> Result<(), LaunchError> {
        let Some([columns, rows]) = coverage.bounds(self.size) else { return Ok(()) };
        let index = self.primitives.len() as u32;
        self.primitives.push(primitive);
        let [own_columns, own_rows] = self.picture.pixels();
        let quads = |[first, last]: [u32; 2]| (first / 2..=last / 2).map(|at| at * 2);
        for y in quads(rows) {
            for x in quads(columns) {
                let pixels = [[x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]];
                let covered = pixels.map(|pixel| {
                    let inside = (own_columns[0]..own_columns[1]).contains(&pixel[0])
                        && (own_rows[0]..own_rows[1]).contains(&pixel[1]);
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

    /// Those of them that cover no sample when they start.
    pub fn helpers(&self) -> u32 {
        self.fragments.iter().filter(|fragment| fragment.coverage == 0).count() as u32
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
            whole.filter(|at| clipped || self.primitives.get(*at as usize).is_some_and(|one| !one.clipped))
        };
        let near = |x: i64, y: i64| {
            let own = whole(x, y);
            let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (x + dx, y + dy)));
            let mut inside = around.filter(|(x, y)| (0..width).contains(x) && (0..height).contains(y));
            own.is_some() && inside.all(|(x, y)| whole(x, y) == own)
        };
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| near(x, y)).collect()
    }

    /// The number of a primitive of the draw.
    pub(crate) fn number_of(&self, primitive: u32) -> u32 {
        self.primitives.get(primitive as usize).map_or(0, |primitive| primitive.number)
    }
}
