BB0:
	s_wqm_b64 exec, exec                                        ; befe0a7e
	s_mov_b32 s0, s3                                            ; be800303
	s_movk_i32 s3, 0x8000                                       ; b0038000
	s_clause 0x1                                                ; bfa10001
	s_load_dwordx8 s[8:15], s[2:3], null                        ; f40c0201 fa000000
	s_load_dwordx4 s[4:7], s[2:3], 0x50                         ; f4080101 fa000050
	s_mov_b32 m0, s0                                            ; befc0300
	v_interp_p1_f32_e32 v2, v0, attr1.z                         ; c8080600
	v_interp_p2_f32_e32 v2, v1, attr1.z                         ; c8090601
	v_interp_p1_f32_e32 v3, v0, attr1.w                         ; c80c0700
	v_interp_p2_f32_e32 v3, v1, attr1.w                         ; c80d0701
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	image_sample v[2:4], v[2:3], s[8:15], s[4:7] dmask:0x7 dim:SQ_RSRC_IMG_2D ; f0800708 00220202
	v_interp_p1_f32_e32 v5, v0, attr1.x                         ; c8140400
	v_interp_p2_f32_e32 v5, v1, attr1.x                         ; c8150401
	v_interp_p1_f32_e32 v6, v0, attr1.y                         ; c8180500
	v_interp_p2_f32_e32 v6, v1, attr1.y                         ; c8190501
	v_interp_p1_f32_e32 v7, v0, attr2.x                         ; c81c0800
	v_interp_p2_f32_e32 v7, v1, attr2.x                         ; c81d0801
	v_interp_p1_f32_e32 v8, v0, attr2.y                         ; c8200900
	v_interp_p2_f32_e32 v8, v1, attr2.y                         ; c8210901
	v_interp_p1_f32_e32 v9, v0, attr2.z                         ; c8240a00
	v_interp_p2_f32_e32 v9, v1, attr2.z                         ; c8250a01
	v_mul_f32_e32 v10, v6, v6                                   ; 10140d06
	v_fmac_f32_e32 v10, v5, v5                                  ; 56140b05
	v_interp_p1_f32_e32 v11, v0, attr0.x                        ; c82c0000
	v_interp_p2_f32_e32 v11, v1, attr0.x                        ; c82d0001
	v_interp_p1_f32_e32 v12, v0, attr0.y                        ; c8300100
	v_interp_p2_f32_e32 v12, v1, attr0.y                        ; c8310101
	v_interp_p1_f32_e32 v13, v0, attr0.z                        ; c8340200
	v_interp_p2_f32_e32 v13, v1, attr0.z                        ; c8350201
	v_interp_p1_f32_e32 v0, v0, attr0.w                         ; c8000300
	v_interp_p2_f32_e32 v0, v1, attr0.w                         ; c8010301
	v_fmac_f32_e32 v10, v0, v0                                  ; 56140100
	v_rsq_f32_e32 v1, v10                                       ; 7e025d0a
	v_mul_f32_e32 v0, v0, v1                                    ; 10000300
	v_mul_f32_e32 v5, v5, v1                                    ; 100a0305
	v_mul_f32_e32 v1, v6, v1                                    ; 10020306
	v_sub_f32_e32 v6, 1.0, v11                                  ; 080c16f2
	v_sub_f32_e32 v12, 2.0, v12                                 ; 081818f4
	v_sub_f32_e32 v10, 0x40400000, v13                          ; 08141aff 40400000
	v_mul_f32_e32 v11, v10, v10                                 ; 1016150a
	v_fmac_f32_e32 v11, v12, v12                                ; 5616190c
	v_fmac_f32_e32 v11, v6, v6                                  ; 56160d06
	v_rsq_f32_e32 v11, v11                                      ; 7e165d0b
	v_mul_f32_e32 v6, v6, v11                                   ; 100c1706
	v_mul_f32_e32 v12, v12, v11                                 ; 1018170c
	v_mul_f32_e32 v10, v10, v11                                 ; 1014170a
	v_mul_f32_e32 v1, v1, v10                                   ; 10021501
	v_fmac_f32_e32 v1, v5, v12                                  ; 56021905
	v_fmac_f32_e32 v1, v0, v6                                   ; 56020d00
	v_max_f32_e32 v0, 0, v1                                     ; 20000280
	s_mov_b32 s0, 0x3f666666                                    ; be8003ff 3f666666
	v_fmaak_f32 v0, s0, v0, 0x3dcccccd                          ; 5a000000 3dcccccd
	v_interp_mov_f32_e32 v1, p0, attr3.x                        ; c8060c02
	v_and_b32_e32 v1, 1, v1                                     ; 36020281
	v_cvt_f32_u32_e32 v1, v1                                    ; 7e020d01
	s_waitcnt vmcnt(0)                                          ; bf8c3f70
	v_mul_f32_e32 v2, v2, v7                                    ; 10040f02
	v_mul_f32_e32 v3, v3, v8                                    ; 10061103
	v_mul_f32_e32 v4, v4, v9                                    ; 10081304
	v_mul_f32_e32 v2, v2, v0                                    ; 10040102
	v_mul_f32_e32 v3, v3, v0                                    ; 10060103
	v_mul_f32_e32 v0, v4, v0                                    ; 10000104
	v_cvt_pkrtz_f16_f32_e32 v2, v2, v3                          ; 5e040702
	v_cvt_pkrtz_f16_f32_e32 v0, v0, v1                          ; 5e000300
	exp mrt0 v2, v2, v0, v0 done compr vm                       ; f8001c0f 80800002
	s_endpgm                                                    ; bf810000
