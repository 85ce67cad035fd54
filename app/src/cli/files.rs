//! Files that a command writes into a folder: all of them, or none.

use std::io;
use std::path::{Path, PathBuf};

use super::CliError;

/// Writes files into a folder, which is made where it does not exist. Nothing is written where one of the files is
/// there already, unless `force` says so.
pub fn write_all(folder: &Path, force: bool, files: &[(PathBuf, Vec<u8>)]) -> Result<(), CliError> {
    let failed =
        |path: &Path, error: io::Error| CliError::Unusable(format!("{}: cannot be written: {error}", path.display()));
    if let Some((path, _)) = files.iter().find(|(path, _)| !force && path.exists()) {
        return Err(CliError::Unusable(format!("{}: exists; --force overwrites it", path.display())));
    }
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    for (path, bytes) in files {
        std::fs::write(path, bytes).map_err(|error| failed(path, error))?;
    }
    Ok(())
}
