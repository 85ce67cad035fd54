//! Graphics IPs: what all their chips share. A new one does not compile until every fact of it is said. Sources are
//! named where a fact is used.

/// What the chips of a graphics IP share.
#[derive(Debug, PartialEq, Eq)]
pub struct GraphicsIp {
    /// Key of the register tables; `None` if there are none.
    pub register_tables: Option<&'static str>,
    /// Waves that a SIMD holds at most.
    pub wave_slots: Option<u32>,
    /// Bytes in whose multiples LDS is allocated. Absent on GFX12, where Mesa counts 1024 and PAL allocates 512.
    pub lds_granule: Option<u32>,
    /// Waves of 32 lanes; older chips have those of 64 only.
    pub has_wave32: bool,
    /// Wave size that LLPC chooses for a compute shader with more than 32 invocations.
    pub compute_wave: u32,
    /// Wave size that LLPC chooses for task and mesh shaders.
    pub mesh_wave: u32,
    /// Pixel shaders read attributes from a ring in memory; older chips have a parameter cache.
    pub has_attribute_ring: Option<bool>,
    /// A vertex always has an exported parameter: where none is read of vertices, those of primitives follow an empty
    /// one.
    pub always_exports_parameter: bool,
    /// Transform feedback is done in software.
    pub has_software_streamout: bool,
    /// Vertex shaders always run as primitive shaders.
    pub always_primitive_shaders: bool,
    /// The hardware can hand out invocations of a workgroup in tiles.
    pub walks_tiles: bool,
    /// The field SGPRS of program resources is used.
    pub has_sgpr_count: bool,
    /// Render backends are RB+: one red component of 16 bits is not exported as one of 32.
    pub has_rb_plus: bool,
    /// The primitive's shading rate is exported in the miscellaneous vector.
    pub exports_shading_rate: bool,
    /// Clip and cull distances are sent over the miscellaneous side bus too.
    pub sends_distances_by_side_bus: bool,
    /// For alpha to coverage, alpha is exported together with depth or stencil.
    pub exports_alpha_with_depth: bool,
    /// Ordered interlock needs the wave id of collisions.
    pub loads_collision_wave_id: bool,
}

/// Polaris.
pub const GFX8: GraphicsIp = GraphicsIp {
    register_tables: None,
    wave_slots: Some(8),
    lds_granule: Some(512),
    has_wave32: false,
    compute_wave: 64,
    mesh_wave: 64,
    has_attribute_ring: Some(false),
    always_exports_parameter: false,
    has_software_streamout: false,
    always_primitive_shaders: false,
    walks_tiles: false,
    has_sgpr_count: true,
    has_rb_plus: false,
    exports_shading_rate: false,
    sends_distances_by_side_bus: false,
    exports_alpha_with_depth: false,
    loads_collision_wave_id: true,
};

/// Vega.
pub const GFX9: GraphicsIp = GraphicsIp {
    register_tables: None,
    wave_slots: Some(10),
    lds_granule: Some(512),
    has_wave32: false,
    compute_wave: 64,
    mesh_wave: 64,
    has_attribute_ring: Some(false),
    always_exports_parameter: false,
    has_software_streamout: false,
    always_primitive_shaders: false,
    walks_tiles: false,
    has_sgpr_count: true,
    has_rb_plus: false,
    exports_shading_rate: false,
    sends_distances_by_side_bus: false,
    exports_alpha_with_depth: false,
    loads_collision_wave_id: true,
};

/// RDNA 1.
pub const GFX10_1: GraphicsIp = GraphicsIp {
    register_tables: Some("gfx10.1"),
    wave_slots: Some(20),
    lds_granule: Some(512),
    has_wave32: true,
    compute_wave: 32,
    mesh_wave: 32,
    has_attribute_ring: Some(false),
    always_exports_parameter: false,
    has_software_streamout: false,
    always_primitive_shaders: false,
    walks_tiles: false,
    has_sgpr_count: true,
    has_rb_plus: false,
    exports_shading_rate: false,
    sends_distances_by_side_bus: false,
    exports_alpha_with_depth: false,
    loads_collision_wave_id: true,
};

/// RDNA 2.
pub const GFX10_3: GraphicsIp = GraphicsIp {
    register_tables: Some("gfx10.3"),
    wave_slots: Some(16),
    lds_granule: Some(1024),
    has_wave32: true,
    compute_wave: 64,
    mesh_wave: 32,
    has_attribute_ring: Some(false),
    always_exports_parameter: false,
    has_software_streamout: false,
    always_primitive_shaders: false,
    walks_tiles: false,
    has_sgpr_count: true,
    has_rb_plus: true,
    exports_shading_rate: true,
    sends_distances_by_side_bus: true,
    exports_alpha_with_depth: false,
    loads_collision_wave_id: true,
};

/// RDNA 3.
pub const GFX11: GraphicsIp = GraphicsIp {
    register_tables: Some("gfx11"),
    wave_slots: Some(16),
    lds_granule: Some(1024),
    has_wave32: true,
    compute_wave: 64,
    mesh_wave: 64,
    has_attribute_ring: Some(true),
    always_exports_parameter: true,
    has_software_streamout: true,
    always_primitive_shaders: true,
    walks_tiles: false,
    has_sgpr_count: true,
    has_rb_plus: true,
    exports_shading_rate: true,
    sends_distances_by_side_bus: true,
    exports_alpha_with_depth: true,
    loads_collision_wave_id: false,
};

/// RDNA 3.5.
pub const GFX11_5: GraphicsIp = GraphicsIp {
    register_tables: None,
    wave_slots: Some(16),
    lds_granule: Some(1024),
    has_wave32: true,
    compute_wave: 64,
    mesh_wave: 64,
    has_attribute_ring: Some(true),
    always_exports_parameter: true,
    has_software_streamout: true,
    always_primitive_shaders: true,
    walks_tiles: false,
    has_sgpr_count: true,
    has_rb_plus: true,
    exports_shading_rate: true,
    sends_distances_by_side_bus: true,
    exports_alpha_with_depth: true,
    loads_collision_wave_id: false,
};

/// RDNA 4.
pub const GFX12: GraphicsIp = GraphicsIp {
    register_tables: Some("gfx12"),
    wave_slots: Some(16),
    lds_granule: None,
    has_wave32: true,
    compute_wave: 64,
    mesh_wave: 64,
    has_attribute_ring: Some(true),
    always_exports_parameter: true,
    has_software_streamout: true,
    always_primitive_shaders: true,
    walks_tiles: true,
    has_sgpr_count: false,
    has_rb_plus: true,
    exports_shading_rate: true,
    sends_distances_by_side_bus: true,
    exports_alpha_with_depth: true,
    loads_collision_wave_id: false,
};

/// Of a chip that only a driver knows: passes that need an answer take that of the newest graphics IP.
pub const UNKNOWN: GraphicsIp = GraphicsIp {
    register_tables: None,
    wave_slots: None,
    lds_granule: None,
    has_wave32: true,
    compute_wave: 64,
    mesh_wave: 64,
    has_attribute_ring: None,
    always_exports_parameter: true,
    has_software_streamout: true,
    always_primitive_shaders: true,
    walks_tiles: true,
    has_sgpr_count: false,
    has_rb_plus: true,
    exports_shading_rate: true,
    sends_distances_by_side_bus: true,
    exports_alpha_with_depth: true,
    loads_collision_wave_id: false,
};
