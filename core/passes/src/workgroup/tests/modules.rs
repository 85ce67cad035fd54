//! Facts read from a module, and findings for invalid sizes.

use proptest::prelude::*;

use super::*;
use crate::workgroup::{MAX_INVOCATIONS, explain};
use lanescope_model::target::Target;

/// `%10` is `uint`, `%11` a vector of three; `%1`, `%2`, `%3`, `%4` are 1, 2, 3 and 4.
const TYPES: &str = "%10 = OpTypeInt 32 0\n%11 = OpTypeVector %10 3\n%1 = OpConstant %10 1\n%2 = OpConstant %10 2\n\
                     %3 = OpConstant %10 3\n%4 = OpConstant %10 4\n";

/// A compute module of LocalSize 2, 3, 1 whose `%20`, declared last, is decorated WorkgroupSize.
fn with_constant(before: &str, constant: &str) -> String {
    let globals = format!("OpDecorate %20 BuiltIn WorkgroupSize\n{before}{TYPES}{constant}");
    module_text(StageKind::Compute, &["LocalSize 2 3 1"], &globals)
}

#[test]
fn reads_size_from_modes_and_constants() {
    let spec = "OpDecorate %30 SpecId 0\n";
    let replicated = "%30 = OpSpecConstant %10 8\n%20 = OpSpecConstantCompositeReplicateEXT %11 %30\n";
    let cases: &[(&str, String, [u32; 3])] = &[
        ("LocalSize", module_text(StageKind::Compute, &["LocalSize 16 8 2"], ""), [16, 8, 2]),
        ("LocalSizeId", module_text(StageKind::Compute, &["LocalSizeId %4 %2 %3"], TYPES), [4, 2, 3]),
        ("a constant", with_constant("", "%20 = OpConstantComposite %11 %4 %2 %1\n"), [4, 2, 1]),
        (
            "a spec constant",
            with_constant(spec, "%30 = OpSpecConstant %10 16\n%20 = OpSpecConstantComposite %11 %30 %4 %1\n"),
            [16, 4, 1],
        ),
        (
            "an operation",
            with_constant(
                spec,
                "%30 = OpSpecConstant %10 8\n%31 = OpSpecConstantOp %10 IMul %30 %4\n\
                 %20 = OpSpecConstantComposite %11 %31 %30 %1\n",
            ),
            [32, 8, 1],
        ),
        (
            "vector operations",
            with_constant(
                spec,
                "%30 = OpSpecConstant %10 2\n%31 = OpSpecConstantComposite %11 %30 %4 %1\n\
                 %32 = OpConstantComposite %11 %2 %2 %1\n%33 = OpSpecConstantOp %11 IMul %31 %32\n\
                 %34 = OpSpecConstantOp %10 CompositeExtract %33 0\n\
                 %35 = OpSpecConstantOp %11 CompositeInsert %34 %33 2\n%36 = OpConstantNull %11\n\
                 %20 = OpSpecConstantOp %11 VectorShuffle %36 %35 4 5 3\n",
            ),
            [8, 4, 4],
        ),
        (
            "an element of an array of vectors",
            with_constant(
                spec,
                "%30 = OpSpecConstant %10 8\n%31 = OpSpecConstantComposite %11 %30 %4 %1\n\
                 %12 = OpTypeArray %11 %2\n%32 = OpConstantNull %11\n%33 = OpSpecConstantComposite %12 %32 %31\n\
                 %34 = OpSpecConstantOp %10 CompositeExtract %33 1 0\n\
                 %20 = OpSpecConstantOp %11 CompositeExtract %33 1\n",
            ),
            [8, 4, 1],
        ),
        ("replicated", with_constant("", "%20 = OpConstantCompositeReplicateEXT %11 %4\n"), [4, 4, 4]),
        ("replicated spec", with_constant(spec, replicated), [8, 8, 8]),
    ];
    for (name, text, size) in cases {
        let text = text.replace("OpCapability Shader", "OpCapability Shader\nOpCapability ReplicatedCompositesEXT");
        let (layout, findings) = laid_out(&text, &Options::default());
        let layout = layout.expect(name);
        assert_eq!((layout.declared_size, layout.size, findings), (*size, *size, vec![]), "{name}");
    }
}

#[test]
fn override_sets_all_three_sizes_or_none() {
    for (given, size, declared) in
        [([8, 8, 1], [8, 8, 1], [2, 3, 1]), ([16, 16, 1], [16, 16, 1], [2, 3, 1]), ([0, 0, 0], [2, 3, 1], [2, 3, 1])]
    {
        for stage in ALL_STAGES {
            let options = Options { group_size: Some(given), ..Options::default() };
            let (layout, findings) = laid_out(&module_text(stage, &["LocalSize 2 3 1"], ""), &options);
            let layout = layout.expect("a layout");
            assert_eq!((layout.size, layout.declared_size, findings), (size, declared, vec![]), "{stage}");
        }
    }
    let options = Options { group_size: Some([16, 0, 0]), ..Options::default() };
    let (layout, findings) = compute([2, 3, 4], &options);
    assert_eq!((layout.expect("a layout").size, findings), ([16, 1, 1], vec!["W001".to_owned()]));
}

#[test]
fn reports_sizes_unfolded() {
    for (size, reconfig) in [([5, 6, 7], false), ([8, 10, 6], true), ([6, 6, 5], true)] {
        let layout = compute(size, &switches(Derivatives::None, false, reconfig)).0.expect("a layout");
        assert_eq!((layout.size, layout.folded), (size, false));
    }
}

#[test]
fn reads_derivative_groups_from_modes() {
    use Derivatives::{Linear, None, Quads};
    let cases: &[(StageKind, &[&str], Derivatives)] = &[
        (StageKind::Compute, &[], None),
        (StageKind::Compute, &["DerivativeGroupQuadsNV"], Quads),
        (StageKind::Compute, &["DerivativeGroupLinearNV"], Linear),
        (StageKind::Compute, &["DerivativeGroupQuadsKHR"], Quads),
        (StageKind::Compute, &["DerivativeGroupLinearKHR"], Linear),
        (StageKind::Compute, &["DerivativeGroupLinearKHR", "DerivativeGroupQuadsKHR"], Quads),
        (StageKind::Compute, &["QuadDerivativesKHR"], Quads),
        (StageKind::Compute, &["DerivativeGroupLinearKHR", "QuadDerivativesKHR"], Quads),
        (StageKind::Task, &["DerivativeGroupQuadsKHR"], Quads),
        (StageKind::Mesh, &["DerivativeGroupLinearKHR"], Linear),
        (StageKind::Mesh, &["QuadDerivativesKHR"], None),
    ];
    for (stage, modes, expected) in cases {
        let modes: Vec<&str> = ["LocalSize 8 8 1"].iter().chain(*modes).copied().collect();
        let text = module_text(*stage, &modes, "");
        let derivatives = |options| laid_out(&text, &options).0.expect("a layout").derivatives;
        assert_eq!(derivatives(Options::default()), *expected, "{stage} {modes:?}");
        for &given in Derivatives::ALL {
            let options = Options { derivatives: Some(given), ..Options::default() };
            assert_eq!(derivatives(options), given, "the option wins");
        }
    }
}

#[test]
fn reports_invalid_sizes() {
    let limit = MAX_INVOCATIONS;
    // Size, derivatives: the findings, and whether lanes are there.
    let cases: &[([u32; 3], Derivatives, &[&str], bool)] = &[
        ([8, 8, 1], Derivatives::Quads, &[], true),
        ([0, 8, 1], Derivatives::None, &["W001"], true),
        ([0, 0, 0], Derivatives::None, &["W001"], true),
        ([1 << 31, 1, 1], Derivatives::None, &["W002"], false),
        ([u32::MAX; 3], Derivatives::None, &["W002"], false),
        ([1 << 16, 1 << 16, 1 << 31], Derivatives::Quads, &["W002"], false),
        ([limit, 1, 1], Derivatives::None, &["W005"], true),
        ([limit + 1, 1, 1], Derivatives::None, &["W002"], false),
        ([32, 32, 1], Derivatives::None, &[], true),
        ([32, 32, 2], Derivatives::None, &["W005"], true),
        ([5, 4, 1], Derivatives::Quads, &["W003"], false),
        ([4, 5, 1], Derivatives::Quads, &["W003"], false),
        ([5, 6, 1], Derivatives::Linear, &["W004"], false),
        ([2, 1, 2], Derivatives::Linear, &[], true),
        ([u32::MAX, 1, 1], Derivatives::Linear, &["W002", "W004"], false),
    ];
    for &(size, derivatives, codes, lanes) in cases {
        for (force, reconfig) in [(false, false), (true, true)] {
            let (layout, findings) = compute(size, &switches(derivatives, force, reconfig));
            let layout = layout.expect("still a layout");
            assert_eq!(
                (findings, layout.lanes.is_some()),
                (codes.iter().map(|&c| c.to_owned()).collect(), lanes),
                "{size:?}"
            );
            assert_eq!(layout.lanes.is_some(), layout.lane_map().is_some());
            assert!(!layout.rules.is_empty());
        }
    }
}

#[test]
fn reports_missing_and_unreadable_sizes() {
    let (layout, findings) = laid_out(&module_text(StageKind::Compute, &[], ""), &Options::default());
    assert_eq!((layout.expect("a layout").declared_size, findings), ([0; 3], vec!["W001".to_owned()]));
    for constant in [
        "%30 = OpUndef %10\n%20 = OpConstantComposite %11 %30 %1 %1\n",
        "%30 = OpSpecConstantComposite %11 %1 %1 %1\n%31 = OpConstantNull %11\n%20 = OpSpecConstantOp %11 UDiv %30 %31\n",
    ] {
        assert_eq!(laid_out(&with_constant("", constant), &Options::default()), (None, vec!["W007".to_owned()]));
    }
    let undefined = module_text(StageKind::Compute, &["LocalSizeId %9 %1 %1"], &format!("{TYPES}%9 = OpUndef %10"));
    assert_eq!(laid_out(&undefined, &Options::default()), (None, vec!["W007".to_owned()]));
    let null = with_constant("", "%20 = OpConstantNull %11\n");
    let (layout, findings) = laid_out(&null, &Options::default());
    assert_eq!((layout.expect("a layout").size, findings), ([1; 3], vec!["W001".to_owned()]));
}

/// The findings' texts, each with its numbers.
#[test]
fn findings_contain_their_numbers() {
    let shaders = [
        module_text(StageKind::Compute, &["LocalSize 0 7 1", "DerivativeGroupQuadsKHR"], ""),
        module_text(StageKind::Task, &["LocalSize 5 6 7", "DerivativeGroupLinearKHR"], ""),
        module_text(StageKind::Mesh, &["LocalSize 64 32 1"], ""),
        module_text(StageKind::Compute, &["LocalSize 2147483648 2 1"], ""),
        module_text(StageKind::Compute, &["LocalSizeId %9 %1 %1"], &format!("{TYPES}%9 = OpUndef %10")),
        with_constant("", "%20 = OpUndef %11\n"),
    ];
    let mut findings = Vec::new();
    for text in shaders {
        let module = assembled(&text);
        layout(&module, &module.entry_points()[0], &Options::default(), &mut findings);
    }
    let lines = findings.iter().map(|f| format!("{} {} {}", f.code, f.severity, f.message));
    insta::assert_snapshot!("findings", lines.collect::<Vec<_>>().join("\n"));
    assert!(findings.iter().all(|f| f.stage.is_some() && f.place_text() == "main"));
}

proptest! {
    #[test]
    fn handles_huge_sizes(
        size in [hostile(), hostile(), hostile()], given in proptest::option::of([hostile(), hostile(), hostile()]),
        derivatives in 0usize..3, force: bool, reconfig: bool, note: bool,
    ) {
        let layout_rules = if note { LayoutRules::DesignNote } else { LayoutRules::Llpc };
        let options = switches(Derivatives::ALL[derivatives], force, reconfig);
        let (layout, findings) = compute(size, &Options { group_size: given, layout_rules, ..options });
        let layout = layout.expect("literals are always readable");
        prop_assert!(!layout.size.contains(&0));
        let forbidden = findings.iter().any(|code| ["W002", "W003", "W004"].contains(&code.as_str()));
        prop_assert_eq!(layout.lanes.is_none(), forbidden);
        prop_assert!(layout.lanes.is_none_or(|lanes| lanes.len() <= MAX_INVOCATIONS as usize));
    }
}

/// Small numbers, and numbers at the ends of the range.
fn hostile() -> impl Strategy<Value = u32> {
    prop_oneof![4 => 0u32..70, 1 => any::<u32>(), 1 => Just(1 << 31), 1 => Just(u32::MAX)]
}

#[test]
fn stages_without_workgroups_have_no_layout() {
    let text = module_text(StageKind::Compute, &[], "").replace("GLCompute", "Vertex");
    assert_eq!(laid_out(&text, &Options::default()), (None, vec![]));
}

#[test]
fn has_no_lanes_where_the_hardware_walks() {
    for stage in ALL_STAGES {
        let text = module_text(stage, &["LocalSize 16 16 1"], "");
        let options = Options { target: Target::Gfx1200, ..switches(Derivatives::None, false, true) };
        let layout = laid_out(&text, &options).0.expect("a layout");
        let mesh = stage == StageKind::Mesh;
        assert_eq!((layout.lanes.is_some(), layout.interleave), (mesh, (!mesh).then_some([3, 3])), "{stage}");
        assert_eq!((layout.micro, layout.macro_tile), (Micro::None, Macro::Block8), "{stage}");
    }
}

#[test]
fn layout_round_trips_through_json() {
    let layout = compute([16, 4, 1], &switches(Derivatives::Quads, true, false)).0.expect("a layout");
    let json = serde_json::to_string(&layout).expect("plain data");
    assert!(json.contains(r#""macro":"block8""#) && !json.contains(r#""interleave":"#), "{json}");
    assert_eq!(serde_json::from_str::<Layout>(&json).expect("its own words"), layout);
}

#[test]
fn explains_an_invocation_with_its_numbers() {
    let mut text = String::new();
    // Stage, size, derivatives, reconfig; the invocation.
    type Case = (StageKind, [u32; 3], Derivatives, bool, [u32; 3]);
    let cases: &[Case] = &[
        (StageKind::Compute, [5, 6, 7], Derivatives::None, true, [3, 5, 2]),
        (StageKind::Compute, [6, 4, 2], Derivatives::Quads, false, [3, 1, 1]),
        (StageKind::Compute, [16, 16, 1], Derivatives::None, true, [11, 6, 0]),
        (StageKind::Mesh, [16, 16, 1], Derivatives::Quads, true, [11, 6, 0]),
    ];
    for &(stage, size, derivatives, reconfig, id) in cases {
        let module = module_text(stage, &[&format!("LocalSize {} {} {}", size[0], size[1], size[2])], "");
        let layout = laid_out(&module, &switches(derivatives, false, reconfig)).0.expect("a layout");
        let e = explain(&layout, id).expect("inside");
        assert_eq!(layout.lanes.as_ref().expect("lanes")[e.thread.0 as usize], id);
        let tiles = tiles(layout.micro, layout.macro_tile);
        text += &format!("{stage} {size:?} {tiles} {id:?}: thread {} wave {} lane {} ", e.thread, e.wave, e.lane);
        text += &format!("quad {}.{} hardware {:?} index {}\n", e.quad, e.quad_place, e.hardware_id, e.local_index);
        text += &e.steps.iter().map(|step| format!("    {step}\n")).collect::<String>();
        assert_eq!(explain(&layout, size), None, "outside");
    }
    insta::assert_snapshot!("explanations", text);
}

/// The explanation's numbers agree with the lanes for every invocation, and only mesh shaders keep the hardware's
/// index.
#[test]
fn explanations_agree_with_the_lanes() {
    for stage in ALL_STAGES {
        let module = module_text(stage, &["LocalSize 24 6 2"], "");
        for derivatives in [Derivatives::None, Derivatives::Quads] {
            let layout = laid_out(&module, &switches(derivatives, false, true)).0.expect("a layout");
            for (h, &[x, y, z]) in layout.lanes.as_ref().expect("lanes").iter().enumerate() {
                let h = h as u32;
                let e = explain(&layout, [x, y, z]).expect("inside");
                assert_eq!((e.thread.0, e.wave.0, e.lane.0), (h, h / layout.wave, h % layout.wave));
                assert_eq!((e.quad, e.quad_place), (h / 4, h % 4));
                assert_eq!(e.hardware_id, [h % 24, h / 24 % 6, h / 144]);
                assert_eq!(e.local_index, if stage == StageKind::Mesh { h } else { (z * 6 + y) * 24 + x });
            }
        }
    }
}

/// The value of `8·1 + 2·3 + 1`, `(0·4 + 1)·6 + 2`, `4 mod 3` or `7 div 2`.
fn value_of(text: &str) -> u32 {
    let number = |text: &str| text.trim().parse::<u32>().expect("a number");
    if let Some((a, b)) = text.split_once(" mod ") {
        return number(a) % number(b);
    }
    if let Some((a, b)) = text.split_once(" div ") {
        return number(a) / number(b);
    }
    if let Some((inner, rest)) = text.strip_prefix('(').and_then(|text| text.split_once(')')) {
        return value_of(&format!("{}{rest}", value_of(inner)));
    }
    text.split(" + ").map(|term| term.split('·').map(number).product::<u32>()).sum()
}

/// Each step's numbers give its value, and the steps named x, y and z give the invocation.
#[test]
fn every_step_of_an_explanation_adds_up() {
    for stage in ALL_STAGES {
        for size in ["16 16 1", "8 4 3", "6 4 2"] {
            let module = module_text(stage, &[&format!("LocalSize {size}")], "");
            for (derivatives, reconfig) in [
                (Derivatives::None, false),
                (Derivatives::Quads, false),
                (Derivatives::None, true),
                (Derivatives::Quads, true),
            ] {
                let layout = laid_out(&module, &switches(derivatives, false, reconfig)).0.expect("a layout");
                for &id in layout.lanes.as_ref().expect("lanes") {
                    let steps = explain(&layout, id).expect("inside").steps;
                    for step in &steps {
                        assert_eq!(value_of(&step.numbers), step.value, "{step}");
                    }
                    for (what, value) in ["x", "y", "z"].into_iter().zip(id) {
                        assert!(steps.iter().any(|step| step.what == what && step.value == value), "{what} of {id:?}");
                    }
                }
            }
        }
    }
}
