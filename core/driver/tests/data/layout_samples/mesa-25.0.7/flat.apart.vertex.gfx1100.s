BB0:
	s_setprio 3
	s_load_b128 s[12:15], s[0:1], 0xa0
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
	s_or_b32 s13, s13, 0x600000
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
	buffer_store_b128 v[2:5], v1, s[12:15], s4 idxen offset:80
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
	s_load_b128 s[16:19], s[8:9], null
	v_add_nc_u32_e32 v5, s2, v5
	s_waitcnt lgkmcnt(0)
	buffer_load_b128 v[4:7], v5, s[16:19], 0 idxen
	v_add_nc_u32_e32 v8, s10, v8
	s_waitcnt vmcnt(0)
	v_rcp_f32_e32 v1, v7
	v_mul_f32_e32 v2, 0x41000000, v4
	v_mul_f32_e32 v3, 0x41000000, v5
	s_delay_alu instid0(VALU_DEP_2)
	v_cvt_i32_f32_e32 v16, v2
	v_cvt_i32_f32_e32 v17, v3
	s_waitcnt_depctr 0xfff
	v_mul_f32_e32 v12, v4, v1
	v_mul_f32_e32 v13, v5, v1
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
	v_mov_b32_e32 v20, v4
	v_mov_b32_e32 v21, v5
	v_mov_b32_e32 v24, v4
	v_mov_b32_e32 v25, v5
	v_mov_b32_e32 v26, v6
	s_lshl_b32 s3, s3, 6
	s_and_b32 s5, s5, 0x7fff
	v_mbcnt_lo_u32_b32 v0, -1, s3
	s_lshl_b32 s5, s5, 9
	s_delay_alu instid0(VALU_DEP_1)
	v_mbcnt_hi_u32_b32 v0, -1, v0
	s_clause 0x4
	buffer_store_b128 v[20:23], v0, s[12:15], s5 idxen
	buffer_store_b128 v[8:11], v0, s[12:15], s5 idxen offset:16
	buffer_store_b128 v[12:15], v0, s[12:15], s5 idxen offset:32
	buffer_store_b128 v[16:19], v0, s[12:15], s5 idxen offset:48
	buffer_store_b128 v[24:27], v0, s[12:15], s5 idxen offset:64
BB24:
	s_waitcnt_vscnt null, 0x0
	s_mov_b64 exec, s[6:7]
	s_cbranch_execz BB30
BB25:
	exp pos0 v4, v5, v6, v7 done
BB30:
	s_nop 0
	s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
	s_endpgm
