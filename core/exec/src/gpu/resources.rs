//! What a shader's descriptors need, read from SPIR-V.

use std::collections::BTreeMap;

use ash::vk;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::descriptor_types::{layout_only, opaque};
use super::images::SIDE;
use super::sampler_uses::SamplerUses;
use super::{Addressed, GpuError};
use lanescope_base::ids::Id;
use lanescope_model::program::{Program, StageKind};
use lanescope_passes::guessed_layout::{Application, Node, ResourceKind};
use lanescope_run::BoundImage;
use lanescope_run::fill::{ADDRESS_SET, PUSH_CONSTANT_SET, Source};
use lanescope_run::inputs::{Content, ImageContents, InputRun, Inputs, PushBlock, SamplerState, source_of};
use lanescope_spirv::enums::{Decoration, Dim, ImageFormat, Op, StorageClass};
use lanescope_spirv::shape::{ScalarKind, Shape};
use lanescope_spirv::{EntryPoint, Module, Type};

/// Elements of an array of descriptors whose length only the pipeline layout says.
pub const OPEN_DESCRIPTORS: u32 = 4;
/// Elements of the array at a block's end whose length only the buffer says.
pub const OPEN_ELEMENTS: u64 = 1024;

/// A descriptor whose contents can be given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fillable {
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// The variable's name in the shader.
    pub variable: Option<String>,
    /// `uniform buffer`, `storage buffer`, `texel buffer`, `image`.
    pub kind: &'static str,
    /// How many descriptors it has, where it is an array of them.
    pub elements: Option<u32>,
}

/// The descriptors of a program whose contents can be given. None where the program cannot be run.
pub fn fillable(program: &Program) -> Vec<Fillable> {
    let one = |binding: Binding| {
        let kind = match binding.kind {
            Kind::Uniform(_) => "uniform buffer",
            Kind::Storage(_) => "storage buffer",
            Kind::UniformTexel(_) | Kind::StorageTexel(_) => "texel buffer",
            Kind::Sampled(image) | Kind::Combined(image) | Kind::StorageImage(image) if !image.multisampled => "image",
            _ => return None,
        };
        let elements = binding.is_array.then_some(binding.count);
        Some(Fillable { set: binding.set, binding: binding.binding, variable: binding.variable, kind, elements })
    };
    let by_address = Addressed::of(program).into_iter().map(|addressed| Fillable {
        set: ADDRESS_SET,
        binding: addressed.number,
        variable: None,
        kind: "storage buffer",
        elements: None,
    });
    resources_of(program).bindings.into_iter().filter_map(one).chain(by_address).collect()
}

/// The samplers of a program whose state can be given, those of images too. None where the program cannot be run.
pub fn samplers(program: &Program) -> Vec<(Fillable, SamplerState)> {
    let one = |binding: Binding| {
        let usual = binding.usual_sampler()?;
        let kind = if matches!(binding.kind, Kind::Combined(_)) { "sampler of an image" } else { "sampler" };
        let elements = binding.is_array.then_some(binding.count);
        let variable = binding.variable;
        Some((Fillable { set: binding.set, binding: binding.binding, variable, kind, elements }, usual))
    };
    resources_of(program).bindings.into_iter().filter_map(one).collect()
}

fn resources_of(program: &Program) -> Resources {
    let entries = program.stages.iter().filter_map(|stage| {
        let module = program.module_of(stage);
        Some((module, module.entry_points().get(stage.entry_index)?))
    });
    Resources::of(&entries.collect::<Vec<_>>()).unwrap_or_default()
}

/// Every descriptor and the push constants of one pipeline.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resources {
    /// By set and binding.
    pub(super) bindings: Vec<Binding>,
    /// The block of push constants.
    pub(super) push_constants: Option<PushConstants>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PushConstants {
    pub block: PushBlock,
    pub stages: vk::ShaderStageFlags,
}

impl PushConstants {
    /// The source of what is not given of them.
    pub fn source(inputs: &Inputs) -> Source {
        Source { seed: inputs.fill, set: PUSH_CONSTANT_SET, binding: 0, element: 0 }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Binding {
    pub set: u32,
    pub binding: u32,
    pub variable: Option<String>,
    pub kind: Kind,
    /// Descriptors.
    pub count: u32,
    pub is_array: bool,
    pub stages: vk::ShaderStageFlags,
    /// Whether a shader may write it.
    pub writable: bool,
    /// Whether its offset is given when its set is bound.
    pub dynamic: bool,
    /// Of a sampler: whether the shaders compare with it. Absent where it is not known of an instruction.
    pub compares: Option<bool>,
}

impl Binding {
    /// The state of its sampler where none is given; absent where it has none.
    pub fn usual_sampler(&self) -> Option<SamplerState> {
        match self.kind {
            Kind::Sampler { compare, nearest, .. } => Some(SamplerState::usual(compare, nearest)),
            Kind::Combined(image) => {
                let nearest = image.depth || image.kind != ScalarKind::Float;
                Some(SamplerState::usual(self.compares.unwrap_or(image.depth), nearest))
            }
            _ => None,
        }
    }

    /// No run can bind it.
    pub fn not_run(&self) -> GpuError {
        not_run(self.set, self.binding, self.kind.about())
    }

    pub fn descriptor_type(&self) -> vk::DescriptorType {
        match (self.dynamic, &self.kind) {
            (true, Kind::Uniform(_)) => vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC,
            (true, Kind::Storage(_)) => vk::DescriptorType::STORAGE_BUFFER_DYNAMIC,
            (_, kind) => kind.descriptor_type(),
        }
    }
}

/// A binding that an application's layout has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Described {
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// What it holds, where the layout says it.
    pub kind: Option<ResourceKind>,
    /// Descriptors.
    pub count: u32,
    /// Whether its offset is given when its set is bound.
    pub dynamic: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Uniform(Shape),
    Storage(Shape),
    Sampled(ImageType),
    Combined(ImageType),
    StorageImage(ImageType),
    UniformTexel(ImageType),
    StorageTexel(ImageType),
    Sampler {
        compare: bool,
        nearest: bool,
        /// Whether the images that it is combined with have integers, as far as it is known of which they are.
        integers: Option<bool>,
    },
    /// What a layout may have and a run cannot bind: its descriptor, and what it is as text.
    LayoutOnly(vk::DescriptorType, String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ImageType {
    pub dim: Dim,
    pub depth: bool,
    pub arrayed: bool,
    pub multisampled: bool,
    pub kind: ScalarKind,
    pub format: ImageFormat,
}

impl ImageType {
    /// What two types of one image have in common: depths can be read as other numbers are.
    fn without_depth(self) -> ImageType {
        ImageType { depth: false, ..self }
    }
}

impl Resources {
    /// The 2D storage images, as large as a run binds them.
    pub(super) fn storage_images(&self, inputs: &Inputs) -> Vec<BoundImage> {
        let image = |binding: &Binding| match &binding.kind {
            Kind::StorageImage(ty) if ty.dim == Dim::Dim2D => {
                let name = inputs.names.name(binding.set, binding.binding, 0, binding.is_array);
                let size = match inputs.given(binding.set, binding.binding, 0) {
                    Some(Content::Image(ImageContents { size: [width, height, _], .. })) => [*width, *height],
                    _ => [SIDE, SIDE],
                };
                Some(BoundImage { name, size, writable: binding.writable })
            }
            _ => None,
        };
        self.bindings.iter().filter_map(image).collect()
    }
}

impl Kind {
    /// A sampler of which nothing is known.
    pub const SAMPLER: Kind = Kind::Sampler { compare: false, nearest: false, integers: None };

    /// What it is, with an article.
    pub fn about(&self) -> &str {
        match self {
            Kind::Uniform(_) => "a uniform buffer",
            Kind::Storage(_) => "a storage buffer",
            Kind::Sampled(_) => "a sampled image",
            Kind::Combined(_) => "a combined image sampler",
            Kind::StorageImage(_) => "a storage image",
            Kind::UniformTexel(_) => "a uniform texel buffer",
            Kind::StorageTexel(_) => "a storage texel buffer",
            Kind::Sampler { compare: false, .. } => "a sampler",
            Kind::Sampler { compare: true, .. } => "a comparison sampler",
            Kind::LayoutOnly(_, what) => what,
        }
    }
}

impl Described {
    /// The bindings of an application's layout.
    pub fn of(application: &Application) -> Vec<Described> {
        let one = |(node, dynamic): (&Node, bool)| Described {
            set: node.set,
            binding: node.binding,
            kind: node.kind,
            count: u32::try_from(node.array_size).unwrap_or(u32::MAX),
            dynamic,
        };
        application.layout.nodes().map(one).collect()
    }
}

impl Kind {
    fn descriptor_type(&self) -> vk::DescriptorType {
        match self {
            Kind::Uniform(_) => vk::DescriptorType::UNIFORM_BUFFER,
            Kind::Storage(_) => vk::DescriptorType::STORAGE_BUFFER,
            Kind::Sampled(_) => vk::DescriptorType::SAMPLED_IMAGE,
            Kind::Combined(_) => vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
            Kind::StorageImage(_) => vk::DescriptorType::STORAGE_IMAGE,
            Kind::UniformTexel(_) => vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
            Kind::StorageTexel(_) => vk::DescriptorType::STORAGE_TEXEL_BUFFER,
            Kind::Sampler { .. } => vk::DescriptorType::SAMPLER,
            Kind::LayoutOnly(descriptor, _) => *descriptor,
        }
    }
}

impl Resources {
    /// The descriptors of the entry points of one pipeline.
    ///
    /// # Errors
    /// A descriptor of a kind that is not run here; entry points that want one place for different things.
    pub fn of(entries: &[(&Module, &EntryPoint)]) -> Result<Resources, GpuError> {
        let resources = Resources::for_layout(entries)?;
        match resources.bindings.iter().find(|binding| matches!(binding.kind, Kind::LayoutOnly(..))) {
            Some(binding) => Err(binding.not_run()),
            None => Ok(resources),
        }
    }

    /// The same for a layout alone, which may have descriptors that a run cannot bind.
    ///
    /// # Errors
    /// A descriptor that no layout here has; entry points that want one place for different things.
    pub fn for_layout(entries: &[(&Module, &EntryPoint)]) -> Result<Resources, GpuError> {
        let mut found: BTreeMap<(u32, u32), Binding> = BTreeMap::new();
        let mut push: Option<PushConstants> = None;
        let mut uses = SamplerUses::default();
        for (module, entry) in entries {
            let stages = stage_flags(entry.stage);
            let used = module.ids_used_by(entry);
            for inst in module.globals() {
                let Some(id) = inst.result().filter(|_| inst.is_variable()) else { continue };
                let Some(pointee) = module.pointee(id).filter(|_| used.contains(&id)) else { continue };
                if let Some(
                    class @ (StorageClass::Uniform | StorageClass::StorageBuffer | StorageClass::UniformConstant),
                ) = StorageClass::from_u32(inst.word_at(3))
                {
                    merge(&mut found, binding(module, id, pointee, class, stages)?)?;
                }
            }
            PushBlock::of_entry(module, entry).into_iter().for_each(|block| merge_push(&mut push, block, stages));
            uses.add(module, entry);
        }
        // Of all stages together: they may have a sampler in common.
        entries.iter().for_each(|(module, entry)| uses.refine_samplers(module, entry, &mut found));
        found.iter_mut().for_each(|(place, binding)| uses.refine(*place, binding));
        Ok(Resources { bindings: found.into_values().collect(), push_constants: push })
    }

    /// These, and what else an application's layout has: bindings that no shader uses, longer arrays, dynamic offsets.
    ///
    /// Input attachments, acceleration structures and what is longer than is run here are left out: nothing uses them.
    pub fn with_application(mut self, all: &[Described]) -> Resources {
        let stages = self.bindings.iter().fold(vk::ShaderStageFlags::empty(), |all, one| all | one.stages);
        for one in all {
            let place = (one.set, one.binding);
            match self.bindings.iter_mut().find(|binding| (binding.set, binding.binding) == place) {
                Some(known) => {
                    known.count = known.count.max(one.count);
                    known.is_array |= one.count > 1;
                    known.dynamic = one.dynamic && matches!(known.kind, Kind::Uniform(_) | Kind::Storage(_));
                }
                None => {
                    let Some(kind) = one.kind.and_then(unused).filter(|_| one.count <= 16 && one.set < 8) else {
                        continue;
                    };
                    let (dynamic, is_array) = (one.dynamic, one.count > 1);
                    self.bindings.push(Binding {
                        set: one.set,
                        binding: one.binding,
                        variable: None,
                        kind,
                        count: one.count,
                        is_array,
                        stages,
                        writable: false,
                        dynamic,
                        compares: None,
                    });
                }
            }
        }
        self.bindings.sort_by_key(|binding| (binding.set, binding.binding));
        self
    }

    /// Makes every buffer of a kind dynamic.
    pub fn with_dynamic(mut self, uniform: bool, storage: bool) -> Resources {
        for binding in &mut self.bindings {
            binding.dynamic |= match binding.kind {
                Kind::Uniform(_) => uniform,
                Kind::Storage(_) => storage,
                _ => false,
            };
        }
        self
    }

    /// How many descriptors have an offset that is given when their set is bound.
    pub(crate) fn dynamic_descriptors(&self) -> usize {
        let all = self.bindings.iter().filter(|binding| binding.dynamic);
        all.map(|binding| binding.count as usize).fold(0, usize::saturating_add)
    }

    /// The push constants as a range.
    pub(crate) fn push_range(&self) -> Option<vk::PushConstantRange> {
        let push = self.push_constants.as_ref()?;
        let bytes = u32::try_from(push.block.bytes()).unwrap_or(u32::MAX);
        Some(vk::PushConstantRange::default().stage_flags(push.stages).size(bytes))
    }

    /// Whether a stage may write to a descriptor.
    pub fn writes(&self, stage: StageKind) -> bool {
        let flags = stage_flags(Some(stage));
        self.bindings.iter().any(|binding| binding.writable && binding.stages.contains(flags))
    }

    /// The inputs of a run, each with who decided it. `push` are the contents of the push constants.
    pub fn inputs(&self, inputs: &Inputs, push: &[u8]) -> Vec<InputRun> {
        let mut out = Vec::new();
        out.extend(self.push_constants.as_ref().map(|known| inputs.push_row(&known.block, push)));
        let row = |name: String, variable: &Option<String>, kind: &str, source| InputRun {
            name,
            variable: variable.clone(),
            kind: kind.to_owned(),
            source,
            from: None,
            members: Vec::new(),
        };
        // A size alone leaves the contents to the run.
        let contents = |set, binding, element| match inputs.given(set, binding, element) {
            Some(Content::Bytes(_) | Content::Image(_)) => 1,
            Some(Content::Size(_)) | None => 0,
        };
        for addressed in &inputs.addressed {
            let name = inputs.names.name(ADDRESS_SET, addressed.number, 0, false);
            let source = source_of(contents(ADDRESS_SET, addressed.number, 0), 1);
            out.push(row(name, &None, "buffer by address", source));
        }
        for Binding { set, binding, variable, kind, count, .. } in &self.bindings {
            let given: usize = match kind {
                Kind::LayoutOnly(..) => continue,
                Kind::Sampler { .. } if inputs.samplers.is_empty() && !inputs.spare => continue,
                Kind::Sampler { .. } => {
                    (0..*count).filter(|element| inputs.sampler(*set, *binding, *element).is_some()).count()
                }
                _ => (0..*count).map(|element| contents(*set, *binding, element)).sum(),
            };
            let about = kind.about();
            let about = about.strip_prefix("a ").unwrap_or(about);
            let name = inputs.names.name(*set, *binding, 0, false);
            out.push(row(name, variable, about, source_of(given, *count as usize)));
        }
        out
    }
}

/// What is at a binding that no shader uses.
fn unused(kind: ResourceKind) -> Option<Kind> {
    let image = |dim, format| ImageType {
        dim,
        depth: false,
        arrayed: false,
        multisampled: false,
        kind: ScalarKind::Float,
        format,
    };
    let plain = image(Dim::Dim2D, ImageFormat::Unknown);
    Some(match kind {
        ResourceKind::UniformBlock => Kind::Uniform(Shape::Words { count: 64 }),
        ResourceKind::StorageBlock => Kind::Storage(Shape::Words { count: 64 }),
        ResourceKind::Sampler => Kind::SAMPLER,
        ResourceKind::SampledImage => Kind::Sampled(plain),
        ResourceKind::CombinedImage => Kind::Combined(plain),
        ResourceKind::StorageImage => Kind::StorageImage(image(Dim::Dim2D, ImageFormat::R32f)),
        ResourceKind::UniformTexels => Kind::UniformTexel(image(Dim::DimBuffer, ImageFormat::Unknown)),
        ResourceKind::StorageTexels => Kind::StorageTexel(image(Dim::DimBuffer, ImageFormat::R32f)),
        ResourceKind::InputAttachment | ResourceKind::AccelerationStructure | ResourceKind::Other => return None,
    })
}

pub(crate) fn stage_flags(stage: Option<StageKind>) -> vk::ShaderStageFlags {
    match stage {
        Some(StageKind::Vertex) => vk::ShaderStageFlags::VERTEX,
        Some(StageKind::TessControl) => vk::ShaderStageFlags::TESSELLATION_CONTROL,
        Some(StageKind::TessEval) => vk::ShaderStageFlags::TESSELLATION_EVALUATION,
        Some(StageKind::Geometry) => vk::ShaderStageFlags::GEOMETRY,
        Some(StageKind::Fragment) => vk::ShaderStageFlags::FRAGMENT,
        Some(StageKind::Compute) => vk::ShaderStageFlags::COMPUTE,
        // The NV extension has the same bits.
        Some(StageKind::Task) => vk::ShaderStageFlags::TASK_EXT,
        Some(StageKind::Mesh) => vk::ShaderStageFlags::MESH_EXT,
        _ => vk::ShaderStageFlags::empty(),
    }
}

fn merge_push(push: &mut Option<PushConstants>, block: PushBlock, stages: vk::ShaderStageFlags) {
    match push {
        Some(known) => {
            known.stages |= stages;
            // Both stages see the same bytes; the longer block says what they are.
            if block.bytes() > known.block.bytes() {
                known.block = block;
            }
        }
        None => *push = Some(PushConstants { block, stages }),
    }
}

fn merge(found: &mut BTreeMap<(u32, u32), Binding>, binding: Binding) -> Result<(), GpuError> {
    let key = (binding.set, binding.binding);
    let Some(known) = found.get_mut(&key) else {
        found.insert(key, binding);
        return Ok(());
    };
    let place = format!("set {}, binding {}", binding.set, binding.binding);
    let combined = match (&known.kind, &binding.kind) {
        (Kind::Uniform(a), Kind::Uniform(b)) | (Kind::Storage(a), Kind::Storage(b)) => {
            // The same buffer seen with two types: the longer one says what its bytes are.
            let size = |shape: &Shape| (shape.bytes(), shape.open_end().is_some());
            if size(b) > size(a) { Some(binding.kind.clone()) } else { None }
        }
        (a, b) if a == b => None,
        (Kind::Sampled(image), Kind::Sampler { .. }) | (Kind::Sampler { .. }, Kind::Sampled(image)) => {
            Some(Kind::Combined(*image))
        }
        (Kind::Sampled(image), Kind::Sampled(other)) if image.without_depth() == other.without_depth() => {
            Some(Kind::Sampled(ImageType { depth: true, ..*image }))
        }
        (Kind::Sampled(image) | Kind::Combined(image), Kind::Sampled(other) | Kind::Combined(other))
            if image.without_depth() == other.without_depth() =>
        {
            Some(Kind::Combined(ImageType { depth: image.depth || other.depth, ..*image }))
        }
        (a, b) => {
            let message = format!("{place} is used both as {} and as {}", a.about(), b.about());
            return Err(GpuError::NotRun(message));
        }
    };
    if let Some(kind) = combined {
        known.kind = kind;
    }
    known.count = known.count.max(binding.count);
    known.is_array |= binding.is_array;
    known.stages |= binding.stages;
    known.writable |= binding.writable;
    Ok(())
}

fn binding(
    module: &Module,
    id: Id,
    pointee: Id,
    class: StorageClass,
    stages: vk::ShaderStageFlags,
) -> Result<Binding, GpuError> {
    let number = |kind| module.decoration(id, None, kind).unwrap_or(0);
    let (set, binding) = (number(Decoration::DescriptorSet), number(Decoration::Binding));
    let not_run = |what: String| not_run(set, binding, &what);
    let arrays = module.peeled(pointee).ok_or_else(|| not_run("an array of so many dimensions".to_owned()))?;
    // A length that no value is known of is one; one that is too long for any count is not cut to one that fits.
    let count = arrays.count(OPEN_DESCRIPTORS.into());
    let count = u32::try_from(count).map_err(|_| not_run(format!("an array of {count} descriptors")))?;
    let (ty, is_array) = (arrays.element, !arrays.dimensions.is_empty());
    let (kind, writable) = match class {
        StorageClass::UniformConstant => match (opaque(module, ty), layout_only(module, ty)) {
            (Ok(found), _) => found,
            (Err(what), Some(descriptor)) => (Kind::LayoutOnly(descriptor, what), false),
            (Err(what), None) => return Err(not_run(what)),
        },
        _ => {
            let storage =
                class == StorageClass::StorageBuffer || module.is_decorated(ty, None, Decoration::BufferBlock);
            let shape = Shape::of(module, ty);
            if storage {
                (Kind::Storage(shape), !all_members_read_only(module, ty))
            } else {
                (Kind::Uniform(shape), false)
            }
        }
    };
    let writable = writable && !module.is_decorated(id, None, Decoration::NonWritable);
    let variable = module.name(id).or_else(|| module.name(ty)).map(str::to_owned);
    Ok(Binding { set, binding, variable, kind, count, is_array, stages, writable, dynamic: false, compares: None })
}

fn not_run(set: u32, binding: u32, what: &str) -> GpuError {
    GpuError::NotRun(format!("set {set}, binding {binding}: {what} is not supported"))
}

fn all_members_read_only(module: &Module, block: Id) -> bool {
    let Some(Type::Struct { members }) = module.ty(block) else { return false };
    !members.is_empty()
        && (0..members.len() as u32).all(|member| module.is_decorated(block, Some(member), Decoration::NonWritable))
}

/// The variable that a loaded value comes from.
pub(super) fn root(module: &Module, value: Id) -> Option<Id> {
    let mut id = value;
    // Chains of chains are short; a broken module may go in a circle.
    for _ in 0..16 {
        let inst = module.def(id)?;
        match inst.op()? {
            Op::Variable => return Some(id),
            Op::Load | Op::CopyObject => id = inst.id_at(3),
            _ if inst.is_access_chain() => id = inst.id_at(3),
            _ => return None,
        }
    }
    None
}
