BB0:
	s_mov_b32 s4, s3
	s_movk_i32 s3, 0x8000
	s_clause 0x1
	s_load_dwordx8 s[8:15], s[2:3], null
	s_load_dwordx4 s[16:19], s[2:3], 0x50
	s_mov_b64 s[0:1], exec
	s_wqm_b64 exec, exec
	s_mov_b32 m0, s4
	s_mov_b64 s[2:3], exec
	v_interp_p1_f32_e32 v3, v0, attr1.w
	v_interp_p1_f32_e32 v2, v0, attr1.z
	v_interp_p2_f32_e32 v3, v1, attr1.w
	v_interp_p2_f32_e32 v2, v1, attr1.z
	s_mov_b64 exec, s[0:1]
	s_waitcnt lgkmcnt(0)
	image_sample v[2:4], v[2:3], s[8:15], s[16:19] dmask:0x7 dim:SQ_RSRC_IMG_2D
	s_mov_b64 exec, s[2:3]
	v_interp_p1_f32_e32 v7, v0, attr1.y
	v_interp_p1_f32_e32 v8, v0, attr0.w
	v_interp_p1_f32_e32 v5, v0, attr1.x
	v_interp_p1_f32_e32 v9, v0, attr0.y
	v_interp_p1_f32_e32 v11, v0, attr0.z
	v_interp_p1_f32_e32 v0, v0, attr0.x
	v_interp_p2_f32_e32 v7, v1, attr1.y
	v_interp_p2_f32_e32 v8, v1, attr0.w
	v_interp_p2_f32_e32 v5, v1, attr1.x
	v_interp_p2_f32_e32 v9, v1, attr0.y
	v_interp_p2_f32_e32 v11, v1, attr0.z
	v_interp_p2_f32_e32 v0, v1, attr0.x
	v_mul_f32_e32 v6, v5, v5
	v_mul_f32_e32 v10, v9, v9
	v_fmac_f32_e32 v6, v7, v7
	s_mov_b32 s5, 0x3f666666
	v_fmac_f32_e32 v10, v11, v11
	v_interp_mov_f32_e32 v12, p0, attr2.x
	v_fmac_f32_e32 v6, v8, v8
	v_fmac_f32_e32 v10, v0, v0
	v_rsq_f32_e32 v6, v6
	v_rsq_f32_e32 v10, v10
	v_mul_f32_e32 v5, v5, v6
	v_mul_f32_e32 v7, v7, v6
	v_mul_f32_e32 v8, v8, v6
	v_mul_f32_e32 v0, v0, v10
	v_mul_f32_e32 v11, v11, v10
	v_mul_f32_e32 v9, v9, v10
	v_mul_f32_e32 v7, v7, v11
	v_fmac_f32_e32 v7, v5, v9
	v_fmac_f32_e32 v7, v8, v0
	v_max_f32_e32 v7, 0, v7
	v_fmaak_f32 v7, s5, v7, 0x3dcccccd
	s_waitcnt vmcnt(0)
	v_mul_f32_e32 v4, v4, v7
	v_fma_mixlo_f16 v13, v2, v7, neg(0) op_sel_hi:[0,0,1]
	v_fma_mixhi_f16 v13, v3, v7, neg(0) op_sel_hi:[0,0,1]
	v_cvt_pkrtz_f16_f32_e32 v4, v4, v12
	s_mov_b64 exec, s[0:1]
	exp mrt0 v13, v13, v4, v4 done compr vm
	s_endpgm
