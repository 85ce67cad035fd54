//! The instructions of a workgroup's stage that take derivatives, and which lanes each subtracts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lanescope_model::options::Derivatives;
use lanescope_spirv::enums::Op;
use lanescope_spirv::{EntryPoint, Inst, Module, facts};

/// An instruction that takes a derivative, or samples with the level of detail that derivatives give.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DerivativeUse {
    /// Index of the instruction in its module.
    pub instruction: u32,
    /// Its name: `OpDPdxFine`.
    pub opcode: String,
    /// What it subtracts: places in the quad, 0 to 3; four differences are those of the four places.
    pub quad_rule: String,
}

/// The derivatives that an entry point can take, in module order.
pub(super) fn uses(module: &Module, entry: &EntryPoint, derivatives: Derivatives) -> Vec<DerivativeUse> {
    let functions = module.reachable(entry);
    let insts = functions.into_iter().flat_map(|function| module.insts_in(function.insts.clone()));
    insts
        .filter_map(|inst| {
            let quad_rule = rule(&inst, derivatives)?;
            Some(DerivativeUse { instruction: inst.index.0, opcode: inst.name(), quad_rule })
        })
        .collect()
}

/// The lanes that an instruction subtracts, if it takes a derivative.
pub(super) fn rule(inst: &Inst<'_>, derivatives: Derivatives) -> Option<String> {
    let difference = difference(inst.op()?)?;
    Some(match derivatives {
        Derivatives::None => "0: no derivative group".to_owned(),
        Derivatives::Linear => format!("{difference}; four indices in a row"),
        Derivatives::Quads => format!("{difference}; 2×2 invocations"),
    })
}

/// What a level of detail subtracts.
const LEVEL: &str = "level of detail: x 1−0, y 2−0";

/// Which places of the quad an instruction subtracts. SPIR-V leaves the precision of some open; the fine one is shown
/// for derivatives, the coarse one for levels of detail.
pub(super) fn difference(op: Op) -> Option<&'static str> {
    use Op::*;
    Some(match op {
        DPdxCoarse => "x: 1−0",
        DPdyCoarse => "y: 2−0",
        FwidthCoarse => "|x| + |y|, both coarse",
        DPdx | DPdxFine => "x: 1−0, 1−0, 3−2, 3−2",
        DPdy | DPdyFine => "y: 2−0, 3−1, 2−0, 3−1",
        Fwidth | FwidthFine => "|x| + |y|, both fine",
        op if facts(op).derivative.is_some() => LEVEL,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use crate::workgroup::layout;
    use lanescope_model::options::{Derivatives, Options};
    use lanescope_testing::program;

    fn rules(derivatives: Derivatives, body: &str) -> Vec<String> {
        let source = format!(
            "#extension GL_NV_compute_shader_derivatives : require
             layout(local_size_x = 4, local_size_y = 4) in; layout(derivative_group_quadsNV) in;
             layout(binding = 0) uniform sampler2D s; layout(binding = 1) buffer B {{ vec4 o; }};
             void unused() {{ o = dFdx(o); }} void main() {{ vec2 p = vec2(gl_LocalInvocationID.xy); {body} }}"
        );
        let program = program(&[("comp", &source)]);
        let module = &program.modules[0].module;
        let options = Options { derivatives: Some(derivatives), ..Options::default() };
        let layout = layout(module, &module.entry_points()[0], &options, &mut Vec::new()).expect("a layout");
        let rows = layout.derivative_uses.into_iter();
        rows.map(|row| {
            assert_eq!(module.inst(lanescope_spirv::InstId(row.instruction)).name(), row.opcode);
            format!("{} {}", row.opcode, row.quad_rule)
        })
        .collect()
    }

    #[test]
    fn lists_derivatives_with_their_lanes() {
        let body = "o = vec4(dFdxFine(p.x), dFdyCoarse(p.y), fwidth(p)) + texture(s, p) + textureLod(s, p, 0);";
        let quads = [
            "OpDPdxFine x: 1−0, 1−0, 3−2, 3−2; 2×2 invocations",
            "OpDPdyCoarse y: 2−0; 2×2 invocations",
            "OpFwidth |x| + |y|, both fine; 2×2 invocations",
            "OpImageSampleImplicitLod level of detail: x 1−0, y 2−0; 2×2 invocations",
        ];
        assert_eq!(rules(Derivatives::Quads, body), quads);
        assert_eq!(rules(Derivatives::Linear, "o = dFdx(o);"), ["OpDPdx x: 1−0, 1−0, 3−2, 3−2; four indices in a row"]);
        assert_eq!(rules(Derivatives::None, "o = dFdx(o);"), ["OpDPdx 0: no derivative group"]);
        assert!(rules(Derivatives::Quads, "o = p.xyxy;").is_empty());
        assert!(super::difference(lanescope_spirv::enums::Op::ImageSparseSampleProjDrefImplicitLod).is_some());
    }
}
