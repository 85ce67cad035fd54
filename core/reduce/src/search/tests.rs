use lanescope_base::StageKind;
use lanescope_spirv::Module;

use super::*;
use crate::subject::Subject;
use crate::testing::{check, disassemble, glsl};
use crate::text::Sources;

/// Accepts what a function accepts.
struct By<F> {
    accepts: F,
    at_once: usize,
    judged: u64,
    stop_after: u64,
}

impl<S, F: Fn(&S) -> bool> Judge<S> for By<F> {
    fn at_once(&self) -> usize {
        self.at_once
    }

    fn first(&mut self, tries: &[S]) -> Result<Option<usize>, Stopped> {
        self.judged += tries.len() as u64;
        if self.judged > self.stop_after {
            return Err(Stopped);
        }
        Ok(tries.iter().position(|each| (self.accepts)(each)))
    }

    fn is_stopped(&self) -> bool {
        false
    }

    fn at(&mut self, _: &Progress, _: &S) {}
}

fn reduced<S: Reducible>(subject: S, accepts: impl Fn(&S) -> bool, at_once: usize) -> Reduced<S> {
    reduce(subject, &mut By { accepts, at_once, judged: 0, stop_after: u64::MAX })
}

fn of(module: Module) -> Subject {
    Subject::new(vec![module], Some([7, 3, 1]), vec!["0:0".to_owned()])
}

const LONG: &str = "
    layout(local_size_x = 8) in;
    layout(binding = 0) buffer B { uint n; float b[]; };
    float f(float x) { return mod(x, 3.0) + sqrt(x); }
    void main() {
        float sum = 0.0;
        for (uint i = 0; i < n; i++) {
            if ((i & 1u) == 0u) sum += f(b[i]); else sum -= b[i] * 2.0;
            for (uint j = 0; j < i; j++) sum += float(j) * b[j];
        }
        b[gl_GlobalInvocationID.x] = sum;
        barrier();
        b[n + 1u] = cos(sum);
    }";

#[test]
fn what_is_looked_for_is_left_with_little_else() {
    let wanted = |subject: &Subject| {
        let module = &subject.modules[0];
        module.insts().any(|inst| inst.name() == "OpFMod") && check(module).is_ok()
    };
    let start = of(glsl(StageKind::Compute, LONG));
    let before = start.size();
    let found = reduced(start.clone(), wanted, 1);
    assert!(found.is_complete);
    let text = disassemble(&found.best.modules[0]);
    // The operation, something that keeps it, and the return.
    assert!(before.code > 60 && found.best.size().code <= 4, "{} to {}\n{text}", before.code, found.best.size().code);
    assert_eq!((found.best.groups, found.best.inputs.len()), (Some([1; 3]), 0));
    assert!(!text.contains("OpUndef"));
    let several = reduced(start, wanted, 5);
    assert_eq!(several.best, found.best, "the result does not depend on how many are judged at once");
}

#[test]
fn a_search_that_is_stopped_keeps_the_best_one() {
    let start = of(glsl(StageKind::Compute, LONG));
    let accepts = |subject: &Subject| check(&subject.modules[0]).is_ok();
    let found = reduce(start.clone(), &mut By { accepts, at_once: 2, judged: 0, stop_after: 10 });
    assert!(!found.is_complete && found.best.size() < start.size());
}

#[test]
fn texts_become_smaller() {
    let text = "#version 460\nvoid f() { int x = 1; }\nvoid main() { if (true) { f(); discard; } }\n".to_owned();
    let found = reduced(Sources(vec![text]), |sources| sources.0[0].contains("discard"), 3);
    assert_eq!(found.best.0, [" discard\n"], "one blank of each run stays");
}
