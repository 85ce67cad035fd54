BB0:
	s_mov_b32 s0, s3
	s_movk_i32 s3, 0x8000
	s_load_dwordx8 s[8:15], s[2:3], 0x0
	s_load_dwordx4 s[4:7], s[2:3], 0x50
	s_wqm_b64 exec, exec
	s_mov_b32 m0, s0
	s_nop 0
	v_interp_p1_f32_e32 v2, v0, attr1.w
	v_interp_p1_f32_e32 v3, v0, attr1.z
	v_interp_p2_f32_e32 v2, v1, attr1.w
	v_interp_p2_f32_e32 v3, v1, attr1.z
	v_mov_b32_e32 v4, v2
	s_waitcnt lgkmcnt(0)
	image_sample v[4:6], v3, s[8:15], s[4:7] dmask:0x7
	v_interp_p1_f32_e32 v10, v0, attr0.w
	v_interp_p1_f32_e32 v7, v0, attr1.x
	v_interp_p1_f32_e32 v9, v0, attr1.y
	v_interp_p1_f32_e32 v11, v0, attr0.y
	v_interp_p1_f32_e32 v13, v0, attr0.z
	v_interp_p2_f32_e32 v10, v1, attr0.w
	v_interp_p2_f32_e32 v7, v1, attr1.x
	v_interp_p2_f32_e32 v9, v1, attr1.y
	v_interp_p1_f32_e32 v0, v0, attr0.x
	v_interp_p2_f32_e32 v11, v1, attr0.y
	v_interp_p2_f32_e32 v13, v1, attr0.z
	v_interp_p2_f32_e32 v0, v1, attr0.x
	v_mul_f32_e32 v8, v7, v7
	v_mul_f32_e32 v12, v11, v11
	v_mac_f32_e32 v8, v9, v9
	v_mac_f32_e32 v12, v13, v13
	v_mac_f32_e32 v8, v10, v10
	v_interp_mov_f32_e32 v14, p0, attr2.x
	v_mac_f32_e32 v12, v0, v0
	v_rsq_f32_e32 v8, v8
	v_rsq_f32_e32 v12, v12
	v_mul_f32_e32 v10, v10, v8
	v_mul_f32_e32 v9, v9, v8
	v_mul_f32_e32 v7, v7, v8
	v_mul_f32_e32 v0, v0, v12
	v_mul_f32_e32 v11, v11, v12
	v_mul_f32_e32 v13, v13, v12
	v_mul_f32_e32 v9, v9, v13
	v_mac_f32_e32 v9, v7, v11
	v_mac_f32_e32 v9, v10, v0
	v_max_f32_e32 v9, 0, v9
	v_mul_f32_e32 v9, 0x3f666666, v9
	v_add_f32_e32 v9, 0x3dcccccd, v9
	s_waitcnt vmcnt(0)
	v_mul_f32_e32 v4, v4, v9
	v_mul_f32_e32 v5, v5, v9
	v_mul_f32_e32 v6, v6, v9
	v_cvt_pkrtz_f16_f32 v4, v4, v5
	v_cvt_pkrtz_f16_f32 v6, v6, v14
	exp mrt0 v4, v4, v6, v6 done compr vm
	s_endpgm
