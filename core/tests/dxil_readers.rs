//! Our reader of DXIL containers compared with dxil-spirv's: both must agree on every sample.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use dxil_spirv::binding::{
    Bindless, CbvVulkanBinding, D3dBinding, D3dShaderStageIo, ResourceKind, SrvVulkanBinding, UavVulkanBinding,
    VulkanBinding, VulkanDescriptorType, VulkanShaderStageIo, VulkanShaderStageIoFlags,
};
use dxil_spirv::options::ConverterOption;
use dxil_spirv::{Converter, ParsedBlob};
use lanescope_core::dxil::metadata::{EntryPoint, SignatureElement};
use lanescope_core::dxil::{Dxil, escaped};

/// Every sample: its name, both readers' view of it.
fn samples() -> Vec<(String, Dxil, ParsedBlob)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let mut paths: Vec<PathBuf> = ["dxil", "work_graphs"]
        .iter()
        .flat_map(|name| std::fs::read_dir(folder.join(name)).expect("the samples are there"))
        .map(|entry| entry.expect("reads").path())
        .filter(|path| path.extension().is_some_and(|e| e == "dxil"))
        .collect();
    paths.sort();
    assert!(paths.len() >= 34, "{}", paths.len());
    let read = |path: PathBuf| {
        let file = std::fs::read(&path).expect("reads");
        let theirs = ParsedBlob::parse(&file).expect("dxil-spirv reads it");
        let ours = Dxil::read(file).expect("we read it");
        (path.file_name().expect("a name").to_string_lossy().into_owned(), ours, theirs)
    };
    paths.into_iter().map(read).collect()
}

fn entries(dxil: &Dxil) -> &[EntryPoint] {
    &dxil.program.as_ref().expect("a program").dx.entries
}

/// The name of an entry point's function.
fn function(entry: &EntryPoint) -> &str {
    entry.function.as_deref().unwrap_or(&entry.name)
}

#[test]
fn entry_points_are_those_that_dxil_spirv_finds() {
    let mut count = 0;
    for (name, ours, theirs) in samples() {
        let found = theirs.num_entry_points().expect("counts");
        let mut found: Vec<String> =
            (0..found).map(|index| escaped(theirs.entry_point_name(index).expect("has a name").as_bytes())).collect();
        let mut mine: Vec<&str> = entries(&ours).iter().map(function).collect();
        mine.sort_unstable();
        found.sort();
        assert_eq!(mine, found, "{name}");
        count += mine.len();
    }
    assert!(count > 60, "{count}");
}

#[test]
fn nodes_are_those_that_dxil_spirv_finds() {
    let (mut nodes, mut outputs) = (0, 0);
    for (name, ours, theirs) in samples() {
        for index in 0..theirs.num_entry_points().expect("counts") {
            let their_name = theirs.entry_point_name(index).expect("has a name");
            let entry = entries(&ours).iter().find(|entry| function(entry) == escaped(their_name.as_bytes()));
            let entry = entry.expect("we have the entry point");
            let input = theirs.entry_point_node_input(index).expect("answers");
            let place = format!("{name}, {their_name}");
            let Some(node) = &entry.properties.node else {
                assert_eq!(input.launch_type, 0, "{place} is no node");
                continue;
            };
            nodes += 1;
            let launch = ["invalid", "broadcasting", "coalescing", "thread"][input.launch_type as usize];
            assert_eq!((&*node.launch, node.program_entry), (launch, input.is_program_entry), "{place}");
            assert_eq!((&node.name, node.index), (&input.node_id, input.node_array_index), "{place}");
            assert_eq!(node.max_recursion.unwrap_or(0), input.recursion_factor, "{place}");
            let arguments = node.local_root_arguments.unwrap_or(u32::MAX);
            assert_eq!(arguments, input.local_root_arguments_table_index, "{place}");
            let shares = node.shares_input_of.clone().unwrap_or_default();
            assert_eq!(shares, (input.node_share_input_id, input.node_share_input_array_index), "{place}");
            if &*node.launch == "broadcasting" {
                assert_eq!(node.max_grid.or(node.grid), Some(input.broadcast_grid), "{place}");
                assert_eq!(node.max_grid.is_some(), input.dispatch_grid_is_upper_bound, "{place}");
            }
            let record = node.inputs.first();
            // It counts the word in which the groups that share a record signal that they are done.
            let shared = if input.node_track_rw_input_sharing { 4 } else { 0 };
            let bytes = record.and_then(|record| record.record_bytes).unwrap_or(0);
            assert_eq!(bytes + shared, input.payload_stride, "{place}");
            let grid = record.and_then(|record| record.grid.clone());
            assert_eq!(grid.map_or(0, |(_, _, components)| components), input.dispatch_grid_components, "{place}");
            assert_eq!(
                node.outputs.len(),
                theirs.entry_point_num_node_outputs(index).expect("counts") as usize,
                "{place}"
            );
            for (at, mine) in (0..).zip(&node.outputs) {
                let output = theirs.entry_point_node_output(index, at).expect("answers");
                let target = mine.target.clone().expect("goes somewhere");
                assert_eq!(target, (output.node_id, output.node_array_index), "{place}, output {at}");
                assert_eq!(mine.sparse, output.sparse_array, "{place}, output {at}");
                assert_eq!(mine.array_size.unwrap_or(1), output.node_array_size.max(1), "{place}, output {at}");
                if mine.shares_max_with.is_none() {
                    assert_eq!(mine.max_records.unwrap_or(0), output.max_records, "{place}, output {at}");
                }
                outputs += 1;
            }
        }
    }
    assert!(nodes > 30 && outputs > 30, "{nodes} nodes, {outputs} outputs");
}

#[test]
fn subobjects_are_those_that_dxil_spirv_finds() {
    let mut count = 0;
    for (name, ours, theirs) in samples() {
        let mine: Vec<&str> =
            ours.rdat.iter().flat_map(|rdat| &rdat.subobjects).map(|subobject| subobject.name.as_str()).collect();
        let found: Vec<String> = (0..theirs.num_rdat_subobjects())
            .map(|index| theirs.rdat_subobject(index).expect("is there").name)
            .collect();
        assert_eq!(mine, found, "{name}");
        count += mine.len();
    }
    assert!(count > 2, "{count}");
}

/// Class, space, first register, count.
type Register = (String, u32, u32, u32);

/// What the converter's callbacks say of one entry point: elements of its interface (input or not, semantic, index),
/// and registers.
#[derive(Default, Clone)]
struct Seen {
    elements: Arc<Mutex<Vec<(bool, String, u32)>>>,
    registers: Arc<Mutex<Vec<Register>>>,
}

impl Seen {
    fn of(parsed: &ParsedBlob, entry: Option<&str>, node: bool) -> Seen {
        let seen = Seen::default();
        let mut converter = Converter::new(parsed).expect("a converter");
        if let Some(entry) = entry {
            converter.set_entry_point(entry).expect("has the entry point");
        }
        // What nodes, and loads of 16 bits, need to be converted at all.
        for option in [
            ConverterOption::ScalarBlockLayout { supported: true, supports_per_component_robustness: false },
            ConverterOption::SsboAlignment { alignment: 1 },
            ConverterOption::StorageInputOutput16Bit { supported: true },
            ConverterOption::TypedUavReadWithoutFormat { supported: true },
        ] {
            converter.add_option(&option).expect("is an option");
        }
        if node {
            let blocks = ConverterOption::RootConstantInlineUniformBlock { desc_set: 3, binding: 0, enable: true };
            converter.add_option(&ConverterOption::PhysicalStorageBuffer { enable: true }).expect("is an option");
            converter.add_option(&blocks).expect("is an option");
        }
        converter.set_stage_input_remapper(seen.element(true));
        converter.set_stage_output_remapper(seen.element(false));
        let (srv, uav) = (seen.register("srv"), seen.register("uav"));
        let (cbv, sampler) = (seen.register("cbv"), seen.register("sampler"));
        converter.set_srv_remapper(move |binding| {
            let at = srv(binding);
            Some(SrvVulkanBinding { buffer_binding: at, offset_binding: at })
        });
        converter.set_uav_remapper(move |binding| {
            let at = uav(&binding.binding);
            Some(UavVulkanBinding { buffer_binding: at, counter_binding: at, offset_binding: at })
        });
        converter.set_cbv_remapper(move |binding| Some(CbvVulkanBinding::Uniform(cbv(binding))));
        converter.set_sampler_remapper(move |binding| Some(sampler(binding)));
        // The words that follow are not checked here: locations overlap.
        let _ = converter.run();
        seen
    }

    fn element(&self, input: bool) -> impl Fn(&D3dShaderStageIo) -> Option<VulkanShaderStageIo> + use<> {
        let elements = self.elements.clone();
        move |io| {
            elements.lock().expect("one thread").push((input, io.semantic.clone(), io.semantic_index));
            let flags = VulkanShaderStageIoFlags::None;
            Some(VulkanShaderStageIo { location: io.start_row, component: 0, flags })
        }
    }

    fn register(&self, class: &'static str) -> impl Fn(&D3dBinding) -> VulkanBinding + use<> {
        let registers = self.registers.clone();
        move |binding| {
            let row = (class.to_owned(), binding.register_space, binding.register_index, binding.range_size);
            registers.lock().expect("one thread").push(row);
            VulkanBinding {
                set: 0,
                binding: binding.register_index,
                root_constant_index: 0,
                bindless: Bindless { heap_root_offset: 0, use_heap: false },
                descriptor_type: match binding.kind {
                    ResourceKind::RawBuffer | ResourceKind::StructuredBuffer => VulkanDescriptorType::Ssbo,
                    _ => VulkanDescriptorType::Identity,
                },
            }
        }
    }
}

/// What was seen, each once.
fn sorted<T: Ord + Clone>(seen: &Arc<Mutex<Vec<T>>>) -> Vec<T> {
    let mut all = seen.lock().expect("one thread").clone();
    all.sort();
    all.dedup();
    all
}

/// Shader models after the last released one hold ops that stop the converter before it has met everything.
fn is_released(dxil: &Dxil) -> bool {
    let header = &dxil.program.as_ref().expect("a program").header;
    (header.major, header.minor) <= (6, 9)
}

/// The converter's own callbacks say which interface elements it met.
#[test]
fn signatures_are_those_that_dxil_spirv_finds() {
    let mut count = 0;
    for (name, ours, theirs) in samples() {
        let kind = ours.program.as_ref().expect("a program").header.kind;
        // Libraries have no signatures, and of a mesh shader's interface it names no semantics.
        if kind == 6 || kind == 13 || !is_released(&ours) {
            continue;
        }
        let entry = entries(&ours).first().expect("an entry point");
        let user = |input: bool, list: &[SignatureElement]| {
            let rows = list.iter().filter(|element| element.kind == "none").map(move |element| {
                let index = element.indices.first().copied().unwrap_or(0);
                (input, element.semantic.clone(), index)
            });
            rows.collect::<Vec<_>>()
        };
        let signatures = &entry.signatures;
        let mut mine = user(true, &signatures.input);
        mine.extend(user(false, &signatures.output));
        mine.extend(user(entry.kind == "domain", &signatures.patch));
        mine.sort();
        mine.dedup();
        let seen = Seen::of(&theirs, None, false);
        assert_eq!(mine, sorted(&seen.elements), "{name}");
        count += mine.len();
    }
    assert!(count > 40, "{count}");
}

/// ... and which registers. What a library's entry points use together is what the library declares.
#[test]
fn resources_are_those_that_dxil_spirv_finds() {
    let mut count = 0;
    for (name, ours, theirs) in samples() {
        if !is_released(&ours) {
            continue;
        }
        let all = Seen::default();
        for index in 0..theirs.num_entry_points().expect("counts") {
            let entry = theirs.entry_point_name(index).expect("has a name");
            let mine = entries(&ours).iter().find(|mine| function(mine) == escaped(entry.as_bytes()));
            let node = mine.is_some_and(|mine| mine.properties.node.is_some());
            let seen = Seen::of(&theirs, Some(&entry), node);
            all.registers.lock().expect("one thread").extend(sorted(&seen.registers));
        }
        let resources = ours.resources();
        let mut mine: Vec<Register> =
            resources.iter().map(|r| (r.class.to_string(), r.space, r.lower, r.count.unwrap_or(u32::MAX))).collect();
        mine.sort();
        assert_eq!(mine, sorted(&all.registers), "{name}");
        count += mine.len();
    }
    assert!(count > 30, "{count}");
}

/// The converter decodes all of the reflection part, and checks little of it.
#[test]
fn reflection_is_read_whole_before_a_converter_sees_it() {
    for (name, dxil, _) in samples() {
        assert_eq!(dxil.has_whole_reflection(), dxil.reflection.is_some(), "{name}");
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/regressions/dxil");
    for name in ["reflection_attributes.dxil", "reflection_abbreviation.dxil"] {
        let file = std::fs::read(folder.join(name)).expect("is there");
        let dxil = Dxil::read(file).expect("is a container");
        assert!(dxil.reflection.is_some() && !dxil.has_whole_reflection(), "{name}");
    }
}

/// An entry point that metadata names, and that is only declared, has no block to begin with.
#[test]
fn entry_points_without_a_body_are_not_converted() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/regressions/dxil/entry_without_body.dxil");
    let program = lanescope_core::load::load(&[file], &[]).expect("opens without modules");
    let why = program.dxil[0].entries[0].why.as_deref().expect("is not converted");
    assert!(why.ends_with("has no body, which the converter needs"), "{why}");
    assert!(program.modules.is_empty());
}
