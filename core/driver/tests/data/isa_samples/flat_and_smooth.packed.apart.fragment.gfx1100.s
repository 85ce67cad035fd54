BB0:
	s_wqm_b64 exec, exec                                        ; befe1d7e
	v_cmp_lt_i32_e64 vcc, s2, 0                                 ; d441006a 00010002
	v_cndmask_b32_e32 v2, v2, v0, vcc                           ; 02040102
	v_cndmask_b32_e32 v3, v3, v1, vcc                           ; 02060303
	s_mov_b32 m0, s2                                            ; befd0002
	lds_param_load v6, attr2.x wait_vdst:15                     ; ce0f0806
	v_interp_p10_f32 v7, v6, v2, v6                             ; cd000007 041a0506
	v_interp_p2_f32 v6, v6, v3, v7 wait_exp:7                   ; cd010706 041e0706
	lds_param_load v7, attr2.y                                  ; ce000907
	v_interp_p10_f32 v8, v7, v2, v7                             ; cd000008 041e0507
	v_interp_p2_f32 v7, v7, v3, v8 wait_exp:7                   ; cd010707 04220707
	lds_param_load v8, attr2.z                                  ; ce000a08
	v_interp_p10_f32 v2, v8, v2, v8                             ; cd000002 04220508
	v_interp_p2_f32 v2, v8, v3, v2 wait_exp:7                   ; cd010702 040a0708
	lds_param_load v3, attr0.x                                  ; ce000003
	v_interp_p10_f32 v8, v3, v0, v3                             ; cd000008 040e0103
	v_interp_p2_f32 v3, v3, v1, v8 wait_exp:7                   ; cd010703 04220303
	lds_param_load v8, attr0.y                                  ; ce000108
	v_interp_p10_f32 v0, v8, v0, v8                             ; cd000000 04220108
	v_interp_p2_f32 v0, v8, v1, v0 wait_exp:7                   ; cd010700 04020308
	v_add_f32_e32 v1, v3, v6                                    ; 06020d03
	v_add_f32_e32 v0, v0, v7                                    ; 06000f00
	lds_param_load v3, attr1.x wait_vdst:1                      ; ce010403
	v_interp_p10_f32 v6, v3, v4, v3                             ; cd000006 040e0903
	v_interp_p2_f32 v3, v3, v5, v6 wait_exp:7                   ; cd010703 041a0b03
	lds_param_load v6, attr1.y                                  ; ce000506
	v_interp_p10_f32 v4, v6, v4, v6                             ; cd000004 041a0906
	v_interp_p2_f32 v4, v6, v5, v4 wait_exp:7                   ; cd010704 04120b06
	v_add_f32_e32 v2, v3, v2                                    ; 06040503
	lds_param_load v3, attr3.x                                  ; ce000c03
	s_waitcnt expcnt(0)                                         ; bf89fff0
	v_mov_b32_dpp v3, v3 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1 ; 7e0602fa ff0c0003
	lds_param_load v5, attr3.y wait_vdst:15                     ; ce0f0d05
	s_waitcnt expcnt(0)                                         ; bf89fff0
	v_mov_b32_dpp v5, v5 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1 ; 7e0a02fa ff0c0005
	lds_param_load v6, attr3.z wait_vdst:15                     ; ce0f0e06
	s_waitcnt expcnt(0)                                         ; bf89fff0
	v_mov_b32_dpp v6, v6 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1 ; 7e0c02fa ff0c0006
	v_cvt_f32_u32_e32 v3, v3                                    ; 7e060d03
	v_add_f32_e32 v1, v1, v3                                    ; 06020701
	v_add_f32_e32 v0, v0, v3                                    ; 06000700
	v_add_f32_e32 v2, v2, v3                                    ; 06040702
	v_add_f32_e32 v3, v4, v3                                    ; 06060704
	v_cvt_f32_i32_e32 v4, v5                                    ; 7e080b05
	v_cvt_f32_i32_e32 v5, v6                                    ; 7e0a0b06
	v_add_f32_e32 v1, v1, v4                                    ; 06020901
	v_add_f32_e32 v0, v0, v5                                    ; 06000b00
	v_add_f32_e32 v2, v2, v4                                    ; 06040902
	v_add_f32_e32 v3, v3, v5                                    ; 06060b03
	v_cvt_pk_rtz_f16_f32_e32 v0, v1, v0                         ; 5e000101
	v_cvt_pk_rtz_f16_f32_e32 v1, v2, v3                         ; 5e020702
	exp mrt0 v0, v1, off, off done                              ; f8000803 80800100
	s_endpgm                                                    ; bfb00000
