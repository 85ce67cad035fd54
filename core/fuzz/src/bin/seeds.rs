//! Writes the seeds of the targets into `corpus`, a folder for each target.

use std::fs;
use std::path::Path;

fn main() -> std::io::Result<()> {
    let seeds = lanescope_fuzz::seeds()?;
    for seed in &seeds {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(seed.target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(&seed.name), &seed.data)?;
    }
    println!("{} seeds", seeds.len());
    Ok(())
}

/// The reader's counters call these. This program runs it once and counts nothing.
#[allow(unsafe_code, reason = "the names are those that instrumented code links to")]
mod uncounted {
    macro_rules! ignored {
        ($($name:ident ( $($type:ty),* );)+) => {
            $(
                #[unsafe(no_mangle)]
                extern "C" fn $name($(_: $type),*) {}
            )+
        };
    }
    ignored! {
        __sanitizer_cov_8bit_counters_init(*const u8, *const u8);
        __sanitizer_cov_pcs_init(*const u8, *const u8);
        __sanitizer_cov_trace_pc_indir(usize);
        __sanitizer_cov_trace_cmp1(u8, u8);
        __sanitizer_cov_trace_cmp2(u16, u16);
        __sanitizer_cov_trace_cmp4(u32, u32);
        __sanitizer_cov_trace_cmp8(u64, u64);
        __sanitizer_cov_trace_const_cmp1(u8, u8);
        __sanitizer_cov_trace_const_cmp2(u16, u16);
        __sanitizer_cov_trace_const_cmp4(u32, u32);
        __sanitizer_cov_trace_const_cmp8(u64, u64);
        __sanitizer_cov_trace_switch(u64, *const u64);
    }
}
