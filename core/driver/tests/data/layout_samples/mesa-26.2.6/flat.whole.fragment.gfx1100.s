BB0:
	s_wqm_b64 exec, exec
	s_mov_b32 m0, s2
	lds_param_load v6, attr0.x wait_vdst:15
	lds_param_load v7, attr0.y wait_vdst:15
	lds_param_load v8, attr1.x wait_vdst:15
	lds_param_load v10, attr0.z wait_vdst:15
	lds_param_load v13, attr2.z wait_vdst:15
	lds_param_load v14, attr2.x wait_vdst:15
	lds_param_load v15, attr2.y wait_vdst:15
	lds_param_load v16, attr0.w wait_vdst:15
	s_cmp_lt_i32 m0, 0
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_cselect_b64 vcc, -1, 0
	v_cndmask_b32_e32 v2, v2, v0, vcc
	v_cndmask_b32_e32 v3, v3, v1, vcc
	v_interp_p10_f32 v9, v6, v0, v6 wait_exp:6
	v_interp_p10_f32 v0, v7, v0, v7 wait_exp:7
	v_interp_p10_f32 v17, v10, v4, v10 wait_exp:4
	v_interp_p10_f32 v11, v6, v2, v6 wait_exp:7
	v_interp_p10_f32 v12, v7, v2, v7 wait_exp:7
	v_interp_p10_f32 v2, v8, v2, v8 wait_exp:7
	v_interp_p2_f32 v9, v6, v1, v9 wait_exp:7
	v_interp_p10_f32 v4, v16, v4, v16 wait_exp:0
	v_interp_p2_f32 v10, v10, v5, v17 wait_exp:7
	v_interp_p2_f32 v6, v6, v3, v11 wait_exp:7
	v_interp_p2_f32 v12, v7, v3, v12 wait_exp:7
	v_interp_p2_f32 v7, v7, v1, v0 wait_exp:7
	v_interp_p2_f32 v8, v8, v3, v2 wait_exp:7
	v_interp_p2_f32 v16, v16, v5, v4 wait_exp:7
	v_add_f32_e32 v9, v9, v6
	s_delay_alu instid0(VALU_DEP_4) | instskip(SKIP_1) | instid1(VALU_DEP_3)
	v_add_f32_e32 v7, v7, v12
	v_add_f32_e32 v10, v10, v8
	v_add_f32_dpp v9, v13, v9 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
	s_delay_alu instid0(VALU_DEP_3) | instskip(SKIP_1) | instid1(VALU_DEP_3)
	v_add_f32_dpp v7, v13, v7 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
	v_add_f32_dpp v13, v13, v10 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
	v_add_f32_dpp v9, v14, v9 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
	s_delay_alu instid0(VALU_DEP_3) | instskip(SKIP_2) | instid1(VALU_DEP_3)
	v_add_f32_dpp v7, v15, v7 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
	v_add_f32_dpp v15, v15, v16 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
	v_add_f32_dpp v14, v14, v13 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
	v_cvt_pk_rtz_f16_f32_e32 v9, v9, v7
	s_delay_alu instid0(VALU_DEP_2)
	v_cvt_pk_rtz_f16_f32_e32 v14, v14, v15
	exp mrt0 v9, v14, off, off done
	s_endpgm
