BB0:
	s_wqm_b64 exec, exec
	s_mov_b32 m0, s2
	lds_param_load v2, attr0.x wait_vdst:15
	lds_param_load v3, attr0.y wait_vdst:15
	lds_param_load v4, attr0.z wait_vdst:15
	lds_param_load v5, attr2.x wait_vdst:15
	lds_param_load v6, attr2.y wait_vdst:15
	lds_param_load v7, attr2.z wait_vdst:15
	lds_param_load v11, attr1.x wait_vdst:15
	lds_param_load v13, attr1.y wait_vdst:15
	lds_param_load v15, attr1.z wait_vdst:15
	lds_param_load v17, attr3.x wait_vdst:15
	v_interp_p10_f32 v8, v2, v0, v2 wait_exp:6
	v_interp_p10_f32 v9, v3, v0, v3 wait_exp:7
	lds_param_load v19, attr3.y wait_vdst:15
	v_interp_p10_f32 v10, v4, v0, v4 wait_exp:7
	v_interp_p10_f32 v12, v5, v0, v5 wait_exp:7
	v_interp_p10_f32 v14, v6, v0, v6 wait_exp:6
	v_interp_p10_f32 v16, v7, v0, v7 wait_exp:5
	lds_param_load v22, attr4.y wait_vdst:15
	v_interp_p10_f32 v18, v11, v0, v11 wait_exp:5
	v_interp_p2_f32 v2, v2, v1, v8 wait_exp:7
	v_interp_p10_f32 v20, v13, v0, v13 wait_exp:4
	v_interp_p2_f32 v3, v3, v1, v9 wait_exp:7
	lds_param_load v23, attr5.x wait_vdst:15
	v_interp_p10_f32 v21, v15, v0, v15 wait_exp:4
	v_interp_p2_f32 v4, v4, v1, v10 wait_exp:7
	v_interp_p2_f32 v5, v5, v1, v12 wait_exp:7
	v_interp_p2_f32 v6, v6, v1, v14 wait_exp:7
	v_interp_p2_f32 v7, v7, v1, v16 wait_exp:7
	v_interp_p10_f32 v24, v17, v0, v17 wait_exp:3
	v_interp_p2_f32 v11, v11, v1, v18 wait_exp:7
	v_interp_p2_f32 v13, v13, v1, v20 wait_exp:7
	v_interp_p10_f32 v25, v19, v0, v19 wait_exp:2
	v_interp_p2_f32 v15, v15, v1, v21 wait_exp:7
	v_interp_p10_f32 v27, v22, v0, v22 wait_exp:1
	v_add_f32_e32 v5, v5, v2
	v_add_f32_e32 v6, v6, v3
	v_add_f32_e32 v7, v7, v4
	v_interp_p2_f32 v17, v17, v1, v24 wait_exp:7
	v_interp_p10_f32 v0, v23, v0, v23 wait_exp:0
	v_interp_p2_f32 v19, v19, v1, v25 wait_exp:7
	v_interp_p2_f32 v22, v22, v1, v27 wait_exp:7
	v_add_f32_e32 v5, v5, v11
	v_add_f32_e32 v6, v6, v13
	v_add_f32_e32 v7, v7, v15
	s_delay_alu instid0(VALU_DEP_3)
	v_fma_mixlo_f16 v26, 1.0, v5, v17
	v_fma_mixhi_f16 v26, 1.0, v6, v19
	v_fma_mixlo_f16 v28, 1.0, v7, v22
	v_fma_mixhi_f16_e64_dpp v28, v23, v1, v0 quad_perm:[2,2,2,2] row_mask:0xf bank_mask:0xf fi:1
	exp mrt0 v26, v28, off, off done
	s_nop 0
	s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
	s_endpgm
