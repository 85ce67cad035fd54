//! Built-in inputs, and the quads of derivatives in compute shaders.

use crate::error::LaunchError;
use crate::exec::derivative::NO_LANE;
use crate::exec::wave::Lanes;
use crate::input::LaneMap;
use crate::kernels::Mask;
use crate::program::DerivativeGroup;
use lanescope_base::{StageKind, grid};
use lanescope_spirv::enums::BuiltIn;

/// The most invocations of a workgroup.
pub const MAX_INVOCATIONS: u64 = 1 << 16;

/// Whether stages with workgroups have a built-in as an input.
fn is_of_workgroup(builtin: BuiltIn) -> bool {
    use BuiltIn::*;
    matches!(
        builtin,
        NumWorkgroups
            | WorkgroupId
            | LocalInvocationId
            | GlobalInvocationId
            | LocalInvocationIndex
            | NumSubgroups
            | SubgroupId
    )
}

/// Whether a stage has a built-in as an input here.
pub(crate) fn provides(stage: StageKind, builtin: BuiltIn) -> bool {
    use BuiltIn::*;
    let of_stage = match stage {
        StageKind::Compute => is_of_workgroup(builtin),
        StageKind::Task | StageKind::Mesh => is_of_workgroup(builtin) || matches!(builtin, DrawIndex | ViewIndex),
        StageKind::TessControl => matches!(
            builtin,
            InvocationId | PrimitiveId | PatchVertices | Position | PointSize | ClipDistance | CullDistance | ViewIndex
        ),
        StageKind::TessEval => matches!(
            builtin,
            TessCoord
                | TessLevelOuter
                | TessLevelInner
                | PrimitiveId
                | PatchVertices
                | Position
                | PointSize
                | ClipDistance
                | CullDistance
                | ViewIndex
        ),
        StageKind::Geometry => matches!(
            builtin,
            InvocationId | PrimitiveId | Position | PointSize | ClipDistance | CullDistance | ViewIndex
        ),
        StageKind::Vertex => {
            matches!(builtin, VertexIndex | InstanceIndex | BaseVertex | BaseInstance | DrawIndex | ViewIndex)
        }
        StageKind::Fragment => matches!(
            builtin,
            FragCoord
                | FrontFacing
                | PointCoord
                | HelperInvocation
                | SampleId
                | SamplePosition
                | SampleMask
                | PrimitiveId
                | Layer
                | ViewportIndex
                | ViewIndex
                | BaryCoordKHR
                | BaryCoordNoPerspKHR
                | ClipDistance
                | CullDistance
        ),
        _ => false,
    };
    let of_all = matches!(
        builtin,
        SubgroupSize
            | SubgroupLocalInvocationId
            | SubgroupEqMask
            | SubgroupGeMask
            | SubgroupGtMask
            | SubgroupLeMask
            | SubgroupLtMask
            | DeviceIndex
    );
    of_stage || of_all
}

/// Whether a built-in differs between wave sizes even where a program computes the same.
pub(crate) fn depends_on_size(builtin: BuiltIn) -> bool {
    matches!(builtin, BuiltIn::SubgroupSize | BuiltIn::NumSubgroups | BuiltIn::SubgroupId)
}

/// An invocation's place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Invocation {
    pub groups: [u32; 3],
    pub group: [u32; 3],
    pub local_size: [u32; 3],
    /// Local invocation index.
    pub index: u32,
    pub wave: u32,
    pub waves: u32,
    pub lane: u32,
    pub subgroup_size: u32,
}

impl Invocation {
    /// Components of a built-in; those beyond the last one are 0.
    pub fn builtin(&self, builtin: BuiltIn) -> [u64; 4] {
        let [x, y, _] = self.local_size;
        let local = [self.index % x, self.index / x % y, self.index / x / y];
        let vector = |v: [u32; 3]| [u64::from(v[0]), u64::from(v[1]), u64::from(v[2]), 0];
        let scalar = |v: u32| [u64::from(v), 0, 0, 0];
        let all = Mask::all(self.subgroup_size as usize).bits;
        let below = (1u64 << self.lane) - 1;
        let own = 1u64 << self.lane;
        let mask = |bits: u64| [bits & all & 0xffff_ffff, (bits & all) >> 32, 0, 0];
        match builtin {
            BuiltIn::NumWorkgroups => vector(self.groups),
            BuiltIn::WorkgroupId => vector(self.group),
            BuiltIn::LocalInvocationId => vector(local),
            BuiltIn::GlobalInvocationId => {
                let at = |d: usize| self.group[d].wrapping_mul(self.local_size[d]).wrapping_add(local[d]);
                vector([at(0), at(1), at(2)])
            }
            BuiltIn::LocalInvocationIndex => scalar(self.index),
            BuiltIn::SubgroupSize => scalar(self.subgroup_size),
            BuiltIn::NumSubgroups => scalar(self.waves),
            BuiltIn::SubgroupId => scalar(self.wave),
            BuiltIn::SubgroupLocalInvocationId => scalar(self.lane),
            BuiltIn::SubgroupEqMask => mask(own),
            BuiltIn::SubgroupGeMask => mask(!below),
            BuiltIn::SubgroupGtMask => mask(!below & !own),
            BuiltIn::SubgroupLeMask => mask(below | own),
            BuiltIn::SubgroupLtMask => mask(below),
            _ => [0; 4],
        }
    }
}

/// Checks the size of waves.
pub(crate) fn subgroup_size(size: u32) -> Result<u32, LaunchError> {
    if size.is_power_of_two() && size <= 64 { Ok(size) } else { Err(LaunchError::SubgroupSize { size }) }
}

/// Checks a lane map, and adds the quads.
pub(crate) fn waves(map: &LaneMap, local_size: [u32; 3], group: DerivativeGroup) -> Result<Vec<Lanes>, LaunchError> {
    let size = subgroup_size(map.subgroup_size)?;
    let invocations = grid::volume(local_size);
    let fits = u32::try_from(invocations).ok().filter(|&n| u64::from(n) <= MAX_INVOCATIONS);
    let Some(invocations) = fits else {
        return Err(LaunchError::WorkgroupSize { size: local_size, invocations, limit: MAX_INVOCATIONS });
    };
    let mut counts = vec![0u32; invocations as usize];
    for (wave, lanes) in map.waves.iter().enumerate() {
        if lanes.len() != size as usize {
            return Err(LaunchError::WaveLength { wave, found: lanes.len(), expected: size });
        }
        for &invocation in lanes.iter().flatten() {
            match counts.get_mut(invocation as usize) {
                Some(count) => *count += 1,
                None => return Err(LaunchError::Placement { invocation, count: 1, size: invocations }),
            }
        }
    }
    if let Some((invocation, &count)) = (0..).zip(&counts).find(|(_, count)| **count != 1) {
        return Err(LaunchError::Placement { invocation, count, size: invocations });
    }
    Ok(map
        .waves
        .iter()
        .map(|lanes| Lanes {
            invocations: lanes.clone(),
            bits: (0..).zip(lanes).filter(|(_, lane)| lane.is_some()).fold(0, |all, (at, _)| all | 1 << at),
            quads: (0..lanes.len()).map(|lane| quad(lanes, lane, local_size, group)).collect(),
            helpers: 0,
        })
        .collect())
}

/// The lanes of a lane's quad: top left, top right, bottom left, bottom right.
fn quad(lanes: &[Option<u32>], lane: usize, local_size: [u32; 3], group: DerivativeGroup) -> [u8; 4] {
    let find = |index: u32| {
        let found = lanes.iter().position(|&other| other == Some(index));
        found.map_or(NO_LANE, |lane| lane as u8)
    };
    let Some(index) = lanes[lane] else { return [NO_LANE; 4] };
    match group {
        DerivativeGroup::Lanes | DerivativeGroup::Fragments => [0, 1, 2, 3].map(|at| {
            let other = (lane & !3) + at;
            if lanes.get(other).is_some_and(|o| o.is_some()) { other as u8 } else { NO_LANE }
        }),
        DerivativeGroup::Linear => [0, 1, 2, 3].map(|at| find((index & !3) + at)),
        DerivativeGroup::Quads => {
            let [x, y, _] = local_size;
            let local = [index % x, index / x % y, index / x / y];
            [[0, 0], [1, 0], [0, 1], [1, 1]].map(|[dx, dy]| {
                let at = [(local[0] & !1) + dx, (local[1] & !1) + dy];
                let inside = at[0] < x && at[1] < y;
                if inside { find((local[2] * y + at[1]) * x + at[0]) } else { NO_LANE }
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_maps_that_lose_or_repeat_invocations() {
        let lanes = DerivativeGroup::Lanes;
        let map = |waves: &[&[Option<u32>]]| LaneMap {
            subgroup_size: 4,
            waves: waves.iter().map(|wave| wave.to_vec()).collect(),
        };
        let check = |lists: &[&[Option<u32>]]| waves(&map(lists), [4, 1, 1], lanes).map(|waves| waves.len());
        assert_eq!(check(&[&[Some(3), Some(2), Some(1), Some(0)]]), Ok(1));
        assert_eq!(check(&[&[Some(0), None, Some(1), None], &[None, Some(2), Some(3), None]]), Ok(2));
        let twice = check(&[&[Some(0), Some(0), Some(1), Some(2)]]);
        assert_eq!(twice, Err(LaunchError::Placement { invocation: 0, count: 2, size: 4 }));
        let short = check(&[&[Some(0), Some(1)]]);
        assert_eq!(short, Err(LaunchError::WaveLength { wave: 0, found: 2, expected: 4 }));
        let size = LaneMap { subgroup_size: 12, waves: vec![] };
        assert!(matches!(waves(&size, [1; 3], lanes), Err(LaunchError::SubgroupSize { size: 12 })));
        assert_eq!(LaneMap::linear(4, 6).waves[1], [Some(4), Some(5), None, None]);
    }

    #[test]
    fn workgroups_beyond_the_limit_are_named() {
        let size = [1 << 22; 3];
        let error = waves(&LaneMap::linear(32, 64), size, DerivativeGroup::Lanes).map(|waves| waves.len());
        let invocations = 1 << 66;
        assert_eq!(error, Err(LaunchError::WorkgroupSize { size, invocations, limit: MAX_INVOCATIONS }));
        let text = error.expect_err("too large").to_string();
        assert!(text.contains("4194304·4194304·4194304 = 73786976294838206464") && text.contains("65536"), "{text}");
    }

    #[test]
    fn quads_follow_the_derivative_group() {
        let map = LaneMap::linear(16, 16);
        let quads = |group| waves(&map, [8, 2, 1], group).expect("a map")[0].quads.clone();
        assert_eq!(quads(DerivativeGroup::Quads)[9], [0, 1, 8, 9]);
        assert_eq!(quads(DerivativeGroup::Linear)[9], [8, 9, 10, 11]);
        assert_eq!(quads(DerivativeGroup::Lanes)[5], [4, 5, 6, 7]);
    }

    #[test]
    fn builtins_follow_the_place() {
        let invocation = Invocation {
            groups: [3, 2, 1],
            group: [2, 1, 0],
            local_size: [4, 2, 2],
            index: 13,
            wave: 1,
            waves: 2,
            lane: 5,
            subgroup_size: 8,
        };
        assert_eq!(invocation.builtin(BuiltIn::LocalInvocationId), [1, 1, 1, 0]);
        assert_eq!(invocation.builtin(BuiltIn::GlobalInvocationId), [9, 3, 1, 0]);
        assert_eq!(invocation.builtin(BuiltIn::SubgroupGtMask), [0xc0, 0, 0, 0]);
        assert_eq!(invocation.builtin(BuiltIn::SubgroupLeMask), [0x3f, 0, 0, 0]);
    }
}
