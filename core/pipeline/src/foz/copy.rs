//! Copies a pipeline from one database to another, with everything that it refers to, unchanged.

use std::collections::BTreeSet;
use std::io::{Read, Seek, Write};

use super::database::Database;
use super::index::Place;
use super::json::Json;
use super::write::Writer;
use super::{Key, Tag};
use crate::Fault;
use crate::findings;
use crate::notes::Notes;

/// Objects that one pipeline refers to.
const MAX_OBJECTS: usize = 65_536;

/// Copies a pipeline. Returns the objects that it refers to and that are missing.
///
/// # Errors
/// An entry that cannot be read, or the file that is written.
pub fn copy<R: Read + Seek, W: Write>(
    database: &Database<R>,
    place: &Place,
    writer: &mut Writer<W>,
) -> Result<Vec<String>, Fault> {
    let mut missing = Vec::new();
    let mut todo: Vec<Place> = database.of(Tag::Application).to_vec();
    todo.push(*place);
    let mut seen: BTreeSet<(Tag, u64)> = todo.iter().map(|place| (place.tag, place.hash)).collect();
    // Referred to before it refers: an order in which one pass can resolve everything.
    let mut order = Vec::new();
    while let Some(next) = todo.pop() {
        order.push(next);
        if matches!(next.tag, Tag::Application | Tag::Sampler | Tag::Module | Tag::RenderPass) {
            continue;
        }
        let object = database.object(&next, &mut Notes::of(""))?;
        for (tag, key) in references(next.tag, &object.json) {
            if !seen.insert((tag, key.0)) || seen.len() > MAX_OBJECTS {
                continue;
            }
            match database.find(tag, key.0) {
                Some(found) => todo.push(*found),
                None => missing.push(format!("{tag} {key}")),
            }
        }
    }
    order.sort_by_key(|place| (rank(place.tag), place.at));
    for place in order {
        let entry = database.raw(&place)?;
        writer.raw(place.tag, place.hash, &entry).map_err(|error| Fault {
            rule: findings::FOZ_TRUNCATED_TAIL,
            place: database.name(&place),
            message: format!("cannot be written: {error}"),
        })?;
    }
    Ok(missing)
}

fn rank(tag: Tag) -> usize {
    let order = [Tag::Application, Tag::Sampler, Tag::SetLayout, Tag::PipelineLayout, Tag::Module, Tag::RenderPass];
    order.iter().position(|known| *known == tag).unwrap_or(order.len())
}

/// The objects that an object refers to.
fn references(tag: Tag, json: &Json) -> Vec<(Tag, Key)> {
    let mut out = Vec::new();
    walk(tag, json, "", &mut out);
    out
}

/// Strings of members that contain keys. The text nests no deeper than the reader lets it.
fn walk(tag: Tag, json: &Json, member: &str, out: &mut Vec<(Tag, Key)>) {
    match json {
        Json::Object(members) => members.iter().for_each(|(name, value)| walk(tag, value, name, out)),
        Json::List(values) => values.iter().for_each(|value| walk(tag, value, member, out)),
        Json::Text(text) if text.len() == 16 => {
            let target = match member {
                "layout" => Tag::PipelineLayout,
                "module" => Tag::Module,
                "renderPass" => Tag::RenderPass,
                "setLayouts" => Tag::SetLayout,
                "immutableSamplers" => Tag::Sampler,
                "libraries" | "basePipelineHandle" => tag,
                _ => return,
            };
            out.extend(text.parse::<Key>().ok().filter(|key| key.0 != 0).map(|key| (target, key)));
        }
        _ => {}
    }
}
