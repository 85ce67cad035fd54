BB0:
	s_wqm_b64 exec, exec
	s_mov_b32 m0, s2
	lds_param_load v2, attr1.x wait_vdst:15
	lds_param_load v3, attr1.y wait_vdst:15
	lds_param_load v4, attr1.z wait_vdst:15
	lds_param_load v5, attr3.x wait_vdst:15
	lds_param_load v6, attr3.y wait_vdst:15
	lds_param_load v7, attr3.z wait_vdst:15
	lds_param_load v12, attr3.w wait_vdst:15
	lds_param_load v16, attr0.x wait_vdst:15
	lds_param_load v19, attr0.y wait_vdst:15
	lds_param_load v20, attr0.z wait_vdst:15
	lds_param_load v22, attr0.w wait_vdst:15
	v_interp_p10_f16_f32 v8, v2, v0, v2 wait_exp:6
	v_interp_p10_f16_f32 v11, v3, v0, v3 wait_exp:7
	v_interp_p10_f16_f32 v13, v4, v0, v4 wait_exp:7
	v_interp_p10_f16_f32 v15, v5, v0, v5 wait_exp:7
	v_interp_p10_f16_f32 v18, v6, v0, v6 wait_exp:7
	v_interp_p10_f16_f32 v17, v7, v0, v7 wait_exp:5
	v_interp_p10_f16_f32 v21, v12, v0, v12 wait_exp:4
	v_interp_p2_f16_f32 v9, v2, v1, v8 wait_exp:7
	lds_param_load v27, attr2.x wait_vdst:15
	lds_param_load v29, attr2.y wait_vdst:15
	v_interp_p10_f16_f32 v24, v16, v0, v16 wait_exp:5
	v_interp_p2_f16_f32 v9, v3, v1, v11 op_sel:[0,0,0,1] wait_exp:7
	lds_param_load v31, attr4.x wait_vdst:15
	lds_param_load v32, attr4.y wait_vdst:15
	v_interp_p10_f16_f32 v25, v19, v0, v19 wait_exp:6
	v_interp_p2_f16_f32 v14, v4, v1, v13 wait_exp:7
	v_interp_p2_f16_f32 v2, v5, v1, v15 wait_exp:7
	v_interp_p10_f16_f32 v26, v20, v0, v20 wait_exp:5
	v_interp_p2_f16_f32 v2, v6, v1, v18 op_sel:[0,0,0,1] wait_exp:7
	v_interp_p10_f16_f32 v28, v22, v0, v22 wait_exp:4
	v_interp_p2_f16_f32 v3, v7, v1, v17 wait_exp:7
	v_interp_p2_f16_f32 v3, v12, v1, v21 op_sel:[0,0,0,1] wait_exp:7
	v_interp_p2_f16_f32 v4, v16, v1, v24 wait_exp:7
	v_interp_p2_f16_f32 v4, v19, v1, v25 op_sel:[0,0,0,1] wait_exp:7
	v_mov_b16_e32 v10.l, v14.l
	v_add_f16_e64 v14, 1.0, 0
	s_waitcnt expcnt(3)
	v_mov_b32_dpp v27, v27 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
	v_interp_p2_f16_f32 v5, v20, v1, v26 wait_exp:7
	s_waitcnt expcnt(2)
	v_mov_b32_dpp v29, v29 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
	v_interp_p2_f16_f32 v5, v22, v1, v28 op_sel:[0,0,0,1] wait_exp:7
	v_interp_p10_f32 v33, v31, v0, v31 wait_exp:1
	v_interp_p10_f32 v0, v32, v0, v32 wait_exp:0
	v_pk_fma_f16 v9, v9, v2, v4 op_sel_hi:[1,0,1]
	s_delay_alu instid0(VALU_DEP_4) | instskip(SKIP_3) | instid1(VALU_DEP_4)
	v_pk_fma_f16 v14, v14, v2, v5 op_sel_hi:[1,0,1]
	v_interp_p2_f32 v31, v31, v1, v33 wait_exp:7
	v_interp_p2_f32 v32, v32, v1, v0 wait_exp:7
	v_pk_add_f16 v9, v9, v3 op_sel:[0,1]
	v_pk_add_f16 v14, v14, v3 op_sel:[0,1]
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_3) | instid1(VALU_DEP_3)
	v_fma_mix_f32 v27, 1.0, v9, v27 op_sel_hi:[0,1,1]
	v_fma_mix_f32 v9, 1.0, v9, v29 op_sel:[0,1,0] op_sel_hi:[0,1,1]
	v_fma_mix_f32 v31, 1.0, v14, v31 op_sel_hi:[0,1,0]
	v_fma_mix_f32 v14, 1.0, v14, v32 op_sel:[0,1,0] op_sel_hi:[0,1,0]
	v_cvt_pk_rtz_f16_f32_e32 v27, v27, v9
	s_delay_alu instid0(VALU_DEP_2)
	v_cvt_pk_rtz_f16_f32_e32 v31, v31, v14
	exp mrt0 v27, v31, off, off done
	s_nop 0
	s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
	s_endpgm
