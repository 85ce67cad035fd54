//! Counts of a draw that are written here, without a machine.

use super::footprint::Footprints;
use super::report::{FragmentCost, FragmentCounts, FragmentVariant, TexelFilter};
use super::sources::{by_wave, sources};
use crate::count::Counted;
use crate::report::{AccessKind, AccessSite, Counts, MemoryKind};
use crate::tiling::Tiling;
use lanescope_interpreter::{Address, Image, LoggedAccess, LoggedFilter, LoggedKind, LoggedObject};
use lanescope_model::target::Target;
use lanescope_spirv::enums::ImageFormat;
use lanescope_testing::program;

const ADDRESS: Address = Address::Descriptor { set: 0, binding: 3, element: 2, offset: 0 };

/// 4×4, 2×2 and 1 texels of four bytes.
fn image() -> Image {
    let (size, format) = ([4, 4, 1], ImageFormat::Rgba8);
    Image { set: 0, binding: 3, element: 2, format, size, layers: 1, levels: 3, texels: Vec::new() }
}

/// The texels that a lane reads at once, by their numbers in all levels.
fn read(texels: &[u64], filter: Option<LoggedFilter>) -> Vec<LoggedAccess> {
    let row = |(at, texel): (usize, &u64)| LoggedAccess {
        offset: texel * 4,
        instruction: 1,
        invocation: 0,
        object: 7,
        bytes: 4,
        kind: LoggedKind::Load,
        begins: at == 0,
        helper: false,
        filter,
    };
    texels.iter().enumerate().map(row).collect()
}

#[test]
fn footprints_are_by_level_and_filter() {
    let counted =
        Counted::new(&LoggedObject { address: ADDRESS, bytes: 21 * 4, image: Some(image()) }, Tiling::Tiled, None);
    let mut footprints = Footprints::default();
    let mut rows = read(&[0, 1, 4, 5], Some(LoggedFilter::Linear));
    // Clamped to one texel.
    rows.extend(read(&[5, 5, 5, 5], Some(LoggedFilter::Linear)));
    rows.extend(read(&[0, 16], Some(LoggedFilter::NearestOfTwo)));
    rows.extend(read(&[20], None));
    let store = LoggedAccess { kind: LoggedKind::Store, ..rows[0] };
    rows.push(store);
    footprints.add(&rows, |object| (object == 7).then_some(&counted));
    let modules = program(&[("frag", "void main() {}")]);
    let found = footprints.finish(&modules.modules[0].module, |_| Some((ADDRESS, image())));
    let reads = |at: usize| found[at].reads.iter().map(|of| (of.filter, of.reads)).collect::<Vec<_>>();
    assert_eq!(
        found.iter().map(|one| (one.level, one.size)).collect::<Vec<_>>(),
        [(0, [4, 4, 1]), (1, [2, 2, 1]), (2, [1, 1, 1])]
    );
    assert_eq!(reads(0), [(TexelFilter::Linear, 2), (TexelFilter::NearestOfTwo, 1)]);
    assert_eq!((reads(1), reads(2)), (vec![(TexelFilter::NearestOfTwo, 1)], vec![(TexelFilter::Unfiltered, 1)]));
    assert_eq!((found[0].texels, found[0].different, found[0].all()), (9, Some(4), 16));
    assert_eq!((found[0].image.as_str(), found[0].element), ("set 0 binding 3", 2));
}

fn variant(tiling: Tiling, lines: u64, selected: bool) -> FragmentVariant {
    let all = Counts { runs: 1, lanes: 64, lines_128: lines, ..Counts::default() };
    let rest = Counts { runs: 1, lanes: 48, lines_128: lines - 1, ..Counts::default() };
    FragmentVariant { wave: 64, tiling, selected, total: FragmentCounts::of(&all, &rest, 128), accesses: Vec::new() }
}

fn cost(variants: Vec<FragmentVariant>) -> FragmentCost {
    FragmentCost {
        entry: "main".to_owned(),
        size: [8, 8],
        fragments: 48,
        helpers: 16,
        counted: 64,
        chip: Target::Gfx1030,
        wave: 64,
        line: 128,
        tiling: Tiling::Tiled,
        variants,
        sentence: String::new(),
        accesses: vec![AccessSite {
            instruction: 3,
            name: "OpImageFetch".to_owned(),
            kind: AccessKind::Load,
            memory: MemoryKind::Image,
            resource: "image".to_owned(),
            bytes: 4,
            line: None,
            line_number: None,
            beyond: 0,
            touched: Vec::new(),
        }],
        footprints: Vec::new(),
        contents: "zeros".to_owned(),
        depends: Vec::new(),
        not_followed: false,
        notes: Vec::new(),
        sources: sources(Target::Gfx1030, 128),
    }
}

#[test]
fn tilings_are_compared_in_the_selected_waves() {
    let helpers = "Helper invocations make 16 of 64 accesses of lanes (25 %); 1 of the";
    let of = |lines: [u64; 3]| {
        let all = [Tiling::Linear, Tiling::Tiled, Tiling::Standard].into_iter().zip(lines);
        cost(all.map(|(tiling, lines)| variant(tiling, lines, tiling == Tiling::Tiled)).collect()).comparison()
    };
    assert_eq!(
        of([9, 5, 5]),
        format!(
            "Fewest lines of 128 bytes in waves of 64: tiled and standard 5; linear 9. {helpers} 5 lines are touched by \
             them alone."
        )
    );
    assert!(
        of([4, 4, 4]).starts_with("No difference between the tilings by lines of 128 bytes in waves of 64. Helper")
    );
    let one = cost(vec![variant(Tiling::Tiled, 4, true)]).comparison();
    assert!(one.starts_with("No image is accessed: tilings do not differ."), "{one}");
    let none = FragmentVariant { total: FragmentCounts::default(), ..variant(Tiling::Tiled, 1, true) };
    assert_eq!(cost(vec![none]).comparison(), "No fragment accesses memory that is counted.");
}

#[test]
fn what_depends_on_the_order_of_quads_is_marked_as_a_guess() {
    assert_eq!([by_wave("C, D"), by_wave("C, G")], ["C, D, G", "C, G"]);
    let all = sources(Target::Gfx906, 64);
    let mark = |figure: &str| all.iter().find(|one| one.figure == figure).map(|one| one.mark.as_str());
    assert_eq!(
        [mark("waves of quads"), mark("texel quads"), mark("texels, tiled")],
        [Some("G"), Some("C, D, G"), Some("S, G")]
    );
}
