BB0:
	v_cmp_lt_i32_e64 vcc, s2, 0                                 ; d481006a 00010002
	v_cndmask_b32_e32 v2, v2, v0, vcc                           ; 02040102
	v_cndmask_b32_e32 v3, v3, v1, vcc                           ; 02060303
	s_mov_b32 m0, s2                                            ; befc0302
	v_interp_p1_f32_e32 v6, v2, attr2.x                         ; c8180802
	v_interp_p2_f32_e32 v6, v3, attr2.x                         ; c8190803
	v_interp_p1_f32_e32 v7, v2, attr2.y                         ; c81c0902
	v_interp_p2_f32_e32 v7, v3, attr2.y                         ; c81d0903
	v_interp_p1_f32_e32 v2, v2, attr2.z                         ; c8080a02
	v_interp_p2_f32_e32 v2, v3, attr2.z                         ; c8090a03
	v_interp_p1_f32_e32 v3, v0, attr0.x                         ; c80c0000
	v_interp_p2_f32_e32 v3, v1, attr0.x                         ; c80d0001
	v_interp_p1_f32_e32 v0, v0, attr0.y                         ; c8000100
	v_interp_p2_f32_e32 v0, v1, attr0.y                         ; c8010101
	v_add_f32_e32 v1, v3, v6                                    ; 06020d03
	v_add_f32_e32 v0, v0, v7                                    ; 06000f00
	v_interp_p1_f32_e32 v3, v4, attr1.x                         ; c80c0404
	v_interp_p2_f32_e32 v3, v5, attr1.x                         ; c80d0405
	v_interp_p1_f32_e32 v4, v4, attr1.y                         ; c8100504
	v_interp_p2_f32_e32 v4, v5, attr1.y                         ; c8110505
	v_add_f32_e32 v2, v3, v2                                    ; 06040503
	v_interp_mov_f32_e32 v3, p0, attr3.x                        ; c80e0c02
	v_interp_mov_f32_e32 v5, p0, attr3.y                        ; c8160d02
	v_interp_mov_f32_e32 v6, p0, attr3.z                        ; c81a0e02
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
	v_cvt_pkrtz_f16_f32_e32 v0, v1, v0                          ; 5e000101
	v_cvt_pkrtz_f16_f32_e32 v1, v2, v3                          ; 5e020702
	exp mrt0 v0, v0, v1, v1 done compr vm                       ; f8001c0f 80800100
	s_endpgm                                                    ; bf810000
