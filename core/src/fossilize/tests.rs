//! Descriptions written to a database read back.

use std::io::Cursor;

use super::*;
use crate::ids::{Bytes, Hex};
use crate::options::Options;
use crate::pipeline::foz::{Database, open};
use crate::pipeline::layout::{Binding, DescriptorSet, Sampler, StageMask};
use crate::pipeline::vulkan::{CompareOp, DescriptorType, DynamicState, Filter};
use crate::pipeline::{Multisample, Pipeline, PipelineKind, Raster, StageDescription};
use crate::program::{Format, Input, LoadedModule, Program, Stage, StageKind};
use lanescope_testing::glsl;

fn described() -> Pipeline {
    let mut pipeline = Pipeline::new(Format::Glsl, PipelineKind::Graphics);
    let sampler = Sampler {
        hash: Hex(7),
        filter: Some([Filter(1), Filter(0)]),
        compare: Some(CompareOp(3)),
        lod: Some([0.5, 0.0, 4.0]),
        ..Sampler::default()
    };
    let binding = Binding {
        binding: 2,
        ty: DescriptorType(1),
        count: 2,
        stages: [StageKind::Fragment].into_iter().collect::<StageMask>(),
        flags: 2,
        immutable_samplers: vec![sampler.clone(), sampler],
        mutable_types: Vec::new(),
    };
    pipeline.layout.sets = vec![DescriptorSet { set: 0, hash: None, flags: 0, bindings: vec![binding] }];
    pipeline.state.raster = Some(Raster { stream: Some(1), ..Raster::default() });
    pipeline.state.multisample =
        Some(Multisample { samples: Some(4), mask: vec![5], alpha_to_coverage: Some(true), ..Multisample::default() });
    pipeline.state.viewports = Some([2, 2]);
    pipeline.state.dynamic = vec![DynamicState(4)];
    pipeline.stages.push(StageDescription {
        stage: StageKind::Fragment,
        entry: "main".to_owned(),
        entry_assumed: false,
        module: Some(0),
        shader: String::new(),
        from: String::new(),
        subgroup_size: None,
        flags: vec!["varying subgroup size".to_owned(), "0x10".to_owned()],
        constants: Vec::new(),
        settings: Vec::new(),
    });
    pipeline
}

#[test]
fn layout_and_state_round_trip() {
    let source = "layout(set = 0, binding = 2) uniform sampler2D t[2]; layout(location = 0) out vec4 o;
        void main() { o = texture(t[1], vec2(0)); }";
    let module = glsl(StageKind::Fragment, source);
    let program = Program {
        inputs: vec![Input::new("a.frag".to_owned(), Format::Glsl, Bytes(0), Hex(0))],
        modules: vec![LoadedModule::new(0, module)],
        stages: vec![Stage { stage: StageKind::Fragment, entry: "main".to_owned(), module: 0, entry_index: 0 }],
        pipeline: Some(Box::new(described())),
        ..Program::default()
    };
    let mut writer = Writer::new(Vec::new(), false).expect("memory");
    let made = make(&program, &Options::default(), &mut writer).expect("makes one");
    let database = Database::open(vec![("a.foz".to_owned(), Cursor::new(writer.finish().expect("memory")))])
        .map_err(|(_, fault)| fault)
        .expect("opens");
    let place = *database.find(made.tag, made.pipeline.0).expect("listed");
    let read = open(&database, &place).unwrap_or_else(|fault| panic!("{fault}")).pipeline;
    assert_eq!(read.findings, []);
    let wanted = described();
    let sets = |pipeline: &Pipeline| pipeline.layout.sets.iter().map(|set| set.bindings.clone()).collect::<Vec<_>>();
    assert_eq!(sets(&read), sets(&wanted));
    assert_eq!(read.state.raster.and_then(|raster| raster.stream), Some(1));
    let samples = read.state.multisample.expect("samples");
    assert_eq!((samples.samples, samples.mask, samples.alpha_to_coverage), (Some(4), vec![5], Some(true)));
    assert_eq!(read.state.viewports, Some([2, 2]));
    assert_eq!(read.state.dynamic, [DynamicState(0), DynamicState(1), DynamicState(4)]);
    assert_eq!(read.stages[0].flags, wanted.stages[0].flags);
}
