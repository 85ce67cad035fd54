//! The objects that pipelines refer to: layouts, samplers, render passes.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Seek};

use super::database::{Database, Object};
use super::index::Place;
use super::member::Members;
use super::pnext::{self, Chain};
use super::{Key, Tag, module};
use crate::Fault;
use crate::findings;
use crate::layout::{Binding, DescriptorSet, Layout, PushConstantRange, Sampler, StageMask};
use crate::notes::Notes;
use crate::state::{Attachments, ColorAttachment};
use crate::vulkan::{AddressMode, BorderColor, CompareOp, DescriptorType, Filter, MipmapMode, VkFormat};
use lanescope_base::ids::Hex;

const MAX_BINDINGS: usize = 4096;
const MAX_SETS: usize = 32;
const MAX_RANGES: usize = 64;
const MAX_ATTACHMENTS: usize = 64;
/// Bytes that all objects of a pipeline may have, inflated, however few they are in the file.
const ALWAYS: u64 = 64 << 20;
/// How many bytes more they may have for each byte in the file: modules deflate to a tenth, and many stages may name
/// one.
const INFLATION: u64 = 2048;
/// Immutable samplers that are read of one layout, over all its bindings.
const MAX_SAMPLERS: usize = 4096;

/// The objects that one pipeline refers to: samplers and set layouts are read once each, however often they are named,
/// and all together have no more bytes than one pipeline may have.
pub struct Objects<'d, R> {
    database: &'d Database<R>,
    /// Bytes that all together may have, inflated, and those that were read.
    bytes: u64,
    taken: u64,
    /// Bytes of the objects that were read, as stored in the file, each counted once.
    stored: u64,
    /// Where those lie.
    known: BTreeSet<(u8, u64)>,
    samplers: BTreeMap<u64, Sampler>,
    /// As set 0; none where one cannot be read.
    sets: BTreeMap<u64, Option<DescriptorSet>>,
}

impl<'d, R: Read + Seek> Objects<'d, R> {
    /// Nothing is read yet of that many bytes.
    pub fn of(database: &'d Database<R>, bytes: u64) -> Objects<'d, R> {
        Objects {
            database,
            bytes,
            taken: 0,
            stored: 0,
            known: BTreeSet::new(),
            samplers: BTreeMap::new(),
            sets: BTreeMap::new(),
        }
    }

    /// An object.
    ///
    /// # Errors
    /// One that cannot be read, or for which nothing is left.
    pub fn read(&mut self, place: &Place, notes: &mut Notes<'_>) -> Result<Object, Fault> {
        let [stored, bytes] = self.database.sizes(place).map_or([0, 0], |sizes| sizes.map(u64::from));
        if self.known.insert((place.file, place.at)) {
            self.stored += stored;
        }
        self.charge(place, bytes)?;
        self.database.object(place, notes)
    }

    /// The words of a shader module.
    ///
    /// # Errors
    /// One that cannot be read, or for which nothing is left.
    pub fn words(&mut self, place: &Place) -> Result<Vec<u32>, Fault> {
        // Oddities of a module's own entry are reported where it is listed.
        let object = self.read(place, &mut Notes::of(""))?;
        let words = module::words(&object)?;
        self.charge(place, 4 * words.len() as u64)?;
        Ok(words)
    }

    /// Counts bytes that an object takes.
    fn charge(&mut self, place: &Place, bytes: u64) -> Result<(), Fault> {
        let most = self.bytes.min(ALWAYS + INFLATION * self.stored);
        self.taken += bytes;
        if self.taken <= most {
            return Ok(());
        }
        self.taken -= bytes;
        let message =
            format!("an object of {bytes} bytes exceeds the limit of {most} bytes for all objects of a pipeline");
        Err(Fault { rule: findings::FOZ_SIZE_LIMIT, place: self.database.name(place), message })
    }

    /// Fetches an object that another one refers to; what is missing or broken is a finding.
    pub fn fetch(&mut self, tag: Tag, key: Key, by: &str, notes: &mut Notes<'_>) -> Option<Object> {
        let Some(place) = self.database.find(tag, key.0) else {
            notes.add_at(findings::FOZ_MISSING_REF, by, format!("{tag} {key} is not in the database"));
            return None;
        };
        match self.read(place, notes) {
            Ok(object) => Some(object),
            Err(fault) => {
                notes.add_at(fault.rule, &fault.place, fault.message);
                None
            }
        }
    }

    /// The layout of a set.
    fn set_layout(&mut self, set: u32, key: Key, by: &str, notes: &mut Notes<'_>) -> Option<DescriptorSet> {
        if !self.sets.contains_key(&key.0) {
            let read = set_layout(self, key, by, notes);
            self.sets.insert(key.0, read);
        }
        let known = self.sets.get(&key.0)?.clone()?;
        Some(DescriptorSet { set, ..known })
    }

    fn sampler(&mut self, key: Key, by: &str, notes: &mut Notes<'_>) -> Sampler {
        if let Some(known) = self.samplers.get(&key.0) {
            return known.clone();
        }
        let read = sampler(self, key, by, notes);
        self.samplers.insert(key.0, read.clone());
        read
    }
}

/// A pipeline layout with its set layouts and their samplers.
pub fn layout<R: Read + Seek>(objects: &mut Objects<'_, R>, key: Key, by: &str, notes: &mut Notes<'_>) -> Layout {
    let mut out = Layout { from: Some(format!("pipeline layout {key}")), ..Layout::default() };
    let Some(object) = objects.fetch(Tag::PipelineLayout, key, by, notes) else { return out };
    let members = Members::of(&object.json, &object.name);
    for range in members.objects("pushConstantRanges", MAX_RANGES, notes) {
        out.push_constants.push(PushConstantRange {
            stages: StageMask::of_vulkan(range.word("stageFlags", notes).unwrap_or(0)),
            offset: range.word("offset", notes).unwrap_or(0),
            size: range.word("size", notes).unwrap_or(0),
        });
    }
    for (set, key) in (0u32..).zip(members.keys("setLayouts", MAX_SETS, notes)) {
        // A null layout is a gap.
        let Some(key) = key else { continue };
        if let Some(found) = objects.set_layout(set, key, &object.name, notes) {
            out.sets.push(found);
        }
    }
    out
}

fn set_layout<R: Read + Seek>(
    objects: &mut Objects<'_, R>,
    key: Key,
    by: &str,
    notes: &mut Notes<'_>,
) -> Option<DescriptorSet> {
    let object = objects.fetch(Tag::SetLayout, key, by, notes)?;
    let members = Members::of(&object.json, &object.name);
    let mut samplers_left = MAX_SAMPLERS;
    let mut bindings = Vec::new();
    let chain = Chain::of(&members, notes);
    let flags =
        chain.get(pnext::BINDING_FLAGS).map(|next| next.words("bindingFlags", MAX_BINDINGS, notes)).unwrap_or_default();
    let lists =
        chain.get(pnext::MUTABLE_TYPES).map(|next| next.list("mutableDescriptorTypeLists", MAX_BINDINGS, notes));
    for (at, binding) in members.objects("bindings", MAX_BINDINGS, notes).into_iter().enumerate() {
        let keys = binding.keys("immutableSamplers", samplers_left, notes);
        samplers_left = samplers_left.saturating_sub(keys.len());
        let immutable_samplers = keys
            .into_iter()
            .map(|key| match key {
                Some(key) => objects.sampler(key, &object.name, notes),
                None => Sampler::default(),
            })
            .collect();
        let mutable_types = lists.and_then(|lists| lists.get(at)).map(|list| match list {
            super::json::Json::List(types) => types
                .iter()
                .filter_map(|ty| match ty {
                    super::json::Json::Unsigned(ty) => i32::try_from(*ty).ok().map(DescriptorType),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        });
        bindings.push(Binding {
            binding: binding.word("binding", notes).unwrap_or(0),
            ty: DescriptorType(binding.value("descriptorType", notes).unwrap_or(0)),
            count: binding.word("descriptorCount", notes).unwrap_or(0),
            stages: StageMask::of_vulkan(binding.word("stageFlags", notes).unwrap_or(0)),
            flags: flags.get(at).copied().unwrap_or(0),
            immutable_samplers,
            mutable_types: mutable_types.unwrap_or_default(),
        });
    }
    bindings.sort_by_key(|binding| binding.binding);
    chain.keep_others(&object.name, notes);
    let flags = members.word("flags", notes).unwrap_or(0);
    Some(DescriptorSet { set: 0, hash: Some(Hex(key.0)), flags, bindings })
}

fn sampler<R: Read + Seek>(objects: &mut Objects<'_, R>, key: Key, by: &str, notes: &mut Notes<'_>) -> Sampler {
    let mut out = Sampler { hash: Hex(key.0), ..Sampler::default() };
    let Some(object) = objects.fetch(Tag::Sampler, key, by, notes) else { return out };
    let members = Members::of(&object.json, &object.name);
    let mut value = |member| members.value(member, notes);
    out.filter = value("magFilter").zip(value("minFilter")).map(|(mag, min)| [Filter(mag), Filter(min)]);
    out.mipmap = value("mipmapMode").map(MipmapMode);
    let axes = [value("addressModeU"), value("addressModeV"), value("addressModeW")];
    if let [Some(u), Some(v), Some(w)] = axes {
        out.address = Some([u, v, w].map(AddressMode));
    }
    out.border = value("borderColor").map(BorderColor);
    let compares = members.switch("compareEnable", notes) == Some(true);
    out.compare = members.value("compareOp", notes).filter(|_| compares).map(CompareOp);
    let is_anisotropic = members.switch("anisotropyEnable", notes) == Some(true);
    out.anisotropy = members.float("maxAnisotropy", notes).filter(|_| is_anisotropic);
    let mut float = |member| members.float(member, notes);
    if let (Some(bias), Some(low), Some(high)) = (float("mipLodBias"), float("minLod"), float("maxLod")) {
        out.lod = Some([bias, low, high]);
    }
    out.unnormalized = members.switch("unnormalizedCoordinates", notes) == Some(true);
    Chain::of(&members, notes).keep_others(&object.name, notes);
    out
}

/// The attachments of a render pass's subpass.
pub fn attachments<R: Read + Seek>(
    objects: &mut Objects<'_, R>,
    key: Key,
    subpass: u32,
    by: &str,
    notes: &mut Notes<'_>,
) -> Option<Attachments> {
    let object = objects.fetch(Tag::RenderPass, key, by, notes)?;
    let members = Members::of(&object.json, &object.name);
    let formats: Vec<Option<VkFormat>> = members
        .objects("attachments", MAX_ATTACHMENTS, notes)
        .iter()
        .map(|attachment| attachment.value("format", notes).map(VkFormat))
        .collect();
    let format_of = |reference: &Members<'_>, notes: &mut Notes<'_>| {
        let index = reference.number("attachment", notes)?;
        if index == u64::from(u32::MAX) {
            return Some(VkFormat::default());
        }
        let found = usize::try_from(index).ok().and_then(|index| formats.get(index).copied().flatten());
        if found.is_none() {
            let message =
                format!("the subpass refers to attachment {index}, but the render pass has {}", formats.len());
            notes.add_at(findings::FOZ_JSON_TYPE, &object.name, message);
        }
        found
    };
    let subpasses = members.objects("subpasses", 4096, notes);
    let Some(of) = subpasses.get(subpass as usize) else {
        let message = format!("the pipeline uses subpass {subpass} of {key}, which has {}", subpasses.len());
        notes.add_at(findings::FOZ_MISSING_REF, by, message);
        return None;
    };
    let mut colors = Vec::new();
    for (location, reference) in (0u32..).zip(of.objects("colorAttachments", MAX_ATTACHMENTS, notes)) {
        let format = format_of(&reference, notes);
        colors.push(ColorAttachment {
            location,
            format,
            write_mask: 15,
            blend: false,
            blends_by_alpha: false,
            equation: None,
        });
    }
    let depth_stencil = of.object("depthStencilAttachment", notes).and_then(|r| format_of(&r, notes));
    let depth_stencil = depth_stencil.filter(|format| *format != VkFormat::default());
    let name = depth_stencil.and_then(VkFormat::name).unwrap_or_default();
    let view_mask = of.word("viewMask", notes).or_else(|| {
        let next = Chain::of(&members, notes);
        next.get(pnext::MULTIVIEW)?.words("viewMasks", 4096, notes).get(subpass as usize).copied()
    });
    Some(Attachments {
        from: format!("render pass {key}, subpass {subpass}"),
        colors,
        depth: depth_stencil.filter(|_| name.contains('D')),
        stencil: depth_stencil.filter(|_| name.contains("S8")),
        view_mask: view_mask.filter(|mask| *mask != 0),
        ..Attachments::default()
    })
}
