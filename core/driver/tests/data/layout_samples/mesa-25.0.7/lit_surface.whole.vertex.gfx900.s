BB0:
	s_setprio 3
	s_mov_b32 s0, s3
	s_movk_i32 s3, 0x8000
	s_load_dwordx4 s[16:19], s[2:3], 0x0
	v_add_u32_e32 v0, s0, v0
	s_waitcnt lgkmcnt(0)
	buffer_load_dwordx3 v[2:4], v0, s[16:19], 0 idxen
	buffer_load_dwordx3 v[5:7], v0, s[16:19], 0 idxen offset:16
	buffer_load_dwordx2 v[8:9], v0, s[16:19], 0 idxen offset:48
	s_mov_b32 s0, s5
	s_movk_i32 s1, 0x8000
	s_load_dwordx16 s[16:31], s[0:1], 0x40
	s_load_dwordx8 s[32:39], s[0:1], 0x20
	s_waitcnt vmcnt(2) lgkmcnt(0)
	v_mul_f32_e32 v12, s26, v4
	v_mul_f32_e32 v10, s24, v4
	v_mul_f32_e32 v11, s25, v4
	v_mul_f32_e32 v4, s27, v4
	v_add_f32_e32 v12, s30, v12
	v_add_f32_e32 v10, s28, v10
	v_add_f32_e32 v11, s29, v11
	v_add_f32_e32 v4, s31, v4
	v_mac_f32_e32 v12, s22, v3
	v_mac_f32_e32 v10, s20, v3
	v_mac_f32_e32 v11, s21, v3
	v_mac_f32_e32 v4, s23, v3
	v_mac_f32_e32 v12, s18, v2
	v_mac_f32_e32 v10, s16, v2
	v_mac_f32_e32 v11, s17, v2
	v_mac_f32_e32 v4, s19, v2
	v_mul_f32_e32 v13, s36, v4
	v_mul_f32_e32 v14, s37, v4
	v_mul_f32_e32 v15, s38, v4
	v_mul_f32_e32 v4, s39, v4
	v_mac_f32_e32 v13, s32, v12
	v_mac_f32_e32 v14, s33, v12
	v_mac_f32_e32 v15, s34, v12
	v_mac_f32_e32 v4, s35, v12
	v_mac_f32_e32 v13, s10, v11
	v_mac_f32_e32 v14, s11, v11
	v_mac_f32_e32 v15, s12, v11
	v_mac_f32_e32 v4, s13, v11
	v_mac_f32_e32 v13, s6, v10
	v_mac_f32_e32 v14, s7, v10
	v_mac_f32_e32 v15, s8, v10
	v_mac_f32_e32 v4, s9, v10
	exp pos0 v13, v14, v15, v4 done
	v_add_u32_e32 v1, s4, v1
	v_sub_f32_e32 v10, 1.0, v10
	v_sub_f32_e32 v11, 2.0, v11
	v_sub_f32_e32 v12, 0x40400000, v12
	s_waitcnt vmcnt(1)
	v_mul_f32_e32 v16, s24, v7
	v_mul_f32_e32 v17, s25, v7
	v_mul_f32_e32 v7, s26, v7
	v_and_b32_e32 v1, 1, v1
	v_mac_f32_e32 v16, s20, v6
	v_mac_f32_e32 v17, s21, v6
	v_mac_f32_e32 v7, s22, v6
	v_cvt_f32_u32_e32 v1, v1
	v_mac_f32_e32 v16, s16, v5
	v_mac_f32_e32 v17, s17, v5
	v_mac_f32_e32 v7, s18, v5
	s_waitcnt vmcnt(0)
	exp param0 v10, v11, v12, v16
	exp param1 v17, v7, v8, v9
	exp param2 v1, off, off, off
	s_endpgm
