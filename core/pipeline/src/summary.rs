//! A description as tables: what reports print and the window shows.

use super::layout::{DescriptorSet, ResourceNode, RootNode};
use super::state::{Attachments, DepthStencil, Multisample, ShaderGroup, State};
use super::vulkan::VkFormat;
use super::{Pipeline, PipelineKind, Setting};
use lanescope_base::Format;

/// A table of a description.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Table {
    /// Title.
    pub title: &'static str,
    /// Location in the file; empty where each row has its own.
    pub from: String,
    /// The titles of its columns.
    pub columns: &'static [&'static str],
    /// Its rows: as many cells as there are columns.
    pub rows: Vec<Vec<String>>,
}

impl Pipeline {
    /// The description in a line: `graphics pipeline 0x…, LLPC version 75`.
    pub fn title(&self) -> String {
        if self.origin.format == Format::StateObjects {
            let version = self.origin.version.map(|version| format!(" of version {version}")).unwrap_or_default();
            let pipeline = if self.kind == PipelineKind::StateObject { "state object" } else { "pipeline" };
            let kind = if self.kind == PipelineKind::StateObject { "" } else { self.kind.name() };
            return format!("{kind} {pipeline}, group{version} in a state object database").trim_start().to_owned();
        }
        let kind = if self.kind == PipelineKind::RayTracing { "ray tracing" } else { self.kind.name() };
        let version = self.origin.version.map(|version| format!(" version {version}")).unwrap_or_default();
        let format = match self.origin.format {
            Format::Pipe => format!("LLPC text{version}"),
            Format::ShaderTest => "shader test".to_owned(),
            Format::Amber => "Amber script".to_owned(),
            _ => format!("Fossilize database{version}"),
        };
        match self.origin.hash {
            Some(hash) => format!("{kind} pipeline {hash}, {format}"),
            None => format!("{kind} pipeline, {format}"),
        }
    }

    /// The description as tables; those that would be empty are left out.
    pub fn tables(&self) -> Vec<Table> {
        let mut out = Vec::new();
        let mut add = |title, from: &str, columns, rows: Vec<Vec<String>>| {
            if !rows.is_empty() {
                out.push(Table { title, from: from.to_owned(), columns, rows });
            }
        };
        add("Origin", "", &["", ""], self.origin_rows());
        add("Stages", "", &["stage", "entry point", "shader", "subgroup", "from"], self.stage_rows());
        add("Constants", "", &["stage", "id", "value", "bytes", "offset"], self.constant_rows());
        let from = self.layout.from.as_deref().unwrap_or_default();
        let columns: &[&str] = &["set", "binding", "type", "count", "stages", "more"];
        add("Descriptor sets", from, columns, self.layout.sets.iter().flat_map(set_rows).collect());
        let ranges = self.layout.push_constants.iter();
        let ranges =
            ranges.map(|range| vec![range.stages.to_string(), range.offset.to_string(), range.size.to_string()]);
        add("Push constants", from, &["stages", "offset", "bytes"], ranges.collect());
        let columns: &[&str] = &["dword", "size", "type", "set", "binding", "stages", "from"];
        add("User data", from, columns, self.layout.nodes.iter().flat_map(root_rows).collect());
        let columns: &[&str] = &["type", "set", "binding", "count", "stages", "dwords", "from"];
        add("Static descriptors", "", columns, self.static_rows());
        state_tables(&self.state, &mut add);
        let setting = |stage: &str, s: &Setting| {
            let sets = s.sets.as_ref().map(|name| format!("sets {name}")).unwrap_or_default();
            vec![stage.to_owned(), s.key.clone(), s.value.clone(), sets, s.from.clone()]
        };
        let of_stages =
            self.stages.iter().flat_map(|stage| stage.settings.iter().map(|s| setting(stage.stage.name(), s)));
        let settings = self.settings.iter().map(|s| setting("", s)).chain(of_stages).collect();
        add("Options", "", &["stage", "key", "value", "", "from"], settings);
        let kept = self.kept.iter().map(|kept| {
            let first = kept.text.lines().next().unwrap_or_default();
            let more = if kept.text.lines().nth(1).is_some() { " …" } else { "" };
            vec![kept.name.clone(), format!("{first}{more}"), kept.from.clone()]
        });
        add("Kept as written", "", &["name", "text", "from"], kept.collect());
        out
    }

    fn origin_rows(&self) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        let mut row = |name: &str, value: String| rows.push(vec![name.to_owned(), value]);
        if let Some(application) = &self.origin.application {
            let of = |text: &Option<String>| text.clone().unwrap_or_else(|| "—".to_owned());
            row("application", of(&application.name));
            row("engine", of(&application.engine));
            if self.origin.format != Format::StateObjects {
                row("Vulkan", of(&application.api));
            }
        }
        for library in &self.origin.libraries {
            let hash = library.hash.map(|hash| hash.to_string());
            let name = hash.or_else(|| library.name.clone()).unwrap_or_default();
            row("library", format!("{name}: {}", library.parts.join(", ")));
        }
        if let Some(flags) = self.state.flags.filter(|flags| *flags != 0) {
            row("creation flags", format!("{flags:#x}"));
        }
        rows
    }

    fn stage_rows(&self) -> Vec<Vec<String>> {
        let row = |stage: &super::StageDescription| {
            let entry = if stage.entry_assumed { format!("{} (assumed)", stage.entry) } else { stage.entry.clone() };
            let missing = if stage.module.is_none() { ", not usable" } else { "" };
            let size = stage.subgroup_size.map(|size| size.to_string());
            let subgroup: Vec<String> = size.into_iter().chain(stage.flags.iter().cloned()).collect();
            vec![
                stage.stage.name().to_owned(),
                entry,
                format!("{}{missing}", stage.shader),
                subgroup.join(", "),
                stage.from.clone(),
            ]
        };
        self.stages.iter().map(row).collect()
    }

    fn constant_rows(&self) -> Vec<Vec<String>> {
        let constants = self.stages.iter().flat_map(|stage| stage.constants.iter().map(move |c| (stage.stage, c)));
        constants
            .map(|(stage, constant)| {
                let missing = match (constant.bytes.is_empty(), constant.wrong_size) {
                    (true, _) => "out of range",
                    (false, true) => "wrong size",
                    (false, false) => "not declared",
                };
                vec![
                    stage.name().to_owned(),
                    constant.id.to_string(),
                    constant.value.as_ref().map_or_else(|| missing.to_owned(), |value| value.to_string()),
                    constant.bytes.clone(),
                    constant.offset.to_string(),
                ]
            })
            .collect()
    }

    fn static_rows(&self) -> Vec<Vec<String>> {
        let descriptors = self.layout.static_descriptors.iter();
        descriptors
            .map(|d| {
                let dwords: Vec<String> = d.data.iter().take(8).map(|dword| format!("{dword:#010x}")).collect();
                let more = if d.data.len() > 8 { " …" } else { "" };
                vec![
                    d.ty.map_or("?", super::NodeType::name).to_owned(),
                    d.set.to_string(),
                    d.binding.to_string(),
                    d.array_size.to_string(),
                    d.stages.to_string(),
                    format!("{}{more}", dwords.join(" ")),
                    d.from.clone(),
                ]
            })
            .collect()
    }
}

fn set_rows(set: &DescriptorSet) -> Vec<Vec<String>> {
    let binding = |binding: &super::Binding| {
        let mut more = Vec::new();
        if !binding.immutable_samplers.is_empty() {
            more.push(format!("{} immutable samplers", binding.immutable_samplers.len()));
        }
        if binding.flags != 0 {
            let names = ["update after bind", "update unused while pending", "partially bound", "variable count"];
            more.extend((0..).zip(names).filter(|(bit, _)| binding.flags >> bit & 1 == 1).map(|(_, n)| n.to_owned()));
        }
        if !binding.mutable_types.is_empty() {
            let types: Vec<String> = binding.mutable_types.iter().map(ToString::to_string).collect();
            more.push(format!("one of {}", types.join(", ")));
        }
        vec![
            set.set.to_string(),
            binding.binding.to_string(),
            binding.ty.to_string(),
            binding.count.to_string(),
            binding.stages.to_string(),
            more.join("; "),
        ]
    };
    if set.bindings.is_empty() {
        let number = set.set.to_string();
        return vec![[number.as_str(), "—", "empty", "", "", ""].map(str::to_owned).to_vec()];
    }
    set.bindings.iter().map(binding).collect()
}

fn root_rows(root: &RootNode) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    node_rows(&root.node, &root.stages.to_string(), 0, &mut rows);
    rows
}

fn node_rows(node: &ResourceNode, stages: &str, depth: usize, rows: &mut Vec<Vec<String>>) {
    let number = |value: Option<u32>| match value {
        Some(value) if value >= 0xffff_fff0 => format!("{value:#x}"),
        Some(value) => value.to_string(),
        None => String::new(),
    };
    let mut ty = node.ty.map_or("?", super::NodeType::name).to_owned();
    if let Some(stride) = node.stride_dwords.filter(|stride| *stride > 0) {
        ty = format!("{ty}, stride {stride}");
    }
    if let Some(dwords) = node.indirect_dwords {
        ty = format!("{ty}, table of {dwords}");
    }
    let indent = "  ".repeat(depth);
    rows.push(vec![
        format!("{indent}{}", node.offset_dwords),
        node.size_dwords.to_string(),
        format!("{indent}{ty}"),
        number(node.set),
        number(node.binding),
        stages.to_owned(),
        node.from.clone(),
    ]);
    for child in &node.children {
        node_rows(child, "", depth + 1, rows);
    }
}

fn state_tables(state: &State, add: &mut impl FnMut(&'static str, &str, &'static [&'static str], Vec<Vec<String>>)) {
    if let Some(input) = &state.vertex_input {
        let rows = input.attributes.iter().map(|attribute| {
            let binding = input.bindings.iter().find(|binding| binding.binding == attribute.binding);
            vec![
                attribute.location.to_string(),
                attribute.format.to_string(),
                attribute.binding.to_string(),
                attribute.offset.to_string(),
                binding.map_or_else(|| "?".to_owned(), |binding| binding.stride.to_string()),
                binding.map_or_else(
                    || "?".to_owned(),
                    |binding| match binding.divisor {
                        Some(divisor) => format!("{} / {divisor}", binding.rate),
                        None => binding.rate.to_string(),
                    },
                ),
            ]
        });
        let columns = &["location", "format", "binding", "offset", "stride", "rate"];
        add("Vertex input", &input.from, columns, rows.collect());
    }
    if let Some(attachments) = &state.attachments {
        let columns = &["location", "format", "channels", "blend"];
        add("Color attachments", &attachments.from, columns, color_rows(attachments));
    }
    add("State", "", &["", "", "from"], state_rows(state));
    if let Some(ray_tracing) = &state.ray_tracing {
        let index = |index: Option<u32>| index.map_or_else(|| "—".to_owned(), |index| index.to_string());
        let row = |(at, group): (usize, &ShaderGroup)| {
            vec![
                at.to_string(),
                group.ty.to_string(),
                index(group.general),
                index(group.closest_hit),
                index(group.any_hit),
                index(group.intersection),
            ]
        };
        let columns = &["group", "type", "general", "closest hit", "any hit", "intersection"];
        add("Shader groups", &ray_tracing.from, columns, ray_tracing.groups.iter().enumerate().map(row).collect());
    }
}

fn color_rows(attachments: &Attachments) -> Vec<Vec<String>> {
    let row = |color: &super::ColorAttachment| {
        let format = match color.format {
            None => "not set".to_owned(),
            Some(format) if format == VkFormat::default() => "none".to_owned(),
            Some(format) => format.to_string(),
        };
        let channels: String =
            (0..).zip("RGBA".chars()).filter(|(n, _)| color.write_mask >> n & 1 == 1).map(|c| c.1).collect();
        let blend = match (color.blend, &color.equation) {
            (false, _) => "off".to_owned(),
            (true, None) => "on".to_owned(),
            (true, Some(b)) => format!(
                "{} {} {}; alpha {} {} {}",
                b.color[0], b.color_op, b.color[1], b.alpha[0], b.alpha_op, b.alpha[1]
            ),
        };
        vec![color.location.to_string(), format, if channels.is_empty() { "none".to_owned() } else { channels }, blend]
    };
    attachments.colors.iter().map(row).collect()
}

fn state_rows(state: &State) -> Vec<Vec<String>> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut row = |name: &str, value: Option<String>, from: &str| {
        rows.extend(value.map(|value| vec![name.to_owned(), value, from.to_owned()]));
    };
    row("topology", state.topology.map(|t| t.to_string()), "");
    row("primitive restart", on(state.primitive_restart), "");
    row("patch control points", state.patch_control_points.map(|n| n.to_string()), "");
    row("viewports, scissors", state.viewports.map(|[a, b]| format!("{a}, {b}")), "");
    if let Some(raster) = &state.raster {
        let from = raster.from.as_str();
        row("rasterizer discard", on(raster.discard), from);
        row("polygon mode", raster.polygon_mode.map(|m| m.to_string()), from);
        let cull = ["none", "front", "back", "front and back"];
        row("cull", raster.cull_mode.map(|mode| cull[(mode & 3) as usize].to_owned()), from);
        row("front face", raster.front_face.map(|f| f.to_string()), from);
        row("depth clamp", on(raster.depth_clamp), from);
        row("depth clip", on(raster.depth_clip), from);
        row("depth bias", raster.depth_bias.map(|[a, b, c]| format!("{a}, clamp {b}, slope {c}")), from);
        row("line width", raster.line_width.map(|w| w.to_string()), from);
        row("provoking vertex", raster.provoking_vertex.map(|p| p.to_string()), from);
        row("vertex stream", raster.stream.map(|s| s.to_string()), from);
    }
    if let Some(Multisample {
        from,
        samples,
        sample_shading,
        min_sample_shading,
        alpha_to_coverage,
        alpha_to_one,
        mask,
    }) = &state.multisample
    {
        row("samples", samples.map(|n| n.to_string()), from);
        row("sample shading", on(*sample_shading), from);
        let share = min_sample_shading.filter(|_| *sample_shading == Some(true));
        row("sample shading at least", share.map(|s| s.to_string()), from);
        row("alpha to coverage", on(*alpha_to_coverage), from);
        row("alpha to one", on(*alpha_to_one), from);
        let words: Vec<String> = mask.iter().map(|word| format!("{word:#x}")).collect();
        row("sample mask", (!words.is_empty()).then(|| words.join(" ")), from);
    }
    if let Some(DepthStencil { from, depth_test, depth_write, depth_compare, depth_bounds, stencil }) =
        &state.depth_stencil
    {
        let test = if *depth_test { depth_compare.to_string() } else { "off".to_owned() };
        row("depth test", Some(test), from);
        row("depth write", on(Some(*depth_write)), from);
        row("depth bounds", depth_bounds.map(|[a, b]| format!("{a} to {b}")), from);
        for (name, face) in ["stencil, front", "stencil, back"].into_iter().zip(stencil.iter().flatten()) {
            let text = format!(
                "{}; fail {}, pass {}, depth fail {}; masks {:#x} {:#x}, reference {}",
                face.compare, face.fail, face.pass, face.depth_fail, face.compare_mask, face.write_mask, face.reference
            );
            row(name, Some(text), from);
        }
    }
    if let Some(attachments) = &state.attachments {
        let from = attachments.from.as_str();
        row("depth attachment", attachments.depth.map(|f| f.to_string()), from);
        row("stencil attachment", attachments.stencil.map(|f| f.to_string()), from);
        row("view mask", attachments.view_mask.map(|mask| format!("{mask:#x}")), from);
        row("logic op", attachments.logic_op.map(|op| op.to_string()), from);
        row("blends two outputs", attachments.dual_source.then(|| "yes".to_owned()), from);
    }
    if let Some(ray_tracing) = &state.ray_tracing {
        row("recursion depth", Some(ray_tracing.max_depth.to_string()), &ray_tracing.from);
        let interface = ray_tracing.interface.map(|[a, b]| format!("{a} bytes, attributes {b} bytes"));
        row("library payload", interface, &ray_tracing.from);
    }
    let dynamic: Vec<String> = state.dynamic.iter().map(ToString::to_string).collect();
    row("dynamic state", (!dynamic.is_empty()).then(|| dynamic.join(", ")), "");
    rows
}

fn on(switch: Option<bool>) -> Option<String> {
    switch.map(|on| if on { "on" } else { "off" }.to_owned())
}
