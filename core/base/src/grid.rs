//! Sizes of three dimensions, such as workgroups of a dispatch: products and indices that cannot overflow.

/// The product of three dimensions, exact.
pub fn volume(size: [u32; 3]) -> u128 {
    size.iter().map(|&side| u128::from(side)).product()
}

/// The product of three dimensions; `u64::MAX` where it is that or more.
pub fn saturating_volume(size: [u32; 3]) -> u64 {
    u64::try_from(volume(size)).unwrap_or(u64::MAX)
}

/// Passes of a loop over a grid that packs group ids into bit fields: the product of the axes, each but the last of so many
/// components (1 to 3) rounded up to a power of two; 0 where an axis is 0, `u64::MAX` where it is that or more. Source:
/// dxil-spirv's loop over `SV_DispatchGrid`.
pub fn rounded_volume(size: [u32; 3], components: u32) -> u64 {
    if saturating_volume(size) == 0 {
        return 0;
    }
    let last = (components.clamp(1, 3) - 1) as usize;
    let bits: u32 = size[..last].iter().map(|side| 32 - side.saturating_sub(1).leading_zeros()).sum();
    let passes = u128::from(size[last]).checked_shl(bits).unwrap_or(u128::MAX);
    u64::try_from(passes).unwrap_or(u64::MAX)
}

/// The index of a place, x first, then y, then z; `u64::MAX` where it is that or more.
pub fn linear_index(size: [u32; 3], [x, y, z]: [u32; 3]) -> u64 {
    let [width, height, _] = size.map(u128::from);
    let index = (u128::from(z) * height + u128::from(y)) * width + u128::from(x);
    u64::try_from(index).unwrap_or(u64::MAX)
}

/// The place of an index; dimensions of 0 count as 1.
pub fn place(size: [u32; 3], index: u64) -> [u32; 3] {
    let [x, y, _] = size.map(|side| u64::from(side.max(1)));
    [index % x, index / x % y, index / x / y].map(|at| u32::try_from(at).unwrap_or(u32::MAX))
}

/// Whether a place is within three dimensions.
pub fn contains(size: [u32; 3], at: [u32; 3]) -> bool {
    at.iter().zip(size).all(|(at, side)| *at < side)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_the_greatest_sizes_do_not_overflow() {
        let greatest = [u32::MAX; 3];
        assert_eq!(volume(greatest), u128::from(u32::MAX).pow(3));
        assert_eq!((saturating_volume(greatest), linear_index(greatest, greatest)), (u64::MAX, u64::MAX));
        assert_eq!(saturating_volume([4, 3, 2]), 24);
    }

    #[test]
    fn axes_but_the_last_are_rounded_up_to_powers_of_two() {
        let of = |size| rounded_volume(size, 3);
        assert_eq!([[5, 2, 2], [3, 2, 1], [0, 4, 4], [1, 1, 7]].map(of), [32, 8, 0, 7]);
        assert_eq!((rounded_volume([5, 1, 1], 1), rounded_volume([5, 3, 1], 2)), (5, 24));
        assert_eq!(of([u32::MAX; 3]), u64::MAX);
    }

    #[test]
    fn an_index_leads_back_to_its_place() {
        let size = [5, 4, 3];
        for index in 0..60 {
            let at = place(size, index);
            assert!(contains(size, at));
            assert_eq!(linear_index(size, at), index);
        }
        assert!(!contains(size, [0, 4, 0]));
    }
}
