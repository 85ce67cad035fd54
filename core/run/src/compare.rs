//! Two runs, byte by byte.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Execution;
use lanescope_base::named_enum;

/// How two runs compare.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Compare {
    /// Whether every output is the same, bit for bit.
    pub equal: bool,
    /// The outputs, in the order of the report.
    pub outputs: Vec<OutputCompare>,
}

/// How one output compares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OutputCompare {
    /// `color0`, `set0.binding1`.
    pub name: String,
    /// How many samples, texels or 32-bit words differ.
    pub differing: u64,
    /// The first that differs.
    pub first: Option<First>,
    /// Why there is nothing to count: the two have no such output in common.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unlike: Option<Unlike>,
}

named_enum!(
    /// How one output of two runs is not the same output.
    Unlike {
        /// The second run has none.
        OnlyFirst = "only-in-first",
        /// The first run has none.
        OnlySecond = "only-in-second",
        /// Its components are numbers of another kind.
        Kind = "other-kind",
    }
);

impl Unlike {
    /// The difference as part of a sentence about an output.
    pub fn sentence(self) -> &'static str {
        match self {
            Unlike::OnlyFirst => "is missing in the second",
            Unlike::OnlySecond => "is missing in the first",
            Unlike::Kind => "has components of different types",
        }
    }
}

impl OutputCompare {
    /// Whether both runs have the output, and wrote the same.
    pub fn is_equal(&self) -> bool {
        self.differing == 0 && self.unlike.is_none()
    }
}

/// The first difference of an output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct First {
    /// Its offset in the contents, in bytes.
    pub offset: u64,
    /// In an attachment or an image: the pixel's x, y, and its slice or layer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pixel: Option<[u64; 3]>,
    /// In an attachment: the sample.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sample: Option<u64>,
    /// The differing unit's bytes in the original, as hexadecimal words in memory order.
    pub original: String,
    /// Its value in the rewritten program's output.
    pub rewritten: String,
}

/// How an output divides into units that are counted.
struct Units {
    name: String,
    /// Bytes of a unit.
    unit: usize,
    /// Width and height in pixels, and samples of a pixel; absent for buffers.
    pixels: Option<[u64; 3]>,
}

/// Compares every output of two runs, unit by unit: samples of attachments, texels of images, words of buffers.
///
/// Of an output that only one of them has, or that holds other numbers in the other, nothing is counted.
pub fn compare(original: &Execution, rewritten: &Execution) -> Compare {
    let mut all = units(original);
    for more in units(rewritten) {
        if !all.iter().any(|known| known.name == more.name) {
            all.push(more);
        }
    }
    let outputs: Vec<_> = all.iter().map(|units| output(units, original, rewritten)).collect();
    Compare { equal: outputs.iter().all(OutputCompare::is_equal), outputs }
}

fn units(of: &Execution) -> Vec<Units> {
    let run = &of.run;
    let attachments = run.attachments.iter().map(|a| Units {
        name: a.name.clone(),
        unit: 16,
        pixels: Some([a.size[0], a.size[1], a.samples].map(u64::from)),
    });
    let buffers = run.buffers.iter().map(|b| Units { name: b.name.clone(), unit: 4, pixels: None });
    let images = run.images.iter().map(|i| Units {
        name: i.name.clone(),
        unit: (i.texel_bytes as usize).max(1),
        pixels: Some([u64::from(i.size[0]), u64::from(i.size[1]), 1]),
    });
    attachments.chain(buffers).chain(images).collect()
}

/// How an output of two runs is not the same one.
fn unlike(name: &str, original: &Execution, rewritten: &Execution) -> Option<Unlike> {
    let has = |of: &Execution| units(of).iter().any(|units| units.name == name);
    let kind = |of: &Execution| of.run.attachments.iter().find(|a| a.name == name).map(|a| a.kind);
    match (has(original), has(rewritten)) {
        (true, false) => Some(Unlike::OnlyFirst),
        (false, true) => Some(Unlike::OnlySecond),
        _ => (kind(original) != kind(rewritten)).then_some(Unlike::Kind),
    }
}

fn output(units: &Units, original: &Execution, rewritten: &Execution) -> OutputCompare {
    let unlike = unlike(&units.name, original, rewritten);
    if unlike.is_some() {
        return OutputCompare { name: units.name.clone(), differing: 0, first: None, unlike };
    }
    let (left, right) = (original.contents(&units.name), rewritten.contents(&units.name));
    let count = left.len().max(right.len()).div_ceil(units.unit);
    let part = |bytes: &[u8], index: usize| -> Vec<u8> {
        let rest = bytes.get(index * units.unit..).unwrap_or(&[]);
        rest[..rest.len().min(units.unit)].to_vec()
    };
    let mut differing = 0;
    let mut first = None;
    for index in 0..count {
        let (a, b) = (part(left, index), part(right, index));
        if a == b {
            continue;
        }
        differing += 1;
        first.get_or_insert_with(|| place(units, index as u64, &a, &b));
    }
    OutputCompare { name: units.name.clone(), differing, first, unlike }
}

fn place(units: &Units, index: u64, original: &[u8], rewritten: &[u8]) -> First {
    let words = |bytes: &[u8]| {
        let word = |chunk: &[u8]| {
            let digits: String = chunk.iter().rev().map(|byte| format!("{byte:02x}")).collect();
            format!("0x{digits}")
        };
        let words: Vec<_> = bytes.chunks(4).map(word).collect();
        words.join(" ")
    };
    let (pixel, sample) = match units.pixels {
        Some([width, height, samples]) => {
            let (width, height, samples) = (width.max(1), height.max(1), samples.max(1));
            let pixel = index / samples;
            let position = [pixel % width, pixel / width % height, pixel / width / height];
            (Some(position), (samples > 1).then_some(index % samples))
        }
        None => (None, None),
    };
    First { offset: index * units.unit as u64, pixel, sample, original: words(original), rewritten: words(rewritten) }
}

#[cfg(test)]
mod tests {
    use super::super::{AttachmentRun, Blob, BufferRun, Run, RunMode, Shape, hash};
    use super::*;
    use lanescope_spirv::shape::ScalarKind;

    fn execution(color: &[u8], buffer: &[u8]) -> Execution {
        let run = Run {
            buffers: vec![BufferRun {
                name: "set0.binding1".to_owned(),
                register: None,
                variable: None,
                set: 0,
                binding: 1,
                element: 0,
                bytes: buffer.len() as u64,
                hash: hash(buffer),
                shape: Shape::Words { count: 2 },
            }],
            attachments: vec![AttachmentRun {
                name: "color0".to_owned(),
                location: Some(0),
                size: [2, 2],
                samples: 2,
                kind: ScalarKind::Float,
                bytes: color.len() as u64,
                hash: hash(color),
            }],
            ..Run::new("none", RunMode::Graphics)
        };
        let data = [("color0", color), ("set0.binding1", buffer)];
        Execution { run, data: data.map(|(name, bytes)| (name.to_owned(), Blob(bytes.to_vec()))).into() }
    }

    #[test]
    fn equal_runs_are_equal() {
        let run = execution(&[1; 128], &[2; 8]);
        let same = compare(&run, &run);
        assert!(same.equal && same.outputs.iter().all(|o| o.differing == 0 && o.first.is_none()));
        let names: Vec<_> = same.outputs.iter().map(|o| o.name.as_str()).collect();
        assert_eq!(names, ["color0", "set0.binding1"]);
    }

    #[test]
    fn a_difference_has_its_pixel_sample_and_values() {
        let mut color = [1; 128];
        // Sample 1 of pixel (1, 0), twice, and sample 0 of (0, 1).
        color[16 * 3 + 5] = 9;
        color[16 * 3 + 6] = 9;
        color[16 * 4] = 9;
        let found = compare(&execution(&[1; 128], &[2; 8]), &execution(&color, &[2, 2, 2, 2, 2, 2, 2, 3]));
        assert!(!found.equal);
        assert_eq!(found.outputs[0].differing, 2);
        let first = found.outputs[0].first.as_ref().expect("differs");
        assert_eq!((first.offset, first.pixel, first.sample), (48, Some([1, 0, 0]), Some(1)));
        assert_eq!(first.rewritten, "0x01010101 0x01090901 0x01010101 0x01010101");
        let first = found.outputs[1].first.as_ref().expect("differs");
        assert_eq!((first.offset, first.pixel), (4, None));
        assert_eq!((first.original.as_str(), first.rewritten.as_str()), ("0x02020202", "0x03020202"));
    }

    #[test]
    fn reports_outputs_of_one_side_without_counting_them() {
        let mut other = execution(&[1; 128], &[]);
        other.data.remove("set0.binding1");
        other.run.buffers.clear();
        let found = compare(&other, &execution(&[1; 128], &[2; 8]));
        assert!(!found.equal);
        let row = |found: &Compare, index: usize| {
            let output = &found.outputs[index];
            (output.unlike, output.differing, output.first.is_some(), output.is_equal())
        };
        assert_eq!(row(&found, 1), (Some(Unlike::OnlySecond), 0, false, false));
        let found = compare(&execution(&[1; 128], &[2; 8]), &other);
        assert_eq!(row(&found, 1), (Some(Unlike::OnlyFirst), 0, false, false));
        let json = serde_json::to_string(&found.outputs[1]).expect("is written");
        assert!(json.contains(r#""unlike":"only-in-first""#), "{json}");
    }

    #[test]
    fn does_not_count_numbers_of_different_types() {
        let mut other = execution(&[7; 128], &[2; 8]);
        other.run.attachments[0].kind = ScalarKind::Int;
        let found = compare(&execution(&[1; 128], &[2; 8]), &other);
        assert!(!found.equal);
        assert_eq!((found.outputs[0].unlike, found.outputs[0].differing), (Some(Unlike::Kind), 0));
        assert!(found.outputs[1].is_equal());
    }
}
