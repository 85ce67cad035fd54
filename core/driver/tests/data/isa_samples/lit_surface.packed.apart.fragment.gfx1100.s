BB0:
	s_wqm_b64 exec, exec                                        ; befe1d7e
	s_mov_b32 s0, s3                                            ; be800003
	s_movk_i32 s3, 0x8000                                       ; b0038000
	s_clause 0x1                                                ; bf850001
	s_load_b256 s[8:15], s[2:3], null                           ; f40c0201 f8000000
	s_load_b128 s[4:7], s[2:3], 0x50                            ; f4080101 f8000050
	s_mov_b32 m0, s0                                            ; befd0000
	lds_param_load v2, attr1.z wait_vdst:15                     ; ce0f0602
	v_interp_p10_f32 v3, v2, v0, v2                             ; cd000003 040a0102
	v_interp_p2_f32 v2, v2, v1, v3 wait_exp:7                   ; cd010702 040e0302
	lds_param_load v3, attr1.w                                  ; ce000703
	v_interp_p10_f32 v4, v3, v0, v3                             ; cd000004 040e0103
	v_interp_p2_f32 v3, v3, v1, v4 wait_exp:7                   ; cd010703 04120303
	s_waitcnt lgkmcnt(0)                                        ; bf89fc07
	image_sample v[2:4], v[2:3], s[8:15], s[4:7] dmask:0x7 dim:SQ_RSRC_IMG_2D ; f06c0704 04020202
	lds_param_load v5, attr1.x wait_vdst:15                     ; ce0f0405
	v_interp_p10_f32 v6, v5, v0, v5                             ; cd000006 04160105
	v_interp_p2_f32 v5, v5, v1, v6 wait_exp:7                   ; cd010705 041a0305
	lds_param_load v6, attr1.y                                  ; ce000506
	v_interp_p10_f32 v7, v6, v0, v6                             ; cd000007 041a0106
	v_interp_p2_f32 v6, v6, v1, v7 wait_exp:7                   ; cd010706 041e0306
	lds_param_load v7, attr2.x                                  ; ce000807
	v_interp_p10_f32 v8, v7, v0, v7                             ; cd000008 041e0107
	v_interp_p2_f32 v7, v7, v1, v8 wait_exp:7                   ; cd010707 04220307
	lds_param_load v8, attr2.y                                  ; ce000908
	v_interp_p10_f32 v9, v8, v0, v8                             ; cd000009 04220108
	v_interp_p2_f32 v8, v8, v1, v9 wait_exp:7                   ; cd010708 04260308
	lds_param_load v9, attr2.z                                  ; ce000a09
	v_interp_p10_f32 v10, v9, v0, v9                            ; cd00000a 04260109
	v_interp_p2_f32 v9, v9, v1, v10 wait_exp:7                  ; cd010709 042a0309
	v_mul_f32_e32 v10, v6, v6                                   ; 10140d06
	v_fmac_f32_e32 v10, v5, v5                                  ; 56140b05
	lds_param_load v11, attr0.x wait_vdst:15                    ; ce0f000b
	v_interp_p10_f32 v12, v11, v0, v11                          ; cd00000c 042e010b
	v_interp_p2_f32 v11, v11, v1, v12 wait_exp:7                ; cd01070b 0432030b
	lds_param_load v12, attr0.y                                 ; ce00010c
	v_interp_p10_f32 v13, v12, v0, v12                          ; cd00000d 0432010c
	v_interp_p2_f32 v12, v12, v1, v13 wait_exp:7                ; cd01070c 0436030c
	lds_param_load v13, attr0.z                                 ; ce00020d
	v_interp_p10_f32 v14, v13, v0, v13                          ; cd00000e 0436010d
	v_interp_p2_f32 v13, v13, v1, v14 wait_exp:7                ; cd01070d 043a030d
	lds_param_load v14, attr0.w                                 ; ce00030e
	v_interp_p10_f32 v0, v14, v0, v14                           ; cd000000 043a010e
	v_interp_p2_f32 v0, v14, v1, v0 wait_exp:7                  ; cd010700 0402030e
	v_fmac_f32_e32 v10, v0, v0                                  ; 56140100
	v_rsq_f32_e32 v1, v10                                       ; 7e025d0a
	s_waitcnt_depctr 0xfff                                      ; bf880fff
	v_mul_f32_e32 v0, v0, v1                                    ; 10000300
	v_mul_f32_e32 v5, v5, v1                                    ; 100a0305
	v_mul_f32_e32 v1, v6, v1                                    ; 10020306
	v_sub_f32_e32 v6, 1.0, v11                                  ; 080c16f2
	v_sub_f32_e32 v12, 2.0, v12                                 ; 081818f4
	v_sub_f32_e32 v10, 0x40400000, v13                          ; 08141aff 40400000
	v_mul_f32_e32 v11, v10, v10                                 ; 1016150a
	v_fmac_f32_e32 v11, v12, v12                                ; 5616190c
	v_fmac_f32_e32 v11, v6, v6                                  ; 56160d06
	v_rsq_f32_e32 v11, v11                                      ; 7e165d0b
	s_waitcnt_depctr 0xfff                                      ; bf880fff
	v_mul_f32_e32 v6, v6, v11                                   ; 100c1706
	v_mul_f32_e32 v12, v12, v11                                 ; 1018170c
	v_mul_f32_e32 v10, v10, v11                                 ; 1014170a
	v_mul_f32_e32 v1, v1, v10                                   ; 10021501
	v_fmac_f32_e32 v1, v5, v12                                  ; 56021905
	v_fmac_f32_e32 v1, v0, v6                                   ; 56020d00
	v_max_f32_e32 v0, 0, v1                                     ; 20000280
	s_mov_b32 s0, 0x3f666666                                    ; be8000ff 3f666666
	v_fmaak_f32 v0, s0, v0, 0x3dcccccd                          ; 5a000000 3dcccccd
	lds_param_load v1, attr3.x wait_vdst:1                      ; ce010c01
	s_waitcnt expcnt(0)                                         ; bf89fff0
	v_mov_b32_dpp v1, v1 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1 ; 7e0202fa ff0c0001
	v_and_b32_e32 v1, 1, v1                                     ; 36020281
	v_cvt_f32_u32_e32 v1, v1                                    ; 7e020d01
	s_waitcnt vmcnt(0)                                          ; bf8903f7
	v_mul_f32_e32 v2, v2, v7                                    ; 10040f02
	v_mul_f32_e32 v3, v3, v8                                    ; 10061103
	v_mul_f32_e32 v4, v4, v9                                    ; 10081304
	v_mul_f32_e32 v2, v2, v0                                    ; 10040102
	v_mul_f32_e32 v3, v3, v0                                    ; 10060103
	v_mul_f32_e32 v0, v4, v0                                    ; 10000104
	v_cvt_pk_rtz_f16_f32_e32 v2, v2, v3                         ; 5e040702
	v_cvt_pk_rtz_f16_f32_e32 v0, v0, v1                         ; 5e000300
	exp mrt0 v2, v0, off, off done                              ; f8000803 80800002
	s_endpgm                                                    ; bfb00000
