BB0:
	s_setprio 3
	s_lshr_b32 s2, s3, 8
	s_bfm_b64 s[6:7], s2, 0
	s_bitcmp1_b32 s2, 6
	s_cselect_b64 exec, -1, s[6:7]
	s_cbranch_execz BB6
BB1:
	exp prim v0, off, off, off done
BB6:
	s_bfm_b64 s[6:7], s3, 0
	s_bitcmp1_b32 s3, 6
	s_waitcnt expcnt(0)
	s_cselect_b64 exec, -1, s[6:7]
	s_cbranch_execz BB12
BB7:
	s_mov_b32 s2, s9
	s_movk_i32 s9, 0x8000
	s_load_b128 s[20:23], s[8:9], null
	v_add_nc_u32_e32 v0, s2, v5
	s_waitcnt lgkmcnt(0)
	s_clause 0x2
	buffer_load_b96 v[1:3], v0, s[20:23], 0 idxen
	buffer_load_b96 v[4:6], v0, s[20:23], 0 idxen offset:16
	buffer_load_b64 v[10:11], v0, s[20:23], 0 idxen offset:48
	s_mov_b32 s6, s11
	s_movk_i32 s7, 0x8000
	s_clause 0x5
	s_load_b128 s[20:23], s[6:7], 0x40
	s_load_b128 s[24:27], s[6:7], 0x50
	s_load_b128 s[28:31], s[6:7], 0x60
	s_load_b128 s[32:35], s[6:7], 0x70
	s_load_b128 s[36:39], s[6:7], 0x20
	s_load_b128 s[40:43], s[6:7], 0x30
	s_waitcnt vmcnt(2) lgkmcnt(0)
	v_fma_f32 v0, s28, v3, s32
	v_fma_f32 v7, s29, v3, s33
	v_fma_f32 v9, s30, v3, s34
	v_fma_f32 v3, s31, v3, s35
	v_fmac_f32_e32 v0, s24, v2
	v_fmac_f32_e32 v7, s25, v2
	v_fmac_f32_e32 v9, s26, v2
	v_fmac_f32_e32 v3, s27, v2
	v_fmac_f32_e32 v0, s20, v1
	v_fmac_f32_e32 v7, s21, v1
	v_fmac_f32_e32 v9, s22, v1
	v_fmac_f32_e32 v3, s23, v1
	v_mul_f32_e32 v1, s40, v3
	v_mul_f32_e32 v2, s41, v3
	v_mul_f32_e32 v12, s42, v3
	v_mul_f32_e32 v3, s43, v3
	v_fmac_f32_e32 v1, s36, v9
	v_fmac_f32_e32 v2, s37, v9
	v_fmac_f32_e32 v12, s38, v9
	v_fmac_f32_e32 v3, s39, v9
	v_fmac_f32_e32 v1, s16, v7
	v_fmac_f32_e32 v2, s17, v7
	v_fmac_f32_e32 v12, s18, v7
	v_fmac_f32_e32 v3, s19, v7
	v_fmac_f32_e32 v1, s12, v0
	v_fmac_f32_e32 v2, s13, v0
	v_fmac_f32_e32 v12, s14, v0
	v_fmac_f32_e32 v3, s15, v0
	exp pos0 v1, v2, v12, v3 done
	v_add_nc_u32_e32 v8, s10, v8
	s_waitcnt vmcnt(1)
	v_mul_f32_e32 v13, s28, v6
	v_mul_f32_e32 v14, s29, v6
	v_mul_f32_e32 v6, s30, v6
	v_fmac_f32_e32 v13, s24, v5
	v_fmac_f32_e32 v14, s25, v5
	v_fmac_f32_e32 v6, s26, v5
	v_fmac_f32_e32 v13, s20, v4
	v_fmac_f32_e32 v14, s21, v4
	v_fmac_f32_e32 v6, s22, v4
BB12:
	s_load_b128 s[8:11], s[0:1], 0xa0
	s_add_u32 s4, s3, 7
	s_and_b32 s4, s4, -8
	s_bfm_b64 s[0:1], s4, 0
	s_bitcmp1_b32 s4, 6
	s_waitcnt expcnt(0)
	s_cselect_b64 exec, -1, s[0:1]
	s_waitcnt lgkmcnt(0)
	s_or_b32 s9, s9, 0x300000
	s_cbranch_execz BB18
BB13:
	s_and_b32 s2, s5, 0x7fff
	s_lshl_b32 s2, s2, 9
	v_mbcnt_lo_u32_b32 v12, -1, 0
	v_mbcnt_hi_u32_b32 v12, -1, v12
	s_bfe_u32 s0, s3, 0x40018
	v_lshl_add_u32 v12, s0, 6, v12
	v_mov_b32_e32 v1, v7
	v_mov_b32_e32 v2, v9
	v_mov_b32_e32 v3, v13
	buffer_store_b128 v[0:3], v12, s[8:11], s2 idxen
	s_add_i32 s0, s2, 0x200
	v_swap_b32 v8, v14
	v_mov_b32_e32 v9, v6
	s_waitcnt vmcnt(0)
	buffer_store_b128 v[8:11], v12, s[8:11], s0 idxen
	s_addk_i32 s2, 0x400
	v_lshrrev_b64 v[15:16], 0, 0
	v_mov_b32_e32 v17, 0
	buffer_store_b128 v[14:17], v12, s[8:11], s2 idxen
BB18:
	s_endpgm
