BB0:
	s_mov_b64 exec, -1
	s_setprio 3
	v_bfe_u32 v3, v0, 0, 16
	v_lshrrev_b32_e32 v0, 16, v0
	v_bfe_u32 v1, v1, 0, 16
	s_bfe_u32 s4, s3, 0x40018
	s_cmp_eq_i32 s4, 0
	s_cbranch_scc0 BB3
BB1:
	s_bfe_u32 s6, s2, 0x9000c
	s_bfe_u32 s2, s2, 0x90016
	s_lshl_b32 s2, s2, 12
	s_or_b32 m0, s2, s6
	s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)
BB3:
	v_lshl_or_b32 v0, v0, 10, v3
	v_lshl_or_b32 v4, v1, 20, v0
	s_lshr_b32 s2, s3, 8
	s_bfm_b64 s[6:7], s2, 0
	s_bitcmp1_b32 s2, 6
	s_cselect_b64 exec, -1, s[6:7]
	s_mov_b64 s[6:7], exec
	s_cbranch_execz BB9
BB4:
	v_lshlrev_b32_e32 v3, 2, v3
	ds_store_b32 v3, v2
BB9:
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_bfm_b64 s[20:21], s3, 0
	s_bitcmp1_b32 s3, 6
	s_cselect_b64 exec, -1, s[20:21]
	s_cbranch_execz BB15
BB10:
	s_mov_b32 s2, s9
	s_movk_i32 s9, 0x8000
	s_load_b128 s[20:23], s[8:9], null
	v_add_nc_u32_e32 v5, s2, v5
	s_waitcnt lgkmcnt(0)
	s_clause 0x3
	buffer_load_b96 v[0:2], v5, s[20:23], 0 idxen
	buffer_load_b96 v[9:11], v5, s[20:23], 0 idxen offset:16
	buffer_load_b128 v[12:15], v5, s[20:23], 0 idxen offset:32
	buffer_load_b64 v[6:7], v5, s[20:23], 0 idxen offset:48
	s_mov_b32 s8, s11
	s_movk_i32 s9, 0x8000
	s_clause 0x5
	s_load_b128 s[20:23], s[8:9], 0x40
	s_load_b128 s[24:27], s[8:9], 0x50
	s_load_b128 s[28:31], s[8:9], 0x60
	s_load_b128 s[32:35], s[8:9], 0x70
	s_load_b128 s[36:39], s[8:9], 0x20
	s_load_b128 s[40:43], s[8:9], 0x30
	s_waitcnt vmcnt(3) lgkmcnt(0)
	v_fma_f32 v3, s28, v2, s32
	v_fma_f32 v5, s29, v2, s33
	v_fma_f32 v16, s30, v2, s34
	v_fma_f32 v2, s31, v2, s35
	v_fmac_f32_e32 v3, s24, v1
	v_fmac_f32_e32 v5, s25, v1
	v_fmac_f32_e32 v16, s26, v1
	v_fmac_f32_e32 v2, s27, v1
	v_fmac_f32_e32 v3, s20, v0
	v_fmac_f32_e32 v5, s21, v0
	v_fmac_f32_e32 v16, s22, v0
	v_fmac_f32_e32 v2, s23, v0
	v_mul_f32_e32 v0, s40, v2
	v_mul_f32_e32 v1, s41, v2
	v_mul_f32_e32 v17, s42, v2
	v_mul_f32_e32 v2, s43, v2
	v_fmac_f32_e32 v0, s36, v16
	v_fmac_f32_e32 v1, s37, v16
	v_fmac_f32_e32 v17, s38, v16
	v_fmac_f32_e32 v2, s39, v16
	v_fmac_f32_e32 v0, s16, v5
	v_fmac_f32_e32 v1, s17, v5
	v_fmac_f32_e32 v17, s18, v5
	v_fmac_f32_e32 v2, s19, v5
	v_fmac_f32_e32 v0, s12, v3
	v_fmac_f32_e32 v1, s13, v3
	v_fmac_f32_e32 v17, s14, v3
	v_fmac_f32_e32 v2, s15, v3
	exp pos0 v0, v1, v17, v2 done
	v_add_nc_u32_e32 v8, s10, v8
	v_mbcnt_lo_u32_b32 v18, -1, 0
	v_mbcnt_hi_u32_b32 v18, -1, v18
	v_lshl_add_u32 v18, s4, 6, v18
	v_lshlrev_b32_e32 v18, 2, v18
	ds_load_b32 v18, v18
	s_waitcnt vmcnt(2)
	v_mul_f32_e32 v19, s28, v11
	v_mul_f32_e32 v20, s29, v11
	v_mul_f32_e32 v11, s30, v11
	v_fmac_f32_e32 v19, s24, v10
	v_fmac_f32_e32 v20, s25, v10
	v_fmac_f32_e32 v11, s26, v10
	v_fmac_f32_e32 v19, s20, v9
	v_fmac_f32_e32 v20, s21, v9
	v_fmac_f32_e32 v11, s22, v9
	s_waitcnt vmcnt(1)
	v_mul_f32_e32 v9, s28, v14
	v_mul_f32_e32 v10, s29, v14
	v_mul_f32_e32 v14, s30, v14
	v_fmac_f32_e32 v9, s24, v13
	v_fmac_f32_e32 v10, s25, v13
	v_fmac_f32_e32 v14, s26, v13
	v_fmac_f32_e32 v9, s20, v12
	v_fmac_f32_e32 v10, s21, v12
	v_fmac_f32_e32 v14, s22, v12
	s_mov_b32 s2, 1.0
BB15:
	s_waitcnt expcnt(0)
	s_mov_b64 exec, s[6:7]
	s_cbranch_execz BB21
BB16:
	exp prim v4, off, off, off done
BB21:
	s_load_b128 s[8:11], s[0:1], 0xa0
	s_add_u32 s3, s3, 7
	s_and_b32 s3, s3, -8
	s_bfm_b64 s[0:1], s3, 0
	s_bitcmp1_b32 s3, 6
	s_waitcnt expcnt(0)
	s_cselect_b64 exec, -1, s[0:1]
	s_waitcnt lgkmcnt(0)
	s_or_b32 s9, s9, 0x700000
	s_cbranch_execz BB27
BB22:
	s_and_b32 s3, s5, 0x7fff
	s_lshl_b32 s3, s3, 9
	v_mbcnt_lo_u32_b32 v4, -1, 0
	v_mbcnt_hi_u32_b32 v4, -1, v4
	v_lshl_add_u32 v4, s4, 6, v4
	s_add_i32 s0, s3, 0xc00
	v_mov_b32_e32 v24, v18
	v_lshrrev_b64 v[25:26], 0, 0
	v_mov_b32_e32 v27, 0
	buffer_store_b128 v[24:27], v4, s[8:11], s0 idxen
	v_mov_b32_e32 v0, v3
	v_mov_b32_e32 v1, v5
	v_mov_b32_e32 v2, v16
	v_mov_b32_e32 v3, 0
	buffer_store_b128 v[0:3], v4, s[8:11], s3 idxen
	s_add_i32 s0, s3, 0x200
	v_mov_b32_e32 v21, v11
	v_mov_b32_e32 v22, 0
	buffer_store_b128 v[19:22], v4, s[8:11], s0 idxen
	s_add_i32 s0, s3, 0x400
	v_lshrrev_b64 v[12:13], 0, v[9:10]
	buffer_store_b128 v[12:15], v4, s[8:11], s0 idxen
	s_add_i32 s0, s3, 0x600
	v_mov_b32_e32 v5, v8
	v_lshrrev_b64 v[8:9], 0, 0
	s_waitcnt vmcnt(0)
	buffer_store_b128 v[6:9], v4, s[8:11], s0 idxen
	s_add_i32 s0, s3, 0x800
	v_mov_b32_e32 v0, s2
	v_mov_b32_e32 v1, s2
	v_mov_b32_e32 v2, s2
	v_mov_b32_e32 v3, s2
	buffer_store_b128 v[0:3], v4, s[8:11], s0 idxen
	s_addk_i32 s3, 0xa00
	v_lshrrev_b64 v[6:7], 0, 0
	v_mov_b32_e32 v8, 0
	buffer_store_b128 v[5:8], v4, s[8:11], s3 idxen
BB27:
	s_endpgm
