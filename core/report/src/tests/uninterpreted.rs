//! Texts of compilers that are not interpreted, and texts that are not understood: nothing is stated of what they read.

use std::path::{Path, PathBuf};

use crate::{Compilations, DriverSections, analyse};
use lanescope_driver::isa::IsaFacts;
use lanescope_driver::layout::{DriverPlace, LayoutRule, Reason, Unknown, varying_accesses};
use lanescope_driver::verified::Verified;
use lanescope_driver::{Compilation, CompiledPipeline, Executable, Link, Representation, Version};
use lanescope_model::options::Options;
use lanescope_model::program::StageKind;

/// What a driver returns of one stage.
struct Stage<'t> {
    kind: StageKind,
    name: &'t str,
    subgroup: u32,
    /// The driver's name for its machine code, and the code.
    code: (&'t str, &'t str),
    nir: &'t str,
}

fn compilation(driver: &str, link: Link, stages: &[Stage<'_>]) -> Compilation {
    let executable = |stage: &Stage<'_>| Executable {
        name: stage.name.to_owned(),
        description: String::new(),
        stages: vec![stage.kind],
        subgroup_size: stage.subgroup,
        statistics: Vec::new(),
        texts: [("Final NIR", stage.nir), stage.code]
            .map(|(name, text)| Representation {
                name: name.to_owned(),
                description: String::new(),
                text: text.to_owned(),
            })
            .to_vec(),
    };
    let pipeline = CompiledPipeline {
        stages: vec![StageKind::Vertex, StageKind::Fragment],
        entries: vec!["main".to_owned(); 2],
        nanoseconds: 1,
        executables: stages.iter().map(executable).collect(),
    };
    Compilation {
        device: "a device".to_owned(),
        driver: driver.to_owned(),
        chip: None,
        icd: None,
        of: Version::Original,
        link,
        pipelines: vec![pipeline],
        peak_memory: None,
        handed_on: Vec::new(),
        notes: Vec::new(),
    }
}

fn sections(compilation: &Compilation) -> DriverSections {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let files: Vec<PathBuf> =
        ["vert", "frag"].iter().map(|kind| folder.join(format!("flat_and_smooth.{kind}"))).collect();
    let program = lanescope_load::load(&files, &[]).unwrap_or_else(|error| panic!("{error}"));
    let report = analyse(&program, &Options::default()).expect("is analysed");
    let from = Compilations { compiled: vec![(compilation, false)], ..Compilations::default() };
    DriverSections::of(&program, &report, &from)
}

const VERTEX_NIR: &str = "shader: MESA_SHADER_VERTEX\noutputs_written: 0,32-36\n";
/// NAK's form names no location; ir3's and ANV's do.
const NAK_NIR: &str = "shader: MESA_SHADER_FRAGMENT\ninputs_read: 32-36\nimpl main {\n\
    div 32     %1 = @ipa_nv (%0 (0x0), %0 (0x0)) (base=128, flags=0)\n";
const IO_NIR: &str = "shader: MESA_SHADER_FRAGMENT\ninputs_read: 32-36\nimpl main {\n\
    32     %75 = load_const (0x00000000)\n\
    32x2   %76 = @load_barycentric_pixel (interp_mode=INTERP_MODE_SMOOTH)\n\
    32x2  %136 = @load_interpolated_input (%76, %75 (0x0)) (base=0, component=0, io location=VARYING_SLOT_VAR0 slots=1)\n\
    32     %35 = fadd %136.x, %136.y\n";
const NAK: &str = "block.u 0 L0 [] -> {\n r3  = ipa.pass a[0x80] rZ          // delay=1 wr:1\n \
    r4  = ipa.constant a[0x90] rZ      // delay=1 wr:4\n \
    exit // delay=1\n} -> []\n";
const IR3: &str = "@in(r0.x)\tin0 (wrmask=0x3)\n(rpt1)bary.f r1.z, (r)0, (last)r0.x\nflat.b r3.y, 12, 12\nend\n";
const GEN: &str = "mad(8)          g24<1>F         g8.3<0,1,0>F    g8.1<0,1,0>F    g3<1,1,1>F { align1 1Q };\n\
    sendc(8)        nullUD          g123UD          nullUD          0x08031400                0x00000000\n\
    \x20               render MsgDesc: RT write SIMD8 LastRT Surface = 0 mlen 4 ex_mlen 0 rlen 0 { align1 1Q EOT };\n";
const NO_DISASSEMBLER: &str = "Shader disassembly is not supported in the current configuration.\n";

#[test]
fn nothing_is_stated_of_texts_that_are_not_interpreted() {
    for (driver, code, nir) in [
        ("llvmpipe Mesa 22.3.6 (LLVM 15.0.6)", ("Assembly", "\tmovaps %xmm0, %xmm1\n"), IO_NIR),
        // Another compiler of the same chips prints what looks alike.
        ("AMD open-source driver 2024.Q4.3 (LLPC)", ("Assembly", "\tv_nop\n\ts_endpgm\n"), IO_NIR),
        ("radv Mesa 22.3.6", ("Assembly", NO_DISASSEMBLER), IO_NIR),
        ("radv Mesa 22.3.6", ("Assembly", ""), IO_NIR),
    ] {
        for found in nothing_of_amd(driver, code, nir) {
            assert_eq!(found.layouts, [], "{driver}");
            for row in &found.stages {
                assert!(!row.is_interpreted() && row.read_text().is_none(), "{driver}");
                assert!(row.facts.is_none(), "{driver}");
                let access = varying_accesses(&found.layouts, &found.stages, row, &IsaFacts::default());
                assert_eq!(access.unknown, Some(Unknown::NotInterpreted), "{driver}");
            }
            // Only of texts of a known form it is said that they are not understood.
            assert_eq!(found.findings.is_empty(), !driver.contains("radv") || code.1.is_empty(), "{driver}");
        }
    }
}

#[test]
fn texts_of_other_vendors_are_read_and_say_nothing_of_amd() {
    for (driver, code, nir, reads) in [
        ("NVK Mesa 26.2.6", ("NAK assembly", NAK), NAK_NIR, 2),
        ("turnip Mesa driver Mesa 26.2.6", ("IR3 Assembly", IR3), IO_NIR, 3),
        // Its inputs are delivered in registers.
        ("Intel open-source Mesa driver Mesa 22.3.6", ("GEN Assembly", GEN), IO_NIR, 0),
    ] {
        for found in nothing_of_amd(driver, code, nir) {
            for row in &found.stages {
                let facts = row.facts.as_ref().expect("they are read");
                assert!(
                    row.is_interpreted() && facts.interpolations.is_empty() && facts.exports.is_empty(),
                    "{driver}"
                );
                assert_eq!(facts.inputs.len(), reads, "{driver}");
                let access = varying_accesses(&found.layouts, &found.stages, row, &IsaFacts::default());
                assert_eq!(access.unknown, Some(Unknown::OtherCompiler), "{driver}");
            }
            assert_eq!(found.findings.len(), usize::from(driver.contains("turnip")), "without remarks: {driver}");
        }
    }
}

/// The sections of two stages, linked in each way: without AMD's rules of layouts, registers or origins.
fn nothing_of_amd(driver: &str, code: (&str, &str), nir: &str) -> Vec<DriverSections> {
    let stage = |kind, nir| Stage { kind, name: "a stage", subgroup: 32, code, nir };
    let of = |link: &Link| {
        let stages = [stage(StageKind::Vertex, VERTEX_NIR), stage(StageKind::Fragment, nir)];
        let found = sections(&compilation(driver, *link, &stages));
        let places = found.layouts.iter().flat_map(|table| &table.rows).flat_map(|row| &row.driver);
        let rules = [None, Some(LayoutRule::Kept), Some(LayoutRule::ValueUnneeded), Some(LayoutRule::Unattributed)];
        assert!(places.map(|place| place.rule).all(|rule| rules.contains(&rule)), "{driver}: {}", code.1);
        assert_eq!((&found.registers, found.stages.len()), (&Vec::new(), 2), "{driver}");
        assert!(found.stages.iter().all(|row| row.read_isa().is_none()), "{driver}");
        assert!(found.stages.iter().all(|row| row.attributes.is_empty() && row.origins.is_empty()), "{driver}");
        found
    };
    Link::ALL.iter().map(of).collect()
}

#[test]
fn executables_of_one_name_are_distinguished() {
    let stage = |kind, name, subgroup| Stage { kind, name, subgroup, code: ("GEN Assembly", GEN), nir: IO_NIR };
    let names = |stages: &[Stage<'_>]| {
        let found = sections(&compilation("Intel open-source Mesa driver Mesa 22.3.6", Link::Whole, stages));
        assert!(found.stages.iter().all(|row| row.verified == Some(Verified::Yes)));
        found.stages.into_iter().map(|row| row.name).collect::<Vec<_>>()
    };
    let (vertex, fragment) = (StageKind::Vertex, StageKind::Fragment);
    assert_eq!(
        names(&[stage(vertex, "vertex", 8), stage(fragment, "fragment", 8), stage(fragment, "fragment", 16)]),
        ["vertex", "fragment (subgroup 8)", "fragment (subgroup 16)"]
    );
    assert_eq!(
        names(&[
            stage(fragment, "fragment", 8),
            stage(fragment, "fragment", 8),
            stage(fragment, "SIMD16 fragment", 16)
        ]),
        ["fragment (1 of 2)", "fragment (2 of 2)", "SIMD16 fragment"]
    );
}

/// The places of a compiler of another vendor, by the names of the scalars.
fn driver_places(driver: &str, code: (&str, &str)) -> Vec<(String, DriverPlace)> {
    let stage = |kind, nir| Stage { kind, name: "a stage", subgroup: 32, code, nir };
    let stages = [stage(StageKind::Vertex, VERTEX_NIR), stage(StageKind::Fragment, IO_NIR)];
    let found = sections(&compilation(driver, Link::Whole, &stages));
    let [table] = found.layouts.try_into().expect("one table");
    table.rows.iter().map(|row| (row.name(), row.driver[0].clone())).collect()
}

/// As text: `uv.x 0.x`, and the rule if any.
fn places(driver: &str, code: (&str, &str)) -> Vec<String> {
    let rule = |place: &DriverPlace| place.rule.map_or(String::new(), |rule| format!(" {rule}"));
    driver_places(driver, code).iter().map(|(name, place)| format!("{name} {place}{}", rule(place))).collect()
}

/// What the last stage before the rasterizer exports, by what the column says.
fn exported(before: &[(StageKind, &str)]) -> Option<u32> {
    let fragment = listing("nak/mesa-26.2.6/flat_and_smooth.fragment.nv170.s");
    let all = before.iter().copied().chain([(StageKind::Fragment, fragment.as_str())]);
    let stage =
        |(kind, text)| Stage { kind, name: "a stage", subgroup: 32, code: ("NAK assembly", text), nir: VERTEX_NIR };
    let stages: Vec<Stage<'_>> = all.map(stage).collect();
    let found = sections(&compilation("NVK Mesa 26.2.6", Link::Whole, &stages));
    let [table] = found.layouts.try_into().expect("one table");
    table.columns[0].slots
}

#[test]
fn what_the_last_stage_before_the_rasterizer_exports_is_counted() {
    let stores = |locations: u32| {
        let one = |at: u32| format!(" ast a[{:#x}] r0 // delay=1\n", 0x80 + 16 * at);
        format!("block.u 0 L0 [] -> {{\n{} exit // delay=1\n}} -> []\n", (0..locations).map(one).collect::<String>())
    };
    let [two, five] = [stores(2), stores(5)];
    let (vertex, evaluation, geometry) = (StageKind::Vertex, StageKind::TessEval, StageKind::Geometry);
    assert_eq!(exported(&[(vertex, &five)]), Some(5));
    assert_eq!(exported(&[(vertex, &five), (geometry, &two)]), Some(2), "what the vertex shader exports is not seen");
    assert_eq!(exported(&[(geometry, &two), (evaluation, &five)]), Some(2));
    assert_eq!(exported(&[(vertex, &two), (vertex, &five)]), Some(5), "the most of its executables");
    let unread = format!("{five}\nnew words\n");
    assert_eq!(exported(&[(vertex, &five), (vertex, &unread)]), None, "one of them does not say");
    assert_eq!(exported(&[(vertex, &five), (geometry, &unread)]), None);
}

/// The listing of the sample that [`sections`] is of.
fn listing(path: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../driver/tests/data/texts");
    std::fs::read_to_string(folder.join(path)).expect("a text")
}

#[test]
fn nvk_keeps_locations_where_its_text_shows_it() {
    let text = listing("nak/mesa-26.2.6/flat_and_smooth.fragment.nv170.s");
    let nak = |text: &str| places("NVK Mesa 26.2.6", ("NAK assembly", text));
    insta::assert_snapshot!(nak(&text).join("\n"));
    // An address that is no scalar of the program: the formula does not hold.
    let other = nak(&text.replace("a[0xa0]", "a[0x180]"));
    assert!(other.iter().all(|place| place.ends_with("unattributed")), "{other:?}");
    // A line that is not understood may read any address.
    let other = nak(&format!("{text}\nnew words\n"));
    assert!(other.iter().all(|place| place.ends_with("unattributed")), "{other:?}");
}

#[test]
fn nothing_is_stated_of_turnip_where_its_form_and_its_assembly_differ() {
    let text = listing("ir3/mesa-26.2.6/flat_and_smooth.fragment.adreno750.s");
    // Its form loads two channels.
    let one = IR3.replace("12, 12", "2, 2")
        + "; FRAG: inputs: r0.w (VARYING_SLOT_VAR0 slot=32 cm=7,il=0,b=1) \
        r0.x (SYSTEM_VALUE_BARYCENTRIC_PERSP_PIXEL slot=59 cm=3,il=0,b=0)\n; FRAG: outputs: r1.z (FRAG_RESULT_DATA0)\n";
    for text in [text, one] {
        let found = driver_places("turnip Mesa driver Mesa 26.2.6", ("IR3 Assembly", &text));
        assert_eq!(found.len(), 10);
        for (name, place) in found {
            let expected = (None, Some(LayoutRule::Unattributed), Some(Reason::TextsDiffer));
            assert_eq!((place.attribute, place.rule, place.reason), expected, "{name}");
        }
    }
}

#[test]
fn the_coordinates_of_a_texture_that_turnip_fetches_first_are_channels() {
    let text = "@in(r0.x)\tin0 (wrmask=0x3)\n\
        @tex(r0.z)\tsrc=5, bindless=1, samp=1, tex=0, wrmask=0x7, opc=sam\nbary.f r1.z, 0, (last)r0.x\nend\n\
        ; FRAG: outputs: r0.z (FRAG_RESULT_DATA0)\n\
        ; FRAG: inputs: r1.z (VARYING_SLOT_VAR0 slot=32 cm=1,il=0,b=1) r63.x (VARYING_SLOT_VAR1 slot=33 cm=f,il=4,b=1) \
        r0.x (SYSTEM_VALUE_BARYCENTRIC_PERSP_PIXEL slot=59 cm=3,il=0,b=0)\n";
    let column = |text: &str| {
        let code = ("IR3 Assembly", text);
        let stage = Stage { kind: StageKind::Fragment, name: "a stage", subgroup: 32, code, nir: IO_NIR };
        let found = sections(&compilation("turnip Mesa driver Mesa 26.2.6", Link::Whole, &[stage]));
        let [table] = found.layouts.try_into().expect("one table");
        (table.columns[0].attributes, table.columns[0].at_least)
    };
    assert_eq!(column(text), (2, false));
    assert_eq!(column(&text.replace("opc=sam", "opc=isam")), (1, true), "it may read any input");
    assert_eq!(column(&text.replace("FRAG: inputs", "FRAG: others")), (0, true));
    assert_eq!(column(&text.replace("r0.x (SYSTEM", "r0.y (SYSTEM")), (2, true), "what is declared is not listed");
}
