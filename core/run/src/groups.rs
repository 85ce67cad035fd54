//! How many workgroups a run dispatches where none are given.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A 2D storage image that a compute shader has bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundImage {
    /// Its descriptor: `u0`, `set0.binding1`.
    pub name: String,
    /// Width and height in texels.
    pub size: [u32; 2],
    /// Whether the shader may write it.
    pub writable: bool,
}

/// The dispatch of a compute shader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Dispatch {
    /// Workgroups in x, y and z.
    pub groups: [u32; 3],
    /// Why these: `covers u0, 64×64`; `covers u0, 64×64, in x: y of the workgroup id is not read`.
    pub reason: String,
}

/// Names of the axes.
const AXES: [&str; 3] = ["x", "y", "z"];

impl Dispatch {
    /// The given groups; else as many as cover the largest 2D storage image with one invocation for each texel (of
    /// several that large, the first that the shader writes); else one workgroup.
    ///
    /// `reads` says which components of its workgroup id the shader reads. Workgroups along an axis that it does not read
    /// would all do the same work, and race where they write, so there is one.
    pub fn new(given: Option<[u32; 3]>, workgroup: [u32; 3], reads: [bool; 3], images: &[BoundImage]) -> Dispatch {
        if let Some(groups) = given {
            return Dispatch { groups, reason: "as requested".to_owned() };
        }
        let rank = |image: &BoundImage| (image.size.map(u64::from).iter().product::<u64>(), image.writable);
        let largest = images.iter().reduce(|best, image| if rank(image) > rank(best) { image } else { best });
        let Some(BoundImage { name, size: [width, height], .. }) = largest else {
            return Dispatch { groups: [1, 1, 1], reason: "no 2D storage image to cover".to_owned() };
        };
        let along = |texels: u32, threads: u32| texels.div_ceil(threads.max(1)).max(1);
        let wanted = [along(*width, workgroup[0]), along(*height, workgroup[1])];
        let groups = [0, 1].map(|axis| if reads[axis] { wanted[axis] } else { 1 });
        let left_out = (0..2).filter(|&axis| groups[axis] != wanted[axis]);
        let left_out: Vec<&str> = left_out.map(|axis| AXES[axis]).collect();
        let reason = match left_out.as_slice() {
            [] => format!("covers {name}, {width}×{height}"),
            [axis] if groups != [1, 1] => {
                let covered = if *axis == "x" { "y" } else { "x" };
                format!("covers {name}, {width}×{height}, in {covered}: {axis} of the workgroup id is not read")
            }
            [axis] => format!("{axis} of the workgroup id is not read"),
            axes => format!("{} of the workgroup id are not read", axes.join(" and ")),
        };
        Dispatch { groups: [groups[0], groups[1], 1], reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(name: &str, size: [u32; 2], writable: bool) -> BoundImage {
        BoundImage { name: name.to_owned(), size, writable }
    }

    fn dispatch(workgroup: [u32; 3], images: &[BoundImage]) -> ([u32; 3], String) {
        let Dispatch { groups, reason } = Dispatch::new(None, workgroup, [true; 3], images);
        (groups, reason)
    }

    #[test]
    fn covers_the_largest_image() {
        let images = [image("u0", [16, 16], true), image("u1", [64, 64], true), image("u2", [64, 32], true)];
        assert_eq!(dispatch([8, 8, 1], &images), ([8, 8, 1], "covers u1, 64×64".to_owned()));
    }

    #[test]
    fn rounds_up_to_whole_workgroups() {
        let images = [image("u0", [65, 1], true)];
        assert_eq!(dispatch([16, 4, 2], &images).0, [5, 1, 1]);
        assert_eq!(dispatch([1024, 1, 1], &[image("u0", [64, 64], true)]).0, [1, 64, 1]);
    }

    #[test]
    fn prefers_a_written_image_then_the_first() {
        let images = [image("a", [64, 64], false), image("b", [64, 64], true), image("c", [64, 64], true)];
        assert_eq!(dispatch([8, 8, 1], &images).1, "covers b, 64×64");
        assert_eq!(dispatch([8, 8, 1], &images[..1]).1, "covers a, 64×64");
    }

    #[test]
    fn one_workgroup_without_an_image_and_given_groups_stay() {
        assert_eq!(dispatch([8, 8, 1], &[]).0, [1, 1, 1]);
        let given = Dispatch::new(Some([3, 2, 1]), [8, 8, 1], [true; 3], &[image("u0", [64, 64], true)]);
        assert_eq!((given.groups, given.reason.as_str()), ([3, 2, 1], "as requested"));
    }

    #[test]
    fn covers_only_the_axes_of_the_workgroup_id_that_are_read() {
        let dispatch = |workgroup, reads, size| {
            let Dispatch { groups, reason } = Dispatch::new(None, workgroup, reads, &[image("u0", size, true)]);
            (groups, reason)
        };
        let only_x = "covers u0, 64×64, in x: y of the workgroup id is not read";
        assert_eq!(dispatch([16, 1, 1], [true, false, false], [64, 64]), ([4, 1, 1], only_x.to_owned()));
        let only_y = "covers u0, 64×64, in y: x of the workgroup id is not read";
        assert_eq!(dispatch([1, 16, 1], [false, true, false], [64, 64]), ([1, 4, 1], only_y.to_owned()));
        assert_eq!(
            dispatch([8, 8, 1], [false; 3], [64, 64]),
            ([1, 1, 1], "x and y of the workgroup id are not read".to_owned())
        );
        // One workgroup is enough along x.
        assert_eq!(
            dispatch([64, 1, 1], [true, false, false], [64, 64]),
            ([1, 1, 1], "y of the workgroup id is not read".to_owned())
        );
        assert_eq!(dispatch([8, 8, 1], [false; 3], [8, 8]), ([1, 1, 1], "covers u0, 8×8".to_owned()));
    }

    #[test]
    fn odd_sizes_give_at_least_one_workgroup() {
        assert_eq!(dispatch([0, 0, 0], &[image("u0", [2, 0], true)]).0, [2, 1, 1]);
        assert_eq!(dispatch([1, 1, 1], &[image("u0", [u32::MAX; 2], true)]).0, [u32::MAX, u32::MAX, 1]);
    }
}
