BB0:
	s_setprio 3
	s_load_b128 s[20:23], s[0:1], 0xa0
	s_lshl_b32 s0, s3, 8
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_bfe_u64 s[0:1], -1, s0
	s_clz_i32_u64 s2, s[0:1]
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_sub_u32 s2, 63, s2
	s_cselect_b32 s2, -1, s2
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_and_b32 s2, s2, -8
	s_add_u32 s2, s2, 8
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_pack_ll_b32_b16 s2, 0, s2
	s_bfe_u64 exec, -1, s2
	s_waitcnt lgkmcnt(0)
	s_or_b32 s21, s21, 0x700000
	s_cbranch_execz BB6
BB1:
	s_bfe_u32 s2, s3, 0x40018
	v_mov_b32_e32 v6, v5
	s_lshl_b32 s2, s2, 6
	s_and_b32 s4, s5, 0x7fff
	v_mbcnt_lo_u32_b32 v1, -1, s2
	s_lshl_b32 s4, s4, 9
	s_delay_alu instid0(VALU_DEP_1)
	v_mbcnt_hi_u32_b32 v1, -1, v1
	buffer_store_b128 v[2:5], v1, s[20:23], s4 idxen offset:96
	v_mov_b32_e32 v5, v6
BB6:
	s_pack_ll_b32_b16 s2, 0, s3
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_bfe_u64 exec, -1, s2
	s_mov_b64 s[6:7], exec
	s_cbranch_execz BB12
BB7:
	s_mov_b32 s2, s9
	s_movk_i32 s9, 0x8000
	s_load_b128 s[24:27], s[8:9], null
	v_add_nc_u32_e32 v5, s2, v5
	s_waitcnt lgkmcnt(0)
	s_clause 0x3
	buffer_load_b96 v[1:3], v5, s[24:27], 0 idxen
	buffer_load_b96 v[9:11], v5, s[24:27], 0 idxen offset:16
	buffer_load_b128 v[12:15], v5, s[24:27], 0 idxen offset:32
	buffer_load_b64 v[4:5], v5, s[24:27], 0 idxen offset:48
	s_mov_b32 s8, s11
	s_movk_i32 s9, 0x8000
	s_clause 0x1
	s_load_b512 s[32:47], s[8:9], 0x40
	s_load_b256 s[24:31], s[8:9], 0x20
	v_add_nc_u32_e32 v16, s10, v8
	s_waitcnt vmcnt(3) lgkmcnt(0)
	v_fma_f32 v17, s40, v3, s44
	v_fma_f32 v18, s41, v3, s45
	v_fma_f32 v19, s42, v3, s46
	v_fma_f32 v3, s43, v3, s47
	s_delay_alu instid0(VALU_DEP_4) | instskip(SKIP_3) | instid1(VALU_DEP_4)
	v_fmac_f32_e32 v17, s36, v2
	v_fmac_f32_e32 v18, s37, v2
	v_fmac_f32_e32 v19, s38, v2
	v_fmac_f32_e32 v3, s39, v2
	v_fmac_f32_e32 v17, s32, v1
	v_fmac_f32_e32 v18, s33, v1
	v_fmac_f32_e32 v19, s34, v1
	v_fmac_f32_e32 v3, s35, v1
	s_delay_alu instid0(VALU_DEP_1)
	v_mul_f32_e32 v20, s28, v3
	v_mul_f32_e32 v21, s29, v3
	v_mul_f32_e32 v22, s30, v3
	v_mul_f32_e32 v3, s31, v3
	s_waitcnt vmcnt(2)
	v_mul_f32_e32 v23, s40, v11
	v_mul_f32_e32 v24, s41, v11
	v_mul_f32_e32 v11, s42, v11
	v_fmac_f32_e32 v20, s24, v19
	v_fmac_f32_e32 v21, s25, v19
	v_fmac_f32_e32 v22, s26, v19
	v_fmac_f32_e32 v3, s27, v19
	v_fmac_f32_e32 v23, s36, v10
	s_waitcnt vmcnt(1)
	v_mul_f32_e32 v25, s40, v14
	v_mul_f32_e32 v26, s41, v14
	v_fmac_f32_e32 v24, s37, v10
	v_fmac_f32_e32 v11, s38, v10
	v_mul_f32_e32 v14, s42, v14
	v_fmac_f32_e32 v20, s16, v18
	v_fmac_f32_e32 v21, s17, v18
	v_fmac_f32_e32 v22, s18, v18
	v_fmac_f32_e32 v3, s19, v18
	v_fmac_f32_e32 v23, s32, v9
	v_fmac_f32_e32 v25, s36, v13
	v_fmac_f32_e32 v26, s37, v13
	v_fmac_f32_e32 v24, s33, v9
	v_fmac_f32_e32 v11, s34, v9
	v_fmac_f32_e32 v14, s38, v13
	v_fmac_f32_e32 v20, s12, v17
	v_fmac_f32_e32 v21, s13, v17
	v_fmac_f32_e32 v22, s14, v17
	v_fmac_f32_e32 v3, s15, v17
	v_fmac_f32_e32 v25, s32, v12
	v_fmac_f32_e32 v26, s33, v12
	v_fmac_f32_e32 v14, s34, v12
BB12:
	s_waitcnt_vscnt null, 0x0
	s_mov_b64 exec, s[0:1]
	s_cbranch_execz BB18
BB13:
	exp prim v0, off, off, off done
BB18:
	s_add_u32 s0, s3, 7
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_and_b32 s0, s0, -8
	s_pack_ll_b32_b16 s0, 0, s0
	s_waitcnt expcnt(0)
	s_delay_alu instid0(SALU_CYCLE_1)
	s_bfe_u64 exec, -1, s0
	s_cbranch_execz BB24
BB19:
	s_bfe_u32 s3, s3, 0x40018
	v_mov_b32_e32 v1, v20
	v_mov_b32_e32 v9, v23
	v_mov_b32_e32 v10, v24
	v_mov_b32_e32 v27, v14
	v_mov_b32_e32 v28, v15
	v_mov_b32_e32 v32, 1.0
	v_mov_b32_e32 v33, 1.0
	v_mov_b32_e32 v34, 1.0
	v_mov_b32_e32 v35, 1.0
	v_mov_b32_e32 v36, v16
	s_lshl_b32 s3, s3, 6
	s_and_b32 s5, s5, 0x7fff
	v_mbcnt_lo_u32_b32 v0, -1, s3
	s_lshl_b32 s5, s5, 9
	s_delay_alu instid0(VALU_DEP_1)
	v_mbcnt_hi_u32_b32 v0, -1, v0
	s_waitcnt vmcnt(0)
	s_clause 0x5
	buffer_store_b128 v[17:20], v0, s[20:23], s5 idxen
	buffer_store_b128 v[9:12], v0, s[20:23], s5 idxen offset:16
	buffer_store_b128 v[25:28], v0, s[20:23], s5 idxen offset:32
	buffer_store_b128 v[4:7], v0, s[20:23], s5 idxen offset:48
	buffer_store_b128 v[32:35], v0, s[20:23], s5 idxen offset:64
	buffer_store_b128 v[36:39], v0, s[20:23], s5 idxen offset:80
	v_mov_b32_e32 v20, v1
BB24:
	s_waitcnt_vscnt null, 0x0
	s_mov_b64 exec, s[6:7]
	s_cbranch_execz BB30
BB25:
	exp pos0 v20, v21, v22, v3 done
BB30:
	s_nop 0
	s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
	s_endpgm
