//! Hand-written sample artifacts for tests, benchmarks and the gallery of pictures.

use lanescope_core::dxil::{Dxil, Summary, hex_text};
use lanescope_core::graph::{self, GraphSource, Overrides};
use lanescope_core::ids::{Bytes, Component, Hex, Id, Location};
use lanescope_core::options::{Derivatives, LayoutRules, Options, PackingOrder};
use lanescope_core::packing::{
    At, AttributeBuiltIn, BuiltInSlot, Dropped, Export, InterfaceScalar, Interpolation, Mapping, Missing, Packing,
    Place, Saving, Slots, Span,
};
use lanescope_core::program::{Format, Input, LoadedDxil, StageKind};
use lanescope_core::report::{Report, SCHEMA};
use lanescope_core::workgroup::{DerivativeUse, GroupMap, Layout, Macro, Micro, Rule};
use lanescope_inspector::source::{Language, SourceText, TextRole};

mod compiled;
mod costs;
mod graph_run;
mod guessed_layouts;
mod hostile;
mod runs;

pub use compiled::{compiled, lit_report, lit_texts, long_compiled};
pub use costs::{cost, measured_cost};
pub use graph_run::{graph_run, many_records};
pub use guessed_layouts::{guessed_hit, guessed_layout_report, guessed_miss};
pub use hostile::{full_run, hostile_runs};
pub use runs::{compute_run, graphics_run, image_run, particles, probe, rewriting};

/// A report without artifacts.
pub fn empty_report() -> Report {
    Report {
        schema: SCHEMA,
        inputs: Vec::new(),
        options: Options::default(),
        stages: Vec::new(),
        pipeline: None,
        spec_constants: Vec::new(),
        packing: None,
        workgroup: Vec::new(),
        inner_packing: Vec::new(),
        group_map: None,
        dxil: None,
        graph: None,
        registers: Vec::new(),
        partial: Vec::new(),
        driver: Vec::new(),
        included: Vec::new(),
        driver_costs: Vec::new(),
        driver_failures: Vec::new(),
        driver_layouts: Vec::new(),
        driver_registers: Vec::new(),
        findings: Vec::new(),
    }
}

/// A report with that packing.
pub fn packing_report(packing: Packing) -> Report {
    Report { packing: Some(packing), ..empty_report() }
}

/// A report with that layout.
pub fn workgroup_report(layout: Layout) -> Report {
    Report { workgroup: vec![layout], ..empty_report() }
}

/// A pipeline's pixel shader and a compute shader with experimental ops, as in their containers, the texts
/// that show them, and the containers.
///
/// # Panics
/// Panics if a bundled sample cannot be read, which a test rules out.
pub fn containers() -> (Report, Vec<SourceText>, Vec<LoadedDxil>) {
    let files: [(&str, &[u8]); 2] = [
        ("lit_surface.ps.dxil", include_bytes!("../../../../samples/dxil/lit_surface.ps.dxil")),
        ("preview_matrix.cs.dxil", include_bytes!("../../../../samples/dxil/preview_matrix.cs.dxil")),
    ];
    let mut report = empty_report();
    let (mut texts, mut summaries, mut loaded) = (Vec::new(), Vec::new(), Vec::new());
    for (index, (name, bytes)) in files.into_iter().enumerate() {
        let dxil = Dxil::read(bytes.to_vec()).expect("a bundled sample is a container");
        let (format, hash) = (Format::Dxil, Hex(0));
        report.inputs.push(Input::new(name.to_owned(), format, Bytes(bytes.len() as u64), hash));
        report.findings.extend(dxil.findings(name, index));
        let program = dxil.disassembly().map(|program| program.text).unwrap_or_default();
        let listing = (format!("{name} (DXIL)"), TextRole::Listing, program);
        for (title, role, text) in [listing, (format!("{name} (bytes)"), TextRole::Bytes, hex_text(bytes))] {
            let (language, marks) = (Language::Dxil, Vec::new());
            texts.push(SourceText { title, language, input: index, role, text, marks, instructions: None });
        }
        summaries.push(dxil.summary(index));
        let (source, includes, entries, bindings) = (None, Vec::new(), Vec::new(), Vec::new());
        let (warnings, before) = (Vec::new(), Vec::new());
        loaded.push(LoadedDxil { input: index, dxil, source, includes, warnings, entries, before, bindings });
    }
    let (title, role) = ("lit_surface.ps.dxil (SPIR-V)".to_owned(), TextRole::Module(0));
    let (language, text, marks) = (Language::Spvasm, CONVERTED.to_owned(), Vec::new());
    texts.push(SourceText { title, language, input: 0, role, text, marks, instructions: None });
    let mut summaries = summaries.into_iter();
    report.dxil = summaries.next().map(|first| Summary { others: summaries.collect(), ..first });
    (report, texts, loaded)
}

/// A report about a bundled work graph: by the number of the sample, 1, 2, 5 or 7.
pub fn work_graph(number: u32) -> Report {
    let (name, bytes): (_, &[u8]) = match number {
        1 => ("01_tile_classify.dxil", include_bytes!("../../../../samples/work_graphs/01_tile_classify.dxil")),
        2 => {
            ("02_quadtree_recursion.dxil", include_bytes!("../../../../samples/work_graphs/02_quadtree_recursion.dxil"))
        }
        5 => ("05_sparse_array.dxil", include_bytes!("../../../../samples/work_graphs/05_sparse_array.dxil")),
        _ => ("07_wide_dag.dxil", include_bytes!("../../../../samples/work_graphs/07_wide_dag.dxil")),
    };
    let mut report = empty_report();
    let dxil = Dxil::read(bytes.to_vec()).expect("a bundled sample is a container");
    let (format, hash) = (Format::Dxil, Hex(0));
    report.inputs.push(Input::new(name.to_owned(), format, Bytes(bytes.len() as u64), hash));
    let graph = graph::link(graph::nodes(&dxil, 0), GraphSource::Dxil, &Overrides::default());
    report.findings.extend(graph::check(&graph));
    report.graph = Some(graph);
    report
}

/// A report about sample 5's graph and the nodes of a second file, which may be added to it.
pub fn grown_graph() -> Report {
    let mut report = work_graph(5);
    let bytes: &[u8] = include_bytes!("../../../../samples/work_graphs/additions/more_bins.dxil");
    let dxil = Dxil::read(bytes.to_vec()).expect("a bundled sample is a container");
    report.inputs.push(Input::new("more_bins.dxil".to_owned(), Format::Dxil, Bytes(bytes.len() as u64), Hex(0)));
    let Some(graph) = report.graph.take() else { return report };
    let nodes = [graph.nodes, graph::nodes(&dxil, 1)].concat();
    report.graph = Some(graph::link(nodes, GraphSource::Dxil, &Overrides::default()));
    report
}

/// Sample 7's graph, so often beside itself that it has 500 nodes, and more arrows.
pub fn large_graph() -> Report {
    let mut report = work_graph(7);
    let Some(graph) = report.graph.take() else { return report };
    let mut nodes = Vec::new();
    for copy in 0..500usize.div_ceil(graph.nodes.len().max(1)) {
        let own = |name: &str| format!("{name}_{copy}");
        for node in &graph.nodes {
            let mut node = node.clone();
            (node.id.name, node.name) = (own(&node.id.name), own(&node.name));
            for output in &mut node.outputs {
                output.target.name = own(&output.target.name);
            }
            nodes.push(node);
        }
    }
    report.graph = Some(graph::link(nodes, graph.source, &Overrides::default()));
    report
}

/// The design note's example under today's order: a vec3, a float, a flat 64-bit integer, a flat pair of 16-bit
/// integers, four 16-bit floats. Eight locations become four.
pub fn note_example() -> Packing {
    let mut sample = Sample::new(PackingOrder::Llpc);
    let normal = sample.variable("normal", Interpolation::Smooth, 32);
    for component in 0..3 {
        sample.used(normal, (0, component), (0, component, false));
    }
    let fog = sample.variable("fogFactor", Interpolation::Smooth, 32);
    sample.used(fog, (1, 0), (0, 3, false));
    let handle = sample.variable("textureHandle", Interpolation::Flat, 32);
    sample.used(handle, (2, 0), (2, 0, false));
    sample.used(handle, (2, 1), (2, 1, false));
    let material = sample.variable("materialId", Interpolation::Flat, 16);
    sample.used(material, (3, 0), (3, 0, false));
    sample.used(material, (3, 1), (3, 0, true));
    for (index, to) in [(0, false), (0, true), (1, false), (1, true)].into_iter().enumerate() {
        let names = ["roughness", "metallic", "occlusion", "emission"];
        let half = sample.variable(names[index], Interpolation::Smooth, 16);
        sample.used(half, (4 + index as u32, 0), (1, to.0, to.1));
    }
    sample.finish(4)
}

/// Everything that a slot grid can show: all classes, unread components, a dropped output, a missing input, built-ins.
pub fn every_case() -> Packing {
    let mut sample = Sample::new(PackingOrder::Llpc);
    let position = sample.variable("viewPosition", Interpolation::Smooth, 32);
    for component in 0..3 {
        sample.used(position, (0, component), (0, component, false));
    }
    let uv = sample.variable("uv", Interpolation::Smooth, 32);
    sample.used(uv, (1, 0), (0, 3, false));
    sample.used(uv, (1, 1), (1, 0, false));
    sample.unread(uv, (1, 2));
    sample.unread(uv, (1, 3));
    let line = sample.variable("lineDistance", Interpolation::NoPerspective, 32);
    sample.used(line, (2, 0), (1, 1, false));
    let shadow = sample.variable("shadowCoord", Interpolation::Smooth, 32);
    for component in 0..2 {
        sample.used(shadow, (3, component), (1, 2 + component, false));
        sample.never_written(shadow, (3, component));
    }
    sample.dropped("unusedTangentFrameFromTheVertexShader", (4, 0));
    sample.dropped("unusedTangentFrameFromTheVertexShader", (4, 1));
    sample.dropped("unusedTangentFrameFromTheVertexShader", (4, 2));
    let layer = sample.variable("layer", Interpolation::Flat, 32);
    sample.used(layer, (5, 0), (3, 0, false));
    let tint = sample.variable("tint", Interpolation::Smooth, 16);
    for component in 0..4_u8 {
        sample.used(tint, (6, component), (2, component / 2, component % 2 == 1));
    }
    let barycentric = sample.variable("corner", Interpolation::Custom, 32);
    for component in 0..3 {
        sample.used(barycentric, (7, component), (4, component, false));
    }
    let mut packing = sample.finish(5);
    packing.builtins = vec![
        BuiltInSlot { built_in: AttributeBuiltIn::PrimitiveId, location: Location(5), written: true },
        BuiltInSlot { built_in: AttributeBuiltIn::Layer, location: Location(6), written: true },
    ];
    packing
}

/// `count` locations, of which three components each are read: as large as interfaces get.
pub fn many_slots(count: u32) -> Packing {
    let mut sample = Sample::new(PackingOrder::Llpc);
    let mut place = 0_u32;
    for location in 0..count {
        let variable = sample.variable(&format!("varying{location}"), Interpolation::Smooth, 32);
        for component in 0..3 {
            sample.used(variable, (location, component), (place / 4, (place % 4) as u8, false));
            place += 1;
        }
        sample.unread(variable, (location, 3));
    }
    sample.finish(place.div_ceil(4))
}

/// A layout by the closed forms: thread `h` runs `lanes[h]`.
pub fn layout(size: [u32; 3], wave: u32, micro: Micro, macro_tile: Macro) -> Layout {
    let [x, y, z] = size.map(|side| side.max(1));
    let slice = x * y;
    let lanes = (0..slice * z)
        .map(|thread| {
            let t = thread % slice;
            let [lx, ly] = match (macro_tile, micro) {
                (Macro::Block8, Micro::Quads) => {
                    let q = t / 16;
                    [8 * (q / (y / 2)) + 2 * ((t / 4) % 4) + t % 2, 2 * (q % (y / 2)) + (t / 2) % 2]
                }
                (Macro::Block8, _) => [8 * (t / 8 / y) + t % 8, t / 8 % y],
                (Macro::None, Micro::Quads) => {
                    let q = t / 4;
                    [2 * (q % (x / 2)) + t % 2, 2 * (q / (x / 2)) + (t / 2) % 2]
                }
                (Macro::None, _) => [t % x, t / x],
            };
            [lx, ly, thread / slice]
        })
        .collect();
    let held = macro_tile == Macro::Block8;
    let rule = |rule: &str, held: bool, why: String| Rule { rule: rule.to_owned(), held, why };
    Layout {
        entry: "main".to_owned(),
        stage: StageKind::Compute,
        size,
        declared_size: size,
        derivatives: if micro == Micro::Quads { Derivatives::Quads } else { Derivatives::None },
        micro,
        macro_tile,
        layout_rules: LayoutRules::Llpc,
        force_swizzle: None,
        other_rules: None,
        folded: false,
        rules: vec![
            rule("quads", micro == Micro::Quads, "the entry point asks for derivative quads".to_owned()),
            rule(
                "force-8xN",
                held,
                format!("forced: {held}; X = {x}, Y = {y}; needs X ≥ 16, X mod 8 = 0, Y mod 4 = 0"),
            ),
            rule("reconfig-8xN", false, "reconfigure is off".to_owned()),
        ],
        lanes: Some(lanes),
        interleave: None,
        wave,
        derivative_uses: Vec::new(),
    }
}

/// The 8x8 group with derivative quads.
pub fn quads_8x8() -> Layout {
    layout([8, 8, 1], 32, Micro::Quads, Macro::None)
}

/// The same, with instructions that take derivatives.
pub fn with_derivatives() -> Layout {
    let row = |instruction: u32, opcode: &str, quad_rule: &str| DerivativeUse {
        instruction,
        opcode: opcode.to_owned(),
        quad_rule: quad_rule.to_owned(),
    };
    let derivative_uses = vec![
        row(63, "OpDPdx", "x: 1−0, 1−0, 3−2, 3−2; 2×2 invocations"),
        row(76, "OpImageSampleImplicitLod", "level of detail: x 1−0, y 2−0; 2×2 invocations"),
    ];
    Layout { derivative_uses, ..quads_8x8() }
}

/// The 16x16 group in strips eight wide.
pub fn strips_16x16(wave: u32) -> Layout {
    layout([16, 16, 1], wave, Micro::None, Macro::Block8)
}

/// 1,024 invocations with everything that a map can show.
pub fn large_layout() -> Layout {
    layout([32, 32, 1], 32, Micro::Quads, Macro::Block8)
}

/// The hardware's own walk: two numbers, no map.
pub fn hardware_walk() -> Layout {
    Layout { lanes: None, interleave: Some([3, 3]), ..strips_16x16(32) }
}

/// A dispatch of 10x9 groups in Morton tiles of 4x4.
pub fn group_map() -> GroupMap {
    let (tile, [width, height]) = (4_u32, [10_u32, 9_u32]);
    let (across, down) = (width / tile, height / tile);
    let mut ids = Vec::new();
    let even_bits = |v: u32| (0..4).fold(0, |sum, bit| sum | ((v >> (2 * bit)) & 1) << bit);
    for f in 0..across * down * tile * tile {
        let (at, inner) = (f / (tile * tile), f % (tile * tile));
        ids.push([at % across * tile + even_bits(inner), at / across * tile + even_bits(inner >> 1)]);
    }
    let (right, bottom) = (width - across * tile, height - down * tile);
    // The rest to the right row by row, the rest below column by column.
    ids.extend((0..right * down * tile).map(|f| [across * tile + f % right, f / right]));
    ids.extend((0..bottom * width).map(|f| [f / bottom, down * tile + f % bottom]));
    GroupMap { tile, groups: [width, height, 1], applies: true, ids }
}

/// Builds a packing scalar by scalar.
struct Sample {
    packing: Packing,
    variables: Vec<(String, Interpolation, u32)>,
}

#[derive(Clone, Copy)]
struct Variable(usize);

impl Sample {
    fn new(order: PackingOrder) -> Self {
        let packing = Packing {
            producer: Some(StageKind::Vertex),
            consumer: StageKind::Fragment,
            order,
            map: Vec::new(),
            spans: Vec::new(),
            dropped: Vec::new(),
            missing: Vec::new(),
            interface: Vec::new(),
            semantics: Vec::new(),
            output_linkage: None,
            builtins: Vec::new(),
            outputs: Vec::new(),
            raster_stream: 0,
            exports: Vec::new(),
            slots: Slots { before: 0, after: 0, per_primitive: 0 },
            saving: Saving::NONE,
            stored: None,
            fallback: None,
            per_patch: false,
        };
        Sample { packing, variables: Vec::new() }
    }

    fn variable(&mut self, name: &str, interpolation: Interpolation, bits: u32) -> Variable {
        self.variables.push((name.to_owned(), interpolation, bits));
        Variable(self.variables.len() - 1)
    }

    fn used(&mut self, variable: Variable, from: (u32, u8), to: (u32, u8, bool)) {
        let (name, interpolation, bits) = self.variables[variable.0].clone();
        let place =
            |location, component, half| Place { location: Location(location), component: Component(component), half };
        self.packing.map.push(Mapping {
            variable: name.as_str().into(),
            variable_id: id(variable),
            part: None,
            from: place(from.0, from.1, false),
            to: place(to.0, to.1, to.2),
            bits,
            interpolation,
            at: At::Center.into(),
            per_primitive: false,
            written: true,
        });
        let width = if bits == 16 { "16" } else { "32" };
        let class = match interpolation {
            Interpolation::Smooth | Interpolation::NoPerspective => "interpolated",
            Interpolation::Flat => "flat",
            Interpolation::Custom => "custom",
            Interpolation::PerPrimitive => "per primitive",
            Interpolation::Uninterpolated => "dword",
        };
        let key = match class {
            "flat" => 0x400,
            "custom" => 0x800,
            _ => 0,
        };
        self.packing.spans.push(Span {
            location: Location(from.0),
            component: Component(from.1),
            half_components: (bits / 16) as u8,
            class: format!("{width}-bit {class}").into(),
            key: key | if bits == 16 { 0x201 } else { 2 },
        });
        self.scalar(Some(variable), name, from, bits, interpolation);
    }

    fn unread(&mut self, variable: Variable, from: (u32, u8)) {
        let (name, interpolation, bits) = self.variables[variable.0].clone();
        self.scalar(Some(variable), name.clone(), from, bits, interpolation).used = false;
        self.drop_output(&name, from);
    }

    fn dropped(&mut self, name: &str, from: (u32, u8)) {
        self.scalar(None, name.to_owned(), from, 32, Interpolation::Smooth).used = false;
        self.drop_output(name, from);
    }

    fn never_written(&mut self, variable: Variable, from: (u32, u8)) {
        let place = (Location(from.0), Component(from.1));
        for scalar in self.packing.interface.iter_mut().filter(|s| (s.location, s.component) == place) {
            scalar.written = false;
            scalar.output_id = None;
        }
        for mapping in self.packing.map.iter_mut().filter(|m| (m.from.location, m.from.component) == place) {
            mapping.written = false;
        }
        self.packing.missing.push(Missing {
            variable: self.variables[variable.0].0.as_str().into(),
            variable_id: Some(id(variable)),
            location: place.0,
            component: place.1,
        });
    }

    fn drop_output(&mut self, name: &str, (location, component): (u32, u8)) {
        self.packing.dropped.push(Dropped {
            variable: name.into(),
            variable_id: Id(100),
            location: Location(location),
            component: Component(component),
            part: None,
            reason: "unread".into(),
        });
    }

    fn scalar(
        &mut self,
        variable: Option<Variable>,
        name: String,
        (location, component): (u32, u8),
        bits: u32,
        interpolation: Interpolation,
    ) -> &mut InterfaceScalar {
        let at = self.packing.interface.len();
        self.packing.interface.push(InterfaceScalar {
            variable: name.into(),
            input_id: variable.map(id),
            output_id: Some(Id(100 + location)),
            location: Location(location),
            component: Component(component),
            part: None,
            bits,
            interpolation,
            used: true,
            written: true,
        });
        &mut self.packing.interface[at]
    }

    /// Counts slots and adds the exports that follow.
    fn finish(mut self, after: u32) -> Packing {
        let mut before: Vec<_> = self.packing.interface.iter().map(|scalar| scalar.location).collect();
        before.sort_unstable();
        before.dedup();
        let before = before.len() as u32;
        for slot in 0..after {
            let here: Vec<_> = self.packing.map.iter().filter(|m| m.to.location == Location(slot)).collect();
            let bits = |written: bool| {
                here.iter().filter(|m| m.written == written).fold(0_u8, |mask, m| mask | 1 << m.to.component.0)
            };
            let (mask, missing) = (bits(true), bits(false));
            self.packing.exports.push(Export {
                slot: Location(slot),
                mask,
                first: Component(mask.trailing_zeros().min(3) as u8),
                undefined: missing & !mask,
            });
        }
        self.packing.slots = Slots { before, after, per_primitive: 0 };
        let bytes = |each: u64| [Bytes(each * u64::from(before)), Bytes(each * u64::from(after))];
        self.packing.saving =
            Saving { parameter_cache_per_vertex: bytes(16), lds_per_primitive: bytes(48), ..Saving::NONE };
        self.packing
    }
}

fn id(variable: Variable) -> Id {
    Id(10 + variable.0 as u32)
}

/// The beginning of what `lit_surface.ps.dxil` becomes.
const CONVERTED: &str = "\
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint Fragment %PSMain \"PSMain\" %NORMAL %FOG %MATERIAL %SV_Target
               OpExecutionMode %PSMain OriginUpperLeft
               OpDecorate %NORMAL Location 1
               OpDecorate %FOG Location 1
               OpDecorate %FOG Component 3
               OpDecorate %MATERIAL Flat
               OpDecorate %MATERIAL Location 3
       %void = OpTypeVoid
          %2 = OpTypeFunction %void
      %float = OpTypeFloat 32
";

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn layouts_are_permutations() {
        for sample in [quads_8x8(), strips_16x16(64), large_layout(), layout([6, 4, 2], 32, Micro::Quads, Macro::None)]
        {
            let lanes = sample.lanes.expect("a map");
            let ids: BTreeSet<_> = lanes.iter().collect();
            assert_eq!(ids.len(), sample.size.iter().product::<u32>() as usize);
            assert!(lanes.iter().all(|id| id.iter().zip(sample.size).all(|(at, size)| *at < size)));
        }
    }

    #[test]
    fn the_group_map_is_a_permutation() {
        let map = group_map();
        let ids: BTreeSet<_> = map.ids.iter().collect();
        assert_eq!(ids.len(), 90);
        assert_eq!(&map.ids[..4], &[[0, 0], [1, 0], [0, 1], [1, 1]]);
    }

    #[test]
    fn no_place_is_used_twice() {
        for sample in [note_example(), every_case(), many_slots(32)] {
            let to: BTreeSet<_> = sample.map.iter().map(|mapping| mapping.to).collect();
            assert_eq!(to.len(), sample.map.len());
        }
    }
}
