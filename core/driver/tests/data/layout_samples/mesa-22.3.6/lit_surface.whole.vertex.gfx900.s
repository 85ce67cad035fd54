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
	s_load_dwordx4 s[16:19], s[0:1], 0x40
	s_load_dwordx4 s[20:23], s[0:1], 0x50
	s_load_dwordx4 s[24:27], s[0:1], 0x60
	s_load_dwordx4 s[28:31], s[0:1], 0x70
	s_load_dwordx4 s[32:35], s[0:1], 0x20
	s_load_dwordx4 s[0:3], s[0:1], 0x30
	s_waitcnt vmcnt(2) lgkmcnt(0)
	v_mul_f32_e32 v0, s24, v4
	v_mul_f32_e32 v10, s25, v4
	v_mul_f32_e32 v11, s26, v4
	v_mul_f32_e32 v4, s27, v4
	v_add_f32_e32 v0, s28, v0
	v_add_f32_e32 v10, s29, v10
	v_add_f32_e32 v11, s30, v11
	v_add_f32_e32 v4, s31, v4
	v_mac_f32_e32 v0, s20, v3
	v_mac_f32_e32 v10, s21, v3
	v_mac_f32_e32 v11, s22, v3
	v_mac_f32_e32 v4, s23, v3
	v_mac_f32_e32 v0, s16, v2
	v_mac_f32_e32 v10, s17, v2
	v_mac_f32_e32 v11, s18, v2
	v_mac_f32_e32 v4, s19, v2
	v_mul_f32_e32 v2, s0, v4
	v_mul_f32_e32 v3, s1, v4
	v_mul_f32_e32 v12, s2, v4
	v_mul_f32_e32 v4, s3, v4
	v_mac_f32_e32 v2, s32, v11
	v_mac_f32_e32 v3, s33, v11
	v_mac_f32_e32 v12, s34, v11
	v_mac_f32_e32 v4, s35, v11
	v_mac_f32_e32 v2, s10, v10
	v_mac_f32_e32 v3, s11, v10
	v_mac_f32_e32 v12, s12, v10
	v_mac_f32_e32 v4, s13, v10
	v_mac_f32_e32 v2, s6, v0
	v_mac_f32_e32 v3, s7, v0
	v_mac_f32_e32 v12, s8, v0
	v_mac_f32_e32 v4, s9, v0
	exp pos0 v2, v3, v12, v4 done
	v_add_u32_e32 v1, s4, v1
	s_waitcnt vmcnt(1)
	v_mul_f32_e32 v13, s24, v7
	v_mul_f32_e32 v14, s25, v7
	v_mul_f32_e32 v7, s26, v7
	v_mac_f32_e32 v13, s20, v6
	v_mac_f32_e32 v14, s21, v6
	v_mac_f32_e32 v7, s22, v6
	v_mac_f32_e32 v13, s16, v5
	v_mac_f32_e32 v14, s17, v5
	v_mac_f32_e32 v7, s18, v5
	exp param0 v0, v10, v11, v13
	s_waitcnt vmcnt(0)
	exp param1 v14, v7, v8, v9
	exp param2 v1, off, off, off
	s_endpgm
