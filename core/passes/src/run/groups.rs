//! How many workgroups a run dispatches where none are given.

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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispatch {
    /// Workgroups in x, y and z.
    pub groups: [u32; 3],
    /// Why these: `covers u0, 64×64`.
    pub reason: String,
}

impl Dispatch {
    /// The given groups; else as many as cover the largest 2D storage image with one invocation for each texel (of
    /// several that large, the first that the shader writes); else one workgroup.
    pub fn new(given: Option<[u32; 3]>, workgroup: [u32; 3], images: &[BoundImage]) -> Dispatch {
        if let Some(groups) = given {
            return Dispatch { groups, reason: "as requested".to_owned() };
        }
        let rank = |image: &BoundImage| (image.size.map(u64::from).iter().product::<u64>(), image.writable);
        let largest = images.iter().reduce(|best, image| if rank(image) > rank(best) { image } else { best });
        match largest {
            Some(BoundImage { name, size: [width, height], .. }) => {
                let along = |texels: u32, threads: u32| texels.div_ceil(threads.max(1)).max(1);
                let groups = [along(*width, workgroup[0]), along(*height, workgroup[1]), 1];
                Dispatch { groups, reason: format!("covers {name}, {width}×{height}") }
            }
            None => Dispatch { groups: [1, 1, 1], reason: "no 2D storage image to cover".to_owned() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(name: &str, size: [u32; 2], writable: bool) -> BoundImage {
        BoundImage { name: name.to_owned(), size, writable }
    }

    fn dispatch(workgroup: [u32; 3], images: &[BoundImage]) -> ([u32; 3], String) {
        let Dispatch { groups, reason } = Dispatch::new(None, workgroup, images);
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
        let given = Dispatch::new(Some([3, 2, 1]), [8, 8, 1], &[image("u0", [64, 64], true)]);
        assert_eq!((given.groups, given.reason.as_str()), ([3, 2, 1], "as requested"));
    }

    #[test]
    fn odd_sizes_give_at_least_one_workgroup() {
        assert_eq!(dispatch([0, 0, 0], &[image("u0", [2, 0], true)]).0, [2, 1, 1]);
        assert_eq!(dispatch([1, 1, 1], &[image("u0", [u32::MAX; 2], true)]).0, [u32::MAX, u32::MAX, 1]);
    }
}
