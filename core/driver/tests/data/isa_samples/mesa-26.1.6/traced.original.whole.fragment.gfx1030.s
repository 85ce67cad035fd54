BB0:
	s_mov_b32 s4, s3                                            ; be840303
	s_movk_i32 s3, 0x8000                                       ; b0038000
	s_clause 0x1                                                ; bfa10001
	s_load_dwordx8 s[8:15], s[2:3], null                        ; f40c0201 fa000000
	s_load_dwordx4 s[16:19], s[2:3], 0x50                       ; f4080401 fa000050
	s_mov_b64 s[0:1], exec                                      ; be80047e
	s_wqm_b64 exec, exec                                        ; befe0a7e
	s_mov_b32 m0, s4                                            ; befc0304
	s_mov_b64 s[2:3], exec                                      ; be82047e
	v_interp_p1_f32_e32 v7, v0, attr1.y                         ; c81c0500
	v_interp_p1_f32_e32 v6, v0, attr1.x                         ; c8180400
	v_interp_p2_f32_e32 v7, v1, attr1.y                         ; c81d0501
	v_interp_p2_f32_e32 v6, v1, attr1.x                         ; c8190401
	s_mov_b64 exec, s[0:1]                                      ; befe0400
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	image_sample v[8:11], v[6:7], s[8:15], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_2D ; f0800f08 00820806
	s_mov_b64 exec, s[2:3]                                      ; befe0402
	v_interp_p1_f32_e32 v2, v0, attr0.y                         ; c8080100
	v_interp_p1_f32_e32 v3, v0, attr0.z                         ; c80c0200
	v_interp_p1_f32_e32 v4, v0, attr0.x                         ; c8100000
	v_interp_p2_f32_e32 v2, v1, attr0.y                         ; c8090101
	v_interp_p2_f32_e32 v3, v1, attr0.z                         ; c80d0201
	v_interp_p2_f32_e32 v4, v1, attr0.x                         ; c8110001
	v_mul_f32_e32 v5, v3, v3                                    ; 100a0703
	v_fmac_f32_e32 v3, 0.5, v4                                  ; 560608f0
	v_fmac_f32_e32 v5, v2, v2                                   ; 560a0502
	v_fmamk_f32 v2, v2, 0x3e800000, v3                          ; 58040702 3e800000
	v_fmac_f32_e32 v5, v4, v4                                   ; 560a0904
	v_rsq_f32_e32 v5, v5                                        ; 7e0a5d05
	v_mul_f32_e32 v5, v5, v2                                    ; 100a0505
	s_waitcnt vmcnt(0)                                          ; bf8c3f70
	v_fma_mixlo_f16 v7, v10, v5, neg(0) op_sel_hi:[0,0,1]       ; cc214007 82020b0a
	v_fma_mixhi_f16 v7, v11, v5, neg(0) op_sel_hi:[0,0,1]       ; cc224007 82020b0b
	v_fma_mixlo_f16 v6, v8, v5, neg(0) op_sel_hi:[0,0,1]        ; cc214006 82020b08
	v_fma_mixhi_f16 v6, v9, v5, neg(0) op_sel_hi:[0,0,1]        ; cc224006 82020b09
	s_mov_b64 exec, s[0:1]                                      ; befe0400
	exp mrt0 v6, v6, v7, v7 done compr vm                       ; f8001c0f 80800706
	s_endpgm                                                    ; bf810000
