//! The tables of user_version 2, as `StateObjectDatabase.md` of DirectX-Specs publishes them.

use std::fmt::Write as _;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A whole number.
    Integer,
    /// A number with a fraction.
    Real,
    /// Text.
    Text,
    /// Bytes that name a row: of a table where the schema says which.
    Key(Option<&'static str>),
    /// Other bytes, which are read on demand.
    Data,
}

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    pub name: &'static str,
    pub kind: Kind,
    /// The schema says NOT NULL.
    pub required: bool,
}

/// A table.
#[derive(Debug)]
pub(crate) struct Table {
    pub name: &'static str,
    /// Whether rows have a key: a column `Key`, which is not among the others. Rows of other tables are unique.
    pub keyed: bool,
    pub columns: &'static [Column],
}

impl Table {
    /// The index of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// The statement that creates the table.
    pub fn sql(&self) -> String {
        let mut lines = Vec::new();
        if self.keyed {
            lines.push("Key BLOB NOT NULL PRIMARY KEY".to_owned());
        }
        for Column { name, kind, required } in self.columns {
            let ty = match kind {
                Kind::Integer => "INTEGER",
                Kind::Real => "REAL",
                Kind::Text => "TEXT",
                Kind::Key(_) | Kind::Data => "BLOB",
            };
            lines.push(format!("{name} {ty}{}", if *required { " NOT NULL" } else { "" }));
        }
        for Column { name, kind, .. } in self.columns {
            if let Kind::Key(Some(table)) = kind {
                lines.push(format!("FOREIGN KEY({name}) REFERENCES {table}(Key)"));
            }
        }
        if !self.keyed {
            lines.push(format!("UNIQUE({})", self.names()));
        }
        format!("CREATE TABLE {} ({})", self.name, lines.join(", "))
    }

    /// The names of its columns as a list for SQL, the key among them.
    pub fn names(&self) -> String {
        let mut out = if self.keyed { "Key".to_owned() } else { String::new() };
        for column in self.columns {
            let comma = if out.is_empty() { "" } else { ", " };
            // Writing to a string cannot fail.
            let _ = write!(out, "{comma}{}", column.name);
        }
        out
    }
}

const fn column(name: &'static str, kind: Kind, required: bool) -> Column {
    Column { name, kind, required }
}

/// A number that must be there.
const fn number(name: &'static str) -> Column {
    column(name, Kind::Integer, true)
}

/// A number that may be absent.
const fn maybe(name: &'static str) -> Column {
    column(name, Kind::Integer, false)
}

const fn real(name: &'static str) -> Column {
    column(name, Kind::Real, true)
}

const fn text(name: &'static str) -> Column {
    column(name, Kind::Text, true)
}

const fn maybe_text(name: &'static str) -> Column {
    column(name, Kind::Text, false)
}

/// The key of a row that must be there.
const fn key(name: &'static str, table: &'static str) -> Column {
    column(name, Kind::Key(Some(table)), true)
}

/// The key of a row of that table, or none.
const fn maybe_key(name: &'static str, table: &'static str) -> Column {
    column(name, Kind::Key(Some(table)), false)
}

const fn keyed(name: &'static str, columns: &'static [Column]) -> Table {
    Table { name, keyed: true, columns }
}

const fn list(name: &'static str, columns: &'static [Column]) -> Table {
    Table { name, keyed: false, columns }
}

/// The column that names an input layout: a layout is a key and rows of an association table.
const LAYOUT: Column = column("InputLayout", Kind::Key(None), false);

/// Every table but `app_id`, each after those that it names, but for references to itself.
pub(crate) const TABLES: &[Table] = &[
    keyed("root_signatures", &[column("value", Kind::Data, true)]),
    keyed(
        "input_element_descs",
        &[
            text("SemanticName"),
            number("SemanticIndex"),
            number("Format"),
            number("InputSlot"),
            number("AlignedByteOffset"),
            number("InputSlotClass"),
            number("InstanceDataStepRate"),
        ],
    ),
    keyed(
        "state_objects",
        &[maybe("Type"), maybe("NodeMask"), maybe("Flags"), maybe_key("AddToStateObjectParent", "state_objects")],
    ),
    keyed("shader_bytecode", &[maybe_text("Type"), column("Bytecode", Kind::Data, false)]),
    keyed("exports", &[text("Name"), maybe_text("ExportToRename"), number("Flags")]),
    keyed(
        "depth_stencil_op_descs",
        &[
            number("StencilFailOp"),
            number("StencilDepthFailOp"),
            number("StencilPassOp"),
            number("StencilFunc"),
            number("StencilReadMask"),
            number("StencilWriteMask"),
        ],
    ),
    keyed(
        "depth_stencil_descs",
        &[
            number("DepthEnable"),
            number("DepthWriteMask"),
            number("DepthFunc"),
            number("StencilEnable"),
            key("FrontFace", "depth_stencil_op_descs"),
            key("BackFace", "depth_stencil_op_descs"),
            number("DepthBoundsTestEnable"),
        ],
    ),
    keyed(
        "render_target_formats",
        &[
            number("RTFormat0"),
            number("RTFormat1"),
            number("RTFormat2"),
            number("RTFormat3"),
            number("RTFormat4"),
            number("RTFormat5"),
            number("RTFormat6"),
            number("RTFormat7"),
            number("NumRenderTargets"),
        ],
    ),
    keyed(
        "render_target_blend_descs",
        &[
            number("BlendEnable"),
            number("LogicOpEnable"),
            number("SrcBlend"),
            number("DestBlend"),
            number("BlendOp"),
            number("SrcBlendAlpha"),
            number("DestBlendAlpha"),
            number("BlendOpAlpha"),
            number("LogicOp"),
            number("RenderTargetWriteMask"),
        ],
    ),
    keyed(
        "blend_descs",
        &[
            number("AlphaToCoverageEnable"),
            number("IndependentBlendEnable"),
            maybe_key("RenderTarget0", "render_target_blend_descs"),
            maybe_key("RenderTarget1", "render_target_blend_descs"),
            maybe_key("RenderTarget2", "render_target_blend_descs"),
            maybe_key("RenderTarget3", "render_target_blend_descs"),
            maybe_key("RenderTarget4", "render_target_blend_descs"),
            maybe_key("RenderTarget5", "render_target_blend_descs"),
            maybe_key("RenderTarget6", "render_target_blend_descs"),
            maybe_key("RenderTarget7", "render_target_blend_descs"),
        ],
    ),
    keyed(
        "rasterizer_descs",
        &[
            number("FillMode"),
            number("CullMode"),
            number("FrontCounterClockwise"),
            real("DepthBias"),
            real("DepthBiasClamp"),
            real("SlopeScaledDepthBias"),
            number("DepthClipEnable"),
            number("LineRasterizationMode"),
            number("ForcedSampleCount"),
            number("ConservativeRaster"),
        ],
    ),
    keyed(
        "view_instancing_descs",
        &[
            number("ViewInstanceCount"),
            number("RenderFlags"),
            maybe("ViewportArrayIndex0"),
            maybe("RenderTargetArrayIndex0"),
            maybe("ViewportArrayIndex1"),
            maybe("RenderTargetArrayIndex1"),
            maybe("ViewportArrayIndex2"),
            maybe("RenderTargetArrayIndex2"),
            maybe("ViewportArrayIndex3"),
            maybe("RenderTargetArrayIndex3"),
        ],
    ),
    keyed(
        "so_declarations",
        &[
            number("Stream"),
            text("SemanticName"),
            number("SemanticIndex"),
            number("StartComponent"),
            number("ComponentCount"),
            number("OutputSlot"),
        ],
    ),
    keyed(
        "stream_out_descs",
        &[
            number("BufferStride0"),
            number("BufferStride1"),
            number("BufferStride2"),
            number("BufferStride3"),
            number("NumStrides"),
            number("RasterizedStream"),
        ],
    ),
    keyed(
        "rt_hit_groups",
        &[
            text("HitGroupExport"),
            number("Type"),
            maybe_text("AnyHitShaderImport"),
            maybe_text("ClosestHitShaderImport"),
            maybe_text("IntersectionShaderImport"),
        ],
    ),
    keyed("rt_shader_config", &[number("MaxPayloadSizeInBytes"), number("MaxAttributeSizeInBytes")]),
    keyed("rt_pipeline_config", &[number("MaxTraceRecursionDepth"), number("Flags")]),
    keyed("dxil_subobject_to_exports_associations", &[text("SubobjectToAssociate")]),
    keyed(
        "subobject_to_exports_associations",
        &[number("SubobjectType"), column("SubobjectKey", Kind::Key(None), true)],
    ),
    keyed(
        "generic_programs",
        &[
            maybe_text("ProgramName"),
            LAYOUT,
            maybe_key("DepthStencilDesc", "depth_stencil_descs"),
            maybe_key("RenderTargetFormats", "render_target_formats"),
            maybe_key("BlendDesc", "blend_descs"),
            maybe_key("RasterizerDesc", "rasterizer_descs"),
            maybe_key("ViewInstancingDesc", "view_instancing_descs"),
            maybe_key("StreamOutDesc", "stream_out_descs"),
            maybe("SampleDesc_Count"),
            maybe("SampleDesc_Quality"),
            maybe("SampleMask"),
            maybe("IBStripCutValue"),
            maybe("PrimitiveTopology"),
            maybe("DSVFormat"),
            maybe("NodeMask"),
            maybe("Flags"),
        ],
    ),
    keyed(
        "pipeline_states",
        &[
            maybe_key("RootSignature", "root_signatures"),
            LAYOUT,
            maybe_key("ByteCode_VS", "shader_bytecode"),
            maybe_key("ByteCode_PS", "shader_bytecode"),
            maybe_key("ByteCode_HS", "shader_bytecode"),
            maybe_key("ByteCode_DS", "shader_bytecode"),
            maybe_key("ByteCode_GS", "shader_bytecode"),
            maybe_key("ByteCode_AS", "shader_bytecode"),
            maybe_key("ByteCode_MS", "shader_bytecode"),
            maybe_key("ByteCode_CS", "shader_bytecode"),
            maybe_key("DepthStencilDesc", "depth_stencil_descs"),
            maybe_key("RenderTargetFormats", "render_target_formats"),
            maybe_key("BlendDesc", "blend_descs"),
            maybe_key("RasterizerDesc", "rasterizer_descs"),
            maybe_key("ViewInstancingDesc", "view_instancing_descs"),
            maybe_key("StreamOutDesc", "stream_out_descs"),
            maybe("SampleDesc_Count"),
            maybe("SampleDesc_Quality"),
            maybe("SampleMask"),
            maybe("IBStripCutValue"),
            maybe("PrimitiveTopology"),
            maybe("DSVFormat"),
            maybe("NodeMask"),
            maybe("Flags"),
        ],
    ),
    keyed("work_graphs", &[text("ProgramName"), number("Flags")]),
    keyed("node_ids", &[text("Name"), number("ArrayIndex")]),
    keyed(
        "node_output_overrides",
        &[
            number("OutputIndex"),
            maybe_key("NewName", "node_ids"),
            maybe("AllowSparseNodes"),
            maybe("MaxRecords"),
            maybe("MaxRecordsSharedWithOutputIndex"),
        ],
    ),
    keyed(
        "shader_nodes",
        &[
            text("ShaderOrProgram"),
            number("NodeType"),
            number("OverridesType"),
            maybe("LocalRootArgumentsTableIndex"),
            maybe("ProgramEntry"),
            maybe_key("NewName", "node_ids"),
            maybe_key("ShareInputOf", "node_ids"),
            maybe("DispatchGridX"),
            maybe("DispatchGridY"),
            maybe("DispatchGridZ"),
            maybe("MaxDispatchGridX"),
            maybe("MaxDispatchGridY"),
            maybe("MaxDispatchGridZ"),
            maybe("MaxInputRecordsPerGraphEntryRecord_RecordCount"),
            maybe("MaxInputRecordsPerGraphEntryRecord_bCountSharedAcrossNodeArray"),
        ],
    ),
    keyed("groups", &[number("Version"), maybe_key("PSOKey", "pipeline_states"), maybe_key("SOKey", "state_objects")]),
    list(
        "input_layout_to_input_element_associations",
        &[column("InputLayoutKey", Kind::Key(None), true), key("InputElementKey", "input_element_descs")],
    ),
    list(
        "stream_output_desc_to_stream_output_decl_associations",
        &[key("StreamOutDescKey", "stream_out_descs"), key("StreamOutDeclKey", "so_declarations")],
    ),
    list("so_to_global_rs_associations", &[OWNER, key("RootSignatureKey", "root_signatures")]),
    list("so_to_local_rs_associations", &[OWNER, key("RootSignatureKey", "root_signatures")]),
    list(
        "so_to_dxil_lib_associations",
        &[OWNER, key("DxilLibKey", "shader_bytecode"), maybe_key("ExportKey", "exports")],
    ),
    list(
        "so_to_existing_so_associations",
        &[OWNER, key("ExistingStateObjectKey", "state_objects"), maybe_key("ExportKey", "exports")],
    ),
    list("so_to_hit_group_associations", &[OWNER, key("HitGroupKey", "rt_hit_groups")]),
    list("so_to_rt_shader_config_associations", &[OWNER, key("ShaderConfigKey", "rt_shader_config")]),
    list("so_to_rt_pipeline_config_associations", &[OWNER, key("PipelineConfigKey", "rt_pipeline_config")]),
    list(
        "so_to_dxil_subobject_to_exports_associations",
        &[OWNER, key("DxilSubobjectToExportsAssociationKey", "dxil_subobject_to_exports_associations")],
    ),
    list(
        "so_to_subobject_to_exports_associations",
        &[OWNER, key("SubobjectToExportsAssociationKey", "subobject_to_exports_associations")],
    ),
    list("so_to_generic_program_associations", &[OWNER, key("GenericProgramKey", "generic_programs")]),
    list("so_to_work_graph_associations", &[OWNER, key("WorkGraphKey", "work_graphs")]),
    list(
        "work_graph_to_entrypoint_node_id_associations",
        &[key("WorkGraphKey", "work_graphs"), key("NodeIDKey", "node_ids")],
    ),
    list(
        "workgraph_node_to_node_output_overrides_associations",
        &[key("WorkGraphNodeKey", "shader_nodes"), key("NodeOutputOverridesKey", "node_output_overrides")],
    ),
    list(
        "work_graph_to_work_graph_node_associations",
        &[key("WorkGraphKey", "work_graphs"), key("WorkGraphNodeKey", "shader_nodes")],
    ),
    list("string_associations", &[column("OwningTableKey", Kind::Key(None), false), text("Value")]),
];

/// The first column of what belongs to state objects.
const OWNER: Column = key("StateObjectKey", "state_objects");

/// The table of the application.
pub(crate) const APP_ID: &str = "CREATE TABLE app_id (id INTEGER NOT NULL PRIMARY KEY, exe TEXT NOT NULL, \
    app_name TEXT NOT NULL, engine_name TEXT, app_version INTEGER NOT NULL, engine_version INTEGER NOT NULL)";

/// Indexes that keep rows with NULL unique: the table, the other columns, the column that is NULL.
pub(crate) const INDEXES: [[&str; 3]; 3] = [
    ["so_to_dxil_lib_associations", "StateObjectKey,DxilLibKey", "ExportKey"],
    ["so_to_existing_so_associations", "StateObjectKey,ExistingStateObjectKey", "ExportKey"],
    ["string_associations", "Value", "OwningTableKey"],
];

/// The index of a table.
pub(crate) fn table(name: &str) -> Option<usize> {
    TABLES.iter().position(|table| table.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn tables_are_unique_and_name_tables_with_keys() {
        let names: BTreeSet<&str> = TABLES.iter().map(|table| table.name).collect();
        assert_eq!((names.len(), TABLES.len() + 1), (TABLES.len(), 44));
        for (index, table) in TABLES.iter().enumerate() {
            for column in table.columns {
                let Kind::Key(Some(other)) = column.kind else { continue };
                let at = super::table(other).expect("a table");
                assert!(TABLES[at].keyed && at <= index, "{}.{}", table.name, column.name);
            }
        }
        for [table, columns, null] in INDEXES {
            let table = &TABLES[super::table(table).expect("a table")];
            assert!(columns.split(',').chain([null]).all(|name| table.column(name).is_some()), "{}", table.name);
        }
    }
}
