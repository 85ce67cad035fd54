//! An open database: one file, or several that form a set.

use std::cell::RefCell;
use std::io::{Read, Seek};

use super::index::{Place, entry_of, scan};
use super::json::Json;
use super::payload::{header_of, payload};
use super::{Key, Tag};
use crate::Fault;
use crate::findings::{self, Finding, Rule};
use crate::notes::Notes;

/// A database. Its objects are read when they are requested.
#[derive(Debug)]
pub struct Database<R> {
    files: RefCell<Vec<R>>,
    names: Vec<String>,
    /// By tag, then by key; each once.
    places: Vec<Place>,
    /// By file: from where on objects are not read that have far more bytes than are stored of them.
    limits: Vec<Option<u64>>,
    /// The version of the first file.
    pub version: u8,
    /// Findings about the files.
    pub findings: Vec<Finding>,
}

/// An object's JSON and the binary data after it.
pub(crate) struct Object {
    /// The object itself, without what it is in.
    pub json: Json,
    /// Data after the JSON.
    pub binary: Vec<u8>,
    /// Its name in messages: `shader module 1c14… (byte 0x10)`.
    pub name: String,
}

impl<R: Read + Seek> Database<R> {
    /// Opens files as one set: of objects that are in several, that of the first file counts.
    ///
    /// # Errors
    /// A file that is not a database.
    pub fn open(files: Vec<(String, R)>) -> Result<Database<R>, (usize, Fault)> {
        let mut places = Vec::new();
        let (mut version, mut swollen, mut limits) = (None, 0u64, Vec::new());
        let mut all = Vec::new();
        let (names, mut files): (Vec<String>, Vec<R>) = files.into_iter().unzip();
        if files.len() > 256 {
            let message = format!("{} files, expected at most 256", files.len());
            let rule = findings::FOZ_SIZE_LIMIT;
            return Err((256, Fault { rule, place: "byte 0x0".to_owned(), message }));
        }
        for (at, (file, name)) in files.iter_mut().zip(&names).enumerate() {
            let mut notes = Notes::of(name);
            // There are at most 256.
            let found = scan(file, at as u8, &mut places, &mut swollen, &mut notes).map_err(|fault| (at, fault))?;
            version.get_or_insert(found.version);
            limits.push(found.limit);
            all.extend(notes.done().0);
        }
        // Stable: of equal keys the first stays first.
        places.sort_by_key(|place| (place.tag, place.hash));
        let mut notes = Notes::of(names.first().map_or("", String::as_str));
        let mut kept: Option<Place> = None;
        places.retain(|place| {
            if let Some(first) = kept.filter(|first| (first.tag, first.hash) == (place.tag, place.hash)) {
                // Recording continued in a second file writes again what the first one has.
                if first.file == place.file {
                    let message = format!(
                        "{} {} is a duplicate; the one at byte {:#x} is used",
                        place.tag,
                        Key(place.hash),
                        first.at
                    );
                    notes.add_at_byte(findings::FOZ_DUPLICATE, place.at, message);
                }
                return false;
            }
            kept = Some(*place);
            true
        });
        places.shrink_to_fit();
        all.extend(notes.done().0);
        let (files, version) = (RefCell::new(files), version.unwrap_or(6));
        Ok(Database { files, names, places, limits, version, findings: all })
    }

    /// Number of objects of a kind.
    pub fn count(&self, tag: Tag) -> usize {
        self.of(tag).len()
    }

    /// The objects of a kind, by key.
    pub fn of(&self, tag: Tag) -> &[Place] {
        let from = self.places.partition_point(|place| place.tag < tag);
        let to = self.places.partition_point(|place| place.tag <= tag);
        &self.places[from..to]
    }

    /// Location of an object.
    pub fn find(&self, tag: Tag, hash: u64) -> Option<&Place> {
        let at = self.places.binary_search_by_key(&(tag, hash), |place| (place.tag, place.hash)).ok()?;
        self.places.get(at)
    }

    /// Name of an object in messages.
    pub fn name(&self, place: &Place) -> String {
        format!("{} {}", place.tag, Key(place.hash))
    }

    /// Name of the file that contains an object.
    pub fn file_name(&self, place: &Place) -> &str {
        self.names.get(usize::from(place.file)).map_or("", String::as_str)
    }

    /// Bytes of an object's payload: in the file, and inflated.
    pub fn sizes(&self, place: &Place) -> Result<[u32; 2], Fault> {
        let name = self.name(place);
        self.with_file(place, |file| header_of(file, place, &name)).map(|header| [header.stored, header.size])
    }

    /// An entry as stored in its file, header and payload.
    pub fn raw(&self, place: &Place) -> Result<Vec<u8>, Fault> {
        let name = self.name(place);
        self.with_file(place, |file| entry_of(file, place, &name))
    }

    /// An object's payload.
    pub fn payload(&self, place: &Place) -> Result<Vec<u8>, Fault> {
        let name = self.name(place);
        let limit = self.limits.get(usize::from(place.file)).copied().flatten();
        self.with_file(place, |file| payload(file, place, &name, limit))
    }

    fn with_file<T>(&self, place: &Place, with: impl FnOnce(&mut R) -> Result<T, Fault>) -> Result<T, Fault> {
        let mut files = self.files.borrow_mut();
        match files.get_mut(usize::from(place.file)) {
            Some(file) => with(file),
            None => Err(self.fault(findings::FOZ_MISSING_REF, place, "its file is not open".to_owned())),
        }
    }

    /// An object. What is odd about what it is in goes to `notes`.
    pub(crate) fn object(&self, place: &Place, notes: &mut Notes<'_>) -> Result<Object, Fault> {
        let payload = self.payload(place)?;
        let end = payload.iter().position(|byte| *byte == 0).unwrap_or(payload.len());
        let text = &payload[..end];
        if text.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
            let message = format!("the payload of {} bytes is not a JSON object", payload.len());
            return Err(self.fault(findings::FOZ_NOT_JSON, place, message));
        }
        let json = Json::read(text).map_err(|error| self.fault(findings::FOZ_JSON, place, error))?;
        match json.get("version") {
            Some(Json::Unsigned(5 | 6)) => {}
            found => {
                let found = found.map_or_else(|| "none".to_owned(), Json::to_string);
                let message = format!("expected version 5 or 6, found {found}");
                return Err(self.fault(findings::FOZ_JSON_VERSION, place, message));
            }
        }
        let object = self.inner(place, json, notes)?;
        let binary = payload.get(end + 1..).unwrap_or_default().to_vec();
        Ok(Object { json: object, binary, name: self.name(place) })
    }

    /// The object in what it is in: under the kind's name and its own key.
    fn inner(&self, place: &Place, json: Json, notes: &mut Notes<'_>) -> Result<Json, Fault> {
        let wrong = |rule, message| Err(self.fault(rule, place, message));
        if matches!(place.tag, Tag::Application | Tag::Link | Tag::Bucket) {
            return Ok(json);
        }
        let Some(objects) = place.tag.keys().iter().find_map(|key| json.get(key)) else {
            return wrong(findings::FOZ_JSON_TYPE, format!("`{}` is missing", place.tag.keys()[0]));
        };
        let Json::Object(members) = objects else {
            return wrong(findings::FOZ_JSON_TYPE, format!("`{}` is {}", place.tag.keys()[0], objects.kind()));
        };
        let own = Key(place.hash).to_string();
        let found = members.iter().find(|member| member.0.eq_ignore_ascii_case(&own)).or_else(|| members.first());
        let Some((key, object)) = found else {
            return wrong(findings::FOZ_JSON_TYPE, format!("`{}` is empty", place.tag.keys()[0]));
        };
        if !key.eq_ignore_ascii_case(&own) {
            let message = format!("{}: the JSON inside has the key `{key}`", self.name(place));
            notes.add_at_byte(findings::FOZ_KEY_MISMATCH, place.at, message);
        }
        match object {
            Json::Object(_) => Ok(object.clone()),
            other => wrong(findings::FOZ_JSON_TYPE, format!("the object is {}", other.kind())),
        }
    }

    fn fault(&self, rule: &'static Rule, place: &Place, message: String) -> Fault {
        Fault { rule, place: format!("{} (byte {:#x})", self.name(place), place.at), message }
    }
}
