//! Shader modules: words out of varints or base64.

use super::base64;
use super::database::Object;
use super::json::Json;
use super::varint;
use crate::Fault;
use crate::findings::{self, Rule};

/// The most code, in bytes.
const MAX_CODE: u64 = 64 << 20;

/// The words of a module's object.
pub fn words(object: &Object) -> Result<Vec<u32>, Fault> {
    let wrong = |rule: &'static Rule, message: String| Err(Fault { rule, place: object.name.clone(), message });
    let number = |member: &str| match object.json.get(member) {
        Some(Json::Unsigned(value)) => Ok(Some(*value)),
        None => Ok(None),
        Some(other) => Err(Fault {
            rule: findings::FOZ_JSON_TYPE,
            place: object.name.clone(),
            message: format!("`{member}` is {}, expected an unsigned number", other.kind()),
        }),
    };
    let Some(size) = number("codeSize")? else {
        return wrong(findings::FOZ_JSON_TYPE, "`codeSize` is missing".to_owned());
    };
    if size % 4 != 0 {
        return wrong(findings::FOZ_VARINT, format!("codeSize is {size}, expected a multiple of 4"));
    }
    if size > MAX_CODE {
        return wrong(findings::FOZ_SIZE_LIMIT, format!("codeSize is {size}, expected at most {MAX_CODE}"));
    }
    let words = match (number("varintOffset")?, number("varintSize")?, object.json.get("code")) {
        (Some(offset), Some(length), _) => {
            let range = offset
                .checked_add(length)
                .and_then(|end| object.binary.get(usize::try_from(offset).ok()?..usize::try_from(end).ok()?));
            let Some(bytes) = range else {
                let message = format!(
                    "{length} bytes at offset {offset}, but the payload has {} bytes after its JSON",
                    object.binary.len()
                );
                return wrong(findings::FOZ_VARINT, message);
            };
            // At most MAX_CODE / 4.
            match varint::words(bytes, (size / 4) as usize) {
                Ok(words) => words,
                Err(why) => return wrong(findings::FOZ_VARINT, why),
            }
        }
        (_, _, Some(Json::Text(code))) => {
            let bytes = match base64::decode(code) {
                Ok(bytes) => bytes,
                Err(why) => return wrong(findings::FOZ_BASE64, format!("`code`: {why}")),
            };
            if bytes.len() as u64 != size {
                return wrong(
                    findings::FOZ_BASE64,
                    format!("`code` has {} bytes, but codeSize is {size}", bytes.len()),
                );
            }
            bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
        }
        _ => {
            let message = "neither `varintOffset` and `varintSize` nor `code` are present".to_owned();
            return wrong(findings::FOZ_JSON_TYPE, message);
        }
    };
    match words.first() {
        Some(0x0723_0203) => Ok(words),
        first => {
            let message =
                format!("the first word is {:#010x}, expected the SPIR-V magic 0x07230203", first.unwrap_or(&0));
            wrong(findings::FOZ_VARINT, message)
        }
    }
}
