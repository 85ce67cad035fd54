//! Runs on the software device under the validation layer and in the interpreter: both have to give the same.

use serde_json::Value;

use super::outcome;

/// A device, and the interpreter.
pub const DEVICES: [&[&str]; 2] = [&["--device", "llvmpipe", "--validate"], &["--device", "interpreter"]];

/// A run of each device, without the rewritten program, with the given status. What they wrote is the same.
pub fn run(arguments: &[&str], status: i32) -> Value {
    let [device, interpreter] = DEVICES.map(|on| {
        let all = ["run"].into_iter().chain(arguments.iter().copied());
        let (code, stdout, stderr) =
            outcome(all.chain(on.iter().copied()).chain(["--original-only", "--format", "json"]));
        assert_eq!(code, status, "{on:?}: {stderr}");
        let report: Value = serde_json::from_str(&stdout).expect("standard output is one JSON object");
        assert!(report["run"].get("warnings").is_none(), "{}", report["run"]["warnings"]);
        report["run"].clone()
    });
    for written in ["inputs", "buffers", "images"] {
        assert_eq!(device[written], interpreter[written], "{written}");
    }
    device
}

/// The contents of the file that a run wrote for a buffer or an attachment, the same from each device.
pub fn bytes(arguments: &[&str], name: &str) -> Vec<u8> {
    let [device, interpreter] = written(arguments, name);
    assert!(device == interpreter, "the devices differ");
    device
}

/// The same from each device by itself.
pub fn written(arguments: &[&str], name: &str) -> [Vec<u8>; 2] {
    DEVICES.map(|on| {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("out");
        let out = ["-o", out.to_str().expect("UTF-8")];
        let all = ["run"].into_iter().chain(arguments.iter().copied());
        let (code, _, stderr) = outcome(all.chain(on.iter().copied()).chain(["--original-only"]).chain(out));
        assert_eq!(code, 0, "{on:?}: {stderr}");
        std::fs::read(folder.path().join("out").join(name)).expect("written")
    })
}

/// Its words.
pub fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// Standard error of a run that has to be refused as unusable, on each device with the same text.
pub fn refused(arguments: &[&str]) -> String {
    let [device, interpreter] = DEVICES.map(|on| {
        let all = ["run"].into_iter().chain(arguments.iter().copied());
        let (code, _, stderr) = outcome(all.chain(on.iter().copied()).chain(["--original-only"]));
        assert_eq!(code, 2, "{on:?}: {stderr}");
        stderr
    });
    assert_eq!(device, interpreter);
    device
}
