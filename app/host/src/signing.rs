//! Writing the digest of a DXIL container, once the checks find no error in what would be written.

use lanescope_core::dxil::container::DigestState;
use lanescope_core::dxil::{Dxil, Signature, hex};
use lanescope_core::findings::{DIGEST, Finding, Severity};

/// A container with a new digest.
#[derive(Debug)]
pub struct Signed {
    /// The whole file.
    pub bytes: Vec<u8>,
    /// Its digest before.
    pub before: DigestText,
    /// Its digest now.
    pub after: DigestText,
    /// What the checks find in it.
    pub findings: Vec<Finding>,
}

/// A digest as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DigestText {
    /// Its state.
    pub state: DigestState,
    /// Its bytes as one hexadecimal number.
    pub bytes: String,
    /// What D3D12 does with such a container.
    pub runtime: &'static str,
}

impl DigestText {
    fn of(dxil: &Dxil) -> DigestText {
        let digest = &dxil.container.digest;
        DigestText {
            state: digest.state,
            bytes: hex(&digest.stored),
            runtime: digest.state.accepted(dxil.is_preview()),
        }
    }
}

/// Writes a digest into the container of a file; by default the one that DXC's validator would write. `name` is what
/// places of findings start with.
///
/// # Errors
/// The file has no digest of its own. Unless `unchecked`: a hash does not fit the shader model, the parts do not fill the
/// file, or the checks find an error. No digest (`none`) promises nothing, and is not checked.
pub fn sign(name: &str, file: Vec<u8>, signature: Option<Signature>, unchecked: bool) -> Result<Signed, String> {
    let given = Dxil::read(file).map_err(|fault| format!("{name}: {fault}"))?;
    let signature = signature.unwrap_or_else(|| given.usual_signature());
    let bytes = given.signed(signature).map_err(|error| format!("{name}: {error}"))?;
    let is_checked = !unchecked && signature != Signature::None;
    if is_checked {
        given.may_be_signed(signature).map_err(|error| format!("{name}: {error}"))?;
    }
    let signed = Dxil::read(bytes).map_err(|fault| format!("{name}: {fault}"))?;
    let mut findings = signed.findings(name, 0);
    // The digest is what was asked for.
    findings.retain(|finding| finding.code != DIGEST.code);
    if is_checked && let Some(error) = findings.iter().find(|finding| finding.severity == Severity::Error) {
        let count = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
        let others = if count > 1 { format!(" (and {} more)", count - 1) } else { String::new() };
        return Err(format!("{name}: {} {}{others}: not signed", error.code, error.message));
    }
    let (before, after) = (DigestText::of(&given), DigestText::of(&signed));
    Ok(Signed { bytes: signed.file().to_vec(), before, after, findings })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(name: &str) -> Vec<u8> {
        std::fs::read(format!("{}/../../samples/dxil/{name}", env!("CARGO_MANIFEST_DIR"))).expect("a sample")
    }

    #[test]
    fn what_has_errors_is_not_signed() {
        let mut broken = sample("lit_surface.ps.dxil");
        // The first element of ISG1 gets a component type that is not one.
        let at = broken.windows(4).position(|bytes| bytes == b"ISG1").expect("a part") + 8 + 8 + 16;
        broken[at..at + 4].copy_from_slice(&99u32.to_le_bytes());
        let error = sign("a.dxil", broken.clone(), None, false).expect_err("has an error");
        assert!(error.starts_with("a.dxil: D001 ") && error.ends_with(": not signed"), "{error}");
        let signed = sign("a.dxil", broken.clone(), None, true).expect("unchecked");
        assert_eq!(signed.after.state, DigestState::Valid);
        assert!(signed.findings.iter().any(|finding| finding.severity == Severity::Error));
        let none = sign("a.dxil", broken, Some(Signature::None), false).expect("promises nothing");
        assert_eq!(none.after.state, DigestState::Missing);
    }

    #[test]
    fn a_preview_keeps_its_own_digest_unless_forced() {
        let preview = sample("preview_debugging.cs.dxil");
        let signed = sign("p", preview.clone(), None, false).expect("signs");
        assert_eq!((signed.after.state, &signed.bytes), (DigestState::Preview, &preview));
        let error = sign("p", preview.clone(), Some(Signature::Retail), false).expect_err("not released");
        assert!(error.contains("shader model 6.10 is not released"), "{error}");
        let forced = sign("p", preview, Some(Signature::Retail), true).expect("unchecked");
        assert!(forced.findings.iter().any(|finding| finding.code == "X09"), "{:?}", forced.findings);
    }
}
