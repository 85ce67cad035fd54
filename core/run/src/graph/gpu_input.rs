//! First records that a structure in device memory describes: `D3D12_NODE_GPU_INPUT` or `D3D12_MULTI_NODE_GPU_INPUT`, as an
//! earlier dispatch wrote it.
//!
//! | offset | node input | several node inputs |
//! |---|---|---|
//! | 0 | `u32` index of the entry point | `u32` number of node inputs |
//! | 4 | `u32` number of records | padding |
//! | 8 | `u64` address of the first record | `u64` address of the first node input |
//! | 16 | `u64` bytes from one record to the next | `u64` bytes from one node input to the next |
//!
//! Source: D3D12 work graphs specification, *DispatchGraph Structures*.

use lanescope_passes::graph::{Launched, Node, WorkGraph};

use super::InputMode;
use super::input::{GraphInput, InputError, MAX_BYTES, MAX_RECORDS};
use crate::Blob;

/// Bytes of either structure.
const SIZE: u64 = 24;
/// Both structures begin at such an address, and inputs are such a multiple apart.
const ALIGN: u64 = 8;
/// The most node inputs.
const MOST_INPUTS: u64 = 1 << 16;

/// A buffer in device memory, and the address that it is at.
#[derive(Debug, Clone, Copy)]
pub struct DeviceMemory<'b> {
    /// Its contents.
    pub bytes: &'b [u8],
    /// The address of the first byte.
    pub address: u64,
}

/// A structure that begins at an address.
struct Structure<'m, 'b> {
    memory: &'m DeviceMemory<'b>,
    name: &'static str,
    at: u64,
}

impl<'b> DeviceMemory<'b> {
    /// The records that the structure of a mode at an address describes.
    ///
    /// # Errors
    /// As [`DeviceMemory::node_input`]; a mode whose records come from the host.
    pub fn inputs(&self, mode: InputMode, at: u64, graph: &WorkGraph) -> Result<Vec<GraphInput>, InputError> {
        match mode {
            InputMode::Gpu => self.node_input(at, graph).map(|input| vec![input]),
            InputMode::MultiGpu => self.multi_node_input(at, graph),
            InputMode::Cpu | InputMode::MultiCpu => Err(InputError {
                place: "the input mode".to_owned(),
                message: format!("{mode} has no structure in device memory; expected gpu or multi-gpu"),
            }),
        }
    }

    /// The records that the `D3D12_NODE_GPU_INPUT` at an address describes.
    ///
    /// # Errors
    /// A structure or records outside of the buffer; an index that no entry point has; a stride that does not fit.
    pub fn node_input(&self, at: u64, graph: &WorkGraph) -> Result<GraphInput, InputError> {
        let is = Structure { memory: self, name: "D3D12_NODE_GPU_INPUT", at };
        is.check()?;
        let index = is.word("EntrypointIndex", 0)?;
        let count = u64::from(is.word("NumRecords", 4)?);
        let entries = || graph.nodes.iter().enumerate().filter(|(_, node)| node.starts());
        let entry = usize::try_from(index).ok().and_then(|index| entries().nth(index));
        let Some((place, node)) = entry else {
            let known: Vec<String> = entries().map(|(_, node)| node.id.to_string()).collect();
            let broken = Launched { graph }.entry_index(index);
            let code = broken.map_or_else(String::new, |finding| format!("{} {}: ", finding.code, finding.message));
            return Err(is.wrong("EntrypointIndex", 0, format!("{code}expected an index of {}", known.join(", "))));
        };
        if count > MAX_RECORDS {
            return Err(is.wrong("NumRecords", 4, format!("{count} records; the limit per input is {MAX_RECORDS}")));
        }
        is.records(graph, (place, node), count)
    }

    /// The records that the `D3D12_MULTI_NODE_GPU_INPUT` at an address describes.
    ///
    /// # Errors
    /// As [`DeviceMemory::node_input`].
    pub fn multi_node_input(&self, at: u64, graph: &WorkGraph) -> Result<Vec<GraphInput>, InputError> {
        let is = Structure { memory: self, name: "D3D12_MULTI_NODE_GPU_INPUT", at };
        is.check()?;
        let count = u64::from(is.word("NumNodeInputs", 0)?);
        if count > MOST_INPUTS {
            return Err(is.wrong("NumNodeInputs", 0, format!("{count} node inputs; the limit is {MOST_INPUTS}")));
        }
        let (first, stride) = (is.long("NodeInputs.StartAddress", 8)?, is.long("NodeInputs.StrideInBytes", 16)?);
        if stride != 0 && (stride < SIZE || !stride.is_multiple_of(ALIGN)) {
            let expected = format!("{stride}; expected 0, or a multiple of {ALIGN} of at least {SIZE}");
            return Err(is.wrong("NodeInputs.StrideInBytes", 16, expected));
        }
        let mut out: Vec<GraphInput> = Vec::new();
        let mut bytes = 0u64;
        for number in 0..count {
            let place = number.checked_mul(stride).and_then(|offset| first.checked_add(offset));
            let place =
                place.ok_or_else(|| is.wrong("NodeInputs", 8, format!("node input {number} is at no address")))?;
            let input = self.node_input(place, graph).map_err(|error| InputError {
                place: format!("node input {number}: {}", error.place),
                message: error.message,
            })?;
            bytes = bytes.saturating_add(input.bytes.0.len() as u64);
            if bytes > MAX_BYTES {
                return Err(is.wrong("NodeInputs", 8, format!("records of {bytes} bytes; the limit is {MAX_BYTES}")));
            }
            out.push(input);
        }
        Ok(out)
    }

    /// Bytes at an address; `None` where they are not all in the buffer.
    fn get(&self, address: u64, bytes: u64) -> Option<&'b [u8]> {
        let at = usize::try_from(address.checked_sub(self.address)?).ok()?;
        self.bytes.get(at..at.checked_add(usize::try_from(bytes).ok()?)?)
    }

    /// Where the buffer is.
    fn range(&self) -> String {
        format!("{:#x} to {:#x}", self.address, self.address.saturating_add(self.bytes.len() as u64))
    }
}

impl Structure<'_, '_> {
    fn check(&self) -> Result<(), InputError> {
        if !self.at.is_multiple_of(ALIGN) {
            return Err(self.error(format!("expected an address that is a multiple of {ALIGN}")));
        }
        match self.memory.get(self.at, SIZE) {
            Some(_) => Ok(()),
            None => {
                Err(self.error(format!("its {SIZE} bytes are not in the buffer, which is at {}", self.memory.range())))
            }
        }
    }

    fn error(&self, message: String) -> InputError {
        InputError { place: format!("{} at {:#x}", self.name, self.at), message }
    }

    /// An error about a member.
    fn wrong(&self, member: &str, offset: u64, message: String) -> InputError {
        self.error(format!("{member} (at {:#x}): {message}", self.at.saturating_add(offset)))
    }

    fn word(&self, member: &str, offset: u64) -> Result<u32, InputError> {
        let bytes = self.memory.get(self.at.saturating_add(offset), 4).and_then(|bytes| bytes.first_chunk::<4>());
        bytes
            .map(|bytes| u32::from_le_bytes(*bytes))
            .ok_or_else(|| self.wrong(member, offset, "is not in the buffer".to_owned()))
    }

    fn long(&self, member: &str, offset: u64) -> Result<u64, InputError> {
        let bytes = self.memory.get(self.at.saturating_add(offset), 8).and_then(|bytes| bytes.first_chunk::<8>());
        bytes
            .map(|bytes| u64::from_le_bytes(*bytes))
            .ok_or_else(|| self.wrong(member, offset, "is not in the buffer".to_owned()))
    }

    /// The records of a node. Address and stride of empty ones do not count.
    fn records(&self, graph: &WorkGraph, (place, node): (usize, &Node), count: u64) -> Result<GraphInput, InputError> {
        let entry = node.id.clone();
        let Some(record) = node.record() else {
            return Ok(GraphInput { entry, count, stride: 0, bytes: Blob::default() });
        };
        let (first, stride) = (self.long("Records.StartAddress", 8)?, self.long("Records.StrideInBytes", 16)?);
        let (bytes, align) = (u64::from(record.bytes), u64::from(record.align.max(4)));
        if let Some(broken) = (Launched { graph }).stride(place, stride) {
            let message =
                format!("{} {}; expected 0, or a multiple of {align} of at least {bytes}", broken.code, broken.message);
            return Err(self.wrong("Records.StrideInBytes", 16, message));
        }
        if !first.is_multiple_of(align) {
            let message =
                format!("{first:#x}; expected a multiple of {align}, as {entry} has records of that alignment");
            return Err(self.wrong("Records.StartAddress", 8, message));
        }
        let laid_out = count.saturating_sub(1).checked_mul(stride).and_then(|rest| rest.checked_add(bytes));
        let length = if count == 0 { Some(0) } else { laid_out };
        let given = length.filter(|length| *length <= MAX_BYTES).and_then(|length| self.memory.get(first, length));
        let Some(given) = given else {
            let message = format!(
                "{count} records of {entry} at {first:#x}, {stride} bytes apart, are not all in the buffer, which is at {}",
                self.memory.range()
            );
            return Err(self.wrong("NumRecords", 4, message));
        };
        let stride = u32::try_from(stride).map_err(|_| {
            self.wrong("Records.StrideInBytes", 16, format!("{stride}; the largest one is {}", u32::MAX))
        })?;
        Ok(GraphInput { entry, count, stride, bytes: Blob(given.to_vec()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_passes::graph::{GraphSource, Overrides, link, nodes};

    /// One entry point with records of 4 words and more, of each launch mode, and entry points with empty records.
    fn graph() -> WorkGraph {
        let sample = include_bytes!("../../../../samples/work_graphs/scenarios/45_entry_kinds.dxil");
        let dxil = lanescope_dxil::Dxil::read(sample.to_vec()).expect("a sample");
        link(nodes(&dxil, 0), GraphSource::Dxil, &Overrides::default())
    }

    /// The index of an entry point with records, and the size of these.
    fn with_records(graph: &WorkGraph) -> (u32, u64) {
        let mut entries = graph.nodes.iter().filter(|node| node.starts()).zip(0..);
        let found = entries.find_map(|(node, index)| Some((index, u64::from(node.record()?.bytes))));
        found.expect("an entry with records")
    }

    fn structure(index: u32, count: u32, address: u64, stride: u64) -> Vec<u8> {
        [&index.to_le_bytes()[..], &count.to_le_bytes(), &address.to_le_bytes(), &stride.to_le_bytes()].concat()
    }

    fn read(bytes: &[u8]) -> Result<GraphInput, String> {
        DeviceMemory { bytes, address: 0x1000 }.node_input(0x1000, &graph()).map_err(|error| error.to_string())
    }

    #[test]
    fn entry_count_address_and_stride_are_those_of_the_structure() {
        let graph = graph();
        let (index, size) = with_records(&graph);
        let stride = size.next_multiple_of(8) + 8;
        let records: Vec<u8> = (0..stride as u8 + size as u8).collect();
        let bytes = [structure(index, 2, 0x1018, stride), records.clone()].concat();
        let input = read(&bytes).expect("two records");
        let entry = graph.nodes.iter().filter(|node| node.starts()).nth(index as usize).expect("an entry");
        assert_eq!((&input.entry, input.count, u64::from(input.stride)), (&entry.id, 2, stride));
        assert_eq!(input.bytes.0, records);
        // The first record for all, and none.
        let repeated = read(&[structure(index, 900, 0x1018, 0), records[..size as usize].to_vec()].concat());
        assert_eq!(repeated.expect("one record").bytes.0, &records[..size as usize]);
        assert_eq!(read(&structure(index, 0, 0x1018, size.next_multiple_of(8))).expect("nothing").count, 0);
    }

    #[test]
    fn errors_name_what_was_read_where() {
        let graph = graph();
        let (index, size) = with_records(&graph);
        let (entries, stride) = (graph.nodes.iter().filter(|node| node.starts()).count(), size.next_multiple_of(8));
        for (bytes, expected) in [
            (
                structure(77, 1, 0x1018, 0),
                format!("EntrypointIndex (at 0x1000): G39 entry index 77, graph has {entries}"),
            ),
            (structure(index, 3, 0x1018, stride), "NumRecords (at 0x1004): 3 records of ".to_owned()),
            (
                structure(index, 3, 0x1018, stride),
                format!("at 0x1018, {stride} bytes apart, are not all in the buffer, which is at 0x1000 to 0x1018"),
            ),
            (structure(index, 1, 0, 0), "at 0x0, 0 bytes apart, are not all in the buffer".to_owned()),
            (structure(index, 1, 0x1018, 2), "Records.StrideInBytes (at 0x1010): G38 ".to_owned()),
            (
                structure(index, 1, 0x1019, 0),
                "Records.StartAddress (at 0x1008): 0x1019; expected a multiple of ".to_owned(),
            ),
            (structure(index, u32::MAX, 0x1018, 0), "NumRecords (at 0x1004): 4294967295 records; the limit".to_owned()),
            (structure(index, 1 << 24, 0x1018, u64::MAX - 7), "are not all in the buffer".to_owned()),
            (
                vec![0; 23],
                "D3D12_NODE_GPU_INPUT at 0x1000: its 24 bytes are not in the buffer, which is at 0x1000 to 0x1017"
                    .to_owned(),
            ),
        ] {
            let error = read(&bytes).expect_err(&expected);
            assert!(error.contains(&expected), "{error}; expected {expected}");
        }
        let odd = DeviceMemory { bytes: &[0; 64], address: 0 }.node_input(4, &graph).expect_err("not aligned");
        assert!(odd.to_string().contains("expected an address that is a multiple of 8"), "{odd}");
    }

    #[test]
    fn several_inputs_are_read_at_their_stride() {
        let graph = graph();
        let (index, size) = with_records(&graph);
        let multi = |count: u32, address: u64, stride: u64| structure(count, 0, address, stride);
        let records = vec![7; size as usize];
        let one = structure(index, 1, 24 + 2 * 32, 0);
        let bytes =
            [multi(2, 24, 32), one.clone(), vec![0; 8], structure(index, 5, 24 + 2 * 32, 0), vec![0; 8], records]
                .concat();
        let read = |bytes: &[u8]| DeviceMemory { bytes, address: 0 }.multi_node_input(0, &graph);
        let counts: Vec<u64> = read(&bytes).expect("two inputs").iter().map(|input| input.count).collect();
        assert_eq!(counts, [1, 5]);
        let error = |bytes: &[u8]| read(bytes).expect_err("wrong").to_string();
        assert!(
            error(&multi(2, 24, 16)).contains("NodeInputs.StrideInBytes (at 0x10): 16; expected 0, or a multiple of 8")
        );
        assert!(error(&multi(1, 24, 0)).contains("node input 0: D3D12_NODE_GPU_INPUT at 0x18: its 24 bytes"));
        assert!(error(&multi(u32::MAX, 24, 0)).contains("NumNodeInputs (at 0x0): 4294967295 node inputs; the limit"));
        assert!(
            error(&multi(3, u64::MAX - 7, 24)).contains("node input 0: D3D12_NODE_GPU_INPUT at 0xfffffffffffffff8")
        );
    }
}
