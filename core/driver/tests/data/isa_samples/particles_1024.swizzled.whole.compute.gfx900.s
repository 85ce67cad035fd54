BB0:
	s_mov_b32 s8, s3                                            ; be880003
	s_mov_b32 s9, s4                                            ; be890004
	s_load_dword s12, s[8:9], 0x8                               ; c0020304 00000008
	v_lshl_add_u32 v0, v1, 5, v0                                ; d1fd0000 04010b01
	v_lshrrev_b32_e32 v1, 3, v0                                 ; 20020083
	s_load_dwordx2 s[10:11], s[8:9], 0x0                        ; c0060284 00000000
	v_lshrrev_b32_e32 v2, 8, v0                                 ; 20040088
	v_and_b32_e32 v0, 7, v0                                     ; 26000087
	v_lshl_add_u32 v0, v2, 3, v0                                ; d1fd0000 04010702
	v_and_b32_e32 v1, 31, v1                                    ; 2602029f
	s_movk_i32 s3, 0x8000                                       ; b0038000
	s_load_dwordx4 s[0:3], s[2:3], 0x0                          ; c00a0001 00000000
	v_lshl_add_u32 v0, v1, 5, v0                                ; d1fd0000 04010b01
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	s_mul_i32 s4, s6, s10                                       ; 92040a06
	s_add_u32 s4, s4, s5                                        ; 80040504
	v_lshl_add_u32 v0, s4, 10, v0                               ; d1fd0000 04011404
	v_lshlrev_b32_e32 v0, 4, v0                                 ; 24000084
	buffer_load_dwordx4 v[4:7], v0, s[0:3], 0 offen             ; e05c1000 80000400
	s_waitcnt vmcnt(0)                                          ; bf8c3f70
	v_add_f32_e32 v5, 0xbe276c8b, v5                            ; 020a0aff be276c8b
	buffer_store_dwordx4 v[4:7], v0, s[0:3], 0 offen            ; e07c1000 80000400
	s_endpgm                                                    ; bf810000
