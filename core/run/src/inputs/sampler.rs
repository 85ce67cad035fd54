//! Samplers: their state as a device takes it, given or as a run chooses it.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lanescope_pipeline::vulkan::{AddressMode, BorderColor, CompareOp, Filter, MipmapMode, as_typed, expected};

/// The state of a sampler that is given.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GivenSampler {
    /// Descriptor set.
    pub set: u32,
    /// Binding: of a sampler, or of an image with a sampler.
    pub binding: u32,
    /// The element of an array of descriptors; where absent, every element that is not given by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<u32>,
    /// Its state.
    pub state: SamplerState,
}

/// The state of a sampler, by the names of Vulkan. By default the nearest texel of the nearest level, repeated.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SamplerState {
    /// Magnification, minification.
    pub filter: [Filter; 2],
    /// Between levels.
    pub mipmap: MipmapMode,
    /// Beyond the image, by coordinate.
    pub address: [AddressMode; 3],
    /// The color of the border.
    pub border: BorderColor,
    /// The comparison, where it compares.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compare: Option<CompareOp>,
    /// The least and the greatest level of detail.
    pub lod: [f32; 2],
    /// Coordinates count texels.
    pub unnormalized: bool,
}

/// `VK_LOD_CLAMP_NONE`.
const ALL_LEVELS: f32 = 1000.0;

impl Default for SamplerState {
    fn default() -> SamplerState {
        SamplerState {
            filter: [NEAREST; 2],
            mipmap: MipmapMode(0),
            address: [AddressMode(0); 3],
            border: BorderColor(0),
            compare: None,
            lod: [0.0, ALL_LEVELS],
            unnormalized: false,
        }
    }
}

const NEAREST: Filter = Filter(0);
const LINEAR: Filter = Filter(1);
const CLAMP_TO_EDGE: AddressMode = AddressMode(2);
const CLAMP_TO_BORDER: AddressMode = AddressMode(3);
const MIRROR_CLAMP_TO_EDGE: AddressMode = AddressMode(4);

impl SamplerState {
    /// What a run gives a sampler that nothing states: linear where texels can be filtered, repeating; one that compares
    /// asks for less or equal.
    pub fn usual(compare: bool, nearest: bool) -> SamplerState {
        let linear = i32::from(!nearest);
        SamplerState {
            filter: [Filter(linear); 2],
            mipmap: MipmapMode(linear),
            compare: compare.then_some(CompareOp(3)),
            ..SamplerState::default()
        }
    }

    /// Whether it computes with several texels.
    pub fn is_linear(&self) -> bool {
        self.filter.contains(&LINEAR) || self.mipmap == MipmapMode(1)
    }

    /// Whether it may return its border's color.
    pub fn has_border(&self) -> bool {
        self.address.contains(&CLAMP_TO_BORDER)
    }

    /// Whether it mirrors once, which is a feature of devices.
    pub fn mirrors_once(&self) -> bool {
        self.address.contains(&MIRROR_CLAMP_TO_EDGE)
    }

    /// The color of the border: whether it is of integers, and red, green, blue and alpha.
    pub fn border_color(&self) -> Option<(bool, [u8; 4])> {
        Some(match self.border.0 {
            0 => (false, [0; 4]),
            1 => (true, [0; 4]),
            2 => (false, [0, 0, 0, 1]),
            3 => (true, [0, 0, 0, 1]),
            4 => (false, [1; 4]),
            5 => (true, [1; 4]),
            _ => return None,
        })
    }

    /// Refuses what `vkCreateSampler` does not take, and what no run has.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self) -> Result<(), String> {
        if let Some(filter) = self.filter.iter().find(|filter| ![NEAREST, LINEAR].contains(filter)) {
            return Err(format!("filter {filter}: expected NEAREST or LINEAR"));
        }
        if !(0..=1).contains(&self.mipmap.0) {
            return Err(format!("mipmap mode {}: expected NEAREST or LINEAR", self.mipmap));
        }
        if let Some(mode) = self.address.iter().find(|mode| mode.name().is_none()) {
            return Err(format!("address mode {mode} is not known"));
        }
        if self.border_color().is_none() {
            return Err(format!("border color {}: expected one of the six that Vulkan names", self.border));
        }
        if let Some(compare) = self.compare.filter(|compare| compare.name().is_none()) {
            return Err(format!("comparison {compare} is not known"));
        }
        let [least, greatest] = self.lod;
        if !least.is_finite() || !greatest.is_finite() || greatest < least {
            return Err(format!("levels of detail from {least} to {greatest}"));
        }
        if !self.unnormalized {
            return Ok(());
        }
        let wrong = if self.filter[0] != self.filter[1] {
            "one filter for magnification and minification"
        } else if self.mipmap != MipmapMode(0) {
            "the mipmap mode NEAREST"
        } else if self.lod != [0.0; 2] {
            "levels of detail from 0 to 0"
        } else if !self.address[..2].iter().all(|mode| [CLAMP_TO_EDGE, CLAMP_TO_BORDER].contains(mode)) {
            "the address modes CLAMP_TO_EDGE or CLAMP_TO_BORDER"
        } else if self.compare.is_some() {
            "no comparison"
        } else {
            return Ok(());
        };
        Err(format!("coordinates that count texels: Vulkan asks for {wrong}"))
    }
}

/// `linear,clamp-to-border,border=float-opaque-white`: what is not said is as by default. `mag=`, `min=` and `mip=` are
/// filters of their own, `u=`, `v=` and `w=` address modes.
impl FromStr for SamplerState {
    type Err = String;

    fn from_str(text: &str) -> Result<SamplerState, String> {
        let mut out = SamplerState::default();
        for word in text.split(',').map(str::trim) {
            let (name, value) =
                word.split_once('=').map_or((word, None), |(name, value)| (name.trim(), Some(value.trim())));
            out.set(name, value).map_err(|why| format!("`{word}`: {why}"))?;
        }
        // Coordinates of texels have no levels.
        if out.unnormalized && out.lod == SamplerState::default().lod {
            out.lod = [0.0; 2];
        }
        out.check()?;
        Ok(out)
    }
}

impl SamplerState {
    /// Sets a part by its name, or by its value alone where that says what it is of.
    fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        let filter = |text: &str| Filter::typed(text).map_err(|_| "expected nearest or linear");
        let address = AddressMode::typed;
        let level = |text: &str| text.parse::<f32>().map_err(|_| "expected a level of detail".to_owned());
        match (name, value) {
            ("mag", Some(text)) => self.filter[0] = filter(text)?,
            ("min", Some(text)) => self.filter[1] = filter(text)?,
            ("mip", Some(text)) => self.mipmap = MipmapMode(filter(text)?.0),
            ("u", Some(text)) => self.address[0] = address(text)?,
            ("v", Some(text)) => self.address[1] = address(text)?,
            ("w", Some(text)) => self.address[2] = address(text)?,
            ("border", Some(text)) => {
                let found = BorderColor::typed(text);
                self.border = found.map_err(|_| expected(&BorderColor::NAMES[..6]))?;
            }
            ("compare", Some(text)) => self.compare = Some(CompareOp::typed(text)?),
            ("min-lod", Some(text)) => self.lod[0] = level(text)?,
            ("max-lod", Some(text)) => self.lod[1] = level(text)?,
            ("unnormalized", None) => self.unnormalized = true,
            ("nearest" | "linear", None) => {
                let filter = filter(name)?;
                (self.filter, self.mipmap) = ([filter; 2], MipmapMode(filter.0));
            }
            (name, None) if address(name).is_ok() => self.address = [address(name)?; 3],
            _ => {
                let parts = "mag=, min=, mip=, u=, v=, w=, border=, compare=, min-lod=, max-lod= or unnormalized";
                let modes: Vec<String> = AddressMode::NAMES.iter().map(|(_, name)| as_typed(name)).collect();
                return Err(format!("expected nearest, linear, {}, {parts}", modes.join(", ")));
            }
        }
        Ok(())
    }
}

/// As it is typed.
impl fmt::Display for SamplerState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = SamplerState::default();
        let one = |filter: i32| if filter == 1 { "linear" } else { "nearest" };
        let filters = [self.filter[0].0, self.filter[1].0, self.mipmap.0];
        let mut out = match filters.iter().all(|filter| *filter == filters[0]) {
            true => vec![one(filters[0]).to_owned()],
            false => ["mag", "min", "mip"].iter().zip(filters).map(|(of, at)| format!("{of}={}", one(at))).collect(),
        };
        let modes = self.address.map(|mode| as_typed(&mode.to_string()));
        match self.address.iter().all(|mode| *mode == self.address[0]) {
            true => out.push(modes[0].clone()),
            false => out.extend(["u", "v", "w"].iter().zip(&modes).map(|(of, mode)| format!("{of}={mode}"))),
        }
        if self.has_border() || self.border != plain.border {
            out.push(format!("border={}", as_typed(&self.border.to_string())));
        }
        out.extend(self.compare.map(|compare| format!("compare={}", as_typed(&compare.to_string()))));
        if self.unnormalized {
            out.push("unnormalized".to_owned());
        } else {
            for (name, now, usual) in [("min-lod", self.lod[0], plain.lod[0]), ("max-lod", self.lod[1], plain.lod[1])] {
                if now.to_bits() != usual.to_bits() {
                    out.push(format!("{name}={now}"));
                }
            }
        }
        f.write_str(&out.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_typed() {
        let read = |text: &str| text.parse::<SamplerState>();
        let plain = SamplerState::default();
        assert_eq!(read("nearest"), Ok(plain));
        assert_eq!(read("linear, repeat"), Ok(SamplerState::usual(false, false)));
        let own =
            read("min=linear,clamp-to-border,v=mirrored-repeat,border=float-opaque-white,max-lod=2").expect("reads");
        assert_eq!((own.filter, own.mipmap, own.lod), ([NEAREST, LINEAR], MipmapMode(0), [0.0, 2.0]));
        assert_eq!((own.address, own.border), ([CLAMP_TO_BORDER, AddressMode(1), CLAMP_TO_BORDER], BorderColor(4)));
        assert_eq!(read("compare=less-or-equal").map(|own| own.compare), Ok(Some(CompareOp(3))));
        assert_eq!(read("unnormalized,clamp-to-edge").map(|own| own.lod), Ok([0.0; 2]));
        for (wrong, why) in [
            ("", "``: expected nearest, linear, repeat, mirrored-repeat"),
            ("cubic", "`cubic`: expected nearest"),
            ("mag=cubic-ext", "filter CUBIC_EXT"),
            ("u=wrap", "`u=wrap`: expected repeat"),
            ("border=red", "`border=red`: expected float-transparent-black"),
            ("compare=lt", "`compare=lt`: expected never, less"),
            ("unnormalized", "CLAMP_TO_EDGE"),
            ("linear=1", "`linear=1`"),
            ("max-lod=low", "expected a level of detail"),
        ] {
            assert!(read(wrong).is_err_and(|said| said.contains(why)), "{wrong}: {:?}", read(wrong));
        }
    }

    #[test]
    fn states_are_written_as_they_are_typed() {
        for text in [
            "linear,repeat",
            "nearest,mirrored-repeat,compare=less-or-equal,max-lod=2",
            "mag=linear,min=nearest,mip=nearest,u=repeat,v=clamp-to-border,w=repeat,border=float-opaque-white",
            "linear,clamp-to-edge,min-lod=0.5",
            "nearest,clamp-to-edge,unnormalized",
        ] {
            assert_eq!(text.parse::<SamplerState>().map(|state| state.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn states_that_no_device_takes_are_refused() {
        let plain = SamplerState::default();
        assert_eq!(plain.check(), Ok(()));
        assert_eq!(SamplerState::usual(true, true).check(), Ok(()));
        assert_eq!(SamplerState::usual(false, false).compare, None);
        for (wrong, why) in [
            (SamplerState { filter: [NEAREST, Filter(1_000_015_000)], ..plain }, "filter"),
            (SamplerState { address: [AddressMode(9); 3], ..plain }, "address mode 9"),
            (SamplerState { border: BorderColor(1_000_287_003), ..plain }, "border color"),
            (SamplerState { lod: [2.0, 1.0], ..plain }, "levels of detail from 2 to 1"),
            (SamplerState { lod: [0.0, f32::NAN], ..plain }, "levels of detail"),
            (SamplerState { unnormalized: true, ..plain }, "levels of detail from 0 to 0"),
            (SamplerState { unnormalized: true, lod: [0.0; 2], ..plain }, "CLAMP_TO_EDGE"),
        ] {
            assert!(wrong.check().is_err_and(|said| said.contains(why)), "{wrong:?}");
        }
        let texels = SamplerState { unnormalized: true, lod: [0.0; 2], address: [CLAMP_TO_EDGE; 3], ..plain };
        assert_eq!(texels.check(), Ok(()));
        let bordered = SamplerState { border: BorderColor(3), address: [CLAMP_TO_BORDER; 3], ..plain };
        assert_eq!((bordered.border_color(), bordered.has_border()), (Some((true, [0, 0, 0, 1])), true));
    }
}
