//! Rays: tracing, ray queries, hit objects.

use super::{CALLS, Row, STATE};
use crate::enums::Op::*;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    // State of ray queries.
    (STATE, &[
        RayQueryGetIntersectionTypeKHR, RayQueryGetRayTMinKHR, RayQueryGetRayFlagsKHR, RayQueryGetIntersectionTKHR,
        RayQueryGetIntersectionInstanceCustomIndexKHR, RayQueryGetIntersectionInstanceIdKHR,
        RayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR, RayQueryGetIntersectionGeometryIndexKHR,
        RayQueryGetIntersectionPrimitiveIndexKHR, RayQueryGetIntersectionBarycentricsKHR,
        RayQueryGetIntersectionFrontFaceKHR, RayQueryGetIntersectionCandidateAABBOpaqueKHR,
        RayQueryGetIntersectionObjectRayDirectionKHR, RayQueryGetIntersectionObjectRayOriginKHR,
        RayQueryGetWorldRayDirectionKHR, RayQueryGetWorldRayOriginKHR, RayQueryGetIntersectionObjectToWorldKHR,
        RayQueryGetIntersectionWorldToObjectKHR, RayQueryGetIntersectionTriangleVertexPositionsKHR,
        RayQueryGetIntersectionClusterIdNV, RayQueryGetIntersectionSpherePositionNV,
        RayQueryGetIntersectionSphereRadiusNV, RayQueryGetIntersectionLSSPositionsNV,
        RayQueryGetIntersectionLSSRadiiNV, RayQueryGetIntersectionLSSHitValueNV, RayQueryIsSphereHitNV,
        RayQueryIsLSSHitNV, FetchMicroTriangleVertexPositionNV, FetchMicroTriangleVertexBarycentricNV,
    ]),
    // State of hit objects.
    (STATE, &[
        HitObjectGetWorldToObjectNV, HitObjectGetObjectToWorldNV, HitObjectGetObjectRayDirectionNV,
        HitObjectGetObjectRayOriginNV, HitObjectGetShaderRecordBufferHandleNV,
        HitObjectGetShaderBindingTableRecordIndexNV, HitObjectGetCurrentTimeNV, HitObjectGetHitKindNV,
        HitObjectGetPrimitiveIndexNV, HitObjectGetGeometryIndexNV, HitObjectGetInstanceIdNV,
        HitObjectGetInstanceCustomIndexNV, HitObjectGetWorldRayDirectionNV, HitObjectGetWorldRayOriginNV,
        HitObjectGetRayTMaxNV, HitObjectGetRayTMinNV, HitObjectIsEmptyNV, HitObjectIsHitNV, HitObjectIsMissNV,
        HitObjectGetClusterIdNV, HitObjectGetSpherePositionNV, HitObjectGetSphereRadiusNV, HitObjectGetLSSPositionsNV,
        HitObjectGetLSSRadiiNV, HitObjectIsSphereHitNV, HitObjectIsLSSHitNV,
        HitObjectGetWorldToObjectEXT, HitObjectGetObjectToWorldEXT, HitObjectGetObjectRayDirectionEXT,
        HitObjectGetObjectRayOriginEXT, HitObjectGetShaderRecordBufferHandleEXT,
        HitObjectGetShaderBindingTableRecordIndexEXT, HitObjectGetCurrentTimeEXT, HitObjectGetHitKindEXT,
        HitObjectGetPrimitiveIndexEXT, HitObjectGetGeometryIndexEXT, HitObjectGetInstanceIdEXT,
        HitObjectGetInstanceCustomIndexEXT, HitObjectGetWorldRayDirectionEXT, HitObjectGetWorldRayOriginEXT,
        HitObjectGetRayTMaxEXT, HitObjectGetRayTMinEXT, HitObjectGetRayFlagsEXT,
        HitObjectGetIntersectionTriangleVertexPositionsEXT, HitObjectIsEmptyEXT, HitObjectIsHitEXT, HitObjectIsMissEXT,
    ]),
    // What changes a query or a hit object, or runs other shaders.
    (CALLS, &[
        RayQueryInitializeKHR, RayQueryTerminateKHR, RayQueryGenerateIntersectionKHR, RayQueryConfirmIntersectionKHR,
        RayQueryProceedKHR, ReportIntersectionKHR, TraceRayKHR, ExecuteCallableKHR, TraceNV, TraceMotionNV,
        TraceRayMotionNV, ExecuteCallableNV, ReorderThreadWithHitObjectNV, ReorderThreadWithHintNV,
        ReorderThreadWithHintEXT, ReorderThreadWithHitObjectEXT, HitObjectRecordHitMotionNV,
        HitObjectRecordHitWithIndexMotionNV, HitObjectRecordMissMotionNV, HitObjectTraceRayMotionNV,
        HitObjectRecordEmptyNV, HitObjectTraceRayNV, HitObjectRecordHitNV, HitObjectRecordHitWithIndexNV,
        HitObjectRecordMissNV, HitObjectExecuteShaderNV, HitObjectGetAttributesNV, HitObjectRecordFromQueryEXT,
        HitObjectRecordMissEXT, HitObjectRecordMissMotionEXT, HitObjectSetShaderBindingTableRecordIndexEXT,
        HitObjectReorderExecuteShaderEXT, HitObjectTraceReorderExecuteEXT, HitObjectTraceMotionReorderExecuteEXT,
        HitObjectTraceRayEXT, HitObjectTraceRayMotionEXT, HitObjectRecordEmptyEXT, HitObjectExecuteShaderEXT,
        HitObjectGetAttributesEXT,
    ]),
];
