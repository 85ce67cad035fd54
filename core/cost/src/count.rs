//! Counts accesses of a workgroup by layout.
//!
//! An invocation's accesses are known, whichever lane runs it. A layout says which invocations are a wave: those of its lanes
//! that run one instruction for the n-th time are one access of the wave.

use std::collections::{HashMap, HashSet};

use rustc_hash::FxBuildHasher;

use crate::lds::{self, LaneBytes};
use crate::report::{Counts, MemoryKind};
use crate::tiling::{Texels, Tiling};
use lanescope_base::ids::Id;
use lanescope_interpreter::{Address, LoggedAccess, LoggedKind, LoggedObject};
use lanescope_spirv::Module;
use lanescope_spirv::enums::StorageClass;

pub(crate) type FxHashMap<K, V> = HashMap<K, V, FxBuildHasher>;
pub(crate) type FxHashSet<V> = HashSet<V, FxBuildHasher>;

/// log2 of the bytes of a sector.
const SECTOR: u32 = 5;

/// The most lines of workgroups that are kept, all together.
const MOST_LINES: usize = 1 << 24;

/// Bits of an address that are within an object.
const OBJECT: u32 = 44;

/// An object as its accesses are counted.
#[derive(Debug, Clone)]
pub(crate) struct Counted {
    pub memory: MemoryKind,
    pub address: Address,
    /// Whether its accesses are counted: not those of push constants, of payloads and of outputs.
    pub is_counted: bool,
    texels: Option<Texels>,
}

impl Counted {
    /// An object of a machine.
    pub fn new(object: &LoggedObject, tiling: Tiling, pitch: Option<u64>) -> Counted {
        let texels = object.image.as_ref().map(|image| Texels::new(image, object.bytes, tiling, pitch));
        let memory = match object.address {
            Address::Workgroup { .. } => MemoryKind::Shared,
            Address::PushConstants { .. } => MemoryKind::PushConstants,
            _ if texels.is_some() => MemoryKind::Image,
            _ => MemoryKind::Buffer,
        };
        let is_counted = memory != MemoryKind::PushConstants;
        Counted { memory, address: object.address, is_counted, texels }
    }

    /// The object in a module: a payload, or an output that invocations share, is not LDS.
    pub fn in_module(self, module: &Module) -> Counted {
        let is_workgroup = |variable: Id| {
            let class = module.def(variable).map(|inst| inst.word_at(3));
            class == Some(StorageClass::Workgroup as u32)
        };
        match self.address {
            Address::Workgroup { variable, .. } if !is_workgroup(variable) => Counted { is_counted: false, ..self },
            _ => self,
        }
    }

    /// The level of an image that holds the texel at an offset; absent for other memory.
    pub fn level(&self, offset: u64) -> Option<u32> {
        self.texels.as_ref().map(|texels| texels.level(offset))
    }

    /// Bytes from a row of an image to the next; absent for other memory, and where texels are in blocks.
    pub fn pitch(&self) -> Option<u64> {
        self.texels.as_ref().and_then(Texels::pitch)
    }
}

/// A layout as accesses are counted.
#[derive(Debug, Clone)]
pub(crate) struct Placement {
    /// By local invocation index, the thread that runs it.
    pub threads: Vec<u32>,
    /// By thread, the local invocation index that it runs: the inverse.
    pub invocations: Vec<u32>,
    pub wave: u32,
}

/// An instruction that was found to access memory.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    pub instruction: u32,
    pub kind: LoggedKind,
    pub object: u32,
    pub bytes: u32,
    /// By local invocation index: the line that is touched first, in the first workgroup; of shared memory the bank.
    pub touched: Vec<Option<u64>>,
}

/// Counts of a layout.
#[derive(Debug, Clone, Default)]
pub(crate) struct LayoutCounts {
    pub total: Counts,
    /// By site.
    pub sites: Vec<Counts>,
}

/// A range of memory that an invocation accesses.
#[derive(Debug, Clone, Copy)]
struct Piece {
    /// The object in the upper bits, the address in the lower ones.
    start: u64,
    bytes: u32,
    /// Of texels, the 2×2 block.
    quad: u64,
    memory: MemoryKind,
}

/// The accesses of one instruction for one time, in all invocations: site, time, invocation, piece. Sorted.
type Key = (u64, u32);

/// Counts accesses, workgroup by workgroup.
pub(crate) struct Counter {
    placements: Vec<Placement>,
    invocations: usize,
    /// log2 of the bytes of a line.
    line: u32,
    pub sites: Vec<Site>,
    by_instruction: FxHashMap<u32, usize>,
    /// By placement.
    pub counts: Vec<LayoutCounts>,
    /// By workgroup that was counted: its lines. Absent where they are not kept, or too many.
    pub group_lines: Option<Vec<(u64, Vec<u64>)>>,
    /// How many lines these are.
    kept: usize,
    is_first: bool,
    buffers: Buffers,
}

#[derive(Default)]
struct Buffers {
    pieces: Vec<Piece>,
    keys: Vec<Key>,
    /// By site and invocation: how often the invocation ran it.
    times: Vec<u32>,
    order: Vec<(u32, u32)>,
    sectors: Vec<u64>,
    /// Four consecutive threads, object, block.
    quads: Vec<(u32, u64, u64)>,
    lanes: Vec<LaneBytes>,
    words: Vec<(u64, u32)>,
    /// By placement: waves and lines of a site, and of all.
    of_site: Vec<FxHashSet<(u32, u64)>>,
    of_all: Vec<FxHashSet<(u32, u64)>>,
}

impl Counter {
    /// A counter for these layouts. `keep_lines` keeps the lines of each workgroup.
    pub fn new(placements: Vec<Placement>, invocations: u32, line: u32, keep_lines: bool) -> Counter {
        let count = placements.len();
        let sets = || (0..count).map(|_| FxHashSet::default()).collect();
        Counter {
            placements,
            invocations: invocations as usize,
            line: line.max(1).ilog2(),
            sites: Vec::new(),
            by_instruction: FxHashMap::default(),
            counts: vec![LayoutCounts::default(); count],
            group_lines: keep_lines.then(Vec::new),
            kept: 0,
            is_first: true,
            buffers: Buffers { of_site: sets(), of_all: sets(), ..Buffers::default() },
        }
    }

    /// Counts the accesses of a workgroup. `object` says what an object is.
    pub fn group<'o>(&mut self, group: u64, rows: &[LoggedAccess], object: impl Fn(u32) -> Option<&'o Counted>) {
        self.sort(rows, object);
        let mut buffers = std::mem::take(&mut self.buffers);
        let keys = std::mem::take(&mut buffers.keys);
        let (mut site_lines, mut all_lines) = (FxHashSet::default(), FxHashSet::default());
        for of_site in keys.chunk_by(|a, b| site_of(a.0) == site_of(b.0)) {
            let site = site_of(of_site[0].0);
            site_lines.clear();
            for at_once in of_site.chunk_by(|a, b| a.0 >> 16 == b.0 >> 16) {
                if self.is_first && time_of(at_once[0].0) == 0 {
                    self.touch(site, at_once, &buffers.pieces);
                }
                for layout in 0..self.placements.len() {
                    self.count(layout, site, at_once, &mut buffers);
                }
            }
            for (_, piece) in of_site {
                site_lines.extend(self.lines(&buffers.pieces[*piece as usize]));
            }
            for (counts, set) in self.counts.iter_mut().zip(&mut buffers.of_site) {
                counts.sites[site].wave_lines += set.len() as u64;
                counts.sites[site].group_lines += site_lines.len() as u64;
            }
            for (all, set) in buffers.of_all.iter_mut().zip(&mut buffers.of_site) {
                all.extend(set.drain());
            }
            all_lines.extend(site_lines.iter().copied());
        }
        for (counts, set) in self.counts.iter_mut().zip(&mut buffers.of_all) {
            counts.total.wave_lines += set.len() as u64;
            counts.total.group_lines += all_lines.len() as u64;
            set.clear();
        }
        // An entry takes room without lines as well.
        self.kept += all_lines.len().max(1);
        if self.kept > MOST_LINES {
            self.group_lines = None;
        }
        if let Some(kept) = &mut self.group_lines {
            kept.push((group, all_lines.into_iter().collect()));
        }
        buffers.keys = keys;
        self.buffers = buffers;
        self.is_first = false;
    }

    /// Sorts accesses by site, time and invocation.
    fn sort<'o>(&mut self, rows: &[LoggedAccess], object: impl Fn(u32) -> Option<&'o Counted>) {
        let mut buffers = std::mem::take(&mut self.buffers);
        let Buffers { pieces, keys, times, .. } = &mut buffers;
        pieces.clear();
        keys.clear();
        times.clear();
        times.resize(self.sites.len() * self.invocations, 0);
        for row in rows {
            let Some(counted) = object(row.object).filter(|of| of.is_counted) else {
                continue;
            };
            let site = self.site(row);
            if times.len() < self.sites.len() * self.invocations {
                times.resize(self.sites.len() * self.invocations, 0);
            }
            let Some(time) = times.get_mut(site * self.invocations + row.invocation as usize) else { continue };
            // The first range of an access is the first of its time.
            *time += u32::from(row.begins);
            let key = key(site, time.saturating_sub(1), row.invocation);
            let place = counted.texels.as_ref().map(|texels| texels.place(row.offset));
            let (address, quad) = place.map_or((row.offset, 0), |place| (place.address, place.quad));
            let start = u64::from(row.object) << OBJECT | address;
            keys.push((key, pieces.len() as u32));
            pieces.push(Piece { start, bytes: row.bytes, quad, memory: counted.memory });
        }
        keys.sort_unstable_by_key(|(key, piece)| u128::from(*key) << 32 | u128::from(*piece));
        self.buffers = buffers;
    }

    /// The number of a row's instruction among the sites.
    fn site(&mut self, row: &LoggedAccess) -> usize {
        let next = self.sites.len();
        let site = *self.by_instruction.entry(row.instruction).or_insert(next);
        if site == next {
            let LoggedAccess { instruction, kind, object, .. } = *row;
            self.sites.push(Site { instruction, kind, object, bytes: 0, touched: Vec::new() });
            self.counts.iter_mut().for_each(|counts| counts.sites.push(Counts::default()));
        }
        let found = &mut self.sites[site];
        found.bytes = found.bytes.max(row.bytes);
        site
    }

    /// Keeps the line that each invocation touches first, or the bank.
    fn touch(&mut self, site: usize, at_once: &[Key], pieces: &[Piece]) {
        let mut touched = vec![None; self.invocations];
        for (key, piece) in at_once {
            let piece = &pieces[*piece as usize];
            let line = match piece.memory {
                MemoryKind::Shared => piece.start / 4 % lds::BANKS,
                _ => piece.start >> self.line,
            };
            if let Some(slot) = touched.get_mut((key & 0xffff) as usize) {
                *slot = slot.or(Some(line));
            }
        }
        self.sites[site].touched = touched;
    }

    /// The lines of a piece in a buffer or an image.
    fn lines(&self, piece: &Piece) -> std::ops::Range<u64> {
        match piece.memory {
            MemoryKind::Shared => 0..0,
            _ => piece.start >> self.line..((piece.start + u64::from(piece.bytes.max(1)) - 1) >> self.line) + 1,
        }
    }

    /// Counts an instruction that ran once in some invocations, in one layout.
    fn count(&mut self, layout: usize, site: usize, at_once: &[Key], buffers: &mut Buffers) {
        let placement = &self.placements[layout];
        let mut order = std::mem::take(&mut buffers.order);
        order.clear();
        let runs_everywhere = at_once.len() == placement.invocations.len()
            && (0..).zip(at_once).all(|(invocation, (key, _)): (u64, _)| key & 0xffff == invocation);
        if runs_everywhere {
            let pieces = placement.invocations.iter().map(|invocation| at_once[*invocation as usize].1);
            order.extend((0..).zip(pieces));
        } else {
            order.extend(at_once.iter().map(|(key, piece)| (placement.threads[(key & 0xffff) as usize], *piece)));
            order.sort_unstable_by_key(|(thread, piece)| u64::from(*thread) << 32 | u64::from(*piece));
        }
        let lanes = placement.wave.max(1);
        let is_atomic = self.sites[site].kind == LoggedKind::Atomic;
        let mut counts = Counts::default();
        for wave in order.chunk_by(|a, b| a.0 / lanes == b.0 / lanes) {
            let number = wave[0].0 / lanes;
            memory(wave, buffers, &mut counts);
            let mut last = None;
            for line in buffers.sectors.iter().map(|sector| sector >> (self.line - SECTOR)) {
                if last.replace(line) != Some(line) {
                    buffers.of_site[layout].insert((number, line));
                }
            }
            shared(wave, lanes, is_atomic, buffers, &mut counts);
        }
        buffers.order = order;
        let LayoutCounts { total, sites } = &mut self.counts[layout];
        total.add(&counts);
        sites[site].add(&counts);
    }
}

/// Site, time, invocation.
fn key(site: usize, time: u32, invocation: u32) -> u64 {
    // Logged rows are far fewer than 2^28, invocations at most 2^16.
    (site as u64) << 44 | u64::from(time & 0xfff_ffff) << 16 | u64::from(invocation & 0xffff)
}

fn site_of(key: u64) -> usize {
    (key >> 44) as usize
}

fn time_of(key: u64) -> u64 {
    key >> 16 & 0xfff_ffff
}

/// Counts an access of a wave: its lanes, and what it touches in buffers and images. Leaves its sectors, sorted.
fn memory(wave: &[(u32, u32)], buffers: &mut Buffers, counts: &mut Counts) {
    let Buffers { pieces, sectors, quads, .. } = buffers;
    sectors.clear();
    quads.clear();
    let mut last = None;
    for &(thread, piece) in wave {
        let Piece { start, bytes, quad, memory } = pieces[piece as usize];
        counts.lanes += u64::from(last.replace(thread) != Some(thread));
        if memory == MemoryKind::Shared {
            counts.lds_bytes += u64::from(bytes);
            continue;
        }
        counts.bytes += u64::from(bytes);
        sectors.extend(start >> SECTOR..=(start + u64::from(bytes.max(1)) - 1) >> SECTOR);
        if memory == MemoryKind::Image {
            quads.push((thread / 4, start >> OBJECT, quad));
        }
    }
    counts.runs += 1;
    if !sectors.is_sorted() {
        sectors.sort_unstable();
    }
    sectors.dedup();
    counts.sectors += sectors.len() as u64;
    counts.bytes_moved += (sectors.len() as u64) << SECTOR;
    counts.lines_64 += different(sectors, 1);
    counts.lines_128 += different(sectors, 2);
    quads.sort_unstable();
    quads.dedup();
    counts.texel_quads += quads.len() as u64;
}

/// Different numbers among sorted ones without their lowest bits.
fn different(sorted: &[u64], bits: u32) -> u64 {
    sorted.chunk_by(|a, b| a >> bits == b >> bits).count() as u64
}

/// Counts the passes of LDS of an access of a wave.
fn shared(wave: &[(u32, u32)], lanes_of_wave: u32, is_atomic: bool, buffers: &mut Buffers, counts: &mut Counts) {
    let Buffers { pieces, lanes, words, .. } = buffers;
    // What is wider than an instruction takes several: the n-th of each lane run together.
    for turn in 0.. {
        lanes.clear();
        for of_lane in wave.chunk_by(|a, b| a.0 == b.0) {
            let parts = of_lane.iter().map(|(_, piece)| &pieces[*piece as usize]);
            let parts = parts.filter(|piece| piece.memory == MemoryKind::Shared).flat_map(|piece| {
                (0..piece.bytes.max(1)).step_by(lds::WIDEST as usize).map(|first| {
                    let address = (piece.start & ((1 << OBJECT) - 1)) + u64::from(first);
                    (address, (piece.bytes - first).min(lds::WIDEST))
                })
            });
            let mut parts = parts.skip(turn);
            if let Some((address, bytes)) = parts.next() {
                lanes.push(LaneBytes { lane: of_lane[0].0 % lanes_of_wave, address, bytes });
            }
        }
        if lanes.is_empty() {
            return;
        }
        let [all, least] = lds::passes(lanes, is_atomic, words);
        counts.lds_passes += all;
        counts.lds_least += least;
    }
}
