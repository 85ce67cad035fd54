BB0:
	s_mov_b32 m0, s2
	s_nop 0
	v_interp_mov_f32_e32 v2, p0, attr1.z
	v_interp_mov_f32_e32 v3, p0, attr1.x
	v_interp_p1_f32_e32 v4, v0, attr0.x
	v_interp_p1ll_f16 v5, v0, attr2.x
	v_interp_p1_f32_e32 v8, v0, attr0.y
	v_interp_p1_f32_e32 v9, v0, attr0.z
	v_interp_p1_f32_e32 v0, v0, attr0.w
	v_interp_p2_f32_e32 v4, v1, attr0.x
	v_interp_p2_f16 v6, v1, attr2.x, v5
	v_interp_p2_f32_e32 v8, v1, attr0.y
	v_interp_p2_f32_e32 v9, v1, attr0.z
	v_interp_p2_f32_e32 v0, v1, attr0.w
	v_cvt_f32_ubyte0_e32 v3, v3
	v_cvt_f32_f16_e32 v7, v6
	v_add_f32_e32 v3, v3, v2
	v_mul_f32_e32 v3, 0x3b808081, v3
	v_mad_f32 v4, v4, v7, v3
	v_mad_f32 v8, v8, v7, v3
	v_mad_f32 v9, v9, v7, v3
	v_mac_f32_e32 v3, v0, v7
	v_cvt_pkrtz_f16_f32 v4, v4, v8
	v_cvt_pkrtz_f16_f32 v9, v9, v3
	exp mrt0 v4, v4, v9, v9 done compr vm
	s_endpgm
