use super::*;
use crate::gpu::DescriptorOf;
use lanescope_amber::read;
use lanescope_run::inputs::{Content, SamplerState};
use lanescope_run::{Blob, BufferRun, Run as RunReport, RunMode};
use lanescope_spirv::shape::Shape;

/// Adds 1 to each byte of the buffer at set 0, binding 0.
struct AddOne;

impl Execute for AddOne {
    type Error = String;

    fn push_constants(&mut self, _: &str) -> Result<u64, String> {
        Ok(4)
    }

    fn declared(&mut self, _: &str) -> Result<Vec<Declared>, String> {
        let nearest = SamplerState::usual(false, true);
        let declared = |binding, of, sampler| Declared {
            set: 0,
            binding,
            of,
            variable: None,
            count: 1,
            writable: true,
            format: None,
            sampler,
        };
        Ok(vec![
            declared(0, DescriptorOf::StorageBuffer, None),
            declared(1, DescriptorOf::Sampler, Some(nearest)),
            declared(2, DescriptorOf::UniformBuffer, None),
        ])
    }

    fn run(&mut self, _: &str, _: Option<[u32; 3]>, inputs: Inputs, within: Duration) -> Result<Execution, String> {
        assert!(within <= WITHIN.run);
        let Some(Content::Bytes(Blob(bytes))) = inputs.given(0, 0, 0) else {
            return Err("nothing is given".to_owned());
        };
        let bytes: Vec<u8> = bytes.iter().map(|byte| byte.wrapping_add(1)).collect();
        let mut run = RunReport::new("a test", RunMode::Compute);
        let name = "set0.binding0".to_owned();
        let shape = Shape::Words { count: 1 };
        run.buffers.push(BufferRun {
            name: name.clone(),
            register: None,
            variable: None,
            set: 0,
            binding: 0,
            element: 0,
            bytes: bytes.len() as u64,
            hash: lanescope_run::hash(&bytes),
            shape,
        });
        Ok(Execution { run, data: BTreeMap::from([(name, Blob(bytes))]) })
    }
}

const HEAD: &str = "#!amber
SHADER compute c GLSL
END_IS_NOT_HERE
";

const WITHIN: Limits = Limits { whole: Duration::from_secs(600), run: Duration::from_secs(60) };

fn script(body: &str) -> Script {
    let text = format!("{}{body}", HEAD.replace("END_IS_NOT_HERE", "void main() {}\nEND"));
    read(text.as_bytes()).expect("reads")
}

fn said(stop: Stop<String>) -> String {
    match stop {
        Stop::NotPossible { line, construct } => format!("line {line}: {construct}"),
        Stop::Wrong { line, what } => format!("line {line}: wrong: {what}"),
        Stop::OutOfTime { line, limit } => format!("line {line}: {} s", limit.as_secs()),
        Stop::Run { line, error } => format!("line {line}: failed: {error}"),
        Stop::NoSuchRun { wanted, runs } => format!("{wanted} of {runs}"),
    }
}

fn ran(body: &str) -> Result<ScriptRun, String> {
    run(&script(body), AddOne, WITHIN).map(|ended| ended.run).map_err(said)
}

const BUFFERS: &str = "BUFFER a DATA_TYPE uint8 DATA 1 2 3 4 END
BUFFER b DATA_TYPE uint8 SIZE 4 FILL 0
PIPELINE compute p
  ATTACH c
  BIND BUFFER a AS storage DESCRIPTOR_SET 0 BINDING 0
END
";

#[test]
fn buffers_live_from_command_to_command() {
    let done = ran(&format!(
        "{BUFFERS}RUN p 1 1 1\nCOPY a TO b\nRUN p 1 1 1\nEXPECT a IDX 0 EQ 3 4 5 6\nEXPECT b IDX 0 EQ 2 3 4 5\n\
         REPEAT 3\nRUN p 1 1 1\nEND\nEXPECT a IDX 1 EQ 7\nEXPECT a EQ_BUFFER b\n"
    ))
    .expect("runs");
    assert_eq!((done.commands, done.runs, done.checks, done.failures.len()), (10, 5, 4, 1));
    let failure = &done.failures[0];
    assert_eq!((failure.line, failure.place.as_str(), failure.count), (20, "byte 0", 4));
    assert_eq!((failure.expected.as_str(), failure.found.as_str()), ("0x02", "0x06"));
}

#[test]
fn a_part_of_a_buffer_can_be_bound() {
    let part = BUFFERS.replace("BINDING 0\n", "BINDING 0 DESCRIPTOR_OFFSET 1 DESCRIPTOR_RANGE 2\n");
    let done = ran(&format!("{part}RUN p 1 1 1\nEXPECT a IDX 0 EQ 1 3 4 4\n")).expect("runs");
    assert_eq!(done.failures, []);
    let part = BUFFERS.replace("BINDING 0\n", "BINDING 0 DESCRIPTOR_OFFSET 3 DESCRIPTOR_RANGE 2\n");
    assert_eq!(
        ran(&format!("{part}RUN p 1 1 1\n")),
        Err("line 9: bytes 3 to 5 of `a`, which it does not have".to_owned())
    );
}

#[test]
fn what_is_not_run_here_is_an_error_with_its_line() {
    let twice = BUFFERS.replace("BINDING 0\n", "BINDING 0\n  BIND BUFFER a AS storage DESCRIPTOR_SET 0 BINDING 3\n");
    let said = ran(&format!("{twice}RUN p 1 1 1\n")).expect_err("is written at two places");
    assert!(said.starts_with("line 12: RUN: `a` is bound at 2 places"), "{said}");
    let sampled = |sampler: &str, binding: u32| {
        let bind = format!("BINDING 0\n  BIND SAMPLER s DESCRIPTOR_SET 0 BINDING {binding}\n");
        ran(&format!("SAMPLER s{sampler}\n{}RUN p 1 1 1\n", BUFFERS.replace("BINDING 0\n", &bind)))
    };
    // No shader sees the last one.
    for (sampler, binding) in [("", 1), (" MAG_FILTER nearest ADDRESS_MODE_U repeat", 1), (" MAG_FILTER linear", 9)] {
        assert!(sampled(sampler, binding).is_ok(), "{sampler}");
    }
    let said = sampled(" UNNORMALIZED_COORDS", 1).expect_err("is not allowed");
    assert!(said.starts_with("line 5: SAMPLER s: coordinates that"), "{said}");
    let said = sampled("", 2).expect_err("is a buffer");
    assert_eq!(said, "line 11: wrong: BIND SAMPLER: the shader declares a uniform buffer at set 0, binding 2");
    let file = "BUFFER a DATA_TYPE uint8 SIZE 4 FILE BINARY a.bin\n";
    assert!(ran(file).is_err_and(|said| said == "line 5: FILE BINARY a.bin: no files are read here"));
    let many = format!("{BUFFERS}REPEAT 65537\nEXPECT a IDX 0 EQ 1\nEND\n");
    assert!(ran(&many).is_err_and(|said| said.contains("more than 65536 commands")));
}

#[test]
fn what_is_bound_is_of_the_kind_that_the_shader_declares() {
    for (kind, binding, expected) in [
        ("storage", 0, None),
        ("storage_dynamic", 0, None),
        ("uniform", 0, Some("uniform: the shader declares a storage buffer at set 0, binding 0")),
        ("storage", 2, Some("storage: the shader declares a uniform buffer at set 0, binding 2")),
        ("uniform_dynamic", 2, None),
        ("storage", 1, Some("storage: the shader declares a sampler at set 0, binding 1")),
        ("uniform", 9, None),
    ] {
        let offset = if kind.ends_with("dynamic") { " OFFSET 0" } else { "" };
        let bind = format!("BINDING 0\n  BIND BUFFER b AS {kind} DESCRIPTOR_SET 0 BINDING {binding}{offset}\n");
        let bind = if binding == 0 { bind.replace("BINDING 0\n  ", "BINDING 8\n  ") } else { bind };
        let buffers = BUFFERS.replace("BINDING 0\n", &bind);
        let said = ran(&format!("{buffers}RUN p 1 1 1\n"));
        let expected = expected.map(|what| format!("line 10: wrong: BIND BUFFER b AS {what}"));
        assert_eq!(said.err(), expected, "{kind} {binding}");
    }
}

#[test]
fn every_check_says_what_it_expects_and_finds() {
    let done = ran(&format!(
        "{BUFFERS}RUN p 1 1 1\nEXPECT a IDX 0 EQ 2 3 4 5\nEXPECT a IDX 1 TOLERANCE 1 EQ 3 9 9\nEXPECT b EQ_BUFFER b\n\
         REPEAT 2\nEXPECT a IDX 0 LE 2\nEND\n"
    ));
    let done = done.expect("runs");
    let rows: Vec<_> = done
        .expectations
        .iter()
        .map(|one| {
            (one.line, one.command.as_str(), one.expected.as_str(), one.found.as_deref(), one.differ, one.repetition)
        })
        .collect();
    assert_eq!(
        rows,
        [
            (12, "EXPECT a IDX 0 EQ", "2 3 4 5", Some("2 3 4 5"), 0, None),
            (13, "EXPECT a IDX 1 TOLERANCE 1.0 EQ", "9", Some("4"), 2, None),
            (14, "EXPECT b EQ_BUFFER b", "the bytes of b", None, 0, None),
            (16, "EXPECT a IDX 0 LE", "at most 2", Some("2"), 0, Some(1)),
            (16, "EXPECT a IDX 0 LE", "at most 2", Some("2"), 0, Some(2)),
        ]
    );
    assert_eq!(done.expectations[1].place.as_deref(), Some("byte 2, number 1"));
    assert!(!done.expectations[1].passed() && done.expectations[2].passed());
}

#[test]
fn a_run_is_reached_with_what_commands_before_it_left() {
    let text = format!("{BUFFERS}RUN p 1 1 1\nCOPY a TO b\nREPEAT 2\nRUN p 3 1 1\nEND\nRUN p 0 1 1\n");
    let reached = |wanted| reach(&script(&text), AddOne, WITHIN, wanted).map_err(said);
    let third = reached(3).expect("is there");
    assert_eq!((third.line, third.pipeline.as_str(), third.groups), (14, "p", Some([3, 1, 1])));
    assert_eq!(third.inputs.given(0, 0, 0), Some(&Content::Bytes(Blob(vec![3, 4, 5, 6]))));
    assert_eq!(reached(1).expect("is there").inputs.given(0, 0, 0), Some(&Content::Bytes(Blob(vec![1, 2, 3, 4]))));
    assert_eq!((third.before.runs, third.before.commands, third.before.findings.len()), (2, 4, 0));
    assert_eq!(reached(5), Err("5 of 4".to_owned()));
    assert_eq!(reached(4), Err("line 16: RUN of 0×1×1 workgroups: nothing runs".to_owned()));
}

#[test]
fn a_script_ends_when_its_time_is_up() {
    let limits = Limits { whole: Duration::ZERO, ..WITHIN };
    let text = format!("{BUFFERS}RUN p 1 1 1\n");
    let stop = run(&script(&text), AddOne, limits).map(|ended| ended.run).map_err(said);
    assert_eq!(stop, Err("line 11: 0 s".to_owned()));
}

/// What is checked before a run that is reached is part of it.
#[test]
fn what_failed_before_a_run_is_kept() {
    let text = format!("{BUFFERS}RUN p 1 1 1\nEXPECT a IDX 0 EQ 9\nRUN p 1 1 1\n");
    let reached = reach(&script(&text), AddOne, WITHIN, 2).map_err(said).expect("is there");
    let failed: Vec<u32> = reached.before.failures.iter().map(|failure| failure.line).collect();
    assert_eq!((failed, reached.before.checks, reached.before.is_clean()), (vec![12], 1, false));
    assert!(reach(&script(&text), AddOne, WITHIN, 1).is_ok_and(|first| first.before.is_clean()));
}

#[test]
fn images_of_which_a_check_names_no_level_are_not_compared() {
    let image = |name: &str, more: &str| format!("IMAGE {name} FORMAT R32_UINT DIM_2D WIDTH 4 HEIGHT 4{more} FILL 0\n");
    for (more, why) in [(" MIP_LEVELS 2", "which level of `m`"), (" SAMPLES 4", "a buffer with SAMPLES: `m`")] {
        let images = image("m", more) + &image("n", "");
        for check in ["m EQ_BUFFER n", "n EQ_BUFFER m", "n RMSE_BUFFER m TOLERANCE 1", "m IDX 0 EQ 0"] {
            let said = ran(&format!("{images}EXPECT {check}\n")).expect_err("no level");
            assert!(said.starts_with("line 7: EXPECT of a") && said.contains(why), "{check}: {said}");
        }
        let done = ran(&format!("{images}EXPECT n EQ_BUFFER n\n")).expect("runs");
        assert_eq!((done.checks, done.failures.len()), (1, 0));
    }
}

/// Contents are given as often as they are bound; what no shader declares is not.
#[test]
fn a_run_takes_a_bounded_number_of_bytes() {
    let large = "BUFFER big DATA_TYPE uint8 SIZE 60000000 FILL 1\n";
    let bound = |binding: u32| {
        let binds: String = (0..18)
            .map(|set| format!("  BIND BUFFER big AS uniform DESCRIPTOR_SET {set} BINDING {binding}\n"))
            .collect();
        ran(&format!(
            "{large}{}RUN p 1 1 1\n",
            BUFFERS.replace("END\nRUN", "RUN").replace("BINDING 0\n", &format!("BINDING 0\n{binds}"))
        ))
    };
    assert!(bound(9).is_ok());
    let many = format!("  BIND BUFFER_ARRAY {}AS uniform DESCRIPTOR_SET 0 BINDING 2\n", "big ".repeat(18));
    let text = BUFFERS.replace("BINDING 0\n", &format!("BINDING 0\n{many}"));
    let said = ran(&format!("{large}{text}RUN p 1 1 1\n")).expect_err("is too much");
    assert_eq!(said, "line 11: RUN with more than 1073741824 bytes of contents");
    let one = "  BIND BUFFER big AS uniform DESCRIPTOR_SET 0 BINDING 2\n";
    let text = BUFFERS.replace("BINDING 0\n", &format!("BINDING 0\n{one}"));
    let larger = large.replace("60000000", "70000000");
    let said = ran(&format!("{larger}{text}RUN p 1 1 1\n")).expect_err("is too large");
    assert!(said.ends_with("`big`: 70000000 bytes; a descriptor has at most 67108864"), "{said}");
}

/// Equal writes are an error, and leave what they leave.
#[test]
fn a_script_holds_with_equal_writes_only() {
    use lanescope_model::findings::{DATA_RACE, EQUAL_WRITES, EVENTS_TRUNCATED};
    for (rule, is_clean) in [(&EQUAL_WRITES, true), (&EVENTS_TRUNCATED, true), (&DATA_RACE, false)] {
        let run = ScriptRun {
            findings: vec![RunFinding { line: 1, finding: rule.at(None, None, "") }],
            ..ScriptRun::default()
        };
        assert_eq!(run.is_clean(), is_clean, "{}", rule.code);
    }
}

/// Finds equal writes in each run, and a race in the one of this number.
struct Racy {
    runs: u32,
    race: u32,
}

impl Execute for Racy {
    type Error = String;

    fn push_constants(&mut self, pipeline: &str) -> Result<u64, String> {
        AddOne.push_constants(pipeline)
    }

    fn declared(&mut self, pipeline: &str) -> Result<Vec<Declared>, String> {
        AddOne.declared(pipeline)
    }

    fn run(
        &mut self,
        pipeline: &str,
        groups: Option<[u32; 3]>,
        inputs: Inputs,
        within: Duration,
    ) -> Result<Execution, String> {
        use lanescope_model::findings::{DATA_RACE, EQUAL_WRITES};
        let mut done = AddOne.run(pipeline, groups, inputs, within)?;
        self.runs += 1;
        let rule = if self.runs == self.race { &DATA_RACE } else { &EQUAL_WRITES };
        done.run.findings.push(rule.at(None, None, ""));
        Ok(done)
    }
}

#[test]
fn many_findings_hide_no_other() {
    let text = format!("{BUFFERS}REPEAT 1000\nRUN p 1 1 1\nEND\nRUN p 1 1 1\n");
    for (race, is_clean) in [(1001, false), (0, true)] {
        let done = run(&script(&text), Racy { runs: 0, race }, WITHIN).map_err(said).expect("runs").run;
        assert_eq!((done.runs, done.is_clean()), (1001, is_clean));
    }
}
