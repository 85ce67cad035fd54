BB0:
	s_mov_b32 s0, s3                                            ; be800303
	s_movk_i32 s3, 0x8000                                       ; b0038000
	s_clause 0x1                                                ; bfa10001
	s_load_dwordx8 s[8:15], s[2:3], null                        ; f40c0201 fa000000
	s_load_dwordx8 s[16:23], s[2:3], 0x20                       ; f40c0401 fa000020
	v_lshl_add_u32 v0, v1, 4, v0                                ; d7460000 04010901
	v_lshrrev_b32_e32 v1, 3, v0                                 ; 2c020083
	v_lshrrev_b32_e32 v2, 7, v0                                 ; 2c040087
	v_and_b32_e32 v0, 7, v0                                     ; 36000087
	v_lshl_add_u32 v0, v2, 3, v0                                ; d7460000 04010702
	v_and_b32_e32 v1, 15, v1                                    ; 3602028f
	v_lshl_add_u32 v2, s0, 4, v0                                ; d7460002 04010800
	v_lshl_add_u32 v3, s4, 4, v1                                ; d7460003 04050804
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	image_load v[4:7], v[2:3], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D unorm ; f0001f08 00020402
	v_lshlrev_b32_e32 v8, 8, v1                                 ; 34100288
	v_lshlrev_b32_e32 v9, 4, v0                                 ; 34120084
	v_add_nc_u32_e32 v10, v8, v9                                ; 4a141308
	v_xor_b32_e32 v0, 1, v0                                     ; 3a000081
	v_lshl_add_u32 v0, v0, 4, v8                                ; d7460000 04210900
	v_xor_b32_e32 v1, 1, v1                                     ; 3a020281
	v_lshl_add_u32 v1, v1, 8, v9                                ; d7460001 04251101
	s_mov_b32 s0, 0x3eaaaaab                                    ; be8003ff 3eaaaaab
	s_waitcnt vmcnt(0)                                          ; bf8c3f70
	ds_write_b128 v10, v[4:7]                                   ; db7c0000 0000040a
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	s_barrier                                                   ; bf8a0000
	ds_read_b128 v[4:7], v10                                    ; dbfc0000 0400000a
	ds_read_b128 v[8:11], v0                                    ; dbfc0000 08000000
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	v_add_f32_e32 v0, v4, v8                                    ; 06001104
	v_add_f32_e32 v4, v5, v9                                    ; 06081305
	v_add_f32_e32 v5, v6, v10                                   ; 060a1506
	v_add_f32_e32 v6, v7, v11                                   ; 060c1707
	ds_read_b128 v[8:11], v1                                    ; dbfc0000 08000001
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	v_add_f32_e32 v0, v0, v8                                    ; 06001100
	v_add_f32_e32 v1, v4, v9                                    ; 06021304
	v_add_f32_e32 v4, v5, v10                                   ; 06081505
	v_add_f32_e32 v5, v6, v11                                   ; 060a1706
	v_mul_f32_e32 v8, s0, v0                                    ; 10100000
	v_mul_f32_e32 v9, s0, v1                                    ; 10120200
	v_mul_f32_e32 v10, s0, v4                                   ; 10140800
	v_mul_f32_e32 v11, s0, v5                                   ; 10160a00
	image_store v[8:11], v[2:3], s[16:23] dmask:0xf dim:SQ_RSRC_IMG_2D unorm glc ; f0203f08 00040802
	s_endpgm                                                    ; bf810000
