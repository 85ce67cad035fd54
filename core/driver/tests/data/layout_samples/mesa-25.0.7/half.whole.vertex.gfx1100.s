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
	s_load_b128 s[8:11], s[8:9], null
	v_add_nc_u32_e32 v5, s2, v5
	s_waitcnt lgkmcnt(0)
	buffer_load_b128 v[4:7], v5, s[8:11], 0 idxen
	s_waitcnt vmcnt(0)
	v_fma_mixhi_f16 v1, 1.0, v5, neg(0) op_sel_hi:[0,0,1]
	v_fma_mixlo_f16 v2, 1.0, v4, neg(0) op_sel_hi:[0,0,1]
	v_fma_mixlo_f16 v3, 1.0, v6, neg(0) op_sel_hi:[0,0,1]
	v_fma_mixhi_f16 v3, 1.0, v7, neg(0) op_sel_hi:[0,0,1]
	s_delay_alu instid0(VALU_DEP_3)
	v_mov_b16_e32 v1.l, v2.l
	v_mov_b16_e32 v2.h, 0
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
	v_mov_b32_e32 v8, v4
	v_mov_b32_e32 v9, v5
	v_mov_b32_e32 v12, v4
	v_mov_b32_e32 v4, v2
	v_mov_b32_e32 v2, v3
	s_lshl_b32 s3, s3, 6
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_mbcnt_lo_u32_b32 v0, -1, s3
	v_mbcnt_hi_u32_b32 v0, -1, v0
	s_waitcnt lgkmcnt(0)
	s_or_b32 s9, s9, 0x300000
	s_and_b32 s5, s5, 0x7fff
	s_delay_alu instid0(SALU_CYCLE_1)
	s_lshl_b32 s5, s5, 9
	s_clause 0x2
	buffer_store_b128 v[8:11], v0, s[8:11], s5 idxen
	buffer_store_b128 v[8:11], v0, s[8:11], s5 idxen offset:16
	buffer_store_b128 v[1:4], v0, s[8:11], s5 idxen offset:32
	v_mov_b32_e32 v4, v12
BB18:
	s_waitcnt_vscnt null, 0x0
	s_mov_b64 exec, s[6:7]
	s_cbranch_execz BB24
BB19:
	exp pos0 v4, v5, v6, v7 done
BB24:
	s_nop 0
	s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
	s_endpgm
