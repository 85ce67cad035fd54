//! Inputs that make keys differ.

use super::*;

#[test]
fn distinguishes_words_of_different_lists() {
    let module = glsl(StageKind::Fragment, "void main() {}");
    let buffer = any_of(ResourceKind::UniformBlock);
    let options = Options::default();
    let with = |fixed: bool, push: bool, target: Option<(u32, u32)>| {
        let layout = place(nodes(std::slice::from_ref(&buffer), &options), push.then_some(3), AutoLayoutRule::Note);
        let place = (buffer.set, buffer.binding);
        let color = |(location, export)| Color {
            location,
            format: String::new(),
            blend: false,
            blends_by_alpha: false,
            unwritten: false,
            export,
            export_name: String::new(),
            why: String::new(),
        };
        let colors: Vec<Color> = target.into_iter().map(color).collect();
        let subject = Subject {
            hash: module_hash(&module),
            entry: &module.entry_points()[0],
            stage: StageKind::Fragment,
            options: &options,
            active: &[place],
            hidden: &[],
            fixed: if fixed { &[place] } else { &[] },
            push,
            layout: &layout,
            mapping: &Mapping::default(),
            colors: &colors,
            spec: &[],
        };
        key(&subject, KeyRule::Note).hash
    };
    // A sampler of the layout (1) and push constants (9) beside a target of that location and export format.
    assert_ne!(with(true, true, None), with(false, false, Some((1, 9))));
}

#[test]
fn options_that_change_code_enter_both_keys() {
    let source = "layout(local_size_x = 8, local_size_y = 8) in; void main() {}";
    let keys = |stage, source: &str, options: &Options| {
        let (partial, _) = one_of(stage, source, options, Side::Reflected);
        let against = partial.against.expect("an application");
        assert_eq!(against.hit, partial.keys[0].hash == against.keys[0].hash);
        assert!(against.hit, "{:?}", against.breaks);
        [partial.keys.map(|key| key.hash), against.keys.map(|key| key.hash)]
    };
    let base = Options::default();
    let all = [
        Options { force_swizzle: true, ..base.clone() },
        Options { reconfig: true, ..base.clone() },
        Options { group_size: Some([4, 4, 1]), ..base.clone() },
        Options { group_tile: Some(8), ..base.clone() },
    ];
    let plain = keys(StageKind::Compute, source, &base);
    for options in all {
        let keys = keys(StageKind::Compute, source, &options);
        let same = (0..2).any(|side| (0..3).any(|rule| keys[side][rule] == plain[side][rule]));
        assert!(!same, "{options:?}");
    }
    let fragment = "void main() {}";
    let plain = keys(StageKind::Fragment, fragment, &base);
    let shaded = keys(StageKind::Fragment, fragment, &Options { sample_shading: true, ..base });
    assert_eq!(shaded[0], plain[0], "nobody knows it when the module is created");
    assert_eq!([0, 1, 2].map(|rule| shaded[1][rule] == plain[1][rule]), [true, false, false]);
}

#[test]
fn keys_differ_by_module_entry_chip_and_wave() {
    let partial = |source: &str, options: &Options| one_of(StageKind::Compute, source, options, Side::None).0.keys;
    let source = "layout(local_size_x = 1) in; void main() {}";
    let base = partial(source, &Options::default());
    assert_eq!(base, partial(source, &Options::default()));
    assert_ne!(base[0].hash, partial("layout(local_size_x = 2) in; void main() {}", &Options::default())[0].hash);
    let chip = Options { target: Target::Gfx1100, ..Options::default() };
    let other = partial(source, &chip);
    let labels: Vec<String> = base[0].difference(&other[0]).iter().map(|d| d.0.to_string()).collect();
    assert_eq!(labels, ["chip: word 1"], "gfx1030 and gfx1100 have their second half apart");
}
