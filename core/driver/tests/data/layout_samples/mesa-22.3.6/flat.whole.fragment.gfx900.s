BB0:
	v_cmp_lt_i32_e64 vcc, s2, 0
	v_cndmask_b32_e32 v2, v2, v0, vcc
	v_cndmask_b32_e32 v3, v3, v1, vcc
	s_mov_b32 m0, s2
	s_nop 0
	v_interp_p1_f32_e32 v6, v2, attr0.x
	v_interp_p2_f32_e32 v6, v3, attr0.x
	v_interp_p1_f32_e32 v7, v0, attr1.x
	v_interp_p2_f32_e32 v7, v1, attr1.x
	v_add_f32_e32 v6, v7, v6
	v_interp_p1_f32_e32 v7, v2, attr0.y
	v_interp_p2_f32_e32 v7, v3, attr0.y
	v_interp_p1_f32_e32 v0, v0, attr1.y
	v_interp_p2_f32_e32 v0, v1, attr1.y
	v_add_f32_e32 v0, v0, v7
	v_interp_p1_f32_e32 v1, v2, attr0.z
	v_interp_p2_f32_e32 v1, v3, attr0.z
	v_interp_p1_f32_e32 v2, v4, attr3.x
	v_interp_p2_f32_e32 v2, v5, attr3.x
	v_add_f32_e32 v1, v2, v1
	v_interp_mov_f32_e32 v2, p0, attr2.x
	v_cvt_f32_u32_e32 v2, v2
	v_add_f32_e32 v3, v6, v2
	v_add_f32_e32 v0, v0, v2
	v_add_f32_e32 v1, v1, v2
	v_interp_p1_f32_e32 v4, v4, attr3.y
	v_interp_p2_f32_e32 v4, v5, attr3.y
	v_add_f32_e32 v2, v4, v2
	v_interp_mov_f32_e32 v4, p0, attr2.y
	v_cvt_f32_i32_e32 v4, v4
	v_interp_mov_f32_e32 v5, p0, attr2.z
	v_cvt_f32_i32_e32 v5, v5
	v_add_f32_e32 v3, v3, v4
	v_add_f32_e32 v0, v0, v5
	v_add_f32_e32 v1, v1, v4
	v_add_f32_e32 v2, v2, v5
	v_cvt_pkrtz_f16_f32 v0, v3, v0
	v_cvt_pkrtz_f16_f32 v1, v1, v2
	exp mrt0 v0, v0, v1, v1 done compr vm
	s_endpgm
