BB0:
	s_setprio 3
	s_mov_b32 s0, s3
	s_movk_i32 s3, 0x8000
	s_load_dwordx4 s[4:7], s[2:3], 0x0
	v_add_u32_e32 v0, s0, v0
	s_waitcnt lgkmcnt(0)
	buffer_load_dwordx4 v[0:3], v0, s[4:7], 0 idxen
	s_waitcnt vmcnt(0)
	v_cvt_f16_f32_e32 v4, v2
	v_cvt_f16_f32_sdwa v4, v3 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD
	v_cvt_f16_f32_e32 v5, v0
	v_cvt_f16_f32_sdwa v5, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD
	v_mov_b32_e32 v6, v5
	v_mov_b32_sdwa v5, 0 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD
	exp pos0 v0, v1, v2, v3 done
	exp param0 v0, v1, off, off
	exp param1 v6, v4, v4, v5
	exp param2 v6, off, off, off
	s_endpgm
