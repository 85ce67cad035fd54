BB0:
	s_setprio 3
	s_mov_b32 s0, s3
	s_movk_i32 s3, 0x8000
	s_load_dwordx4 s[8:11], s[2:3], 0x0
	v_add_u32_e32 v0, s0, v0
	s_waitcnt lgkmcnt(0)
	buffer_load_dwordx4 v[4:7], v0, s[8:11], 0 idxen
	s_waitcnt vmcnt(0)
	v_rcp_f32_e32 v0, v7
	exp pos0 v4, v5, v6, v7 done
	v_add_u32_e32 v1, s4, v1
	v_mul_f32_e32 v2, v4, v0
	v_mul_f32_e32 v0, v5, v0
	v_mul_f32_e32 v3, 0x41000000, v4
	v_mul_f32_e32 v8, 0x41000000, v5
	v_cvt_i32_f32_e32 v3, v3
	v_cvt_i32_f32_e32 v8, v8
	exp param0 v4, v5, v6, off
	exp param1 v4, v5, off, off
	exp param2 v1, v3, v8, off
	exp param3 v2, v0, off, off
	s_endpgm
