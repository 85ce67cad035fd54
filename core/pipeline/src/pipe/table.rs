//! The keys that LLPC reads, with their types; and those that it read in earlier versions.

use crate::layout::NodeType;
use crate::vulkan::{GroupType, InputRate, ProvokingVertex, Topology, VkFormat};

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    Bool,
    Int,
    Float,
    /// Integers with separators; of 64 bits where true.
    Ints(bool),
    Floats,
    Text,
    Enum(Names),
}

/// An enumeration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    Format,
    Topology,
    InputRate,
    Provoking,
    Group,
    Node,
    Own(&'static str, &'static [&'static str]),
}

impl Names {
    /// Its name, for messages.
    pub fn name(self) -> &'static str {
        match self {
            Names::Format => "VkFormat",
            Names::Topology => "VkPrimitiveTopology",
            Names::InputRate => "VkVertexInputRate",
            Names::Provoking => "VkProvokingVertexModeEXT",
            Names::Group => "VkRayTracingShaderGroupTypeKHR",
            Names::Node => "ResourceMappingNodeType",
            Names::Own(name, _) => name,
        }
    }

    /// The value of a name.
    pub fn value(self, text: &str) -> Option<i32> {
        match self {
            // The headers' names only: a name without its prefix is none in this format.
            Names::Format => VkFormat::named(text).filter(|_| text.starts_with(VkFormat::PREFIX)).map(|v| v.0),
            Names::Topology => Topology::named(text).filter(|_| text.starts_with(Topology::PREFIX)).map(|v| v.0),
            Names::InputRate => InputRate::named(text).filter(|_| text.starts_with(InputRate::PREFIX)).map(|v| v.0),
            Names::Provoking => {
                ProvokingVertex::named(text).filter(|_| text.starts_with(ProvokingVertex::PREFIX)).map(|v| v.0)
            }
            Names::Group => GroupType::named(text).filter(|_| text.starts_with(GroupType::PREFIX)).map(|v| v.0),
            Names::Node => NodeType::ALL.iter().find(|ty| ty.name() == text).map(|ty| ty.number() as i32),
            Names::Own(_, names) => names.iter().position(|name| *name == text).map(|at| at as i32),
        }
    }
}

/// A key: its path without indices, its type, and how many elements its lists have, where that is not the usual limit.
/// A path that ends in `.*` stands for everything below it.
#[derive(Debug)]
pub struct Known {
    pub path: &'static str,
    pub ty: Type,
    pub limit: Option<u32>,
}

const fn key(path: &'static str, ty: Type) -> Known {
    Known { path, ty, limit: None }
}

const fn list(path: &'static str, limit: u32, ty: Type) -> Known {
    Known { path, ty, limit: Some(limit) }
}

use Type::{Bool, Enum, Float, Floats, Int, Ints, Text};

const WAVE_BREAK: Type = Enum(Names::Own("WaveBreakSize", &["None", "_8x8", "_16x16", "_32x32"]));
const TILE: Type = Enum(Names::Own("ThreadGroupSwizzleMode", &["Default", "_4x4", "_8x8", "_16x16"]));
const SHADOW: Type = Enum(Names::Own("ShadowDescriptorTableUsage", &["Auto", "Enable", "Disable"]));
const SCHEME: Type = Enum(Names::Own("ResourceLayoutScheme", &["Compact", "Indirect"]));
const DENORM: Type = Enum(Names::Own("DenormalMode", &["Auto", "FlushToZero", "Preserve"]));
const INVARIANT: Type =
    Enum(Names::Own("InvariantLoads", &["Auto", "EnableOptimization", "DisableOptimization", "ClearInvariants"]));
const SCHEDULE: Type = Enum(Names::Own("LlvmScheduleStrategy", &["None", "MaxMemoryClause", "MaxIlp"]));
const SIZING: Type = Enum(Names::Own(
    "NggSubgroupSizingType",
    &["Auto", "MaximumSize", "HalfSize", "OptimizeForVerts", "OptimizeForPrims", "Explicit"],
));

/// A stage's Info section, but for its nodes.
pub const INFO: &[Known] = &[
    key("entryPoint", Text),
    key("specConst.mapEntry.constantID", Int),
    key("specConst.mapEntry.offset", Int),
    key("specConst.mapEntry.size", Int),
    key("specConst.intData", Ints(false)),
    key("specConst.uintData", Ints(false)),
    key("specConst.floatData", Floats),
    key("specConst.int64Data", Ints(true)),
    key("specConst.uint64Data", Ints(true)),
    key("specConst.doubleData", Floats),
    key("specConst.float16Data", Floats),
    key("options.waveSize", Int),
    key("options.subgroupSize", Int),
    key("options.allowVaryWaveSize", Bool),
    key("options.wgpMode", Bool),
    key("options.waveBreakSize", WAVE_BREAK),
    key("options.overrideForceThreadIdSwizzling", Bool),
    key("options.overrideShaderThreadGroupSizeX", Int),
    key("options.overrideShaderThreadGroupSizeY", Int),
    key("options.overrideShaderThreadGroupSizeZ", Int),
    key("options.workgroupRoundRobin", Bool),
    key("options.vgprLimit", Int),
    key("options.sgprLimit", Int),
    key("options.maxThreadGroupsPerComputeUnit", Int),
    key("options.allowReZ", Bool),
    key("options.forceLateZ", Bool),
    key("options.adjustDepthImportVrs", Bool),
    key("options.clientHash", Ints(true)),
    key("options.fp32DenormalMode", DENORM),
    key("options.trapPresent", Bool),
    key("options.debugMode", Bool),
    key("options.enablePerformanceData", Bool),
    key("options.forceLoopUnrollCount", Int),
    key("options.useSiScheduler", Bool),
    key("options.disableCodeSinking", Bool),
    key("options.favorLatencyHiding", Bool),
    key("options.enableLoadScalarizer", Bool),
    key("options.disableLicm", Bool),
    key("options.unrollThreshold", Int),
    key("options.scalarThreshold", Int),
    key("options.disableLoopUnroll", Bool),
    key("options.disableLicmThreshold", Int),
    key("options.unrollHintThreshold", Int),
    key("options.dontUnrollHintThreshold", Int),
    key("options.noContractOpDot", Bool),
    key("options.fastMathFlags", Int),
    key("options.disableFastMathFlags", Int),
    key("options.ldsSpillLimitDwords", Int),
    key("options.scalarizeWaterfallLoads", Bool),
    key("options.nsaThreshold", Int),
    key("options.aggressiveInvariantLoads", INVARIANT),
    key("options.workaroundStorageImageFormats", Bool),
    key("options.disableFMA", Bool),
    key("options.disableReadFirstLaneWorkaround", Bool),
    key("options.backwardPropagateNoContract", Bool),
    key("options.forwardPropagateNoContract", Bool),
    key("options.constantBufferBindingOffset", Int),
    key("options.imageSampleDrefReturnsRgba", Bool),
    key("options.disableGlPositionOpt", Bool),
    key("options.viewIndexFromDeviceIndex", Bool),
    key("options.cachePolicyLlc", Int),
    key("options.temporalHintShaderControl", Int),
    key("options.forceUnderflowPrevention", Bool),
    key("options.forceMemoryBarrierScope", Int),
    key("options.scheduleStrategy", SCHEDULE),
    key("options.promoteAllocaRegLimit", Int),
    key("options.promoteAllocaRegRatio", Int),
];

/// `options.` of any state section.
const OPTIONS: &[Known] = &[
    key("options.reconfigWorkgroupLayout", Bool),
    key("options.forceCsThreadIdSwizzling", Bool),
    key("options.overrideThreadGroupSizeX", Int),
    key("options.overrideThreadGroupSizeY", Int),
    key("options.overrideThreadGroupSizeZ", Int),
    key("options.threadGroupSwizzleMode", TILE),
    key("options.reverseThreadGroup", Bool),
    key("options.optimizationLevel", Int),
    key("options.shadowDescriptorTableUsage", SHADOW),
    key("options.shadowDescriptorTablePtrHigh", Int),
    key("options.resourceLayoutScheme", SCHEME),
    key("options.extendedRobustness.robustBufferAccess", Bool),
    key("options.extendedRobustness.robustImageAccess", Bool),
    key("options.extendedRobustness.nullDescriptor", Bool),
    key("options.robustBufferAccess", Bool),
    key("options.enableRobustUnboundVertex", Bool),
    key("options.scalarBlockLayout", Bool),
    key("options.enableRelocatableShaderElf", Bool),
    key("options.disableImageResourceCheck", Bool),
    key("options.enableScratchAccessBoundsChecks", Bool),
    key("options.enableImplicitInvariantExports", Bool),
    key("options.internalRtShaders", Bool),
    key("options.enableRayQuery", Bool),
    key("options.optimizeTessFactor", Bool),
    key("options.enableInterpModePatch", Bool),
    key("options.pageMigrationEnabled", Bool),
    key("options.expertSchedulingMode", Bool),
    key("options.enablePrimGeneratedQuery", Bool),
    key("options.disablePerCompFetch", Bool),
    key("options.optimizePointSizeWrite", Bool),
    key("options.padBufferSizeToNextDword", Bool),
    key("options.includeDisassembly", Bool),
    key("options.includeIr", Bool),
    key("options.forceNonUniformResourceIndexStageMask", Int),
    key("options.cacheScopePolicyControl", Int),
    key("options.temporalHintControl", Int),
    key("options.temporalHintShaderControl", Int),
    key("options.resourceCount", Int),
    key("options.glState.*", Text),
    key("options.compileTimeConstants.*", Text),
    key("rtState.maxRayLength", Float),
    key("rtState.*", Text),
    key("deviceIndex", Int),
    key("unlinked", Bool),
    key("clientMetadata", Ints(false)),
];

/// `[GraphicsPipelineState]`.
const GRAPHICS: &[Known] = &[
    key("topology", Enum(Names::Topology)),
    key("provokingVertexMode", Enum(Names::Provoking)),
    key("patchControlPoints", Int),
    key("numSamples", Int),
    key("pixelShaderSamples", Int),
    key("samplePatternIdx", Int),
    key("rasterStream", Int),
    key("usrClipPlaneMask", Int),
    key("disableVertexReuse", Bool),
    key("switchWinding", Bool),
    key("enableMultiView", Bool),
    key("useVertexBufferDescArray", Bool),
    key("depthClipEnable", Bool),
    key("rasterizerDiscardEnable", Bool),
    key("innerCoverage", Bool),
    key("perSampleShading", Bool),
    key("dynamicSampleInfo", Bool),
    key("alphaToCoverageEnable", Bool),
    key("dualSourceBlendEnable", Bool),
    key("dualSourceBlendDynamic", Bool),
    list("tessLevelInner", 2, Float),
    list("tessLevelOuter", 4, Float),
    list("colorBuffer.format", 8, Enum(Names::Format)),
    list("colorBuffer.channelWriteMask", 8, Int),
    list("colorBuffer.blendEnable", 8, Bool),
    list("colorBuffer.blendSrcAlphaToColor", 8, Bool),
    list("colorBuffer.palFormat", 8, Text),
    key("nggState.enableNgg", Bool),
    key("nggState.enableGsUse", Bool),
    key("nggState.forceCullingMode", Bool),
    key("nggState.compactVertex", Bool),
    key("nggState.enableBackfaceCulling", Bool),
    key("nggState.enableFrustumCulling", Bool),
    key("nggState.enableBoxFilterCulling", Bool),
    key("nggState.enableSphereCulling", Bool),
    key("nggState.enableSmallPrimFilter", Bool),
    key("nggState.enableCullDistanceCulling", Bool),
    key("nggState.backfaceExponent", Int),
    key("nggState.primsPerSubgroup", Int),
    key("nggState.vertsPerSubgroup", Int),
    key("nggState.subgroupSizing", SIZING),
    key("dynamicVertexStride", Bool),
    key("enableUberFetchShader", Bool),
    key("enableColorExportShader", Bool),
    key("enableEarlyCompile", Bool),
    key("dynamicTopology", Bool),
    key("useSoftwareVertexBufferDescriptors", Bool),
    key("enableInitUndefZero", Bool),
    key("enableInitialUndefVar", Bool),
    key("advancedBlendInfo.enableAdvancedBlend", Bool),
    key("advancedBlendInfo.enableRov", Bool),
    key("advancedBlendInfo.binding", Int),
    key("xfbOutInfo.isBuiltIn", Bool),
    key("xfbOutInfo.location", Int),
    key("xfbOutInfo.component", Int),
    key("xfbOutInfo.xfbBuffer", Int),
    key("xfbOutInfo.xfbOffset", Int),
    key("xfbOutInfo.xfbStride", Int),
    key("xfbOutInfo.streamId", Int),
    key("forceDisableStreamOut", Bool),
    list("outLocationMaps.oldLocation", 14, Ints(false)),
    list("outLocationMaps.newLocation", 14, Ints(false)),
    list("outLocationMaps.count", 14, Int),
    key("enableColorClampVs", Bool),
    key("enableColorClampFs", Bool),
    key("enableFlatShade", Bool),
    key("enableMapClipDistMask", Int),
    key("disablePointCoord", Bool),
    key("originUpperLeft", Bool),
    key("vbAddressLowBitsKnown", Bool),
    key("alphaTestFunc", Int),
    key("numTexPointSprite", Int),
    key("texPointSpriteLocs", Int),
    key("uniformConstantMaps.*", Text),
];

/// `[ComputePipelineState]`.
const COMPUTE: &[Known] =
    &[key("uniformConstantMap.*", Text), key("uniformConstantMaps.*", Text), key("shaderLibrary", Text)];

/// `[RayTracingPipelineState]`.
const RAY_TRACING: &[Known] = &[
    key("deviceCount", Int),
    key("maxRecursionDepth", Int),
    key("indirectStageMask", Int),
    key("mode", Int),
    key("libraryMode", Int),
    key("hasPipelineLibrary", Bool),
    key("pipelineLibStageMask", Int),
    key("payloadSizeMaxInLib", Int),
    key("attributeSizeMaxInLib", Int),
    key("isReplay", Bool),
    key("cpsFlags", Int),
    key("rtIgnoreDeclaredPayloadSize", Bool),
    key("disableDynamicVgpr", Bool),
    key("dynamicVgprBlockSize", Int),
    key("groups.type", Enum(Names::Group)),
    key("groups.generalShader", Int),
    key("groups.closestHitShader", Int),
    key("groups.anyHitShader", Int),
    key("groups.intersectionShader", Int),
    key("gpurtFuncTable.*", Text),
];

/// `[VertexInputState]`.
pub const VERTEX_INPUT: &[Known] = &[
    key("binding.binding", Int),
    key("binding.stride", Int),
    key("binding.inputRate", Enum(Names::InputRate)),
    key("attribute.location", Int),
    key("attribute.binding", Int),
    key("attribute.format", Enum(Names::Format)),
    key("attribute.offset", Int),
    key("attribute.vbAddressLowBits", Int),
    key("divisor.binding", Int),
    key("divisor.divisor", Int),
];

/// `[GraphicsLibrary]`.
pub const LIBRARY: &[Known] = &[key("preRaster", Text), key("fragment", Text), key("colorExport", Text)];
/// `[Version]`.
pub const VERSION: &[Known] = &[key("version", Int)];
/// `[FsOutput]`.
pub const FRAGMENT_OUTPUT: &[Known] = &[key("data", Ints(false))];
/// A section with the name of a file.
pub const FILE: &[Known] = &[key("fileName", Text)];

/// Members of a user data node.
pub const NODE: &[Known] = &[
    key("visibility", Int),
    key("type", Enum(Names::Node)),
    key("offsetInDwords", Int),
    key("sizeInDwords", Int),
    key("set", Int),
    key("binding", Int),
    key("strideInDwords", Int),
    key("indirectUserDataCount", Int),
];

/// Static descriptors.
pub const RANGE: &[Known] = &[
    key("descriptorRangeValue.type", Enum(Names::Node)),
    key("descriptorRangeValue.set", Int),
    key("descriptorRangeValue.binding", Int),
    key("descriptorRangeValue.arraySize", Int),
    key("descriptorRangeValue.visibility", Int),
    key("descriptorRangeValue.uintData", Ints(false)),
    key("descriptorRangeValue.intData", Ints(false)),
];

/// The tables of a state section.
pub fn state(kind: super::section::Kind) -> Vec<&'static [Known]> {
    let own = match kind {
        super::section::Kind::GraphicsState => GRAPHICS,
        super::section::Kind::ComputeState => COMPUTE,
        _ => RAY_TRACING,
    };
    vec![own, OPTIONS]
}

/// The row of a path.
pub fn known<'t>(table: &'t [Known], path: &str) -> Option<&'t Known> {
    table.iter().find(|row| match row.path.strip_suffix('*') {
        Some(prefix) => path.len() > prefix.len() && path.starts_with(prefix),
        None => row.path == path,
    })
}

/// Keys that LLPC no longer reads, and their replacement.
const REMOVED: &[(&str, &str)] = &[
    ("depthBiasEnable", "was removed in interface 46"),
    ("polygonMode", "was removed in interface 48"),
    ("cullMode", "was removed in interface 48"),
    ("frontFace", "was removed in interface 48"),
    ("nggState.forceNonPassthrough", "was renamed to nggState.forceCullingMode in interface 44"),
    ("nggState.enableFastLaunch", "was removed in interface 45"),
    ("nggState.alwaysUsePrimShaderTable", "was removed in interface 47"),
    ("nggState.enableVertexReuse", "was removed in interface 59"),
    ("nggState.compactMode", "became the switch nggState.compactVertex in interface 60"),
    ("options.updateDescInElf", "was removed in interface 65"),
    ("options.noContract", "was renamed to options.noContractOpDot in interface 65.5"),
    ("options.disableInvariantLoads", "became part of options.aggressiveInvariantLoads in interface 57"),
    ("options.replaceSetWithResourceType", "moved to options.glState in interface 73"),
    ("options.traceRayWaveDensityThreshold", "was removed"),
    ("options.enablePickClosestLaneResultForAbortRays", "was removed"),
    ("options.forceEnablePrimStats", "was removed"),
    ("options.shaderTraceMask", "was removed"),
    ("traceRayWaveDensityThreshold", "was removed"),
    ("shaderTraceMask", "was removed"),
    ("includeDisassembly", "moved to options"),
    ("trapPresent", "moved to options"),
    ("debugMode", "moved to options"),
    ("enablePerformanceData", "moved to options"),
    ("vgprLimit", "moved to options"),
    ("sgprLimit", "moved to options"),
    ("maxThreadGroupsPerComputeUnit", "moved to options"),
];

/// The replacement of a key that LLPC no longer reads.
pub fn removed(path: &str) -> Option<&'static str> {
    REMOVED.iter().find(|row| row.0 == path).map(|row| row.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_paths_exactly_or_by_wildcard() {
        assert_eq!(known(GRAPHICS, "topology").map(|row| row.path), Some("topology"));
        assert_eq!(known(OPTIONS, "rtState.maxRayLength").map(|row| row.ty), Some(Float));
        assert_eq!(known(OPTIONS, "rtState.counterMode").map(|row| row.path), Some("rtState.*"));
        assert!(known(OPTIONS, "rtState.").is_none() && known(OPTIONS, "rtState").is_none());
        assert!(known(GRAPHICS, "Topology").is_none());
    }

    #[test]
    fn tables_list_each_key_once() {
        let tables = [INFO, OPTIONS, GRAPHICS, COMPUTE, RAY_TRACING, VERTEX_INPUT, NODE, RANGE];
        for table in tables {
            let mut paths: Vec<_> = table.iter().map(|row| row.path).collect();
            paths.sort_unstable();
            assert!(paths.windows(2).all(|pair| pair[0] != pair[1]));
        }
    }

    #[test]
    fn enumerations_use_their_own_names() {
        let value = |ty, text| if let Enum(names) = ty { names.value(text) } else { None };
        assert_eq!((value(WAVE_BREAK, "_8x8"), value(TILE, "_8x8")), (Some(1), Some(2)));
        assert_eq!(value(Enum(Names::Format), "VK_FORMAT_R8G8B8A8_UNORM"), Some(37));
        assert_eq!(value(Enum(Names::Format), "R8G8B8A8_UNORM"), None);
        assert_eq!(value(Enum(Names::Node), "DescriptorMutable"), Some(19));
    }
}
