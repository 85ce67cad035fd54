//! Arguments of commands that run a program: contents of buffers and images, push constants.

use std::path::{Path, PathBuf};

use clap::Args;
use lanescope_core::gpu::Inputs;
use lanescope_core::program::Program;
use lanescope_core::run::inputs::{CompareOp, DrawInputs, Topology};

use super::CliError;
use lanescope_host::inputs::{Contents, DrawSource, Filling, PushText, SamplerText, size};

/// What a program is run with.
#[derive(Debug, Clone, Args)]
pub struct InputArgs {
    /// Seed of the pseudorandom contents of buffers and images without a file
    #[arg(long, alias = "fill", value_name = "N", default_value_t = 0, help_heading = "Run")]
    seed: u64,

    /// Fill buffers and images without a file with zeros
    #[arg(long, conflicts_with = "seed", help_heading = "Run")]
    zeros: bool,

    /// Contents of a buffer or an image: a file (of an image also PNG, KTX2 or DDS), 'TYPE 1,2,3', or a buffer's size in
    /// bytes; of a texel buffer also its format, as in 'R16_UNORM:FILE' (may be repeated)
    #[arg(long, value_name = "u0|SET:BINDING=[FORMAT:]FILE|VALUES|BYTES", help_heading = "Run")]
    buffer: Vec<Filling>,

    /// State of a sampler, or of the sampler of an image, instead of a linear one that repeats: 'linear', 'nearest', address
    /// modes, 'border=COLOR', 'compare=OP', 'max-lod=N' (may be repeated)
    #[arg(long, value_name = "s0|SET:BINDING=STATE,…", help_heading = "Run")]
    sampler: Vec<SamplerText>,

    #[command(flatten)]
    push: PushArgs,

    #[command(flatten)]
    draw: DrawArgs,
}

/// What a graphics pipeline draws.
#[derive(Debug, Clone, Args)]
pub struct DrawArgs {
    /// Vertices instead of the scene's: a CSV file with a line of attributes (`position.x`, `location1[2]`), then one line per
    /// vertex; or the triangles of an OBJ file, by the names of attributes
    #[arg(long, value_name = "FILE", help_heading = "Draw")]
    vertices: Option<PathBuf>,

    /// Indices of the draw: a file with numbers; `restart` ends a strip if the pipeline enables primitive restart
    #[arg(long, value_name = "FILE", help_heading = "Draw")]
    indices: Option<PathBuf>,

    /// Number of vertices, or of indices, that are drawn [default: all]
    #[arg(long, value_name = "N", help_heading = "Draw")]
    vertex_count: Option<u32>,

    /// Number of instances that are drawn [default: 1]
    #[arg(long, value_name = "N", help_heading = "Draw")]
    instances: Option<u32>,

    /// Depths that the depth attachment holds before the draw: a gray PNG file, KTX2, DDS, or 32-bit numbers
    #[arg(long, value_name = "FILE", help_heading = "Draw")]
    depth: Option<PathBuf>,

    /// Depth test with a depth attachment that is written [default: that of the pipeline description, else none]
    #[arg(long, value_name = "COMPARISON", value_parser = CompareOp::typed, help_heading = "Draw")]
    depth_test: Option<CompareOp>,

    /// Primitive topology [default: that of the pipeline description, else TRIANGLE_LIST]
    #[arg(long, value_name = "TOPOLOGY", value_parser = Topology::typed, help_heading = "Draw")]
    topology: Option<Topology>,

    /// Width and height of the attachments in pixels [default: those of the depths, else 64x64]
    #[arg(long, value_name = "WxH", value_parser = size, help_heading = "Draw")]
    size: Option<[u32; 2]>,
}

impl DrawArgs {
    fn source(&self) -> DrawSource {
        let DrawArgs { vertices, indices, vertex_count, instances, depth, depth_test, topology, size } = self;
        let draw = DrawInputs {
            depth_test: *depth_test,
            count: *vertex_count,
            instances: *instances,
            topology: *topology,
            size: *size,
            ..DrawInputs::default()
        };
        DrawSource { vertices: vertices.clone(), indices: indices.clone(), depth: depth.clone(), draw }
    }
}

/// Push constants.
#[derive(Debug, Clone, Args)]
pub struct PushArgs {
    /// Push constants by the names of the block's members: 'float scale=2; uvec2 size=8,8', or a file of such lines (may
    /// be repeated)
    #[arg(long, value_name = "NAME=VALUE;…|@FILE", allow_hyphen_values = true, help_heading = "Run")]
    push: Vec<String>,

    /// Push constants as bytes in hexadecimal digits, from the beginning or from an offset (may be repeated)
    #[arg(long, value_name = "[OFFSET:]HEX", help_heading = "Run")]
    push_hex: Vec<String>,
}

impl InputArgs {
    /// Reads the files that are named.
    pub fn read(&self) -> Result<Contents, CliError> {
        let push = self
            .push
            .push
            .iter()
            .map(|text| PushText::read(text, Path::new("")).map_err(|why| format!("--push: {why}")));
        let hex = self.push.push_hex.iter().map(|text| PushText::hex(text).map_err(|why| format!("--push-hex: {why}")));
        let push = push.chain(hex).collect::<Result<_, _>>().map_err(CliError::Unusable)?;
        let draw = self.draw.source().read(Path::new("")).map_err(CliError::Unusable)?;
        let contents = Contents::read(&self.buffer).map_err(CliError::Unusable)?;
        Ok(contents.with_samplers(self.sampler.clone()).with_push(push).with_draw(draw))
    }

    /// What a program is run with, of the contents that were read.
    pub fn inputs(&self, contents: &Contents, program: &Program) -> Result<Inputs, CliError> {
        contents.inputs(program, self.seed, self.zeros).map_err(CliError::Unusable)
    }

    /// A flag that a run of a work graph does not take, as typed.
    pub fn of_programs_only(&self) -> Option<String> {
        let flags = [
            (!self.sampler.is_empty(), "sampler"),
            (!self.push.push.is_empty(), "push"),
            (!self.push.push_hex.is_empty(), "push-hex"),
        ];
        let own = flags.into_iter().find(|(given, _)| *given).map(|(_, flag)| flag);
        own.or_else(|| self.draw.source().first()).map(|flag| format!("--{flag}"))
    }
}
