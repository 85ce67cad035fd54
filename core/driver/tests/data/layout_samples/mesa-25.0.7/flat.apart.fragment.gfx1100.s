BB0:
	s_wqm_b64 exec, exec
	s_mov_b32 m0, s2
	lds_param_load v6, attr0.x wait_vdst:15
	lds_param_load v7, attr0.y wait_vdst:15
	lds_param_load v8, attr4.x wait_vdst:15
	lds_param_load v9, attr4.y wait_vdst:15
	lds_param_load v10, attr4.z wait_vdst:15
	lds_param_load v12, attr2.x wait_vdst:15
	lds_param_load v14, attr2.y wait_vdst:15
	lds_param_load v16, attr1.x wait_vdst:15
	s_cmp_lt_i32 m0, 0
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_cselect_b64 vcc, -1, 0
	v_cndmask_b32_e32 v2, v2, v0, vcc
	lds_param_load v17, attr3.x wait_vdst:15
	lds_param_load v18, attr3.y wait_vdst:15
	v_cndmask_b32_e32 v3, v3, v1, vcc
	v_interp_p10_f32 v11, v6, v0, v6 wait_exp:6
	v_interp_p10_f32 v0, v7, v0, v7 wait_exp:7
	v_interp_p10_f32 v19, v12, v4, v12 wait_exp:4
	v_interp_p10_f32 v15, v9, v2, v9 wait_exp:7
	v_interp_p10_f32 v4, v14, v4, v14 wait_exp:3
	v_interp_p10_f32 v13, v8, v2, v8 wait_exp:7
	v_interp_p10_f32 v2, v10, v2, v10 wait_exp:7
	s_waitcnt expcnt(2)
	v_cvt_f32_u32_dpp v16, v16 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
	v_interp_p2_f32 v6, v6, v1, v11 wait_exp:7
	v_interp_p2_f32 v7, v7, v1, v0 wait_exp:7
	v_interp_p2_f32 v12, v12, v5, v19 wait_exp:7
	v_interp_p2_f32 v9, v9, v3, v15 wait_exp:7
	v_interp_p2_f32 v14, v14, v5, v4 wait_exp:7
	s_waitcnt expcnt(1)
	v_cvt_f32_i32_dpp v17, v17 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
	v_interp_p2_f32 v8, v8, v3, v13 wait_exp:7
	s_waitcnt expcnt(0)
	v_cvt_f32_i32_dpp v18, v18 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
	v_interp_p2_f32 v10, v10, v3, v2 wait_exp:7
	v_add_f32_e32 v7, v7, v9
	v_add_f32_e32 v14, v14, v16
	v_add_f32_e32 v6, v6, v8
	s_delay_alu instid0(VALU_DEP_4) | instskip(SKIP_1) | instid1(VALU_DEP_3)
	v_add_f32_e32 v12, v12, v10
	v_add_f32_e32 v7, v7, v16
	v_add_f32_e32 v6, v6, v16
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_add_f32_e32 v12, v12, v16
	v_fma_mixlo_f16 v20, 1.0, v6, v17
	v_fma_mixhi_f16 v20, 1.0, v7, v18
	v_fma_mixlo_f16 v21, 1.0, v12, v17
	v_fma_mixhi_f16 v21, 1.0, v14, v18
	exp mrt0 v20, v21, off, off done
	s_nop 0
	s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
	s_endpgm
