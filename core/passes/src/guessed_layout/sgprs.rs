//! What the user SGPRs of a shader hold, in the order in which LLPC gives them out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The pointer to the driver's internal table, in the first register.
pub(super) const GLOBAL_TABLE: u32 = 1;

/// How a shader's user data is passed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UserData {
    /// Different dwords that the shader loads.
    pub loaded: u32,
    /// How many of them are in registers.
    pub in_registers: u32,
    /// The first dword that is read from the spill table, if any is.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub spilled_from: Option<u32>,
    /// Push constants are read with an index known only at run time, so their memory is needed whatever fits.
    pub dynamic: bool,
    /// Registers before those dwords: of the internal table, and of the number of workgroups.
    pub before: u32,
    /// Registers after those dwords: of the index of the view, of a vertex shader's special values.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub after: u32,
    /// What the registers after those dwords hold. Where it is absent, the index of the view.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub special: Vec<Holds>,
    /// Registers in all.
    pub registers: u32,
    /// Registers that the stage has.
    pub available: u32,
    /// The dwords that are in registers, in the order of the registers: the first one is in register `before`.
    #[serde(default)]
    pub entries: Vec<Entry>,
}

/// A dword of the layout's root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Entry {
    /// Its offset in the root, in dwords.
    pub entry: u32,
    /// What it is: `table of set 0`.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub what: String,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl UserData {
    /// Whether a spill table is needed.
    pub fn spills(&self) -> bool {
        self.dynamic || self.spilled_from.is_some()
    }

    /// Which dwords spill, as a clause; none where all fit.
    pub fn why_spills(&self) -> Option<String> {
        let UserData { loaded, in_registers, available, .. } = self;
        let taken = format!("{available} registers, {} of them for other values", self.before + self.after);
        match self.dynamic {
            _ if !self.spills() => None,
            true if in_registers == loaded => Some(
                "push constants are read with an index known only at run time, so they are read from memory".to_owned(),
            ),
            _ => {
                Some(format!("{in_registers} of the {loaded} dwords that the shader loads fit in registers ({taken})"))
            }
        }
    }

    /// What each register holds, from the first on: the internal table, the address of the number of workgroups, the
    /// dwords that the shader loads, the address of their spill table, special values. LLPC's order.
    pub fn sgprs(&self) -> Vec<Holds> {
        let count = |from: u32| (0..from.saturating_sub(GLOBAL_TABLE).min(2)).map(|dword| Holds::Workgroup { dword });
        let mut out: Vec<Holds> = Vec::from([Holds::GlobalTable]);
        out.extend(count(self.before));
        out.extend(self.entries.iter().map(|one| Holds::Entry { entry: one.entry }));
        out.extend(self.spills().then_some(Holds::SpillTable));
        match self.special.is_empty() {
            true => out.extend((0..self.after.min(1)).map(|_| Holds::ViewId)),
            false => out.extend(&self.special),
        }
        out
    }

    /// `.user_data_limit` of PAL metadata: one more than the highest dword that is read; where the spill table is, the end
    /// of the whole root, of `root_dwords`. At least 1.
    pub fn limit(&self, root_dwords: u64) -> u64 {
        let highest = self.entries.iter().map(|one| u64::from(one.entry) + 1).max().unwrap_or(0);
        if self.spills() { highest.max(root_dwords).max(1) } else { highest.max(1) }
    }

    /// What the dword in a register is, if a dword of the layout is in it.
    pub fn what(&self, sgpr: u32) -> Option<&str> {
        let at = sgpr.checked_sub(self.before)?;
        self.entries.get(at as usize).map(|one| one.what.as_str()).filter(|what| !what.is_empty())
    }

    /// Registers of the dwords that the shader loads, and of the pointer to their spill table.
    pub fn of_layout(&self) -> u32 {
        self.registers.saturating_sub(self.before + self.after)
    }

    /// Registers of special values, the internal table aside.
    pub fn of_special_values(&self) -> u32 {
        (self.before + self.after).saturating_sub(GLOBAL_TABLE)
    }
}

/// What a user SGPR holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Holds {
    /// The address of the driver's internal table.
    GlobalTable,
    /// The address of the number of workgroups, of two dwords.
    Workgroup {
        /// The dword of the address.
        dword: u32,
    },
    /// A dword of the layout's root.
    Entry {
        /// Its offset in the root, in dwords.
        entry: u32,
    },
    /// The address of the spill table.
    SpillTable,
    /// The index of the view.
    ViewId,
    /// The address of the descriptors of vertex buffers.
    VertexBufferTable,
    /// The number that is added to each index of a vertex.
    BaseVertex,
    /// The number of the first instance.
    BaseInstance,
    /// The number of the draw in an indirect draw.
    DrawIndex,
}

impl Holds {
    /// The value in the mapping of PAL metadata (`.user_data_reg_map`): an entry's number, or a reserved value. The second
    /// dword of an address is not mapped.
    pub fn mapped(self) -> u32 {
        match self {
            Holds::GlobalTable => 0x1000_0000,
            Holds::Workgroup { dword: 0 } => 0x1000_0006,
            Holds::Workgroup { .. } => 0xffff_ffff,
            Holds::Entry { entry } => entry,
            Holds::SpillTable => 0x1000_0002,
            Holds::ViewId => 0x1000_000b,
            Holds::VertexBufferTable => 0x1000_000f,
            Holds::BaseVertex => 0x1000_0003,
            Holds::BaseInstance => 0x1000_0004,
            Holds::DrawIndex => 0x1000_0005,
        }
    }

    /// PAL's name of the value, or `entry 3`.
    pub fn text(self) -> String {
        match self {
            Holds::GlobalTable => "GlobalTable".to_owned(),
            Holds::Workgroup { dword: 0 } => "Workgroup".to_owned(),
            Holds::Workgroup { .. } => "Workgroup, upper dword".to_owned(),
            Holds::Entry { entry } => format!("entry {entry}"),
            Holds::SpillTable => "SpillTable".to_owned(),
            Holds::ViewId => "ViewId".to_owned(),
            Holds::VertexBufferTable => "VertexBufferTable".to_owned(),
            Holds::BaseVertex => "BaseVertex".to_owned(),
            Holds::BaseInstance => "BaseInstance".to_owned(),
            Holds::DrawIndex => "DrawIndex".to_owned(),
        }
    }
}
