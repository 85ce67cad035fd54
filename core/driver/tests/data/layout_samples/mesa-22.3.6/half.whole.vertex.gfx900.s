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
	v_cvt_f16_f32_e32 v5, v3
	exp pos0 v0, v1, v2, v3 done
	v_cvt_f16_f32_e32 v6, v0
	v_cvt_f16_f32_e32 v7, v1
	exp param0 v6, v7, v4, v5
	exp param1 v6, v7, v4, off
	exp param2 v6, v7, off, off
	exp param3 v5, off, off, v6
	exp param4 v0, v1, off, off
	s_endpgm
