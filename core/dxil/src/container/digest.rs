//! The container's digest: its kind, and what the kind means for the container.

use super::md5::State;
use lanescope_base::named_enum;

/// The digest's place; everything after it is hashed.
pub(crate) const DIGEST: std::ops::Range<usize> = 4..20;

named_enum!(
    serde if feature = "serde";
    /// State of the digest.
    DigestState {
        /// The hash of the contents: signed, and unchanged since.
        Valid = "valid",
        /// The debug variant of the hash of the contents.
        Debug = "debug",
        /// All bytes are 2: validated, but for a shader model that is not released.
        Preview = "preview",
        /// All bytes are 1: the author asks the runtime to skip the check.
        Bypass = "bypass",
        /// All bytes are 0: no validator has run.
        Missing = "missing",
        /// There is no container that could have one.
        Absent = "absent",
        /// Anything else: changed after signing, or signed by something unknown.
        Wrong = "wrong",
    }
);

impl DigestState {
    /// What D3D12 does with a container that has such a digest, of a shader model that is released or not
    /// (DirectX specifications, INF-0004; AgilitySDK from 1.615 on). Empty without a container.
    pub fn accepted(self, is_preview: bool) -> &'static str {
        match (self, is_preview) {
            (DigestState::Valid, _) => "D3D12 compares the hash, and runs the shader",
            (DigestState::Debug, _) => "what D3D12 does with it is not documented",
            (DigestState::Preview, _) => "D3D12 runs it in developer mode with experimental shader models only",
            (DigestState::Bypass, false) => "D3D12 runs it without the check, from AgilitySDK 1.615 on",
            (DigestState::Bypass, true) => "D3D12 runs bypass containers of released shader models only",
            (DigestState::Missing, _) => {
                "D3D12 refuses it, or takes it as a preview while earlier previews are supported"
            }
            (DigestState::Wrong, _) => "D3D12 compares the hash, and refuses the shader",
            (DigestState::Absent, _) => "",
        }
    }
}

/// The digest, with what it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Digest {
    /// The bytes in the header.
    pub stored: [u8; 16],
    /// The hash of the contents.
    pub computed: [u8; 16],
    /// State by the stored bytes.
    pub state: DigestState,
}

impl Digest {
    /// State of bitcode without a container.
    pub(crate) fn absent() -> Digest {
        Digest { stored: [0; 16], computed: [0; 16], state: DigestState::Absent }
    }

    /// The digest of a whole container, which has at least a header.
    pub(super) fn of(container: &[u8]) -> Digest {
        let mut stored = [0; 16];
        stored.copy_from_slice(container.get(DIGEST).unwrap_or(&[0; 16]));
        let hashed = container.get(DIGEST.end..).unwrap_or_default();
        let computed = hash(hashed, false);
        let all = |byte: u8| stored == [byte; 16];
        let state = if all(0) {
            DigestState::Missing
        } else if all(1) {
            DigestState::Bypass
        } else if all(2) {
            DigestState::Preview
        } else if stored == computed {
            DigestState::Valid
        } else if stored == hash(hashed, true) {
            DigestState::Debug
        } else {
            DigestState::Wrong
        };
        Digest { stored, computed, state }
    }
}

/// MD5 with another finish: the length goes to the front of the last block, and its end holds a second word.
pub(crate) fn hash(data: &[u8], debug: bool) -> [u8; 16] {
    let mut state = State::new();
    let (blocks, rest) = data.as_chunks::<64>();
    state.blocks(blocks);
    let length = data.len() as u32;
    let (front, back) = if debug {
        (length.wrapping_mul(16) | 0xf, length.wrapping_mul(4) | 0x1000_0000)
    } else {
        (length.wrapping_mul(8), length.wrapping_mul(2) | 1)
    };
    let mut last = [0u8; 64];
    if rest.len() >= 56 {
        last[..rest.len()].copy_from_slice(rest);
        last[rest.len()] = 0x80;
        state.blocks(&[last]);
        last = [0; 64];
    } else {
        last[4..4 + rest.len()].copy_from_slice(rest);
        last[4 + rest.len()] = 0x80;
    }
    last[..4].copy_from_slice(&front.to_le_bytes());
    last[60..].copy_from_slice(&back.to_le_bytes());
    state.blocks(&[last]);
    state.finish()
}
