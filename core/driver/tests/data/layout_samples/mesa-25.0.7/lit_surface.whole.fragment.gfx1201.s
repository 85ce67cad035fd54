BB0:
	s_mov_b32 s0, s3
	s_movk_i32 s3, 0x8000
	s_clause 0x1
	s_load_b256 s[8:15], s[2:3], 0x0
	s_load_b128 s[4:7], s[2:3], 0x50
	s_wqm_b64 exec, exec
	s_mov_b32 m0, s0
	ds_param_load v2, attr1.w wait_va_vdst:15 wait_vm_vsrc:1
	ds_param_load v3, attr1.z wait_va_vdst:15 wait_vm_vsrc:1
	v_interp_p10_f32 v4, v2, v0, v2 wait_exp:1
	v_interp_p10_f32 v5, v3, v0, v3 wait_exp:0
	s_delay_alu instid0(VALU_DEP_2)
	v_interp_p2_f32 v2, v2, v1, v4 wait_exp:7
	v_interp_p2_f32 v3, v3, v1, v5 wait_exp:7
	s_wait_kmcnt 0x0
	image_sample v[6:8], [v3, v2], s[8:15], s[4:7] dmask:0x7 dim:SQ_RSRC_IMG_2D
	ds_param_load v9, attr1.x wait_va_vdst:15 wait_vm_vsrc:1
	ds_param_load v10, attr1.y wait_va_vdst:15 wait_vm_vsrc:1
	ds_param_load v11, attr0.w wait_va_vdst:15 wait_vm_vsrc:1
	ds_param_load v12, attr0.y wait_va_vdst:15 wait_vm_vsrc:1
	ds_param_load v13, attr0.z wait_va_vdst:15 wait_vm_vsrc:1
	ds_param_load v19, attr0.x wait_va_vdst:15 wait_vm_vsrc:1
	v_interp_p10_f32 v14, v9, v0, v9 wait_exp:5
	v_interp_p10_f32 v15, v10, v0, v10 wait_exp:4
	v_interp_p10_f32 v17, v11, v0, v11 wait_exp:3
	v_interp_p10_f32 v18, v12, v0, v12 wait_exp:2
	v_interp_p10_f32 v20, v13, v0, v13 wait_exp:1
	v_interp_p10_f32 v0, v19, v0, v19 wait_exp:0
	v_interp_p2_f32 v9, v9, v1, v14 wait_exp:7
	v_interp_p2_f32 v10, v10, v1, v15 wait_exp:7
	ds_param_load v22, attr2.x wait_va_vdst:15 wait_vm_vsrc:1
	v_interp_p2_f32 v11, v11, v1, v17 wait_exp:7
	v_interp_p2_f32 v12, v12, v1, v18 wait_exp:7
	v_interp_p2_f32 v13, v13, v1, v20 wait_exp:7
	v_interp_p2_f32 v19, v19, v1, v0 wait_exp:7
	v_mul_f32_e32 v16, v10, v10
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mul_f32_e32 v21, v13, v13
	v_fmac_f32_e32 v16, v9, v9
	s_mov_b32 s1, 0x3f666666
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_3) | instid1(VALU_DEP_3)
	v_fmac_f32_e32 v21, v12, v12
	s_wait_expcnt 0x0
	v_mov_b32_dpp v22, v22 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
	v_fmac_f32_e32 v16, v11, v11
	v_fmac_f32_e32 v21, v19, v19
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(TRANS32_DEP_2)
	v_rsq_f32_e32 v16, v16
	v_rsq_f32_e32 v21, v21
	v_mul_f32_e32 v11, v11, v16
	v_mul_f32_e32 v9, v9, v16
	v_mul_f32_e32 v10, v10, v16
	s_delay_alu instid0(TRANS32_DEP_1) | instskip(SKIP_2) | instid1(VALU_DEP_1)
	v_mul_f32_e32 v19, v19, v21
	v_mul_f32_e32 v12, v12, v21
	v_mul_f32_e32 v13, v13, v21
	v_mul_f32_e32 v10, v10, v13
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_fmac_f32_e32 v10, v9, v12
	v_fmac_f32_e32 v10, v11, v19
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_max_num_f32_e32 v10, 0, v10
	v_fmaak_f32 v10, s1, v10, 0x3dcccccd
	s_wait_samplecnt 0x0
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_2) | instid1(VALU_DEP_2)
	v_fma_mixlo_f16 v23, v6, v10, neg(0) op_sel_hi:[0,0,1]
	v_mul_f32_e32 v8, v8, v10
	v_fma_mixhi_f16 v23, v7, v10, neg(0) op_sel_hi:[0,0,1]
	v_cvt_pk_rtz_f16_f32_e32 v8, v8, v22
	export mrt0 v23, v8, off, off done
	s_nop 0
	s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
	s_endpgm
