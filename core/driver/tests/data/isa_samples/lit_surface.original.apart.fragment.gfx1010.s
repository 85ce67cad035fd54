BB0:
	s_wqm_b64 exec, exec                                        ; befe0a7e
	s_mov_b32 s0, s3                                            ; be800303
	s_movk_i32 s3, 0x8000                                       ; b0038000
	s_clause 0x1                                                ; bfa10001
	s_load_dwordx8 s[8:15], s[2:3], null                        ; f40c0201 fa000000
	s_load_dwordx4 s[4:7], s[2:3], 0x50                         ; f4080101 fa000050
	s_mov_b32 m0, s0                                            ; befc0300
	v_interp_p1_f32_e32 v2, v0, attr2.x                         ; c8080800
	v_interp_p2_f32_e32 v2, v1, attr2.x                         ; c8090801
	v_interp_p1_f32_e32 v3, v0, attr2.y                         ; c80c0900
	v_interp_p2_f32_e32 v3, v1, attr2.y                         ; c80d0901
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	image_sample v[2:4], v[2:3], s[8:15], s[4:7] dmask:0x7 dim:SQ_RSRC_IMG_2D ; f0800708 00220202
	v_interp_p1_f32_e32 v5, v0, attr3.x                         ; c8140c00
	v_interp_p2_f32_e32 v5, v1, attr3.x                         ; c8150c01
	v_interp_p1_f32_e32 v6, v0, attr3.y                         ; c8180d00
	v_interp_p2_f32_e32 v6, v1, attr3.y                         ; c8190d01
	v_interp_p1_f32_e32 v7, v0, attr3.z                         ; c81c0e00
	v_interp_p2_f32_e32 v7, v1, attr3.z                         ; c81d0e01
	v_interp_p1_f32_e32 v8, v0, attr1.x                         ; c8200400
	v_interp_p2_f32_e32 v8, v1, attr1.x                         ; c8210401
	v_interp_p1_f32_e32 v9, v0, attr1.y                         ; c8240500
	v_interp_p2_f32_e32 v9, v1, attr1.y                         ; c8250501
	v_interp_p1_f32_e32 v10, v0, attr1.z                        ; c8280600
	v_interp_p2_f32_e32 v10, v1, attr1.z                        ; c8290601
	v_mul_f32_e32 v11, v10, v10                                 ; 1016150a
	v_mac_f32_e32 v11, v9, v9                                   ; 3e161309
	v_mac_f32_e32 v11, v8, v8                                   ; 3e161108
	v_rsq_f32_e32 v11, v11                                      ; 7e165d0b
	v_mul_f32_e32 v8, v8, v11                                   ; 10101708
	v_mul_f32_e32 v9, v9, v11                                   ; 10121709
	v_mul_f32_e32 v10, v10, v11                                 ; 1014170a
	v_interp_p1_f32_e32 v11, v0, attr0.x                        ; c82c0000
	v_interp_p2_f32_e32 v11, v1, attr0.x                        ; c82d0001
	v_interp_p1_f32_e32 v12, v0, attr0.y                        ; c8300100
	v_interp_p2_f32_e32 v12, v1, attr0.y                        ; c8310101
	v_interp_p1_f32_e32 v0, v0, attr0.z                         ; c8000200
	v_interp_p2_f32_e32 v0, v1, attr0.z                         ; c8010201
	v_sub_f32_e32 v1, 1.0, v11                                  ; 080216f2
	v_sub_f32_e32 v11, 2.0, v12                                 ; 081618f4
	v_sub_f32_e32 v0, 0x40400000, v0                            ; 080000ff 40400000
	v_mul_f32_e32 v12, v0, v0                                   ; 10180100
	v_mac_f32_e32 v12, v11, v11                                 ; 3e18170b
	v_mac_f32_e32 v12, v1, v1                                   ; 3e180301
	v_rsq_f32_e32 v12, v12                                      ; 7e185d0c
	v_mul_f32_e32 v1, v1, v12                                   ; 10021901
	v_mul_f32_e32 v11, v11, v12                                 ; 1016190b
	v_mul_f32_e32 v0, v0, v12                                   ; 10001900
	v_mul_f32_e32 v0, v10, v0                                   ; 1000010a
	v_mac_f32_e32 v0, v9, v11                                   ; 3e001709
	v_mac_f32_e32 v0, v8, v1                                    ; 3e000308
	v_max_f32_e32 v0, 0, v0                                     ; 20000080
	s_mov_b32 s0, 0x3f666666                                    ; be8003ff 3f666666
	v_madak_f32 v0, s0, v0, 0x3dcccccd                          ; 42000000 3dcccccd
	v_interp_mov_f32_e32 v1, p0, attr4.x                        ; c8061002
	v_and_b32_e32 v1, 1, v1                                     ; 36020281
	v_cvt_f32_u32_e32 v1, v1                                    ; 7e020d01
	s_waitcnt vmcnt(0)                                          ; bf8c3f70
	v_mul_f32_e32 v2, v2, v5                                    ; 10040b02
	v_mul_f32_e32 v3, v3, v6                                    ; 10060d03
	v_mul_f32_e32 v4, v4, v7                                    ; 10080f04
	v_mul_f32_e32 v2, v2, v0                                    ; 10040102
	v_mul_f32_e32 v3, v3, v0                                    ; 10060103
	v_mul_f32_e32 v0, v4, v0                                    ; 10000104
	v_cvt_pkrtz_f16_f32_e32 v2, v2, v3                          ; 5e040702
	v_cvt_pkrtz_f16_f32_e32 v0, v0, v1                          ; 5e000300
	exp mrt0 v2, v2, v0, v0 done compr vm                       ; f8001c0f 80800002
	s_endpgm                                                    ; bf810000
