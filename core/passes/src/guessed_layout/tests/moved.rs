//! User SGPRs before and after a remap: whatever root the application has, each SGPR holds the same thing.

use super::user_data::node;
use super::*;
use crate::guessed_layout::{Holds, MovedSgpr};
use lanescope_pipeline::{ResourceNode, RootNode as Described};
use proptest::prelude::*;

/// Three tables, each with a buffer at its begin, and push constants of 3 dwords, in any order with any gaps.
fn pipeline(order: &[usize], gaps: &[u32]) -> Pipeline {
    let mut at = 0;
    let mut nodes = Vec::new();
    for (item, gap) in order.iter().zip(gaps) {
        at += gap;
        let node = match item {
            3 => node(NodeType::PushConst, at, 3),
            set => {
                let buffer = ResourceNode { set: Some(*set as u32), binding: Some(0), ..node(NodeType::Buffer, 0, 4) };
                ResourceNode { children: vec![buffer], ..node(NodeType::TablePointer, at, 1) }
            }
        };
        at += node.size_dwords;
        nodes.push(Described { visibility: 192, stages: StageMask::of_llpc(192), node });
    }
    let mut pipeline = Pipeline::new(Format::Glsl, PipelineKind::Compute);
    pipeline.layout.nodes = nodes;
    pipeline
}

const SOURCE: &str = "layout(local_size_x = 64) in;
    layout(set = 0, binding = 0) buffer A { uint a; }; layout(set = 1, binding = 0) buffer B { uint b; };
    layout(set = 2, binding = 0) buffer C { uint c; };
    layout(push_constant) uniform P { uint x; uint unused; uint z; };
    void main() { a = b + c + x + z + gl_NumWorkGroups.x; }";

proptest! {
    #[test]
    fn sgprs_hold_the_same_things(
        order in Just(vec![0usize, 1, 2, 3]).prop_shuffle(),
        gaps in proptest::collection::vec(0u32..9, 4),
    ) {
        let pipeline = pipeline(&order, &gaps);
        let (stage, _) = one_of(StageKind::Compute, SOURCE, &options(), Side::Described(&pipeline, "app.pipe"));
        let against = stage.against.expect("a description");
        let theirs = &against.application.layout;
        prop_assert!(against.hit, "{:?}", against.breaks);
        let held: Vec<Holds> = stage.user_data.expect("is followed").sgprs();
        let guessed: Vec<Holds> = against.sgprs.iter().map(|moved| moved.guessed).collect();
        prop_assert_eq!(&held, &guessed);
        // Three tables and two of three push constants; before them the internal table and the number of workgroups.
        prop_assert_eq!(held.len(), 8);
        for MovedSgpr { sgpr, guessed, moved, what } in &against.sgprs {
            match (guessed, moved) {
                (Holds::Entry { entry }, Some(Holds::Entry { entry: to })) => {
                    let names = [stage.layout.entry(u64::from(*entry)), theirs.entry(u64::from(*to))];
                    prop_assert!(names[0].is_some() && names[0] == names[1], "s{}: {:?}", sgpr, names);
                    prop_assert_eq!(what, &names[0]);
                }
                (guessed, moved) => prop_assert_eq!(Some(*guessed), *moved),
            }
        }
        // Code for the real layout has the same dwords, perhaps in other SGPRs.
        let direct = against.user_data.expect("is followed");
        let mut moved: Vec<u32> = against.sgprs.iter().filter_map(|moved| moved.moved).map(Holds::mapped).collect();
        let mut real: Vec<u32> = direct.sgprs().into_iter().map(Holds::mapped).collect();
        moved.sort_unstable();
        real.sort_unstable();
        prop_assert_eq!(moved, real);
    }
}

/// A dword that the application does not have is not made up.
#[test]
fn a_dword_that_is_missing_is_missing() {
    let mut pipeline = pipeline(&[3, 0, 1, 2], &[0, 0, 0, 0]);
    pipeline.layout.nodes[0].node.size_dwords = 2;
    let (stage, _) = one_of(StageKind::Compute, SOURCE, &options(), Side::Described(&pipeline, "app.pipe"));
    let sgprs = stage.against.expect("a description").sgprs;
    let missing: Vec<&str> =
        sgprs.iter().filter(|moved| moved.moved.is_none()).filter_map(|moved| moved.what.as_deref()).collect();
    assert_eq!(missing, ["push constants, byte 8"]);
}
