//! The interface between two stages, and the packing of it.

use std::collections::{BTreeMap, BTreeSet};

use super::assign::{self, Assigned, Entry, READ_STREAM};
use super::class::Class;
use super::interface::{Arrayed, Interface, Scalar, Variable};
use super::producer;
use super::written::{ReadBack, Stored, read_back, written};
use super::{
    At, AttributeBuiltIn, BuiltInSlot, Evaluated, Fallback, INNER, InterfaceScalar, Interpolation, Mapping, Missing,
    OutputMapping, PRODUCERS, Packing, Place, Saving, Slots, Span, Stored as StoredMap, Unpacked,
};
use crate::liveness::{LeafSet, Liveness, Stages, Uses};
use lanescope_base::ids::{Component, Location};
use lanescope_model::options::{Options, PackingOrder, ProducerChoice};
use lanescope_model::program::StageKind;
use lanescope_spirv::Type;
use lanescope_spirv::enums::{BuiltIn, ExecutionMode, StorageClass};

/// Declarations and uses of both sides of the interface: gathered once, packed any number of times.
pub struct Linkage {
    pub(super) consumer: Consumer,
    pub(super) producer: Option<Producer>,
    /// A geometry shader writes the inputs, whether or not it is looked at.
    pub(super) behind_geometry: bool,
    /// Of the interface to a tessellation evaluation shader: the part that there is one of for the patch.
    pub(super) per_patch: bool,
}

/// The stage that reads.
pub(super) struct Consumer {
    pub stage: StageKind,
    pub interface: Interface,
    pub uses: Uses,
    /// By variable: the leaves that are used.
    pub used: Vec<LeafSet>,
    pub builtins: Vec<(AttributeBuiltIn, u32)>,
    /// Number of clip and cull distances that it reads.
    distances: [u32; 2],
}

/// The stage before.
pub(super) struct Producer {
    pub stage: StageKind,
    pub interface: Interface,
    /// By variable.
    stores: Vec<Stored>,
    /// The vertex stream that is rasterised; 0 but for a geometry shader.
    pub raster_stream: u32,
    /// Places that it writes on that stream, ascending, each with whether it is one of a primitive.
    written: Vec<(Location, Component, bool)>,
    /// It writes for transform feedback.
    transform_feedback: bool,
    /// By variable: the leaves that it reads itself.
    read_back: Vec<ReadBack>,
    /// It writes PrimitiveId.
    pub primitive_id: bool,
}

impl Producer {
    /// The outputs of the first of these stages that was loaded.
    pub fn of(stages: &Stages<'_>, candidates: &[StageKind]) -> Option<Producer> {
        candidates.iter().find_map(|&stage| {
            let producer = stages.first(stage)?;
            let is_arrayed = matches!(stage, StageKind::Mesh | StageKind::TessControl);
            let arrayed = if is_arrayed { Arrayed::PerVertex } else { Arrayed::No };
            let interface = Interface::of(producer, StorageClass::Output, arrayed);
            let transform_feedback = producer.entry().mode(ExecutionMode::Xfb).is_some();
            let stores = written(producer, arrayed);
            let stores: Vec<Stored> =
                interface.variables.iter().map(|v| stores.get(&v.id).cloned().unwrap_or_default()).collect();
            let read_back = match stage {
                StageKind::TessControl => {
                    let read = read_back(producer, arrayed);
                    interface.variables.iter().map(|v| read.get(&v.id).cloned().unwrap_or_default()).collect()
                }
                _ => Vec::new(),
            };
            let primitive_id = interface.writes_built_in(producer, BuiltIn::PrimitiveId, &stores);
            let raster_stream = if stage == StageKind::Geometry { stages.program().raster_stream() } else { 0 };
            let mut producer = Producer {
                stage,
                interface,
                stores,
                raster_stream,
                written: Vec::new(),
                transform_feedback,
                read_back,
                primitive_id,
            };
            producer.find_written();
            Some(producer)
        })
    }

    /// Notes the places that are written.
    pub fn find_written(&mut self) {
        // A location that only gets undefined values is not exported.
        let undefined = producer::undefined_locations(self);
        let is_undefined = |scalar: &Scalar| undefined.binary_search(&(scalar.stream, scalar.place.location)).is_ok();
        let of_raster = self
            .stored()
            .filter(|scalar| scalar.stream == self.raster_stream && (self.reads_back(scalar) || !is_undefined(scalar)));
        let places = of_raster.map(|scalar| (scalar.place.location, scalar.place.component, scalar.per_primitive));
        let mut places = filled(self.interface.scalars.len(), places);
        places.sort_unstable();
        self.written = places;
    }

    /// The scalars that are stored to.
    pub fn stored(&self) -> impl Iterator<Item = &Scalar> {
        self.interface.scalars.iter().filter(|scalar| self.is_stored(scalar))
    }

    /// Whether it writes a place on the rasterised stream, of a vertex or of a primitive.
    pub fn writes(&self, location: Location, component: Component, per_primitive: bool) -> bool {
        self.written.binary_search(&(location, component, per_primitive)).is_ok()
    }

    /// Whether a scalar is stored to.
    pub fn is_stored(&self, scalar: &Scalar) -> bool {
        self.stores.get(scalar.variable).is_some_and(|stored| stored.any.contains(scalar.leaf))
    }

    /// Whether the stage reads a scalar itself.
    pub fn reads_back(&self, scalar: &Scalar) -> bool {
        self.read_back.get(scalar.variable).is_some_and(|read| read.any.contains(scalar.leaf))
    }

    /// Whether PrimitiveId of the fragment shader has a value: a mesh or geometry shader must write it, after the other
    /// stages the hardware counts primitives.
    pub fn numbers_primitives(&self) -> bool {
        self.primitive_id || !matches!(self.stage, StageKind::Geometry | StageKind::Mesh)
    }

    /// Whether a scalar's location is kept without a reader: it is of an array into which the stage indexes with a value
    /// known only at run time. Of the stages that other ones run for, each store is compiled where it stands; the other
    /// stages write all outputs where they end.
    pub fn is_indexed(&self, scalar: &Scalar) -> bool {
        let at = scalar.variable;
        matches!(self.stage, StageKind::TessControl | StageKind::Mesh)
            && !scalar.per_primitive
            && (self.stores.get(at).is_some_and(|stored| stored.indexed.contains(scalar.leaf))
                || self.read_back.get(at).is_some_and(|read| read.indexed.contains(scalar.leaf)))
    }

    /// Whether a scalar gets a defined value at least once.
    pub fn is_defined(&self, scalar: &Scalar) -> bool {
        self.stores.get(scalar.variable).is_some_and(|stored| stored.defined.contains(scalar.leaf))
    }
}

impl Consumer {
    pub fn of(stage: StageKind, live: &Liveness<'_>, interface: Interface) -> Consumer {
        let uses = of_one_vertex(live.uses(), &interface);
        let leaves = |variable: &Variable| uses.leaves.get(&variable.id).cloned().unwrap_or_default();
        let used = interface.variables.iter().map(leaves).collect();
        Consumer { stage, interface, uses, used, builtins: Vec::new(), distances: [0; 2] }
    }
}

impl Linkage {
    /// The program's interface to its fragment shader, with the loaded stage before it or without; absent where it has
    /// no fragment shader.
    pub fn of(stages: &Stages<'_>, choice: ProducerChoice) -> Option<Linkage> {
        let fragment = stages.first(StageKind::Fragment)?;
        let interface = Interface::of(fragment, StorageClass::Input, Arrayed::No);
        let (builtins, distances) = builtins(fragment, &interface);
        let candidates = if choice == ProducerChoice::Auto { &PRODUCERS[..] } else { &[] };
        let producer = Producer::of(stages, candidates);
        let behind_geometry =
            choice == ProducerChoice::Geometry || producer.as_ref().is_some_and(|p| p.stage == StageKind::Geometry);
        let consumer = Consumer { builtins, distances, ..Consumer::of(StageKind::Fragment, fragment, interface) };
        Some(Linkage { consumer, producer, behind_geometry, per_patch: false })
    }

    /// The interfaces to tessellation control and geometry shaders, where both sides were loaded.
    pub fn inner(stages: &Stages<'_>) -> Vec<Linkage> {
        let tessellates = stages.first(StageKind::TessControl).is_some();
        let linkage = |(stage, candidates): (StageKind, &[StageKind])| {
            // Most pipelines have neither stage: nothing is gathered of the one before then.
            let consumer = stages.first(stage)?;
            let producer = Producer::of(stages, candidates)?;
            // A vertex shader writes for one stage.
            if stage == StageKind::Geometry && producer.stage == StageKind::Vertex && tessellates {
                return None;
            }
            let mut interface = Interface::of(consumer, StorageClass::Input, Arrayed::PerVertex);
            for scalar in &mut interface.scalars {
                // Nothing interpolates on the way.
                (scalar.interpolation, scalar.centroid, scalar.sample) = (Interpolation::Uninterpolated, false, false);
            }
            let consumer = Consumer::of(stage, consumer, interface);
            Some(Linkage { consumer, producer: Some(producer), behind_geometry: false, per_patch: false })
        };
        INNER.into_iter().filter_map(linkage).collect()
    }

    /// The slots that the stage before the rasteriser exports where no fragment shader reads any: what transform
    /// feedback captures.
    pub fn captured_alone(stages: &Stages<'_>) -> u32 {
        let producer = Producer::of(stages, &PRODUCERS).filter(|producer| producer.transform_feedback);
        producer.map_or(0, |producer| {
            let kept = producer::outputs(&producer, &Assigned::default(), true).kept;
            producer::slots(producer.raster_stream, kept.iter())
        })
    }

    /// The interface as written, only renumbered, beside what it was packed to.
    pub fn unpacked(&self, packing: &Packing) -> Unpacked {
        if packing.fallback.is_some() {
            let places = packing.map.iter().map(|mapping| mapping.to).collect();
            return Unpacked { places, builtins: packing.builtins.clone(), captured: packing.captured_slots() };
        }
        let assigned = self.renumber();
        let captures = self.producer.as_ref().filter(|producer| producer.transform_feedback);
        let captured = captures.map_or(0, |producer| {
            let outputs = producer::outputs(producer, &assigned, false).kept;
            let unread = |output: &&OutputMapping| {
                !assigned.map.contains_key(&(READ_STREAM, output.from.location, output.from.component))
            };
            producer::slots(producer.raster_stream, outputs.iter().filter(unread))
        });
        // Packed outputs are renumbered too.
        let place = |Place { location, component, .. }| assigned.map.get(&(READ_STREAM, location, component)).copied();
        let places = packing.map.iter().map(|mapping| place(mapping.from).unwrap_or(mapping.to)).collect();
        Unpacked { places, builtins: self.builtin_slots(&assigned), captured }
    }

    /// Packs under the options' order, or only renumbers.
    pub fn pack(&self, options: &Options) -> Packing {
        let order = options.order;
        let fallback = self.fallback(options);
        let assigned = match fallback {
            None => self.with_per_primitive(assign::pack(&self.entries(), order)),
            Some(_) => self.renumber(),
        };
        let map = self.map(&assigned);
        let after = assigned.used(READ_STREAM);
        let builtins = self.builtin_slots(&assigned);
        let is_half = options.part_pipeline && self.is_to_fragment();
        let stored = is_half.then(|| StoredMap::of(&assigned, &builtins, self.consumer.distances));
        // The earlier part sees the arrays only; what was just stored reads back.
        let known = stored.as_ref().map(|stored| {
            let Assigned { reserved, per_primitive, between, .. } = assigned.clone();
            Assigned { reserved, per_primitive, between, ..stored.assigned().unwrap_or_default() }
        });
        let inputs = known.as_ref().unwrap_or(&assigned);
        let packs = fallback.is_none();
        let outputs = self.producer.as_ref().map(|p| producer::outputs(p, inputs, packs)).unwrap_or_default();
        let before = assigned.originals();
        let saving = match self.is_to_fragment() {
            true => Saving::of(assigned.of_vertices(), options.target),
            false => Saving::NONE,
        };
        Packing {
            producer: self.producer.as_ref().map(|p| p.stage),
            consumer: self.consumer.stage,
            order,
            spans: assigned.spans.iter().map(|span| self.span(span, &assigned, order)).collect(),
            dropped: outputs.dropped,
            missing: self.missing(&map),
            interface: self.scalars(),
            semantics: Vec::new(),
            output_linkage: None,
            builtins,
            outputs: outputs.kept,
            raster_stream: self.producer.as_ref().map_or(0, |producer| producer.raster_stream),
            exports: outputs.exports,
            slots: Slots { before, after, per_primitive: assigned.of_primitives() },
            saving,
            stored,
            fallback,
            per_patch: self.per_patch,
            map,
        }
    }

    pub(super) fn is_to_fragment(&self) -> bool {
        self.consumer.stage == StageKind::Fragment
    }

    fn fallback(&self, options: &Options) -> Option<Fallback> {
        if self.is_after_mesh() {
            return Some(Fallback::Mesh);
        }
        if self.consumer.stage == StageKind::TessEval {
            return Some(Fallback::Tessellation);
        }
        if options.no_pack {
            return Some(Fallback::Option);
        }
        // Transform feedback is done in software there.
        let captures = self.producer.as_ref().filter(|p| self.is_to_fragment() && p.transform_feedback);
        if options.target.ip().has_software_streamout
            && captures.is_some_and(|p| p.stage == StageKind::Geometry || options.part_pipeline)
        {
            return Some(Fallback::TransformFeedback);
        }
        let dynamic = !self.consumer.uses.dynamic.is_empty();
        (dynamic && self.gives_up_indexing(options.order)).then_some(Fallback::DynamicIndex)
    }

    /// Whether a mesh shader comes before: no other stage writes per-primitive inputs, so it does too where none was
    /// loaded.
    pub(super) fn is_after_mesh(&self) -> bool {
        match &self.producer {
            Some(producer) => producer.stage == StageKind::Mesh,
            None => self.used().any(|scalar| scalar.per_primitive),
        }
    }

    /// Whether one dynamic index ends the packing of the whole interface.
    pub(super) fn gives_up_indexing(&self, order: PackingOrder) -> bool {
        order == PackingOrder::DesignNote || self.consumer.stage == StageKind::TessControl
    }

    pub(super) fn is_used(&self, scalar: &Scalar) -> bool {
        self.consumer.used.get(scalar.variable).is_some_and(|leaves| leaves.contains(scalar.leaf))
    }

    pub(super) fn used(&self) -> impl Iterator<Item = &Scalar> {
        self.consumer.interface.scalars.iter().filter(|scalar| self.is_used(scalar))
    }

    fn entry(&self, scalar: &Scalar) -> Entry {
        // A geometry shader's outputs are dwords, so what reads them packs by dwords.
        let class = match self.is_to_fragment() {
            true => Class::of(scalar.bits, scalar.interpolation, self.behind_geometry),
            false => Class::DWORD,
        };
        Entry { stream: READ_STREAM, from: scalar.place, class }
    }

    pub(super) fn entries(&self) -> Vec<Entry> {
        let used = self.used().filter(|scalar| !scalar.per_primitive);
        filled(self.consumer.interface.scalars.len(), used.map(|scalar| self.entry(scalar)))
    }

    /// Only renumbers: per-vertex inputs, then per-primitive ones, with the locations that are kept though nothing reads
    /// them.
    pub(super) fn renumber(&self) -> Assigned {
        let mut entries = self.entries();
        let reserved: Vec<Entry> = self.reserved().filter(|s| !s.per_primitive).map(|s| self.entry(s)).collect();
        entries.extend(&reserved);
        let mut assigned = self.with_per_primitive(assign::renumber(&entries, 0));
        let read: BTreeSet<Place> = self.used().map(|scalar| scalar.place).collect();
        let reserved = self.reserved().map(|scalar| scalar.place).filter(|place| !read.contains(place));
        assigned.reserved = reserved.map(|place| (READ_STREAM, place.location, place.component)).collect();
        assigned.spans.retain(|span| read.contains(&span.from));
        assigned
    }

    /// Numbers the per-primitive inputs after the per-vertex ones, built-ins among them.
    fn with_per_primitive(&self, mut assigned: Assigned) -> Assigned {
        let scalars = self.used().chain(self.reserved()).filter(|scalar| scalar.per_primitive);
        let per_primitive: Vec<Entry> = scalars.map(|scalar| self.entry(scalar)).collect();
        if per_primitive.is_empty() {
            return assigned;
        }
        assigned.between = self.builtins_of_vertices();
        let after = assign::renumber(&per_primitive, assigned.locations(READ_STREAM) + assigned.between);
        assigned.per_primitive = after.map.keys().copied().collect();
        assigned.map.extend(after.map);
        assigned.spans.extend(after.spans);
        assigned
    }

    /// Scalars that take part in the numbering though the consumer does not read them. After a mesh shader, LLPC imports
    /// each input variable whole. What a stage indexes with a value known only at run time keeps its locations, as long
    /// as the consumer reads any input of that kind.
    fn reserved(&self) -> impl Iterator<Item = &Scalar> {
        let after_mesh = self.is_after_mesh();
        let is_read = |variable: usize| self.consumer.used.get(variable).is_some_and(|leaves| !leaves.is_empty());
        let inputs = self.consumer.interface.scalars.iter();
        let whole = inputs.filter(move |scalar| after_mesh && is_read(scalar.variable) && !self.is_used(scalar));
        let reads_any = self.used().any(|scalar| !scalar.per_primitive);
        let outputs = self
            .producer
            .iter()
            .filter(move |_| reads_any)
            .flat_map(|producer| producer.interface.scalars.iter().filter(|scalar| producer.is_indexed(scalar)));
        whole.chain(outputs)
    }

    fn map(&self, assigned: &Assigned) -> Vec<Mapping> {
        let mapping = |scalar: &Scalar| {
            let place = scalar.place;
            let to = *assigned.map.get(&(READ_STREAM, place.location, place.component))?;
            Some(Mapping {
                variable: scalar.name.clone(),
                variable_id: self.consumer.interface.variables[scalar.variable].id,
                part: scalar.part,
                from: place,
                to,
                bits: if self.entry(scalar).class.is_16 { 16 } else { 32 },
                interpolation: scalar.interpolation,
                at: self.evaluated(scalar),
                per_primitive: scalar.per_primitive,
                // Where no producer was loaded, it is not known which inputs are unwritten.
                written: self
                    .producer
                    .as_ref()
                    .is_none_or(|p| p.writes(place.location, place.component, scalar.per_primitive)),
            })
        };
        let mut out = filled(self.consumer.interface.scalars.len(), self.used().filter_map(mapping));
        out.sort_by_key(|mapping| mapping.from);
        out.dedup_by_key(|mapping| mapping.from);
        out
    }

    /// Everywhere that a scalar is evaluated: where its qualifier says for plain reads, and where functions say.
    fn evaluated(&self, scalar: &Scalar) -> Evaluated {
        let uses = &self.consumer.uses;
        let id = self.consumer.interface.variables[scalar.variable].id;
        let read = |sets: &BTreeMap<_, LeafSet>| sets.get(&id).is_some_and(|s| s.contains(scalar.leaf));
        // At a flat input `interpolateAt…` is a plain read.
        let interpolated = matches!(scalar.interpolation, Interpolation::Smooth | Interpolation::NoPerspective);
        let at_centroid = interpolated && read(&uses.at_centroid);
        // A sample that is named has an offset from the centre, computed.
        let at_offset = interpolated && (read(&uses.at_offset) || read(&uses.at_sample));
        let plain = !(at_centroid || at_offset) || read(&uses.plain) || uses.opaque.is_some();
        let qualifier = match () {
            () if scalar.sample => At::Sample,
            () if scalar.centroid => At::Centroid,
            () => At::Center,
        };
        let places = [(plain, qualifier), (at_centroid, At::Centroid), (at_offset, At::Offset)];
        let read = places.into_iter().filter(|(holds, _)| *holds && !scalar.interpolation.is_none());
        read.map(|(_, at)| at).collect()
    }

    fn missing(&self, map: &[Mapping]) -> Vec<Missing> {
        map.iter()
            .filter(|mapping| !mapping.written)
            .map(|mapping| Missing {
                variable: mapping.variable.clone(),
                variable_id: Some(mapping.variable_id),
                location: mapping.from.location,
                component: mapping.from.component,
            })
            .collect()
    }

    fn span(&self, span: &Entry, assigned: &Assigned, order: PackingOrder) -> Span {
        let class = match self.is_to_fragment() {
            true if assigned.is_of_primitive(span) => span.class.label_of_primitive(),
            true => span.class.label(),
            false => "dword",
        };
        Span {
            location: span.from.location,
            component: span.from.component,
            half_components: if span.class.is_16 { 1 } else { 2 },
            class: class.into(),
            key: span.class.key(order),
        }
    }

    /// Number of slots of built-ins that a mesh shader writes for each vertex; 0 after other stages.
    pub(super) fn builtins_of_vertices(&self) -> u32 {
        let of_vertices = self.consumer.builtins.iter().filter(|(built_in, _)| !self.is_of_primitive(*built_in));
        if self.is_after_mesh() { of_vertices.map(|(_, count)| count).sum() } else { 0 }
    }

    /// Whether a mesh shader writes a built-in for each primitive.
    fn is_of_primitive(&self, built_in: AttributeBuiltIn) -> bool {
        self.is_after_mesh() && built_in.is_of_primitive()
    }

    /// Built-ins follow the inputs that there is one of for each vertex, those of primitives the ones for each primitive.
    fn builtin_slots(&self, assigned: &Assigned) -> Vec<BuiltInSlot> {
        let written = |built_in| {
            built_in != AttributeBuiltIn::PrimitiveId || self.producer.as_ref().is_none_or(Producer::numbers_primitives)
        };
        let slots = |of_primitives: bool, first: u32| {
            let of = self.consumer.builtins.iter().filter(move |(of, _)| self.is_of_primitive(*of) == of_primitives);
            let each = of.flat_map(|&(built_in, count)| (0..count).map(move |_| built_in));
            let slot =
                move |(built_in, slot)| BuiltInSlot { built_in, location: Location(slot), written: written(built_in) };
            each.zip(first..).map(slot)
        };
        let end = assigned.locations(READ_STREAM);
        let of_vertices = if assigned.per_primitive.is_empty() { end } else { assigned.of_vertices()[1] };
        let after = end.max(of_vertices + self.builtins_of_vertices());
        slots(false, of_vertices).chain(slots(true, after)).collect()
    }

    /// Both sides' scalars, by place.
    fn scalars(&self) -> Vec<InterfaceScalar> {
        let inputs = self.consumer.interface.scalars.iter().map(|scalar| (scalar, None));
        let outputs = self.producer.iter().flat_map(|producer| {
            let of_raster = producer.interface.scalars.iter().filter(|scalar| scalar.stream == producer.raster_stream);
            of_raster.map(move |scalar| (scalar, Some(producer)))
        });
        let of_producer = self.producer.as_ref().map_or(0, |producer| producer.interface.scalars.len());
        let most = self.consumer.interface.scalars.len() + of_producer;
        let mut all: Vec<(&Scalar, Option<&Producer>)> = filled(most, inputs.chain(outputs));
        // At one place inputs stay before outputs.
        all.sort_by_key(|(scalar, _)| scalar.place);
        let row = |same: &[(&Scalar, Option<&Producer>)]| {
            let inputs = || same.iter().filter(|(_, producer)| producer.is_none()).map(|(scalar, _)| *scalar);
            let mut outputs = same.iter().filter_map(|(scalar, producer)| Some((*scalar, (*producer)?)));
            let (first, _) = same[0];
            InterfaceScalar {
                variable: first.name.clone(),
                input_id: inputs().next().map(|input| self.consumer.interface.variables[input.variable].id),
                output_id: outputs.clone().next().map(|(output, of)| of.interface.variables[output.variable].id),
                location: first.place.location,
                component: first.place.component,
                part: first.part,
                bits: first.bits,
                interpolation: match self.is_to_fragment() {
                    true => first.interpolation,
                    false => Interpolation::Uninterpolated,
                },
                used: inputs().any(|input| self.is_used(input)),
                // Where no producer was loaded, it is not known which inputs are unwritten.
                written: self.producer.is_none() || outputs.any(|(output, producer)| producer.is_stored(output)),
            }
        };
        all.chunk_by(|(a, _), (b, _)| a.place == b.place).map(row).collect()
    }
}

/// A list with a maximum length, allocated once.
pub(super) fn filled<T>(most: usize, items: impl Iterator<Item = T>) -> Vec<T> {
    let mut out = Vec::with_capacity(most);
    out.extend(items);
    out
}

/// Uses of a per-vertex input at any vertex count as uses of the one that the interface lists.
fn of_one_vertex(uses: &Uses, interface: &Interface) -> Uses {
    let mut uses = uses.clone();
    for variable in &interface.variables {
        let Some(leaves) = variable.per_vertex else { continue };
        if let Some(used) = uses.leaves.get_mut(&variable.id) {
            let mut folded = LeafSet::default();
            used.iter().for_each(|leaf| folded.insert(leaf % leaves));
            *used = folded;
        }
    }
    uses
}

/// Built-ins that the fragment shader reads as attributes, with the number of slots each takes, in slot order; and how
/// many clip and cull distances.
fn builtins(fragment: &Liveness<'_>, interface: &Interface) -> (Vec<(AttributeBuiltIn, u32)>, [u32; 2]) {
    let module = fragment.module();
    let built_ins = interface.built_ins(module);
    let read = |built_in: BuiltIn| {
        let (_, variable) = *built_ins.iter().find(|(number, _)| *number == built_in as u32)?;
        fragment.uses().leaves.contains_key(&variable.id).then_some(variable)
    };
    let count = |built_in| match read(built_in).and_then(|variable| module.ty(variable.ty)) {
        Some(Type::Array { length, .. }) => module.array_length(length).unwrap_or(0).min(8),
        Some(_) => 1,
        None => 0,
    };
    let plain = [
        (BuiltIn::PointCoord, AttributeBuiltIn::PointCoord),
        (BuiltIn::PrimitiveId, AttributeBuiltIn::PrimitiveId),
        (BuiltIn::Layer, AttributeBuiltIn::Layer),
        (BuiltIn::ViewportIndex, AttributeBuiltIn::ViewportIndex),
    ];
    let mut out: Vec<(AttributeBuiltIn, u32)> =
        plain.into_iter().filter(|(built_in, _)| read(*built_in).is_some()).map(|(_, slot)| (slot, 1)).collect();
    let distances = [count(BuiltIn::ClipDistance), count(BuiltIn::CullDistance)];
    let all: u32 = distances.iter().sum();
    if all > 0 {
        out.push((AttributeBuiltIn::ClipCullDistance, if all > 4 { 2 } else { 1 }));
    }
    (out, distances)
}
