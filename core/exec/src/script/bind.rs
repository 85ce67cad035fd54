//! What a pipeline binds, as the inputs of a run, and back.

use std::collections::BTreeMap;

use super::{Done, Execute, Runner, Stop, drawn_level};
use crate::gpu::{Declared, DescriptorOf, MAX_BUFFER};
use lanescope_amber::check::texels;
use lanescope_amber::script::pipeline::{
    BoundBuffer, BoundSampler, BufferRole, DescriptorKind, Pipeline, SamplerPlace,
};
use lanescope_run::inputs::{Content, Given, GivenSampler, InputSource, Inputs, PushBytes};
use lanescope_run::{Blob, Execution};

/// Set, binding and element of a descriptor.
type Place = (u32, u32, u32);

impl<'s, X: Execute> Runner<'s, X> {
    /// What a run of a pipeline takes: the buffers as they are, all else zero.
    pub(super) fn inputs(&mut self, line: u32, pipeline: &Pipeline) -> Done<Inputs, X> {
        let declared = self.execute.declared(&pipeline.name).map_err(|error| Stop::Run { line, error })?;
        self.check_bound(line, pipeline)?;
        self.check_samplers(pipeline, &declared)?;
        // A script may bind what a shader does not use.
        let mut out = Inputs { zeros: true, spare: true, ..Inputs::default() };
        for bound in &pipeline.buffers {
            match &bound.role {
                BufferRole::Descriptor { set, binding, sampler, .. } => {
                    let own = declared.iter().find(|own| (own.set, own.binding) == (*set, *binding));
                    check_kind(pipeline, bound, own).map_err(|what| Stop::Wrong { line: bound.line.0, what })?;
                    for (element, name) in (0..).zip(&bound.buffers) {
                        let content = self.content(bound, own, element, name)?;
                        let element = Some(element as u32);
                        // What no shader declares is not given.
                        out.buffers.extend(content.map(|content| Given {
                            set: *set,
                            binding: *binding,
                            element,
                            content,
                        }));
                    }
                    if let Some(sampler) = sampler {
                        let state = self.sampler(bound.line.0, sampler)?;
                        out.samplers.push(GivenSampler { set: *set, binding: *binding, element: None, state });
                    }
                }
                BufferRole::PushConstant => {
                    let declared = self.execute.push_constants(&pipeline.name);
                    let declared = declared.map_err(|error| Stop::Run { line, error })?;
                    let held = bound.buffers.first().and_then(|name| self.buffers.get(name.as_str()));
                    let bytes = held.map(|held| held.bytes.as_slice()).unwrap_or_default();
                    // What follows the block is pushed too, and no shader sees it.
                    let block = &bytes[..bytes.len().min(usize::try_from(declared).unwrap_or(usize::MAX))];
                    if !block.is_empty() {
                        self.give(bound.line.0, block.len())?;
                        out.push_constants.push(PushBytes { offset: 0, bytes: Blob(block.to_vec()) });
                    }
                }
                BufferRole::Argument { .. } => return Err(Stop::not_possible(bound.line.0, "BIND … KERNEL")),
                BufferRole::Color { .. } | BufferRole::DepthStencil | BufferRole::Resolve => {}
            }
        }
        self.samplers(pipeline, &mut out)?;
        Ok(out)
    }

    /// Refuses what no run takes.
    fn check_bound(&self, line: u32, pipeline: &Pipeline) -> Done<(), X> {
        if let Some(subgroup) = pipeline.subgroups.iter().find(|one| one.required_size.is_some()) {
            return Err(Stop::not_possible(subgroup.line.0, "REQUIRED_SIZE of SUBGROUP: a run chooses the size"));
        }
        if let Some(structure) = pipeline.structures.first() {
            return Err(Stop::not_possible(structure.line.0, "BIND ACCELERATION_STRUCTURE"));
        }
        if let Some(argument) = pipeline.arguments.first() {
            return Err(Stop::not_possible(argument.line.0, "SET KERNEL"));
        }
        let unknown = |name: &&String| !self.buffers.contains_key(name.as_str());
        match pipeline.buffers.iter().flat_map(|bound| &bound.buffers).find(unknown) {
            Some(name) => Err(Stop::not_possible(line, format!("no buffer `{name}`"))),
            None => Ok(()),
        }
    }

    /// Refuses samplers at what the shader declares as something else.
    fn check_samplers(&self, pipeline: &Pipeline, declared: &[Declared]) -> Done<(), X> {
        for bound in &pipeline.samplers {
            let line = bound.line.0;
            let SamplerPlace::Descriptor { set, binding } = bound.place else { continue };
            let own = declared.iter().find(|own| (own.set, own.binding) == (set, binding));
            let is_sampler = |of| matches!(of, DescriptorOf::Sampler | DescriptorOf::CombinedImageSampler);
            if let Some(own) = own.filter(|own| !is_sampler(own.of)) {
                let what = format!("BIND SAMPLER: the shader declares a {} at set {set}, binding {binding}", own.of);
                return Err(Stop::Wrong { line, what });
            }
        }
        Ok(())
    }

    /// Refuses a storage texel buffer of another format than the shader declares.
    fn check_format(&self, line: u32, name: &str, own: Option<&Declared>) -> Done<(), X> {
        let format = own.and_then(|own| own.format);
        let stated = self.script.buffer(name).and_then(|buffer| buffer.ty.format_name());
        match format.filter(|format| format.name() != stated.as_deref()) {
            None => Ok(()),
            Some(format) => {
                let stated = stated.unwrap_or_else(|| "no format".to_owned());
                let why = format!("storage_texel_buffer of {stated}: a run of this shader has texels of {format}");
                Err(Stop::not_possible(line, why))
            }
        }
    }

    /// The contents of a descriptor; none of one that no shader declares.
    fn content(
        &self,
        bound: &BoundBuffer,
        own: Option<&Declared>,
        element: usize,
        name: &str,
    ) -> Done<Option<Content>, X> {
        let line = bound.line.0;
        let BufferRole::Descriptor { kind, mip_level, .. } = &bound.role else {
            return Err(Stop::not_possible(line, "not a descriptor"));
        };
        let Some(held) = self.buffers.get(name) else {
            return Err(Stop::not_possible(line, format!("no buffer `{name}`")));
        };
        match kind {
            DescriptorKind::UniformTexelBuffer | DescriptorKind::StorageTexelBuffer => {
                let is_storage = *kind == DescriptorKind::StorageTexelBuffer;
                if is_storage {
                    self.check_format(line, name, own)?;
                }
                let texels = self.texel_buffer(line, name, held, is_storage)?;
                self.copied(line, own, texels)
            }
            DescriptorKind::StorageImage | DescriptorKind::SampledImage | DescriptorKind::CombinedImageSampler => {
                let is_storage = *kind == DescriptorKind::StorageImage;
                let texels = self.image(line, name, held, (mip_level.unwrap_or(0), is_storage))?;
                self.copied(line, own, texels)
            }
            _ => {
                let (begin, end) = range(bound, element, held.bytes.len());
                match held.bytes.get(begin..end) {
                    Some(part) if !part.is_empty() && own.is_none() => Ok(None),
                    Some(part) if part.len() as u64 > MAX_BUFFER => {
                        let why = format!("`{name}`: {} bytes; a descriptor has at most {MAX_BUFFER}", part.len());
                        Err(Stop::not_possible(line, why))
                    }
                    Some(part) if !part.is_empty() => {
                        self.give(line, part.len())?;
                        Ok(Some(Content::Bytes(Blob(part.to_vec()))))
                    }
                    _ => Err(Stop::not_possible(
                        line,
                        format!("bytes {begin} to {end} of `{name}`, which it does not have"),
                    )),
                }
            }
        }
    }

    /// Takes what a run has left in buffers, images and attachments.
    pub(super) fn take(
        &mut self,
        line: u32,
        pipeline: &Pipeline,
        before: &Inputs,
        execution: &Execution,
    ) -> Done<(), X> {
        let run = &execution.run;
        // What a script does not bind has no contents that it states.
        if let Some(input) = run.inputs.iter().find(|input| is_unstated(&input.name, input.source)) {
            return Err(Stop::not_possible(line, format!("RUN: nothing is bound to {}", input.name)));
        }
        if let Some(left) = run
            .described
            .as_ref()
            .and_then(|described| described.left.iter().find(|left| !left.ends_with("vertices are given")))
        {
            return Err(Stop::not_possible(line, format!("RUN: {left}")));
        }
        let buffers = run.buffers.iter().map(|one| ((one.set, one.binding, one.element), one.name.as_str()));
        let images = run.images.iter().map(|one| ((one.set, one.binding, one.element), one.name.as_str()));
        let written: BTreeMap<Place, &[u8]> = buffers
            .chain(images)
            .filter_map(|(place, name)| Some((place, execution.data.get(name)?.0.as_slice())))
            .collect();
        let places = places(pipeline);
        for (place, bytes) in &written {
            let Some((bound, name)) = places.get(place) else {
                let (set, binding, _) = place;
                return Err(Stop::not_possible(line, format!("RUN: nothing is bound to set {set} binding {binding}")));
            };
            let given = before.given(place.0, place.1, place.2);
            let old = match given {
                Some(Content::Bytes(Blob(bytes))) => bytes.as_slice(),
                Some(Content::Image(image)) => image.texels.0.as_slice(),
                _ => continue,
            };
            if old == *bytes {
                continue;
            }
            let uses = pipeline.buffers.iter().flat_map(|bound| &bound.buffers).filter(|own| own == name).count();
            if uses > 1 {
                let why = format!(
                    "RUN: `{name}` is bound at {uses} places and written; each place of a run has its own contents"
                );
                return Err(Stop::not_possible(line, why));
            }
            let element = place.2 as usize;
            let Some(held) = self.buffers.get_mut(name.as_str()) else { continue };
            let (begin, level) = match bound.role {
                BufferRole::Descriptor { kind, .. } if kind.is_plain() => {
                    (range(bound, element, held.bytes.len()).0, 0)
                }
                BufferRole::Descriptor { mip_level, .. } => (0, mip_level.unwrap_or(0)),
                _ => (0, 0),
            };
            let Some(place) = held.level_mut(level).and_then(|bytes| bytes.get_mut(begin..)) else { continue };
            let count = place.len().min(bytes.len());
            place[..count].copy_from_slice(&bytes[..count]);
        }
        self.take_attachments(line, pipeline, execution)
    }

    fn take_attachments(&mut self, line: u32, pipeline: &Pipeline, execution: &Execution) -> Done<(), X> {
        for bound in &pipeline.buffers {
            let wanted = match bound.role {
                BufferRole::Color { location, .. } => Some(location),
                BufferRole::DepthStencil => None,
                _ => continue,
            };
            let attachment = execution.run.attachments.iter().find(|one| one.location == wanted);
            // An output that no fragment has leaves its attachment as it is; so does a depth that nothing writes.
            let Some(attachment) = attachment else { continue };
            let Some(name) = bound.buffers.first() else { continue };
            let Some(format) = &self.script.buffer(name).and_then(|buffer| buffer.ty.image_format()) else {
                return Err(Stop::not_possible(bound.line.0, format!("attachment `{name}`: it has no format")));
            };
            let words = execution.data.get(&attachment.name).map(|blob| blob.0.as_slice()).unwrap_or_default();
            let texels = words.as_chunks::<16>().0.iter().map(|texel| {
                let word = |at: usize| u32::from_le_bytes([texel[at], texel[at + 1], texel[at + 2], texel[at + 3]]);
                texels::bytes([word(0), word(4), word(8), word(12)], format)
            });
            let texels: Option<Vec<Vec<u8>>> = texels.collect();
            let level = drawn_level(&bound.role).unwrap_or(0);
            let Some(held) = self.buffers.get_mut(name.as_str()).and_then(|held| held.level_mut(level)) else {
                continue;
            };
            match texels.map(|texels| texels.concat()) {
                Some(bytes) if bytes.len() == held.len() => *held = bytes,
                _ => return Err(Stop::not_possible(line, format!("an attachment of format {format}"))),
            }
        }
        Ok(())
    }
}

/// Refuses a descriptor of another kind than the shader declares at its place.
fn check_kind(pipeline: &Pipeline, bound: &BoundBuffer, own: Option<&Declared>) -> Result<(), String> {
    let (BufferRole::Descriptor { kind, set, binding, .. }, Some(own)) = (&bound.role, own) else { return Ok(()) };
    let is_sampler = |one: &BoundSampler| one.place == SamplerPlace::Descriptor { set: *set, binding: *binding };
    let fits = match (kind, own.of) {
        // Two variables at one place.
        (DescriptorKind::SampledImage, DescriptorOf::CombinedImageSampler) => pipeline.samplers.iter().any(is_sampler),
        (kind, of) => descriptor_of(*kind) == of,
    };
    match fits {
        true => Ok(()),
        false => {
            let names = bound.buffers.join(" ");
            Err(format!(
                "BIND BUFFER {names} AS {kind}: the shader declares a {} at set {set}, binding {binding}",
                own.of
            ))
        }
    }
}

/// What a kind of descriptor is of.
fn descriptor_of(kind: DescriptorKind) -> DescriptorOf {
    match kind {
        DescriptorKind::Uniform | DescriptorKind::UniformDynamic => DescriptorOf::UniformBuffer,
        DescriptorKind::Storage | DescriptorKind::StorageDynamic => DescriptorOf::StorageBuffer,
        DescriptorKind::StorageImage => DescriptorOf::StorageImage,
        DescriptorKind::SampledImage => DescriptorOf::SampledImage,
        DescriptorKind::CombinedImageSampler => DescriptorOf::CombinedImageSampler,
        DescriptorKind::UniformTexelBuffer => DescriptorOf::UniformTexelBuffer,
        DescriptorKind::StorageTexelBuffer => DescriptorOf::StorageTexelBuffer,
    }
}

/// Whether a row of a run's inputs is of something that the script should have bound. A part that is filled is past the
/// end of what it bound.
fn is_unstated(name: &str, source: InputSource) -> bool {
    source != InputSource::Given && !["vertices", "draw"].contains(&name)
}

/// The first byte of a descriptor in its buffer, and the byte after it.
fn range(bound: &BoundBuffer, element: usize, size: usize) -> (usize, usize) {
    let BufferRole::Descriptor { dynamic_offsets, offsets, ranges, .. } = &bound.role else { return (0, size) };
    let dynamic = u64::from(dynamic_offsets.get(element).copied().unwrap_or(0));
    let begin = dynamic.saturating_add(offsets.get(element).copied().unwrap_or(0));
    let end = ranges.get(element).map_or(size as u64, |range| begin.saturating_add(*range));
    (usize::try_from(begin).unwrap_or(usize::MAX), usize::try_from(end).unwrap_or(usize::MAX))
}

/// The buffer of each descriptor.
fn places(pipeline: &Pipeline) -> BTreeMap<Place, (&BoundBuffer, &String)> {
    let mut out = BTreeMap::new();
    for bound in &pipeline.buffers {
        if let BufferRole::Descriptor { set, binding, .. } = &bound.role {
            for (element, name) in (0..).zip(&bound.buffers) {
                out.insert((*set, *binding, element), (bound, name));
            }
        }
    }
    out
}
