//! The locale by which the library reads names and messages.

use std::ffi::CStr;
use std::sync::OnceLock;

/// The one that the library sets itself while it converts a text.
const OF_THE_LIBRARY: &CStr = c"en_US.UTF-8";
/// What stands in for it: libraries that cannot set theirs leave this one.
const ELSE: [&CStr; 2] = [c"C.UTF-8", c"C.utf8"];

/// Whether this machine has a locale by which the library reads names that are not ASCII. Where it lacks the library's
/// own, another one is set for characters in this process, for good.
pub fn has_utf8() -> bool {
    static HAS: OnceLock<bool> = OnceLock::new();
    *HAS.get_or_init(|| {
        let set = |name: &CStr| {
            // SAFETY: the name ends with a zero. Nothing may read or set the process's locale beside this call. The library
            // sets it itself whenever it converts a text, so whoever calls the library has seen to that. In this program
            // the window's event loop on X11 sets LC_CTYPE and reads it; sources are compiled in another process then.
            !unsafe { libc::setlocale(libc::LC_CTYPE, name.as_ptr()) }.is_null()
        };
        if set(OF_THE_LIBRARY) {
            // It restores what was there by a name that is freed meanwhile, unless that is `C`.
            set(c"C");
            return true;
        }
        ELSE.into_iter().any(set)
    })
}
