//! Sampling: level of detail, filtering, address modes.

use super::format::Format;
use super::{AddressMode, Compare, Image, Sampler};
use crate::access_log::LoggedFilter;
use crate::kernels::float::Real;
use lanescope_spirv::enums::Dim;

/// The texels of an image, read.
pub(crate) trait Texels {
    /// A texel that is inside of the image: level, layer, x, y, z.
    fn texel(&mut self, level: u32, layer: u32, at: [u32; 3]) -> [u64; 4];
}

/// What is sampled where.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lookup<'a> {
    pub image: &'a Image,
    pub format: &'a Format,
    pub sampler: &'a Sampler,
    /// Dimensions: 1, 2 or 3; a cube has 2 on each face.
    pub dimensions: usize,
    /// Of a cube the face is a part of it: six for each cube.
    pub layer: u32,
    /// Whether texels beyond the edge of a face are those of the next face.
    pub cube: bool,
    /// Normalized, unless the sampler says otherwise.
    pub coordinate: [f32; 3],
    pub lod: f32,
    pub offset: [i32; 3],
    pub reference: Option<f32>,
}

/// The levels of an image that a lookup samples.
#[derive(Debug, Clone, Copy)]
enum Levels {
    One(u32),
    /// Both, and the share of the second one.
    Two([u32; 2], f32),
}

/// A coordinate of a texel, wrapped; absent for the border.
fn wrap(mode: AddressMode, at: i64, size: u32) -> Option<u32> {
    let size = i64::from(size);
    let mirror = |at: i64| if at < 0 { -1 - at } else { at };
    let wrapped = match mode {
        AddressMode::Repeat => at.rem_euclid(size),
        AddressMode::MirroredRepeat => {
            let at = at.rem_euclid(2 * size);
            if at < size { at } else { 2 * size - 1 - at }
        }
        AddressMode::ClampToEdge => at.clamp(0, size - 1),
        AddressMode::MirrorClampToEdge => mirror(at).clamp(0, size - 1),
        AddressMode::ClampToBorder => at,
    };
    u32::try_from(wrapped).ok().filter(|&at| i64::from(at) < size)
}

/// The index of the texel that a coordinate is in: far ones are as good as the next ones.
fn index(at: f32) -> i64 {
    (at.floor() as i64).clamp(-(1 << 40), 1 << 40)
}

impl Lookup<'_> {
    fn fetch(&self, texels: &mut impl Texels, level: u32, at: [i64; 3]) -> [u64; 4] {
        let size = self.image.level_size(level);
        if self.cube {
            return self.fetch_cube(texels, level, [at[0], at[1]], size[0]);
        }
        let mut inside = [0; 3];
        for (d, inside) in inside.iter_mut().enumerate().take(self.dimensions) {
            match wrap(self.sampler.address[d], at[d], size[d]) {
                Some(at) => *inside = at,
                None => return self.format.border(self.sampler.border),
            }
        }
        texels.texel(level, self.layer.min(self.image.layers - 1), inside)
    }

    /// A texel of a cube: beyond an edge the one that the next face has there, beyond a corner the mean of the three that
    /// meet in it.
    fn fetch_cube(&self, texels: &mut impl Texels, level: u32, at: [i64; 2], size: u32) -> [u64; 4] {
        let side = i64::from(size);
        let clamped = at.map(|at| at.clamp(0, side - 1));
        let layer = self.layer.min(self.image.layers - 1);
        match (at[0] == clamped[0], at[1] == clamped[1]) {
            (true, true) => texels.texel(level, layer, [clamped[0] as u32, clamped[1] as u32, 0]),
            (false, false) => {
                let three = [clamped, [at[0], clamped[1]], [clamped[0], at[1]]];
                let three = three.map(|at| self.fetch_cube(texels, level, at, size));
                if self.format.is_integer() {
                    return three[0];
                }
                [0, 1, 2, 3].map(|c| (three.iter().map(|texel| f32::load(texel[c])).sum::<f32>() / 3.0).store())
            }
            (inside, _) => {
                // The place on the edge that is next to the texel, on the face that is there.
                let centre = |at: i64| (2.0 * at as f32 + 1.0) / size as f32 - 1.0;
                let place = |d: usize| {
                    if at[d] < 0 {
                        -1.0
                    } else if at[d] >= side {
                        1.0
                    } else {
                        centre(at[d])
                    }
                };
                let face = next_face(layer % 6, !inside, if inside { place(1) } else { place(0) });
                let [s, t] = on_face(face, off_face(layer % 6, [place(0), place(1)]));
                let index = |value: f32| ((value * size as f32) as i64).clamp(0, side - 1) as u32;
                texels.texel(level, layer - layer % 6 + face, [index(s), index(t), 0])
            }
        }
    }

    /// A texel, compared with the reference if any.
    fn compared(&self, texels: &mut impl Texels, level: u32, at: [i64; 3]) -> [u64; 4] {
        let texel = self.fetch(texels, level, at);
        let Some(reference) = self.reference else { return texel };
        // Depths in fixed point are compared with what they can be.
        let is_fixed = self.format.numeric == super::format::Numeric::Unorm;
        let reference = if is_fixed { reference.clamp(0.0, 1.0) } else { reference };
        let passed = self.sampler.compare.unwrap_or(Compare::Always).of(reference, f32::load(texel[0]));
        [f32::from(u8::from(passed)).store(), 0, 0, 1f32.store()]
    }

    /// The coordinate in texels of a level.
    fn scaled(&self, level: u32) -> [f32; 3] {
        let size = self.image.level_size(level);
        let mut out = [0.0; 3];
        for (d, out) in out.iter_mut().enumerate().take(self.dimensions) {
            let scale = if self.sampler.unnormalized { 1.0 } else { size[d] as f32 };
            *out = self.coordinate[d] * scale;
        }
        out
    }

    fn nearest(&self, texels: &mut impl Texels, level: u32) -> [u64; 4] {
        let at = self.scaled(level);
        let place = |d: usize| index(at[d]) + i64::from(self.offset[d]);
        self.compared(texels, level, [place(0), place(1), place(2)])
    }

    /// The corners of linear filtering: the lowest one, and the weights of the next ones.
    fn corner(&self, level: u32) -> ([i64; 3], [f32; 3]) {
        let at = self.scaled(level).map(|value| value - 0.5);
        let mut low = [0; 3];
        let mut weight = [0.0; 3];
        for d in 0..self.dimensions {
            let floor = at[d].floor();
            low[d] = index(floor) + i64::from(self.offset[d]);
            weight[d] = at[d] - floor;
        }
        (low, weight)
    }

    fn linear(&self, texels: &mut impl Texels, level: u32) -> [u64; 4] {
        let (low, weight) = self.corner(level);
        let mut sum = [0f32; 4];
        for corner in 0..1usize << self.dimensions {
            let mut at = low;
            let mut share = 1.0;
            for d in 0..self.dimensions {
                let high = corner >> d & 1 != 0;
                at[d] += i64::from(high);
                share *= if high { weight[d] } else { 1.0 - weight[d] };
            }
            let texel = self.compared(texels, level, at);
            for (sum, component) in sum.iter_mut().zip(texel) {
                *sum += share * f32::load(component);
            }
        }
        sum.map(Real::store)
    }

    fn filtered(&self, texels: &mut impl Texels, level: u32, linear: bool) -> [u64; 4] {
        // Integers are not filtered.
        if linear && !self.format.is_integer() { self.linear(texels, level) } else { self.nearest(texels, level) }
    }

    /// The levels that are sampled, and whether each is filtered.
    fn levels(&self) -> (Levels, bool) {
        let sampler = self.sampler;
        let lod = (self.lod + sampler.lod_bias).clamp(sampler.min_lod, sampler.max_lod.max(sampler.min_lod));
        let lod = if lod.is_nan() { 0.0 } else { lod };
        let last = self.image.levels - 1;
        if lod <= 0.0 {
            return (Levels::One(0), sampler.mag_linear);
        }
        let lod = lod.min(last as f32);
        let levels = match (sampler.mip_linear, lod.fract()) {
            // The nearest level, the lower one of two.
            (false, _) => Levels::One(((lod + 0.5).ceil() as u32).saturating_sub(1).min(last)),
            (true, 0.0) => Levels::One((lod.floor() as u32).min(last)),
            (true, share) => Levels::Two([lod.floor() as u32, lod.floor() as u32 + 1].map(|at| at.min(last)), share),
        };
        (levels, sampler.min_linear)
    }

    /// How it is sampled.
    pub fn filter(&self) -> LoggedFilter {
        let (levels, linear) = self.levels();
        match (levels, linear && !self.format.is_integer()) {
            (Levels::One(_), false) => LoggedFilter::Nearest,
            (Levels::One(_), true) => LoggedFilter::Linear,
            (Levels::Two(..), false) => LoggedFilter::NearestOfTwo,
            (Levels::Two(..), true) => LoggedFilter::LinearOfTwo,
        }
    }

    /// The filtered value.
    pub fn sample(&self, texels: &mut impl Texels) -> [u64; 4] {
        let (levels, linear) = self.levels();
        let ([low, high], share) = match levels {
            Levels::One(level) => return self.filtered(texels, level, linear),
            Levels::Two(levels, share) => (levels, share),
        };
        let a = self.filtered(texels, low, linear);
        let b = self.filtered(texels, high, linear);
        let mut out = [0; 4];
        for (at, out) in out.iter_mut().enumerate() {
            *out = (f32::load(a[at]) * (1.0 - share) + f32::load(b[at]) * share).store();
        }
        out
    }

    /// One component of the four texels of linear filtering: top right order of `OpImageGather`.
    pub fn gather(&self, texels: &mut impl Texels, component: usize) -> [u64; 4] {
        let ([x, y, z], _) = self.corner(0);
        [[x, y + 1], [x + 1, y + 1], [x + 1, y], [x, y]].map(|[x, y]| {
            let texel = self.compared(texels, 0, [x, y, z]);
            texel[component.min(3)]
        })
    }
}

/// The face of a cube that a direction meets, and the coordinate on it.
pub(crate) fn cube_face(direction: [f32; 3]) -> (u32, [f32; 2]) {
    let [x, y, z] = direction;
    let [ax, ay, az] = [x.abs(), y.abs(), z.abs()];
    let face = if az >= ax && az >= ay {
        if z < 0.0 { 5 } else { 4 }
    } else if ay >= ax {
        if y < 0.0 { 3 } else { 2 }
    } else if x < 0.0 {
        1
    } else {
        0
    };
    (face, on_face(face, direction))
}

/// The coordinate of a direction on a face of a cube.
pub(crate) fn on_face(face: u32, [x, y, z]: [f32; 3]) -> [f32; 2] {
    let (s, t, major) = match face {
        5 => (-x, -y, z),
        4 => (x, -y, z),
        3 => (x, -z, y),
        2 => (x, z, y),
        1 => (z, -y, x),
        _ => (-z, -y, x),
    };
    let major = major.abs();
    [0.5 * (s / major + 1.0), 0.5 * (t / major + 1.0)]
}

/// The direction of a place on a face: `s` and `t` from -1 to 1.
fn off_face(face: u32, [s, t]: [f32; 2]) -> [f32; 3] {
    match face {
        5 => [-s, -t, -1.0],
        4 => [s, -t, 1.0],
        3 => [s, -1.0, -t],
        2 => [s, 1.0, t],
        1 => [-1.0, -t, s],
        _ => [1.0, -t, -s],
    }
}

/// The face beyond the edge of a face: of `s` or of `t`, at -1 or at 1.
fn next_face(face: u32, along_s: bool, at: f32) -> u32 {
    let edge = off_face(face, if along_s { [at, 0.0] } else { [0.0, at] });
    let own = (face / 2) as usize;
    let axis = (0..3).find(|axis| *axis != own && edge[*axis] != 0.0).unwrap_or(own);
    axis as u32 * 2 + u32::from(edge[axis] < 0.0)
}

/// The number of dimensions of an image's coordinates, without layers; absent for dimensions that are not supported.
pub(crate) fn dimensions(dim: u32) -> Option<usize> {
    match Dim::from_u32(dim)? {
        Dim::Dim1D | Dim::DimBuffer => Some(1),
        Dim::Dim2D | Dim::DimRect => Some(2),
        Dim::Dim3D | Dim::DimCube => Some(3),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_modes_wrap() {
        let row = |mode| (-3..7).map(|at| wrap(mode, at, 3)).map(|at| at.map_or(9, |at| at)).collect::<Vec<_>>();
        assert_eq!(row(AddressMode::Repeat), [0, 1, 2, 0, 1, 2, 0, 1, 2, 0]);
        assert_eq!(row(AddressMode::MirroredRepeat), [2, 1, 0, 0, 1, 2, 2, 1, 0, 0]);
        assert_eq!(row(AddressMode::ClampToEdge), [0, 0, 0, 0, 1, 2, 2, 2, 2, 2]);
        assert_eq!(row(AddressMode::ClampToBorder), [9, 9, 9, 0, 1, 2, 9, 9, 9, 9]);
        assert_eq!(row(AddressMode::MirrorClampToEdge), [2, 1, 0, 0, 1, 2, 2, 2, 2, 2]);
    }

    #[test]
    fn directions_meet_faces() {
        let faces =
            [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];
        for (at, direction) in (0..).zip(faces) {
            assert_eq!(cube_face(direction), (at, [0.5, 0.5]));
        }
    }

    #[test]
    fn faces_of_a_cube_meet_at_their_edges() {
        for face in 0..6 {
            for place in [[-0.5, 0.25], [0.75, -0.125], [0.0, 0.5]] {
                let direction = off_face(face, place);
                assert_eq!(cube_face(direction), (face, place.map(|value| 0.5 * (value + 1.0))));
            }
            let mut around =
                [(true, 1.0), (true, -1.0), (false, 1.0), (false, -1.0)].map(|(s, at)| next_face(face, s, at));
            around.sort_unstable();
            let others: Vec<u32> = (0..6).filter(|other| other / 2 != face / 2).collect();
            assert_eq!(around.to_vec(), others, "face {face}");
        }
        assert_eq!(next_face(4, true, 1.0), 0, "+x is at the right of +z");
        assert_eq!(next_face(4, false, -1.0), 2, "+y is above +z");
    }

    struct Row;

    impl Texels for Row {
        fn texel(&mut self, level: u32, _: u32, at: [u32; 3]) -> [u64; 4] {
            [(at[0] as f32 + 100.0 * level as f32).store(), 0, 0, 0]
        }
    }

    #[test]
    fn filters_between_texels_and_levels() {
        let format = Format::of(lanescope_spirv::enums::ImageFormat::R32f).expect("a format");
        let image = Image {
            set: 0,
            binding: 0,
            element: 0,
            format: lanescope_spirv::enums::ImageFormat::R32f,
            size: [4, 1, 1],
            layers: 1,
            levels: 2,
            texels: vec![],
        };
        let sampler = Sampler { mag_linear: true, min_linear: true, mip_linear: true, ..Sampler::default() };
        let lookup = Lookup {
            image: &image,
            format: &format,
            sampler: &sampler,
            dimensions: 1,
            layer: 0,
            cube: false,
            coordinate: [0.5, 0.0, 0.0],
            lod: 0.0,
            offset: [0; 3],
            reference: None,
        };
        let first = |lookup: Lookup<'_>| f32::load(lookup.sample(&mut Row)[0]);
        assert_eq!(first(lookup), 1.5);
        assert_eq!(first(Lookup { lod: 1.0, ..lookup }), 100.5);
        assert_eq!(first(Lookup { lod: 0.5, ..lookup }), 51.0);
        let sampler = Sampler::default();
        assert_eq!(first(Lookup { sampler: &sampler, ..lookup }), 2.0);
        assert_eq!(first(Lookup { sampler: &sampler, lod: 0.5, ..lookup }), 2.0, "the lower level of two");
        assert_eq!(first(Lookup { sampler: &sampler, coordinate: [-0.1, 0.0, 0.0], ..lookup }), 3.0);
    }
}
