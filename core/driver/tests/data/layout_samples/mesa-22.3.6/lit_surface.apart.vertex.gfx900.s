BB0:
	s_setprio 3
	s_mov_b32 s0, s3
	s_movk_i32 s3, 0x8000
	s_load_dwordx4 s[16:19], s[2:3], 0x0
	v_add_u32_e32 v0, s0, v0
	s_waitcnt lgkmcnt(0)
	buffer_load_dwordx3 v[3:5], v0, s[16:19], 0 idxen
	buffer_load_dwordx3 v[6:8], v0, s[16:19], 0 idxen offset:16
	buffer_load_dwordx4 v[12:15], v0, s[16:19], 0 idxen offset:32
	buffer_load_dwordx2 v[10:11], v0, s[16:19], 0 idxen offset:48
	s_mov_b32 s0, s5
	s_movk_i32 s1, 0x8000
	s_load_dwordx4 s[16:19], s[0:1], 0x40
	s_load_dwordx4 s[20:23], s[0:1], 0x50
	s_load_dwordx4 s[24:27], s[0:1], 0x60
	s_load_dwordx4 s[28:31], s[0:1], 0x70
	s_load_dwordx4 s[32:35], s[0:1], 0x20
	s_load_dwordx4 s[0:3], s[0:1], 0x30
	s_waitcnt vmcnt(3) lgkmcnt(0)
	v_mul_f32_e32 v0, s24, v5
	v_mul_f32_e32 v9, s25, v5
	v_mul_f32_e32 v16, s26, v5
	v_mul_f32_e32 v5, s27, v5
	v_add_f32_e32 v0, s28, v0
	v_add_f32_e32 v9, s29, v9
	v_add_f32_e32 v16, s30, v16
	v_add_f32_e32 v5, s31, v5
	v_mac_f32_e32 v0, s20, v4
	v_mac_f32_e32 v9, s21, v4
	v_mac_f32_e32 v16, s22, v4
	v_mac_f32_e32 v5, s23, v4
	v_mac_f32_e32 v0, s16, v3
	v_mac_f32_e32 v9, s17, v3
	v_mac_f32_e32 v16, s18, v3
	v_mac_f32_e32 v5, s19, v3
	v_mul_f32_e32 v3, s0, v5
	v_mul_f32_e32 v4, s1, v5
	v_mul_f32_e32 v17, s2, v5
	v_mul_f32_e32 v5, s3, v5
	v_mac_f32_e32 v3, s32, v16
	v_mac_f32_e32 v4, s33, v16
	v_mac_f32_e32 v17, s34, v16
	v_mac_f32_e32 v5, s35, v16
	v_mac_f32_e32 v3, s10, v9
	v_mac_f32_e32 v4, s11, v9
	v_mac_f32_e32 v17, s12, v9
	v_mac_f32_e32 v5, s13, v9
	v_mac_f32_e32 v3, s6, v0
	v_mac_f32_e32 v4, s7, v0
	v_mac_f32_e32 v17, s8, v0
	v_mac_f32_e32 v5, s9, v0
	exp pos0 v3, v4, v17, v5 done
	v_add_u32_e32 v1, s4, v1
	v_mov_b32_e32 v18, 1.0
	s_waitcnt vmcnt(2)
	v_mul_f32_e32 v19, s24, v8
	v_mul_f32_e32 v20, s25, v8
	v_mul_f32_e32 v8, s26, v8
	v_mac_f32_e32 v19, s20, v7
	v_mac_f32_e32 v20, s21, v7
	v_mac_f32_e32 v8, s22, v7
	v_mac_f32_e32 v19, s16, v6
	v_mac_f32_e32 v20, s17, v6
	v_mac_f32_e32 v8, s18, v6
	s_waitcnt vmcnt(1)
	v_mul_f32_e32 v6, s24, v14
	v_mul_f32_e32 v7, s25, v14
	v_mul_f32_e32 v14, s26, v14
	v_mac_f32_e32 v6, s20, v13
	v_mac_f32_e32 v7, s21, v13
	v_mac_f32_e32 v14, s22, v13
	v_mac_f32_e32 v6, s16, v12
	v_mac_f32_e32 v7, s17, v12
	v_mac_f32_e32 v14, s18, v12
	exp param0 v2, off, off, off
	exp param1 v0, v9, v16, off
	exp param2 v19, v20, v8, off
	exp param3 v6, v7, v14, v15
	s_waitcnt vmcnt(0)
	exp param4 v10, v11, off, off
	exp param5 v18, v18, v18, v18
	exp param6 v1, off, off, off
	s_endpgm
