//! Data races in GLSL: programs that the memory model orders, and the same programs without what orders them.

use std::time::Duration;

use super::{Waves, run};
use crate::gpu::Inputs;

/// Names for short lines.
const HEAD: &str = "#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#define DEVICE gl_ScopeDevice
#define GROUP gl_ScopeWorkgroup
#define WAVE gl_ScopeSubgroup
#define BUFFER gl_StorageSemanticsBuffer
#define SHARED gl_StorageSemanticsShared
#define IMAGE gl_StorageSemanticsImage
#define ACQUIRE gl_SemanticsAcquire
#define RELEASE gl_SemanticsRelease
#define BOTH gl_SemanticsAcquireRelease
#define AVAILABLE gl_SemanticsMakeAvailable
#define VISIBLE gl_SemanticsMakeVisible
layout(local_size_x = 128) in;
";
const VULKAN: &str = "#pragma use_vulkan_memory_model\n";

/// Invocations exchange elements of workgroup memory.
fn tile(between: &str) -> String {
    format!(
        "layout(binding = 0) buffer Out {{ uint result[128]; }};
        shared uint tile[128];
        void main() {{
            uint i = gl_LocalInvocationIndex;
            tile[i] = i;
            {between}
            result[i] = tile[127u - i];
        }}"
    )
}

/// Invocations exchange elements of a buffer with qualifiers; the partner is in another subgroup, or the next one.
fn exchange(qualifiers: &str, between: &str, partner: &str) -> String {
    format!(
        "layout(binding = 0) {qualifiers} buffer Data {{ uint data[128]; }};
        layout(binding = 1) buffer Out {{ uint result[128]; }};
        void main() {{
            uint i = gl_LocalInvocationIndex;
            data[i] = i;
            {between}
            result[i] = data[{partner}];
        }}"
    )
}

const FAR: &str = "127u - i";
const NEAR: &str = "i ^ 1u";

/// Invocation 0 sets a flag after its payload; others read the payload where they see the flag.
fn flag(qualifiers: &str, set: &str, seen: &str, then: &str) -> String {
    format!(
        "layout(binding = 0) {qualifiers} buffer Data {{ uint ready; uint payload; }};
        layout(binding = 1) buffer Out {{ uint result[128]; }};
        void main() {{
            uint i = gl_LocalInvocationIndex;
            if (i == 0u) {{ payload = 77u; {set} }}
            if (i > 1u && {seen}) {{ {then} result[i] = payload; }}
        }}"
    )
}

/// The last workgroup adds up what all have written.
fn last(qualifiers: &str, before: &str, add: &str, after: &str) -> String {
    format!(
        "layout(binding = 0) {qualifiers} buffer Data {{ uint part[1024]; uint arrived; uint total; }};
        shared bool is_last;
        void main() {{
            uint i = gl_LocalInvocationIndex;
            part[gl_WorkGroupID.x * 128u + i] = i;
            {before}
            if (i == 0u) is_last = {add} == gl_NumWorkGroups.x - 1u;
            barrier();
            if (is_last) {{
                {after}
                uint sum = 0u;
                for (uint at = i; at < gl_NumWorkGroups.x * 128u; at += 128u) sum += part[at];
                if (sum == 12345u) atomicAdd(total, sum);
            }}
        }}"
    )
}

/// The same with one invocation of each workgroup.
fn last_of_one(qualifiers: &str, before: &str, add: &str, after: &str) -> String {
    format!(
        "layout(binding = 0) {qualifiers} buffer Data {{ uint part[8]; uint arrived; uint total; }};
        void main() {{
            if (gl_LocalInvocationIndex != 0u) return;
            part[gl_WorkGroupID.x] = gl_WorkGroupID.x;
            {before}
            if ({add} == gl_NumWorkGroups.x - 1u) {{
                {after}
                uint sum = 0u;
                for (uint at = 0u; at < gl_NumWorkGroups.x; ++at) sum += part[at];
                total = sum;
            }}
        }}"
    )
}

const STORE: &str = "atomicStore(ready, 1u, GROUP, BUFFER, RELEASE | AVAILABLE);";
const SEEN: &str = "atomicLoad(ready, GROUP, BUFFER, ACQUIRE | VISIBLE) == 1u";
const RELAXED_STORE: &str = "atomicStore(ready, 1u, GROUP, 0, 0);";
const RELAXED_SEEN: &str = "atomicLoad(ready, GROUP, 0, 0) == 1u";
const ADD: &str = "atomicAdd(arrived, 1u)";
const ADD_BOTH: &str = "atomicAdd(arrived, 1u, DEVICE, BUFFER, BOTH | AVAILABLE | VISIBLE)";

fn sound() -> Vec<(&'static str, bool, String)> {
    let all = "controlBarrier(GROUP, GROUP, BUFFER, BOTH | AVAILABLE | VISIBLE);";
    let wave = "controlBarrier(WAVE, WAVE, BUFFER, BOTH);";
    let set = format!("memoryBarrier(GROUP, BUFFER, RELEASE | AVAILABLE); {RELAXED_STORE}");
    vec![
        ("a barrier orders workgroup memory", false, tile("barrier();")),
        ("the same in the Vulkan memory model", true, tile("barrier();")),
        ("a memory barrier before a control barrier", false, tile("memoryBarrierShared(); barrier();")),
        ("acquire and release in one control barrier", false, tile("controlBarrier(GROUP, GROUP, SHARED, BOTH);")),
        (
            "release before, acquire after a control barrier",
            true,
            tile("memoryBarrier(GROUP, SHARED, RELEASE); controlBarrier(GROUP, GROUP, 0, 0); memoryBarrier(GROUP, SHARED, ACQUIRE);"),
        ),
        ("a coherent buffer", false, exchange("coherent", "memoryBarrierBuffer(); barrier();", FAR)),
        ("a buffer in a workgroup", false, exchange("", "memoryBarrierBuffer(); barrier();", FAR)),
        ("all kinds of memory", false, exchange("", "groupMemoryBarrier(); barrier();", FAR)),
        ("a workgroup-coherent buffer", true, exchange("workgroupcoherent", "controlBarrier(GROUP, GROUP, BUFFER, BOTH);", FAR)),
        ("availability and visibility in the barrier", true, exchange("nonprivate", all, FAR)),
        ("a subgroup-coherent buffer in a subgroup", true, exchange("subgroupcoherent", wave, NEAR)),
        ("a device-coherent buffer in a subgroup", true, exchange("devicecoherent", wave, NEAR)),
        ("a flag: release and acquire", true, flag("workgroupcoherent", STORE, SEEN, "")),
        ("a flag: availability and visibility of the flag", true, flag("nonprivate", STORE, SEEN, "")),
        (
            "a flag: barriers around relaxed atomics",
            true,
            flag("nonprivate", &set, RELAXED_SEEN, "memoryBarrier(GROUP, BUFFER, ACQUIRE | VISIBLE);"),
        ),
        (
            "a flag: a release sequence",
            true,
            flag("workgroupcoherent", STORE, &SEEN.replace("== 1u", "== 2u"), "")
                .replace("if (i > 1u", "if (i == 1u) atomicAdd(ready, 1u, GROUP, 0, 0);\nif (i > 1u"),
        ),
        (
            "a flag: compare and exchange",
            true,
            flag(
                "workgroupcoherent",
                STORE,
                "atomicCompSwap(ready, 1u, 1u, GROUP, BUFFER, ACQUIRE | VISIBLE, BUFFER, ACQUIRE | VISIBLE) == 1u",
                "",
            ),
        ),
        ("the last workgroup", false, last_of_one("coherent", "memoryBarrierBuffer();", ADD, "memoryBarrierBuffer();")),
        ("the last workgroup, atomics that order", true, last_of_one("devicecoherent", "", ADD_BOTH, "")),
        ("the last workgroup, availability in atomics", true, last_of_one("nonprivate", "", ADD_BOTH, "")),
        ("the last workgroup of many", false, last("coherent", "memoryBarrierBuffer(); barrier();", ADD, "memoryBarrierBuffer();")
            .replace("barrier();\n            if (is_last)", "if (i == 0u) memoryBarrierBuffer();\nbarrier();\nif (is_last)"),
        ),
        (
            "the last workgroup of many, by the letter",
            true,
            last(
                "devicecoherent",
                "controlBarrier(GROUP, GROUP, BUFFER, BOTH);",
                ADD_BOTH,
                "",
            )
            .replace("barrier();\n            if (is_last)", "controlBarrier(GROUP, GROUP, BUFFER | SHARED, BOTH);\n            if (is_last)"),
        ),
        (
            "availability goes on from the workgroup to the device",
            true,
            last(
                "nonprivate",
                "controlBarrier(GROUP, GROUP, BUFFER, BOTH | AVAILABLE | VISIBLE);",
                ADD_BOTH,
                "",
            )
            .replace(
                "barrier();\n            if (is_last)",
                "controlBarrier(GROUP, DEVICE, BUFFER | SHARED, BOTH | AVAILABLE | VISIBLE);\n            if (is_last)",
            ),
        ),
        (
            "a write after a read needs no availability",
            true,
            "layout(binding = 0) nonprivate buffer Data { uint data[128]; };
            layout(binding = 1) buffer Out { uint result[128]; };
            void main() {
                uint i = gl_LocalInvocationIndex;
                result[i] = data[127u - i];
                controlBarrier(GROUP, GROUP, BUFFER, BOTH);
                data[i] = i;
            }"
            .to_owned(),
        ),
        (
            "atomics of all invocations",
            false,
            "layout(binding = 0) buffer Data { uint sum; };
            void main() { atomicAdd(sum, gl_LocalInvocationIndex); }"
                .to_owned(),
        ),
        (
            "workgroups that share nothing",
            false,
            "layout(binding = 0) buffer Data { uint data[]; };
            void main() { data[gl_GlobalInvocationID.x & 1023u] += 1u; }"
                .to_owned(),
        ),
        (
            "a histogram in workgroup memory",
            false,
            "layout(binding = 0) buffer Out { uint result[1024]; };
            shared uint bins[16];
            void main() {
                uint i = gl_LocalInvocationIndex;
                if (i < 16u) bins[i] = 0u;
                barrier();
                atomicAdd(bins[i & 15u], 1u);
                barrier();
                result[gl_GlobalInvocationID.x & 1023u] = bins[(i * 3u) & 15u];
                barrier();
                if (i < 16u) bins[i] = 1u;
            }"
            .to_owned(),
        ),
        (
            "a coherent image",
            false,
            "layout(binding = 0, r32ui) uniform coherent uimage2D picture;
            layout(binding = 1) buffer Out { uint result[128]; };
            void main() {
                int i = int(gl_LocalInvocationIndex);
                imageStore(picture, ivec2(i & 7, i >> 3), uvec4(i));
                memoryBarrierImage();
                barrier();
                result[i] = imageLoad(picture, ivec2((127 - i) & 7, (127 - i) >> 3)).x;
            }"
            .to_owned(),
        ),
    ]
}

fn racy() -> Vec<(&'static str, bool, String)> {
    let only = |semantics: &str| format!("controlBarrier(GROUP, GROUP, BUFFER, {semantics});");
    vec![
        ("nothing between", false, tile("")),
        ("a barrier that only acquires", false, tile("controlBarrier(GROUP, GROUP, SHARED, ACQUIRE);")),
        ("a barrier that only releases", false, tile("controlBarrier(GROUP, GROUP, SHARED, RELEASE);")),
        (
            "a release before a barrier that orders nothing",
            false,
            tile("memoryBarrier(GROUP, SHARED, RELEASE); controlBarrier(GROUP, GROUP, 0, 0);"),
        ),
        ("a barrier that orders nothing", false, tile("controlBarrier(GROUP, GROUP, 0, 0);")),
        ("a memory barrier alone", false, tile("memoryBarrierShared();")),
        ("a barrier of other memory", false, tile("controlBarrier(GROUP, GROUP, BUFFER, BOTH);")),
        ("a memory scope of subgroups", false, tile("controlBarrier(GROUP, WAVE, SHARED, BOTH);")),
        ("a subgroup's barrier", false, tile("controlBarrier(WAVE, WAVE, SHARED, BOTH);")),
        (
            "the acquiring barrier comes first",
            true,
            tile(
                "memoryBarrier(GROUP, SHARED, ACQUIRE); controlBarrier(GROUP, GROUP, 0, 0); memoryBarrier(GROUP, SHARED, RELEASE);",
            ),
        ),
        ("a barrier without buffers", false, exchange("", "barrier();", FAR)),
        ("private accesses", true, exchange("", &only("BOTH | AVAILABLE | VISIBLE"), FAR)),
        ("no availability", true, exchange("nonprivate", &only("BOTH | VISIBLE"), FAR)),
        ("no visibility", true, exchange("nonprivate", &only("BOTH | AVAILABLE"), FAR)),
        ("coherent in the subgroup only", true, exchange("subgroupcoherent", &only("BOTH"), FAR)),
        (
            "availability in the subgroup only",
            true,
            exchange(
                "nonprivate",
                "memoryBarrier(WAVE, BUFFER, BOTH | AVAILABLE); controlBarrier(GROUP, GROUP, BUFFER, BOTH | VISIBLE);",
                FAR,
            ),
        ),
        ("a flag: a relaxed write", true, flag("workgroupcoherent", RELAXED_STORE, SEEN, "")),
        ("a flag: a relaxed read", true, flag("workgroupcoherent", STORE, RELAXED_SEEN, "")),
        (
            "a flag: semantics of other memory",
            true,
            flag("workgroupcoherent", &STORE.replace("BUFFER", "SHARED"), SEEN, ""),
        ),
        (
            "a flag: in the scope of the subgroup",
            true,
            flag("workgroupcoherent", &STORE.replace("GROUP", "WAVE"), SEEN, ""),
        ),
        ("a flag: private payload", true, flag("", STORE, SEEN, "")),
        (
            "a flag: another write ends the release sequence",
            true,
            flag("workgroupcoherent", STORE, &SEEN.replace("== 1u", "== 2u"), "")
                .replace("if (i > 1u", "if (i == 1u) atomicStore(ready, 2u, GROUP, 0, 0);\nif (i > 1u"),
        ),
        ("the last workgroup without a release", false, last_of_one("coherent", "", ADD, "memoryBarrierBuffer();")),
        ("the last workgroup without an acquire", false, last_of_one("coherent", "memoryBarrierBuffer();", ADD, "")),
        (
            "the last workgroup, not coherent",
            false,
            last_of_one("", "memoryBarrierBuffer();", ADD, "memoryBarrierBuffer();"),
        ),
        (
            "the last workgroup, coherent in workgroups",
            true,
            last_of_one("workgroupcoherent", "", &ADD_BOTH.replace(" | AVAILABLE", ""), ""),
        ),
        (
            "the last workgroup, barriers of workgroups",
            false,
            last_of_one("coherent", "groupMemoryBarrier();", ADD, "groupMemoryBarrier();"),
        ),
        (
            "the last workgroup, atomics of workgroups",
            true,
            last_of_one("devicecoherent", "", &ADD_BOTH.replace("DEVICE", "GROUP"), ""),
        ),
        ("the last workgroup of many, released by one", true, last("devicecoherent", "", ADD_BOTH, "")),
        (
            "private reads before a write",
            true,
            "layout(binding = 0) buffer Data { uint data[128]; };
            layout(binding = 1) buffer Out { uint result[128]; };
            void main() {
                uint i = gl_LocalInvocationIndex;
                result[i] = data[127u - i];
                controlBarrier(GROUP, GROUP, BUFFER, BOTH);
                data[i] = i;
            }"
            .to_owned(),
        ),
        (
            "many readers, of which one is not ordered",
            false,
            "layout(binding = 0) buffer Out { uint result[128]; };
            shared uint word;
            void main() {
                uint i = gl_LocalInvocationIndex;
                if (i == 0u) word = 1u;
                barrier();
                if (i < 96u) result[i] = word;
                if (i < 96u) memoryBarrier(GROUP, SHARED, BOTH);
                controlBarrier(GROUP, GROUP, 0, 0);
                if (i >= 96u) result[i] = word;
                if (i == 0u) word = 2u;
            }"
            .to_owned(),
        ),
        (
            "an atomic and a plain access",
            false,
            "layout(binding = 0) buffer Data { uint sum; uint result[128]; };
            void main() { atomicAdd(sum, 1u); result[gl_LocalInvocationIndex] = sum; }"
                .to_owned(),
        ),
        (
            "workgroups that write the same",
            false,
            "layout(binding = 0) coherent buffer Data { uint data[128]; };
            void main() { data[gl_LocalInvocationIndex] = gl_WorkGroupID.x; memoryBarrierBuffer(); barrier(); }"
                .to_owned(),
        ),
    ]
}

/// Whether a race is found.
fn races(text: &str, is_vulkan: bool) -> bool {
    codes(text, is_vulkan).iter().any(|code| ["E001", "E015"].contains(&code.as_str()))
}

/// The codes of what is found: in waves of 32, and four workgroups.
fn codes(text: &str, is_vulkan: bool) -> Vec<String> {
    let pragma = if is_vulkan { VULKAN } else { "" };
    let text = format!("{HEAD}{pragma}{text}");
    let program = lanescope_testing::program(&[("comp", &text)]);
    let inputs = Inputs { zeros: true, ..Inputs::default() };
    let waves = Waves::row_major(32, [128, 1, 1]);
    // Programs that exchange within a workgroup use the same elements in each.
    let groups =
        if text.contains("gl_WorkGroupID") || text.contains("gl_GlobalInvocationID") { [4, 1, 1] } else { [1, 1, 1] };
    let ran = run(&program, &waves, Some(groups), &inputs, Duration::from_secs(60)).expect("it runs");
    ran.run.findings.into_iter().map(|found| found.code).collect()
}

#[test]
fn sound_programs_have_no_race() {
    for (name, is_vulkan, text) in sound() {
        assert!(!races(&text, is_vulkan), "{name}: {text}");
    }
}

#[test]
fn racy_programs_have_one() {
    for (name, is_vulkan, text) in racy() {
        assert!(races(&text, is_vulkan), "{name}: {text}");
    }
}

/// Programs of other stages, with and without a barrier in the place of `BETWEEN`: invocations share the outputs of a
/// patch or of a mesh workgroup, and the payload of a task.
fn of_stages() -> Vec<(&'static str, Vec<(&'static str, String)>)> {
    let vertex = "void main() { gl_Position = vec4(gl_VertexIndex); }";
    let control = "layout(vertices = 3) out;
        layout(location = 0) out vec2 place[]; layout(location = 1) patch out vec4 tint;
        void main() {
            place[gl_InvocationID] = vec2(gl_InvocationID);
            BETWEEN
            if (gl_InvocationID == 0) tint = vec4(place[1], place[2]);
            gl_TessLevelOuter[gl_InvocationID] = 1.0;
        }";
    let evaluation = "layout(triangles) in; layout(location = 1) patch in vec4 tint;
        void main() { gl_Position = tint; }";
    let fragment = "layout(location = 0) out vec4 color; void main() { color = vec4(1.0); }";
    let mesh = "#extension GL_EXT_mesh_shader : require
        layout(local_size_x = 64) in; layout(triangles, max_vertices = 3, max_primitives = 1) out;
        layout(location = 0) out vec2 place[];
        void main() {
            SetMeshOutputsEXT(3u, 1u);
            if (gl_LocalInvocationIndex < 3u) place[gl_LocalInvocationIndex] = vec2(1.0);
            BETWEEN
            if (gl_LocalInvocationIndex < 3u) place[2u - gl_LocalInvocationIndex] = vec2(gl_LocalInvocationIndex);
            if (gl_LocalInvocationIndex == 0u) gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0u, 1u, 2u);
        }";
    let task = "#extension GL_EXT_mesh_shader : require
        layout(local_size_x = 64) in;
        struct Payload { uint first; uint sum; };
        taskPayloadSharedEXT Payload payload;
        void main() {
            if (gl_LocalInvocationIndex == 40u) payload.first = 7u;
            BETWEEN
            if (gl_LocalInvocationIndex == 1u) payload.sum = payload.first;
            EmitMeshTasksEXT(1u, 1u, 1u);
        }";
    let no_mesh = "#extension GL_EXT_mesh_shader : require
        layout(local_size_x = 1) in; layout(triangles, max_vertices = 3, max_primitives = 1) out;
        void main() { SetMeshOutputsEXT(0u, 0u); }";
    let fragment = ("frag", fragment.to_owned());
    let (control, mesh, task) = (control.to_owned(), mesh.to_owned(), task.to_owned());
    vec![
        (
            "outputs of a patch",
            vec![("vert", vertex.to_owned()), ("tesc", control), ("tese", evaluation.to_owned()), fragment.clone()],
        ),
        ("outputs of a mesh", vec![("mesh", mesh), fragment.clone()]),
        ("a payload", vec![("task", task), ("mesh", no_mesh.to_owned()), fragment]),
    ]
}

#[test]
fn many_equal_writes_hide_no_race() {
    let equal = "data[0] = 1u;\n".repeat(1100);
    let text = format!(
        "layout(binding = 0) buffer Data {{ uint data[2]; }};
        void main() {{ {equal} data[1] = gl_LocalInvocationIndex; }}"
    );
    let found = codes(&text, false);
    assert!(found.contains(&"E015".to_owned()) && found.contains(&"E001".to_owned()));
}

#[test]
fn shared_outputs_are_ordered_by_a_barrier_in_either_memory_model() {
    for (name, stages) in of_stages() {
        for pragma in ["", VULKAN] {
            for between in ["barrier();", ""] {
                let texts: Vec<(&str, String)> = stages
                    .iter()
                    .map(|(stage, text)| {
                        let text = text.replace("BETWEEN", between);
                        let of_model = ["tesc", "mesh", "task"].contains(stage);
                        (*stage, format!("{}{text}", if of_model { pragma } else { "" }))
                    })
                    .collect();
                let texts: Vec<(&str, &str)> = texts.iter().map(|(stage, text)| (*stage, text.as_str())).collect();
                let program = lanescope_testing::program(&texts);
                let inputs = Inputs { zeros: true, ..Inputs::default() };
                let waves = Waves::row_major(32, [0; 3]);
                let ran = run(&program, &waves, None, &inputs, Duration::from_secs(60)).expect("it runs");
                let is_racy = ran.run.findings.iter().any(|found| found.code == "E001");
                assert_eq!(is_racy, between.is_empty(), "{name} {pragma} {between}: {:?}", ran.run.findings);
            }
        }
    }
}

/// Without the Vulkan memory model, a barrier orders the outputs of a patch; what it names it only acquires, or releases,
/// where it says so.
#[test]
fn a_barrier_of_a_patch_orders_what_it_names_as_it_says() {
    let control = "#extension GL_KHR_memory_scope_semantics : require
        layout(vertices = 3) out;
        layout(location = 0) out vec2 place[]; layout(location = 1) patch out vec4 tint;
        layout(binding = 0) buffer Data { uint data[32]; uint seen[32]; };
        void main() {
            int own = gl_PrimitiveID * 3;
            place[gl_InvocationID] = vec2(gl_InvocationID);
            data[own + gl_InvocationID] = 1u;
            controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsKIND);
            seen[own + gl_InvocationID] = data[own + 2 - gl_InvocationID];
            if (gl_InvocationID == 0) tint = vec4(place[1], place[2]);
            gl_TessLevelOuter[gl_InvocationID] = 1.0;
        }";
    let stages = of_stages().swap_remove(0).1;
    for (kind, is_racy) in [("AcquireRelease", false), ("Acquire", true), ("Release", true)] {
        let control = control.replace("KIND", kind);
        let text = |(stage, text): &'_ (&'static str, String)| match *stage {
            "tesc" => ("tesc", control.clone()),
            other => (other, text.clone()),
        };
        let texts: Vec<(&str, String)> = stages.iter().map(text).collect();
        let texts: Vec<(&str, &str)> = texts.iter().map(|(stage, text)| (*stage, text.as_str())).collect();
        let inputs = Inputs { zeros: true, ..Inputs::default() };
        let program = lanescope_testing::program(&texts);
        let ran =
            run(&program, &Waves::row_major(32, [0; 3]), None, &inputs, Duration::from_secs(60)).expect("it runs");
        let found: Vec<&str> = ran.run.findings.iter().map(|found| found.code.as_str()).collect();
        assert_eq!(found.contains(&"E001"), is_racy, "{kind}: {found:?}");
    }
}
