BB0:
	s_mov_b32 s0, s3                                            ; be800003
	s_movk_i32 s3, 0x8000                                       ; b0038000
	s_load_dwordx8 s[8:15], s[2:3], 0x0                         ; c00e0201 00000000
	s_load_dwordx4 s[16:19], s[2:3], 0x50                       ; c00a0401 00000050
	s_load_dwordx8 s[24:31], s[2:3], 0x60                       ; c00e0601 00000060
	v_lshl_add_u32 v0, v1, 3, v0                                ; d1fd0000 04010701
	v_lshrrev_b32_e32 v1, 4, v0                                 ; 20020084
	v_lshrrev_b32_e32 v2, 6, v0                                 ; 20040086
	v_and_b32_e32 v1, 3, v1                                     ; 26020283
	v_lshrrev_b32_e32 v3, 2, v0                                 ; 20060082
	v_and_b32_e32 v3, 3, v3                                     ; 26060683
	v_and_b32_e32 v4, 1, v0                                     ; 26080081
	v_lshl_add_u32 v3, v3, 1, v4                                ; d1fd0003 04110303
	v_lshrrev_b32_e32 v0, 1, v0                                 ; 20000081
	v_lshl_add_u32 v2, v2, 3, v3                                ; d1fd0002 040d0702
	v_and_b32_e32 v0, 1, v0                                     ; 26000081
	v_lshl_add_u32 v0, v1, 1, v0                                ; d1fd0000 04010301
	v_lshl_add_u32 v2, s0, 3, v2                                ; d1fd0002 04090600
	v_lshl_add_u32 v3, s4, 3, v0                                ; d1fd0003 04010604
	v_cvt_f32_u32_e32 v0, v2                                    ; 7e000d02
	v_cvt_f32_u32_e32 v1, v3                                    ; 7e020d03
	v_add_f32_e32 v0, 0.5, v0                                   ; 020000f0
	v_add_f32_e32 v1, 0.5, v1                                   ; 020202f0
	v_mul_f32_e32 v4, 0x3b800000, v0                            ; 0a0800ff 3b800000
	v_mul_f32_e32 v5, 0x3b800000, v1                            ; 0a0a02ff 3b800000
	s_nop 0                                                     ; bf800000
	v_mov_b32_dpp v0, v4 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 ; 7e0002fa ff080004
	v_sub_f32_dpp v0, v4, v0 quad_perm:[1,1,1,1] row_mask:0xf bank_mask:0xf bound_ctrl:1 ; 040000fa ff085504
	v_mov_b32_dpp v1, v5 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf bound_ctrl:1 ; 7e0202fa ff080005
	v_sub_f32_dpp v1, v5, v1 quad_perm:[2,2,2,2] row_mask:0xf bank_mask:0xf bound_ctrl:1 ; 040202fa ff08aa05
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	image_sample v[4:7], v4, s[8:15], s[16:19] dmask:0xf        ; f0800f00 00820404
	v_mul_f32_e32 v1, v1, v1                                    ; 0a020301
	v_mac_f32_e32 v1, v0, v0                                    ; 2c020100
	v_sqrt_f32_e32 v0, v1                                       ; 7e004f01
	s_waitcnt vmcnt(0)                                          ; bf8c3f70
	v_mul_f32_e32 v8, v4, v0                                    ; 0a100104
	v_mul_f32_e32 v9, v5, v0                                    ; 0a120105
	v_mul_f32_e32 v10, v6, v0                                   ; 0a140106
	v_mul_f32_e32 v11, v7, v0                                   ; 0a160107
	image_store v[8:11], v2, s[24:31] dmask:0xf unorm glc       ; f0203f00 00060802
	s_endpgm                                                    ; bf810000
