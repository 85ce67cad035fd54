BB0:
	s_wqm_b64 exec, exec
	s_mov_b32 s0, s3
	s_movk_i32 s3, 0x8000
	s_load_dwordx8 s[8:15], s[2:3], 0x0
	s_load_dwordx4 s[4:7], s[2:3], 0x50
	s_mov_b32 m0, s0
	s_nop 0
	v_interp_p1_f32_e32 v2, v0, attr2.x
	v_interp_p2_f32_e32 v2, v1, attr2.x
	v_interp_p1_f32_e32 v3, v0, attr2.y
	v_interp_p2_f32_e32 v3, v1, attr2.y
	s_waitcnt lgkmcnt(0)
	image_sample v[2:4], v2, s[8:15], s[4:7] dmask:0x7
	v_interp_p1_f32_e32 v5, v0, attr3.x
	v_interp_p2_f32_e32 v5, v1, attr3.x
	v_interp_p1_f32_e32 v6, v0, attr3.y
	v_interp_p2_f32_e32 v6, v1, attr3.y
	v_interp_p1_f32_e32 v7, v0, attr3.z
	v_interp_p2_f32_e32 v7, v1, attr3.z
	v_interp_p1_f32_e32 v8, v0, attr1.x
	v_interp_p2_f32_e32 v8, v1, attr1.x
	v_interp_p1_f32_e32 v9, v0, attr1.y
	v_interp_p2_f32_e32 v9, v1, attr1.y
	v_interp_p1_f32_e32 v10, v0, attr1.z
	v_interp_p2_f32_e32 v10, v1, attr1.z
	v_mul_f32_e32 v11, v10, v10
	v_mac_f32_e32 v11, v9, v9
	v_mac_f32_e32 v11, v8, v8
	v_rsq_f32_e32 v11, v11
	v_mul_f32_e32 v8, v8, v11
	v_mul_f32_e32 v9, v9, v11
	v_mul_f32_e32 v10, v10, v11
	v_interp_p1_f32_e32 v11, v0, attr0.x
	v_interp_p2_f32_e32 v11, v1, attr0.x
	v_interp_p1_f32_e32 v12, v0, attr0.y
	v_interp_p2_f32_e32 v12, v1, attr0.y
	v_interp_p1_f32_e32 v0, v0, attr0.z
	v_interp_p2_f32_e32 v0, v1, attr0.z
	v_sub_f32_e32 v1, 1.0, v11
	v_sub_f32_e32 v11, 2.0, v12
	v_sub_f32_e32 v0, 0x40400000, v0
	v_mul_f32_e32 v12, v0, v0
	v_mac_f32_e32 v12, v11, v11
	v_mac_f32_e32 v12, v1, v1
	v_rsq_f32_e32 v12, v12
	v_mul_f32_e32 v1, v1, v12
	v_mul_f32_e32 v11, v11, v12
	v_mul_f32_e32 v0, v0, v12
	v_mul_f32_e32 v0, v10, v0
	v_mac_f32_e32 v0, v9, v11
	v_mac_f32_e32 v0, v8, v1
	v_max_f32_e32 v0, 0, v0
	v_mul_f32_e32 v0, 0x3f666666, v0
	v_add_f32_e32 v0, 0x3dcccccd, v0
	v_interp_mov_f32_e32 v1, p0, attr4.x
	v_and_b32_e32 v1, 1, v1
	v_cvt_f32_u32_e32 v1, v1
	s_waitcnt vmcnt(0)
	v_mul_f32_e32 v2, v2, v5
	v_mul_f32_e32 v3, v3, v6
	v_mul_f32_e32 v4, v4, v7
	v_mul_f32_e32 v2, v2, v0
	v_mul_f32_e32 v3, v3, v0
	v_mul_f32_e32 v0, v4, v0
	v_cvt_pkrtz_f16_f32 v2, v2, v3
	v_cvt_pkrtz_f16_f32 v0, v0, v1
	exp mrt0 v2, v2, v0, v0 done compr vm
	s_endpgm
