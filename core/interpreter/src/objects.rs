//! Inputs placed in memory: each descriptor, the push constants and each workgroup variable become an object.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::error::LaunchError;
use crate::image::ImageObject;
use crate::input::Inputs;
use crate::memory::{OFFSET_BITS, Object, Origin};
use crate::program::{Program, ResourceKind};
use crate::race::{Class, Shadows};

/// The inputs in memory.
pub(crate) struct Objects {
    pub all: Vec<Object>,
    pub shadows: Shadows,
    /// Buffers with an address: first address, object. Sorted.
    pub addresses: Vec<(u64, u32)>,
    /// By resource: number of descriptors.
    pub descriptors: Vec<u64>,
    /// Constants, with the pointers of resources filled in.
    pub constants: Vec<u64>,
    /// Objects that are workgroup memory.
    pub workgroup: Vec<WorkgroupMemory>,
    pub images: Vec<ImageObject>,
}

/// Memory that each workgroup begins with anew.
#[derive(Debug, Clone, Default)]
pub(crate) struct WorkgroupMemory {
    /// Its object.
    pub object: u32,
    /// Bytes.
    pub size: u64,
    /// What starts as zeros; all else is undefined.
    pub zeroed: Vec<Range<u64>>,
}

/// The memory that inputs and workgroup variables need, in bytes.
pub(crate) fn bytes(program: &Program, inputs: &Inputs) -> u64 {
    let workgroup = program.resources.iter().map(|resource| match resource.kind {
        ResourceKind::Workgroup { size, .. } | ResourceKind::Output { size } => size,
        _ => 0,
    });
    let buffers = inputs.buffers.iter().map(|buffer| buffer.bytes.len() as u64);
    let images = inputs.images.iter().map(|image| image.texels.len() as u64);
    workgroup.chain(buffers).chain(images).sum::<u64>() + inputs.push_constants.len() as u64
}

/// Places inputs in memory. `spare` is what race detection may take, in bytes.
pub(crate) fn place(program: &Program, inputs: &Inputs, spare: u64) -> Result<Objects, LaunchError> {
    let mut objects = vec![Object::new(Vec::new(), Origin::Null, None)];
    let mut constants = program.constants.clone();
    let (mut workgroup, mut images) = (Vec::new(), Vec::new());
    let mut descriptors = Vec::new();
    // By set and binding: the described elements.
    let mut described: BTreeMap<(u32, u32), BTreeMap<u32, Described<'_>>> = BTreeMap::new();
    for (at, buffer) in inputs.buffers.iter().enumerate() {
        let elements = described.entry((buffer.set, buffer.binding)).or_default();
        let entry = elements.entry(buffer.element).or_default();
        if entry.buffer.replace((at, &buffer.bytes)).is_some() {
            let (set, binding, element) = (buffer.set, buffer.binding, buffer.element);
            return Err(LaunchError::Twice { set, binding, element });
        }
    }
    for image in &inputs.images {
        image.check()?;
        let elements = described.entry((image.set, image.binding)).or_default();
        if elements.entry(image.element).or_default().image.replace(image).is_some() {
            let (set, binding, element) = (image.set, image.binding, image.element);
            return Err(LaunchError::Twice { set, binding, element });
        }
    }
    for sampler in &inputs.samplers {
        let elements = described.entry((sampler.set, sampler.binding)).or_default();
        elements.entry(sampler.element).or_default().sampler = Some(sampler);
    }
    // By set and binding: first object and number of them.
    let mut placed: BTreeMap<(u32, u32), (u32, u64)> = BTreeMap::new();
    let mut addresses = Vec::new();
    let mut shared: Option<usize> = None;
    for resource in &program.resources {
        let mut count = 1;
        let first = match resource.kind {
            ResourceKind::Descriptor { set, binding } => {
                let elements = described.get(&(set, binding));
                let end = elements.and_then(|elements| elements.last_key_value()).map_or(0, |(last, _)| last + 1);
                let wanted = resource.count.map_or(end, |count| count.min(end)).max(1);
                let (first, have) = match placed.get(&(set, binding)) {
                    Some(&(first, have)) if have >= u64::from(wanted) => (first, have),
                    _ => {
                        let first = objects.len() as u32;
                        for element in 0..wanted {
                            let found =
                                elements.and_then(|elements| elements.get(&element)).copied().unwrap_or_default();
                            let index = objects.len() as u32;
                            let mut object = found.object();
                            object.origin = Origin::Descriptor { set, binding, element };
                            if let Some((at, bytes)) = found.buffer
                                && let Some(address) = inputs.buffers[at].address
                                && !bytes.is_empty()
                            {
                                addresses.push((address, index));
                            }
                            if found.image.is_some() || found.sampler.is_some() {
                                images.push(ImageObject::new(index, found.image, found.sampler));
                            }
                            objects.push(object);
                        }
                        (first, u64::from(wanted))
                    }
                };
                placed.insert((set, binding), (first, have));
                count = have.min(resource.count.map_or(have, u64::from));
                if !resource.read_only {
                    for object in objects.iter_mut().skip(first as usize).take(count as usize) {
                        object.class = object.class.or(Some(Class::Buffer));
                    }
                }
                first
            }
            ResourceKind::Output { size } => {
                let (origin, class) = (Origin::Output(resource.id), Some(Class::Output));
                objects.push(Object::new(Vec::new(), origin, class));
                let index = objects.len() as u32 - 1;
                workgroup.push(WorkgroupMemory { object: index, size, zeroed: Vec::new() });
                index
            }
            ResourceKind::PushConstants => {
                objects.push(Object::new(inputs.push_constants.clone(), Origin::PushConstants, None));
                objects.len() as u32 - 1
            }
            ResourceKind::Workgroup { size, shared: is_shared, zeroed } => match shared.filter(|_| is_shared) {
                Some(at) => {
                    let row: &mut WorkgroupMemory = &mut workgroup[at];
                    row.size = row.size.max(size);
                    row.zeroed.extend(zeroed.map(|first| first..size));
                    row.object
                }
                None => {
                    let (origin, class) = (Origin::Workgroup(resource.id), Some(Class::Workgroup));
                    objects.push(Object::new(Vec::new(), origin, class));
                    let index = objects.len() as u32 - 1;
                    if is_shared {
                        shared = Some(workgroup.len());
                    }
                    let zeroed = zeroed.map(|first| first..size).into_iter().collect();
                    workgroup.push(WorkgroupMemory { object: index, size, zeroed });
                    index
                }
            },
        };
        descriptors.push(count);
        if let Some(constant) = constants.get_mut(resource.slot as usize) {
            *constant = u64::from(first) << OFFSET_BITS;
        }
    }
    // Buffers that the program reaches by address only.
    for buffer in inputs.buffers.iter().filter(|buffer| !buffer.bytes.is_empty()) {
        let Some(address) = buffer.address else { continue };
        if placed.get(&(buffer.set, buffer.binding)).is_none_or(|&(_, have)| u64::from(buffer.element) >= have) {
            addresses.push((address, objects.len() as u32));
            let origin = Origin::Descriptor { set: buffer.set, binding: buffer.binding, element: buffer.element };
            objects.push(Object::new(buffer.bytes.clone(), origin, Some(Class::Buffer)));
        }
    }
    for &(_, object) in &addresses {
        if let Some(object) = objects.get_mut(object as usize) {
            object.class = Some(Class::Buffer);
        }
    }
    addresses.sort_unstable();
    let mut units = vec![if program.narrow { 1 } else { 4 }; objects.len()];
    for object in &images {
        if let (Some((_, format)), Some(unit)) = (&object.image, units.get_mut(object.object as usize)) {
            // A texel is accessed as a whole, and two of them can share a word.
            *unit = u64::from(format.bytes()).clamp(1, *unit);
        }
    }
    let shadows = Shadows::new(units, spare);
    Ok(Objects { all: objects, shadows, addresses, descriptors, constants, workgroup, images })
}

/// What is described of one descriptor.
#[derive(Clone, Copy, Default)]
struct Described<'i> {
    buffer: Option<(usize, &'i Vec<u8>)>,
    image: Option<&'i crate::image::Image>,
    sampler: Option<&'i crate::image::Sampler>,
}

impl Described<'_> {
    fn object(&self) -> Object {
        let bytes = match (self.buffer, self.image) {
            (Some((_, bytes)), _) => bytes.clone(),
            (None, Some(image)) => image.texels.clone(),
            (None, None) => Vec::new(),
        };
        let class = self.image.map(|_| Class::Image);
        Object::new(bytes, Origin::Null, class)
    }
}
