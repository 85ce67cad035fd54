//! Contents that were read already, as a list: a path is not always UTF-8, so it is no key of JSON.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use lanescope_base::Blob;
use serde::{Deserialize as _, Deserializer, Serializer};

pub(super) fn serialize<S: Serializer>(given: &BTreeMap<PathBuf, Blob>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(given.iter().map(|(path, contents)| (path.as_os_str(), contents)))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<PathBuf, Blob>, D::Error> {
    let list = Vec::<(OsString, Blob)>::deserialize(deserializer)?;
    Ok(list.into_iter().map(|(path, contents)| (PathBuf::from(path), contents)).collect())
}
