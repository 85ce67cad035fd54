BB0:
	s_wqm_b64 exec, exec
	s_mov_b32 m0, s2
	ds_param_load v2, attr1.x wait_va_vdst:15 wait_vm_vsrc:1
	ds_param_load v3, attr1.y wait_va_vdst:15 wait_vm_vsrc:1
	ds_param_load v4, attr1.z wait_va_vdst:15 wait_vm_vsrc:1
	ds_param_load v10, attr1.w wait_va_vdst:15 wait_vm_vsrc:1
	ds_param_load v14, attr2.x wait_va_vdst:15 wait_vm_vsrc:1
	ds_param_load v16, attr0.x wait_va_vdst:15 wait_vm_vsrc:1
	ds_param_load v18, attr0.y wait_va_vdst:15 wait_vm_vsrc:1
	v_interp_p10_f16_f32 v5, v2.l, v0, v2.l wait_exp:6
	v_interp_p10_f16_f32 v7, v2.h, v0, v2.h op_sel:[1,0,1,0] wait_exp:7
	v_interp_p10_f16_f32 v8, v3.h, v0, v3.h op_sel:[1,0,1,0] wait_exp:5
	v_interp_p10_f16_f32 v11, v3.l, v0, v3.l wait_exp:7
	v_interp_p10_f16_f32 v15, v4.h, v0, v4.h op_sel:[1,0,1,0] wait_exp:4
	v_interp_p10_f16_f32 v12, v4.l, v0, v4.l wait_exp:7
	v_interp_p10_f16_f32 v19, v10.l, v0, v10.l wait_exp:3
	s_wait_expcnt 0x2
	v_mov_b32_dpp v14, v14 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
	v_interp_p2_f16_f32 v6.l, v2.l, v1, v5 wait_exp:7
	v_interp_p10_f32 v22, v16, v0, v16 wait_exp:1
	v_interp_p2_f16_f32 v6.h, v2.h, v1, v7 op_sel:[1,0,0,1] wait_exp:7
	v_interp_p2_f16_f32 v9.h, v3.h, v1, v8 op_sel:[1,0,0,1] wait_exp:7
	v_interp_p2_f16_f32 v9.l, v3.l, v1, v11 wait_exp:7
	v_interp_p10_f32 v0, v18, v0, v18 wait_exp:0
	v_interp_p2_f16_f32 v17.l, v4.h, v1, v15 op_sel:[1,0,0,0] wait_exp:7
	v_interp_p2_f16_f32 v13.l, v4.l, v1, v12 wait_exp:7
	v_add_f16_e64 v13.h, 1.0, 0 op_sel:[0,0,1]
	v_interp_p2_f16_f32 v20.l, v10.l, v1, v19 wait_exp:7
	v_interp_p2_f32 v16, v16, v1, v22 wait_exp:7
	v_interp_p2_f32 v18, v18, v1, v0 wait_exp:7
	v_pk_fma_f16 v6, v6, v17, v6 op_sel_hi:[1,0,1]
	v_pk_fma_f16 v13, v13, v17, v9 op_sel_hi:[1,0,1]
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(VALU_DEP_2)
	v_pk_add_f16 v6, v6, v20 op_sel_hi:[1,0]
	v_pk_add_f16 v13, v13, v20 op_sel_hi:[1,0]
	s_round_mode 0xc
	v_fma_mixlo_f16 v21, 1.0, v6, v14 op_sel_hi:[0,1,1]
	v_fma_mixhi_f16 v21, 1.0, v6, v14 op_sel:[0,1,1] op_sel_hi:[0,1,1]
	v_fma_mixlo_f16 v23, 1.0, v16, v13 op_sel_hi:[0,0,1]
	v_fma_mixhi_f16 v23, 1.0, v18, v13 op_sel:[0,0,1] op_sel_hi:[0,0,1]
	export mrt0 v21, v23, off, off done
	s_endpgm
