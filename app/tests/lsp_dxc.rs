//! The language server on HLSL that the DirectX shader compiler compiles: semantics, and nodes of work graphs.

use crate::common::editor_client::{Editor, place};
use crate::common::{copy_samples, samples};
use crate::dxc::library;
use serde_json::{Value, json};

fn editor(library: &std::path::Path) -> Editor {
    let markdown = json!({ "textDocument": { "hover": { "contentFormat": ["markdown"] } } });
    Editor::with(&[("LANESCOPE_DXCOMPILER", library.to_str().expect("UTF-8"))]).initialized(markdown, Value::Null)
}

const INTERFACE: &str = "struct VsIn { float4 at : POSITION; float2 uv : TEXCOORD0; };\n\
    struct Both { float4 p : SV_Position; float2 uv : TEXCOORD0; float3 n : NORMAL; float4 m[2] : M; };\n\
    Texture2D<float4> albedo : register(t0);\n";

/// A semantic that is that of a vertex too, one in a structure that both stages have, arrays, and what nothing reads.
#[test]
fn varyings_are_found_by_their_semantics() {
    let Some(library) = library() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path().canonicalize().expect("is there");
    std::fs::write(root.join("interface.hlsli"), INTERFACE).expect("writable");
    let vertex = "#include \"interface.hlsli\"\n\
        Both main(VsIn v) { Both b = (Both)0; b.p = v.at; b.uv = v.uv; b.n = v.uv.xyy; b.m[1] = v.at; return b; }\n";
    let fragment = "#include \"interface.hlsli\"\n\
        float4 main(Both b) : SV_Target { return albedo.Load(int3(b.uv, 0)) + b.m[1]; }\n";
    std::fs::write(root.join("plain.vs.hlsl"), vertex).expect("writable");
    std::fs::write(root.join("plain.ps.hlsl"), fragment).expect("writable");
    let mut editor = editor(&library);
    for (file, text) in [("plain.vs.hlsl", vertex), ("plain.ps.hlsl", fragment)] {
        editor.open_text(&root.join(file), 1, text);
    }
    let header = root.join("interface.hlsli");
    editor.open_text(&header, 1, INTERFACE);
    let hints = editor.hints(&header);
    let of = |line: u64| -> Vec<&str> {
        hints.iter().filter(|(own, _)| *own == line).map(|(_, label)| label.as_str()).collect()
    };
    // What a vertex has is no varying, though it has the semantic of one.
    assert_eq!(of(0), Vec::<&str>::new(), "{hints:?}");
    let varyings = of(1);
    assert_eq!(varyings.len(), 3, "{hints:?}");
    assert!(varyings[0].starts_with("→ slot") && varyings[1] == "not read", "{hints:?}");
    assert!(varyings[2].starts_with("→ slot") && varyings[2].contains("4 of 8 not read"), "{hints:?}");
    assert!(of(2).iter().any(|label| label.starts_with("guessed dword")), "{hints:?}");
    let hover = editor.hover(&header, place(INTERFACE, "m[2]"));
    assert!(hover.contains('M') && hover.contains("smooth"), "{hover}");
    editor.shut_down();
}

#[test]
fn nodes_and_outputs_lead_to_each_other() {
    let Some(library) = library() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().canonicalize().expect("is there").join("graph.hlsl");
    let text = std::fs::read_to_string(samples().join("work_graphs/10_binned_triangles.hlsl")).expect("a text");
    std::fs::write(&path, &text).expect("writable");
    let mut editor = editor(&library);
    editor.open_text(&path, 1, &text);
    let hints = editor.hints(&path);
    let label = |part: &str| {
        let line = place(&text, part).0 as u64;
        hints.iter().find(|(at, _)| *at == line).map(|(_, label)| label.clone()).unwrap_or_default()
    };
    assert_eq!(label("void Draw("), "entry", "{hints:?}");
    assert!(label("void Raster(").starts_with("← ") && label("void Raster(").contains("Split"), "{hints:?}");
    let outputs = place(&text, "NodeOutput<SplitRecord> splits");
    let at = (outputs.0, outputs.1 + "NodeOutput<SplitRecord> s".len());
    let lines = |found: Vec<(String, u64, u64)>| found.into_iter().map(|(_, line, _)| line).collect::<Vec<_>>();
    let node = place(&text, "void Split(");
    assert_eq!(lines(editor.places("textDocument/definition", &path, at)), [node.0 as u64]);
    // Of the node, the output that leads to it; of a use of the output, its declaration.
    let of_node = editor.places("textDocument/definition", &path, (node.0, node.1 + "void S".len()));
    assert_eq!(lines(of_node), [outputs.0 as u64]);
    let used = place(&text, "splits.GetThreadNodeOutputRecords");
    assert_eq!(lines(editor.places("textDocument/definition", &path, used)), [outputs.0 as u64]);
    let hover = editor.hover(&path, (node.0, node.1 + "void S".len()));
    assert!(hover.contains("broadcasting") && hover.contains("30×17×1"), "{hover}");
    editor.shut_down();
}

/// A rule that a graph violates stands at the node that violates it.
#[test]
fn rules_of_graphs_are_at_their_nodes() {
    let Some(library) = library() else { return };
    let folder = copy_samples();
    let path = folder.path().canonicalize().expect("is there").join("ring.hlsl");
    let text = std::fs::read_to_string(samples().join("work_graphs/rules/g06_ring_of_three.hlsl")).expect("a text");
    std::fs::write(&path, &text).expect("writable");
    let mut editor = editor(&library);
    editor.open_text(&path, 1, &text);
    let all = editor.diagnostics(&path, 1);
    let found = all.iter().find(|one| one["code"] == "G06").unwrap_or_else(|| panic!("{all:?}"));
    let line = found["range"]["start"]["line"].as_u64().expect("a line") as usize;
    assert!(text.lines().nth(line).is_some_and(|line| line.contains("void ")), "{found}");
    editor.shut_down();
}
