BB0:
	s_wqm_b64 exec, exec
	s_mov_b32 m0, s2
	ds_param_load v2, attr2.x wait_va_vdst:15 wait_vm_vsrc:1
	ds_param_load v3, attr2.z wait_va_vdst:15 wait_vm_vsrc:1
	ds_param_load v4, attr2.y wait_va_vdst:15 wait_vm_vsrc:1
	ds_param_load v10, attr2.w wait_va_vdst:15 wait_vm_vsrc:1
	ds_param_load v15, attr1.x wait_va_vdst:15 wait_vm_vsrc:1
	ds_param_load v17, attr1.y wait_va_vdst:15 wait_vm_vsrc:1
	ds_param_load v18, attr0.x wait_va_vdst:15 wait_vm_vsrc:1
	v_interp_p10_f16_f32 v5, v2, v0, v2 op_sel:[1,0,1,0] wait_exp:6
	v_interp_p10_f16_f32 v7, v2, v0, v2 wait_exp:7
	ds_param_load v20, attr0.y wait_va_vdst:15 wait_vm_vsrc:1
	v_interp_p10_f16_f32 v8, v3, v0, v3 op_sel:[1,0,1,0] wait_exp:6
	v_interp_p10_f16_f32 v11, v3, v0, v3 wait_exp:7
	v_interp_p10_f16_f32 v16, v4, v0, v4 wait_exp:5
	v_interp_p10_f16_f32 v13, v4, v0, v4 op_sel:[1,0,1,0] wait_exp:7
	v_interp_p10_f16_f32 v19, v10, v0, v10 wait_exp:4
	s_wait_expcnt 0x3
	v_mov_b32_dpp v15, v15 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
	v_interp_p2_f16_f32 v6, v2, v1, v5 op_sel:[1,0,0,1] wait_exp:7
	v_interp_p2_f16_f32 v6, v2, v1, v7 wait_exp:7
	s_wait_expcnt 0x2
	v_mov_b32_dpp v17, v17 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
	v_interp_p2_f16_f32 v9, v3, v1, v8 op_sel:[1,0,0,0] wait_exp:7
	v_interp_p10_f32 v22, v18, v0, v18 wait_exp:1
	v_interp_p2_f16_f32 v12, v3, v1, v11 wait_exp:7
	v_add_f16_e64 v12, 1.0, 0
	v_interp_p2_f16_f32 v14, v4, v1, v13 op_sel:[1,0,0,1] wait_exp:7
	v_interp_p2_f16_f32 v14, v4, v1, v16 wait_exp:7
	v_interp_p2_f16_f32 v21, v10, v1, v19 wait_exp:7
	v_interp_p10_f32 v0, v20, v0, v20 wait_exp:0
	v_pk_fma_f16 v6, v6, v9, v6 op_sel_hi:[1,0,1]
	v_interp_p2_f32 v18, v18, v1, v22 wait_exp:7
	v_pk_fma_f16 v12, v12, v9, v14 op_sel_hi:[1,0,1]
	s_delay_alu instid0(VALU_DEP_4) | instskip(SKIP_1) | instid1(VALU_DEP_3)
	v_interp_p2_f32 v20, v20, v1, v0 wait_exp:7
	v_pk_add_f16 v6, v6, v21 op_sel_hi:[1,0]
	v_pk_add_f16 v12, v12, v21 op_sel_hi:[1,0]
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_3) | instid1(VALU_DEP_3)
	v_fma_mix_f32 v15, 1.0, v6, v15 op_sel_hi:[0,1,0]
	v_fma_mix_f32 v6, 1.0, v6, v17 op_sel:[0,1,0] op_sel_hi:[0,1,0]
	v_fma_mix_f32 v18, 1.0, v12, v18 op_sel_hi:[0,1,0]
	v_fma_mix_f32 v12, 1.0, v12, v20 op_sel:[0,1,0] op_sel_hi:[0,1,0]
	v_cvt_pk_rtz_f16_f32_e32 v15, v15, v6
	s_delay_alu instid0(VALU_DEP_2)
	v_cvt_pk_rtz_f16_f32_e32 v18, v18, v12
	export mrt0 v15, v18, off, off done
	s_nop 0
	s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
	s_endpgm
