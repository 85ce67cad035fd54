BB0:
	s_cmp_lt_i32 s2, 0
	s_mov_b32 m0, s2
	s_cselect_b64 vcc, -1, 0
	v_interp_p1_f32_e32 v9, v4, attr2.x
	v_interp_p1_f32_e32 v6, v0, attr0.x
	v_interp_p1_f32_e32 v4, v4, attr2.y
	v_interp_p2_f32_e32 v9, v5, attr2.x
	v_interp_mov_f32_e32 v10, p0, attr1.x
	v_interp_p2_f32_e32 v6, v1, attr0.x
	v_interp_p2_f32_e32 v4, v5, attr2.y
	v_cndmask_b32_e32 v2, v2, v0, vcc
	v_interp_p1_f32_e32 v0, v0, attr0.y
	v_interp_p1_f32_e32 v7, v2, attr4.x
	v_interp_p1_f32_e32 v8, v2, attr4.y
	v_interp_p1_f32_e32 v2, v2, attr4.z
	v_interp_p2_f32_e32 v0, v1, attr0.y
	v_interp_mov_f32_e32 v11, p0, attr3.x
	v_interp_mov_f32_e32 v12, p0, attr3.y
	v_cndmask_b32_e32 v3, v3, v1, vcc
	v_cvt_f32_u32_e32 v10, v10
	v_cvt_f32_i32_e32 v11, v11
	v_cvt_f32_i32_e32 v12, v12
	v_interp_p2_f32_e32 v7, v3, attr4.x
	v_interp_p2_f32_e32 v8, v3, attr4.y
	v_interp_p2_f32_e32 v2, v3, attr4.z
	v_add_f32_e32 v4, v4, v10
	v_add_f32_e32 v6, v6, v7
	v_add_f32_e32 v0, v0, v8
	v_add_f32_e32 v9, v9, v2
	v_add_f32_e32 v6, v6, v10
	v_add_f32_e32 v0, v0, v10
	v_add_f32_e32 v9, v9, v10
	v_fma_mixlo_f16 v13, 1.0, v6, v11
	v_fma_mixhi_f16 v13, 1.0, v0, v12
	v_fma_mixlo_f16 v14, 1.0, v9, v11
	v_fma_mixhi_f16 v14, 1.0, v4, v12
	exp mrt0 v13, v13, v14, v14 done compr vm
	s_endpgm
