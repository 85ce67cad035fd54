//! A program made smaller.

use std::path::PathBuf;

use lanescope_inspector::command::Purpose;

use super::*;
use crate::state::overlay::Overlay;
use crate::state::saving::Pending;

/// A race beside work that has nothing to do with it.
const RACE: &str = "#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer B { uint n[8]; };
shared uint s;
void main() {
    uint sum = 0;
    for (uint i = 0; i < 4; i++) sum += n[i] * i;
    s = gl_LocalInvocationIndex;
    n[gl_LocalInvocationIndex] = s + sum;
}
";

fn typed(bench: &mut Bench, text: &str) {
    let id = bench.program().id;
    bench.run(Command::TakePaths(Purpose::Reduce(id), vec![PathBuf::from(text)]));
}

#[test]
pub fn reduces_a_program_and_compares() {
    let mut bench = Bench::opened("race.comp", RACE);
    bench.run(Command::Reduce("finding E001".to_owned()));
    assert!(matches!(&bench.state.overlay, Overlay::Path(question) if question.text == "finding E001"));
    typed(&mut bench, "finding E001");
    assert!(bench.is_busy(&Tag::Reduce) && matches!(bench.state.overlay, Overlay::None));
    bench.until("it is smaller", |state| state.pending.is_some());
    let said = bench.message();
    assert!(said.contains("instructions: finding E001: two invocations access the same bytes"), "{said}");
    let Some(Pending::Reduced(_, files)) = &bench.state.pending else { panic!("files wait") };
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["comp.spvasm", "comp.spv", "reduced.amber", "README.md"]);
    let folder = bench.folder.path().join("small");
    bench.run(Command::TakePaths(Purpose::SaveFolder, vec![folder.clone()]));
    bench.until("both are open", |state| state.programs.len() == 2 && state.pairs.is_empty());
    assert!(folder.join("comp.spv").is_file());
    assert_eq!(bench.state.programs[1].paths, [folder.join("comp.spv")]);
}

#[test]
fn a_condition_that_cannot_be_read_is_typed_again() {
    let mut bench = Bench::opened("race.comp", RACE);
    bench.run(Command::Reduce(String::new()));
    typed(&mut bench, "finding");
    assert_eq!(bench.message(), "condition, column 8: expected the code of a finding, found the end");
    assert!(matches!(&bench.state.overlay, Overlay::Path(question) if question.text == "finding"));
    typed(&mut bench, "finding E006");
    bench.until("it is refused", |state| !state.running.is_busy(&Tag::Reduce));
    let said = bench.message();
    assert!(said.contains("the condition does not hold") && said.contains("no such finding"), "{said}");
}
