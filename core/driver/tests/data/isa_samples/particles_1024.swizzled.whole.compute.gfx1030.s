BB0:
	s_mov_b32 s0, s3                                            ; be800303
	s_movk_i32 s3, 0x8000                                       ; b0038000
	s_load_dwordx4 s[8:11], s[2:3], null                        ; f4080201 fa000000
	v_lshl_add_u32 v0, v1, 5, v0                                ; d7460000 04010b01
	v_lshrrev_b32_e32 v1, 3, v0                                 ; 2c020083
	v_lshrrev_b32_e32 v2, 8, v0                                 ; 2c040088
	v_and_b32_e32 v0, 7, v0                                     ; 36000087
	v_lshl_add_u32 v0, v2, 3, v0                                ; d7460000 04010702
	v_and_b32_e32 v1, 31, v1                                    ; 3602029f
	v_lshl_add_u32 v0, v1, 5, v0                                ; d7460000 04010b01
	s_mul_i32 s7, s7, s0                                        ; 93070007
	s_add_u32 s0, s7, s6                                        ; 80000607
	v_lshl_add_u32 v0, s0, 10, v0                               ; d7460000 04011400
	v_lshlrev_b32_e32 v0, 4, v0                                 ; 34000084
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	buffer_load_dwordx4 v[4:7], v0, s[8:11], 0 offen            ; e0381000 80020400
	s_waitcnt vmcnt(0)                                          ; bf8c3f70
	v_add_f32_e32 v5, 0xbe276c8b, v5                            ; 060a0aff be276c8b
	buffer_store_dwordx4 v[4:7], v0, s[8:11], 0 offen           ; e0781000 80020400
	s_endpgm                                                    ; bf810000
