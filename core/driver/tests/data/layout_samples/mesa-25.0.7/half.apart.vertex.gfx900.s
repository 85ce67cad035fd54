BB0:
	s_setprio 3
	s_mov_b32 s0, s3
	s_movk_i32 s3, 0x8000
	s_load_dwordx4 s[4:7], s[2:3], 0x0
	v_add_u32_e32 v0, s0, v0
	s_waitcnt lgkmcnt(0)
	buffer_load_dwordx4 v[4:7], v0, s[4:7], 0 idxen
	s_waitcnt vmcnt(0)
	v_cvt_f16_f32_e32 v0, v4
	v_mov_b32_sdwa v0, 0 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD
	v_cvt_f16_f32_e32 v1, v5
	v_mov_b32_sdwa v1, 0 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD
	v_cvt_f16_f32_e32 v3, v6
	v_mov_b32_sdwa v3, 0 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD
	v_cvt_f16_f32_e32 v8, v7
	v_mov_b32_sdwa v8, 0 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD
	exp pos0 v4, v5, v6, v7 done
	exp param5 v2, off, off, off
	exp param0 v0, v1, v3, v8
	exp param1 v0, v1, v3, off
	exp param2 v0, v1, off, off
	exp param3 v8, v3, v1, v0
	exp param4 v4, v5, off, off
	s_endpgm
