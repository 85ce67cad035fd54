//! The containers of the shown program with another digest: a place for them is asked for.

use std::path::Path;

use lanescope_core::dxil::Signature;
use lanescope_core::run::Blob;
use lanescope_host::signing::{Signed, sign};

use super::effects::Effects;
use super::save;
use crate::outcome::Outcome;
use crate::state::State;
use crate::state::saving::{Pending, SignedFiles};
use crate::state::tasks::Tag;

/// Begins to sign; by default as DXC's validator does.
pub(super) fn begin(state: &mut State, effects: &mut Effects, signature: Option<Signature>) {
    let Some(open) = state.program() else { return };
    let program = open.program.clone();
    if program.dxil.is_empty() {
        return state.messages.error("The program has no DXIL container.");
    }
    effects.start(state, Tag::Sign, "signing containers".to_owned(), move |_, _| {
        let one = |input: usize, file: &[u8]| {
            let path = program.inputs.get(input).map_or("", |input| input.path.as_str());
            sign(path, file.to_vec(), signature, false).map(|signed| (file_name(path), signed))
        };
        let all = program.dxil.iter().map(|loaded| one(loaded.input, loaded.dxil.file()));
        Outcome::Signed(all.collect::<Result<Vec<_>, _>>().map(|signed| Box::new(files(signed))))
    });
}

/// `a.dxil` becomes `a-signed.dxil`.
fn file_name(path: &str) -> String {
    let stem = Path::new(path).file_stem().unwrap_or_default().to_string_lossy();
    format!("{stem}-signed.dxil")
}

fn files(signed: Vec<(String, Signed)>) -> SignedFiles {
    let said = |(name, signed): &(String, Signed)| {
        let digest = |state: lanescope_core::dxil::container::DigestState| state.to_string();
        format!(
            "{name}: {}, before {}: {}",
            digest(signed.after.state),
            digest(signed.before.state),
            signed.after.runtime
        )
    };
    let text: Vec<String> = signed.iter().map(said).collect();
    (signed.into_iter().map(|(name, signed)| (name, Blob(signed.bytes))).collect(), text.join("; "))
}

/// Asks where to save signed containers, and says what D3D12 does with them.
pub(super) fn take(state: &mut State, effects: &mut Effects, signed: Result<Box<SignedFiles>, String>) {
    let (mut files, said) = match signed {
        Ok(signed) => *signed,
        Err(why) => return state.messages.error(why),
    };
    state.messages.info(said);
    let pending = match files.len() {
        1 => {
            let (name, contents) = files.swap_remove(0);
            Pending::File(contents.0, name)
        }
        _ => Pending::Files(files),
    };
    save::ask_where(state, effects, pending);
}
