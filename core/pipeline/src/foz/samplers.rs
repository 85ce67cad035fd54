//! Samplers of a database.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::write::{Writer, text_hash};
use super::{Key, Tag};
use crate::layout::Sampler;

/// Writes a sampler under the key that it was read by, else under the hash of its text. Returns the key.
pub fn write<W: Write>(sampler: &Sampler, writer: &mut Writer<W>) -> io::Result<String> {
    let text = object(sampler).to_string();
    let hash = if sampler.hash.0 == 0 { text_hash(Tag::Sampler, &text) } else { sampler.hash.0 };
    writer.object(Tag::Sampler, hash, &text)?;
    Ok(Key(hash).to_string())
}

fn object(sampler: &Sampler) -> Value {
    let mut out = json!({
        "flags": 0,
        "compareEnable": u32::from(sampler.compare.is_some()),
        "anisotropyEnable": u32::from(sampler.anisotropy.is_some()),
        "unnormalizedCoordinates": u32::from(sampler.unnormalized),
    });
    let mut put = |name: &str, value: Value| {
        if let Value::Object(members) = &mut out {
            members.insert(name.to_owned(), value);
        }
    };
    if let Some([mag, min]) = sampler.filter {
        put("magFilter", json!(mag.0));
        put("minFilter", json!(min.0));
    }
    if let Some(mipmap) = sampler.mipmap {
        put("mipmapMode", json!(mipmap.0));
    }
    if let Some(address) = sampler.address {
        for (name, mode) in ["addressModeU", "addressModeV", "addressModeW"].into_iter().zip(address) {
            put(name, json!(mode.0));
        }
    }
    if let Some(border) = sampler.border {
        put("borderColor", json!(border.0));
    }
    if let Some(compare) = sampler.compare {
        put("compareOp", json!(compare.0));
    }
    if let Some(anisotropy) = sampler.anisotropy {
        put("maxAnisotropy", json!(anisotropy));
    }
    if let Some(lod) = sampler.lod {
        for (name, level) in ["mipLodBias", "minLod", "maxLod"].into_iter().zip(lod) {
            put(name, json!(level));
        }
    }
    out
}
