//! Answers to requests, as bytes of the structures of `i915_drm.h`, `xe_drm.h` and `drm.h`.

use lanescope_model::chip::{Chip, INTEL_GPU, Vendor};

use crate::argument::{Answer, Argument, Refused};
use crate::description::{Description, Kernel, VARIABLE};
use crate::drm;
use crate::memory::Memory;

const TIGER_LAKE: &str = "0x9a49 revision=3 topology=1x6x16";
const BATTLEMAGE: &str = "0xe20b revision=2 topology=5x4x8 local=12884901888 kernel=xe ip=20.1";

/// A process's GPU, and what is asked of it.
struct Node {
    gpu: Description,
    memory: Memory,
}

impl Node {
    fn of(text: &str) -> Node {
        let gpu = Description::parse(text).expect("a description");
        Node { gpu, memory: Memory::new().expect("a file in memory") }
    }

    fn ask(&mut self, number: u8, structure: &mut [u8]) -> Answer {
        drm::answer(&self.gpu, &mut self.memory, number, Argument::of(structure))
    }

    /// Asks with a structure that points at another one: its address at the place `at`.
    fn ask_with(&mut self, number: u8, structure: &mut [u8], at: usize, other: &mut [u8]) -> Answer {
        structure[at..at + 8].copy_from_slice(&(other.as_mut_ptr() as u64).to_le_bytes());
        self.ask(number, structure)
    }

    /// A parameter of i915 (`struct drm_i915_getparam`).
    fn parameter(&mut self, parameter: u32) -> Result<u32, Refused> {
        let (mut structure, mut value) = ([0; 16], [0; 4]);
        structure[..4].copy_from_slice(&parameter.to_le_bytes());
        self.ask_with(0x46, &mut structure, 8, &mut value)?;
        Ok(u32::from_le_bytes(value))
    }

    /// An answer of variable length of xe: asked for its length first (`struct drm_xe_device_query`).
    fn query_of_xe(&mut self, number: u32) -> Result<Vec<u8>, Refused> {
        let mut structure = [0; 40];
        structure[8..12].copy_from_slice(&number.to_le_bytes());
        self.ask(0x40, &mut structure)?;
        let mut block = vec![0; u32_at(&structure, 12) as usize];
        self.ask_with(0x40, &mut structure, 16, &mut block)?;
        Ok(block)
    }

    /// An answer of variable length of i915 (`struct drm_i915_query`, `struct drm_i915_query_item`): the item's length, and
    /// the block of that many bytes.
    fn query_of_i915(&mut self, number: u64) -> Result<(i32, Vec<u8>), Refused> {
        let (mut structure, mut item) = ([0; 16], [0; 24]);
        structure[0] = 1;
        item[..8].copy_from_slice(&number.to_le_bytes());
        self.ask_with(0x79, &mut structure, 8, &mut item)?;
        let length = u32_at(&item, 8) as i32;
        let mut block = vec![0; usize::try_from(length).unwrap_or(0)];
        if length > 0 {
            item[16..24].copy_from_slice(&(block.as_mut_ptr() as u64).to_le_bytes());
            self.ask_with(0x79, &mut structure, 8, &mut item)?;
        }
        Ok((length, block))
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

#[test]
fn every_chip_of_the_table_has_a_description_that_is_read() {
    assert_eq!(INTEL_GPU, VARIABLE);
    let mut kernels = Vec::new();
    for chip in Chip::all() {
        let Chip::Other(other) = chip else { continue };
        if chip.vendor() != Vendor::Intel {
            continue;
        }
        let gpu = Description::parse(other.info().id);
        let gpu = gpu.unwrap_or_else(|| panic!("{}: {} is no description", other.info().name, other.info().id));
        assert_eq!(gpu.kernel == Kernel::Xe, gpu.ip != (0, 0), "{}: xe reports a version", other.info().name);
        kernels.push(gpu.kernel);
    }
    assert!(kernels.contains(&Kernel::I915) && kernels.contains(&Kernel::Xe));
}

#[test]
fn i915_answers_parameters_of_the_described_gpu() {
    let mut node = Node::of(TIGER_LAKE);
    assert_eq!(node.parameter(4), Ok(0x9a49), "I915_PARAM_CHIPSET_ID");
    assert_eq!(node.parameter(32), Ok(3), "I915_PARAM_REVISION");
    assert_eq!(node.parameter(33), Ok(6), "I915_PARAM_SUBSLICE_TOTAL");
    assert_eq!(node.parameter(34), Ok(96), "I915_PARAM_EU_TOTAL");
    assert_eq!(node.parameter(46), Ok(1), "I915_PARAM_SLICE_MASK");
    assert_eq!(node.parameter(47), Ok(0x3f), "I915_PARAM_SUBSLICE_MASK");
    assert_eq!(node.parameter(54), Err(Refused::Errno(libc::ENODEV)));
    assert_eq!(node.parameter(1000), Err(Refused::Unknown("parameter 1000 of i915".into())));
}

#[test]
fn i915_lists_slices_subslices_and_units() {
    let mut node = Node::of("0x56a0 topology=2x3x5 local=1048576");
    let (length, block) = node.query_of_i915(1).expect("a topology");
    // A byte for the slices, one of each slice's subslices, one of each subslice's units.
    assert_eq!(length as usize, 16 + 1 + 2 + 6);
    assert_eq!(block[2..8], [2, 0, 3, 0, 5, 0]);
    assert_eq!(block[16..], [0b11, 0b111, 0b111, 31, 31, 31, 31, 31, 31]);
    let (_, regions) = node.query_of_i915(4).expect("regions of memory");
    assert_eq!(u32_at(&regions, 0), 2);
    assert_eq!((regions[16 + 88], u64_at(&regions, 16 + 88 + 8)), (1, 1 << 20), "memory of its own");
    let (length, _) = node.query_of_i915(3).expect("an item of its own");
    assert_eq!(length, -libc::EINVAL, "no counters");
    assert_eq!(node.query_of_i915(99), Err(Refused::Unknown("query 99 of i915".into())));
}

#[test]
fn xe_answers_queries_of_the_described_gpu() {
    let mut node = Node::of(BATTLEMAGE);
    let config = node.query_of_xe(2).expect("numbers of the device");
    assert_eq!(u64_at(&config, 8), 0x2_e20b, "DRM_XE_QUERY_CONFIG_REV_AND_DEVICE_ID");
    let regions = node.query_of_xe(1).expect("regions of memory");
    assert_eq!(u32_at(&regions, 0), 2);
    assert_eq!((regions[8 + 88], u64_at(&regions, 8 + 88 + 8)), (1, 12_884_901_888), "memory of its own");
    let tile = node.query_of_xe(3).expect("one tile");
    assert_eq!((u32_at(&tile, 0), tile[8 + 32], tile[8 + 34]), (1, 20, 1), "the version of the graphics IP");
    let topology = node.query_of_xe(5).expect("masks");
    // Twenty subslices twice, then eight units of 16 lanes.
    assert_eq!((u32_at(&topology, 8), u32_at(&topology, 20), u32_at(&topology, 32)), (0xf_ffff, 0xf_ffff, 0xff));
    assert_eq!([topology[2], topology[14], topology[26]], [1, 2, 5], "which mask it is");
    assert_eq!(node.query_of_xe(8), Err(Refused::Errno(libc::ENODEV)));
    assert_eq!(node.query_of_xe(77), Err(Refused::Unknown("query 77 of xe".into())));
}

#[test]
fn buffers_are_made_mapped_and_closed() {
    // Number, size and handle of the request that makes one; number, handle and offset of the one that maps it.
    for (text, make, map) in [(TIGER_LAKE, (0x5b, 0, 8), (0x64, 0, 8)), (BATTLEMAGE, (0x41, 8, 28), (0x42, 8, 16))] {
        let mut node = Node::of(text);
        let mut structure = [0; 64];
        structure[make.1..make.1 + 8].copy_from_slice(&4096u64.to_le_bytes());
        assert_eq!(node.ask(make.0, &mut structure), Ok(()));
        let handle = structure[make.2..make.2 + 4].to_vec();
        let mut structure = [0; 64];
        structure[map.1..map.1 + 4].copy_from_slice(&handle);
        assert_eq!(node.ask(map.0, &mut structure), Ok(()));
        assert_ne!(u64_at(&structure, map.2), 0, "a range of the file");
        assert_eq!(node.ask(0x09, &mut handle.clone()), Ok(()), "DRM_IOCTL_GEM_CLOSE");
        assert_eq!(node.ask(map.0, &mut structure), Err(Refused::Errno(libc::ENOENT)));
    }
}

#[test]
fn structures_that_are_too_short_are_invalid_arguments() {
    for text in [TIGER_LAKE, BATTLEMAGE] {
        let mut node = Node::of(text);
        for number in 0..=u8::MAX {
            let refused = node.ask(number, &mut []);
            let is_named = match &refused {
                Ok(()) => true,
                Err(Refused::Errno(errno)) => [libc::EINVAL, libc::ENODEV].contains(errno),
                Err(Refused::Unknown(name)) => {
                    name.contains(&format!("{:#04x}", number % 0x40)) || name.contains("drm.h")
                }
            };
            assert!(is_named, "{text}: request {number:#x}: {refused:?}");
        }
    }
}
