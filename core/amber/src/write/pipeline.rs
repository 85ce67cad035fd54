//! Pipelines.

use super::{Out, single, switch};
use crate::script::pipeline::{
    Argument, Attachment, BoundBuffer, BoundSampler, BufferRole, Pipeline, SamplerPlace, ShaderOptions, Subgroup,
    SubgroupSize, VertexData,
};
use crate::script::state::{Blend, Depth, Stencil};

impl Out {
    pub(super) fn pipeline(&mut self, one: &Pipeline) {
        match &one.parent {
            Some(parent) => self.add(format_args!("DERIVE_PIPELINE {} FROM {parent}\n", one.name)),
            None => self.add(format_args!("PIPELINE {} {}\n", one.kind, one.name)),
        }
        one.shaders.iter().for_each(|shader| self.attachment(shader));
        one.optimizations.iter().for_each(|options| self.options("SHADER_OPTIMIZATION", options));
        one.compile_options.iter().for_each(|options| self.options("COMPILE_OPTIONS", options));
        one.subgroups.iter().for_each(|subgroup| self.subgroup(subgroup));
        self.state(one);
        one.buffers.iter().for_each(|bound| self.bound_buffer(bound));
        one.samplers.iter().for_each(|bound| self.bound_sampler(bound));
        for bound in &one.structures {
            let (set, binding) = (bound.set, bound.binding);
            self.add(format_args!(
                "  BIND ACCELERATION_STRUCTURE {} DESCRIPTOR_SET {set} BINDING {binding}\n",
                bound.structure
            ));
        }
        one.vertex_data.iter().for_each(|data| self.vertex_data(data));
        if let Some(buffer) = &one.index_data {
            self.add(format_args!("  INDEX_DATA {buffer}\n"));
        }
        for value in &one.arguments {
            self.text.push_str("  SET KERNEL");
            self.argument(&value.argument);
            self.add(format_args!(" AS {} {}\n", value.ty, value.value));
        }
        self.rays(one);
        self.text.push_str("END\n");
    }

    fn attachment(&mut self, one: &Attachment) {
        self.add(format_args!("  ATTACH {}", one.shader));
        self.option("TYPE", one.stage);
        self.option("ENTRY_POINT", one.entry.as_ref());
        for constant in &one.constants {
            self.add(format_args!(" SPECIALIZE {} AS {} {}", constant.id, constant.ty, constant.value));
        }
        self.end_line();
    }

    fn options(&mut self, block: &str, one: &ShaderOptions) {
        self.add(format_args!("  {block} {}\n", one.shader));
        for option in &one.options {
            self.add(format_args!("    {option}\n"));
        }
        self.text.push_str("  END\n");
    }

    fn subgroup(&mut self, one: &Subgroup) {
        self.add(format_args!("  SUBGROUP {}\n", one.shader));
        self.option("FULLY_POPULATED", one.fully_populated.map(switch));
        self.option("VARYING_SIZE", one.varying_size.map(switch));
        let size = one.required_size.map(|size| match size {
            SubgroupSize::Min => "MIN".to_owned(),
            SubgroupSize::Max => "MAX".to_owned(),
            SubgroupSize::Lanes(lanes) => lanes.to_string(),
        });
        self.option("REQUIRED_SIZE", size);
        self.text.push_str("\n  END\n");
    }

    fn state(&mut self, one: &Pipeline) {
        if let Some([width, height]) = one.framebuffer {
            self.add(format_args!("  FRAMEBUFFER_SIZE {width} {height}\n"));
        }
        if let Some(viewport) = &one.viewport {
            let [x, y] = viewport.at.map(single);
            let [width, height] = viewport.size.map(single);
            self.add(format_args!("  VIEWPORT {x} {y} SIZE {width} {height}"));
            self.option("MIN_DEPTH", viewport.min_depth.map(single));
            self.option("MAX_DEPTH", viewport.max_depth.map(single));
            self.end_line();
        }
        if let Some(mode) = one.polygon_mode {
            self.add(format_args!("  POLYGON_MODE {mode}\n"));
        }
        if let Some(points) = one.patch_control_points {
            self.add(format_args!("  PATCH_CONTROL_POINTS {points}\n"));
        }
        if let Some(depth) = &one.depth {
            self.depth(depth);
        }
        one.stencil.iter().for_each(|stencil| self.stencil(stencil));
        if let Some(blend) = &one.blend {
            self.blend(blend);
        }
    }

    fn depth(&mut self, one: &Depth) {
        self.text.push_str("  DEPTH\n");
        self.option("TEST", one.test.map(switch));
        self.option("WRITE", one.write.map(switch));
        self.option("COMPARE_OP", one.compare_op);
        self.option("CLAMP", one.clamp.map(switch));
        if let Some([min, max]) = one.bounds.map(|bounds| bounds.map(single)) {
            self.add(format_args!(" BOUNDS min {min} max {max}"));
        }
        if let Some([constant, clamp, slope]) = one.bias.map(|bias| bias.map(single)) {
            self.add(format_args!(" BIAS constant {constant} clamp {clamp} slope {slope}"));
        }
        self.text.push_str("\n  END\n");
    }

    fn stencil(&mut self, one: &Stencil) {
        self.add(format_args!("  STENCIL {}\n", one.face));
        self.option("TEST", one.test.map(switch));
        self.option("FAIL_OP", one.fail_op);
        self.option("PASS_OP", one.pass_op);
        self.option("DEPTH_FAIL_OP", one.depth_fail_op);
        self.option("COMPARE_OP", one.compare_op);
        self.option("COMPARE_MASK", one.compare_mask);
        self.option("WRITE_MASK", one.write_mask);
        self.option("REFERENCE", one.reference);
        self.text.push_str("\n  END\n");
    }

    fn blend(&mut self, one: &Blend) {
        self.text.push_str("  BLEND\n");
        self.option("SRC_COLOR_FACTOR", one.src_color);
        self.option("DST_COLOR_FACTOR", one.dst_color);
        self.option("COLOR_OP", one.color_op);
        self.option("SRC_ALPHA_FACTOR", one.src_alpha);
        self.option("DST_ALPHA_FACTOR", one.dst_alpha);
        self.option("ALPHA_OP", one.alpha_op);
        self.text.push_str("\n  END\n");
    }

    fn bound_buffer(&mut self, one: &BoundBuffer) {
        let array = if one.buffers.len() > 1 { "_ARRAY" } else { "" };
        self.add(format_args!("  BIND BUFFER{array} {}", one.buffers.join(" ")));
        match &one.role {
            BufferRole::Color { location, mip_level } => {
                self.add(format_args!(" AS color LOCATION {location}"));
                self.option("BASE_MIP_LEVEL", *mip_level);
            }
            BufferRole::DepthStencil => self.text.push_str(" AS depth_stencil"),
            BufferRole::Resolve => self.text.push_str(" AS resolve"),
            BufferRole::PushConstant => self.text.push_str(" AS push_constant"),
            BufferRole::Argument { kind, argument } => {
                self.option("AS", *kind);
                self.text.push_str(" KERNEL");
                self.argument(argument);
            }
            BufferRole::Descriptor { kind, sampler, set, binding, mip_level, dynamic_offsets, offsets, ranges } => {
                self.add(format_args!(" AS {kind}"));
                self.option("SAMPLER", sampler.as_ref());
                self.add(format_args!(" DESCRIPTOR_SET {set} BINDING {binding}"));
                self.option("BASE_MIP_LEVEL", *mip_level);
                let dynamic: Vec<u64> = dynamic_offsets.iter().map(|offset| u64::from(*offset)).collect();
                for (keyword, list) in
                    [("OFFSET", &dynamic), ("DESCRIPTOR_OFFSET", offsets), ("DESCRIPTOR_RANGE", ranges)]
                {
                    if !list.is_empty() {
                        let list: Vec<String> = list.iter().map(u64::to_string).collect();
                        self.add(format_args!(" {keyword} {}", list.join(" ")));
                    }
                }
            }
        }
        self.end_line();
    }

    fn bound_sampler(&mut self, one: &BoundSampler) {
        let array = if one.samplers.len() > 1 { "_ARRAY" } else { "" };
        self.add(format_args!("  BIND SAMPLER{array} {}", one.samplers.join(" ")));
        match &one.place {
            SamplerPlace::Descriptor { set, binding } => {
                self.add(format_args!(" DESCRIPTOR_SET {set} BINDING {binding}"));
            }
            SamplerPlace::Argument(argument) => {
                self.text.push_str(" KERNEL");
                self.argument(argument);
            }
        }
        self.end_line();
    }

    fn argument(&mut self, one: &Argument) {
        match one {
            Argument::Name(name) => self.add(format_args!(" ARG_NAME {name}")),
            Argument::Number(number) => self.add(format_args!(" ARG_NUMBER {number}")),
        }
    }

    fn vertex_data(&mut self, one: &VertexData) {
        self.add(format_args!("  VERTEX_DATA {} LOCATION {}", one.buffer, one.location));
        self.option("RATE", one.rate);
        self.option("FORMAT", one.format.as_ref());
        self.option("OFFSET", one.offset);
        self.option("STRIDE", one.stride);
        self.end_line();
    }

    fn rays(&mut self, one: &Pipeline) {
        let rays = &one.rays;
        if rays.is_library {
            self.text.push_str("  FLAGS LIBRARY\n");
        }
        if !rays.libraries.is_empty() {
            self.add(format_args!("  USE_LIBRARY {}\n", rays.libraries.join(" ")));
        }
        let sizes = [
            ("MAX_RAY_PAYLOAD_SIZE", rays.max_payload),
            ("MAX_RAY_HIT_ATTRIBUTE_SIZE", rays.max_attribute),
            ("MAX_RAY_RECURSION_DEPTH", rays.max_recursion),
        ];
        for (keyword, size) in sizes {
            if let Some(size) = size {
                self.add(format_args!("  {keyword} {size}\n"));
            }
        }
        for group in &rays.groups {
            self.add(format_args!("  SHADER_GROUP {} {}\n", group.name, group.shaders.join(" ")));
        }
        for table in &rays.tables {
            self.add(format_args!("  SHADER_BINDING_TABLE {}\n", table.name));
            for group in &table.groups {
                self.add(format_args!("    {group}\n"));
            }
            self.text.push_str("  END\n");
        }
    }
}
