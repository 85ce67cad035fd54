BB0:
	v_cmp_lt_i32_e64 vcc, s2, 0                                 ; d0c1006a 00010002
	v_cndmask_b32_e32 v2, v2, v0, vcc                           ; 00040102
	v_cndmask_b32_e32 v3, v3, v1, vcc                           ; 00060303
	s_mov_b32 m0, s2                                            ; befc0002
	s_nop 0                                                     ; bf800000
	v_interp_p1_f32_e32 v6, v2, attr2.x                         ; d4180802
	v_interp_p2_f32_e32 v6, v3, attr2.x                         ; d4190803
	v_interp_p1_f32_e32 v7, v2, attr2.y                         ; d41c0902
	v_interp_p2_f32_e32 v7, v3, attr2.y                         ; d41d0903
	v_interp_p1_f32_e32 v2, v2, attr2.z                         ; d4080a02
	v_interp_p2_f32_e32 v2, v3, attr2.z                         ; d4090a03
	v_interp_p1_f32_e32 v3, v0, attr0.x                         ; d40c0000
	v_interp_p2_f32_e32 v3, v1, attr0.x                         ; d40d0001
	v_interp_p1_f32_e32 v0, v0, attr0.y                         ; d4000100
	v_interp_p2_f32_e32 v0, v1, attr0.y                         ; d4010101
	v_add_f32_e32 v1, v3, v6                                    ; 02020d03
	v_add_f32_e32 v0, v0, v7                                    ; 02000f00
	v_interp_p1_f32_e32 v3, v4, attr1.x                         ; d40c0404
	v_interp_p2_f32_e32 v3, v5, attr1.x                         ; d40d0405
	v_interp_p1_f32_e32 v4, v4, attr1.y                         ; d4100504
	v_interp_p2_f32_e32 v4, v5, attr1.y                         ; d4110505
	v_add_f32_e32 v2, v3, v2                                    ; 02040503
	v_interp_mov_f32_e32 v3, p0, attr3.x                        ; d40e0c02
	v_interp_mov_f32_e32 v5, p0, attr3.y                        ; d4160d02
	v_interp_mov_f32_e32 v6, p0, attr3.z                        ; d41a0e02
	v_cvt_f32_u32_e32 v3, v3                                    ; 7e060d03
	v_add_f32_e32 v1, v1, v3                                    ; 02020701
	v_add_f32_e32 v0, v0, v3                                    ; 02000700
	v_add_f32_e32 v2, v2, v3                                    ; 02040702
	v_add_f32_e32 v3, v4, v3                                    ; 02060704
	v_cvt_f32_i32_e32 v4, v5                                    ; 7e080b05
	v_cvt_f32_i32_e32 v5, v6                                    ; 7e0a0b06
	v_add_f32_e32 v1, v1, v4                                    ; 02020901
	v_add_f32_e32 v0, v0, v5                                    ; 02000b00
	v_add_f32_e32 v2, v2, v4                                    ; 02040902
	v_add_f32_e32 v3, v3, v5                                    ; 02060b03
	v_cvt_pkrtz_f16_f32 v0, v1, v0                              ; d2960000 00020101
	v_cvt_pkrtz_f16_f32 v1, v2, v3                              ; d2960001 00020702
	exp mrt0 v0, v0, v1, v1 done compr vm                       ; c4001c0f 80800100
	s_endpgm                                                    ; bf810000
