//! How the proposals of hlsl-specs 0052 divide the 32 bits of an opcode.

use super::{FeatureId, Opcode, TableKind};
use lanescope_base::named_enum;

named_enum!(
    /// A proposal.
    Partition {
        /// The top bit marks experimental ops.
        TopBit = "top 1 bit",
        /// The top 8 bits: 0 is stable, 1 experimental, others are extensions.
        TopByte = "top 8 bits",
        /// The top 16 bits are a FeatureID. This one was accepted, with 0x0000 and 0x8000 only.
        FeatureId = "top 16 bits",
    }
);

impl Partition {
    /// Bits of the partition's number; the rest is the index.
    pub fn bits(self) -> u32 {
        match self {
            Partition::TopBit => 1,
            Partition::TopByte => 8,
            Partition::FeatureId => 16,
        }
    }

    /// The number of the partition, and the index in it.
    pub fn split(self, opcode: Opcode) -> (u32, u32) {
        let shift = 32 - self.bits();
        (opcode.0 >> shift, opcode.0 & ((1 << shift) - 1))
    }

    /// What the proposal calls a number.
    pub fn describe(self, opcode: Opcode) -> String {
        let (partition, index) = self.split(opcode);
        match (self, partition) {
            (Partition::TopBit | Partition::TopByte, 0) => format!("stable, index {index}"),
            (Partition::TopBit, _) | (Partition::TopByte, 1) => format!("experimental, index {index}"),
            (Partition::TopByte, _) => format!("extension {partition}, index {index}"),
            (Partition::FeatureId, _) => {
                let feature = FeatureId(partition as u16);
                let table = TableKind::of(feature).map_or("no table of DXC", TableKind::name);
                format!("FeatureID {feature}, index {index}: {table}")
            }
        }
    }

    /// The bits from the highest to the lowest in groups of 8: `#` is the partition's number, `-` the index.
    pub fn drawn(self) -> String {
        let bit = |at: u32| if at < self.bits() { '#' } else { '-' };
        let groups: Vec<String> = (0..4).map(|group| (0..8).map(|at| bit(group * 8 + at)).collect()).collect();
        groups.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divides_numbers_as_each_proposal_says() {
        for (number, expected) in [
            (0x5, ["stable, index 5", "stable, index 5", "FeatureID 0x0000, index 5: stable"]),
            (
                0x8000_0021,
                ["experimental, index 33", "extension 128, index 33", "FeatureID 0x8000, index 33: experimental"],
            ),
            (
                0x0100_0007,
                ["stable, index 16777223", "experimental, index 7", "FeatureID 0x0100, index 7: no table of DXC"],
            ),
            (
                0x8001_0000,
                [
                    "experimental, index 65536",
                    "extension 128, index 65536",
                    "FeatureID 0x8001, index 0: no table of DXC",
                ],
            ),
            (
                0xFFFF_FFFF,
                [
                    "experimental, index 2147483647",
                    "extension 255, index 16777215",
                    "FeatureID 0xFFFF, index 65535: no table of DXC",
                ],
            ),
        ] {
            let found: Vec<String> = Partition::ALL.iter().map(|one| one.describe(Opcode(number))).collect();
            assert_eq!(found, expected, "{number:#x}");
        }
        assert_eq!(Partition::TopByte.drawn(), "######## -------- -------- --------");
    }

    #[test]
    fn parts_make_the_number() {
        for number in [0, 1, 0x8000_0000, 0x1234_5678, u32::MAX] {
            for partition in Partition::ALL {
                let (number_of, index) = partition.split(Opcode(number));
                assert_eq!(number_of << (32 - partition.bits()) | index, number, "{partition}");
            }
        }
    }
}
