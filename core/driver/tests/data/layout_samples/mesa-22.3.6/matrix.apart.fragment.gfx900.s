BB0:
	s_mov_b32 m0, s2
	s_nop 0
	v_interp_p1_f32_e32 v2, v0, attr2.x
	v_interp_p2_f32_e32 v2, v1, attr2.x
	v_interp_p1_f32_e32 v3, v0, attr2.y
	v_interp_p2_f32_e32 v3, v1, attr2.y
	v_interp_p1_f32_e32 v4, v0, attr2.z
	v_interp_p2_f32_e32 v4, v1, attr2.z
	v_interp_p1_f32_e32 v5, v0, attr0.x
	v_interp_p2_f32_e32 v5, v1, attr0.x
	v_interp_p1_f32_e32 v6, v0, attr0.y
	v_interp_p2_f32_e32 v6, v1, attr0.y
	v_interp_p1_f32_e32 v7, v0, attr0.z
	v_interp_p2_f32_e32 v7, v1, attr0.z
	v_add_f32_e32 v2, v2, v5
	v_add_f32_e32 v3, v3, v6
	v_add_f32_e32 v4, v4, v7
	v_interp_p1_f32_e32 v5, v0, attr1.x
	v_interp_p2_f32_e32 v5, v1, attr1.x
	v_interp_p1_f32_e32 v6, v0, attr1.y
	v_interp_p2_f32_e32 v6, v1, attr1.y
	v_interp_p1_f32_e32 v7, v0, attr1.z
	v_interp_p2_f32_e32 v7, v1, attr1.z
	v_add_f32_e32 v2, v2, v5
	v_add_f32_e32 v3, v3, v6
	v_add_f32_e32 v4, v4, v7
	v_interp_p1_f32_e32 v5, v0, attr3.x
	v_interp_p2_f32_e32 v5, v1, attr3.x
	v_interp_p1_f32_e32 v6, v0, attr3.y
	v_interp_p2_f32_e32 v6, v1, attr3.y
	v_add_f32_e32 v2, v2, v5
	v_add_f32_e32 v3, v3, v6
	v_interp_p1_f32_e32 v5, v0, attr5.y
	v_interp_p2_f32_e32 v5, v1, attr5.y
	v_add_f32_e32 v4, v4, v5
	v_cvt_pkrtz_f16_f32 v2, v2, v3
	v_interp_p1_f32_e32 v0, v0, attr6.x
	v_interp_p2_f32_e32 v0, v1, attr6.x
	v_cvt_pkrtz_f16_f32 v0, v4, v0
	exp mrt0 v2, v2, v0, v0 done compr vm
	s_endpgm
