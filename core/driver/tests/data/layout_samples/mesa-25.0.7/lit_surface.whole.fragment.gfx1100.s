BB0:
	s_mov_b32 s0, s3
	s_movk_i32 s3, 0x8000
	s_clause 0x1
	s_load_b256 s[8:15], s[2:3], null
	s_load_b128 s[4:7], s[2:3], 0x50
	s_wqm_b64 exec, exec
	s_mov_b32 m0, s0
	lds_param_load v2, attr1.w wait_vdst:15
	lds_param_load v3, attr1.z wait_vdst:15
	v_interp_p10_f32 v4, v2, v0, v2 wait_exp:1
	v_interp_p10_f32 v6, v3, v0, v3 wait_exp:0
	s_delay_alu instid0(VALU_DEP_2)
	v_interp_p2_f32 v5, v2, v1, v4 wait_exp:7
	v_interp_p2_f32 v4, v3, v1, v6 wait_exp:7
	s_waitcnt lgkmcnt(0)
	image_sample v[7:9], v[4:5], s[8:15], s[4:7] dmask:0x7 dim:SQ_RSRC_IMG_2D
	lds_param_load v10, attr1.x wait_vdst:15
	lds_param_load v11, attr1.y wait_vdst:15
	lds_param_load v12, attr0.w wait_vdst:15
	lds_param_load v13, attr0.y wait_vdst:15
	lds_param_load v14, attr0.z wait_vdst:15
	lds_param_load v20, attr0.x wait_vdst:15
	v_interp_p10_f32 v15, v10, v0, v10 wait_exp:5
	v_interp_p10_f32 v16, v11, v0, v11 wait_exp:4
	v_interp_p10_f32 v18, v12, v0, v12 wait_exp:3
	v_interp_p10_f32 v19, v13, v0, v13 wait_exp:2
	v_interp_p10_f32 v21, v14, v0, v14 wait_exp:1
	v_interp_p10_f32 v0, v20, v0, v20 wait_exp:0
	v_interp_p2_f32 v10, v10, v1, v15 wait_exp:7
	v_interp_p2_f32 v11, v11, v1, v16 wait_exp:7
	lds_param_load v23, attr2.x wait_vdst:15
	v_interp_p2_f32 v12, v12, v1, v18 wait_exp:7
	v_interp_p2_f32 v13, v13, v1, v19 wait_exp:7
	v_interp_p2_f32 v14, v14, v1, v21 wait_exp:7
	v_interp_p2_f32 v20, v20, v1, v0 wait_exp:7
	v_mul_f32_e32 v17, v11, v11
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mul_f32_e32 v22, v14, v14
	v_fmac_f32_e32 v17, v10, v10
	s_mov_b32 s1, 0x3f666666
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_3) | instid1(VALU_DEP_3)
	v_fmac_f32_e32 v22, v13, v13
	s_waitcnt expcnt(0)
	v_mov_b32_dpp v23, v23 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
	v_fmac_f32_e32 v17, v12, v12
	v_fmac_f32_e32 v22, v20, v20
	s_delay_alu instid0(VALU_DEP_2)
	v_rsq_f32_e32 v17, v17
	v_rsq_f32_e32 v22, v22
	s_waitcnt_depctr 0xfff
	v_mul_f32_e32 v12, v12, v17
	v_mul_f32_e32 v10, v10, v17
	v_mul_f32_e32 v11, v11, v17
	v_mul_f32_e32 v20, v20, v22
	v_mul_f32_e32 v13, v13, v22
	v_mul_f32_e32 v14, v14, v22
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_mul_f32_e32 v11, v11, v14
	v_fmac_f32_e32 v11, v10, v13
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_fmac_f32_e32 v11, v12, v20
	v_max_f32_e32 v11, 0, v11
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(VALU_DEP_1)
	v_fmaak_f32 v11, s1, v11, 0x3dcccccd
	s_waitcnt vmcnt(0)
	v_fma_mixlo_f16 v24, v7, v11, neg(0) op_sel_hi:[0,0,1]
	v_mul_f32_e32 v9, v9, v11
	v_fma_mixhi_f16 v24, v8, v11, neg(0) op_sel_hi:[0,0,1]
	s_delay_alu instid0(VALU_DEP_2)
	v_cvt_pk_rtz_f16_f32_e32 v9, v9, v23
	exp mrt0 v24, v9, off, off done
	s_nop 0
	s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
	s_endpgm
