BB0:
	s_mov_b32 s0, s3                                            ; be800003
	s_movk_i32 s3, 0x8000                                       ; b0038000
	s_load_b128 s[8:11], s[2:3], null                           ; f4080201 f8000000
	v_bfe_u32 v1, v0, 0, 10                                     ; d6100001 02290100
	v_bfe_u32 v0, v0, 10, 10                                    ; d6100000 02291500
	v_lshl_add_u32 v0, v0, 5, v1                                ; d6460000 04050b00
	v_lshrrev_b32_e32 v1, 3, v0                                 ; 32020083
	v_lshrrev_b32_e32 v2, 8, v0                                 ; 32040088
	v_and_b32_e32 v0, 7, v0                                     ; 36000087
	v_lshl_add_u32 v0, v2, 3, v0                                ; d6460000 04010702
	v_and_b32_e32 v1, 31, v1                                    ; 3602029f
	v_lshl_add_u32 v0, v1, 5, v0                                ; d6460000 04010b01
	s_mul_i32 s7, s7, s0                                        ; 96070007
	s_add_u32 s0, s7, s6                                        ; 80000607
	v_lshl_add_u32 v0, s0, 10, v0                               ; d6460000 04011400
	v_lshlrev_b32_e32 v0, 4, v0                                 ; 30000084
	s_waitcnt lgkmcnt(0)                                        ; bf89fc07
	buffer_load_b128 v[4:7], v0, s[8:11], 0 offen               ; e05c0000 80420400
	s_waitcnt vmcnt(0)                                          ; bf8903f7
	v_add_f32_e32 v5, 0xbe276c8b, v5                            ; 060a0aff be276c8b
	buffer_store_b128 v[4:7], v0, s[8:11], 0 offen              ; e0740000 80420400
	s_endpgm                                                    ; bfb00000
