BB0:
	s_mov_b32 s0, s3                                            ; be800003
	s_movk_i32 s3, 0x8000                                       ; b0038000
	s_clause 0x1                                                ; bf850001
	s_load_b256 s[8:15], s[2:3], null                           ; f40c0201 f8000000
	s_load_b256 s[16:23], s[2:3], 0x20                          ; f40c0401 f8000020
	v_bfe_u32 v1, v0, 0, 10                                     ; d6100001 02290100
	v_bfe_u32 v0, v0, 10, 10                                    ; d6100000 02291500
	v_lshl_add_u32 v0, v0, 4, v1                                ; d6460000 04050900
	v_lshrrev_b32_e32 v1, 3, v0                                 ; 32020083
	v_lshrrev_b32_e32 v2, 7, v0                                 ; 32040087
	v_and_b32_e32 v0, 7, v0                                     ; 36000087
	v_lshl_add_u32 v0, v2, 3, v0                                ; d6460000 04010702
	v_and_b32_e32 v1, 15, v1                                    ; 3602028f
	v_lshl_add_u32 v2, s0, 4, v0                                ; d6460002 04010800
	v_lshl_add_u32 v3, s4, 4, v1                                ; d6460003 04050804
	s_waitcnt lgkmcnt(0)                                        ; bf89fc07
	image_load v[4:7], v[2:3], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D unorm ; f0000f84 00020402
	v_lshlrev_b32_e32 v8, 8, v1                                 ; 30100288
	v_lshlrev_b32_e32 v9, 4, v0                                 ; 30120084
	v_add_nc_u32_e32 v10, v8, v9                                ; 4a141308
	v_xor_b32_e32 v0, 1, v0                                     ; 3a000081
	v_lshl_add_u32 v0, v0, 4, v8                                ; d6460000 04210900
	v_xor_b32_e32 v1, 1, v1                                     ; 3a020281
	v_lshl_add_u32 v1, v1, 8, v9                                ; d6460001 04251101
	s_mov_b32 s0, 0x3eaaaaab                                    ; be8000ff 3eaaaaab
	s_waitcnt vmcnt(0)                                          ; bf8903f7
	ds_store_b128 v10, v[4:7]                                   ; db7c0000 0000040a
	s_waitcnt lgkmcnt(0)                                        ; bf89fc07
	s_barrier                                                   ; bfbd0000
	ds_load_b128 v[4:7], v10                                    ; dbfc0000 0400000a
	ds_load_b128 v[8:11], v0                                    ; dbfc0000 08000000
	s_waitcnt lgkmcnt(0)                                        ; bf89fc07
	v_add_f32_e32 v0, v4, v8                                    ; 06001104
	v_add_f32_e32 v4, v5, v9                                    ; 06081305
	v_add_f32_e32 v5, v6, v10                                   ; 060a1506
	v_add_f32_e32 v6, v7, v11                                   ; 060c1707
	ds_load_b128 v[8:11], v1                                    ; dbfc0000 08000001
	s_waitcnt lgkmcnt(0)                                        ; bf89fc07
	v_add_f32_e32 v0, v0, v8                                    ; 06001100
	v_add_f32_e32 v1, v4, v9                                    ; 06021304
	v_add_f32_e32 v4, v5, v10                                   ; 06081505
	v_add_f32_e32 v5, v6, v11                                   ; 060a1706
	v_mul_f32_e32 v8, s0, v0                                    ; 10100000
	v_mul_f32_e32 v9, s0, v1                                    ; 10120200
	v_mul_f32_e32 v10, s0, v4                                   ; 10140800
	v_mul_f32_e32 v11, s0, v5                                   ; 10160a00
	image_store v[8:11], v[2:3], s[16:23] dmask:0xf dim:SQ_RSRC_IMG_2D unorm ; f0180f84 00040802
	s_endpgm                                                    ; bfb00000
