BB0:
	s_setprio 3
	s_mov_b32 s0, s3
	s_movk_i32 s3, 0x8000
	s_load_dwordx4 s[4:7], s[2:3], 0x0
	v_add_u32_e32 v0, s0, v0
	s_waitcnt lgkmcnt(0)
	buffer_load_dwordx4 v[4:7], v0, s[4:7], 0 idxen
	s_waitcnt vmcnt(0)
	exp pos0 v4, v5, v6, v7 done
	v_mul_f32_e32 v3, 2.0, v4
	v_mul_f32_e32 v0, 2.0, v5
	v_mul_f32_e32 v1, 0x40400000, v4
	v_mul_f32_e32 v8, 0x40400000, v5
	exp param0 v2, off, off, off
	exp param1 v4, v5, v6, off
	exp param2 v5, v6, v4, off
	exp param3 v6, v4, v5, off
	exp param4 v4, v5, off, off
	exp param5 v3, v0, off, off
	exp param6 v1, v8, off, off
	exp param7 v7, off, off, off
	s_endpgm
