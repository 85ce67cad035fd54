BB0:
	s_mov_b32 s0, s3                                            ; be800003
	s_movk_i32 s3, 0x8000                                       ; b0038000
	s_load_dwordx8 s[8:15], s[2:3], 0x0                         ; c00e0201 00000000
	s_load_dwordx8 s[16:23], s[2:3], 0x20                       ; c00e0401 00000020
	v_lshl_add_u32 v0, v1, 4, v0                                ; d1fd0000 04010901
	v_lshrrev_b32_e32 v1, 3, v0                                 ; 20020083
	v_lshrrev_b32_e32 v2, 7, v0                                 ; 20040087
	v_and_b32_e32 v0, 7, v0                                     ; 26000087
	v_lshl_add_u32 v0, v2, 3, v0                                ; d1fd0000 04010702
	v_and_b32_e32 v1, 15, v1                                    ; 2602028f
	v_lshl_add_u32 v2, s0, 4, v0                                ; d1fd0002 04010800
	v_lshl_add_u32 v3, s4, 4, v1                                ; d1fd0003 04050804
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	image_load v[4:7], v2, s[8:15] dmask:0xf unorm              ; f0001f00 00020402
	v_lshlrev_b32_e32 v8, 8, v1                                 ; 24100288
	v_lshlrev_b32_e32 v9, 4, v0                                 ; 24120084
	v_add_u32_e32 v10, v8, v9                                   ; 68141308
	v_xor_b32_e32 v0, 1, v0                                     ; 2a000081
	v_lshl_add_u32 v0, v0, 4, v8                                ; d1fd0000 04210900
	v_xor_b32_e32 v1, 1, v1                                     ; 2a020281
	v_lshl_add_u32 v1, v1, 8, v9                                ; d1fd0001 04251101
	s_mov_b32 s0, 0x3eaaaaab                                    ; be8000ff 3eaaaaab
	s_waitcnt vmcnt(0)                                          ; bf8c3f70
	ds_write_b128 v10, v[4:7]                                   ; d9be0000 0000040a
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	s_barrier                                                   ; bf8a0000
	ds_read_b128 v[4:7], v10                                    ; d9fe0000 0400000a
	ds_read_b128 v[8:11], v0                                    ; d9fe0000 08000000
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	v_add_f32_e32 v0, v4, v8                                    ; 02001104
	v_add_f32_e32 v4, v5, v9                                    ; 02081305
	v_add_f32_e32 v5, v6, v10                                   ; 020a1506
	v_add_f32_e32 v6, v7, v11                                   ; 020c1707
	ds_read_b128 v[8:11], v1                                    ; d9fe0000 08000001
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	v_add_f32_e32 v0, v0, v8                                    ; 02001100
	v_add_f32_e32 v1, v4, v9                                    ; 02021304
	v_add_f32_e32 v4, v5, v10                                   ; 02081505
	v_add_f32_e32 v5, v6, v11                                   ; 020a1706
	v_mul_f32_e32 v8, s0, v0                                    ; 0a100000
	v_mul_f32_e32 v9, s0, v1                                    ; 0a120200
	v_mul_f32_e32 v10, s0, v4                                   ; 0a140800
	v_mul_f32_e32 v11, s0, v5                                   ; 0a160a00
	image_store v[8:11], v2, s[16:23] dmask:0xf unorm glc       ; f0203f00 00040802
	s_endpgm                                                    ; bf810000
