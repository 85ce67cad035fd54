BB0:
	s_setprio 3
	s_bitset0_b32 s1, 14
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
	s_mov_b32 s24, s11
	s_movk_i32 s25, 0x8000
	s_mov_b32 s2, s9
	s_movk_i32 s9, 0x8000
	s_clause 0x2
	s_load_b512 s[32:47], s[24:25], 0x40
	s_load_b256 s[24:31], s[24:25], 0x20
	s_load_b128 s[48:51], s[8:9], null
	v_add_nc_u32_e32 v5, s2, v5
	s_waitcnt lgkmcnt(0)
	s_clause 0x3
	buffer_load_b96 v[1:3], v5, s[48:51], 0 idxen
	buffer_load_b96 v[9:11], v5, s[48:51], 0 idxen offset:16
	buffer_load_b128 v[12:15], v5, s[48:51], 0 idxen offset:32
	buffer_load_b64 v[4:5], v5, s[48:51], 0 idxen offset:48
	v_add_nc_u32_e32 v16, s10, v8
	s_waitcnt vmcnt(3)
	v_fma_f32 v20, s40, v3, s44
	v_fma_f32 v21, s41, v3, s45
	v_fma_f32 v22, s42, v3, s46
	v_fma_f32 v3, s43, v3, s47
	s_waitcnt vmcnt(2)
	v_mul_f32_e32 v24, s40, v11
	v_mul_f32_e32 v25, s41, v11
	v_mul_f32_e32 v26, s42, v11
	v_fmac_f32_e32 v20, s36, v2
	s_waitcnt vmcnt(1)
	v_mul_f32_e32 v8, s40, v14
	v_fmac_f32_e32 v21, s37, v2
	v_fmac_f32_e32 v22, s38, v2
	v_fmac_f32_e32 v3, s39, v2
	v_fmac_f32_e32 v24, s36, v10
	v_fmac_f32_e32 v25, s37, v10
	v_fmac_f32_e32 v26, s38, v10
	v_mul_f32_e32 v10, s42, v14
	v_fmac_f32_e32 v20, s32, v1
	v_fmac_f32_e32 v8, s36, v13
	v_fmac_f32_e32 v21, s33, v1
	v_fmac_f32_e32 v22, s34, v1
	v_fmac_f32_e32 v3, s35, v1
	v_fmac_f32_e32 v24, s32, v9
	v_fmac_f32_e32 v25, s33, v9
	v_fmac_f32_e32 v26, s34, v9
	v_mul_f32_e32 v9, s41, v14
	v_fmac_f32_e32 v10, s38, v13
	v_fmac_f32_e32 v8, s32, v12
	v_mul_f32_e32 v14, s30, v3
	s_delay_alu instid0(VALU_DEP_4) | instskip(SKIP_3) | instid1(VALU_DEP_4)
	v_fmac_f32_e32 v9, s37, v13
	v_mul_f32_e32 v13, s29, v3
	v_fmac_f32_e32 v10, s34, v12
	v_fmac_f32_e32 v14, s26, v22
	v_fmac_f32_e32 v9, s33, v12
	v_mul_f32_e32 v12, s28, v3
	v_mul_f32_e32 v3, s31, v3
	v_fmac_f32_e32 v13, s25, v22
	v_fmac_f32_e32 v14, s18, v21
	s_delay_alu instid0(VALU_DEP_4) | instskip(SKIP_3) | instid1(VALU_DEP_4)
	v_fmac_f32_e32 v12, s24, v22
	v_fmac_f32_e32 v3, s27, v22
	v_fmac_f32_e32 v13, s17, v21
	v_fmac_f32_e32 v14, s14, v20
	v_fmac_f32_e32 v12, s16, v21
	v_fmac_f32_e32 v3, s19, v21
	v_fmac_f32_e32 v13, s13, v20
	s_delay_alu instid0(VALU_DEP_3)
	v_fmac_f32_e32 v12, s12, v20
	v_fmac_f32_e32 v3, s15, v20
BB12:
	s_mov_b64 exec, s[0:1]
	s_cbranch_execz BB18
BB13:
	s_waitcnt_vscnt null, 0x0
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
	v_mov_b32_e32 v11, v15
	v_mov_b32_e32 v28, 1.0
	v_mov_b32_e32 v29, 1.0
	v_mov_b32_e32 v30, 1.0
	v_mov_b32_e32 v31, 1.0
	s_lshl_b32 s3, s3, 6
	s_and_b32 s5, s5, 0x7fff
	v_mbcnt_lo_u32_b32 v0, -1, s3
	s_lshl_b32 s5, s5, 9
	s_delay_alu instid0(VALU_DEP_1)
	v_mbcnt_hi_u32_b32 v0, -1, v0
	s_waitcnt vmcnt(0)
	s_clause 0x5
	buffer_store_b128 v[20:23], v0, s[20:23], s5 idxen
	buffer_store_b128 v[24:27], v0, s[20:23], s5 idxen offset:16
	buffer_store_b128 v[8:11], v0, s[20:23], s5 idxen offset:32
	buffer_store_b128 v[4:7], v0, s[20:23], s5 idxen offset:48
	buffer_store_b128 v[28:31], v0, s[20:23], s5 idxen offset:64
	buffer_store_b128 v[16:19], v0, s[20:23], s5 idxen offset:80
BB24:
	s_mov_b64 exec, s[6:7]
	s_cbranch_execz BB30
BB25:
	s_waitcnt_vscnt null, 0x0
	exp pos0 v12, v13, v14, v3 done
BB30:
	s_endpgm
