use super::*;
use lanescope_pipeline::vulkan::VkFormat;
use lanescope_spirv::SpecValue;

const SCRIPT: &str = "#!amber
SHADER vertex corners PASSTHROUGH
SHADER fragment tinted GLSL
#version 450
layout(constant_id = 3) const float blue = 0.5;
layout(location = 0) out vec4 color;
void main() { color = vec4(1.0, 0.0, blue, 1.0); }
END
SHADER compute fill SPIRV-ASM TARGET_ENV spv1.0
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %go \"go\"
               OpExecutionMode %go LocalSize 4 1 1
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
         %go = OpFunction %void None %fn
          %l = OpLabel
               OpReturn
               OpFunctionEnd
END
BUFFER at DATA_TYPE vec2<float> DATA 0 0 1 0 0 1 END
BUFFER color FORMAT R8G8B8A8_UNORM
BUFFER numbers DATA_TYPE uint32 SIZE 4 FILL 0
PIPELINE graphics draw
  ATTACH corners
  ATTACH tinted SPECIALIZE 3 AS float 0.25
  VERTEX_DATA at LOCATION 0
  BIND BUFFER color AS color LOCATION 0
  BIND BUFFER numbers AS push_constant
END
PIPELINE compute dispatch
  ATTACH fill ENTRY_POINT go
  BIND BUFFER_ARRAY numbers numbers AS storage DESCRIPTOR_SET 1 BINDING 2
END
";

fn opened(text: &str, pipeline: Option<&str>) -> Result<Described, String> {
    let wanted = LoadOptions { pipeline: pipeline.map(str::to_owned), ..LoadOptions::default() };
    match load(Path::new("some/a.amber"), text.as_bytes().to_vec(), &wanted) {
        Ok(Loaded::Described(described)) => Ok(*described),
        Ok(_) => panic!("is a description"),
        Err(problem) => Err(problem.to_string()),
    }
}

#[test]
fn a_pipeline_of_a_script_has_its_shaders_and_state() {
    let Described { pipeline, modules, .. } = opened(SCRIPT, Some("draw")).expect("opens");
    assert_eq!(pipeline.findings, []);
    let stages: Vec<_> = pipeline.stages.iter().map(|one| (one.stage, one.module, one.from.as_str())).collect();
    assert_eq!(stages, [(StageKind::Vertex, Some(0), "line 25"), (StageKind::Fragment, Some(1), "line 26")]);
    assert_eq!(pipeline.stages[1].constants[0].value, Some(SpecValue("0.25".to_owned())));
    let input = pipeline.state.vertex_input.as_ref().expect("stated");
    assert_eq!((input.bindings[0].stride, input.attributes[0].format), (8, VkFormat(103)));
    let attachments = pipeline.state.attachments.as_ref().expect("stated");
    assert_eq!(attachments.colors[0].format, VkFormat::named("R8G8B8A8_UNORM"));
    assert_eq!(pipeline.layout.push_constants[0].size, 16);
    let source = modules[1].source_file().expect("has its source");
    assert_eq!(source.text.lines().nth(6), Some("void main() { color = vec4(1.0, 0.0, blue, 1.0); }"));
}

#[test]
fn several_pipelines_are_chosen_by_name() {
    let compute = opened(SCRIPT, Some("dispatch")).expect("opens").pipeline;
    assert_eq!((compute.kind, compute.stages[0].entry.as_str()), (PipelineKind::Compute, "go"));
    let set = &compute.layout.sets[0];
    assert_eq!((set.set, set.bindings[0].binding, set.bindings[0].count), (1, 2, 2));
    assert!(opened(SCRIPT, None).is_err_and(|why| why.contains("2 pipelines (draw, dispatch)")));
    assert!(opened(SCRIPT, Some("drew")).is_err_and(|why| why.contains("`drew`") && why.contains("draw, dispatch")));
    assert!(opened("#!amber\n", None).is_err_and(|why| why.contains("no pipeline")));
    let wrong = opened("#!amber\nNONSENSE\n", None);
    assert!(wrong.is_err_and(|why| why.contains("line 2: expected a command") && why.contains("amber.syntax")));
}

#[test]
fn a_wrong_shader_is_a_finding_with_its_line() {
    let described = opened(&SCRIPT.replace("0.0, blue", "0.0, green"), Some("draw")).expect("opens");
    let finding = &described.pipeline.findings[0];
    assert_eq!(finding.code, "amber.stage-unusable");
    assert!(finding.message.contains("a.amber:7: 'green'"), "{}", finding.message);
    let described = opened(&SCRIPT.replace("OpReturn\n", "OpNonsense\n"), Some("dispatch")).expect("opens");
    assert!(described.pipeline.findings[0].message.contains("line 18"), "{:?}", described.pipeline.findings);
}
