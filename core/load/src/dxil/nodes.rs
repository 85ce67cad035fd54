//! Nodes of a work graph, converted to be run.
//!
//! Opening a library converts its nodes too, to show them. To run them three things are different: what a node may ask of
//! its outputs survives the conversion, its local root arguments are reached by address, and the modules are not put
//! before the validator, since they are rewritten first.

use dxil_spirv::binding::ResourceClass;
use dxil_spirv::{Converter, ParsedBlob};

use super::bindings::Bindings;
use super::convert::{listening, node_options, parsed, registers, stripped};
use super::failure::Failure;
use super::{repair, unsupported};
use lanescope_dxil::metadata::EntryPoint;
use lanescope_dxil::parts::Parameter;
use lanescope_dxil::substitute::substitute;
use lanescope_dxil::{Dxil, escaped};
use lanescope_model::options::Conversion;
use lanescope_model::program::DescriptorBinding;
use lanescope_spirv::Module;

/// The op that asks whether an output leads to a node, which the converter answers with `true`, and the op that it becomes:
/// nothing else tests whether a slot's number, an integer, is NaN.
const IS_VALID: u32 = 252;
const IS_NAN: u32 = 8;

/// A node to convert.
#[derive(Debug, Clone, Default)]
pub struct NodeFunction<'n> {
    /// Its function's name in the bitcode.
    pub function: &'n str,
    /// The parameters of its local root signature.
    pub local: &'n [Parameter],
}

/// What became of the nodes of one container.
#[derive(Debug, Clone)]
pub struct NodeModules {
    /// One a node: its module, as the converter wrote it, or why there is none.
    pub modules: Vec<Result<Module, Failure>>,
    /// Functions whose questions whether an output is valid are answered with `true`, right or wrong.
    pub always_valid: Vec<String>,
    /// Where the registers went.
    pub bindings: Vec<DescriptorBinding>,
}

/// Converts nodes to be run.
pub fn node_modules(dxil: &Dxil, nodes: &[NodeFunction<'_>]) -> NodeModules {
    let conversion = Conversion::default();
    let bindings = Bindings::of(&[registers(dxil)], &conversion);
    let mut out = NodeModules { modules: Vec::new(), always_valid: Vec::new(), bindings: bindings.rows_of(0) };
    let stripped = if dxil.is_sound() {
        stripped(dxil)
    } else {
        Err("the container has invalid parts, see the other findings".to_owned())
    };
    let found = stripped.as_ref().map_err(String::as_str).and_then(|other| {
        let dxil = other.as_ref().unwrap_or(dxil);
        Ok((dxil, dxil.program.as_ref().ok_or("the container has no program")?))
    });
    let (dxil, program) = match found {
        Ok(found) => found,
        Err(why) => {
            out.modules = nodes.iter().map(|_| Err(Failure::from(why.to_owned()))).collect();
            return out;
        }
    };
    let file = match substitute(dxil, program, IS_VALID, IS_NAN) {
        Ok(substituted) => {
            out.always_valid = substituted.left;
            substituted.file
        }
        Err(_) => dxil.file().to_vec(),
    };
    let (parsed, logged) = listening(|| parsed(dxil, &file));
    let parsed = parsed.map_err(|why| Failure::of_converter(&why, &logged));
    for node in nodes {
        let refused = unsupported::refused(&program.module, &EntryPoint::default(), node.function);
        let module = match (refused, &parsed) {
            (Some(refused), _) => Err(refused.why.into()),
            (None, Err(why)) => Err(why.clone()),
            (None, Ok(parsed)) => {
                let (words, logged) = listening(|| one(parsed, node, &bindings, &conversion));
                words
                    .map_err(|why| Failure::of_converter(&why, &logged))
                    .and_then(|words| Module::parse(words).map_err(|error| format!("SPIR-V, {error}").into()))
            }
        };
        out.modules.push(module);
    }
    out
}

fn one(
    parsed: &ParsedBlob,
    node: &NodeFunction<'_>,
    bindings: &Bindings,
    conversion: &Conversion,
) -> Result<Vec<u32>, String> {
    let text = |error: dxil_spirv::Error| error.to_string();
    let count = parsed.num_entry_points().map_err(text)?;
    let mut names = (0..count).filter_map(|index| parsed.entry_point_name(index).ok());
    let name = names
        .find(|name| escaped(name.as_bytes()) == node.function)
        .ok_or("dxil-spirv did not find the entry point")?;
    let mut converter = Converter::new(parsed).map_err(text)?;
    converter.set_entry_point(&name).map_err(text)?;
    for option in node_options(conversion) {
        converter.add_option(&option).map_err(text)?;
    }
    bindings.apply(&mut converter);
    for parameter in node.local {
        local(&mut converter, parameter)?;
    }
    converter.run().map_err(text)?;
    converter.compiled_spirv().map(repair::access_chains).map_err(text)
}

/// Declares a parameter of a local root signature.
fn local(converter: &mut Converter, parameter: &Parameter) -> Result<(), String> {
    let (space, register) = (parameter.space.unwrap_or(0), parameter.register.unwrap_or(0));
    let class = match &*parameter.kind {
        "constants" => {
            converter.add_local_root_constants(space, register, parameter.constants.unwrap_or(0));
            return Ok(());
        }
        "cbv" => ResourceClass::Cbv,
        "srv" => ResourceClass::Srv,
        "uav" => ResourceClass::Uav,
        other => {
            return Err(format!(
                "its local root signature has a {other}; only constants and root descriptors are supported"
            ));
        }
    };
    converter.add_local_root_descriptor(class, space, register);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_with_debug_information_are_converted_too() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../dxil/tests/data/node.lib.dxil");
        let dxil = Dxil::read(std::fs::read(path).expect("reads")).expect("is a container");
        let debug = dxil.bitcode(dxil.debug.as_ref().expect("debug information")).to_vec();
        let debug = Dxil::read(debug).expect("is bitcode");
        let nodes = ["Tiles", "Counts"].map(|function| NodeFunction { function, local: &[] });
        let [own, with] = [&dxil, &debug].map(|dxil| node_modules(dxil, &nodes));
        let words = |all: &NodeModules| -> Vec<Vec<u32>> {
            all.modules.iter().map(|module| module.as_ref().expect("is converted").words().to_vec()).collect()
        };
        assert_eq!(words(&own).len(), 2);
        assert_eq!(words(&own), words(&with));
    }
}
