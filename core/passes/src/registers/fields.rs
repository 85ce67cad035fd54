//! The registers of `assets/tables/registers.json` and their fields. Generated: after a change of the tables,
//! `UPDATE_REGISTER_FIELDS=1 cargo test -p lanescope-passes register_fields` writes this file.

#![allow(dead_code, non_camel_case_types, reason = "every field of the tables, under the names of the tables")]

use super::field::{Field, NO, Named, OptionalField};

pub(super) enum CB_SHADER_MASK {}

impl Named for CB_SHADER_MASK {
    const NAME: &'static str = "CB_SHADER_MASK";
}

impl CB_SHADER_MASK {
    pub(super) const OUTPUT0_ENABLE: Field<Self> = Field::at([0, 0, 0, 0]);
    pub(super) const OUTPUT1_ENABLE: Field<Self> = Field::at([1, 1, 1, 1]);
    pub(super) const OUTPUT2_ENABLE: Field<Self> = Field::at([2, 2, 2, 2]);
    pub(super) const OUTPUT3_ENABLE: Field<Self> = Field::at([3, 3, 3, 3]);
    pub(super) const OUTPUT4_ENABLE: Field<Self> = Field::at([4, 4, 4, 4]);
    pub(super) const OUTPUT5_ENABLE: Field<Self> = Field::at([5, 5, 5, 5]);
    pub(super) const OUTPUT6_ENABLE: Field<Self> = Field::at([6, 6, 6, 6]);
    pub(super) const OUTPUT7_ENABLE: Field<Self> = Field::at([7, 7, 7, 7]);
}

pub(super) enum COMPUTE_DISPATCH_INITIATOR {}

impl Named for COMPUTE_DISPATCH_INITIATOR {
    const NAME: &'static str = "COMPUTE_DISPATCH_INITIATOR";
}

impl COMPUTE_DISPATCH_INITIATOR {
    pub(super) const COMPUTE_SHADER_EN: Field<Self> = Field::at([0, 0, 0, 0]);
    pub(super) const PARTIAL_TG_EN: Field<Self> = Field::at([1, 1, 1, 1]);
    pub(super) const FORCE_START_AT_000: Field<Self> = Field::at([2, 2, 2, 2]);
    pub(super) const ORDERED_APPEND_ENBL: Field<Self> = Field::at([3, 3, 3, 3]);
    pub(super) const ORDERED_APPEND_MODE: Field<Self> = Field::at([4, 4, 4, 4]);
    pub(super) const USE_THREAD_DIMENSIONS: Field<Self> = Field::at([5, 5, 5, 5]);
    pub(super) const ORDER_MODE: Field<Self> = Field::at([6, 6, 6, 6]);
    pub(super) const SCALAR_L1_INV_VOL: Field<Self> = Field::at([7, 7, 7, 7]);
    pub(super) const VECTOR_L1_INV_VOL: Field<Self> = Field::at([8, 8, 8, 8]);
    pub(super) const RESERVED: OptionalField<Self> = OptionalField::at([9, 9, 9, NO]);
    pub(super) const TUNNEL_ENABLE: Field<Self> = Field::at([10, 10, 10, 10]);
    pub(super) const RESTORE: Field<Self> = Field::at([11, 11, 11, 11]);
    pub(super) const CS_W32_EN: Field<Self> = Field::at([12, 12, 12, 12]);
    pub(super) const AMP_SHADER_EN: OptionalField<Self> = OptionalField::at([NO, NO, 13, 13]);
    pub(super) const DISABLE_DISP_PREMPT_EN: OptionalField<Self> = OptionalField::at([NO, NO, 14, 14]);
    pub(super) const PING_PONG_EN: OptionalField<Self> = OptionalField::at([NO, NO, NO, 9]);
    pub(super) const INTERLEAVE_2D_EN: OptionalField<Self> = OptionalField::at([NO, NO, NO, 15]);
    pub(super) const WGS_DISPATCH: OptionalField<Self> = OptionalField::at([NO, NO, NO, 16]);
    pub(super) const TTRACE_QUEUE_ID: OptionalField<Self> = OptionalField::at([NO, NO, NO, 17]);
}

pub(super) enum COMPUTE_NUM_THREAD_X {}

impl Named for COMPUTE_NUM_THREAD_X {
    const NAME: &'static str = "COMPUTE_NUM_THREAD_X";
}

impl COMPUTE_NUM_THREAD_X {
    pub(super) const NUM_THREAD_FULL: Field<Self> = Field::at([0, 0, 0, 0]);
    pub(super) const NUM_THREAD_PARTIAL: Field<Self> = Field::at([1, 1, 1, 2]);
    pub(super) const INTERLEAVE_BITS_X: OptionalField<Self> = OptionalField::at([NO, NO, NO, 1]);
}

pub(super) enum COMPUTE_NUM_THREAD_Y {}

impl Named for COMPUTE_NUM_THREAD_Y {
    const NAME: &'static str = "COMPUTE_NUM_THREAD_Y";
}

impl COMPUTE_NUM_THREAD_Y {
    pub(super) const NUM_THREAD_FULL: Field<Self> = Field::at([0, 0, 0, 0]);
    pub(super) const NUM_THREAD_PARTIAL: Field<Self> = Field::at([1, 1, 1, 2]);
    pub(super) const INTERLEAVE_BITS_Y: OptionalField<Self> = OptionalField::at([NO, NO, NO, 1]);
}

pub(super) enum COMPUTE_NUM_THREAD_Z {}

impl Named for COMPUTE_NUM_THREAD_Z {
    const NAME: &'static str = "COMPUTE_NUM_THREAD_Z";
}

impl COMPUTE_NUM_THREAD_Z {
    pub(super) const NUM_THREAD_FULL: Field<Self> = Field::at([0, 0, 0, 0]);
    pub(super) const NUM_THREAD_PARTIAL: Field<Self> = Field::at([1, 1, 1, 1]);
}

pub(super) enum COMPUTE_PGM_RSRC1 {}

impl Named for COMPUTE_PGM_RSRC1 {
    const NAME: &'static str = "COMPUTE_PGM_RSRC1";
}

impl COMPUTE_PGM_RSRC1 {
    pub(super) const VGPRS: Field<Self> = Field::at([0, 0, 0, 0]);
    pub(super) const SGPRS: Field<Self> = Field::at([1, 1, 1, 1]);
    pub(super) const PRIORITY: Field<Self> = Field::at([2, 2, 2, 2]);
    pub(super) const FLOAT_MODE: Field<Self> = Field::at([3, 3, 3, 3]);
    pub(super) const PRIV: Field<Self> = Field::at([4, 4, 4, 4]);
    pub(super) const DX10_CLAMP: OptionalField<Self> = OptionalField::at([5, 5, 5, NO]);
    pub(super) const DEBUG_MODE: Field<Self> = Field::at([6, 6, 6, 6]);
    pub(super) const IEEE_MODE: OptionalField<Self> = OptionalField::at([7, 7, 7, NO]);
    pub(super) const BULKY: Field<Self> = Field::at([8, 8, 8, 8]);
    pub(super) const CDBG_USER: Field<Self> = Field::at([9, 9, 9, 9]);
    pub(super) const FP16_OVFL: Field<Self> = Field::at([10, 10, 10, 10]);
    pub(super) const WGP_MODE: Field<Self> = Field::at([11, 11, 11, 11]);
    pub(super) const MEM_ORDERED: Field<Self> = Field::at([12, 12, 12, 12]);
    pub(super) const FWD_PROGRESS: Field<Self> = Field::at([13, 13, 13, 13]);
    pub(super) const WG_RR_EN: OptionalField<Self> = OptionalField::at([NO, NO, NO, 5]);
    pub(super) const DISABLE_PERF: OptionalField<Self> = OptionalField::at([NO, NO, NO, 7]);
}

pub(super) enum COMPUTE_PGM_RSRC2 {}

impl Named for COMPUTE_PGM_RSRC2 {
    const NAME: &'static str = "COMPUTE_PGM_RSRC2";
}

impl COMPUTE_PGM_RSRC2 {
    pub(super) const SCRATCH_EN: Field<Self> = Field::at([0, 0, 0, 0]);
    pub(super) const USER_SGPR: Field<Self> = Field::at([1, 1, 1, 1]);
    pub(super) const TRAP_PRESENT: OptionalField<Self> = OptionalField::at([2, 2, 2, NO]);
    pub(super) const TGID_X_EN: Field<Self> = Field::at([3, 3, 3, 3]);
    pub(super) const TGID_Y_EN: Field<Self> = Field::at([4, 4, 4, 4]);
    pub(super) const TGID_Z_EN: Field<Self> = Field::at([5, 5, 5, 5]);
    pub(super) const TG_SIZE_EN: Field<Self> = Field::at([6, 6, 6, 6]);
    pub(super) const TIDIG_COMP_CNT: Field<Self> = Field::at([7, 7, 7, 7]);
    pub(super) const EXCP_EN_MSB: Field<Self> = Field::at([8, 8, 8, 8]);
    pub(super) const LDS_SIZE: Field<Self> = Field::at([9, 9, 9, 9]);
    pub(super) const EXCP_EN: Field<Self> = Field::at([10, 10, 10, 10]);
    pub(super) const DYNAMIC_VGPR: OptionalField<Self> = OptionalField::at([NO, NO, NO, 2]);
    pub(super) const WGP_TAKEOVER: OptionalField<Self> = OptionalField::at([NO, NO, NO, 11]);
}

pub(super) enum COMPUTE_PGM_RSRC3 {}

impl Named for COMPUTE_PGM_RSRC3 {
    const NAME: &'static str = "COMPUTE_PGM_RSRC3";
}

impl COMPUTE_PGM_RSRC3 {
    pub(super) const SHARED_VGPR_CNT: Field<Self> = Field::at([0, 0, 0, 0]);
    pub(super) const INST_PREF_SIZE: OptionalField<Self> = OptionalField::at([NO, NO, 1, 1]);
    pub(super) const TRAP_ON_START: OptionalField<Self> = OptionalField::at([NO, NO, 2, NO]);
    pub(super) const TRAP_ON_END: OptionalField<Self> = OptionalField::at([NO, NO, 3, NO]);
    pub(super) const IMAGE_OP: OptionalField<Self> = OptionalField::at([NO, NO, 4, 3]);
    pub(super) const GLG_EN: OptionalField<Self> = OptionalField::at([NO, NO, NO, 2]);
}

pub(super) enum DB_SHADER_CONTROL {}

impl Named for DB_SHADER_CONTROL {
    const NAME: &'static str = "DB_SHADER_CONTROL";
}

impl DB_SHADER_CONTROL {
    pub(super) const Z_EXPORT_ENABLE: Field<Self> = Field::at([0, 0, 0, 0]);
    pub(super) const STENCIL_TEST_VAL_EXPORT_ENABLE: Field<Self> = Field::at([1, 1, 1, 1]);
    pub(super) const STENCIL_OP_VAL_EXPORT_ENABLE: Field<Self> = Field::at([2, 2, 2, 2]);
    pub(super) const Z_ORDER: Field<Self> = Field::at([3, 3, 3, 3]);
    pub(super) const KILL_ENABLE: Field<Self> = Field::at([4, 4, 4, 4]);
    pub(super) const COVERAGE_TO_MASK_ENABLE: Field<Self> = Field::at([5, 5, 5, 5]);
    pub(super) const MASK_EXPORT_ENABLE: Field<Self> = Field::at([6, 6, 6, 6]);
    pub(super) const EXEC_ON_HIER_FAIL: Field<Self> = Field::at([7, 7, 7, 7]);
    pub(super) const EXEC_ON_NOOP: Field<Self> = Field::at([8, 8, 8, 8]);
    pub(super) const ALPHA_TO_MASK_DISABLE: Field<Self> = Field::at([9, 9, 9, 9]);
    pub(super) const DEPTH_BEFORE_SHADER: Field<Self> = Field::at([10, 10, 10, 10]);
    pub(super) const CONSERVATIVE_Z_EXPORT: Field<Self> = Field::at([11, 11, 11, 11]);
    pub(super) const DUAL_QUAD_DISABLE: Field<Self> = Field::at([12, 12, 12, 12]);
    pub(super) const PRIMITIVE_ORDERED_PIXEL_SHADER: Field<Self> = Field::at([13, 13, 13, 13]);
    pub(super) const EXEC_IF_OVERLAPPED: OptionalField<Self> = OptionalField::at([14, 14, NO, NO]);
    pub(super) const POPS_OVERLAP_NUM_SAMPLES: OptionalField<Self> = OptionalField::at([15, 15, NO, NO]);
    pub(super) const PRE_SHADER_DEPTH_COVERAGE_ENABLE: Field<Self> = Field::at([16, 16, 14, 14]);
    pub(super) const OREO_BLEND_ENABLE: OptionalField<Self> = OptionalField::at([NO, NO, 15, 15]);
    pub(super) const OVERRIDE_INTRINSIC_RATE_ENABLE: OptionalField<Self> = OptionalField::at([NO, NO, 16, 16]);
    pub(super) const OVERRIDE_INTRINSIC_RATE: OptionalField<Self> = OptionalField::at([NO, NO, 17, 17]);
}

pub(super) enum GE_NGG_SUBGRP_CNTL {}

impl Named for GE_NGG_SUBGRP_CNTL {
    const NAME: &'static str = "GE_NGG_SUBGRP_CNTL";
}

impl GE_NGG_SUBGRP_CNTL {
    pub(super) const PRIM_AMP_FACTOR: Field<Self> = Field::at([0, 0, 0, 0]);
    pub(super) const THDS_PER_SUBGRP: Field<Self> = Field::at([1, 1, 1, 1]);
}

pub(super) enum PA_CL_VS_OUT_CNTL {}

impl Named for PA_CL_VS_OUT_CNTL {
    const NAME: &'static str = "PA_CL_VS_OUT_CNTL";
}

impl PA_CL_VS_OUT_CNTL {
    pub(super) const CLIP_DIST_ENA_0: Field<Self> = Field::at([0, 0, 0, 0]);
    pub(super) const CLIP_DIST_ENA_1: Field<Self> = Field::at([1, 1, 1, 1]);
    pub(super) const CLIP_DIST_ENA_2: Field<Self> = Field::at([2, 2, 2, 2]);
    pub(super) const CLIP_DIST_ENA_3: Field<Self> = Field::at([3, 3, 3, 3]);
    pub(super) const CLIP_DIST_ENA_4: Field<Self> = Field::at([4, 4, 4, 4]);
    pub(super) const CLIP_DIST_ENA_5: Field<Self> = Field::at([5, 5, 5, 5]);
    pub(super) const CLIP_DIST_ENA_6: Field<Self> = Field::at([6, 6, 6, 6]);
    pub(super) const CLIP_DIST_ENA_7: Field<Self> = Field::at([7, 7, 7, 7]);
    pub(super) const CULL_DIST_ENA_0: Field<Self> = Field::at([8, 8, 8, 8]);
    pub(super) const CULL_DIST_ENA_1: Field<Self> = Field::at([9, 9, 9, 9]);
    pub(super) const CULL_DIST_ENA_2: Field<Self> = Field::at([10, 10, 10, 10]);
    pub(super) const CULL_DIST_ENA_3: Field<Self> = Field::at([11, 11, 11, 11]);
    pub(super) const CULL_DIST_ENA_4: Field<Self> = Field::at([12, 12, 12, 12]);
    pub(super) const CULL_DIST_ENA_5: Field<Self> = Field::at([13, 13, 13, 13]);
    pub(super) const CULL_DIST_ENA_6: Field<Self> = Field::at([14, 14, 14, 14]);
    pub(super) const CULL_DIST_ENA_7: Field<Self> = Field::at([15, 15, 15, 15]);
    pub(super) const USE_VTX_POINT_SIZE: Field<Self> = Field::at([16, 16, 16, 16]);
    pub(super) const USE_VTX_EDGE_FLAG: Field<Self> = Field::at([17, 17, 17, 17]);
    pub(super) const USE_VTX_RENDER_TARGET_INDX: Field<Self> = Field::at([18, 18, 18, 18]);
    pub(super) const USE_VTX_VIEWPORT_INDX: Field<Self> = Field::at([19, 19, 19, 19]);
    pub(super) const USE_VTX_KILL_FLAG: Field<Self> = Field::at([20, 20, 20, 20]);
    pub(super) const VS_OUT_MISC_VEC_ENA: Field<Self> = Field::at([21, 21, 21, 21]);
    pub(super) const VS_OUT_CCDIST0_VEC_ENA: Field<Self> = Field::at([22, 22, 22, 22]);
    pub(super) const VS_OUT_CCDIST1_VEC_ENA: Field<Self> = Field::at([23, 23, 23, 23]);
    pub(super) const VS_OUT_MISC_SIDE_BUS_ENA: Field<Self> = Field::at([24, 24, 24, 24]);
    pub(super) const USE_VTX_GS_CUT_FLAG: OptionalField<Self> = OptionalField::at([25, 25, NO, NO]);
    pub(super) const USE_VTX_LINE_WIDTH: Field<Self> = Field::at([26, 26, 25, 25]);
    pub(super) const USE_VTX_VRS_RATE: OptionalField<Self> = OptionalField::at([NO, 27, 26, 26]);
    pub(super) const BYPASS_VTX_RATE_COMBINER: OptionalField<Self> = OptionalField::at([NO, 28, 27, 27]);
    pub(super) const BYPASS_PRIM_RATE_COMBINER: OptionalField<Self> = OptionalField::at([NO, 29, 28, 28]);
    pub(super) const USE_VTX_FSR_SELECT: OptionalField<Self> = OptionalField::at([NO, NO, 29, NO]);
}

pub(super) enum SPI_BARYC_CNTL {}

impl Named for SPI_BARYC_CNTL {
    const NAME: &'static str = "SPI_BARYC_CNTL";
}

impl SPI_BARYC_CNTL {
    pub(super) const PERSP_CENTER_CNTL: Field<Self> = Field::at([0, 0, 0, 0]);
    pub(super) const PERSP_CENTROID_CNTL: Field<Self> = Field::at([1, 1, 1, 1]);
    pub(super) const LINEAR_CENTER_CNTL: Field<Self> = Field::at([2, 2, 2, 2]);
    pub(super) const LINEAR_CENTROID_CNTL: Field<Self> = Field::at([3, 3, 3, 3]);
    pub(super) const POS_FLOAT_LOCATION: Field<Self> = Field::at([4, 4, 4, 4]);
    pub(super) const POS_FLOAT_ULC: Field<Self> = Field::at([5, 5, 5, 5]);
    pub(super) const FRONT_FACE_ALL_BITS: Field<Self> = Field::at([6, 6, 6, 6]);
}

pub(super) enum SPI_INTERP_CONTROL_0 {}

impl Named for SPI_INTERP_CONTROL_0 {
    const NAME: &'static str = "SPI_INTERP_CONTROL_0";
}

impl SPI_INTERP_CONTROL_0 {
    pub(super) const FLAT_SHADE_ENA: Field<Self> = Field::at([0, 0, 0, 0]);
    pub(super) const PNT_SPRITE_ENA: Field<Self> = Field::at([1, 1, 1, 1]);
    pub(super) const PNT_SPRITE_OVRD_X: Field<Self> = Field::at([2, 2, 2, 2]);
    pub(super) const PNT_SPRITE_OVRD_Y: Field<Self> = Field::at([3, 3, 3, 3]);
    pub(super) const PNT_SPRITE_OVRD_Z: Field<Self> = Field::at([4, 4, 4, 4]);
    pub(super) const PNT_SPRITE_OVRD_W: Field<Self> = Field::at([5, 5, 5, 5]);
    pub(super) const PNT_SPRITE_TOP_1: Field<Self> = Field::at([6, 6, 6, 6]);
}

pub(super) enum SPI_PS_INPUT_ADDR {}

impl Named for SPI_PS_INPUT_ADDR {
    const NAME: &'static str = "SPI_PS_INPUT_ADDR";
}

impl SPI_PS_INPUT_ADDR {
    pub(super) const PERSP_SAMPLE_ENA: Field<Self> = Field::at([0, 0, 0, 0]);
    pub(super) const PERSP_CENTER_ENA: Field<Self> = Field::at([1, 1, 1, 1]);
    pub(super) const PERSP_CENTROID_ENA: Field<Self> = Field::at([2, 2, 2, 2]);
    pub(super) const PERSP_PULL_MODEL_ENA: Field<Self> = Field::at([3, 3, 3, 3]);
    pub(super) const LINEAR_SAMPLE_ENA: Field<Self> = Field::at([4, 4, 4, 4]);
    pub(super) const LINEAR_CENTER_ENA: Field<Self> = Field::at([5, 5, 5, 5]);
    pub(super) const LINEAR_CENTROID_ENA: Field<Self> = Field::at([6, 6, 6, 6]);
    pub(super) const LINE_STIPPLE_TEX_ENA: Field<Self> = Field::at([7, 7, 7, 7]);
    pub(super) const POS_X_FLOAT_ENA: Field<Self> = Field::at([8, 8, 8, 8]);
    pub(super) const POS_Y_FLOAT_ENA: Field<Self> = Field::at([9, 9, 9, 9]);
    pub(super) const POS_Z_FLOAT_ENA: Field<Self> = Field::at([10, 10, 10, 10]);
    pub(super) const POS_W_FLOAT_ENA: Field<Self> = Field::at([11, 11, 11, 11]);
    pub(super) const FRONT_FACE_ENA: Field<Self> = Field::at([12, 12, 12, 12]);
    pub(super) const ANCILLARY_ENA: Field<Self> = Field::at([13, 13, 13, 13]);
    pub(super) const SAMPLE_COVERAGE_ENA: Field<Self> = Field::at([14, 14, 14, 14]);
    pub(super) const POS_FIXED_PT_ENA: Field<Self> = Field::at([15, 15, 15, 15]);
}

pub(super) enum SPI_PS_INPUT_CNTL {}

impl Named for SPI_PS_INPUT_CNTL {
    const NAME: &'static str = "SPI_PS_INPUT_CNTL";
}

impl SPI_PS_INPUT_CNTL {
    pub(super) const OFFSET: Field<Self> = Field::at([0, 0, 0, 0]);
    pub(super) const DEFAULT_VAL: Field<Self> = Field::at([1, 1, 1, 1]);
    pub(super) const FLAT_SHADE: Field<Self> = Field::at([2, 2, 2, 2]);
    pub(super) const CYL_WRAP: OptionalField<Self> = OptionalField::at([3, 4, NO, NO]);
    pub(super) const PT_SPRITE_TEX: Field<Self> = Field::at([4, 5, 5, 5]);
    pub(super) const DUP: Field<Self> = Field::at([5, 6, 6, 6]);
    pub(super) const FP16_INTERP_MODE: Field<Self> = Field::at([6, 7, 7, 7]);
    pub(super) const USE_DEFAULT_ATTR1: Field<Self> = Field::at([7, 8, 8, 8]);
    pub(super) const DEFAULT_VAL_ATTR1: Field<Self> = Field::at([8, 9, 9, 9]);
    pub(super) const PT_SPRITE_TEX_ATTR1: Field<Self> = Field::at([9, 10, 10, 10]);
    pub(super) const ATTR0_VALID: Field<Self> = Field::at([10, 11, 11, 11]);
    pub(super) const ATTR1_VALID: Field<Self> = Field::at([11, 12, 12, 12]);
    pub(super) const ROTATE_PC_PTR: OptionalField<Self> = OptionalField::at([NO, 3, 3, 3]);
    pub(super) const PRIM_ATTR: OptionalField<Self> = OptionalField::at([NO, NO, 4, 4]);
}

pub(super) enum SPI_PS_INPUT_ENA {}

impl Named for SPI_PS_INPUT_ENA {
    const NAME: &'static str = "SPI_PS_INPUT_ENA";
}

impl SPI_PS_INPUT_ENA {
    pub(super) const PERSP_SAMPLE_ENA: Field<Self> = Field::at([0, 0, 0, 0]);
    pub(super) const PERSP_CENTER_ENA: Field<Self> = Field::at([1, 1, 1, 1]);
    pub(super) const PERSP_CENTROID_ENA: Field<Self> = Field::at([2, 2, 2, 2]);
    pub(super) const PERSP_PULL_MODEL_ENA: Field<Self> = Field::at([3, 3, 3, 3]);
    pub(super) const LINEAR_SAMPLE_ENA: Field<Self> = Field::at([4, 4, 4, 4]);
    pub(super) const LINEAR_CENTER_ENA: Field<Self> = Field::at([5, 5, 5, 5]);
    pub(super) const LINEAR_CENTROID_ENA: Field<Self> = Field::at([6, 6, 6, 6]);
    pub(super) const LINE_STIPPLE_TEX_ENA: Field<Self> = Field::at([7, 7, 7, 7]);
    pub(super) const POS_X_FLOAT_ENA: Field<Self> = Field::at([8, 8, 8, 8]);
    pub(super) const POS_Y_FLOAT_ENA: Field<Self> = Field::at([9, 9, 9, 9]);
    pub(super) const POS_Z_FLOAT_ENA: Field<Self> = Field::at([10, 10, 10, 10]);
    pub(super) const POS_W_FLOAT_ENA: Field<Self> = Field::at([11, 11, 11, 11]);
    pub(super) const FRONT_FACE_ENA: Field<Self> = Field::at([12, 12, 12, 12]);
    pub(super) const ANCILLARY_ENA: Field<Self> = Field::at([13, 13, 13, 13]);
    pub(super) const SAMPLE_COVERAGE_ENA: Field<Self> = Field::at([14, 14, 14, 14]);
    pub(super) const POS_FIXED_PT_ENA: Field<Self> = Field::at([15, 15, 15, 15]);
    pub(super) const COVERAGE_TO_SHADER_SELECT: OptionalField<Self> = OptionalField::at([NO, NO, NO, 16]);
}

pub(super) enum SPI_PS_IN_CONTROL {}

impl Named for SPI_PS_IN_CONTROL {
    const NAME: &'static str = "SPI_PS_IN_CONTROL";
}

impl SPI_PS_IN_CONTROL {
    pub(super) const NUM_INTERP: OptionalField<Self> = OptionalField::at([0, 0, 0, NO]);
    pub(super) const PARAM_GEN: Field<Self> = Field::at([1, 1, 1, 0]);
    pub(super) const OFFCHIP_PARAM_EN: OptionalField<Self> = OptionalField::at([2, 2, 2, NO]);
    pub(super) const LATE_PC_DEALLOC: OptionalField<Self> = OptionalField::at([3, 3, 3, NO]);
    pub(super) const BC_OPTIMIZE_DISABLE: Field<Self> = Field::at([4, 5, 5, 1]);
    pub(super) const PS_W32_EN: Field<Self> = Field::at([5, 6, 6, 2]);
    pub(super) const NUM_PRIM_INTERP: OptionalField<Self> = OptionalField::at([NO, 4, 4, NO]);
}

pub(super) enum SPI_SHADER_COL_FORMAT {}

impl Named for SPI_SHADER_COL_FORMAT {
    const NAME: &'static str = "SPI_SHADER_COL_FORMAT";
}

impl SPI_SHADER_COL_FORMAT {
    pub(super) const COL0_EXPORT_FORMAT: Field<Self> = Field::at([0, 0, 0, 0]);
    pub(super) const COL1_EXPORT_FORMAT: Field<Self> = Field::at([1, 1, 1, 1]);
    pub(super) const COL2_EXPORT_FORMAT: Field<Self> = Field::at([2, 2, 2, 2]);
    pub(super) const COL3_EXPORT_FORMAT: Field<Self> = Field::at([3, 3, 3, 3]);
    pub(super) const COL4_EXPORT_FORMAT: Field<Self> = Field::at([4, 4, 4, 4]);
    pub(super) const COL5_EXPORT_FORMAT: Field<Self> = Field::at([5, 5, 5, 5]);
    pub(super) const COL6_EXPORT_FORMAT: Field<Self> = Field::at([6, 6, 6, 6]);
    pub(super) const COL7_EXPORT_FORMAT: Field<Self> = Field::at([7, 7, 7, 7]);
}

pub(super) enum SPI_SHADER_GS_OUT_CONFIG_PS {}

impl Named for SPI_SHADER_GS_OUT_CONFIG_PS {
    const NAME: &'static str = "SPI_SHADER_GS_OUT_CONFIG_PS";
}

impl SPI_SHADER_GS_OUT_CONFIG_PS {
    pub(super) const VS_EXPORT_COUNT: Field<Self> = Field::at([NO, NO, NO, 0]);
    pub(super) const PRIM_EXPORT_COUNT: Field<Self> = Field::at([NO, NO, NO, 1]);
    pub(super) const NO_PC_EXPORT: Field<Self> = Field::at([NO, NO, NO, 2]);
    pub(super) const NUM_INTERP: Field<Self> = Field::at([NO, NO, NO, 3]);
    pub(super) const NUM_PRIM_INTERP: Field<Self> = Field::at([NO, NO, NO, 4]);
}

pub(super) enum SPI_SHADER_PGM_RSRC1_PS {}

impl Named for SPI_SHADER_PGM_RSRC1_PS {
    const NAME: &'static str = "SPI_SHADER_PGM_RSRC1_PS";
}

impl SPI_SHADER_PGM_RSRC1_PS {
    pub(super) const VGPRS: Field<Self> = Field::at([0, 0, 0, 0]);
    pub(super) const SGPRS: Field<Self> = Field::at([1, 1, 1, 1]);
    pub(super) const PRIORITY: Field<Self> = Field::at([2, 2, 2, 2]);
    pub(super) const FLOAT_MODE: Field<Self> = Field::at([3, 3, 3, 3]);
    pub(super) const PRIV: Field<Self> = Field::at([4, 4, 4, 4]);
    pub(super) const DX10_CLAMP: OptionalField<Self> = OptionalField::at([5, 5, 5, NO]);
    pub(super) const DEBUG_MODE: Field<Self> = Field::at([6, 6, 6, 6]);
    pub(super) const IEEE_MODE: OptionalField<Self> = OptionalField::at([7, 7, 7, NO]);
    pub(super) const CU_GROUP_DISABLE: Field<Self> = Field::at([8, 8, 8, 8]);
    pub(super) const MEM_ORDERED: OptionalField<Self> = OptionalField::at([9, 9, 9, NO]);
    pub(super) const FWD_PROGRESS: Field<Self> = Field::at([10, 10, 10, 9]);
    pub(super) const CDBG_USER: Field<Self> = Field::at([11, 12, 12, 11]);
    pub(super) const FP16_OVFL: Field<Self> = Field::at([12, 13, 13, 12]);
    pub(super) const LOAD_PROVOKING_VTX: OptionalField<Self> = OptionalField::at([NO, 11, 11, 10]);
    pub(super) const WG_RR_EN: OptionalField<Self> = OptionalField::at([NO, NO, NO, 5]);
    pub(super) const DISABLE_PERF: OptionalField<Self> = OptionalField::at([NO, NO, NO, 7]);
}

pub(super) enum SPI_SHADER_PGM_RSRC2_PS {}

impl Named for SPI_SHADER_PGM_RSRC2_PS {
    const NAME: &'static str = "SPI_SHADER_PGM_RSRC2_PS";
}

impl SPI_SHADER_PGM_RSRC2_PS {
    pub(super) const SCRATCH_EN: Field<Self> = Field::at([0, 0, 0, 0]);
    pub(super) const USER_SGPR: Field<Self> = Field::at([1, 1, 1, 1]);
    pub(super) const TRAP_PRESENT: Field<Self> = Field::at([2, 2, 2, 2]);
    pub(super) const WAVE_CNT_EN: Field<Self> = Field::at([3, 3, 3, 3]);
    pub(super) const EXTRA_LDS_SIZE: Field<Self> = Field::at([4, 4, 4, 4]);
    pub(super) const EXCP_EN: Field<Self> = Field::at([5, 5, 5, 5]);
    pub(super) const LOAD_COLLISION_WAVEID: Field<Self> = Field::at([6, 6, 6, 6]);
    pub(super) const LOAD_INTRAWAVE_COLLISION: Field<Self> = Field::at([7, 7, 7, 7]);
    pub(super) const USER_SGPR_MSB: Field<Self> = Field::at([8, 8, 8, 8]);
    pub(super) const SHARED_VGPR_CNT: Field<Self> = Field::at([9, 9, 9, 9]);
}

pub(super) enum SPI_SHADER_POS_FORMAT {}

impl Named for SPI_SHADER_POS_FORMAT {
    const NAME: &'static str = "SPI_SHADER_POS_FORMAT";
}

impl SPI_SHADER_POS_FORMAT {
    pub(super) const POS0_EXPORT_FORMAT: Field<Self> = Field::at([0, 0, 0, 0]);
    pub(super) const POS1_EXPORT_FORMAT: Field<Self> = Field::at([1, 1, 1, 1]);
    pub(super) const POS2_EXPORT_FORMAT: Field<Self> = Field::at([2, 2, 2, 2]);
    pub(super) const POS3_EXPORT_FORMAT: Field<Self> = Field::at([3, 3, 3, 3]);
    pub(super) const POS4_EXPORT_FORMAT: Field<Self> = Field::at([4, 4, 4, 4]);
}

pub(super) enum SPI_SHADER_Z_FORMAT {}

impl Named for SPI_SHADER_Z_FORMAT {
    const NAME: &'static str = "SPI_SHADER_Z_FORMAT";
}

impl SPI_SHADER_Z_FORMAT {
    pub(super) const Z_EXPORT_FORMAT: Field<Self> = Field::at([0, 0, 0, 0]);
}

pub(super) enum SPI_VS_OUT_CONFIG {}

impl Named for SPI_VS_OUT_CONFIG {
    const NAME: &'static str = "SPI_VS_OUT_CONFIG";
}

impl SPI_VS_OUT_CONFIG {
    pub(super) const VS_EXPORT_COUNT: Field<Self> = Field::at([0, 0, 0, NO]);
    pub(super) const VS_HALF_PACK: OptionalField<Self> = OptionalField::at([1, 1, NO, NO]);
    pub(super) const NO_PC_EXPORT: Field<Self> = Field::at([2, 2, 1, NO]);
    pub(super) const PRIM_EXPORT_COUNT: OptionalField<Self> = OptionalField::at([NO, 3, 2, NO]);
}
