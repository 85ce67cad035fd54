//! Results for tests.

use std::path::{Path, PathBuf};

use lanescope_core::corpus::{DriverRow, ExecutableRow, Kind, Named, Row};
use lanescope_core::driver::{Value, Version};

use super::result::{SCHEMA, Writer};
use super::{Filter, Header, Measure, Rows};
use lanescope_core::options::Options;

/// A pipeline of the sample database, which row 0 is.
pub const SAMPLE: &str = "effects.foz@58dd3e41aad4d928";

/// Writes a result of that many pipelines, each with a vertex and a fragment shader of a driver. Shader `n` of all has
/// `n % 100` VGPRs, `add` more if `n` is divisible by 7. Row 0 is a pipeline of the sample database.
pub fn result(path: &Path, count: u64, add: u64) -> PathBuf {
    let executable = |name: &str, shader: u64| {
        let vgprs = shader % 100 + if shader.is_multiple_of(7) { add } else { 0 };
        let statistics = [("VGPRs", vgprs), ("Code size", vgprs * 40), ("Latency", shader)];
        let statistics = statistics.map(|(name, value)| (name.to_owned(), Value::whole(name, value)));
        ExecutableRow { name: name.to_owned(), subgroup_size: 64, statistics: Named(statistics.to_vec()) }
    };
    let row = |number: u64| {
        let driver = DriverRow {
            driver: "radv".to_owned(),
            executables: vec![executable("Vertex Shader", number * 2), executable("Fragment Shader", number * 2 + 1)],
            ..DriverRow::new("gfx1030".to_owned(), Version::Original)
        };
        let database = match number {
            0 => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/effects.foz").display().to_string(),
            _ => "game.foz".to_owned(),
        };
        let name = if number == 0 { SAMPLE.to_owned() } else { format!("game.foz@{number:016x}") };
        Row { kind: Kind::Graphics, drivers: vec![driver], ..Row::new(number, name, database) }
    };
    let file = std::fs::File::create(path).expect("writable");
    let header = Header { pipelines: count, ..header(None) };
    let mut writer = Writer::new(std::io::BufWriter::new(file), &header).expect("writable");
    for number in 0..count {
        writer.rows(&[row(number)]).expect("writable");
    }
    writer.end().expect("writable");
    assert_eq!(Rows::open(path).expect("a result").header, header);
    path.to_owned()
}

/// The header of a result of five pipelines.
pub fn header(shard: Option<&str>) -> Header {
    Header {
        schema: SCHEMA,
        version: "0.0.0".to_owned(),
        pipelines: 5,
        inputs: "0123456789abcdef".to_owned(),
        measures: vec![Measure::Packing],
        drivers: Vec::new(),
        variants: Vec::new(),
        filter: Filter::default(),
        own_options: false,
        objects: None,
        options: Options::default(),
        shard: shard.map(|text| text.parse().expect("a shard")),
    }
}
