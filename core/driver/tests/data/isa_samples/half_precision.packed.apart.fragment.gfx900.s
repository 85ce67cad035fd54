BB0:
	s_mov_b32 m0, s2                                            ; befc0002
	s_nop 0                                                     ; bf800000
	v_interp_p1ll_f16 v2, v0, attr2.x                           ; d2740002 00020002
	v_interp_p2_f16 v2, v1, attr2.x, v2                         ; d2770002 040a0202
	v_interp_p1ll_f16 v3, v0, attr2.y                           ; d2740003 00020042
	v_interp_p2_f16 v3, v1, attr2.y, v3                         ; d2770003 040e0242
	v_interp_p1ll_f16 v4, v0, attr2.z                           ; d2740004 00020082
	v_interp_p2_f16 v4, v1, attr2.z, v4                         ; d2770004 04120282
	v_interp_p1ll_f16 v5, v0, attr2.w                           ; d2740005 000200c2
	v_interp_p2_f16 v5, v1, attr2.w, v5                         ; d2770005 041602c2
	v_mov_b32_sdwa v2, v3 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0 ; 7e0402f9 00041503
	v_pack_b32_f16 v3, v4, v5                                   ; d2a00003 00020b04
	v_mov_b32_e32 v5, v2                                        ; 7e0a0302
	v_add_f16_sdwa v4, 1.0, 0 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0 src1_sel:DWORD ; 3e0900f9 868415f2
	v_interp_p1ll_f16 v2, v0, attr1.x                           ; d2740002 00020001
	v_interp_p2_f16 v6, v1, attr1.x, v2                         ; d2770006 040a0201
	v_interp_p1ll_f16 v2, v0, attr1.y                           ; d2740002 00020041
	v_interp_p2_f16 v2, v1, attr1.y, v2                         ; d2770002 040a0241
	v_interp_p1ll_f16 v7, v0, attr1.z                           ; d2740007 00020081
	v_interp_p2_f16 v7, v1, attr1.z, v7                         ; d2770007 041e0281
	v_interp_p1ll_f16 v8, v0, attr1.w                           ; d2740008 000200c1
	v_interp_p2_f16 v8, v1, attr1.w, v8                         ; d2770008 042202c1
	v_mov_b32_sdwa v6, v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0 ; 7e0c02f9 00041502
	v_mov_b32_sdwa v7, v8 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0 ; 7e0e02f9 00041508
	v_mov_b32_e32 v2, v6                                        ; 7e040306
	v_pk_fma_f16 v2, v5, v3, v2 op_sel:[0,1,0]                  ; d38e5002 1c0a0705
	v_pk_fma_f16 v3, v4, v3, v7 op_sel:[0,1,0]                  ; d38e5003 1c1e0704
	v_interp_p1ll_f16 v4, v0, attr3.x                           ; d2740004 00020003
	v_interp_p2_f16 v4, v1, attr3.x, v4                         ; d2770004 04120203
	v_pk_add_f16 v2, v2, v4 op_sel_hi:[1,0]                     ; d38f0002 08020902
	v_pk_add_f16 v3, v3, v4 op_sel_hi:[1,0]                     ; d38f0003 08020903
	v_cvt_f32_f16_e32 v4, v2                                    ; 7e081702
	v_cvt_f32_f16_sdwa v2, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 ; 7e0416f9 00050602
	v_cvt_f32_f16_e32 v5, v3                                    ; 7e0a1703
	v_cvt_f32_f16_sdwa v3, v3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 ; 7e0616f9 00050603
	v_interp_mov_f32_e32 v6, p0, attr4.x                        ; d41a1002
	v_interp_mov_f32_e32 v7, p0, attr4.y                        ; d41e1102
	v_cvt_f32_f16_e32 v6, v6                                    ; 7e0c1706
	v_cvt_f32_f16_e32 v7, v7                                    ; 7e0e1707
	v_add_f32_e32 v4, v4, v6                                    ; 02080d04
	v_add_f32_e32 v2, v2, v7                                    ; 02040f02
	v_interp_p1_f32_e32 v6, v0, attr0.x                         ; d4180000
	v_interp_p2_f32_e32 v6, v1, attr0.x                         ; d4190001
	v_interp_p1_f32_e32 v0, v0, attr0.y                         ; d4000100
	v_interp_p2_f32_e32 v0, v1, attr0.y                         ; d4010101
	v_add_f32_e32 v1, v5, v6                                    ; 02020d05
	v_add_f32_e32 v0, v3, v0                                    ; 02000103
	v_cvt_pkrtz_f16_f32 v2, v4, v2                              ; d2960002 00020504
	v_cvt_pkrtz_f16_f32 v0, v1, v0                              ; d2960000 00020101
	exp mrt0 v2, v2, v0, v0 done compr vm                       ; c4001c0f 80800002
	s_endpgm                                                    ; bf810000
