BB0:
	s_mov_b32 m0, s2
	s_nop 0
	v_interp_p1_f32_e32 v8, v0, attr1.x
	v_interp_p1_f32_e32 v2, v0, attr0.x
	v_interp_p1_f32_e32 v3, v0, attr0.y
	v_interp_p1_f32_e32 v4, v0, attr0.z
	v_interp_p1_f32_e32 v5, v0, attr2.x
	v_interp_p1_f32_e32 v6, v0, attr2.y
	v_interp_p1_f32_e32 v7, v0, attr2.z
	v_interp_p2_f32_e32 v8, v1, attr1.x
	v_interp_p1_f32_e32 v9, v0, attr1.y
	v_interp_p2_f32_e32 v2, v1, attr0.x
	v_interp_p2_f32_e32 v3, v1, attr0.y
	v_interp_p1_f32_e32 v10, v0, attr1.z
	v_interp_p2_f32_e32 v4, v1, attr0.z
	v_interp_p2_f32_e32 v5, v1, attr2.x
	v_interp_p2_f32_e32 v6, v1, attr2.y
	v_interp_p2_f32_e32 v7, v1, attr2.z
	v_interp_p1_f32_e32 v11, v0, attr3.x
	v_interp_p2_f32_e32 v9, v1, attr1.y
	v_interp_p1_f32_e32 v12, v0, attr3.y
	v_interp_p2_f32_e32 v10, v1, attr1.z
	v_interp_p1_f32_e32 v13, v0, attr4.y
	v_interp_p2_f32_e32 v11, v1, attr3.x
	v_interp_p1_f32_e32 v0, v0, attr5.x
	v_interp_p2_f32_e32 v12, v1, attr3.y
	v_interp_p2_f32_e32 v13, v1, attr4.y
	v_interp_p2_f32_e32 v0, v1, attr5.x
	v_add_f32_e32 v5, v5, v2
	v_add_f32_e32 v6, v6, v3
	v_add_f32_e32 v7, v7, v4
	v_add_f32_e32 v5, v5, v8
	v_add_f32_e32 v6, v6, v9
	v_add_f32_e32 v7, v7, v10
	v_add_f32_e32 v5, v5, v11
	v_add_f32_e32 v6, v6, v12
	v_add_f32_e32 v7, v7, v13
	v_cvt_pkrtz_f16_f32 v5, v5, v6
	v_cvt_pkrtz_f16_f32 v7, v7, v0
	exp mrt0 v5, v5, v7, v7 done compr vm
	s_endpgm
