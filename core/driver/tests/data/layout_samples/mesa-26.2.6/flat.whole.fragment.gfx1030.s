BB0:
	s_cmp_lt_i32 s2, 0
	s_mov_b32 m0, s2
	s_cselect_b64 vcc, -1, 0
	v_interp_p1_f32_e32 v9, v4, attr0.z
	v_interp_p1_f32_e32 v6, v0, attr0.x
	v_interp_mov_f32_e32 v10, p0, attr2.z
	v_interp_p2_f32_e32 v9, v5, attr0.z
	v_interp_p2_f32_e32 v6, v1, attr0.x
	v_cndmask_b32_e32 v2, v2, v0, vcc
	v_interp_p1_f32_e32 v0, v0, attr0.y
	v_interp_mov_f32_e32 v11, p0, attr2.x
	v_interp_mov_f32_e32 v13, p0, attr2.y
	v_interp_p1_f32_e32 v7, v2, attr0.x
	v_interp_p1_f32_e32 v8, v2, attr0.y
	v_interp_p1_f32_e32 v2, v2, attr1.x
	v_interp_p2_f32_e32 v0, v1, attr0.y
	v_interp_p1_f32_e32 v4, v4, attr0.w
	v_interp_p2_f32_e32 v4, v5, attr0.w
	v_cndmask_b32_e32 v3, v3, v1, vcc
	v_interp_p2_f32_e32 v2, v3, attr1.x
	v_interp_p2_f32_e32 v7, v3, attr0.x
	v_interp_p2_f32_e32 v8, v3, attr0.y
	v_add_f32_e32 v9, v9, v2
	v_add_f32_e32 v6, v6, v7
	v_add_f32_e32 v0, v0, v8
	v_add_f32_e32 v9, v9, v10
	v_add_f32_e32 v6, v6, v10
	v_add_f32_e32 v0, v0, v10
	v_fma_mixlo_f16 v14, 1.0, v9, v11
	v_fma_mixhi_f16 v14, 1.0, v4, v13
	v_fma_mixlo_f16 v12, 1.0, v6, v11
	v_fma_mixhi_f16 v12, 1.0, v0, v13
	exp mrt0 v12, v12, v14, v14 done compr vm
	s_endpgm
