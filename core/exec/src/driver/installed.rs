//! What of Vulkan's drivers is installed: their manifests, and the libraries that they need.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use lanescope_model::chip::Driver;
use lanescope_run::hash;

/// The largest manifest that is read, in bytes.
const LARGEST: u64 = 1 << 20;

/// A driver that was named by its manifest, for the loader of one child.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Icd {
    /// The manifest that the loader is given.
    manifest: PathBuf,
    /// The folder of the driver's library, where it was unpacked outside of the system's folders.
    folder: Option<PathBuf>,
}

impl Icd {
    /// Reads a manifest. One that lies in an unpacked package (`ROOT/usr/share/vulkan/icd.d/…`) uses the library in
    /// the same package, also where it names the system's folder. A manifest that cannot be read is left to the loader,
    /// which says why.
    ///
    /// Where the manifest has to name another library, a copy of it is kept in the folder `copies`.
    pub fn named(manifest: &Path, copies: &Path) -> Icd {
        let manifest = manifest.canonicalize().unwrap_or_else(|_| manifest.to_owned());
        let found = text_of(&manifest).and_then(|json| Some((library_of(&json)?, json, root_of(&manifest)?)));
        let Some((library, json, root)) = found else { return Icd { manifest, folder: None } };
        if library.is_absolute() {
            let inside = library.strip_prefix("/").map(|rest| root.join(rest)).ok().filter(|file| file.is_file());
            let Some(inside) = inside else { return Icd { manifest, folder: None } };
            let folder = inside.parent().map(Path::to_owned);
            let manifest = moved(json, &inside, copies).unwrap_or(manifest);
            return Icd { manifest, folder };
        }
        let folder = library_folders(&root).into_iter().find(|folder| folder.join(&library).is_file());
        Icd { manifest, folder }
    }

    /// The variables of a child that sees this driver alone. The loader says on standard error what it cannot load.
    pub fn environment(&self) -> Vec<(OsString, OsString)> {
        let manifest = self.manifest.clone().into_os_string();
        // The older name is for loaders before 1.3.207.
        let mut out = vec![("VK_DRIVER_FILES".into(), manifest.clone()), ("VK_ICD_FILENAMES".into(), manifest)];
        if std::env::var_os("VK_LOADER_DEBUG").is_none() {
            out.push(("VK_LOADER_DEBUG".into(), "error,warn".into()));
        }
        if let Some(folder) = &self.folder {
            let before = std::env::var_os("LD_LIBRARY_PATH").filter(|value| !value.is_empty());
            let all = std::iter::once(folder.clone()).chain(before.iter().flat_map(std::env::split_paths));
            out.extend(std::env::join_paths(all).ok().map(|paths| ("LD_LIBRARY_PATH".into(), paths)));
        }
        out
    }
}

/// A library by its file name: beside that driver's own, else in the folders of the dynamic loader, else among those
/// that come with this program.
pub fn library(name: &str, icd: Option<&Icd>) -> Option<PathBuf> {
    let own = icd.and_then(|icd| icd.folder.clone());
    let path = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let path = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    let all = own.into_iter().chain(path).chain(library_folders(Path::new("/"))).chain(own_folders());
    all.map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Where the libraries of this program lie: beside it, also for programs of the build's own folders, or where it was
/// installed.
fn own_folders() -> Vec<PathBuf> {
    let Some(folder) = std::env::current_exe().ok().and_then(|exe| Some(exe.canonicalize().ok()?.parent()?.to_owned()))
    else {
        return Vec::new();
    };
    let above = folder.parent().map(Path::to_owned).unwrap_or_default();
    vec![folder, above.join("lib/lanescope"), above]
}

/// The manifests that the loader finds, as far as folders and variables say.
pub fn manifests() -> Vec<PathBuf> {
    for variable in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
        if let Some(named) = std::env::var_os(variable).filter(|value| !value.is_empty()) {
            return std::env::split_paths(&named).flat_map(listed).collect();
        }
    }
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let home = |tail: &str| variable("HOME").map(|home| Path::new(&home).join(tail).into_os_string());
    let roots = [
        variable("XDG_CONFIG_HOME").or_else(|| home(".config")),
        Some(variable("XDG_CONFIG_DIRS").unwrap_or_else(|| "/etc/xdg".into())),
        Some("/etc".into()),
        variable("XDG_DATA_HOME").or_else(|| home(".local/share")),
        Some(variable("XDG_DATA_DIRS").unwrap_or_else(|| "/usr/local/share:/usr/share".into())),
    ];
    let mut out: Vec<PathBuf> = Vec::new();
    for root in roots.iter().flatten().flat_map(std::env::split_paths) {
        out.extend(listed(root.join("vulkan/icd.d")));
    }
    out.extend(variable("VK_ADD_DRIVER_FILES").iter().flat_map(std::env::split_paths).flat_map(listed));
    out.dedup();
    out
}

/// The driver of a manifest, by the name of its library; none for others, and for a manifest that cannot be read.
pub fn driver_of(manifest: &Path) -> Option<Driver> {
    let library = library_of(&text_of(manifest)?)?;
    let name = library.file_stem()?.to_str()?.to_owned();
    Driver::ALL.iter().copied().find(|driver| driver.library() == name)
}

/// What changes when a driver or a back end's library does: path, size and time of each file, as text.
pub fn state(icd: Option<&Icd>, libraries: &[&str]) -> String {
    let manifests = icd.map_or_else(manifests, |icd| vec![icd.manifest.clone()]);
    let of_manifests: Vec<PathBuf> = manifests
        .iter()
        .filter_map(|manifest| {
            let named = library_of(&text_of(manifest)?)?;
            let name = named.file_name()?.to_str()?;
            if named.is_absolute() { Some(named) } else { library(name, icd) }
        })
        .collect();
    let needed = libraries.iter().filter_map(|name| library(name, icd));
    let line = |file: PathBuf| {
        let about = fs::metadata(&file).ok();
        let length = about.as_ref().map_or(0, fs::Metadata::len);
        let time = about.and_then(|about| about.modified().ok());
        let time = time.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        format!("{} {length} {}", file.display(), time.map_or(0, |time| time.as_nanos()))
    };
    let mut lines: Vec<String> = manifests.iter().cloned().chain(of_manifests).chain(needed).map(line).collect();
    lines.sort();
    lines.join("\n")
}

fn listed(path: PathBuf) -> Vec<PathBuf> {
    let is_manifest = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "json");
    match fs::read_dir(&path) {
        Ok(all) => {
            let mut all: Vec<_> = all.flatten().map(|entry| entry.path()).filter(is_manifest).collect();
            all.sort();
            all
        }
        Err(_) => Some(path).filter(|path| path.is_file()).into_iter().collect(),
    }
}

fn text_of(manifest: &Path) -> Option<Value> {
    let about = fs::metadata(manifest).ok()?;
    let readable = about.is_file() && about.len() <= LARGEST;
    readable.then(|| fs::read(manifest).ok()).flatten().and_then(|bytes| serde_json::from_slice(&bytes).ok())
}

fn library_of(manifest: &Value) -> Option<PathBuf> {
    Some(PathBuf::from(manifest.get("ICD")?.get("library_path")?.as_str()?))
}

/// The folder into which a package was unpacked that holds a manifest; none for the system's own.
fn root_of(manifest: &Path) -> Option<PathBuf> {
    let folder = manifest.parent()?;
    let tails = ["usr/share/vulkan/icd.d", "usr/local/share/vulkan/icd.d", "share/vulkan/icd.d", "etc/vulkan/icd.d"];
    let tail = tails.iter().find(|tail| folder.ends_with(tail))?;
    let root = folder.ancestors().nth(Path::new(tail).components().count())?;
    (root != Path::new("/") && root != Path::new("/usr") && root != Path::new("/usr/local")).then(|| root.to_owned())
}

/// Where libraries lie below a root.
fn library_folders(root: &Path) -> Vec<PathBuf> {
    let triple = format!("{}-linux-gnu", std::env::consts::ARCH);
    let mut out = Vec::new();
    for base in ["usr/local/lib", "usr/lib", "lib", "usr/lib64", "lib64"] {
        out.push(root.join(base).join(&triple));
        out.push(root.join(base));
    }
    out
}

/// A copy of a manifest that names a library somewhere else; none where it cannot be written.
fn moved(mut manifest: Value, library: &Path, copies: &Path) -> Option<PathBuf> {
    *manifest.get_mut("ICD")?.get_mut("library_path")? = library.to_str()?.into();
    let bytes = serde_json::to_vec(&manifest).ok()?;
    fs::create_dir_all(copies).ok()?;
    let file = copies.join(format!("{}.json", hash(&bytes)));
    // Written beside its place and renamed: another process may read it meanwhile.
    let beside = copies.join(format!(".{}-{}", std::process::id(), hash(&bytes)));
    fs::write(&beside, &bytes).and_then(|()| fs::rename(&beside, &file)).ok()?;
    Some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An unpacked package with a driver whose manifest names its library as given.
    fn package(library: &str) -> (tempfile::TempDir, PathBuf) {
        let root = tempfile::tempdir().expect("a temporary folder");
        let [libraries, manifests] = ["usr/lib", "usr/share/vulkan/icd.d"].map(|folder| root.path().join(folder));
        for folder in [&libraries, &manifests] {
            fs::create_dir_all(folder).expect("writable");
        }
        fs::write(libraries.join("libvulkan_radeon.so"), "").expect("writable");
        let manifest = manifests.join("radeon_icd.json");
        let json = format!("{{\"ICD\":{{\"library_path\":\"{library}\"}},\"file_format_version\":\"1.0.0\"}}");
        fs::write(&manifest, json).expect("writable");
        (root, manifest)
    }

    fn value(icd: &Icd, name: &str) -> Option<String> {
        let all = icd.environment();
        all.iter().find(|row| row.0 == name).map(|row| row.1.to_string_lossy().into_owned())
    }

    #[test]
    fn libraries_of_an_unpacked_package_come_first() {
        let (root, manifest) = package("libvulkan_radeon.so");
        let icd = Icd::named(&manifest, root.path());
        let folder = root.path().canonicalize().expect("a folder").join("usr/lib");
        let path = value(&icd, "LD_LIBRARY_PATH").expect("a path");
        assert_eq!(path.split(':').next(), folder.to_str());
        assert!(value(&icd, "VK_DRIVER_FILES").is_some_and(|file| file.ends_with("icd.d/radeon_icd.json")));
        assert_eq!(library("libvulkan_radeon.so", Some(&icd)), Some(folder.join("libvulkan_radeon.so")));
        assert_eq!(driver_of(&manifest), Some(Driver::Radv));
        let before = state(Some(&icd), &[]);
        fs::write(folder.join("libvulkan_radeon.so"), "newer").expect("writable");
        assert_ne!(state(Some(&icd), &[]), before);
    }

    #[test]
    fn resolves_absolute_paths_inside_an_unpacked_package() {
        let (root, manifest) = package("/usr/lib/libvulkan_radeon.so");
        let icd = Icd::named(&manifest, root.path());
        let moved = value(&icd, "VK_DRIVER_FILES").expect("a manifest");
        let library = library_of(&text_of(Path::new(&moved)).expect("JSON")).expect("a library");
        let root = root.path().canonicalize().expect("a folder");
        assert_eq!(library, root.join("usr/lib/libvulkan_radeon.so"));
    }

    #[test]
    fn a_manifest_that_cannot_be_read_is_left_to_the_loader() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("x.json");
        fs::write(&file, "{").expect("writable");
        assert_eq!(Icd::named(&file, folder.path()).folder, None);
        assert_eq!(driver_of(&file), None);
        assert_eq!(root_of(Path::new("/usr/share/vulkan/icd.d/radeon_icd.json")), None);
    }
}
