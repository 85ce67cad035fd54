BB0:
	s_wqm_b64 exec, exec
	s_mov_b32 s0, s3
	s_movk_i32 s3, 0x8000
	s_clause 0x1
	s_load_b256 s[8:15], s[2:3], null
	s_load_b128 s[4:7], s[2:3], 0x50
	s_mov_b32 m0, s0
	lds_param_load v2, attr1.w wait_vdst:15
	v_interp_p10_f32 v3, v2, v0, v2
	v_interp_p2_f32 v2, v2, v1, v3 wait_exp:7
	lds_param_load v3, attr1.z
	v_interp_p10_f32 v4, v3, v0, v3
	v_interp_p2_f32 v3, v3, v1, v4 wait_exp:7
	s_waitcnt lgkmcnt(0)
	image_sample v[2:4], [v3, v2], s[8:15], s[4:7] dmask:0x7 dim:SQ_RSRC_IMG_2D
	lds_param_load v5, attr1.y wait_vdst:15
	v_interp_p10_f32 v6, v5, v0, v5
	v_interp_p2_f32 v5, v5, v1, v6 wait_exp:7
	v_mul_f32_e32 v6, v5, v5
	lds_param_load v7, attr1.x wait_vdst:15
	v_interp_p10_f32 v8, v7, v0, v7
	v_interp_p2_f32 v7, v7, v1, v8 wait_exp:7
	v_fmac_f32_e32 v6, v7, v7
	lds_param_load v8, attr0.w wait_vdst:1
	v_interp_p10_f32 v9, v8, v0, v8
	v_interp_p2_f32 v8, v8, v1, v9 wait_exp:7
	v_fmac_f32_e32 v6, v8, v8
	v_rsq_f32_e32 v6, v6
	s_waitcnt_depctr 0xfff
	v_mul_f32_e32 v8, v8, v6
	v_mul_f32_e32 v7, v7, v6
	v_mul_f32_e32 v5, v5, v6
	lds_param_load v6, attr0.x
	v_interp_p10_f32 v9, v6, v0, v6
	v_interp_p2_f32 v6, v6, v1, v9 wait_exp:7
	v_sub_f32_e32 v6, 1.0, v6
	lds_param_load v9, attr0.y wait_vdst:1
	v_interp_p10_f32 v10, v9, v0, v9
	v_interp_p2_f32 v9, v9, v1, v10 wait_exp:7
	v_sub_f32_e32 v9, 2.0, v9
	lds_param_load v10, attr0.z wait_vdst:1
	v_interp_p10_f32 v0, v10, v0, v10
	v_interp_p2_f32 v0, v10, v1, v0 wait_exp:7
	v_sub_f32_e32 v0, 0x40400000, v0
	v_mul_f32_e32 v1, v0, v0
	v_fmac_f32_e32 v1, v9, v9
	v_fmac_f32_e32 v1, v6, v6
	v_rsq_f32_e32 v1, v1
	s_waitcnt_depctr 0xfff
	v_mul_f32_e32 v6, v6, v1
	v_mul_f32_e32 v9, v9, v1
	v_mul_f32_e32 v0, v0, v1
	v_mul_f32_e32 v5, v5, v0
	v_fmac_f32_e32 v5, v7, v9
	v_fmac_f32_e32 v5, v8, v6
	v_max_f32_e32 v0, 0, v5
	s_mov_b32 s0, 0x3f666666
	v_fmaak_f32 v0, s0, v0, 0x3dcccccd
	lds_param_load v1, attr2.x wait_vdst:5
	s_waitcnt expcnt(0)
	v_mov_b32_dpp v1, v1 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
	v_and_b32_e32 v1, 1, v1
	v_cvt_f32_u32_e32 v1, v1
	s_waitcnt vmcnt(0)
	v_mul_f32_e32 v2, v2, v0
	v_mul_f32_e32 v3, v3, v0
	v_mul_f32_e32 v0, v4, v0
	v_cvt_pk_rtz_f16_f32_e32 v2, v2, v3
	v_cvt_pk_rtz_f16_f32_e32 v0, v0, v1
	exp mrt0 v2, v0, off, off done
	s_endpgm
