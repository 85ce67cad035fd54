//! Paths as URIs.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use lsp_types::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};

/// Bytes that are written as codes: all but the unreserved ones of RFC 3986 and `/`.
const CODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// The path of a `file:` URI of this machine; none for other documents.
pub fn path_of(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let (host, path) = rest.split_at(rest.find('/')?);
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let bytes: Vec<u8> = percent_decode_str(path).collect();
    let is_here = host.is_empty() || host.eq_ignore_ascii_case("localhost");
    (is_here && !bytes.contains(&0)).then(|| PathBuf::from(OsStr::from_bytes(&bytes)))
}

/// The `file:` URI of an absolute path.
pub fn uri_of(path: &Path) -> Option<Uri> {
    let coded = percent_encode(path.as_os_str().as_bytes(), CODED);
    if path.is_absolute() { Uri::from_str(&format!("file://{coded}")).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn path(uri: &str) -> Option<PathBuf> {
        path_of(&Uri::from_str(uri).expect("a URI"))
    }

    #[test]
    fn only_files_of_this_machine_have_paths() {
        assert_eq!(path("file:///a%20b/c%2Bd.frag"), Some(PathBuf::from("/a b/c+d.frag")));
        assert_eq!(path("file://localhost/a.frag"), Some(PathBuf::from("/a.frag")));
        for other in ["untitled:Untitled-1", "file://server/a.frag", "https://a/b", "file:a.frag", "file:///a%00b"] {
            assert_eq!(path(other), None, "{other}");
        }
        assert_eq!(uri_of(Path::new("a.frag")), None);
    }

    proptest! {
        #[test]
        fn paths_lead_back(bytes in proptest::collection::vec(1u8..=255, 0..30)) {
            let path = Path::new("/").join(OsStr::from_bytes(&bytes));
            prop_assert_eq!(path_of(&uri_of(&path).expect("is absolute")), Some(path));
        }
    }
}
