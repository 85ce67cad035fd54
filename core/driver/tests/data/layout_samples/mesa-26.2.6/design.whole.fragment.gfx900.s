BB0:
	s_mov_b32 m0, s2
	s_nop 0
	v_interp_p1_f32_e32 v2, v0, attr0.x
	v_interp_p1ll_f16 v3, v0, attr2.x
	v_interp_p1_f32_e32 v6, v0, attr0.y
	v_interp_p1_f32_e32 v7, v0, attr0.z
	v_interp_p1_f32_e32 v0, v0, attr0.w
	v_interp_mov_f32_e32 v8, p0, attr1.x
	v_interp_p2_f32_e32 v2, v1, attr0.x
	v_interp_p2_f16 v4, v1, attr2.x, v3
	v_interp_p2_f32_e32 v6, v1, attr0.y
	v_interp_p2_f32_e32 v7, v1, attr0.z
	v_interp_p2_f32_e32 v0, v1, attr0.w
	v_cvt_f32_f16_e32 v5, v4
	v_mad_f32 v2, v2, v5, v8
	v_mad_f32 v6, v6, v5, v8
	v_mad_f32 v7, v7, v5, v8
	v_mac_f32_e32 v8, v0, v5
	v_cvt_pkrtz_f16_f32 v2, v2, v6
	v_cvt_pkrtz_f16_f32 v7, v7, v8
	exp mrt0 v2, v2, v7, v7 done compr vm
	s_endpgm
