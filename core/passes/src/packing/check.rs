//! What is wrong with an interface between two stages, or costs more than it seems to.

use std::collections::BTreeMap;

use super::class::Class;
use super::interface::{MAX_LOCATIONS, Scalar};
use super::link::{Linkage, filled};
use super::{AttributeBuiltIn, Interpolation, Missing, Packing, Place};
use crate::findings::{self, Finding};
use lanescope_base::ids::Location;
use lanescope_model::options::Options;
use lanescope_model::program::StageKind;

impl Linkage {
    /// Findings about the interface itself.
    pub fn findings(&self, options: &Options, packing: &Packing) -> Vec<Finding> {
        let mut out = Vec::new();
        let reader = self.consumer.stage;
        let sides = std::iter::once((reader, &self.consumer.interface))
            .chain(self.producer.as_ref().map(|p| (p.stage, &p.interface)));
        for (stage, interface) in sides {
            for variable in interface.variables.iter().filter(|v| v.beyond.is_some()) {
                let location = variable.beyond.unwrap_or_default();
                let message = format!("location {location} is used, expected at most {}", MAX_LOCATIONS - 1);
                out.push(findings::LOCATION_LIMIT.at(
                    Some(stage),
                    Some(findings::Place::variable(format!("%{}", variable.id))),
                    message,
                ));
            }
        }
        // One finding for each variable and location: its components are missing together.
        for missing in packing.missing.chunk_by(|a, b| (&a.variable, a.location) == (&b.variable, b.location)) {
            let Some(first) = missing.first() else { continue };
            let place = findings::Place::Slot {
                variable: Some(first.variable.to_string()),
                location: first.location,
                components: missing.iter().map(|scalar| scalar.component).collect(),
            };
            let message = self.unwritten(first);
            out.push(findings::INPUT_NOT_WRITTEN.at(Some(reader), Some(place), message));
        }
        out.extend(self.primitive_id());
        out.extend(self.aliased());
        out.extend(self.mixed());
        out.extend(self.indexed(options, packing));
        if let Some(inst) = self.consumer.uses.opaque {
            let message = "an instruction that is not in the grammar may read any input, so all inputs count as used";
            out.push(findings::OPAQUE_USE.at(Some(reader), Some(findings::Place::instruction(inst.0)), message));
        }
        out.extend(self.mismatched());
        out
    }

    /// Why an input has no defined value.
    fn unwritten(&self, input: &Missing) -> String {
        let reader = self.consumer.stage;
        let Some(producer) = &self.producer else {
            return format!("read by the {reader} shader, never written: its value is undefined");
        };
        let stage = producer.stage;
        let mut outputs = producer.stored().filter(|scalar| scalar.stream == producer.raster_stream);
        let same =
            outputs.find(|scalar| (scalar.place.location, scalar.place.component) == (input.location, input.component));
        let of = |per_primitive: bool| if per_primitive { "per primitive" } else { "per vertex" };
        let read = self
            .used()
            .find(|scalar| (scalar.place.location, scalar.place.component) == (input.location, input.component));
        match (same, read) {
            (Some(output), Some(read)) if output.per_primitive != read.per_primitive => format!(
                "read {} by the {reader} shader, written {} by the {stage} shader: the two do not match, so its value \
                 is undefined",
                of(read.per_primitive),
                of(output.per_primitive)
            ),
            _ => format!("read by the {reader} shader, never written by the {stage} shader: its value is undefined"),
        }
    }

    /// PrimitiveId, which mesh and geometry shaders must write where the fragment shader reads it. After the other
    /// stages the hardware counts primitives.
    fn primitive_id(&self) -> Option<Finding> {
        let producer = self.producer.as_ref().filter(|producer| !producer.numbers_primitives())?;
        let mut read = self.consumer.builtins.iter();
        read.find(|(built_in, _)| *built_in == AttributeBuiltIn::PrimitiveId)?;
        let (reader, stage) = (self.consumer.stage, producer.stage);
        let message =
            format!("read by the {reader} shader, never written by the {stage} shader: its value is undefined");
        let place = findings::Place::BuiltIn { name: "PrimitiveId".to_owned() };
        Some(findings::INPUT_NOT_WRITTEN.at(Some(reader), Some(place), message))
    }

    /// Inputs and outputs that are indexed with a value known only at run time.
    fn indexed(&self, options: &Options, packing: &Packing) -> Vec<Finding> {
        let reader = self.consumer.stage;
        // Where nothing is packed, an index changes nothing.
        let packs = reader != StageKind::TessEval;
        let inputs = self.consumer.uses.dynamic.iter().filter(|_| packs).map(|&variable| {
            let effect = match packing.fallback {
                _ if self.gives_up_indexing(options.order) => "so locations are only renumbered",
                Some(_) => "so all of it counts as used",
                None => "so all of it counts as used; the rest is packed as usual",
            };
            let message = format!("input is indexed with a value known only at run time, {effect}");
            findings::DYNAMIC_INDEX.at(Some(reader), Some(findings::Place::variable(self.name_of(variable))), message)
        });
        let mut out: Vec<Finding> = inputs.collect();
        let Some(producer) = self.producer.as_ref().filter(|_| self.used().any(|s| !s.per_primitive)) else {
            return out;
        };
        for kept in kept_of_arrays(&producer.interface.scalars, |scalar| producer.is_indexed(scalar)) {
            let kept_locations = match kept.part {
                None => "all its locations are".to_owned(),
                Some([first, last]) if first == last => format!("the locations of {first} are"),
                Some([first, last]) => format!("the locations from {first} to {last} are"),
            };
            let message =
                format!("output is indexed with a value known only at run time, so {kept_locations} kept, read or not");
            let place = findings::Place::variable(kept.array);
            out.push(findings::DYNAMIC_INDEX.at(Some(producer.stage), Some(place), message));
        }
        out
    }

    /// Locations that are read with more than one way of interpolation: a slot has one.
    fn mixed(&self) -> Vec<Finding> {
        if !self.is_to_fragment() {
            return Vec::new();
        }
        let way = |scalar: &Scalar| match scalar.interpolation {
            Interpolation::Flat => "flat",
            Interpolation::Custom => "per vertex",
            _ => "interpolated",
        };
        let mut by_location: BTreeMap<Location, BTreeMap<&str, Vec<&str>>> = BTreeMap::new();
        for scalar in self.used().filter(|scalar| !scalar.per_primitive) {
            let names = by_location.entry(scalar.place.location).or_default().entry(way(scalar)).or_default();
            if names.last() != Some(&&*scalar.name) {
                names.push(&scalar.name);
            }
        }
        let mixed = by_location.into_iter().filter(|(_, ways)| ways.len() > 1);
        let finding = |(location, ways): (Location, BTreeMap<&str, Vec<&str>>)| {
            let ways: Vec<String> = ways.iter().map(|(way, names)| format!("{way} ({})", names.join(", "))).collect();
            let message = format!("read {}: the hardware reads a location in one way", ways.join(" and "));
            let place = findings::Place::Slot { variable: None, location, components: Vec::new() };
            findings::MIXED_INTERPOLATION.at(Some(self.consumer.stage), Some(place), message)
        };
        mixed.map(finding).collect()
    }

    fn name_of(&self, variable: lanescope_base::ids::Id) -> String {
        let interface = &self.consumer.interface;
        let scalar = interface.scalars.iter().find(|s| interface.variables[s.variable].id == variable);
        scalar.map_or_else(|| format!("%{variable}"), |scalar| scalar.variable_name().to_owned())
    }

    fn aliased(&self) -> Vec<Finding> {
        let mut classes: Vec<(Place, Class)> = self.entries().iter().map(|entry| (entry.from, entry.class)).collect();
        classes.sort_unstable();
        classes.dedup();
        classes
            .chunk_by(|a, b| a.0 == b.0)
            .filter(|same| same.len() > 1)
            .map(|same| {
                let labels: Vec<&str> = same.iter().map(|(_, class)| class.label()).collect();
                let Place { location, component, .. } = same[0].0;
                let place = findings::Place::Slot { variable: None, location, components: vec![component] };
                let message = format!("read as {}: each class takes a slot of its own", labels.join(" and as "));
                findings::ALIASED_INPUT.at(Some(self.consumer.stage), Some(place), message)
            })
            .collect()
    }

    fn mismatched(&self) -> Vec<Finding> {
        let Some(producer) = &self.producer else { return Vec::new() };
        let of_raster = producer.stored().filter(|scalar| scalar.stream == producer.raster_stream);
        let mut outputs: Vec<&Scalar> = filled(producer.interface.scalars.len(), of_raster);
        outputs.sort_by_key(|scalar| scalar.place);
        let kind = |scalar: &Scalar| format!("{}-bit {}", scalar.bits, if scalar.float { "float" } else { "integer" });
        let mut found: Vec<Finding> = self
            .used()
            .filter_map(|input| {
                // The last one of several at one place is used.
                let behind = outputs.partition_point(|output| output.place <= input.place);
                let output = outputs[..behind].last().filter(|output| output.place == input.place)?;
                // Halves of 64-bit values carry no type of their own, and integer signs may differ.
                let differ = (input.bits, input.float) != (output.bits, output.float);
                differ.then(|| {
                    let place = findings::Place::Slot {
                        variable: Some(input.name.to_string()),
                        location: input.place.location,
                        components: Vec::new(),
                    };
                    let message = format!("read as {}, written as {} by {}", kind(input), kind(output), output.name);
                    findings::INTERFACE_MISMATCH.at(Some(self.consumer.stage), Some(place), message)
                })
            })
            .collect();
        // The components of a vector share its name: one finding says it of all.
        found.dedup();
        found
    }
}

/// What keeps its locations, since an array is indexed with a value known only at run time.
struct Kept<'s> {
    /// The outermost array.
    array: &'s str,
    /// The first and the last of what it keeps, if not all: elements of inner arrays keep what is before them.
    part: Option<[&'s str; 2]>,
}

/// Arrays that keep locations. In a block, other members need not.
fn kept_of_arrays(scalars: &[Scalar], is_indexed: impl Fn(&Scalar) -> bool) -> Vec<Kept<'_>> {
    fn array(scalar: &Scalar) -> &str {
        scalar.name.split('[').next().unwrap_or_default()
    }
    let mut out = Vec::new();
    for whole in scalars.chunk_by(|a, b| a.variable == b.variable && array(a) == array(b)) {
        for run in whole.chunk_by(|a, b| is_indexed(a) == is_indexed(b)) {
            let ([first, ..], [.., last]) = (run, run) else { continue };
            if is_indexed(first) {
                let part = (run.len() < whole.len()).then(|| [&*first.name, &*last.name]);
                out.push(Kept { array: array(first), part });
            }
        }
    }
    out
}
