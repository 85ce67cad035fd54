//! The channels that an assembly of other vendors than AMD reads: by location and component.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_core::chip::Vendor;

/// The channels that a fragment shader's assembly reads; none of a text that names none (Intel's), and of AMD's, in which
/// values are followed.
pub fn reads(vendor: Vendor, isa: &str) -> Option<BTreeSet<(u32, u8)>> {
    match vendor {
        Vendor::Nvidia => Some(isa.lines().filter_map(address).collect()),
        Vendor::Qualcomm => Some(qualcomm(isa)),
        _ => None,
    }
}

/// ` r3 = ipa.pass a[0x84] rZ`.
fn address(line: &str) -> Option<(u32, u8)> {
    let (_, rest) = line.split_once("ipa")?.1.split_once("a[0x")?;
    let at = u32::from_str_radix(rest.split(']').next()?, 16).ok()?.checked_sub(0x80)?;
    Some((at / 16, (at % 16 / 4) as u8))
}

/// `(rpt1)bary.f r2.y, (r)2, r0.x`, `flat.b r4.w, 8, 8`, `@tex(r0.z) src=6, …`; the remark has
/// `(VARYING_SLOT_VAR1 slot=33 cm=f,il=4,b=1)`.
fn qualcomm(isa: &str) -> BTreeSet<(u32, u8)> {
    let mut numbers = BTreeSet::new();
    let mut of_number: BTreeMap<u32, (u32, u8)> = BTreeMap::new();
    for line in isa.lines() {
        let number = |text: &str| text.trim().trim_start_matches("(r)").split(',').next()?.trim().parse::<u32>().ok();
        let repeated = line.split_once("(rpt").and_then(|(_, rest)| rest.split(')').next()?.parse().ok()).unwrap_or(0);
        if let Some((_, rest)) = line.split_once("bary.f ").or(line.split_once("flat.b ")) {
            let first = rest.split_once(", ").and_then(|(_, rest)| number(rest)).expect("a number");
            numbers.extend(first..=first + repeated);
        } else if let Some((_, rest)) = line.split_once("src=").filter(|_| line.starts_with("@tex")) {
            let first = number(rest).expect("a number");
            numbers.extend([first, first + 1]);
        }
        for entry in line.split("(VARYING_SLOT_VAR").skip(1).filter(|_| line.contains(" inputs: ")) {
            let of = |name: &str| entry.split_once(name).map(|(_, rest)| rest.split([',', ')']).next().unwrap_or(""));
            let location = entry.split(' ').next().and_then(|text| text.parse().ok()).expect("a location");
            let begin: u32 = of("il=").and_then(|text| text.parse().ok()).expect("a number");
            let mask = of("cm=").and_then(|text| u8::from_str_radix(text, 16).ok()).expect("a mask");
            // A varying takes numbers from its first component that is read on.
            let used = (0u8..4).filter(|component| mask >> component & 1 == 1);
            of_number.extend(used.map(|component| (begin + u32::from(component), (location, component))));
        }
    }
    numbers.iter().filter_map(|number| of_number.get(number).copied()).collect()
}
