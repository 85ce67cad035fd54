//! The table of chips of other vendors than AMD.

use super::Vendor;

/// A chip, and how its driver is made to see it.
#[derive(Debug)]
pub struct OtherInfo {
    /// The name that reports write.
    pub name: &'static str,
    /// Other names that flags take: products and code names.
    pub aliases: &'static [&'static str],
    /// Who makes it.
    pub vendor: Vendor,
    /// What it is, in a few words.
    pub about: &'static str,
    /// The driver's library, without `.so`: which of the installed manifests is the driver's.
    pub driver: &'static str,
    /// What the library that stands in for the kernel's driver takes as its name. For Intel a description: PCI device and
    /// revision, slices, subslices of a slice, units of a subslice, own memory in bytes, the kernel's driver.
    pub id: &'static str,
    /// A part of the device's name by which the driver shows that it is this chip; empty where it shows none.
    pub shows: &'static str,
}

impl OtherInfo {
    /// All names.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}

const fn row(
    [name, about, driver, id, shows]: [&'static str; 5],
    vendor: Vendor,
    aliases: &'static [&'static str],
) -> OtherInfo {
    OtherInfo { name, aliases, vendor, about, driver, id, shows }
}

/// Every chip, by vendor, oldest first. Numbers of Intel's GPUs: Mesa's `intel_device_info.c` and `iris_pci_ids.h`; of
/// the others: Mesa's `src/freedreno/common/freedreno_devices.py`, and the chipsets of nouveau.
pub const OTHERS: &[OtherInfo] = &[
    row(
        ["ivb", "Ivy Bridge GT2", "libvulkan_intel_hasvk", "0x0166 revision=9 topology=1x1x16", ""],
        Vendor::Intel,
        &["ivybridge"],
    ),
    row(
        ["hsw", "Haswell GT2", "libvulkan_intel_hasvk", "0x0412 revision=6 topology=1x2x10", ""],
        Vendor::Intel,
        &["haswell"],
    ),
    row(
        ["bdw", "Broadwell GT2", "libvulkan_intel_hasvk", "0x1616 revision=9 topology=1x3x8", ""],
        Vendor::Intel,
        &["broadwell"],
    ),
    row(["skl", "Skylake GT2", "libvulkan_intel", "0x1916 revision=7 topology=1x3x8", ""], Vendor::Intel, &["skylake"]),
    row(
        ["apl", "Apollo Lake", "libvulkan_intel", "0x5a84 revision=11 topology=1x3x6", ""],
        Vendor::Intel,
        &["bxt", "apollolake"],
    ),
    row(
        ["glk", "Gemini Lake", "libvulkan_intel", "0x3184 revision=3 topology=1x3x6", ""],
        Vendor::Intel,
        &["geminilake"],
    ),
    row(
        ["kbl", "Kaby Lake GT2", "libvulkan_intel", "0x5916 revision=7 topology=1x3x8", ""],
        Vendor::Intel,
        &["kabylake"],
    ),
    row(
        ["cfl", "Coffee Lake GT2", "libvulkan_intel", "0x3e92 revision=0 topology=1x3x8", ""],
        Vendor::Intel,
        &["coffeelake"],
    ),
    row(
        ["icl", "Ice Lake GT2", "libvulkan_intel", "0x8a52 revision=7 topology=1x8x8", ""],
        Vendor::Intel,
        &["icelake"],
    ),
    row(
        ["ehl", "Elkhart Lake", "libvulkan_intel", "0x4571 revision=1 topology=1x4x8", ""],
        Vendor::Intel,
        &["elkhartlake", "jasperlake"],
    ),
    row(
        ["tgl", "Tiger Lake GT2", "libvulkan_intel", "0x9a49 revision=3 topology=1x6x16", ""],
        Vendor::Intel,
        &["tigerlake"],
    ),
    row(
        ["rkl", "Rocket Lake GT1", "libvulkan_intel", "0x4c8a revision=4 topology=1x2x16", ""],
        Vendor::Intel,
        &["rocketlake"],
    ),
    row(
        ["adl-s", "Alder Lake S GT1", "libvulkan_intel", "0x4680 revision=12 topology=1x2x16", ""],
        Vendor::Intel,
        &["alderlake-s"],
    ),
    row(
        ["adl", "Alder Lake P GT2", "libvulkan_intel", "0x46a6 revision=12 topology=1x6x16", ""],
        Vendor::Intel,
        &["alderlake", "adl-p"],
    ),
    row(
        ["rpl", "Raptor Lake P", "libvulkan_intel", "0xa7a0 revision=4 topology=1x6x16", ""],
        Vendor::Intel,
        &["raptorlake", "rpl-p"],
    ),
    row(
        ["dg1", "DG1", "libvulkan_intel", "0x4905 revision=1 topology=1x6x16 local=4294967296", ""],
        Vendor::Intel,
        &["xemax"],
    ),
    row(
        ["dg2", "DG2 G10, Arc A770", "libvulkan_intel", "0x56a0 revision=8 topology=8x4x16 local=8589934592", ""],
        Vendor::Intel,
        &["arc-a770", "a770", "dg2-g10", "alchemist"],
    ),
    row(
        ["dg2-g11", "DG2 G11, Arc A380", "libvulkan_intel", "0x56a5 revision=5 topology=2x4x16 local=6442450944", ""],
        Vendor::Intel,
        &["arc-a380", "a380"],
    ),
    row(
        ["mtl", "Meteor Lake H", "libvulkan_intel", "0x7d55 revision=4 topology=2x4x16", ""],
        Vendor::Intel,
        &["meteorlake"],
    ),
    row(
        ["arl", "Arrow Lake H", "libvulkan_intel", "0x7d51 revision=4 topology=2x4x16", ""],
        Vendor::Intel,
        &["arrowlake"],
    ),
    row(
        ["lnl", "Lunar Lake, Xe2", "libvulkan_intel", "0x64a0 revision=4 topology=2x4x8 kernel=xe ip=20.4", ""],
        Vendor::Intel,
        &["lunarlake"],
    ),
    row(
        [
            "bmg",
            "Battlemage G21, Arc B580",
            "libvulkan_intel",
            "0xe20b revision=0 topology=5x4x8 local=12884901888 kernel=xe ip=20.1",
            "",
        ],
        Vendor::Intel,
        &["battlemage", "arc-b580", "b580"],
    ),
    row(
        ["ptl", "Panther Lake, Xe3", "libvulkan_intel", "0xb080 revision=4 topology=3x4x8 kernel=xe ip=30.0", ""],
        Vendor::Intel,
        &["pantherlake"],
    ),
    row(["gk104", "Kepler", "libvulkan_nouveau", "e4", ""], Vendor::Nvidia, &["gtx680"]),
    row(["gk110", "Kepler", "libvulkan_nouveau", "f0", ""], Vendor::Nvidia, &["gtx780"]),
    row(["gm107", "Maxwell", "libvulkan_nouveau", "117", ""], Vendor::Nvidia, &["gtx750ti"]),
    row(["gm204", "Maxwell", "libvulkan_nouveau", "124", ""], Vendor::Nvidia, &["gtx980"]),
    row(["gp102", "Pascal", "libvulkan_nouveau", "132", ""], Vendor::Nvidia, &["gtx1080ti"]),
    row(["gp104", "Pascal", "libvulkan_nouveau", "134", ""], Vendor::Nvidia, &["gtx1080"]),
    row(["gv100", "Volta", "libvulkan_nouveau", "140", ""], Vendor::Nvidia, &["titanv"]),
    row(["tu102", "Turing", "libvulkan_nouveau", "162", ""], Vendor::Nvidia, &["rtx2080ti"]),
    row(["tu116", "Turing", "libvulkan_nouveau", "168", ""], Vendor::Nvidia, &["gtx1660"]),
    row(["ga102", "Ampere", "libvulkan_nouveau", "172", ""], Vendor::Nvidia, &["rtx3090"]),
    row(["ga106", "Ampere", "libvulkan_nouveau", "176", ""], Vendor::Nvidia, &["rtx3060"]),
    row(["ad102", "Ada", "libvulkan_nouveau", "192", ""], Vendor::Nvidia, &["rtx4090"]),
    row(["ad107", "Ada", "libvulkan_nouveau", "197", ""], Vendor::Nvidia, &["rtx4060"]),
    row(["gb202", "Blackwell", "libvulkan_nouveau", "1b2", ""], Vendor::Nvidia, &["rtx5090"]),
    row(["adreno610", "Adreno 6xx", "libvulkan_freedreno", "610", "610"], Vendor::Qualcomm, &["a610"]),
    row(["adreno618", "Adreno 6xx", "libvulkan_freedreno", "618", "618"], Vendor::Qualcomm, &["a618"]),
    row(["adreno630", "Adreno 6xx", "libvulkan_freedreno", "630", "630"], Vendor::Qualcomm, &["a630"]),
    row(["adreno660", "Adreno 6xx", "libvulkan_freedreno", "660", "660"], Vendor::Qualcomm, &["a660"]),
    row(["adreno702", "Adreno 7xx", "libvulkan_freedreno", "702", "702"], Vendor::Qualcomm, &["a702"]),
    row(["adreno730", "Adreno 7xx", "libvulkan_freedreno", "730", "730"], Vendor::Qualcomm, &["a730"]),
    row(["adreno740", "Adreno 7xx", "libvulkan_freedreno", "740", "740"], Vendor::Qualcomm, &["a740"]),
    row(["adreno750", "Adreno 7xx", "libvulkan_freedreno", "750", "750"], Vendor::Qualcomm, &["a750"]),
    row(["adreno810", "Adreno 8xx", "libvulkan_freedreno", "810", "810"], Vendor::Qualcomm, &["a810"]),
    row(["adreno830", "Adreno 8xx", "libvulkan_freedreno", "830", "830"], Vendor::Qualcomm, &["a830"]),
    row(["m1", "Apple M1, G13G", "libvulkan_asahi", "m1", "M1"], Vendor::Apple, &["g13g"]),
];
