BB0:
	s_wqm_b64 exec, exec
	v_cmp_lt_i32_e64 vcc, s2, 0
	v_cndmask_b32_e32 v2, v2, v0, vcc
	v_cndmask_b32_e32 v3, v3, v1, vcc
	s_mov_b32 m0, s2
	lds_param_load v6, attr0.x wait_vdst:15
	v_interp_p10_f32 v7, v6, v2, v6
	v_interp_p2_f32 v6, v6, v3, v7 wait_exp:7
	lds_param_load v7, attr1.x
	v_interp_p10_f32 v8, v7, v0, v7
	v_interp_p2_f32 v7, v7, v1, v8 wait_exp:7
	v_add_f32_e32 v6, v7, v6
	lds_param_load v7, attr0.y
	v_interp_p10_f32 v8, v7, v2, v7
	v_interp_p2_f32 v7, v7, v3, v8 wait_exp:7
	lds_param_load v8, attr1.y
	v_interp_p10_f32 v0, v8, v0, v8
	v_interp_p2_f32 v0, v8, v1, v0 wait_exp:7
	v_add_f32_e32 v0, v0, v7
	lds_param_load v1, attr0.z wait_vdst:1
	v_interp_p10_f32 v2, v1, v2, v1
	v_interp_p2_f32 v1, v1, v3, v2 wait_exp:7
	lds_param_load v2, attr3.x
	v_interp_p10_f32 v3, v2, v4, v2
	v_interp_p2_f32 v2, v2, v5, v3 wait_exp:7
	v_add_f32_e32 v1, v2, v1
	lds_param_load v2, attr2.x
	s_waitcnt expcnt(0)
	v_mov_b32_dpp v2, v2 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
	v_cvt_f32_u32_e32 v2, v2
	v_add_f32_e32 v3, v6, v2
	v_add_f32_e32 v0, v0, v2
	v_add_f32_e32 v1, v1, v2
	lds_param_load v6, attr3.y wait_vdst:2
	v_interp_p10_f32 v4, v6, v4, v6
	v_interp_p2_f32 v4, v6, v5, v4 wait_exp:7
	v_add_f32_e32 v2, v4, v2
	lds_param_load v4, attr2.y
	s_waitcnt expcnt(0)
	v_mov_b32_dpp v4, v4 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
	v_cvt_f32_i32_e32 v4, v4
	lds_param_load v5, attr2.z wait_vdst:15
	s_waitcnt expcnt(0)
	v_mov_b32_dpp v5, v5 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
	v_cvt_f32_i32_e32 v5, v5
	v_add_f32_e32 v3, v3, v4
	v_add_f32_e32 v0, v0, v5
	v_add_f32_e32 v1, v1, v4
	v_add_f32_e32 v2, v2, v5
	v_cvt_pk_rtz_f16_f32_e32 v0, v3, v0
	v_cvt_pk_rtz_f16_f32_e32 v1, v1, v2
	exp mrt0 v0, v1, off, off done
	s_endpgm
