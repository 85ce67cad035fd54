BB0:
	s_setprio 3
	s_mov_b32 s0, s5
	s_movk_i32 s1, 0x8000
	s_load_dwordx16 s[16:31], s[0:1], 0x40
	s_load_dwordx8 s[32:39], s[0:1], 0x20
	s_mov_b32 s0, s3
	s_movk_i32 s3, 0x8000
	s_load_dwordx4 s[40:43], s[2:3], 0x0
	v_add_u32_e32 v0, s0, v0
	s_waitcnt lgkmcnt(0)
	buffer_load_dwordx3 v[3:5], v0, s[40:43], 0 idxen
	buffer_load_dwordx3 v[6:8], v0, s[40:43], 0 idxen offset:16
	buffer_load_dwordx4 v[12:15], v0, s[40:43], 0 idxen offset:32
	buffer_load_dwordx2 v[10:11], v0, s[40:43], 0 idxen offset:48
	s_waitcnt vmcnt(3)
	v_mul_f32_e32 v17, s26, v5
	v_mul_f32_e32 v9, s24, v5
	v_mul_f32_e32 v16, s25, v5
	v_mul_f32_e32 v5, s27, v5
	v_add_f32_e32 v17, s30, v17
	v_add_f32_e32 v9, s28, v9
	v_add_f32_e32 v16, s29, v16
	v_add_f32_e32 v5, s31, v5
	v_mac_f32_e32 v17, s22, v4
	v_mac_f32_e32 v9, s20, v4
	v_mac_f32_e32 v16, s21, v4
	v_mac_f32_e32 v5, s23, v4
	v_mac_f32_e32 v17, s18, v3
	v_mac_f32_e32 v9, s16, v3
	v_mac_f32_e32 v16, s17, v3
	v_mac_f32_e32 v5, s19, v3
	v_mul_f32_e32 v18, s36, v5
	v_mul_f32_e32 v19, s37, v5
	v_mul_f32_e32 v20, s38, v5
	v_mul_f32_e32 v5, s39, v5
	v_mac_f32_e32 v18, s32, v17
	v_mac_f32_e32 v19, s33, v17
	v_mac_f32_e32 v20, s34, v17
	v_mac_f32_e32 v5, s35, v17
	v_mac_f32_e32 v18, s10, v16
	v_mac_f32_e32 v19, s11, v16
	v_mac_f32_e32 v20, s12, v16
	v_mac_f32_e32 v5, s13, v16
	v_mac_f32_e32 v18, s6, v9
	v_mac_f32_e32 v19, s7, v9
	v_mac_f32_e32 v20, s8, v9
	v_mac_f32_e32 v5, s9, v9
	exp pos0 v18, v19, v20, v5 done
	v_add_u32_e32 v1, s4, v1
	v_mov_b32_e32 v21, 1.0
	s_waitcnt vmcnt(2)
	v_mul_f32_e32 v22, s24, v8
	v_mul_f32_e32 v23, s25, v8
	v_mul_f32_e32 v8, s26, v8
	s_waitcnt vmcnt(1)
	v_mul_f32_e32 v0, s24, v14
	v_mul_f32_e32 v3, s25, v14
	v_mul_f32_e32 v14, s26, v14
	v_mac_f32_e32 v22, s20, v7
	v_mac_f32_e32 v23, s21, v7
	v_mac_f32_e32 v8, s22, v7
	v_mac_f32_e32 v0, s20, v13
	v_mac_f32_e32 v3, s21, v13
	v_mac_f32_e32 v14, s22, v13
	v_mac_f32_e32 v22, s16, v6
	v_mac_f32_e32 v23, s17, v6
	v_mac_f32_e32 v8, s18, v6
	v_mac_f32_e32 v0, s16, v12
	v_mac_f32_e32 v3, s17, v12
	v_mac_f32_e32 v14, s18, v12
	s_waitcnt vmcnt(0)
	exp param6 v2, off, off, off
	exp param0 v9, v16, v17, off
	exp param1 v22, v23, v8, off
	exp param2 v0, v3, v14, v15
	exp param3 v10, v11, off, off
	exp param4 v21, v21, v21, v21
	exp param5 v1, off, off, off
	s_endpgm
