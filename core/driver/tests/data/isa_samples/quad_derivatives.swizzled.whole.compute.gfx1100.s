BB0:
	s_mov_b32 s0, s3                                            ; be800003
	s_movk_i32 s3, 0x8000                                       ; b0038000
	s_clause 0x2                                                ; bf850002
	s_load_b256 s[8:15], s[2:3], null                           ; f40c0201 f8000000
	s_load_b128 s[16:19], s[2:3], 0x50                          ; f4080401 f8000050
	s_load_b256 s[24:31], s[2:3], 0x60                          ; f40c0601 f8000060
	v_bfe_u32 v1, v0, 0, 10                                     ; d6100001 02290100
	v_bfe_u32 v0, v0, 10, 10                                    ; d6100000 02291500
	v_lshl_add_u32 v0, v0, 3, v1                                ; d6460000 04050700
	v_lshrrev_b32_e32 v1, 4, v0                                 ; 32020084
	v_lshrrev_b32_e32 v2, 6, v0                                 ; 32040086
	v_and_b32_e32 v1, 3, v1                                     ; 36020283
	v_lshrrev_b32_e32 v3, 2, v0                                 ; 32060082
	v_and_b32_e32 v3, 3, v3                                     ; 36060683
	v_and_b32_e32 v4, 1, v0                                     ; 36080081
	v_lshl_add_u32 v3, v3, 1, v4                                ; d6460003 04110303
	v_lshrrev_b32_e32 v0, 1, v0                                 ; 32000081
	v_lshl_add_u32 v2, v2, 3, v3                                ; d6460002 040d0702
	v_and_b32_e32 v0, 1, v0                                     ; 36000081
	v_lshl_add_u32 v0, v1, 1, v0                                ; d6460000 04010301
	v_lshl_add_u32 v2, s0, 3, v2                                ; d6460002 04090600
	v_lshl_add_u32 v3, s4, 3, v0                                ; d6460003 04010604
	v_cvt_f32_u32_e32 v0, v2                                    ; 7e000d02
	v_cvt_f32_u32_e32 v1, v3                                    ; 7e020d03
	v_add_f32_e32 v0, 0.5, v0                                   ; 060000f0
	v_add_f32_e32 v1, 0.5, v1                                   ; 060202f0
	v_mul_f32_e32 v4, 0x3b800000, v0                            ; 100800ff 3b800000
	v_mul_f32_e32 v5, 0x3b800000, v1                            ; 100a02ff 3b800000
	v_mov_b32_dpp v0, v4 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1 ; 7e0002fa ff0c0004
	v_sub_f32_dpp v0, v4, v0 quad_perm:[1,1,1,1] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1 ; 080000fa ff0c5504
	v_mov_b32_dpp v1, v5 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1 ; 7e0202fa ff0c0005
	v_sub_f32_dpp v1, v5, v1 quad_perm:[2,2,2,2] row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1 ; 080202fa ff0caa05
	s_waitcnt lgkmcnt(0)                                        ; bf89fc07
	image_sample v[4:7], v[4:5], s[8:15], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_2D ; f06c0f04 10020404
	v_mul_f32_e32 v1, v1, v1                                    ; 10020301
	v_fmac_f32_e32 v1, v0, v0                                   ; 56020100
	v_sqrt_f32_e32 v0, v1                                       ; 7e006701
	s_waitcnt vmcnt(0)                                          ; bf8903f7
	s_waitcnt_depctr 0xfff                                      ; bf880fff
	v_mul_f32_e32 v8, v4, v0                                    ; 10100104
	v_mul_f32_e32 v9, v5, v0                                    ; 10120105
	v_mul_f32_e32 v10, v6, v0                                   ; 10140106
	v_mul_f32_e32 v11, v7, v0                                   ; 10160107
	image_store v[8:11], v[2:3], s[24:31] dmask:0xf dim:SQ_RSRC_IMG_2D unorm ; f0180f84 00060802
	s_endpgm                                                    ; bfb00000
