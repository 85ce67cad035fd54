BB0:
	s_wqm_b64 exec, exec                                        ; befe1d7e
	s_mov_b32 m0, s2                                            ; befd0002
	lds_param_load v2, attr2.x wait_vdst:15                     ; ce0f0802
	v_interp_p10_f16_f32 v3, v2, v0, v2                         ; cd020003 040a0102
	v_interp_p2_f16_f32 v2, v2, v1, v3 wait_exp:7               ; cd030702 040e0302
	lds_param_load v3, attr2.y                                  ; ce000903
	v_interp_p10_f16_f32 v4, v3, v0, v3                         ; cd020004 040e0103
	v_interp_p2_f16_f32 v3, v3, v1, v4 wait_exp:7               ; cd030703 04120303
	lds_param_load v4, attr2.z                                  ; ce000a04
	v_interp_p10_f16_f32 v5, v4, v0, v4                         ; cd020005 04120104
	v_interp_p2_f16_f32 v4, v4, v1, v5 wait_exp:7               ; cd030704 04160304
	lds_param_load v5, attr2.w                                  ; ce000b05
	v_interp_p10_f16_f32 v6, v5, v0, v5                         ; cd020006 04160105
	v_interp_p2_f16_f32 v5, v5, v1, v6 wait_exp:7               ; cd030705 041a0305
	v_add_nc_u16 v2, v3, 0 op_sel:[0,0,1]                       ; d7034002 00010103
	v_pack_b32_f16 v3, v4, v5                                   ; d7110003 00020b04
	v_mov_b32_e32 v5, v2                                        ; 7e0a0302
	v_pack_b32_f16 v4, v4, 1.0                                  ; d7110004 0001e504
	lds_param_load v2, attr1.x wait_vdst:1                      ; ce010402
	v_interp_p10_f16_f32 v6, v2, v0, v2                         ; cd020006 040a0102
	v_interp_p2_f16_f32 v2, v2, v1, v6 wait_exp:7               ; cd030702 041a0302
	lds_param_load v6, attr1.y                                  ; ce000506
	v_interp_p10_f16_f32 v7, v6, v0, v6                         ; cd020007 041a0106
	v_interp_p2_f16_f32 v6, v6, v1, v7 wait_exp:7               ; cd030706 041e0306
	lds_param_load v7, attr1.z                                  ; ce000607
	v_interp_p10_f16_f32 v8, v7, v0, v7                         ; cd020008 041e0107
	v_interp_p2_f16_f32 v7, v7, v1, v8 wait_exp:7               ; cd030707 04220307
	lds_param_load v8, attr1.w                                  ; ce000708
	v_interp_p10_f16_f32 v9, v8, v0, v8                         ; cd020009 04220108
	v_interp_p2_f16_f32 v8, v8, v1, v9 wait_exp:7               ; cd030708 04260308
	v_add_nc_u16 v6, v6, 0 op_sel:[0,0,1]                       ; d7034006 00010106
	v_add_nc_u16 v6, v2, 0                                      ; d7030006 00010102
	v_add_nc_u16 v7, v8, 0 op_sel:[0,0,1]                       ; d7034007 00010108
	v_mov_b32_e32 v2, v6                                        ; 7e040306
	v_pk_fma_f16 v2, v5, v3, v2 op_sel:[0,1,0]                  ; cc0e5002 1c0a0705
	v_pk_fma_f16 v3, v4, v3, v7 op_sel:[0,1,0]                  ; cc0e5003 1c1e0704
	lds_param_load v4, attr3.x                                  ; ce000c04
	v_interp_p10_f16_f32 v5, v4, v0, v4                         ; cd020005 04120104
	v_interp_p2_f16_f32 v4, v4, v1, v5 wait_exp:7               ; cd030704 04160304
	v_pk_add_f16 v2, v2, v4 op_sel_hi:[1,0]                     ; cc0f0002 08020902
	v_pk_add_f16 v3, v3, v4 op_sel_hi:[1,0]                     ; cc0f0003 08020903
	v_add_nc_u16 v4, v2, 0 op_sel:[1,0,0]                       ; d7030804 00010102
	v_add_nc_u16 v5, v3, 0 op_sel:[1,0,0]                       ; d7030805 00010103
	lds_param_load v6, attr4.x wait_vdst:15                     ; ce0f1006
	s_waitcnt expcnt(0)                                         ; bf89fff0
	v_mov_b32_dpp v6, v6 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1 ; 7e0c02fa ff0c0006
	lds_param_load v7, attr4.y wait_vdst:15                     ; ce0f1107
	s_waitcnt expcnt(0)                                         ; bf89fff0
	v_mov_b32_dpp v7, v7 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1 ; 7e0e02fa ff0c0007
	v_fma_mix_f32 v2, 1.0, v2, v6 op_sel_hi:[0,1,1]             ; cc204002 141a04f2
	v_fma_mix_f32 v4, 1.0, v4, v7 op_sel_hi:[0,1,1]             ; cc204004 141e08f2
	lds_param_load v6, attr0.x wait_vdst:1                      ; ce010006
	v_interp_p10_f32 v7, v6, v0, v6                             ; cd000007 041a0106
	v_interp_p2_f32 v6, v6, v1, v7 wait_exp:7                   ; cd010706 041e0306
	lds_param_load v7, attr0.y                                  ; ce000107
	v_interp_p10_f32 v0, v7, v0, v7                             ; cd000000 041e0107
	v_interp_p2_f32 v0, v7, v1, v0 wait_exp:7                   ; cd010700 04020307
	v_fma_mix_f32 v1, 1.0, v3, v6 op_sel_hi:[0,1,0]             ; cc200001 141a06f2
	v_fma_mix_f32 v0, 1.0, v5, v0 op_sel_hi:[0,1,0]             ; cc200000 14020af2
	v_cvt_pk_rtz_f16_f32_e32 v2, v2, v4                         ; 5e040902
	v_cvt_pk_rtz_f16_f32_e32 v0, v1, v0                         ; 5e000101
	exp mrt0 v2, v0, off, off done                              ; f8000803 80800002
	s_endpgm                                                    ; bfb00000
