use super::*;
use crate::script::command::{Check, Command, RunKind};
use crate::script::pipeline::{BufferRole, DescriptorKind};
use crate::script::state::{BlendFactor, CompareOp, StencilOp};
use crate::script::{BufferForm, Initializer, ShaderCode, ShaderSource, Size};
use crate::write::write;

/// Each construct of the language.
const ALL: &str = include_str!("../../tests/all.amber");

fn error(text: &str) -> String {
    read(text.as_bytes()).map(|_| ()).expect_err(text).to_string()
}

#[test]
fn reads_each_construct() {
    let script = read(ALL.as_bytes()).expect("reads");
    assert_eq!(script.requirements.len(), 5);
    assert_eq!(script.shaders.len(), 9);
    let ShaderCode::Given { source: ShaderSource::Text(text), target, .. } = &script.shaders[1].code else {
        panic!("has text")
    };
    assert_eq!((text.lines().next(), target.as_deref()), (Some("#version 450"), Some("spv1.3")));
    assert_eq!(script.buffer("numbers").map(|one| one.line.0), Some(51));
    let wide = script.buffer("area").expect("declared");
    assert!(matches!(wide.form, BufferForm::Elements { size: Size::Area { width: 4, height: 2 }, .. }));
    assert_eq!(wide.initializer, Initializer::Absent);
    let pipeline = script.resolved("darker").expect("declared");
    assert_eq!(pipeline.framebuffer_size(), [32, 16]);
    assert_eq!(pipeline.blend.as_ref().and_then(|blend| blend.src_color), Some(BlendFactor::ConstantAlpha));
    let [front, back] = pipeline.stencil_faces().map(|face| face.expect("stated"));
    assert_eq!((front.compare_op, back.compare_op), (Some(CompareOp::Less), Some(CompareOp::Always)));
    assert_eq!((front.fail_op, back.fail_op), (Some(StencilOp::Replace), Some(StencilOp::Keep)));
    let bound = pipeline.buffers.iter().filter_map(|bound| match &bound.role {
        BufferRole::Descriptor { kind, set: 0, binding: 0, .. } => Some((bound.buffers[0].as_str(), *kind)),
        _ => None,
    });
    assert_eq!(bound.collect::<Vec<_>>(), [("area", DescriptorKind::Storage)]);
    let lines: Vec<u32> = script.commands.iter().map(|command| command.line().0).collect();
    assert!(lines.is_sorted() && lines.len() == 24, "{lines:?}");
    let Some(Command::Repeat { count: 3, commands, .. }) = script.commands.last() else { panic!("ends so") };
    assert!(matches!(&commands[0], Command::Run(run) if run.kind == RunKind::Compute { groups: [1, 2, 3] }));
    assert!(matches!(&commands[1], Command::Expect(expect) if matches!(expect.check, Check::Values { offset: 8, .. })));
}

#[test]
fn what_is_written_reads_as_the_same() {
    let script = read(ALL.as_bytes()).expect("reads");
    let text = write(&script).expect("writes");
    let again = read(text.as_bytes()).expect("reads again");
    assert_eq!(again, script);
    assert_eq!(write(&again), Ok(text));
}

#[test]
fn errors_say_line_expected_and_found() {
    for (text, said) in [
        ("#!amber\nNONSENSE x\n", "line 2: expected a command, found `NONSENSE`"),
        ("\n5", "line 2: expected a command, found `5`"),
        (
            "SHADER vertex v\n",
            "line 1: expected PASSTHROUGH or a language: GLSL, HLSL, SPIRV-ASM, SPIRV-HEX, SPIRV-BIN, OPENCL-C, found the end of the line",
        ),
        ("SHADER fragment v PASSTHROUGH\n", "line 1: expected a vertex shader before PASSTHROUGH, found `fragment`"),
        ("SHADER vertex v GLSL\nvoid\n", "line 2: expected END of SHADER, found the end of the file"),
        ("SHADER vertex v GLSL\nEND_OF\nEND\n", "line 2: expected END, found `END_OF`"),
        (
            "BUFFER b DATA_TYPE half SIZE 1 FILL 0\n",
            "line 1: expected a type (`uint32`, `vec3<float>`), a format or a structure before this line, found `half`",
        ),
        (
            "BUFFER b DATA_TYPE int8 SIZE 1 FILL 0\nBUFFER b DATA_TYPE int8 SIZE 1 FILL 0\n",
            "line 2: expected a new name of a buffer, found `b`, which is declared before",
        ),
        ("BUFFER b DATA_TYPE int8 DATA\n1\n2.5\nEND\n", "line 3: expected a number of int8, found `2.5`"),
        ("BUFFER b DATA_TYPE int8 DATA\n1", "line 2: expected END of DATA, found the end of the file"),
        (
            "BUFFER b DATA_TYPE double SIZE 4000000000 FILL 0\n",
            "line 1: expected a buffer of at most 268435456 bytes, found 32000000000 bytes",
        ),
        (
            "IMAGE i FORMAT R8_UINT DIM_2D WIDTH 4294967295 HEIGHT 4294967295\n",
            "line 1: expected a buffer of at most 268435456 bytes, found 18446744065119617025 bytes",
        ),
        (
            "IMAGE i FORMAT R8_UINT DIM_1D WIDTH 4 HEIGHT 4\n",
            "line 1: expected WIDTH, HEIGHT and DEPTH as many as DIM_1D has, found others",
        ),
        ("IMAGE i FORMAT R8_UINT DIM_1D WIDTH 2 DATA 1 END\n", "line 1: expected 2 numbers in DATA, found 1 numbers"),
        ("BUFFER b FORMAT R8_UINT SAMPLES 3\n", "line 1: expected 1, 2, 4, 8, 16, 32 or 64 samples, found `3`"),
        ("PIPELINE compute p\n ATTACH c\nEND\n", "line 2: expected the name of a shader before this line, found `c`"),
        ("PIPELINE compute p\n BARRIER\nEND\n", "line 2: expected a statement of a pipeline or END, found `BARRIER`"),
        (
            "PIPELINE compute p\n FLAGS LIBRARY\nEND\n",
            "line 2: expected a statement of a compute pipeline, found `FLAGS`",
        ),
        ("PIPELINE compute p\n", "line 2: expected END of PIPELINE, found the end of the file"),
        ("PIPELINE compute p\nEND\nRUN p 1 1\n", "line 3: expected a count of workgroups, found the end of the line"),
        ("PIPELINE compute p\nEND\nRUN p 1 1 1 1\n", "line 3: expected the end of the line, found `1`"),
        ("PIPELINE compute p\nEND\nCLEAR p\n", "line 3: expected a graphics pipeline, found a compute pipeline"),
        (
            "REPEAT 2\nREPEAT 2\nEND\nEND\n",
            "line 2: expected RUN, CLEAR, CLEAR_COLOR, CLEAR_DEPTH, CLEAR_STENCIL, COPY or EXPECT in REPEAT, found `REPEAT`",
        ),
        (
            "BUFFER b DATA_TYPE int8 SIZE 1 FILL 0\nEXPECT b IDX 0 TOLERANCE 1 LT 2\n",
            "line 2: expected EQ after TOLERANCE, found `LT`",
        ),
        (
            "BUFFER b DATA_TYPE int8 SIZE 1 FILL 0\nEXPECT b IDX 0 EQ\n",
            "line 2: expected a number, found the end of the line",
        ),
        (
            "BUFFER b FORMAT R8_UNORM\nEXPECT b IDX 0 0 SIZE 1 1 EQ_RGB 0 0 256\n",
            "line 2: expected blue from 0 to 255, found `256`",
        ),
        (
            "STRUCT s\n s a\nEND\n",
            "line 2: expected a type (`uint32`, `vec3<float>`), a format or a structure before this line, found `s`",
        ),
        (
            "STRUCT s\n float a OFFSET 8\n float b OFFSET 8\nEND\n",
            "line 1: expected a structure that can be laid out, found `b` at byte 8, in the 12 bytes before it",
        ),
        ("SAMPLER s MIN_LOD nan\n", "line 1: expected a level of detail, found `nan`"),
        (
            "BUFFER b DATA_TYPE float SIZE 1 FILL 0\nEXPECT b IDX 0 TOLERANCE nan EQ 1\n",
            "line 2: expected a tolerance, found `nan`",
        ),
        (
            "SAMPLER s MIN_LOD 2.0 MAX_LOD 1.0\n",
            "line 1: expected a MAX_LOD that is not less than MIN_LOD, found a lesser one",
        ),
    ] {
        assert_eq!(error(text), said);
    }
}

#[test]
fn recognises_scripts() {
    assert!(looks_like(b"#!amber\r\nx") && looks_like(b"\xef\xbb\xbf#!amber"));
    assert!(!looks_like(b"#!/bin/amber\n") && !looks_like(b"\n#!amber\n") && !looks_like(b""));
}

#[test]
fn texts_are_bounded() {
    let text = vec![b'\n'; MAX_TEXT + 1];
    assert_eq!(read(&text).map_err(|error| error.found), Err("33554433 bytes".to_owned()));
}

/// What is written of `-0` reads as the same script: an integer has no negative zero, and a number with a point has.
#[test]
fn zeros_keep_the_sign_that_they_have() {
    let text = "BUFFER b DATA_TYPE float DATA -0 0 -0.0 0.0 END\n";
    let script = read(text.as_bytes()).expect("reads");
    let written = write(&script).expect("is written");
    assert!(written.contains("0 0 -0.0 0.0"), "{written}");
    assert_eq!(read(written.as_bytes()), Ok(script));
}
