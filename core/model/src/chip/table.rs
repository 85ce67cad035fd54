//! The table of chips of other vendors than AMD.

use super::Driver;

/// The variable of the library that stands in for Intel's kernel drivers: [`OtherInfo::id`] is its value.
pub const INTEL_GPU: &str = "LANESCOPE_INTEL_GPU";

/// A chip, and how its driver is made to see it.
#[derive(Debug)]
pub struct OtherInfo {
    /// The name that reports write.
    pub name: &'static str,
    /// Other names that flags take: products and code names.
    pub aliases: &'static [&'static str],
    /// What compiles for it.
    pub driver: Driver,
    /// What it is, in a few words.
    pub about: &'static str,
    /// What the library that stands in for the kernel's driver takes as its name. For Intel a description: PCI device and
    /// revision, slices, subslices of a slice, units of a subslice, own memory in bytes, the kernel's driver.
    pub id: &'static str,
}

impl OtherInfo {
    /// All names.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}

const fn row(
    driver: Driver,
    name: &'static str,
    aliases: &'static [&'static str],
    about: &'static str,
    id: &'static str,
) -> OtherInfo {
    OtherInfo { name, aliases, driver, about, id }
}

/// Every chip, by vendor. Numbers of Intel's GPUs: Mesa's `intel_device_info.c` and `iris_pci_ids.h`; of the others: Mesa's
/// `src/freedreno/common/freedreno_devices.py`, and the chipsets of nouveau.
pub const OTHERS: &[OtherInfo] = &[
    row(Driver::Hasvk, "ivb", &["ivybridge"], "Ivy Bridge GT2", "0x0166 revision=9 topology=1x1x16"),
    row(Driver::Hasvk, "hsw", &["haswell"], "Haswell GT2", "0x0412 revision=6 topology=1x2x10"),
    row(Driver::Hasvk, "bdw", &["broadwell"], "Broadwell GT2", "0x1616 revision=9 topology=1x3x8"),
    row(Driver::Anv, "skl", &["skylake"], "Skylake GT2", "0x1916 revision=7 topology=1x3x8"),
    row(Driver::Anv, "apl", &["bxt", "apollolake"], "Apollo Lake", "0x5a84 revision=11 topology=1x3x6"),
    row(Driver::Anv, "glk", &["geminilake"], "Gemini Lake", "0x3184 revision=3 topology=1x3x6"),
    row(Driver::Anv, "kbl", &["kabylake"], "Kaby Lake GT2", "0x5916 revision=7 topology=1x3x8"),
    row(Driver::Anv, "cfl", &["coffeelake"], "Coffee Lake GT2", "0x3e92 revision=0 topology=1x3x8"),
    row(Driver::Anv, "icl", &["icelake"], "Ice Lake GT2", "0x8a52 revision=7 topology=1x8x8"),
    row(Driver::Anv, "ehl", &["elkhartlake", "jasperlake"], "Elkhart Lake", "0x4571 revision=1 topology=1x4x8"),
    row(Driver::Anv, "tgl", &["tigerlake"], "Tiger Lake GT2", "0x9a49 revision=3 topology=1x6x16"),
    row(Driver::Anv, "dg1", &["xemax"], "DG1", "0x4905 revision=1 topology=1x6x16 local=4294967296"),
    row(Driver::Anv, "rkl", &["rocketlake"], "Rocket Lake GT1", "0x4c8a revision=4 topology=1x2x16"),
    row(Driver::Anv, "adl-s", &["alderlake-s"], "Alder Lake S GT1", "0x4680 revision=12 topology=1x2x16"),
    row(Driver::Anv, "adl", &["alderlake", "adl-p"], "Alder Lake P GT2", "0x46a6 revision=12 topology=1x6x16"),
    row(
        Driver::Anv,
        "dg2",
        &["arc-a770", "a770", "dg2-g10", "alchemist"],
        "DG2 G10, Arc A770",
        "0x56a0 revision=8 topology=8x4x16 local=8589934592",
    ),
    row(
        Driver::Anv,
        "dg2-g11",
        &["arc-a380", "a380"],
        "DG2 G11, Arc A380",
        "0x56a5 revision=5 topology=2x4x16 local=6442450944",
    ),
    row(Driver::Anv, "rpl", &["raptorlake", "rpl-p"], "Raptor Lake P", "0xa7a0 revision=4 topology=1x6x16"),
    row(Driver::Anv, "mtl", &["meteorlake"], "Meteor Lake H", "0x7d55 revision=4 topology=2x4x16"),
    row(Driver::Anv, "lnl", &["lunarlake"], "Lunar Lake, Xe2", "0x64a0 revision=4 topology=2x4x8 kernel=xe ip=20.4"),
    row(
        Driver::Anv,
        "bmg",
        &["battlemage", "arc-b580", "b580"],
        "Battlemage G21, Arc B580",
        "0xe20b revision=0 topology=5x4x8 local=12884901888 kernel=xe ip=20.1",
    ),
    row(Driver::Anv, "arl", &["arrowlake"], "Arrow Lake H", "0x7d51 revision=4 topology=2x4x16"),
    row(
        Driver::Anv,
        "ptl",
        &["pantherlake"],
        "Panther Lake, Xe3",
        "0xb080 revision=4 topology=3x4x8 kernel=xe ip=30.0",
    ),
    row(Driver::Nvk, "gk104", &["gtx680"], "Kepler", "e4"),
    row(Driver::Nvk, "gk110", &["gtx780"], "Kepler", "f0"),
    row(Driver::Nvk, "gm107", &["gtx750ti"], "Maxwell", "117"),
    row(Driver::Nvk, "gm204", &["gtx980"], "Maxwell", "124"),
    row(Driver::Nvk, "gp102", &["gtx1080ti"], "Pascal", "132"),
    row(Driver::Nvk, "gp104", &["gtx1080"], "Pascal", "134"),
    row(Driver::Nvk, "gv100", &["titanv"], "Volta", "140"),
    row(Driver::Nvk, "tu102", &["rtx2080ti"], "Turing", "162"),
    row(Driver::Nvk, "tu116", &["gtx1660"], "Turing", "168"),
    row(Driver::Nvk, "ga102", &["rtx3090"], "Ampere", "172"),
    row(Driver::Nvk, "ga106", &["rtx3060"], "Ampere", "176"),
    row(Driver::Nvk, "ad102", &["rtx4090"], "Ada", "192"),
    row(Driver::Nvk, "ad107", &["rtx4060"], "Ada", "197"),
    row(Driver::Nvk, "gb202", &["rtx5090"], "Blackwell", "1b2"),
    row(Driver::Turnip, "adreno610", &["a610"], "Adreno 6xx", "610"),
    row(Driver::Turnip, "adreno618", &["a618"], "Adreno 6xx", "618"),
    row(Driver::Turnip, "adreno630", &["a630"], "Adreno 6xx", "630"),
    row(Driver::Turnip, "adreno660", &["a660"], "Adreno 6xx", "660"),
    row(Driver::Turnip, "adreno702", &["a702"], "Adreno 7xx", "702"),
    row(Driver::Turnip, "adreno730", &["a730"], "Adreno 7xx", "730"),
    row(Driver::Turnip, "adreno740", &["a740"], "Adreno 7xx", "740"),
    row(Driver::Turnip, "adreno750", &["a750"], "Adreno 7xx", "750"),
    row(Driver::Turnip, "adreno810", &["a810"], "Adreno 8xx", "810"),
    row(Driver::Turnip, "adreno830", &["a830"], "Adreno 8xx", "830"),
    row(Driver::Honeykrisp, "m1", &["g13g"], "Apple M1, G13G", "m1"),
];
