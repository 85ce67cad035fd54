BB0:
	s_mov_b32 m0, s2
	s_nop 0
	v_interp_p1ll_f16 v2, v0, attr3.x
	v_interp_p2_f16 v2, v1, attr3.x, v2
	v_interp_p1ll_f16 v3, v0, attr1.x
	v_interp_p2_f16 v3, v1, attr1.x, v3
	v_interp_p1ll_f16 v4, v0, attr1.y
	v_interp_p2_f16 v4, v1, attr1.y, v4
	v_mov_b32_sdwa v3, v4 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0
	v_interp_p1ll_f16 v4, v0, attr1.z
	v_interp_p2_f16 v4, v1, attr1.z, v4
	v_add_f16_sdwa v4, 1.0, 0 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0 src1_sel:DWORD
	v_interp_p1ll_f16 v5, v0, attr0.w
	v_interp_p2_f16 v5, v1, attr0.w, v5
	v_interp_p1ll_f16 v6, v0, attr0.x
	v_interp_p2_f16 v6, v1, attr0.x, v6
	v_interp_p1ll_f16 v7, v0, attr0.y
	v_interp_p2_f16 v7, v1, attr0.y, v7
	v_interp_p1ll_f16 v8, v0, attr0.z
	v_interp_p2_f16 v8, v1, attr0.z, v8
	v_mov_b32_sdwa v6, v7 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0
	v_pk_fma_f16 v3, v3, v2, v6 op_sel_hi:[1,0,1]
	v_mov_b32_sdwa v8, v5 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0
	v_pk_fma_f16 v2, v4, v2, v8 op_sel_hi:[1,0,1]
	v_interp_p1ll_f16 v4, v0, attr3.w
	v_interp_p2_f16 v4, v1, attr3.w, v4
	v_pk_add_f16 v3, v3, v4 op_sel_hi:[1,0]
	v_pk_add_f16 v2, v2, v4 op_sel_hi:[1,0]
	v_cvt_f32_f16_e32 v4, v3
	v_cvt_f32_f16_sdwa v3, v3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
	v_cvt_f32_f16_e32 v5, v2
	v_cvt_f32_f16_sdwa v2, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
	v_interp_mov_f32_e32 v6, p0, attr2.x
	v_cvt_f32_f16_e32 v6, v6
	v_interp_mov_f32_e32 v7, p0, attr2.y
	v_cvt_f32_f16_e32 v7, v7
	v_add_f32_e32 v4, v4, v6
	v_add_f32_e32 v3, v3, v7
	v_interp_p1_f32_e32 v6, v0, attr4.x
	v_interp_p2_f32_e32 v6, v1, attr4.x
	v_add_f32_e32 v5, v5, v6
	v_interp_p1_f32_e32 v0, v0, attr4.y
	v_interp_p2_f32_e32 v0, v1, attr4.y
	v_add_f32_e32 v2, v2, v0
	v_cvt_pkrtz_f16_f32 v0, v4, v3
	v_cvt_pkrtz_f16_f32 v1, v5, v2
	exp mrt0 v0, v0, v1, v1 done compr vm
	s_endpgm
