BB0:
	s_setprio 3
	s_pack_ll_b32_b16 s2, 0, s3
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_bfe_u64 exec, -1, s2
	s_mov_b64 s[6:7], exec
	s_cbranch_execz BB6
BB1:
	s_mov_b32 s2, s9
	s_movk_i32 s9, 0x8000
	s_load_b128 s[20:23], s[8:9], null
	v_add_nc_u32_e32 v5, s2, v5
	s_waitcnt lgkmcnt(0)
	s_clause 0x2
	buffer_load_b96 v[1:3], v5, s[20:23], 0 idxen
	buffer_load_b96 v[9:11], v5, s[20:23], 0 idxen offset:16
	buffer_load_b64 v[4:5], v5, s[20:23], 0 idxen offset:48
	s_mov_b32 s8, s11
	s_movk_i32 s9, 0x8000
	s_clause 0x1
	s_load_b512 s[32:47], s[8:9], 0x40
	s_load_b256 s[24:31], s[8:9], 0x20
	v_add_nc_u32_e32 v8, s10, v8
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_and_b32_e32 v8, 1, v8
	v_cvt_f32_u32_e32 v12, v8
	s_waitcnt vmcnt(2) lgkmcnt(0)
	v_fma_f32 v15, s42, v3, s46
	v_fma_f32 v13, s40, v3, s44
	v_fma_f32 v14, s41, v3, s45
	v_fma_f32 v3, s43, v3, s47
	s_delay_alu instid0(VALU_DEP_4) | instskip(SKIP_3) | instid1(VALU_DEP_4)
	v_fmac_f32_e32 v15, s38, v2
	v_fmac_f32_e32 v13, s36, v2
	v_fmac_f32_e32 v14, s37, v2
	v_fmac_f32_e32 v3, s39, v2
	v_fmac_f32_e32 v15, s34, v1
	v_fmac_f32_e32 v13, s32, v1
	v_fmac_f32_e32 v14, s33, v1
	v_fmac_f32_e32 v3, s35, v1
	s_delay_alu instid0(VALU_DEP_1)
	v_mul_f32_e32 v16, s28, v3
	v_mul_f32_e32 v17, s29, v3
	v_mul_f32_e32 v18, s30, v3
	v_mul_f32_e32 v3, s31, v3
	v_sub_f32_e32 v20, 1.0, v13
	v_sub_f32_e32 v21, 2.0, v14
	v_sub_f32_e32 v22, 0x40400000, v15
	s_waitcnt vmcnt(1)
	v_mul_f32_e32 v19, s40, v11
	v_mul_f32_e32 v23, s41, v11
	v_fmac_f32_e32 v16, s24, v15
	v_mul_f32_e32 v11, s42, v11
	v_fmac_f32_e32 v17, s25, v15
	v_fmac_f32_e32 v18, s26, v15
	v_fmac_f32_e32 v3, s27, v15
	v_fmac_f32_e32 v19, s36, v10
	v_fmac_f32_e32 v23, s37, v10
	v_fmac_f32_e32 v16, s16, v14
	v_fmac_f32_e32 v11, s38, v10
	v_fmac_f32_e32 v17, s17, v14
	v_fmac_f32_e32 v18, s18, v14
	v_fmac_f32_e32 v3, s19, v14
	v_fmac_f32_e32 v19, s32, v9
	v_fmac_f32_e32 v23, s33, v9
	v_fmac_f32_e32 v16, s12, v13
	v_fmac_f32_e32 v11, s34, v9
	v_fmac_f32_e32 v17, s13, v13
	v_fmac_f32_e32 v18, s14, v13
	v_fmac_f32_e32 v3, s15, v13
BB6:
	s_lshl_b32 s2, s3, 8
	s_delay_alu instid0(SALU_CYCLE_1)
	s_bfe_u64 exec, -1, s2
	s_cbranch_execz BB12
BB7:
	exp prim v0, off, off, off done
BB12:
	s_load_b128 s[8:11], s[0:1], 0xa0
	s_add_u32 s0, s3, 7
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_and_b32 s0, s0, -8
	s_pack_ll_b32_b16 s0, 0, s0
	s_waitcnt expcnt(0)
	s_delay_alu instid0(SALU_CYCLE_1)
	s_bfe_u64 exec, -1, s0
	s_cbranch_execz BB18
BB13:
	s_bfe_u32 s3, s3, 0x40018
	v_swap_b32 v19, v23
	v_swap_b32 v3, v11
	s_lshl_b32 s3, s3, 6
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_1) | instid1(VALU_DEP_2)
	v_mbcnt_lo_u32_b32 v0, -1, s3
	v_mov_b32_e32 v2, v19
	v_mbcnt_hi_u32_b32 v0, -1, v0
	s_waitcnt lgkmcnt(0)
	s_or_b32 s9, s9, 0x300000
	s_and_b32 s5, s5, 0x7fff
	s_delay_alu instid0(SALU_CYCLE_1)
	s_lshl_b32 s5, s5, 9
	s_waitcnt vmcnt(0)
	s_clause 0x2
	buffer_store_b128 v[20:23], v0, s[8:11], s5 idxen
	buffer_store_b128 v[2:5], v0, s[8:11], s5 idxen offset:16
	buffer_store_b128 v[12:15], v0, s[8:11], s5 idxen offset:32
	v_mov_b32_e32 v3, v11
BB18:
	s_waitcnt_vscnt null, 0x0
	s_mov_b64 exec, s[6:7]
	s_cbranch_execz BB24
BB19:
	exp pos0 v16, v17, v18, v3 done
BB24:
	s_nop 0
	s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
	s_endpgm
