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
	s_load_b128 s[12:15], s[8:9], null
	v_add_nc_u32_e32 v0, s2, v5
	s_waitcnt lgkmcnt(0)
	buffer_load_b128 v[0:3], v0, s[12:15], 0 idxen
	s_waitcnt vmcnt(0)
	v_rcp_f32_e32 v4, v3
	exp pos0 v0, v1, v2, v3 done
	v_add_nc_u32_e32 v5, s10, v8
	v_mul_f32_e32 v6, v0, v4
	v_mul_f32_e32 v4, v1, v4
	v_mul_f32_e32 v7, 0x41000000, v0
	v_mul_f32_e32 v8, 0x41000000, v1
	v_cvt_i32_f32_e32 v7, v7
	v_cvt_i32_f32_e32 v8, v8
BB12:
	s_load_b128 s[8:11], s[0:1], 0xa0
	s_add_u32 s4, s3, 7
	s_and_b32 s4, s4, -8
	s_bfm_b64 s[0:1], s4, 0
	s_bitcmp1_b32 s4, 6
	s_waitcnt expcnt(0)
	s_cselect_b64 exec, -1, s[0:1]
	s_waitcnt lgkmcnt(0)
	s_or_b32 s9, s9, 0x400000
	s_cbranch_execz BB18
BB13:
	s_and_b32 s2, s5, 0x7fff
	s_lshl_b32 s2, s2, 9
	v_mbcnt_lo_u32_b32 v3, -1, 0
	v_mbcnt_hi_u32_b32 v3, -1, v3
	s_bfe_u32 s0, s3, 0x40018
	v_lshl_add_u32 v3, s0, 6, v3
	v_lshrrev_b64 v[9:10], 0, v[0:1]
	v_mov_b32_e32 v11, v3
	v_mov_b32_e32 v3, 0
	buffer_store_b128 v[0:3], v11, s[8:11], s2 idxen
	s_add_i32 s0, s2, 0x200
	v_mov_b32_e32 v0, v11
	v_lshrrev_b64 v[11:12], 0, 0
	buffer_store_b128 v[9:12], v0, s[8:11], s0 idxen
	s_add_i32 s0, s2, 0x400
	v_swap_b32 v5, v6
	v_mov_b32_e32 v9, 0
	buffer_store_b128 v[6:9], v0, s[8:11], s0 idxen
	s_addk_i32 s2, 0x600
	v_mov_b32_e32 v6, v4
	v_lshrrev_b64 v[7:8], 0, 0
	buffer_store_b128 v[5:8], v0, s[8:11], s2 idxen
BB18:
	s_endpgm
