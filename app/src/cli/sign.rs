//! `lanescope sign`: a DXIL container with another digest.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use lanescope_core::dxil::Signature;
use lanescope_core::findings::Severity;
use lanescope_core::load::MAX_FILE;
use lanescope_host::files::read_at_most;
use lanescope_host::safe_write::write_file;
use lanescope_host::signing::{DigestText, Signed, sign};

use super::loading::Loading;
use super::{CliError, Verdict, serious, streams, tell_findings};

pub const EXAMPLES: &str = "\
Examples:
  lanescope sign dxil/lit_surface.ps.dxil -o signed.dxil
                                        the hash of the contents; a preview digest for shader model 6.10
  lanescope sign --none dxil/lit_surface.ps.dxil -o unsigned.dxil
                                        no digest, as `dxc -Vd` writes it
  lanescope sign --bypass dxil/lit_surface.ps.dxil -o bypass.dxil
                                        D3D12 runs it without the check

The files are in the folder samples.

There is no key: the digest is a checksum, and says that a validator ran. So the container is checked first, and is not written \
if a finding is of severity error, if its parts do not fill it, or if a hash is requested for a shader model that is not \
released. These checks are not those of DXC's validator. The part HASH is of the bitcode, and stays.

Exit status: 0 written, 1 written with findings of severity error (--unchecked), 2 unusable input, a refused signature or an \
existing file.";

/// Arguments of `sign`.
#[derive(Debug, Args)]
pub struct Sign {
    /// DXIL container
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    digest: Digest,

    /// File to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Write it even if the checks find errors
    #[arg(long)]
    unchecked: bool,

    /// Overwrite an existing file
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    loading: Loading,
}

/// Which digest; the one that DXC would write by default.
#[derive(Debug, Args)]
#[group(multiple = false)]
struct Digest {
    /// The hash of the contents (default for released shader models)
    #[arg(long)]
    retail: bool,

    /// The debug variant of that hash
    #[arg(long)]
    debug: bool,

    /// 16 bytes 02: validated, for a shader model that is not released (default for 6.10)
    #[arg(long)]
    preview: bool,

    /// 16 bytes 01: D3D12 does not check the container
    #[arg(long)]
    bypass: bool,

    /// 16 bytes 00: not validated
    #[arg(long)]
    none: bool,
}

impl Digest {
    fn signature(&self) -> Option<Signature> {
        let flags = [
            (self.retail, Signature::Retail),
            (self.debug, Signature::Debug),
            (self.preview, Signature::Preview),
            (self.bypass, Signature::Bypass),
            (self.none, Signature::None),
        ];
        flags.into_iter().find(|(is_set, _)| *is_set).map(|(_, signature)| signature)
    }
}

impl Sign {
    pub fn run(&self) -> Result<Verdict, CliError> {
        let name = self.file.display().to_string();
        let _watchdog = self.loading.watchdog(&format!("signing {name}"));
        let file = read_at_most(&self.file, MAX_FILE).map_err(CliError::Unusable)?;
        let signed = sign(&name, file, self.digest.signature(), self.unchecked).map_err(CliError::Unusable)?;
        write_file(&self.output, &signed.bytes, self.force)?;
        self.print(&signed)?;
        tell_findings(serious(&signed.findings));
        let has_errors = signed.findings.iter().any(|finding| finding.severity == Severity::Error);
        Ok(if has_errors { Verdict::Findings } else { Verdict::Clean })
    }

    fn print(&self, signed: &Signed) -> io::Result<()> {
        let mut out = streams::plain();
        let line = |digest: &DigestText| format!("{} {}", digest.state, digest.bytes);
        writeln!(out, "digest before  {}", line(&signed.before))?;
        writeln!(out, "digest now     {}", line(&signed.after))?;
        writeln!(out, "runtime        {}", signed.after.runtime)?;
        writeln!(out, "wrote          {}", self.output.display())?;
        out.flush()
    }
}
