//! The table of AMD's chips. A chip is one row; [`super::ip`] has what the chips of its graphics IP share.

use super::FamilyName;
use super::ip::{GFX8, GFX9, GFX10_1, GFX10_3, GFX11, GFX11_5, GFX12, GraphicsIp, UNKNOWN};

/// One row of the target table.
#[derive(Debug)]
pub struct TargetInfo {
    /// The row's target.
    pub target: Target,
    /// The name that reports write.
    pub name: &'static str,
    /// Its graphics IP.
    pub ip: &'static GraphicsIp,
    /// Other names that flags take: AMD's code names, products, graphics IPs.
    pub aliases: &'static [&'static str],
    /// Key of the register tables; `None` where there are none for this chip's graphics IP.
    pub register_ip: Option<&'static str>,
    /// Names under which Mesa's AMD driver offers the chip without the hardware, those of newer versions first.
    pub mesa_names: &'static [&'static str],
    /// What the chip is, in a few words.
    pub about: &'static str,
}

/// What is known of a chip that only a driver knows.
pub(super) static NAMED: TargetInfo = TargetInfo {
    target: Target::Gfx803,
    name: "",
    ip: &UNKNOWN,
    aliases: &[],
    register_ip: UNKNOWN.register_tables,
    mesa_names: &[],
    about: "known to the driver only",
};

macro_rules! targets {
    ($($target:ident = $name:literal of $ip:ident, $about:literal,
       aliases [$($alias:literal),*], mesa [$($mesa:literal),*];)*) => {
        /// A chip of AMD.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Target {
            $(#[doc = $about] $target,)*
            /// A chip that only the driver knows, by the driver's name for it. It has no register tables.
            Named(FamilyName),
        }

        /// Every target that has a name here, oldest first.
        pub const TARGETS: &[TargetInfo] = &[$(TargetInfo {
            target: Target::$target,
            name: $name,
            ip: &$ip,
            aliases: &[$($alias),*],
            register_ip: $ip.register_tables,
            mesa_names: &[$($mesa),*],
            about: $about,
        }),*];
    };
}

targets! {
    Gfx803 = "gfx803" of GFX8, "Polaris 10: driver only",
        aliases ["polaris10", "rx580"], mesa ["polaris10"];
    Gfx900 = "gfx900" of GFX9, "Vega 10: driver only",
        aliases ["vega10", "rxvega64"], mesa ["vega10"];
    Gfx902 = "gfx902" of GFX9, "Raven Ridge: driver only",
        aliases ["raven"], mesa ["raven"];
    Gfx904 = "gfx904" of GFX9, "Vega 12: driver only",
        aliases ["vega12"], mesa ["vega12"];
    Gfx906 = "gfx906" of GFX9, "Vega 20: driver only",
        aliases ["vega20", "radeonvii"], mesa ["vega20"];
    Gfx909 = "gfx909" of GFX9, "Raven 2: driver only",
        aliases ["raven2"], mesa ["raven2"];
    Gfx90c = "gfx90c" of GFX9, "Renoir: driver only",
        aliases ["renoir"], mesa ["renoir"];
    Gfx1010 = "gfx1010" of GFX10_1, "Navi 10",
        aliases ["navi10", "gfx10.1", "rx5700xt"], mesa ["navi10"];
    Gfx1011 = "gfx1011" of GFX10_1, "Navi 12",
        aliases ["navi12"], mesa ["navi12"];
    Gfx1012 = "gfx1012" of GFX10_1, "Navi 14",
        aliases ["navi14", "rx5500xt"], mesa ["navi14"];
    Gfx1030 = "gfx1030" of GFX10_3, "Navi 21",
        aliases ["navi21", "gfx10.3", "rx6800", "rx6900xt"], mesa ["navi21"];
    Gfx1031 = "gfx1031" of GFX10_3, "Navi 22",
        aliases ["navi22", "rx6700xt"], mesa ["navi22"];
    Gfx1032 = "gfx1032" of GFX10_3, "Navi 23",
        aliases ["navi23", "rx6600"], mesa ["navi23"];
    Gfx1033 = "gfx1033" of GFX10_3, "Van Gogh",
        aliases ["vangogh", "steamdeck"], mesa ["vangogh"];
    Gfx1034 = "gfx1034" of GFX10_3, "Navi 24",
        aliases ["navi24", "rx6500xt"], mesa ["navi24"];
    Gfx1035 = "gfx1035" of GFX10_3, "Rembrandt",
        aliases ["rembrandt", "radeon680m"], mesa ["rembrandt"];
    Gfx1036 = "gfx1036" of GFX10_3, "Raphael and Mendocino",
        aliases ["raphael", "mendocino", "raphael_mendocino"], mesa ["raphael_mendocino", "gfx1036"];
    Gfx1100 = "gfx1100" of GFX11, "Navi 31",
        aliases ["navi31", "gfx11", "rx7900xt", "rx7900xtx"], mesa ["navi31", "gfx1100"];
    Gfx1101 = "gfx1101" of GFX11, "Navi 32",
        aliases ["navi32", "rx7800xt"], mesa ["navi32", "gfx1101"];
    Gfx1102 = "gfx1102" of GFX11, "Navi 33",
        aliases ["navi33", "rx7600"], mesa ["navi33", "gfx1102"];
    Gfx1103 = "gfx1103" of GFX11, "Phoenix",
        aliases ["phoenix", "radeon780m"], mesa ["phoenix", "gfx1103_r1"];
    Gfx1150 = "gfx1150" of GFX11_5, "Strix Point, RDNA 3.5: driver only",
        aliases ["strix1", "strixpoint", "radeon890m"], mesa ["strix1", "gfx1150"];
    Gfx1151 = "gfx1151" of GFX11_5, "Strix Halo, RDNA 3.5: driver only",
        aliases ["strix_halo", "radeon8060s"], mesa ["strix_halo", "gfx1151"];
    Gfx1152 = "gfx1152" of GFX11_5, "Krackan Point, RDNA 3.5: driver only",
        aliases ["krackan1", "krackanpoint", "radeon860m"], mesa ["krackan1", "gfx1152"];
    Gfx1153 = "gfx1153" of GFX11_5, "RDNA 3.5: driver only",
        aliases [], mesa ["gfx1153"];
    Gfx1200 = "gfx1200" of GFX12, "Navi 44",
        aliases ["gfx12", "navi44", "rx9060xt"], mesa ["gfx1200"];
    Gfx1201 = "gfx1201" of GFX12, "Navi 48",
        aliases ["navi48", "rx9070", "rx9070xt"], mesa ["gfx1201"];
}
