//! What is in a database: its groups, one row each.

use std::collections::{BTreeMap, HashMap};

use lanescope_base::StageKind;
use lanescope_base::ids::{Bytes, Hash64, Hex};
use lanescope_base::named_enum;

use crate::Fault;
use crate::content::{Contents, inner};
use crate::database::{Application, Database, Group, Record};
use crate::findings::{self, Finding};
use crate::notes::Notes;
use crate::schema::{self, Kind, TABLES};

named_enum!(
    serde if feature = "serde";
    /// The kind of a group's object.
    GroupKind {
        /// A pipeline state with vertex or mesh shading.
        Graphics = "graphics",
        /// A pipeline state with a compute shader.
        Compute = "compute",
        /// A state object that others take shaders from.
        Collection = "collection",
        /// A state object for ray tracing.
        RayTracing = "ray_tracing",
        /// A state object with work graphs.
        WorkGraph = "work_graph",
        /// Any other executable state object.
        Executable = "executable",
        /// An object that cannot be read, or of a type that is not known.
        Unknown = "unknown",
    }
);

/// The columns of a pipeline state that name shaders, and their stages, in pipeline order.
pub const STAGES: [(&str, StageKind); 8] = [
    ("ByteCode_VS", StageKind::Vertex),
    ("ByteCode_HS", StageKind::TessControl),
    ("ByteCode_DS", StageKind::TessEval),
    ("ByteCode_GS", StageKind::Geometry),
    ("ByteCode_AS", StageKind::Task),
    ("ByteCode_MS", StageKind::Mesh),
    ("ByteCode_PS", StageKind::Fragment),
    ("ByteCode_CS", StageKind::Compute),
];

/// A database's contents.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Listing {
    /// The version of the schema.
    pub user_version: i64,
    /// The application that the objects are of.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub application: Option<Application>,
    /// The number of rows of each table that has some.
    pub tables: BTreeMap<String, usize>,
    /// The groups, as they are stored.
    pub groups: Vec<Row>,
    /// Number of groups, listed or not.
    pub total: usize,
    /// Findings about the file and its rows.
    pub findings: Vec<Finding>,
}

/// A group.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Row {
    /// Its key as it is named: text, or `0x` and hexadecimal digits.
    pub key: String,
    /// Its version; absent where it is not a number.
    pub version: Option<i64>,
    /// The kind of its object.
    pub kind: GroupKind,
    /// Hash of the object's contents, with those of all rows that it refers to. Equal objects have equal hashes.
    pub hash: Hash64,
    /// Its containers: stages of a pipeline state, libraries of a state object and of those inside it.
    pub shaders: Vec<RowShader>,
    /// What else a state object has: `work graph Quadtree`, `program Lit`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub contents: Vec<String>,
    /// Bytes of its containers.
    pub bytes: Bytes,
    /// The reason why it cannot be read.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub why: Option<String>,
}

/// A container of a group.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RowShader {
    /// The stage; absent of a state object's library.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub stage: Option<StageKind>,
    /// XXH3 of the container's bytes; absent where there are none.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub container: Option<Hash64>,
}

impl Row {
    /// Whether a text is found in its key, its kind, its hash, its stages, its containers or its contents.
    pub fn matches(&self, text: &str) -> bool {
        let wanted = text.trim().to_ascii_lowercase();
        let digits = wanted.trim_start_matches("0x");
        let has = |text: &str| text.to_ascii_lowercase().contains(&wanted);
        let has_hash = |hash: Hash64| format!("{:016x}", hash.0).contains(digits);
        has(&self.key)
            || has(&self.kind.name().replace('_', " "))
            || has(self.kind.name())
            || has_hash(self.hash)
            || self.contents.iter().any(|one| has(one))
            || self.shaders.iter().any(|shader| {
                has(shader.stage.map_or("library", StageKind::name)) || shader.container.is_some_and(has_hash)
            })
    }

    /// Its shaders and contents in words, or why it cannot be read.
    pub fn contents_text(&self) -> String {
        match &self.why {
            Some(why) => format!("cannot be read: {why}"),
            None => self.summary(),
        }
    }

    /// Its shaders and contents in a few words, containers by their first digits:
    /// `vertex 1c14a873 + fragment 52ab90ff`.
    pub fn summary(&self) -> String {
        let shader = |shader: &RowShader| {
            let hash = shader.container.map(|hash| format!(" {:08x}", hash.0 >> 32)).unwrap_or_default();
            format!("{}{hash}", shader.stage.map_or("library", StageKind::name))
        };
        let shaders = self.shaders.iter().map(shader).collect::<Vec<_>>().join(" + ");
        let shaders = (!shaders.is_empty()).then_some(shaders);
        shaders.iter().chain(&self.contents).map(String::as_str).collect::<Vec<_>>().join(", ")
    }
}

impl Database {
    /// Lists the groups that a text matches; all where it is empty. Findings are those of the whole database.
    ///
    /// # Errors
    /// Containers that SQLite cannot read.
    pub fn list(&self, text: &str) -> Result<Listing, Fault> {
        let mut contents = Contents::of(self)?;
        let mut notes = Notes::of(&self.file);
        missing_rows(self, &mut notes);
        containers(self, &contents, &mut notes);
        let mut groups = Vec::new();
        let mut by_hash: HashMap<u64, &str> = HashMap::new();
        for group in self.groups() {
            let row = self.row(group, &mut contents, &mut notes);
            if row.why.is_none() {
                match by_hash.get(&row.hash.0) {
                    Some(first) => {
                        let message = format!("its object is equal to that of group {first}");
                        notes.add(findings::SODB_EQUAL_GROUPS, &format!("group {}", group.name), message);
                    }
                    None => _ = by_hash.insert(row.hash.0, &group.name),
                }
            }
            if text.is_empty() || row.matches(text) {
                groups.push(row);
            }
        }
        let mut all = self.findings.clone();
        all.extend(notes.done());
        Ok(Listing {
            user_version: self.user_version,
            application: self.application.clone(),
            tables: self.counts().into_iter().map(|(name, count)| (name.to_owned(), count)).collect(),
            groups,
            total: self.groups().len(),
            findings: all,
        })
    }

    fn row<'d>(&'d self, group: &'d Group, contents: &mut Contents<'d>, notes: &mut Notes<'_>) -> Row {
        let place = format!("group {}", group.name);
        check_version(group, &place, notes);
        let mut row = Row {
            key: group.name.clone(),
            version: group.version,
            kind: GroupKind::Unknown,
            hash: Hex(0),
            shaders: Vec::new(),
            contents: Vec::new(),
            bytes: Bytes(0),
            why: None,
        };
        let object = match self.object(group) {
            Ok(object) => object,
            Err(fault) => {
                row.why = Some(format!("{} ({})", fault.message, fault.rule.code));
                // Missing rows of all tables are noted already.
                if fault.rule != findings::SODB_MISSING_ROW {
                    notes.add(fault.rule, &fault.place, fault.message);
                }
                return row;
            }
        };
        row.hash = Hex(contents.hash(&object, notes));
        row.kind = kind(&object);
        let mut bytes = 0;
        let mut shader = |stage: Option<StageKind>, bytecode: &Record<'_>| {
            bytes += bytecode.data_size("Bytecode").unwrap_or_default();
            let container = contents.blob(bytecode, "Bytecode").map(|blob| Hex(blob.hash));
            row.shaders.push(RowShader { stage, container });
        };
        if object.table() == "pipeline_states" {
            for (column, stage) in STAGES {
                if let Ok(Some(bytecode)) = object.named_row(column) {
                    shader(Some(stage), &bytecode);
                }
            }
        } else {
            for bytecode in libraries(&object) {
                shader(None, &bytecode);
            }
            row.contents = described(&object);
        }
        row.bytes = Bytes(bytes);
        row
    }
}

/// The kind of an object.
pub fn kind(object: &Record<'_>) -> GroupKind {
    if object.table() == "pipeline_states" {
        let is_compute =
            object.has("ByteCode_CS") && STAGES.iter().filter(|(column, _)| object.has(column)).count() == 1;
        return if is_compute { GroupKind::Compute } else { GroupKind::Graphics };
    }
    match object.number("Type") {
        Some(0) => GroupKind::Collection,
        Some(3) => GroupKind::RayTracing,
        Some(4) if !object.list("so_to_work_graph_associations").is_empty() => GroupKind::WorkGraph,
        Some(4) => GroupKind::Executable,
        _ => GroupKind::Unknown,
    }
}

/// The rows of `shader_bytecode` of a state object and of those inside it, each once: its own first.
pub fn libraries<'d>(object: &Record<'d>) -> Vec<Record<'d>> {
    let mut out: Vec<Record<'d>> = Vec::new();
    let mut known = std::collections::BTreeSet::new();
    for state_object in nested(object) {
        for row in state_object.list("so_to_dxil_lib_associations") {
            if let Ok(Some(library)) = row.named_row("DxilLibKey")
                && known.insert(library.row)
            {
                out.push(library);
            }
        }
    }
    out
}

/// A state object and those inside it, each once: the outer ones first.
pub fn nested<'d>(object: &Record<'d>) -> Vec<Record<'d>> {
    let mut out = vec![*object];
    let mut known = std::collections::BTreeSet::from([object.row]);
    let mut next = 0;
    while let Some(record) = out.get(next).copied() {
        next += 1;
        out.extend(inner(&record).into_iter().filter(|inner| known.insert(inner.row)));
    }
    out
}

/// What a state object has besides libraries, in words: a few of each.
fn described(object: &Record<'_>) -> Vec<String> {
    const MOST: usize = 8;
    let of = |list: &str, key: &str, column: &str, what: &str| -> Vec<String> {
        let rows = object.list(list);
        let named = |row: &Record<'_>| {
            let name = row.named_row(key).ok().flatten()?.text(column).unwrap_or_default().to_owned();
            Some(format!("{what} {}", lanescope_base::foreign::plain_name(&name)))
        };
        let mut out: Vec<String> = rows.iter().take(MOST).filter_map(named).collect();
        if rows.len() > MOST {
            out.push(format!("{} more", rows.len() - MOST));
        }
        out
    };
    let mut out = of("so_to_work_graph_associations", "WorkGraphKey", "ProgramName", "work graph");
    out.extend(of("so_to_generic_program_associations", "GenericProgramKey", "ProgramName", "program"));
    out.extend(of("so_to_hit_group_associations", "HitGroupKey", "HitGroupExport", "hit group"));
    out.extend(object.has("AddToStateObjectParent").then(|| "added to another".to_owned()));
    out
}

/// Notes a version below 1.
pub(crate) fn check_version(group: &Group, place: &str, notes: &mut Notes<'_>) {
    if let Some(version) = group.version.filter(|version| *version < 1) {
        notes.add(findings::SODB_VERSION, place, format!("its version is {version}; expected 1 or more"));
    }
}

/// Notes the keys that no row has.
fn missing_rows(database: &Database, notes: &mut Notes<'_>) {
    for (index, table) in TABLES.iter().enumerate() {
        let keys: Vec<&str> = table
            .columns
            .iter()
            .filter(|column| matches!(column.kind, Kind::Key(Some(_))))
            .map(|column| column.name)
            .collect();
        if keys.is_empty() {
            continue;
        }
        for record in database.rows_of(index) {
            for column in &keys {
                if let Err(fault) = record.named_row(column) {
                    notes.add(fault.rule, &fault.place, fault.message);
                }
            }
        }
    }
}

/// Notes bytecode that is not a container, and containers without a digest.
fn containers(database: &Database, contents: &Contents<'_>, notes: &mut Notes<'_>) {
    let table = schema::table("shader_bytecode").unwrap_or(usize::MAX);
    for record in database.rows_of(table) {
        match contents.blob(&record, "Bytecode") {
            Some(blob) => check_container(blob.is_container, blob.plain_digest, &record.place(), notes),
            None => notes.add(findings::SODB_NOT_DXIL, &record.place(), "it has no bytes"),
        }
    }
}

/// Notes what is wrong with the header of a container.
fn check_container(is_container: bool, digest: Option<u8>, place: &str, notes: &mut Notes<'_>) {
    if !is_container {
        let message = "expected a container that starts with `DXBC` and states its size; found other bytes";
        notes.add(findings::SODB_NOT_DXIL, place, message);
    }
    let what = match digest {
        Some(0) => "its digest is 0: no validator ran",
        Some(1) => "its digest is a bypass: the runtime is asked to skip validation",
        Some(_) => "its digest is of a preview: validated for a shader model that is not released",
        None => return,
    };
    notes.add(findings::SODB_DIGEST, place, what);
}
