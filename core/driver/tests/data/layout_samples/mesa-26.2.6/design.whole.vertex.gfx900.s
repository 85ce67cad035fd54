BB0:
	s_setprio 3
	s_mov_b32 s0, s3
	s_movk_i32 s3, 0x8000
	s_load_dwordx4 s[8:11], s[2:3], 0x0
	v_add_u32_e32 v0, s0, v0
	s_waitcnt lgkmcnt(0)
	buffer_load_dwordx3 v[2:4], v0, s[8:11], 0 idxen
	v_mov_b32_e32 v5, 1.0
	s_waitcnt vmcnt(0)
	v_cvt_f16_f32_e32 v6, v2
	v_cvt_f16_f32_e32 v7, v3
	v_add_u32_e32 v1, s4, v1
	v_cvt_f16_f32_e32 v12, v4
	v_mad_f32 v14, 0.5, v4, 0.5
	v_mad_f32 v8, 0.5, v2, 0.5
	v_mad_f32 v9, 0.5, v3, 0.5
	v_add_f16_e32 v6, 1.0, v6
	v_add_u16_e32 v10, v0, v1
	v_cvt_f32_ubyte0_e32 v0, v0
	v_add_f16_e32 v6, v6, v7
	v_cvt_f32_i32_sdwa v11, sext(v10) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0
	v_add_f16_e32 v13, v6, v12
	v_mov_b32_sdwa v13, 0 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD
	v_add_f32_e32 v0, v0, v11
	v_mul_f32_e32 v0, 0x3b808081, v0
	exp pos0 v2, v3, v4, v5 done
	exp param0 v8, v9, v14, v4
	exp param1 v0, off, off, off
	exp param2 v13, off, off, off
	s_endpgm
