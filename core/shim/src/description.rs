//! The GPU that the library stands for, as the environment describes it.

/// The variable that describes the GPU, as in `0x9a49 revision=3 topology=1x6x16 local=0 kernel=i915`: the PCI device,
/// then what [`Description`] holds. The last four may be left out.
pub const VARIABLE: &str = "LANESCOPE_INTEL_GPU";

/// The kernel's driver that the library stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernel {
    /// All generations up to Xe.
    I915,
    /// Xe2 and later.
    Xe,
}

/// A GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Description {
    /// The PCI device.
    pub device: u16,
    /// The PCI revision.
    pub revision: u8,
    /// Slices of the GPU.
    pub slices: u8,
    /// Subslices of each slice.
    pub subslices: u8,
    /// Execution units of each subslice.
    pub units: u8,
    /// Memory of its own, in bytes; 0 for a GPU that uses the system's memory alone.
    pub local: u64,
    /// Which driver answers.
    pub kernel: Kernel,
    /// The version of the graphics IP, which xe reports: major, minor.
    pub ip: (u16, u16),
}

impl Description {
    /// The GPU that a text describes; `None` for a text of another form.
    pub fn parse(text: &str) -> Option<Description> {
        let mut words = text.split_ascii_whitespace();
        let device = u16::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok()?;
        let mut out = Description {
            device,
            revision: 0,
            slices: 1,
            subslices: 6,
            units: 16,
            local: 0,
            kernel: Kernel::I915,
            ip: (0, 0),
        };
        for word in words {
            match word.split_once('=')? {
                ("revision", value) => out.revision = value.parse().ok()?,
                ("topology", value) => {
                    let counts: Vec<u8> = value.split('x').map(|count| count.parse().ok()).collect::<Option<_>>()?;
                    let [slices, subslices, units] = counts[..] else { return None };
                    let is_possible = [slices, subslices, units].iter().all(|count| (1..=MOST).contains(count));
                    if !is_possible {
                        return None;
                    }
                    (out.slices, out.subslices, out.units) = (slices, subslices, units);
                }
                ("local", value) => out.local = value.parse().ok()?,
                ("kernel", "i915") => out.kernel = Kernel::I915,
                ("kernel", "xe") => out.kernel = Kernel::Xe,
                ("ip", value) => {
                    let (major, minor) = value.split_once('.')?;
                    out.ip = (major.parse().ok()?, minor.parse().ok()?);
                }
                _ => return None,
            }
        }
        Some(out)
    }

    /// The GPU that this process's environment describes.
    pub fn of_process() -> Option<Description> {
        let text = std::env::var(VARIABLE).ok()?;
        let out = Description::parse(&text);
        if out.is_none() {
            eprintln!("{VARIABLE}: expected `0xDEVICE [revision=N] [topology=SxSxE] [local=BYTES] …`, found `{text}`");
        }
        out
    }

    /// All subslices.
    pub fn all_subslices(&self) -> u32 {
        u32::from(self.slices) * u32::from(self.subslices)
    }

    /// All execution units.
    pub fn all_units(&self) -> u32 {
        self.all_subslices() * u32::from(self.units)
    }
}

/// Above every GPU's count of slices, subslices of a slice, or units of a subslice.
const MOST: u8 = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_read_or_refused() {
        let tiger_lake = Description::parse("0x9a49 revision=3 topology=1x6x16").expect("it is one");
        assert_eq!((tiger_lake.device, tiger_lake.revision), (0x9a49, 3));
        assert_eq!((tiger_lake.all_subslices(), tiger_lake.all_units()), (6, 96));
        let battlemage = Description::parse("0xe20b topology=5x4x8 local=1024 kernel=xe ip=20.1").expect("it is one");
        assert_eq!((battlemage.kernel, battlemage.local, battlemage.ip), (Kernel::Xe, 1024, (20, 1)));
        for wrong in ["", "9a49", "0x9a49 topology=1x6", "0x9a49 topology=0x6x16", "0x9a49 colour=red", "0x19a49"] {
            assert_eq!(Description::parse(wrong), None, "{wrong}");
        }
    }
}
