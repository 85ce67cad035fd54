//! A program with its specialization constants set.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::options::Options;
use crate::program::Program;
use lanescope_spirv::SpecError;

/// Options that do not fit the program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnalyseError {
    /// A value that does not fit its specialization constant.
    #[error("{path}: {error}")]
    Spec {
        /// The module's file.
        path: String,
        /// What does not fit.
        error: SpecError,
    },
}

/// The program with specialization constants set: what a device runs. The options' values go before those of the
/// pipeline's description, which each stage has its own of.
pub fn specialised<'p>(program: &'p Program, options: &Options) -> Result<Cow<'p, Program>, AnalyseError> {
    let described = |module| program.pipeline.iter().flat_map(move |pipeline| pipeline.constants_of(module));
    if options.spec.is_empty() && (0..program.modules.len()).all(|module| described(module).next().is_none()) {
        return Ok(Cow::Borrowed(program));
    }
    let mut out = program.clone();
    for (index, loaded) in out.modules.iter_mut().enumerate() {
        let mut values: BTreeMap<_, _> = described(index).map(|(id, value)| (id, value.clone())).collect();
        values.extend(options.spec.iter().map(|(id, value)| (*id, value.clone())));
        loaded.module = loaded.module.specialised(&values).map_err(|error| AnalyseError::Spec {
            path: program.inputs.get(loaded.input).map(|input| input.path.clone()).unwrap_or_default(),
            error,
        })?;
    }
    Ok(Cow::Owned(out))
}
