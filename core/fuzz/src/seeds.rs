//! Seeds of the targets: samples, their parts, and outputs of the program for them.

use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use lanescope_core::dxil::{Dxil, container};
use lanescope_core::graph::{GraphSource, Overrides, link, nodes};
use lanescope_core::load::{disassemble, load};
use lanescope_core::options::Options;
use lanescope_core::packing::rewrite::rewrite;
use lanescope_core::program::{Program, StageKind};
use lanescope_core::run::graph::file;
use lanescope_core::{analyse, dxil};

use crate::compilers::{GLSL, HLSL};
use crate::results::sample_rows;
use crate::{TARGETS, graph_run, selector, sessions};

/// Small op tables in each form, after the byte that selects it.
const OP_TABLES: [(u8, &str); 4] = [
    (
        1,
        r#"class db_dxil(object):
    def populate_CoreOps(self):
        op_table = self.add_dxil_op_table(0, "CoreOps", "stable")
        add_dxil_op = op_table.add_dxil_op
        for i in "A,B".split(","):
            add_dxil_op(i, "Pair", "one of " + "two", "hf<", "rn",
                [db_dxil_param(0, "$o", "", "result"), db_dxil_param(2, "$o", "value", "in", is_const=True)])
        op_table.reserve_dxil_op_range("Hole", 2)
        op_count = op_table.set_op_count_for_version(1, 9)
        assert op_count == 4, "odd"
    def populate_ExperimentalOps(self):
        op_table = self.add_dxil_op_table(0x8000, "ExperimentalOps", "new")
        op_table.add_dxil_op("C", "C", "text", "v", "", [retvoid_param])
    def populate_categories_and_models(self):
        for i in "A,B".split(","):
            self.name_idx[i].category = "Pairs"
            self.name_idx[i].shader_stages = ("pixel", "compute")
    def populate_categories_and_models_ExperimentalOps(self):
        for i in insts("C"):
            i.shader_model = 6, 10
"#,
    ),
    (
        2,
        "static const OP::OpCodeProperty CoreOps_OpCodeProps[] = {\n{OC::A, \"A\", OCC::Unary, \"unary\", Attribute::ReadNone, 1, \
         {{0x3}}, {{0x0}}}, // Overloads: hf\n};\nstatic const OP::OpCodeProperty ExperimentalOps_OpCodeProps[] = {\n{OC::B, \
         \"B\", OCC::Nop, \"nop\", Attribute::None, 0, {}, {}}, // Overloads: v\n};\n// OPCODE-OLOAD-FUNCS:BEGIN\ncase \
         OpCode::A:\nA(pETy);\nA(pI32);\nA(pETy);\nbreak;\ncase OpCode::B:\nA(pV);\nA(pI32);\nbreak;\n// \
         OPCODE-OLOAD-FUNCS:END\n// OPCODE-SMMASK:BEGIN\n// Instructions: A=0\nif (op == 0) {\nmajor = 6; minor = 2;\nmask = \
         SFLAG(Pixel) | SFLAG(Compute);\nreturn;\n}\n// OPCODE-SMMASK:END\n\0struct DxilInst_A {\nenum OperandIdx {\narg_value \
         = 1,\n};\n};\n",
    ),
    (
        3,
        "def Abs :  DXILOp<6, unary> {\n  let arguments = [OverloadTy];\n  let result = OverloadTy;\n}\ndef New : \
         DXILOp<0x80000000 | 12, newOp> {\n}\n",
    ),
    (4, r#"{"features": [{"feature_id": "0x8001", "name": "acme", "ops": {"3": "TileMask"}}]}"#),
];

/// Longer ones would be mutated seldom.
const LONGEST_REPORT: usize = 64 << 10;

/// A test of shaders in sections, with GLSL of OpenGL.
const SHADER_TEST: &str = "[require]\nGLSL >= 1.50\n[vertex shader]\nin vec4 at;\nuniform mat4 m;\nout vec2 uv;\n\
    void main() { gl_Position = m * at; uv = at.xy; }\n[fragment shader]\nin vec2 uv;\nuniform sampler2D tex;\n\
    out vec4 color;\nvoid main() { color = texture(tex, uv); }\n[test]\ndraw rect -1 -1 2 2\n";

/// An input that a target starts from.
pub struct Seed {
    /// The target's name.
    pub target: &'static str,
    /// Its name among the target's.
    pub name: String,
    /// Its bytes.
    pub data: Vec<u8>,
}

/// Seeds of every target, derived from the repository's samples.
///
/// # Errors
/// A sample that cannot be read.
pub fn seeds() -> std::io::Result<Vec<Seed>> {
    let mut out = Seeds(Vec::new());
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // Inputs that the C++ libraries failed with, by target: each is refused, or read with its error, since.
    for target in TARGETS {
        let folder = root.join("regressions").join(target.name);
        for path in if folder.is_dir() { files(&folder, &["dxil", "spv", "txt"])? } else { Vec::new() } {
            out.add(target.name, &stem(&path), &std::fs::read(&path)?);
        }
    }
    let samples = root.join("../../samples");
    for folder in ["dxil", "work_graphs", "work_graphs/scenarios"] {
        for path in files(&samples.join(folder), &["dxil"])? {
            let file = std::fs::read(&path)?;
            // The scenarios are much alike: their graphs count, not their code.
            if !folder.ends_with("scenarios") {
                out.containers(&stem(&path), &file);
                out.add("dxil", &stem(&path), &file);
            }
            out.graphs(&stem(&path), file)?;
        }
    }
    // PDBs, and a container with one, as compilers write them.
    for path in files(&root.join("../../app/tests/data/dxil"), &["pdb", "dxil"])? {
        let file = std::fs::read(&path)?;
        if file.starts_with(&dxil::pdb::MAGIC) || path.ends_with("private.cs.dxil") {
            out.add("whole", &stem(&path), &file);
        }
    }
    for path in files(&samples.join("dxil"), &["hlsl"])? {
        let text = std::fs::read(&path)?;
        // A file has entry points of several stages: each of them is one that the front end may find.
        for first in 0..HLSL.len() as u8 {
            out.add("hlsl", &format!("{}.{first}", stem(&path)), &[&[first], text.as_slice()].concat());
        }
    }
    for path in files(&samples, &["wgsl"])? {
        out.add("wgsl", &stem(&path), &std::fs::read(&path)?);
    }
    out.add("shader_test", "pair", SHADER_TEST.as_bytes());
    out.add("amber", "all", include_bytes!("../../amber/tests/all.amber"));
    for (name, sources) in [("plain", sources(false)), ("packed", sources(true))] {
        let first = selector(b"SRCI", 0).expect("is a part");
        out.add("runtime", name, &[&[first], sources.as_slice()].concat());
    }
    for path in
        files(&samples, &["vert", "tesc", "tese", "geom", "task", "mesh", "frag", "comp", "spvasm", "wgsl", "pipe"])?
    {
        out.modules(&path)?;
    }
    for folder in [samples.clone(), root.join("../tests/data/pipe")] {
        for path in files(&folder, &["pipe", "foz", "sodb"])? {
            let extension = path.extension().and_then(|extension| extension.to_str());
            let target = ["pipe", "sodb"].into_iter().find(|own| extension == Some(own)).unwrap_or("foz");
            out.add(target, &stem(&path), &std::fs::read(&path)?);
        }
    }
    for path in files(&samples.join("code_objects"), &["elf"])? {
        out.add("code_object", &stem(&path), &std::fs::read(&path)?);
    }
    for (at, path) in files(&root.join("../driver/tests/data/isa_samples"), &["s"])?.iter().enumerate() {
        if at % 4 == 0 {
            out.add("isa", &stem(path), &std::fs::read(path)?);
        }
    }
    for (at, session) in sessions().iter().enumerate() {
        out.add("session", &format!("session{at}"), session);
    }
    for (target, at, text) in [
        (
            "overrides",
            0,
            r#"{"include_all": true, "nodes": {"classify": {"entry": false, "outputs": {"0": {"max_records": 4}}}}}"#,
        ),
        (
            "overrides",
            1,
            r#"{"include_all": false, "allow_missing": true, "nodes": {"root[0]": {"rename": "r[1]", "grid": [1, 2, 3]}}}"#,
        ),
        ("condition", 0, "tile >= 16 && mode != 2 || (x & 0xff) == 0x10"),
        ("condition", 1, "depth * 2 < 0.5 || !(SV_DispatchGrid.y % 3 - ~1 << 2)"),
        ("roots", b'{', r#""buffers": {"a": 64, "b": [1, 2, 3]}, "table": [[1, "a"], ["b", 7]]}"#),
    ] {
        out.add(target, &format!("written{at}"), &[&[at], text.as_bytes()].concat());
    }
    let rows = sample_rows().iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
    out.add("rows", "samples", rows.join("\n").as_bytes());
    for (at, row) in rows.iter().enumerate() {
        out.add("rows", &format!("sample{at}"), row.as_bytes());
    }
    for (at, (selector, text)) in OP_TABLES.iter().enumerate() {
        out.add("optable", &format!("written{at}"), &[&[*selector], text.as_bytes()].concat());
    }
    for (at, text) in ["fragment & slots saved >= 1", "VGPRs>+1%", "design_note", "load (ns) != 2e3"].iter().enumerate()
    {
        out.add("filter", &format!("written{at}"), text.as_bytes());
    }
    for (at, text) in [
        "break race.comp:13 if i > 3; continue; print values; info locals; info writer values",
        "watch values[3]; c; rc; lanes i; info waves",
        "b %42 if values[i] * 2 >= 0x10 && i != 7; step 3; next; finish; rs 2; delete 1; info breakpoints",
    ]
    .iter()
    .enumerate()
    {
        out.add("commands", &format!("written{at}"), text.as_bytes());
    }
    Ok(out.0)
}

fn stem(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The files of a folder with one of these extensions, by name.
fn files(folder: &Path, extensions: &[&str]) -> std::io::Result<Vec<PathBuf>> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.retain(|path| path.extension().is_some_and(|found| extensions.iter().any(|wanted| found == *wanted)));
    paths.sort();
    Ok(paths)
}

/// The seeds gathered so far.
struct Seeds(Vec<Seed>);

impl Seeds {
    fn add(&mut self, target: &'static str, name: &str, data: &[u8]) {
        self.0.push(Seed { target, name: name.to_owned(), data: data.to_vec() });
    }

    /// Seeds from a shader's modules and report.
    fn modules(&mut self, path: &Path) -> std::io::Result<()> {
        let program = load(&[path.to_owned()], &[]).unwrap_or_else(|error| panic!("{error}"));
        for (at, loaded) in program.modules.iter().enumerate() {
            let name = format!("{}.{at}", stem(path));
            let words = [0].into_iter().chain(loaded.module.words().iter().copied());
            let words: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
            self.add("spirv", &name, &words);
            self.add("module", &name, &words[4..]);
            self.add("interpret", &name, &words);
            let text = disassemble(&loaded.module).unwrap_or_else(|error| panic!("{name}: {error}"));
            self.add("spvasm", &name, text.as_bytes());
        }
        let extension = path.extension().unwrap_or_default();
        if let Some(first) = GLSL.iter().position(|name| Path::new(name).extension() == Some(extension)) {
            let text = std::fs::read(path)?;
            self.add("glsl", &stem(path), &[&[first as u8], text.as_slice()].concat());
        }
        self.report(&stem(path), &program)?;
        let half = Options { part_pipeline: true, ..Options::default() };
        if program.stages.iter().any(|stage| stage.stage == StageKind::Fragment)
            && let Some(stored) = rewrite(&program, &half).ok().and_then(|rewritten| rewritten.stored)
        {
            self.add("stored", &stem(path), &serde_json::to_vec(&stored)?);
        }
        Ok(())
    }

    fn report(&mut self, name: &str, program: &Program) -> std::io::Result<()> {
        let Ok(report) = analyse(program, &Options::default()) else { return Ok(()) };
        let text = serde_json::to_vec(&report)?;
        if text.len() <= LONGEST_REPORT {
            self.add("report", name, &text);
        }
        Ok(())
    }

    /// The graph of a library: a run of it, and records of its first node.
    fn graphs(&mut self, name: &str, file: Vec<u8>) -> std::io::Result<()> {
        let Ok(dxil) = Dxil::read(file) else { return Ok(()) };
        if let Some(text) = dxil.disassembly() {
            self.add("opcodes", name, text.text.as_bytes());
        }
        let graph = link(nodes(&dxil, 0), GraphSource::Dxil, &Overrides::default());
        if graph.nodes.is_empty() {
            return Ok(());
        }
        let run = graph_run(&graph);
        self.add("run", name, &file::write(&run).expect("has no odd numbers"));
        let rows = run.generations.iter().flat_map(|generation| &generation.nodes);
        for (at, node) in rows.enumerate().take(3) {
            let Some(ty) = graph.nodes.get(node.node).and_then(|node| node.record()) else { continue };
            let Some(record) = node.records.json(0, ty) else { continue };
            let json = serde_json::json!({ "records": [record] });
            let text = serde_json::to_vec(&json)?;
            for graph in 0..4u8 {
                self.add("records", &format!("{name}.{at}.{graph}"), &[&[graph], text.as_slice()].concat());
            }
            let Some(members) = json["records"][0].as_object() else { continue };
            let head: Vec<&str> = members.keys().map(String::as_str).collect();
            let text = format!("{}\n{}", head.join(","), vec!["7"; head.len()].join(","));
            self.add("csv", &format!("{name}.{at}"), &[&[0], text.as_bytes()].concat());
        }
        Ok(())
    }

    /// A container, and each of its parts.
    fn containers(&mut self, name: &str, file: &[u8]) {
        self.add("whole", name, file);
        self.add("container", name, file);
        let read = container::read(file, &mut Vec::new()).expect("a sample is a container");
        let program = read.part(b"DXIL").expect("a sample has a program").data_offset() as usize;
        let kind = u32::from(u16::from_le_bytes([file[program + 2], file[program + 3]]));
        for part in &read.parts {
            let start = part.data_offset() as usize;
            let data = &file[start..start + part.size as usize];
            let name = format!("{name}.{}", part.name);
            match &part.name.0 {
                // After the program header and the magic.
                b"DXIL" | b"STAT" | b"ILDB" => self.add("bitstream", &name, &data[28..]),
                part => {
                    if let Some(first) = selector(part, kind) {
                        self.add("runtime", &name, &[&[first], data].concat());
                    }
                }
            }
        }
    }
}

/// Data as zlib packs it.
fn zlib(data: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(data).expect("writes into memory");
    encoder.finish().expect("writes into memory")
}

/// The sources of a PDB: one file of one line, and an argument.
fn sources(packed: bool) -> Vec<u8> {
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let text = b"void main() {}\n\0";
    let entry = [words(&[12 + 16, 0, 16]), text.to_vec()].concat();
    let stored = if packed { zlib(&entry) } else { entry.clone() };
    let padded = |mut data: Vec<u8>| {
        data.resize(data.len().next_multiple_of(4), 0);
        data
    };
    let section = |kind: u32, data: Vec<u8>| {
        let data = padded(data);
        [words(&[8 + data.len() as u32, kind << 16]), data].concat()
    };
    let size = stored.len() as u32;
    let compression = u32::from(packed) << 16;
    let contents = [words(&[20 + size, compression, size, entry.len() as u32, 1]), stored].concat();
    let names = [words(&[0, 1]), vec![24, 0], words(&[24, 0, 7, 16]), b"a.hlsl\0\0".to_vec()].concat();
    let arguments = [words(&[0, 9, 1]), b"-T\0cs_6_0".to_vec(), vec![0]].concat();
    let all = [section(0, contents), section(1, names), section(2, arguments)].concat();
    [words(&[8 + all.len() as u32, 3 << 16]), all].concat()
}
