BB0:
	s_wqm_b64 exec, exec                                        ; befe077e
	s_mov_b32 s0, s3                                            ; be800003
	s_movk_i32 s3, 0x8000                                       ; b0038000
	s_load_dwordx8 s[8:15], s[2:3], 0x0                         ; c00e0201 00000000
	s_load_dwordx4 s[4:7], s[2:3], 0x50                         ; c00a0101 00000050
	s_mov_b32 m0, s0                                            ; befc0000
	s_nop 0                                                     ; bf800000
	v_interp_p1_f32_e32 v2, v0, attr1.z                         ; d4080600
	v_interp_p2_f32_e32 v2, v1, attr1.z                         ; d4090601
	v_interp_p1_f32_e32 v3, v0, attr1.w                         ; d40c0700
	v_interp_p2_f32_e32 v3, v1, attr1.w                         ; d40d0701
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	image_sample v[2:4], v2, s[8:15], s[4:7] dmask:0x7          ; f0800700 00220202
	v_interp_p1_f32_e32 v5, v0, attr1.x                         ; d4140400
	v_interp_p2_f32_e32 v5, v1, attr1.x                         ; d4150401
	v_interp_p1_f32_e32 v6, v0, attr1.y                         ; d4180500
	v_interp_p2_f32_e32 v6, v1, attr1.y                         ; d4190501
	v_interp_p1_f32_e32 v7, v0, attr2.x                         ; d41c0800
	v_interp_p2_f32_e32 v7, v1, attr2.x                         ; d41d0801
	v_interp_p1_f32_e32 v8, v0, attr2.y                         ; d4200900
	v_interp_p2_f32_e32 v8, v1, attr2.y                         ; d4210901
	v_interp_p1_f32_e32 v9, v0, attr2.z                         ; d4240a00
	v_interp_p2_f32_e32 v9, v1, attr2.z                         ; d4250a01
	v_mul_f32_e32 v10, v6, v6                                   ; 0a140d06
	v_mac_f32_e32 v10, v5, v5                                   ; 2c140b05
	v_interp_p1_f32_e32 v11, v0, attr0.x                        ; d42c0000
	v_interp_p2_f32_e32 v11, v1, attr0.x                        ; d42d0001
	v_interp_p1_f32_e32 v12, v0, attr0.y                        ; d4300100
	v_interp_p2_f32_e32 v12, v1, attr0.y                        ; d4310101
	v_interp_p1_f32_e32 v13, v0, attr0.z                        ; d4340200
	v_interp_p2_f32_e32 v13, v1, attr0.z                        ; d4350201
	v_interp_p1_f32_e32 v0, v0, attr0.w                         ; d4000300
	v_interp_p2_f32_e32 v0, v1, attr0.w                         ; d4010301
	v_mac_f32_e32 v10, v0, v0                                   ; 2c140100
	v_rsq_f32_e32 v1, v10                                       ; 7e02490a
	v_mul_f32_e32 v0, v0, v1                                    ; 0a000300
	v_mul_f32_e32 v5, v5, v1                                    ; 0a0a0305
	v_mul_f32_e32 v1, v6, v1                                    ; 0a020306
	v_sub_f32_e32 v6, 1.0, v11                                  ; 040c16f2
	v_sub_f32_e32 v12, 2.0, v12                                 ; 041818f4
	v_sub_f32_e32 v10, 0x40400000, v13                          ; 04141aff 40400000
	v_mul_f32_e32 v11, v10, v10                                 ; 0a16150a
	v_mac_f32_e32 v11, v12, v12                                 ; 2c16190c
	v_mac_f32_e32 v11, v6, v6                                   ; 2c160d06
	v_rsq_f32_e32 v11, v11                                      ; 7e16490b
	v_mul_f32_e32 v6, v6, v11                                   ; 0a0c1706
	v_mul_f32_e32 v12, v12, v11                                 ; 0a18170c
	v_mul_f32_e32 v10, v10, v11                                 ; 0a14170a
	v_mul_f32_e32 v1, v1, v10                                   ; 0a021501
	v_mac_f32_e32 v1, v5, v12                                   ; 2c021905
	v_mac_f32_e32 v1, v0, v6                                    ; 2c020d00
	v_max_f32_e32 v0, 0, v1                                     ; 16000280
	v_mul_f32_e32 v0, 0x3f666666, v0                            ; 0a0000ff 3f666666
	v_add_f32_e32 v0, 0x3dcccccd, v0                            ; 020000ff 3dcccccd
	v_interp_mov_f32_e32 v1, p0, attr3.x                        ; d4060c02
	v_and_b32_e32 v1, 1, v1                                     ; 26020281
	v_cvt_f32_u32_e32 v1, v1                                    ; 7e020d01
	s_waitcnt vmcnt(0)                                          ; bf8c3f70
	v_mul_f32_e32 v2, v2, v7                                    ; 0a040f02
	v_mul_f32_e32 v3, v3, v8                                    ; 0a061103
	v_mul_f32_e32 v4, v4, v9                                    ; 0a081304
	v_mul_f32_e32 v2, v2, v0                                    ; 0a040102
	v_mul_f32_e32 v3, v3, v0                                    ; 0a060103
	v_mul_f32_e32 v0, v4, v0                                    ; 0a000104
	v_cvt_pkrtz_f16_f32 v2, v2, v3                              ; d2960002 00020702
	v_cvt_pkrtz_f16_f32 v0, v0, v1                              ; d2960000 00020300
	exp mrt0 v2, v2, v0, v0 done compr vm                       ; c4001c0f 80800002
	s_endpgm                                                    ; bf810000
