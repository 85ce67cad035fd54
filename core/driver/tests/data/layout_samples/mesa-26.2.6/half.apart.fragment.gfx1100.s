BB0:
	s_wqm_b64 exec, exec
	s_mov_b32 m0, s2
	lds_param_load v2, attr0.x wait_vdst:15
	lds_param_load v3, attr0.y wait_vdst:15
	lds_param_load v4, attr0.w wait_vdst:15
	lds_param_load v5, attr0.z wait_vdst:15
	lds_param_load v6, attr1.x wait_vdst:15
	lds_param_load v7, attr1.y wait_vdst:15
	lds_param_load v11, attr1.z wait_vdst:15
	lds_param_load v15, attr3.x wait_vdst:15
	lds_param_load v18, attr3.w wait_vdst:15
	lds_param_load v21, attr2.x wait_vdst:15
	lds_param_load v23, attr2.y wait_vdst:15
	v_interp_p10_f16_f32 v8, v2.l, v0, v2.l wait_exp:6
	v_interp_p10_f16_f32 v10, v3.l, v0, v3.l wait_exp:7
	v_interp_p10_f16_f32 v12, v4.l, v0, v4.l wait_exp:7
	lds_param_load v26, attr4.x wait_vdst:15
	v_interp_p10_f16_f32 v14, v5.l, v0, v5.l wait_exp:7
	v_interp_p10_f16_f32 v16, v6.l, v0, v6.l wait_exp:7
	v_interp_p10_f16_f32 v19, v7.l, v0, v7.l wait_exp:6
	lds_param_load v28, attr4.y wait_vdst:15
	v_interp_p10_f16_f32 v20, v11.l, v0, v11.l wait_exp:6
	v_interp_p2_f16_f32 v9.l, v2.l, v1, v8 wait_exp:7
	v_interp_p2_f16_f32 v9.h, v3.l, v1, v10 op_sel:[0,0,0,1] wait_exp:7
	v_interp_p10_f16_f32 v24, v15.l, v0, v15.l wait_exp:5
	v_interp_p2_f16_f32 v13.h, v4.l, v1, v12 op_sel:[0,0,0,1] wait_exp:7
	v_interp_p10_f16_f32 v27, v18.l, v0, v18.l wait_exp:4
	v_interp_p2_f16_f32 v13.l, v5.l, v1, v14 wait_exp:7
	s_waitcnt expcnt(3)
	v_mov_b32_dpp v21, v21 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
	v_interp_p2_f16_f32 v17.l, v6.l, v1, v16 wait_exp:7
	v_interp_p2_f16_f32 v17.h, v7.l, v1, v19 op_sel:[0,0,0,1] wait_exp:7
	s_waitcnt expcnt(2)
	v_mov_b32_dpp v23, v23 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
	v_interp_p2_f16_f32 v22.l, v11.l, v1, v20 wait_exp:7
	v_add_f16_e64 v22.h, 1.0, 0 op_sel:[0,0,1]
	v_interp_p2_f16_f32 v25.l, v15.l, v1, v24 wait_exp:7
	v_interp_p10_f32 v31, v26, v0, v26 wait_exp:1
	v_interp_p2_f16_f32 v29.l, v18.l, v1, v27 wait_exp:7
	v_interp_p10_f32 v0, v28, v0, v28 wait_exp:0
	s_delay_alu instid0(VALU_DEP_4) | instskip(SKIP_3) | instid1(VALU_DEP_4)
	v_pk_fma_f16 v22, v22, v25, v13 op_sel_hi:[1,0,1]
	v_pk_fma_f16 v17, v17, v25, v9 op_sel_hi:[1,0,1]
	v_interp_p2_f32 v26, v26, v1, v31 wait_exp:7
	v_interp_p2_f32 v28, v28, v1, v0 wait_exp:7
	v_pk_add_f16 v22, v22, v29 op_sel_hi:[1,0]
	v_pk_add_f16 v17, v17, v29 op_sel_hi:[1,0]
	s_round_mode 0xc
	s_delay_alu instid0(VALU_DEP_2)
	v_fma_mixlo_f16 v32, 1.0, v26, v22 op_sel_hi:[0,0,1]
	v_fma_mixhi_f16 v32, 1.0, v28, v22 op_sel:[0,0,1] op_sel_hi:[0,0,1]
	v_fma_mixlo_f16 v30, 1.0, v17, v21 op_sel_hi:[0,1,1]
	v_fma_mixhi_f16 v30, 1.0, v17, v23 op_sel:[0,1,0] op_sel_hi:[0,1,1]
	exp mrt0 v30, v32, off, off done
	s_endpgm
