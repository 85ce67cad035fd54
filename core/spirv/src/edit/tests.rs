//! Edits of a small module, checked by the validator.

use std::collections::BTreeSet;

use super::*;
use crate::testing::{check, disassemble, glsl};
use lanescope_base::StageKind;

fn vertex() -> Module {
    glsl(
        StageKind::Vertex,
        "layout(location = 0) out vec4 a; layout(location = 1) out B { vec2 c; flat int d; } b;
         void main() { gl_Position = vec4(1); a = vec4(2); a.y = 3; b.d = 4; b.c = vec2(5); }",
    )
}

fn id(module: &Module, name: &str) -> Id {
    (0..module.bound()).map(Id).find(|&id| module.name(id) == Some(name)).expect("the name is there")
}

fn count(module: &Module, op: Op) -> usize {
    module.insts().filter(|inst| inst.op() == Some(op)).count()
}

#[test]
fn unchanged_editor_gives_the_same_module() {
    let module = vertex();
    assert_eq!(Editor::new(&module).finish(), Ok(module));
}

#[test]
fn finds_or_creates_types_and_constants_once() {
    let module = vertex();
    let mut editor = Editor::new(&module);
    let float = editor.float(32);
    let vec4 = editor.vector(float, 4);
    assert!(float.0 < module.bound() && vec4.0 < module.bound(), "the module's own");
    let new = editor.vector(float, 3);
    assert_eq!((new, editor.vector(float, 1)), (editor.vector(float, 3), float));
    let array = editor.array(new, 7);
    assert_eq!(array, editor.array(new, 7));
    assert_eq!((editor.null(new), editor.u32(7)), (editor.null(new), editor.u32(7)));
    let after = editor.finish().expect("a module");
    for op in [Op::TypeFloat, Op::TypeVector, Op::TypeArray, Op::ConstantNull] {
        assert_eq!(count(&after, op) - count(&module, op), usize::from(op != Op::TypeFloat), "{op:?}");
    }
    check(&after).expect("is valid");
}

#[test]
fn adds_to_every_section() {
    let module = vertex();
    let mut editor = Editor::new(&module);
    editor.capability(Capability::Float64);
    editor.capability(Capability::Float64);
    editor.capability(Capability::Shader);
    let double = editor.float(64);
    let variable = editor.variable(StorageClass::Output, double);
    editor.name(variable, "wide");
    editor.decorate(variable, Decoration::Location, &[7]);
    editor.change_interface(0, |_| false, &[(variable, StorageClass::Output)]);
    let start = editor.function_start(module.entry_points()[0].function).expect("there is code");
    let mut code = Vec::new();
    let zero = editor.null(double);
    editor.store(&mut code, variable, zero);
    editor.insert_before(start, &code);
    let after = editor.finish().expect("a module");
    check(&after).expect("is valid");
    assert_eq!(count(&after, Op::Capability), 2);
    assert_eq!(after.name(variable), Some("wide"));
    assert_eq!(after.decoration(variable, None, Decoration::Location), Some(7));
    assert!(after.entry_points()[0].interface.contains(&variable));
}

#[test]
fn replaces_and_removes_instructions() {
    let module = vertex();
    let mut editor = Editor::new(&module);
    let stores: Vec<Inst<'_>> = module.insts().filter(|inst| inst.op() == Some(Op::Store)).collect();
    editor.replace(stores[0].index, Vec::new());
    let mut twice = stores[1].words.to_vec();
    twice.extend(stores[1].words);
    editor.replace(stores[1].index, twice);
    let after = editor.finish().expect("a module");
    check(&after).expect("is valid");
    assert_eq!(count(&after, Op::Store), stores.len());
    assert_eq!(after.len(), module.len());
}

#[test]
fn private_variables_and_their_pointers_leave_the_interface() {
    let module = vertex();
    let ids = BTreeSet::from([id(&module, "a"), id(&module, "b")]);
    let mut editor = Editor::new(&module);
    editor.privatise(&ids, &BTreeSet::new()).expect("nothing escapes");
    editor.change_interface(0, |id| ids.contains(&id), &[]);
    let after = editor.finish().expect("a module");
    check(&after).expect("is valid");
    let text = disassemble(&after);
    assert!(!text.contains("Location") && !text.contains("Flat"), "{text}");
    for name in ["a", "b"] {
        let variable = after.def(id(&after, name)).expect("keeps its id");
        assert_eq!(variable.word_at(3), StorageClass::Private as u32);
    }
}

/// Before SPIR-V 1.4 an interface lists inputs and outputs only.
#[test]
fn old_versions_do_not_list_private_variables() {
    let mut words = vertex().words().to_vec();
    words[1] = 0x0001_0300;
    let module = Module::parse(words).expect("a module");
    let variable = id(&module, "a");
    let mut editor = Editor::new(&module);
    editor.privatise(&BTreeSet::from([variable]), &BTreeSet::new()).expect("nothing escapes");
    editor.change_interface(0, |id| id == variable, &[(Id(1), StorageClass::Private)]);
    let after = editor.finish().expect("a module");
    check(&after).expect("is valid");
    let before = &module.entry_points()[0].interface;
    assert_eq!(after.entry_points()[0].interface.len(), before.len() - 1);
}

#[test]
fn rejects_bound_above_the_limit() {
    let mut words = vertex().words().to_vec();
    words[3] = crate::MAX_BOUND;
    let module = Module::parse(words).expect("a module");
    let mut editor = Editor::new(&module);
    editor.fresh();
    assert!(matches!(editor.finish(), Err(ParseError::Bound { .. })));
}

/// A group's decorations apply to each target: their product is bounded before anything is expanded.
#[test]
fn expands_groups_up_to_the_size_of_a_module() {
    let grouped = |decorations: u32, targets: u32| {
        let mut words = vec![0x0723_0203, 0x0001_0300, 0, 100_000, 0];
        push(&mut words, Op::Name, &[1, 0x67]);
        (0..decorations).for_each(|n| push(&mut words, Op::Decorate, &[1, Decoration::Location as u32, n]));
        push(&mut words, Op::DecorationGroup, &[1]);
        push(&mut words, Op::GroupDecorate, &std::iter::once(1).chain(2..2 + targets).collect::<Vec<_>>());
        push(&mut words, Op::GroupMemberDecorate, &[1, 2, 7, 2, 7]);
        Module::parse(words).expect("a module")
    };
    let after = ungrouped(&grouped(3, 2)).expect("is small").expect("has a group");
    assert_eq!((count(&after, Op::Decorate), count(&after, Op::MemberDecorate)), (6, 3), "a target counts once");
    assert_eq!(after.decoration(Id(3), None, Decoration::Location), Some(0));
    assert_eq!(after.len(), 9, "nothing else is left");
    let error = ungrouped(&grouped(40_000, 40_000)).expect_err("1.6 billion decorations");
    assert!(error.to_string().contains("more decorations than a module can hold"), "{error}");
    assert_eq!(ungrouped(&vertex()), Ok(None));
}
