BB0:
	s_mov_b32 m0, s2                                            ; befc0302
	v_interp_p1ll_f16 v2, v0, attr2.x                           ; d7420002 00020002
	v_interp_p2_f16 v2, v1, attr2.x, v2                         ; d75a0002 040a0202
	v_interp_p1ll_f16 v3, v0, attr2.y                           ; d7420003 00020042
	v_interp_p2_f16 v3, v1, attr2.y, v3                         ; d75a0003 040e0242
	v_interp_p1ll_f16 v4, v0, attr2.z                           ; d7420004 00020082
	v_interp_p2_f16 v4, v1, attr2.z, v4                         ; d75a0004 04120282
	v_interp_p1ll_f16 v5, v0, attr2.w                           ; d7420005 000200c2
	v_interp_p2_f16 v5, v1, attr2.w, v5                         ; d75a0005 041602c2
	v_mov_b32_sdwa v2, v3 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0 ; 7e0402f9 00041503
	v_pack_b32_f16 v3, v4, v5                                   ; d7110003 00020b04
	v_mov_b32_e32 v5, v2                                        ; 7e0a0302
	v_add_f16_sdwa v4, 1.0, 0 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0 src1_sel:DWORD ; 640900f9 868415f2
	v_interp_p1ll_f16 v2, v0, attr1.x                           ; d7420002 00020001
	v_interp_p2_f16 v6, v1, attr1.x, v2                         ; d75a0006 040a0201
	v_interp_p1ll_f16 v2, v0, attr1.y                           ; d7420002 00020041
	v_interp_p2_f16 v2, v1, attr1.y, v2                         ; d75a0002 040a0241
	v_interp_p1ll_f16 v7, v0, attr1.z                           ; d7420007 00020081
	v_interp_p2_f16 v7, v1, attr1.z, v7                         ; d75a0007 041e0281
	v_interp_p1ll_f16 v8, v0, attr1.w                           ; d7420008 000200c1
	v_interp_p2_f16 v8, v1, attr1.w, v8                         ; d75a0008 042202c1
	v_mov_b32_sdwa v6, v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0 ; 7e0c02f9 00041502
	v_mov_b32_sdwa v7, v8 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0 ; 7e0e02f9 00041508
	v_mov_b32_e32 v2, v6                                        ; 7e040306
	v_pk_fma_f16 v2, v5, v3, v2 op_sel:[0,1,0]                  ; cc0e5002 1c0a0705
	v_pk_fma_f16 v3, v4, v3, v7 op_sel:[0,1,0]                  ; cc0e5003 1c1e0704
	v_interp_p1ll_f16 v4, v0, attr3.x                           ; d7420004 00020003
	v_interp_p2_f16 v4, v1, attr3.x, v4                         ; d75a0004 04120203
	v_pk_add_f16 v2, v2, v4 op_sel_hi:[1,0]                     ; cc0f0002 08020902
	v_pk_add_f16 v3, v3, v4 op_sel_hi:[1,0]                     ; cc0f0003 08020903
	v_interp_mov_f32_e32 v4, p0, attr4.x                        ; c8121002
	v_interp_mov_f32_e32 v5, p0, attr4.y                        ; c8161102
	v_fma_mix_f32 v4, 1.0, v2, v4 op_sel_hi:[0,1,1]             ; cc204004 141204f2
	v_fma_mix_f32 v2, 1.0, v2, v5 op_sel:[0,1,0] op_sel_hi:[0,1,1] ; cc205002 141604f2
	v_interp_p1_f32_e32 v5, v0, attr0.x                         ; c8140000
	v_interp_p2_f32_e32 v5, v1, attr0.x                         ; c8150001
	v_interp_p1_f32_e32 v0, v0, attr0.y                         ; c8000100
	v_interp_p2_f32_e32 v0, v1, attr0.y                         ; c8010101
	v_fma_mix_f32 v1, 1.0, v3, v5 op_sel_hi:[0,1,0]             ; cc200001 141606f2
	v_fma_mix_f32 v0, 1.0, v3, v0 op_sel:[0,1,0] op_sel_hi:[0,1,0] ; cc201000 140206f2
	v_cvt_pkrtz_f16_f32_e32 v2, v4, v2                          ; 5e040504
	v_cvt_pkrtz_f16_f32_e32 v0, v1, v0                          ; 5e000101
	exp mrt0 v2, v2, v0, v0 done compr vm                       ; f8001c0f 80800002
	s_endpgm                                                    ; bf810000
