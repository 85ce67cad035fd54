//! A graph's first records, from JSON, comma-separated values or their own bytes.
//!
//! ```text
//! {"records": [{"tile": 1, "SV_DispatchGrid": [2, 1, 1]}, [7, 2, 1, 1]]}     by members, or as 32-bit words
//! [7, 2, 1, 1]                                                               words of all records, one after the other
//! {"count": 30}                                                              records without contents
//! {"inputs": [{"entry": "A", "records": []}, {"entry": "B[1]", "count": 1}]} several entry points
//! {"node_gpu_input": {"words": [0, 1, 24, 0, 4, 0, 7]}}                      a structure in device memory, and what follows it
//! ```
//!
//! Members have their names where debug information says them, else `f0`, `f1` and so on; the member that is a grid is
//! also called `SV_DispatchGrid`. Optional beside `records`: `stride` (bytes from one to the next; 0 for the first one
//! again and again) and `count`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::InputMode;
use super::gpu_input::DeviceMemory;
use crate::Blob;
use crate::fill::float_bits;
use lanescope_base::text_format;
use lanescope_passes::graph::{Node, NodeId, RecordType, TypeSource, WorkGraph, plain_text};
use lanescope_spirv::shape::{Scalar, ScalarKind, Shape};

/// The most records that one input may have.
pub const MAX_RECORDS: u64 = 1 << 24;
/// The most bytes of one input's records.
pub const MAX_BYTES: u64 = 1 << 30;

/// Records for one entry point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GraphInput {
    /// The entry point.
    pub entry: NodeId,
    /// How many records.
    pub count: u64,
    /// Bytes from one to the next; 0 where all of them are the first one.
    pub stride: u32,
    /// Their bytes, at that stride.
    pub bytes: Blob,
}

/// Local root arguments: the table that nodes have indices into, and the buffers that it names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LocalRoots {
    /// Buffers: their size in bytes, or their words.
    #[serde(default)]
    pub buffers: BTreeMap<String, RootBuffer>,
    /// Entries: the values of the parameters, in the order of the node's local root signature.
    #[serde(default)]
    pub table: Vec<Vec<RootValue>>,
}

/// A buffer of local root arguments: whole words, and at least one. Nothing bounds what a node writes by an address, so there
/// is no room for a part of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, try_from = "AnyBuffer")]
pub enum RootBuffer {
    /// So many bytes, all 0.
    Bytes(u64),
    /// These words.
    Words(Vec<u32>),
}

impl RootBuffer {
    /// Its size.
    pub fn bytes(&self) -> u64 {
        match self {
            RootBuffer::Bytes(bytes) => *bytes,
            RootBuffer::Words(words) => 4 * words.len() as u64,
        }
    }
}

impl LocalRoots {
    /// The buffers that start with words, with these as bytes.
    pub fn words(&self) -> impl Iterator<Item = (&str, Vec<u8>)> {
        self.buffers.iter().filter_map(|(name, buffer)| match buffer {
            RootBuffer::Bytes(_) => None,
            RootBuffer::Words(words) => {
                Some((name.as_str(), words.iter().flat_map(|word| word.to_le_bytes()).collect()))
            }
        })
    }
}

/// A buffer of any size.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum AnyBuffer {
    Bytes(u64),
    Words(Vec<u32>),
}

impl TryFrom<AnyBuffer> for RootBuffer {
    type Error = String;

    fn try_from(any: AnyBuffer) -> Result<RootBuffer, String> {
        match any {
            AnyBuffer::Bytes(bytes) if bytes == 0 || !bytes.is_multiple_of(4) => {
                Err(format!("a buffer of {bytes} bytes; expected a positive multiple of 4"))
            }
            AnyBuffer::Bytes(bytes) => Ok(RootBuffer::Bytes(bytes)),
            AnyBuffer::Words(words) if words.is_empty() => Err("a buffer without a word".to_owned()),
            AnyBuffer::Words(words) => Ok(RootBuffer::Words(words)),
        }
    }
}

/// A value of local root arguments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RootValue {
    /// A constant.
    Word(u32),
    /// The address of a buffer, by its name.
    Buffer(String),
}

/// Why there are no records.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct InputError {
    /// Where: `inputs[0].records[3].tile`.
    pub place: String,
    /// What was expected, and what was found.
    pub message: String,
}

impl InputError {
    fn new(place: impl Into<String>, message: impl Into<String>) -> InputError {
        InputError { place: place.into(), message: message.into() }
    }
}

/// What the command line says beside the file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InputOptions<'o> {
    /// The entry point; of several inputs each names its own.
    pub entry: Option<&'o str>,
    /// Bytes from one record to the next.
    pub stride: Option<u32>,
    /// How many records.
    pub count: Option<u64>,
}

/// A file's text where it is JSON: text that starts like that.
pub fn json_text(bytes: &[u8]) -> Option<&str> {
    plain_text(bytes).filter(|text| text.trim_start().starts_with(['{', '[']))
}

/// Records from a file: JSON where it is text and starts like that, else comma-separated values (a line of members'
/// names, then a line a record) or, where it is not text, the records' own bytes, at the stride that the options say.
///
/// # Errors
/// See [`parse`] and [`RecordType::read_plain`].
pub fn read(bytes: &[u8], graph: &WorkGraph, options: InputOptions<'_>) -> Result<Vec<GraphInput>, InputError> {
    if let Some(text) = json_text(bytes) {
        return parse(text, graph, options);
    }
    let node = entry("", options.entry, graph)?;
    let record = node.record().ok_or_else(|| InputError::new("the records", without_contents(node)))?;
    stride_of("", record, options.stride.map(u64::from))?;
    let all = record.read_plain(bytes, options.stride).map_err(|why| InputError::new("the records", why))?;
    let records = all.chunks_exact(record.bytes.max(1) as usize).map(<[u8]>::to_vec).collect();
    laid_out("", node, record, Some(records), options.stride.map(u64::from), options.count).map(|input| vec![input])
}

/// Records from JSON.
///
/// # Errors
/// Invalid JSON; an entry point that does not exist; members that are missing, unknown or out of range; a stride or a
/// count that does not fit.
pub fn parse(text: &str, graph: &WorkGraph, options: InputOptions<'_>) -> Result<Vec<GraphInput>, InputError> {
    let value: Value =
        serde_json::from_str(text).map_err(|error| InputError::new("the records", format!("invalid JSON: {error}")))?;
    from_value(&value, graph, options)
}

/// Records from a JSON value.
///
/// # Errors
/// See [`parse`].
pub fn from_value(value: &Value, graph: &WorkGraph, options: InputOptions<'_>) -> Result<Vec<GraphInput>, InputError> {
    for (key, mode) in STRUCTURES {
        if let Some(structure) = value.get(key) {
            only_known("", value, &[key])?;
            return in_words(key, structure, mode, graph, options);
        }
    }
    let Some(inputs) = value.get("inputs") else { return one("", value, graph, options).map(|input| vec![input]) };
    only_known("", value, &["inputs"])?;
    let Value::Array(inputs) = inputs else { return Err(InputError::new("inputs", "expected a list")) };
    if options.stride.is_some() || options.count.is_some() {
        return Err(InputError::new("inputs", "set stride and count in each input"));
    }
    let all = inputs.iter().enumerate();
    all.map(|(at, input)| one(&format!("inputs[{at}]."), input, graph, options)).collect()
}

/// Keys of structures in device memory, with the mode that reads them.
const STRUCTURES: [(&str, InputMode); 2] =
    [("node_gpu_input", InputMode::Gpu), ("multi_node_gpu_input", InputMode::MultiGpu)];

/// The mode that a file's structure in device memory is for; `None` of a file without one.
pub fn mode_of(bytes: &[u8]) -> Option<InputMode> {
    let value: Value = serde_json::from_str(json_text(bytes)?).ok()?;
    STRUCTURES.into_iter().find(|(key, _)| value.get(key).is_some()).map(|(_, mode)| mode)
}

/// Records that a structure in device memory describes: the memory's words, its address, and that of the structure.
fn in_words(
    key: &str,
    value: &Value,
    mode: InputMode,
    graph: &WorkGraph,
    options: InputOptions<'_>,
) -> Result<Vec<GraphInput>, InputError> {
    if options.stride.is_some() || options.count.is_some() {
        return Err(InputError::new(key, "the structure has stride and count"));
    }
    only_known(&format!("{key}."), value, &["at", "address", "words"])?;
    let number = |field: &str, none: u64| match value.get(field) {
        None => Ok(none),
        Some(number) => number
            .as_u64()
            .ok_or_else(|| InputError::new(format!("{key}.{field}"), format!("expected an integer, found {number}"))),
    };
    let address = number("address", 0)?;
    let at = number("at", address)?;
    let Some(Value::Array(words)) = value.get("words") else {
        return Err(InputError::new(format!("{key}.words"), "expected a list of words"));
    };
    let word = |(index, word)| number_word(word).map_err(|why| InputError::new(format!("{key}.words[{index}]"), why));
    let bytes: Vec<[u8; 4]> = words.iter().enumerate().map(word).collect::<Result<_, _>>()?;
    DeviceMemory { bytes: &bytes.concat(), address }.inputs(mode, at, graph)
}

/// A number of records without contents, or of zeros.
///
/// # Errors
/// An entry point that does not exist; too many records.
pub fn counted(count: u64, graph: &WorkGraph, options: InputOptions<'_>) -> Result<Vec<GraphInput>, InputError> {
    let mut value = Map::new();
    value.insert("count".to_owned(), count.into());
    from_value(&Value::Object(value), graph, options)
}

fn only_known(place: &str, value: &Value, known: &[&str]) -> Result<(), InputError> {
    let unknown = value.as_object().and_then(|fields| fields.keys().find(|key| !known.contains(&key.as_str())));
    match unknown {
        Some(key) => {
            let message = format!("unknown key; expected one of {}", known.join(", "));
            Err(InputError::new(format!("{place}{key}"), message))
        }
        None => Ok(()),
    }
}

fn one(place: &str, value: &Value, graph: &WorkGraph, options: InputOptions<'_>) -> Result<GraphInput, InputError> {
    let wrong = |field: &str, message: String| InputError::new(format!("{place}{field}"), message);
    only_known(place, value, &["entry", "records", "count", "stride"])?;
    let whole = |field: &str| match value.get(field) {
        None => Ok(None),
        Some(number) => match number.as_u64() {
            Some(number) => Ok(Some(number)),
            None => Err(wrong(field, format!("expected an integer, found {number}"))),
        },
    };
    let node = entry(place, value.get("entry").and_then(Value::as_str).or(options.entry), graph)?;
    let stride = whole("stride")?.or(options.stride.map(u64::from));
    let count = options.count.or(whole("count")?);
    let given = match value {
        Value::Array(_) => Some(value),
        Value::Object(fields) => fields.get("records"),
        _ => return Err(wrong("records", "expected an object or a list".to_owned())),
    };
    let Some(record) = node.record() else {
        let listed = match given {
            None => None,
            Some(Value::Array(records)) if records.iter().all(is_nothing) => Some(records.len() as u64),
            Some(_) => return Err(wrong("records", without_contents(node))),
        };
        let count = most(place, count.or(listed).unwrap_or(1))?;
        return Ok(GraphInput { entry: node.id.clone(), count, stride: 0, bytes: Blob::default() });
    };
    let records = given.map(|given| list(place, given, record)).transpose()?;
    laid_out(place, node, record, records, stride, count)
}

/// The entry point of that name.
fn entry<'g>(place: &str, name: Option<&str>, graph: &'g WorkGraph) -> Result<&'g Node, InputError> {
    let wrong = |message: String| InputError::new(format!("{place}entry"), message);
    let known = || {
        let known: Vec<String> = graph.nodes.iter().filter(|node| node.starts()).map(|n| n.id.to_string()).collect();
        if known.is_empty() { "none".to_owned() } else { known.join(", ") }
    };
    let name = name.ok_or_else(|| wrong(format!("no entry point is named; entry points: {}", known())))?;
    let node = graph.named(name).and_then(|index| graph.nodes.get(index)).filter(|node| node.starts());
    node.ok_or_else(|| wrong(format!("`{name}` is not an entry point; entry points: {}", known())))
}

/// What is wrong with contents for a node that takes none.
fn without_contents(node: &Node) -> String {
    format!("{} accepts only empty records; set their number with {{\"count\": 1}}", node.id)
}

fn most(place: &str, count: u64) -> Result<u64, InputError> {
    match count > MAX_RECORDS {
        true => {
            let message = format!("{count} records; the limit per input is {MAX_RECORDS}");
            Err(InputError::new(format!("{place}count"), message))
        }
        false => Ok(count),
    }
}

/// Bytes from one record to the next: the requested stride, if records fit it.
fn stride_of(place: &str, record: &RecordType, asked: Option<u64>) -> Result<u64, InputError> {
    let bytes = u64::from(record.bytes);
    let align = u64::from(record.align.max(4));
    let stride = asked.unwrap_or_else(|| bytes.next_multiple_of(align));
    if stride != 0 && (stride < bytes || !stride.is_multiple_of(align) || stride > u64::from(u32::MAX)) {
        let message = format!(
            "stride {stride} invalid for {bytes}-byte records: expected 0, or a multiple of {align} of at least {bytes}"
        );
        return Err(InputError::new(format!("{place}stride"), message));
    }
    Ok(stride)
}

/// Records that were given, or zeros, each at its stride.
fn laid_out(
    place: &str,
    node: &Node,
    record: &RecordType,
    given: Option<Vec<Vec<u8>>>,
    stride: Option<u64>,
    count: Option<u64>,
) -> Result<GraphInput, InputError> {
    let wrong = |field: &str, message: String| InputError::new(format!("{place}{field}"), message);
    let bytes = u64::from(record.bytes);
    let stride = stride_of(place, record, stride)?;
    let is_given = given.is_some();
    let records = given.unwrap_or_default();
    let count = most(place, count.unwrap_or(records.len() as u64))?;
    let there = records.len() as u64;
    if count > 0 && is_given && (there == 0 || stride != 0 && there < count) {
        return Err(wrong(
            "records",
            format!("{there} records found, expected {count}; a stride of 0 repeats the first"),
        ));
    }
    let kept = if stride == 0 { count.min(1) } else { count };
    let size = kept.saturating_mul(stride.max(bytes));
    if size > MAX_BYTES {
        return Err(wrong(
            "records",
            format!("{}; the limit per input is {}", text_format::size(size), text_format::size(MAX_BYTES)),
        ));
    }
    let mut all = Vec::new();
    for index in 0..kept {
        let record = records.get(index as usize).cloned().unwrap_or_else(|| vec![0; bytes as usize]);
        all.extend(record);
        all.resize(((index + 1) * stride.max(bytes)) as usize, 0);
    }
    Ok(GraphInput { entry: node.id.clone(), count, stride: stride as u32, bytes: Blob(all) })
}

/// What represents a record without contents.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Object(fields) => fields.is_empty(),
        Value::Array(words) => words.is_empty(),
        _ => false,
    }
}

/// The records of a list.
fn list(place: &str, value: &Value, record: &RecordType) -> Result<Vec<Vec<u8>>, InputError> {
    let at = |index: usize| match place.is_empty() && !matches!(value, Value::Array(_)) {
        _ if !place.is_empty() => format!("{place}records[{index}]"),
        _ => format!("records[{index}]"),
    };
    let Value::Array(values) = value else { return Err(InputError::new(at(0), "expected a list of records")) };
    if values.iter().all(Value::is_number) && !values.is_empty() {
        let mut bytes = Vec::new();
        for (index, word) in values.iter().enumerate() {
            bytes.extend(number_word(word).map_err(|why| InputError::new(at(index), why))?);
        }
        let size = record.bytes.max(1).next_multiple_of(4) as usize;
        if !bytes.len().is_multiple_of(size) {
            let message = format!("{} words found, expected a multiple of {}", bytes.len() / 4, size / 4);
            return Err(InputError::new("records", message));
        }
        return Ok(bytes.chunks_exact(size).map(|chunk| chunk[..record.bytes as usize].to_vec()).collect());
    }
    let records = values.iter().enumerate();
    records.map(|(index, value)| encode(&at(index), value, record)).collect()
}

fn number_word(word: &Value) -> Result<[u8; 4], String> {
    let value = word.as_u64().and_then(|value| u32::try_from(value).ok());
    value.map(u32::to_le_bytes).ok_or_else(|| format!("expected a word from 0 to {}, found {word}", u32::MAX))
}

/// The bytes of one record: members by name, or words.
///
/// # Errors
/// Members that are missing, unknown or out of range, with the place.
pub fn encode(place: &str, value: &Value, record: &RecordType) -> Result<Vec<u8>, InputError> {
    let mut out = vec![0; record.bytes as usize];
    match value {
        Value::Object(fields) => {
            let mut renamed = None;
            if let (Some(grid), Some(value)) = (record.grid, fields.get(GRID)) {
                let own = member_at(&record.shape, grid.offset).filter(|name| *name != GRID);
                if let Some(own) = own {
                    let mut fields = fields.clone();
                    fields.remove(GRID);
                    fields.insert(own.to_owned(), value.clone());
                    renamed = Some(fields);
                }
            }
            let fields = renamed.as_ref().unwrap_or(fields);
            let signs = record.source != TypeSource::Debug;
            structure(place, &record.shape, 0, fields, signs, &mut out)?;
        }
        Value::Array(words) => {
            let expected = record.bytes.div_ceil(4) as usize;
            if words.len() != expected {
                return Err(InputError::new(place, format!("{} words found, expected {expected}", words.len())));
            }
            for (index, word) in words.iter().enumerate() {
                let word = number_word(word).map_err(|why| InputError::new(format!("{place}[{index}]"), why))?;
                out.iter_mut().skip(index * 4).zip(word).for_each(|(to, from)| *to = from);
            }
        }
        other => {
            let message = format!("expected an object of members or a list of words, found {other}");
            return Err(InputError::new(place, message));
        }
    }
    Ok(out)
}

/// The name for the grid member, in addition to its own name.
const GRID: &str = "SV_DispatchGrid";

fn member_at(shape: &Shape, offset: u32) -> Option<&str> {
    let Shape::Struct { members } = shape else { return None };
    members.iter().find(|member| member.offset == offset).map(|member| member.name.as_str())
}

fn structure(
    place: &str,
    shape: &Shape,
    at: u64,
    fields: &Map<String, Value>,
    signs: bool,
    out: &mut [u8],
) -> Result<(), InputError> {
    let Shape::Struct { members } = shape else {
        return Err(InputError::new(place, format!("expected {}, found an object", shape.name())));
    };
    let names = || members.iter().map(|member| member.name.as_str()).collect::<Vec<_>>().join(", ");
    if let Some(extra) = fields.keys().find(|key| !members.iter().any(|member| member.name == **key)) {
        return Err(InputError::new(format!("{place}.{extra}"), format!("unknown member; members: {}", names())));
    }
    for member in members {
        let place = format!("{place}.{}", member.name);
        let Some(value) = fields.get(&member.name) else {
            return Err(InputError::new(place, format!("missing member; members: {}", names())));
        };
        // A grid counts groups, regardless of its type.
        let signs = signs && member.name != GRID;
        put(&place, &member.shape, at + u64::from(member.offset), value, signs, out)?;
    }
    Ok(())
}

fn put(place: &str, shape: &Shape, at: u64, value: &Value, signs: bool, out: &mut [u8]) -> Result<(), InputError> {
    let items = |count: Option<u32>| match value {
        Value::Array(items) if count.is_none_or(|count| items.len() == count as usize) => Ok(items.as_slice()),
        // A list of one is the number itself.
        Value::Number(_) if count == Some(1) => Ok(std::slice::from_ref(value)),
        other => {
            let count = count.map_or_else(String::new, |count| format!(" of {count}"));
            Err(InputError::new(place, format!("expected a list{count}, found {}", brief(other))))
        }
    };
    let mut each = |count: Option<u32>, shape: &Shape, stride: u64| {
        for (index, item) in items(count)?.iter().enumerate() {
            put(&format!("{place}[{index}]"), shape, at + stride * index as u64, item, signs, out)?;
        }
        Ok(())
    };
    match shape {
        Shape::Scalar(scalar) => {
            let bits = number(*scalar, value, signs).map_err(|why| InputError::new(place, why))?;
            let bytes = bits.to_le_bytes();
            let at = usize::try_from(at).unwrap_or(usize::MAX);
            out.iter_mut().skip(at).zip(&bytes[..(scalar.bits / 8) as usize]).for_each(|(to, from)| *to = *from);
            Ok(())
        }
        Shape::Vector { scalar, count } => each(Some(*count), &Shape::Scalar(*scalar), scalar.bytes()),
        Shape::Matrix { scalar, columns, rows, stride, row_major } => {
            let (outer, inner) = if *row_major { (*rows, *columns) } else { (*columns, *rows) };
            each(Some(outer), &Shape::Vector { scalar: *scalar, count: inner }, u64::from(*stride))
        }
        Shape::Array { element, count, stride } => each(*count, element, u64::from(*stride)),
        Shape::Words { count } => each(Some(*count), &Shape::Scalar(Scalar::WORD), 4),
        Shape::Struct { .. } => match value {
            Value::Object(fields) => structure(place, shape, at, fields, signs, out),
            other => Err(InputError::new(place, format!("expected an object, found {}", brief(other)))),
        },
    }
}

fn brief(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
        other => other.to_string(),
    }
}

/// The bits of a number. `signs` lets unsigned ones be negative: where only code is known, their sign is not.
fn number(scalar: Scalar, value: &Value, signs: bool) -> Result<u64, String> {
    let expected = |range: String| Err(format!("expected {range}, found {}", brief(value)));
    if scalar.kind == ScalarKind::Float {
        let number = value.as_f64().or_else(|| value.as_str().and_then(|text| text.parse().ok()));
        return number.map_or_else(|| expected("a number".to_owned()), |number| Ok(float_bits(scalar, number)));
    }
    let bits = scalar.bits.clamp(8, 64);
    let signed = scalar.kind == ScalarKind::Int;
    let (least, most) = match signed {
        true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        false => (0, (1i128 << bits) - 1),
    };
    let least = if signs { -(1i128 << (bits - 1)) } else { least };
    let whole = value.as_i64().map(i128::from).or(value.as_u64().map(i128::from));
    match whole.filter(|whole| (least..=most).contains(whole)) {
        Some(whole) => Ok(whole as u64),
        None => expected(format!("an integer from {least} to {most}")),
    }
}
