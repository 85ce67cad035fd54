//! `lanescope help`: a command's help, or a topic's.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use clap::Args;
use lanescope_core::findings::RULES;
use lanescope_core::options::ConversionSwitch;
use lanescope_core::target::TARGETS;

use super::{CliError, Verdict};

/// How `error:` looks where colour is wanted.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();

pub const EXAMPLES: &str = "\
Examples:
  lanescope                             the window, with the samples to choose from
  lanescope lit_surface.vert lit_surface.frag
                                        the window, with a pipeline
  lanescope tile_16x16.comp --compare odd_size.comp
                                        the window, with two programs compared
  lanescope inspect lit_surface.vert lit_surface.frag
                                        the same as text
  lanescope doctor                      what this machine offers
  lanescope help findings               every finding's code, and what it means
  lanescope help dxil                   DXIL and HLSL: opening, converting, running

The files are those of the folder samples.";

/// What `help` takes.
#[derive(Debug, Args)]
pub struct Help {
    /// A command, or `dxil`, `findings`, `targets`
    topic: Option<String>,
}

impl Help {
    pub fn run(&self, command: &mut clap::Command) -> Result<Verdict, CliError> {
        let mut out = anstream::AutoStream::auto(io::stdout().lock());
        match self.topic.as_deref() {
            None => write!(out, "{}", command.render_long_help().ansi())?,
            Some("dxil") => dxil(&mut out)?,
            Some("findings") => findings(&mut out)?,
            Some("targets") => targets(&mut out)?,
            Some(topic) => match command.find_subcommand_mut(topic).filter(|found| !found.is_hide_set()) {
                Some(found) => {
                    let mut found = found.clone().bin_name(format!("lanescope {topic}"));
                    write!(out, "{}", found.render_long_help().ansi())?;
                }
                None => {
                    let commands = command_names(command).join(", ");
                    let message = format!("no help for `{topic}`; there is {commands}, dxil, findings, targets");
                    return Err(CliError::Unusable(message));
                }
            },
        }
        out.flush()?;
        Ok(Verdict::Clean)
    }
}

/// The commands that a user may type.
pub fn command_names(command: &clap::Command) -> Vec<String> {
    command.get_subcommands().filter(|c| !c.is_hide_set()).map(|c| c.get_name().to_owned()).collect()
}

/// What DXIL needs, from opening a container to running it.
const DXIL: &str = "\
Containers of Direct3D 12 open like any shader: .dxil, .cso and .dxbc by their content, HLSL where its compiler is installed.

What is in it
  lanescope inspect lit.ps.dxil              parts, digest, signatures, resources, reflection, ops, findings
  lanescope inspect lit.ps.dxil --format json    the same; section `dxil`, further containers in its `others`
  lanescope help findings                    C… about the container, X… about ops, D… about disagreements
  lanescope opcodes --help                   the tables of ops, and tools for tests that name them by number

On to SPIR-V
  Each entry point becomes a module of its own, and packs, swizzles, compiles and runs like any other. Files of several
  stages meet by their semantics: lanescope inspect lit.vs.dxil lit.ps.dxil. Spaces become sets and registers bindings,
  both numbered without gaps; the report says which register went where. What does not convert is finding D005, which
  names the op that stops it. Bytecode of shader model 5 converts too; its instructions are not shown.

  lanescope rewrite lit.vs.dxil lit.ps.dxil --out packed    the converted modules, with the packing put into them
  lanescope run scan.cs.dxil --buffer t0=numbers.bin --zeros    registers name descriptors: u0, or t3,space1
  lanescope inspect hostile.dxil --isolate   the converter in a child process: its crash is an error message

How it is converted
  --dxil-bindings compact|registers          registers numbered without gaps, or as they are, even where t0 meets u0
  --dxil-wave-size N                         lanes of a wave, in place of what the shader says
  --dxil-with SWITCH[,SWITCH…]               one of:
";

/// What HLSL needs.
const HLSL: &str = "\
HLSL
  a.ps.hlsl is compiled as ps_6_6 (vs, hs, ds, gs, ps, cs, as, ms, lib), or as --profile says; --entry names the entry
  point (main otherwise), --dxil-with 16-bit gives 16-bit types. It needs libdxcompiler.so, which the releases of
  DirectXShaderCompiler and the Vulkan SDK bring; LANESCOPE_DXCOMPILER names the file where the system does not find it.
  lanescope doctor says whether it is there.
";

fn dxil(out: &mut impl Write) -> io::Result<()> {
    write!(out, "{DXIL}")?;
    for switch in ConversionSwitch::ALL {
        writeln!(out, "    {:22}  {}", switch.name(), switch.about())?;
    }
    write!(out, "\n{HLSL}")
}

fn findings(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "Findings are rules that a readable shader breaks. Errors make the exit status 1.\n")?;
    for rule in RULES {
        writeln!(out, "  {}  {:7}  {}", rule.code, rule.severity, rule.about)?;
    }
    Ok(())
}

fn targets(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "Every flag that takes a chip takes any of these names, in any case.\n")?;
    for row in TARGETS {
        writeln!(out, "  {:8}  {:18}  {}", row.name, row.aliases.join(", "), row.about)?;
    }
    Ok(())
}
