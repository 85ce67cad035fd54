//! The digest of a container, written: there is no key, it is a checksum. What it says is that a validator ran.

use lanescope_base::named_enum;

use super::container::{DIGEST, hash};
use super::file::Dxil;

named_enum!(
    serde if feature = "serde";
    /// What is written as the digest.
    Signature {
        /// The hash of the contents: they are final.
        Retail = "retail",
        /// The debug variant of that hash.
        Debug = "debug",
        /// 16 bytes 02: validated, for a shader model that is not released.
        Preview = "preview",
        /// 16 bytes 01: the runtime is asked to skip the check.
        Bypass = "bypass",
        /// 16 bytes 00: no validator has run.
        None = "none",
    }
);

/// Why a container is not signed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SignError {
    /// What was read is no file that has a digest of its own.
    #[error("{0} has no digest to write: expected a container with a part DXIL or RTS0")]
    Other(&'static str),
    /// The runtime reads what is hashed, and finds something else there.
    #[error("{0}")]
    Layout(String),
    /// The hash says that the contents are final.
    #[error("shader model {model} is not released: a {signature} digest would say that the container is final")]
    NotReleased {
        /// The shader model.
        model: String,
        /// The digest that was asked for.
        signature: Signature,
    },
}

impl Dxil {
    /// The digest that DXC's validator would write: of a preview for shader models above the released ones.
    pub fn usual_signature(&self) -> Signature {
        if self.is_preview() { Signature::Preview } else { Signature::Retail }
    }

    /// The container with another digest. What stands in the file behind the container stays.
    ///
    /// # Errors
    /// [`SignError::Other`] for PDBs, bitcode without a container and shader model 5.
    pub fn signed(&self, signature: Signature) -> Result<Vec<u8>, SignError> {
        let other = if self.is_of_pdb() {
            Some("a PDB")
        } else if self.is_bare() {
            Some("bitcode without a container")
        } else if self.is_old_bytecode() {
            Some("bytecode of shader model 5")
        } else if self.program.is_none() && self.root_signature.is_none() {
            Some("the container")
        } else {
            None
        };
        if let Some(what) = other {
            return Err(SignError::Other(what));
        }
        let mut out = self.file().to_vec();
        let end = (self.container.size as usize).min(out.len());
        let hashed = out.get(DIGEST.end..end).unwrap_or_default();
        let digest = match signature {
            Signature::Retail => hash(hashed, false),
            Signature::Debug => hash(hashed, true),
            Signature::Preview => [2; 16],
            Signature::Bypass => [1; 16],
            Signature::None => [0; 16],
        };
        if let Some(place) = out.get_mut(DIGEST) {
            place.copy_from_slice(&digest);
        }
        Ok(out)
    }

    /// Whether a digest may be written: parts follow each other up to the end of the file, in multiples of 4 bytes but
    /// for PRIV, and a hash is of a released shader model. The findings are looked at by the caller.
    ///
    /// # Errors
    /// The first thing that is otherwise.
    pub fn may_be_signed(&self, signature: Signature) -> Result<(), SignError> {
        if matches!(signature, Signature::Retail | Signature::Debug)
            && self.is_preview()
            && let Some(program) = &self.program
        {
            return Err(SignError::NotReleased { model: program.header.model().to_string(), signature });
        }
        let wrong = |what: String| Err(SignError::Layout(what));
        let mut end = None;
        for part in &self.container.parts {
            let name = part.name;
            if let Some((before, end)) = end
                && u64::from(part.offset) < end
            {
                return wrong(format!(
                    "part {name} is at byte {}, before the end of part {before} at {end}",
                    part.offset
                ));
            }
            if !part.size.is_multiple_of(4) && name.0 != *b"PRIV" {
                return wrong(format!("part {name} has {} bytes, expected a multiple of 4", part.size));
            }
            end = Some((name, part.data_offset() + u64::from(part.size)));
        }
        let size = u64::from(self.container.size);
        if let Some((name, end)) = end
            && end != size
        {
            return wrong(format!("the container has {size} bytes, its last part {name} ends at byte {end}"));
        }
        let bytes = self.file().len() as u64;
        if bytes != size {
            return wrong(format!("the container has {size} bytes, the file {bytes}"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::container::DigestState;
    use crate::testing::{bytes, file};

    /// The state that is read after a signature was written.
    fn state(signature: Signature) -> DigestState {
        match signature {
            Signature::Retail => DigestState::Valid,
            Signature::Debug => DigestState::Debug,
            Signature::Preview => DigestState::Preview,
            Signature::Bypass => DigestState::Bypass,
            Signature::None => DigestState::Missing,
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for name in crate::testing::names() {
            let given = file(&name);
            for &signature in Signature::ALL {
                let signed = given.signed(signature).expect("a container");
                let read = Dxil::read(signed.clone()).expect("reads");
                assert_eq!(read.container.digest.state, state(signature), "{name} {signature}");
                assert_eq!(signed[20..], bytes(&name)[20..], "{name}: only the digest changes");
            }
            // Samples have the digest that their compiler wrote.
            assert_eq!(given.signed(given.usual_signature()).expect("a container"), bytes(&name), "{name}");
            given.may_be_signed(given.usual_signature()).unwrap_or_else(|why| panic!("{name}: {why}"));
        }
    }

    #[test]
    fn the_hashes_are_those_of_the_validator() {
        let hex = |signature| crate::hex(&file("lit_surface.ps.dxil").signed(signature).expect("a container")[4..20]);
        assert_eq!(hex(Signature::Retail), "0x060d7e2004d8980488942f02dbbbdf34");
        assert_eq!(hex(Signature::Debug), "0xfff399e175bb0a2aaa5b944f4f1ffb5e");
    }

    #[test]
    fn a_preview_is_not_signed_as_final() {
        let preview = file("preview_debugging.cs.dxil");
        assert_eq!(preview.usual_signature(), Signature::Preview);
        let error = preview.may_be_signed(Signature::Retail).expect_err("not released");
        assert_eq!(
            error.to_string(),
            "shader model 6.10 is not released: a retail digest would say that the container is final"
        );
        preview.may_be_signed(Signature::Preview).expect("a preview");
    }

    #[test]
    fn what_the_hash_does_not_cover_is_not_signed() {
        let refused = |change: fn(&mut Vec<u8>)| {
            let mut file = bytes("lit_surface.ps.dxil");
            change(&mut file);
            let read = Dxil::read(file).expect("reads");
            read.may_be_signed(Signature::Retail).expect_err("refused").to_string()
        };
        assert_eq!(refused(|file| file.extend([0; 4])), "the container has 5228 bytes, the file 5232");
        // The first two parts change places in the table.
        let error = refused(|file| (32..36).for_each(|at| file.swap(at, at + 4)));
        assert!(error.contains("before the end of part"), "{error}");
    }

    #[test]
    fn files_without_a_digest_of_their_own_are_refused() {
        let bitcode = file("lit_surface.ps.dxil");
        let bitcode = bitcode.bitcode(bitcode.program.as_ref().expect("a program")).to_vec();
        let error = Dxil::read(bitcode).expect("reads").signed(Signature::Retail).expect_err("has no digest");
        assert!(error.to_string().starts_with("bitcode without a container has no digest"), "{error}");
    }

    proptest! {
        #[test]
        fn any_container_is_signed_or_refused(at in 20usize..400, byte: u8, signature in 0usize..5) {
            let mut file = bytes("lit_surface.ps.dxil");
            file[at] = byte;
            if let Ok(read) = Dxil::read(file.clone())
                && let Ok(signed) = read.signed(Signature::ALL[signature])
            {
                prop_assert_eq!(&signed[20..], &file[20..]);
                prop_assert_eq!(Dxil::read(signed).map(|read| read.container.digest.state), Ok(state(Signature::ALL[signature])));
            }
            if let Ok(read) = Dxil::read(file) {
                let _ = read.may_be_signed(Signature::ALL[signature]);
            }
        }
    }
}
