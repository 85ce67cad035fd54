BB0:
	s_wqm_b64 exec, exec
	s_mov_b32 s0, s3
	s_movk_i32 s3, 0x8000
	s_clause 0x1
	s_load_b256 s[8:15], s[2:3], null
	s_load_b128 s[4:7], s[2:3], 0x50
	s_mov_b32 m0, s0
	lds_param_load v2, attr2.x wait_vdst:15
	v_interp_p10_f32 v3, v2, v0, v2
	v_interp_p2_f32 v2, v2, v1, v3 wait_exp:7
	lds_param_load v3, attr2.y
	v_interp_p10_f32 v4, v3, v0, v3
	v_interp_p2_f32 v3, v3, v1, v4 wait_exp:7
	s_waitcnt lgkmcnt(0)
	image_sample v[2:4], v[2:3], s[8:15], s[4:7] dmask:0x7 dim:SQ_RSRC_IMG_2D
	lds_param_load v5, attr3.x wait_vdst:15
	v_interp_p10_f32 v6, v5, v0, v5
	v_interp_p2_f32 v5, v5, v1, v6 wait_exp:7
	lds_param_load v6, attr3.y
	v_interp_p10_f32 v7, v6, v0, v6
	v_interp_p2_f32 v6, v6, v1, v7 wait_exp:7
	lds_param_load v7, attr3.z
	v_interp_p10_f32 v8, v7, v0, v7
	v_interp_p2_f32 v7, v7, v1, v8 wait_exp:7
	lds_param_load v8, attr1.x
	v_interp_p10_f32 v9, v8, v0, v8
	v_interp_p2_f32 v8, v8, v1, v9 wait_exp:7
	lds_param_load v9, attr1.y
	v_interp_p10_f32 v10, v9, v0, v9
	v_interp_p2_f32 v9, v9, v1, v10 wait_exp:7
	lds_param_load v10, attr1.z
	v_interp_p10_f32 v11, v10, v0, v10
	v_interp_p2_f32 v10, v10, v1, v11 wait_exp:7
	v_mul_f32_e32 v11, v10, v10
	v_fmac_f32_e32 v11, v9, v9
	v_fmac_f32_e32 v11, v8, v8
	v_rsq_f32_e32 v11, v11
	s_waitcnt_depctr 0xfff
	v_mul_f32_e32 v8, v8, v11
	v_mul_f32_e32 v9, v9, v11
	v_mul_f32_e32 v10, v10, v11
	lds_param_load v11, attr0.x
	v_interp_p10_f32 v12, v11, v0, v11
	v_interp_p2_f32 v11, v11, v1, v12 wait_exp:7
	lds_param_load v12, attr0.y
	v_interp_p10_f32 v13, v12, v0, v12
	v_interp_p2_f32 v12, v12, v1, v13 wait_exp:7
	lds_param_load v13, attr0.z
	v_interp_p10_f32 v0, v13, v0, v13
	v_interp_p2_f32 v0, v13, v1, v0 wait_exp:7
	v_sub_f32_e32 v1, 1.0, v11
	v_sub_f32_e32 v11, 2.0, v12
	v_sub_f32_e32 v0, 0x40400000, v0
	v_mul_f32_e32 v12, v0, v0
	v_fmac_f32_e32 v12, v11, v11
	v_fmac_f32_e32 v12, v1, v1
	v_rsq_f32_e32 v12, v12
	s_waitcnt_depctr 0xfff
	v_mul_f32_e32 v1, v1, v12
	v_mul_f32_e32 v11, v11, v12
	v_mul_f32_e32 v0, v0, v12
	v_mul_f32_e32 v0, v10, v0
	v_fmac_f32_e32 v0, v9, v11
	v_fmac_f32_e32 v0, v8, v1
	v_max_f32_e32 v0, 0, v0
	s_mov_b32 s0, 0x3f666666
	v_fmaak_f32 v0, s0, v0, 0x3dcccccd
	lds_param_load v1, attr4.x wait_vdst:2
	s_waitcnt expcnt(0)
	v_mov_b32_dpp v1, v1 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
	v_and_b32_e32 v1, 1, v1
	v_cvt_f32_u32_e32 v1, v1
	s_waitcnt vmcnt(0)
	v_mul_f32_e32 v2, v2, v5
	v_mul_f32_e32 v3, v3, v6
	v_mul_f32_e32 v4, v4, v7
	v_mul_f32_e32 v2, v2, v0
	v_mul_f32_e32 v3, v3, v0
	v_mul_f32_e32 v0, v4, v0
	v_cvt_pk_rtz_f16_f32_e32 v2, v2, v3
	v_cvt_pk_rtz_f16_f32_e32 v0, v0, v1
	exp mrt0 v2, v0, off, off done
	s_endpgm
