//! Programs without a fragment shader: a stage alone before the rasteriser, and task shaders.

use super::{register, value};
use crate::analyse;
use lanescope_model::options::Options;
use lanescope_model::program::StageKind;
use lanescope_model::target::Target::{self, Gfx1010, Gfx1030, Gfx1100, Gfx1200};
use lanescope_passes::registers::Register;
use lanescope_testing::program;

fn registers(sources: &[(&str, &str)], target: Target) -> Vec<Register> {
    let options = Options { target, ..Options::default() };
    analyse(&program(sources), &options).expect("analyses").registers
}

/// LLPC compiles such a pipeline with a fragment shader that reads nothing, so no parameter is exported.
#[test]
fn a_vertex_shader_alone() {
    let plain = "layout(location = 0) out vec4 a; void main() { gl_Position = vec4(1); a = vec4(2); }";
    let clips = "out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[1]; };
        void main() { gl_Position = vec4(0); gl_ClipDistance[0] = 1; }";
    for target in [Gfx1010, Gfx1030, Gfx1100, Gfx1200] {
        let found = registers(&[("vert", plain)], target);
        assert!(found.iter().all(|register| register.stage == StageKind::Vertex), "{target}");
        let (config, none) =
            if target == Gfx1200 { ("SPI_SHADER_GS_OUT_CONFIG_PS", 0x400) } else { ("SPI_VS_OUT_CONFIG", 0x80) };
        assert_eq!(value(&found, config), Some(none), "{target}");
        assert_eq!(value(&found, "SPI_SHADER_POS_FORMAT"), Some(0x4), "{target}");
        assert_eq!(value(&found, "PA_CL_VS_OUT_CNTL"), Some(0), "{target}");
        let clipped = registers(&[("vert", clips)], target);
        let expected = if target == Gfx1010 { 0x0040_0101 } else { 0x0140_0101 };
        assert_eq!(value(&clipped, "PA_CL_VS_OUT_CNTL"), Some(expected), "{target}");
        assert_eq!(value(&clipped, "SPI_SHADER_POS_FORMAT"), Some(0x44), "{target}");
    }
    let ngg = registers(&[("vert", plain)], Gfx1100);
    assert_eq!(value(&ngg, "GE_NGG_SUBGRP_CNTL"), Some(0x0002_0001));
}

/// Outputs that transform feedback captures have parameter slots without a consumer, too.
#[test]
fn captured_outputs_of_a_vertex_shader_alone() {
    let source = "layout(xfb_buffer = 0, xfb_stride = 32) out;
        layout(location = 3, xfb_buffer = 0, xfb_offset = 0) out vec4 a;
        layout(location = 5, xfb_buffer = 0, xfb_offset = 16) out vec2 b; layout(location = 6) out vec4 unread;
        void main() { gl_Position = vec4(1); a = vec4(2); b = vec2(3); unread = vec4(4); }";
    let found = registers(&[("vert", source)], Gfx1030);
    assert_eq!(value(&found, "SPI_VS_OUT_CONFIG"), Some(0x2), "two slots");
}

#[test]
fn a_geometry_shader_is_the_last_stage() {
    let geometry = "layout(points) in; layout(points, max_vertices = 1) out;
        void main() { gl_Position = vec4(1); gl_Layer = 2; EmitVertex(); }";
    let found = registers(&[("vert", "void main() { gl_Position = vec4(1); }"), ("geom", geometry)], Gfx1030);
    assert!(found.iter().all(|register| register.stage == StageKind::Geometry));
    assert_eq!(value(&found, "PA_CL_VS_OUT_CNTL"), Some(0x0124_0000));
}

/// Task shaders run as compute shaders do, and get every component of their group's number.
#[test]
fn task_shaders() {
    let task = "#extension GL_EXT_mesh_shader : require
        layout(local_size_x = 8, local_size_y = 4) in; struct P { uint n; }; taskPayloadSharedEXT P p;
        shared uint s[8];
        void main() { s[gl_LocalInvocationIndex & 7] = 1; p.n = s[0]; EmitMeshTasksEXT(1, 1, 1); }";
    let mesh = "#extension GL_EXT_mesh_shader : require
        layout(local_size_x = 1) in; layout(triangles, max_vertices = 3, max_primitives = 1) out;
        void main() { SetMeshOutputsEXT(0, 0); }";
    for target in [Gfx1030, Gfx1100, Gfx1200] {
        let found: Vec<Register> = registers(&[("task", task), ("mesh", mesh)], target);
        let of_task: Vec<Register> = found.into_iter().filter(|r| r.stage == StageKind::Task).collect();
        for (axis, size) in [("X", 8), ("Y", 4), ("Z", 1)] {
            assert_eq!(value(&of_task, &format!("COMPUTE_NUM_THREAD_{axis}")), Some(size), "{target}");
        }
        let rsrc2 = register(&of_task, "COMPUTE_PGM_RSRC2");
        let field = |name: &str| rsrc2.fields.iter().find(|f| f.name == name).and_then(|f| f.value);
        let expected = [("TGID_X_EN", 1), ("TGID_Y_EN", 1), ("TGID_Z_EN", 1), ("TG_SIZE_EN", 1), ("TIDIG_COMP_CNT", 1)];
        for (name, expected) in expected {
            assert_eq!(field(name), Some(expected), "{target} {name}");
        }
        assert_eq!(field("LDS_SIZE"), Some(1), "{target}: the payload is not workgroup memory");
        assert!(of_task.iter().all(|register| register.name != "COMPUTE_DISPATCH_INITIATOR"), "{target}");
    }
    assert_eq!(registers(&[("task", task), ("mesh", mesh)], Gfx1010), []);
}
