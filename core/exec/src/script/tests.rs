use super::*;
use lanescope_amber::read;
use lanescope_passes::run::inputs::Content;
use lanescope_passes::run::types::Shape;
use lanescope_passes::run::{Blob, BufferRun, Run as RunReport, RunMode};

/// Adds 1 to each byte of the buffer at set 0, binding 0.
struct AddOne;

impl Execute for AddOne {
    type Error = String;

    fn push_constants(&mut self, _: &str) -> Result<u64, String> {
        Ok(4)
    }

    fn run(&mut self, _: &str, _: Option<[u32; 3]>, inputs: Inputs) -> Result<Execution, String> {
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
            hash: lanescope_passes::run::hash(&bytes),
            shape,
        });
        Ok(Execution { run, data: BTreeMap::from([(name, Blob(bytes))]) })
    }
}

const HEAD: &str = "#!amber
SHADER compute c GLSL
END_IS_NOT_HERE
";

fn ran(body: &str) -> Result<ScriptRun, String> {
    let text = format!("{}{body}", HEAD.replace("END_IS_NOT_HERE", "void main() {}\nEND"));
    let script = read(text.as_bytes()).expect("reads");
    run(&script, AddOne).map_err(|stop| match stop {
        Stop::NotPossible { line, construct } => format!("line {line}: {construct}"),
        Stop::Run { line, error } => format!("line {line}: failed: {error}"),
    })
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
    let twice = BUFFERS.replace("BINDING 0\n", "BINDING 0\n  BIND BUFFER a AS storage DESCRIPTOR_SET 0 BINDING 1\n");
    let said = ran(&format!("{twice}RUN p 1 1 1\n")).expect_err("is written at two places");
    assert!(said.starts_with("line 12: RUN: `a` is bound at 2 places"), "{said}");
    let sampled = format!(
        "SAMPLER s UNNORMALIZED_COORDS\n{}",
        BUFFERS.replace("BINDING 0\n", "BINDING 0\n  BIND SAMPLER s DESCRIPTOR_SET 0 BINDING 1\n")
    );
    assert!(
        ran(&format!("{sampled}RUN p 1 1 1\n"))
            .is_err_and(|said| said.starts_with("line 5: SAMPLER s: coordinates that"))
    );
    let file = "BUFFER a DATA_TYPE uint8 SIZE 4 FILE BINARY a.bin\n";
    assert!(ran(file).is_err_and(|said| said == "line 5: FILE BINARY a.bin: no files are read here"));
    let many = format!("{BUFFERS}REPEAT 65537\nEXPECT a IDX 0 EQ 1\nEND\n");
    assert!(ran(&many).is_err_and(|said| said.contains("more than 65536 commands")));
}
