//! Samplers, and the state of pipelines.

use super::{Named, Read, Reader, quoted};
use crate::script::pipeline::Pipeline;
use crate::script::state::{
    AddressMode, Blend, BlendFactor, BlendOp, BorderColor, CompareOp, Depth, Face, Filter, Sampler, Stencil, StencilOp,
    Viewport,
};

impl Reader<'_> {
    pub(super) fn sampler(&mut self) -> Read<()> {
        let line = self.line();
        let name = self.new_name(Named::Sampler, self.script.samplers.len())?;
        let mut out = Sampler { line, name, ..Sampler::default() };
        while let Some(option) = self.option()? {
            match option {
                "MAG_FILTER" => out.mag_filter = Some(self.filter()?),
                "MIN_FILTER" => out.min_filter = Some(self.filter()?),
                "ADDRESS_MODE_U" => out.address[0] = Some(self.address()?),
                "ADDRESS_MODE_V" => out.address[1] = Some(self.address()?),
                "ADDRESS_MODE_W" => out.address[2] = Some(self.address()?),
                "BORDER_COLOR" => out.border = Some(self.one_of("a color", BorderColor::ALL, BorderColor::name)?),
                "MIN_LOD" => out.min_lod = Some(self.float("a level of detail")?),
                "MAX_LOD" => out.max_lod = Some(self.float("a level of detail")?),
                "NORMALIZED_COORDS" => out.normalized = Some(true),
                "UNNORMALIZED_COORDS" => out.normalized = Some(false),
                "COMPARE" => out.compare = Some(self.switch("COMPARE")?),
                "COMPARE_OP" => out.compare_op = Some(self.compare_op()?),
                other => return Err(self.wrong("an option of a sampler", quoted(other))),
            }
        }
        if out.normalized != Some(false) && out.max_lod.unwrap_or(1.0) < out.min_lod.unwrap_or(0.0) {
            return Err(self.wrong("a MAX_LOD that is not less than MIN_LOD", "a lesser one"));
        }
        self.script.samplers.push(out);
        self.end()
    }

    fn filter(&mut self) -> Read<Filter> {
        self.one_of("a filter", Filter::ALL, Filter::name)
    }

    fn address(&mut self) -> Read<AddressMode> {
        self.one_of("an address mode", AddressMode::ALL, AddressMode::name)
    }

    fn compare_op(&mut self) -> Read<CompareOp> {
        self.one_of("a comparison", CompareOp::ALL, CompareOp::name)
    }

    fn stencil_op(&mut self) -> Read<StencilOp> {
        self.one_of("a stencil operation", StencilOp::ALL, StencilOp::name)
    }

    fn factor(&mut self) -> Read<BlendFactor> {
        // The reference implementation reads this one misspelled.
        if self.eat("costant_alpha")? {
            return Ok(BlendFactor::ConstantAlpha);
        }
        self.one_of("a blend factor", BlendFactor::ALL, BlendFactor::name)
    }

    fn blend_op(&mut self) -> Read<BlendOp> {
        self.one_of("a blend operation", BlendOp::ALL, BlendOp::name)
    }

    pub(super) fn depth(&mut self, out: &mut Pipeline) -> Read<()> {
        let mut depth = Depth { line: self.line(), ..Depth::default() };
        while let Some(word) = self.in_block("DEPTH")? {
            match word {
                "TEST" => depth.test = Some(self.switch("TEST")?),
                "WRITE" => depth.write = Some(self.switch("WRITE")?),
                "CLAMP" => depth.clamp = Some(self.switch("CLAMP")?),
                "COMPARE_OP" => depth.compare_op = Some(self.compare_op()?),
                "BOUNDS" => depth.bounds = Some([self.named_float("min")?, self.named_float("max")?]),
                "BIAS" => {
                    let bias = [self.named_float("constant")?, self.named_float("clamp")?, self.named_float("slope")?];
                    depth.bias = Some(bias);
                }
                other => {
                    return Err(
                        self.wrong("TEST, WRITE, CLAMP, COMPARE_OP, BOUNDS, BIAS or END in DEPTH", quoted(other))
                    );
                }
            }
        }
        let before = out.depth.take();
        out.depth = Some(before.map_or(depth.clone(), |before| before.overridden_by(depth)));
        self.end()
    }

    fn named_float(&mut self, name: &str) -> Read<f32> {
        self.keyword(name)?;
        self.float("a number")
    }

    pub(super) fn stencil(&mut self, out: &mut Pipeline) -> Read<()> {
        let line = self.line();
        let face = self.one_of("faces", Face::ALL, Face::name)?;
        let mut stencil = Stencil {
            line,
            face,
            test: None,
            fail_op: None,
            pass_op: None,
            depth_fail_op: None,
            compare_op: None,
            compare_mask: None,
            write_mask: None,
            reference: None,
        };
        while let Some(word) = self.in_block("STENCIL")? {
            match word {
                "TEST" => stencil.test = Some(self.switch("TEST")?),
                "FAIL_OP" => stencil.fail_op = Some(self.stencil_op()?),
                "PASS_OP" => stencil.pass_op = Some(self.stencil_op()?),
                "DEPTH_FAIL_OP" => stencil.depth_fail_op = Some(self.stencil_op()?),
                "COMPARE_OP" => stencil.compare_op = Some(self.compare_op()?),
                "COMPARE_MASK" => stencil.compare_mask = Some(self.count("a mask")?),
                "WRITE_MASK" => stencil.write_mask = Some(self.count("a mask")?),
                "REFERENCE" => stencil.reference = Some(self.count("a reference")?),
                other => return Err(self.wrong("an option of STENCIL or END", quoted(other))),
            }
        }
        out.stencil.push(stencil);
        self.end()
    }

    pub(super) fn blend(&mut self, out: &mut Pipeline) -> Read<()> {
        let mut blend = Blend { line: self.line(), ..Blend::default() };
        while let Some(word) = self.in_block("BLEND")? {
            match word {
                "SRC_COLOR_FACTOR" => blend.src_color = Some(self.factor()?),
                "DST_COLOR_FACTOR" => blend.dst_color = Some(self.factor()?),
                "SRC_ALPHA_FACTOR" => blend.src_alpha = Some(self.factor()?),
                "DST_ALPHA_FACTOR" => blend.dst_alpha = Some(self.factor()?),
                "COLOR_OP" => blend.color_op = Some(self.blend_op()?),
                "ALPHA_OP" => blend.alpha_op = Some(self.blend_op()?),
                other => return Err(self.wrong("an option of BLEND or END", quoted(other))),
            }
        }
        let before = out.blend.take();
        out.blend = Some(before.map_or(blend.clone(), |before| before.overridden_by(blend)));
        self.end()
    }

    pub(super) fn viewport(&mut self) -> Read<Viewport> {
        let line = self.line();
        let at = [self.float("a place")?, self.float("a place")?];
        self.keyword("SIZE")?;
        let size = [self.float("a width")?, self.float("a height")?];
        let mut out = Viewport { line, at, size, min_depth: None, max_depth: None };
        while let Some(option) = self.option()? {
            match option {
                "MIN_DEPTH" => out.min_depth = Some(self.float("a depth")?),
                "MAX_DEPTH" => out.max_depth = Some(self.float("a depth")?),
                other => return Err(self.wrong("MIN_DEPTH or MAX_DEPTH", quoted(other))),
            }
        }
        Ok(out)
    }
}
