BB0:
	s_mov_b32 s0, s3
	s_movk_i32 s3, 0x8000
	s_clause 0x1
	s_load_b256 s[8:15], s[2:3], null
	s_load_b128 s[4:7], s[2:3], 0x50
	s_wqm_b64 exec, exec
	s_mov_b32 m0, s0
	lds_param_load v2, attr2.x wait_vdst:15
	lds_param_load v3, attr2.y wait_vdst:15
	v_interp_p10_f32 v4, v2, v0, v2 wait_exp:1
	v_interp_p10_f32 v5, v3, v0, v3 wait_exp:0
	s_delay_alu instid0(VALU_DEP_2)
	v_interp_p2_f32 v4, v2, v1, v4 wait_exp:7
	v_interp_p2_f32 v5, v3, v1, v5 wait_exp:7
	s_waitcnt lgkmcnt(0)
	image_sample v[6:8], v[4:5], s[8:15], s[4:7] dmask:0x7 dim:SQ_RSRC_IMG_2D
	lds_param_load v9, attr3.x wait_vdst:15
	lds_param_load v10, attr3.y wait_vdst:15
	lds_param_load v11, attr3.z wait_vdst:15
	lds_param_load v12, attr1.x wait_vdst:15
	lds_param_load v13, attr1.y wait_vdst:15
	lds_param_load v14, attr1.z wait_vdst:15
	lds_param_load v15, attr0.x wait_vdst:15
	lds_param_load v22, attr0.y wait_vdst:15
	lds_param_load v24, attr0.z wait_vdst:15
	v_interp_p10_f32 v16, v9, v0, v9 wait_exp:6
	v_interp_p10_f32 v17, v10, v0, v10 wait_exp:7
	v_interp_p10_f32 v18, v11, v0, v11 wait_exp:7
	v_interp_p10_f32 v19, v12, v0, v12 wait_exp:5
	v_interp_p10_f32 v20, v13, v0, v13 wait_exp:4
	v_interp_p10_f32 v23, v14, v0, v14 wait_exp:3
	v_interp_p2_f32 v9, v9, v1, v16 wait_exp:7
	v_interp_p10_f32 v21, v15, v0, v15 wait_exp:2
	v_interp_p10_f32 v26, v22, v0, v22 wait_exp:1
	v_interp_p2_f32 v10, v10, v1, v17 wait_exp:7
	v_interp_p2_f32 v11, v11, v1, v18 wait_exp:7
	v_interp_p10_f32 v0, v24, v0, v24 wait_exp:0
	v_interp_p2_f32 v12, v12, v1, v19 wait_exp:7
	v_interp_p2_f32 v13, v13, v1, v20 wait_exp:7
	v_interp_p2_f32 v14, v14, v1, v23 wait_exp:7
	v_interp_p2_f32 v15, v15, v1, v21 wait_exp:7
	v_interp_p2_f32 v22, v22, v1, v26 wait_exp:7
	lds_param_load v28, attr4.x wait_vdst:15
	v_interp_p2_f32 v24, v24, v1, v0 wait_exp:7
	v_mul_f32_e32 v25, v14, v14
	v_sub_f32_e32 v15, 1.0, v15
	v_sub_f32_e32 v22, 2.0, v22
	s_delay_alu instid0(VALU_DEP_4) | instskip(SKIP_1) | instid1(VALU_DEP_2)
	v_sub_f32_e32 v24, 0x40400000, v24
	v_fmac_f32_e32 v25, v13, v13
	v_mul_f32_e32 v27, v24, v24
	s_mov_b32 s1, 0x3f666666
	v_fmac_f32_e32 v25, v12, v12
	s_waitcnt expcnt(0)
	v_mov_b32_dpp v28, v28 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_fmac_f32_e32 v27, v22, v22
	v_rsq_f32_e32 v25, v25
	v_and_b32_e32 v28, 1, v28
	v_fmac_f32_e32 v27, v15, v15
	s_delay_alu instid0(VALU_DEP_2)
	v_cvt_f32_u32_e32 v28, v28
	v_rsq_f32_e32 v27, v27
	s_waitcnt_depctr 0xfff
	v_mul_f32_e32 v12, v12, v25
	v_mul_f32_e32 v13, v13, v25
	v_mul_f32_e32 v14, v14, v25
	v_mul_f32_e32 v22, v22, v27
	v_mul_f32_e32 v24, v24, v27
	v_mul_f32_e32 v15, v15, v27
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_mul_f32_e32 v14, v14, v24
	v_fmac_f32_e32 v14, v13, v22
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_fmac_f32_e32 v14, v12, v15
	v_max_f32_e32 v14, 0, v14
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_4) | instid1(VALU_DEP_3)
	v_fmaak_f32 v14, s1, v14, 0x3dcccccd
	s_waitcnt vmcnt(0)
	v_mul_f32_e32 v6, v6, v9
	v_mul_f32_e32 v8, v8, v11
	v_mul_f32_e32 v7, v7, v10
	v_fma_mixlo_f16 v29, v6, v14, neg(0) op_sel_hi:[0,0,1]
	v_mul_f32_e32 v8, v8, v14
	v_fma_mixhi_f16 v29, v7, v14, neg(0) op_sel_hi:[0,0,1]
	s_delay_alu instid0(VALU_DEP_2)
	v_cvt_pk_rtz_f16_f32_e32 v8, v8, v28
	exp mrt0 v29, v8, off, off done
	s_nop 0
	s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
	s_endpgm
