//! Layouts of thousands of bindings.

use super::*;

#[test]
fn thousands_of_bindings_do_not_take_quadratic_time() {
    let resource = |binding| Resource { binding, ..any_of(ResourceKind::UniformBlock) };
    let begin = std::time::Instant::now();
    let mut partial = example(&Options::default());
    partial.resources = (0..32_000).map(resource).collect();
    let options = Options { dynamic_uniform: true, ..Options::default() };
    for options in [Options::default(), options] {
        let layout = automatic(&partial.resources, None, &options);
        let all: Vec<(u32, u32)> = layout.nodes().map(|(node, _)| node.at()).collect();
        let application = Application {
            origin: String::new(),
            layout: layout.clone(),
            placed: false,
            hidden: all.clone(),
            fixed: all.clone(),
            colors: Vec::new(),
            spec: Vec::new(),
        };
        assert_eq!(breaks(&layout, &[], &application).len(), 64_000);
        assert_eq!(remap(&layout, &layout).len(), layout.root.len());
        let module = glsl(StageKind::Fragment, "void main() {}");
        let subject = Subject {
            hash: module_hash(&module),
            entry: &module.entry_points()[0],
            stage: StageKind::Fragment,
            options: &options,
            active: &all,
            hidden: &all[1..],
            fixed: &all,
            push: false,
            layout: &layout,
            mapping: &Mapping::default(),
            colors: &[],
            spec: &[],
        };
        assert!(key(&subject, KeyRule::Note).ingredients.len() < 100);
        let against = partial.against.get_or_insert_with(|| {
            one_of(StageKind::Fragment, EXAMPLE, &options, Side::Reflected).0.against.expect("an application")
        });
        against.application = application;
        check::stage(&partial, "a.frag", true, false, &mut Vec::new());
    }
    // A step for each pair takes minutes.
    assert!(begin.elapsed().as_secs() < 20, "{:?}", begin.elapsed());
}

/// A descriptor heap is one binding of a mutable type, which a shader sees as an array of each type that it takes from it.
#[test]
fn descriptor_heap_is_not_a_clash() {
    let heap = "#extension GL_EXT_nonuniform_qualifier : require
        layout(set = 0, binding = 0) uniform U { vec4 u; } buffers[];
        layout(set = 0, binding = 0) uniform texture2D images[];
        layout(set = 0, binding = 0) buffer S { vec4 s; } stores[];
        layout(set = 1, binding = 0) uniform sampler s;
        layout(location = 0) flat in int i; layout(location = 0) out vec4 o;
        void main() { o = buffers[i].u + stores[i].s + texture(sampler2D(images[i], s), vec2(0)); }";
    let (_, findings) = one_of(StageKind::Fragment, heap, &Options::default(), Side::None);
    assert!(findings.iter().all(|f| !f.starts_with("A001")), "{findings:?}");
    let shared = "A002 3 variables: uniform_block `buffers`, storage_block `stores`, sampled_image `images`";
    assert!(findings.iter().any(|f| f == shared), "{findings:?}");
}
