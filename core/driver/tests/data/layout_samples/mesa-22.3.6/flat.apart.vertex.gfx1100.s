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
	s_bfm_b64 s[12:13], s3, 0
	s_bitcmp1_b32 s3, 6
	s_cselect_b64 exec, -1, s[12:13]
	s_cbranch_execz BB15
BB10:
	s_mov_b32 s2, s9
	s_movk_i32 s9, 0x8000
	s_load_b128 s[12:15], s[8:9], null
	v_add_nc_u32_e32 v5, s2, v5
	s_waitcnt lgkmcnt(0)
	buffer_load_b128 v[0:3], v5, s[12:15], 0 idxen
	s_waitcnt vmcnt(0)
	v_rcp_f32_e32 v5, v3
	exp pos0 v0, v1, v2, v3 done
	v_add_nc_u32_e32 v6, s10, v8
	v_mbcnt_lo_u32_b32 v7, -1, 0
	v_mbcnt_hi_u32_b32 v7, -1, v7
	v_lshl_add_u32 v7, s4, 6, v7
	v_lshlrev_b32_e32 v7, 2, v7
	ds_load_b32 v7, v7
	v_mul_f32_e32 v8, v0, v5
	v_mul_f32_e32 v5, v1, v5
	v_mul_f32_e32 v9, 0x41000000, v0
	v_mul_f32_e32 v10, 0x41000000, v1
	v_cvt_i32_f32_e32 v9, v9
	v_cvt_i32_f32_e32 v10, v10
BB15:
	s_waitcnt expcnt(0)
	s_mov_b64 exec, s[6:7]
	s_cbranch_execz BB21
BB16:
	exp prim v4, off, off, off done
BB21:
	s_load_b128 s[8:11], s[0:1], 0xa0
	s_add_u32 s6, s3, 7
	s_and_b32 s6, s6, -8
	s_bfm_b64 s[0:1], s6, 0
	s_bitcmp1_b32 s6, 6
	s_waitcnt expcnt(0)
	s_cselect_b64 exec, -1, s[0:1]
	s_waitcnt lgkmcnt(0)
	s_or_b32 s9, s9, 0x600000
	s_cbranch_execz BB27
BB22:
	s_and_b32 s5, s5, 0x7fff
	s_lshl_b32 s5, s5, 9
	v_mbcnt_lo_u32_b32 v3, -1, 0
	v_mbcnt_hi_u32_b32 v3, -1, v3
	v_lshl_add_u32 v3, s4, 6, v3
	s_add_i32 s6, s5, 0xa00
	v_mov_b32_e32 v12, v7
	v_lshrrev_b64 v[13:14], 0, 0
	v_mov_b32_e32 v15, 0
	buffer_store_b128 v[12:15], v3, s[8:11], s6 idxen
	v_lshrrev_b64 v[12:13], 0, v[0:1]
	v_lshrrev_b64 v[14:15], 0, 0
	buffer_store_b128 v[12:15], v3, s[8:11], s5 idxen
	s_add_i32 s6, s5, 0x200
	v_mov_b32_e32 v12, v6
	v_lshrrev_b64 v[13:14], 0, 0
	v_mov_b32_e32 v15, 0
	buffer_store_b128 v[12:15], v3, s[8:11], s6 idxen
	s_add_i32 s6, s5, 0x400
	v_mov_b32_e32 v4, v8
	v_lshrrev_b64 v[6:7], 0, 0
	buffer_store_b128 v[4:7], v3, s[8:11], s6 idxen
	s_add_i32 s6, s5, 0x600
	v_lshrrev_b64 v[11:12], 0, 0
	buffer_store_b128 v[9:12], v3, s[8:11], s6 idxen
	s_addk_i32 s5, 0x800
	v_mov_b32_e32 v4, v3
	v_mov_b32_e32 v3, 0
	buffer_store_b128 v[0:3], v4, s[8:11], s5 idxen
BB27:
	s_endpgm
