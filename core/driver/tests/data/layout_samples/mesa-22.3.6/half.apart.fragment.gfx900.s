BB0:
	s_mov_b32 m0, s2
	s_nop 0
	v_interp_p1ll_f16 v2, v0, attr3.x
	v_interp_p2_f16 v2, v1, attr3.x, v2
	v_interp_p1ll_f16 v3, v0, attr3.y
	v_interp_p2_f16 v3, v1, attr3.y, v3
	v_interp_p1ll_f16 v4, v0, attr3.z
	v_interp_p2_f16 v5, v1, attr3.z, v4
	v_interp_p1ll_f16 v4, v0, attr3.w
	v_interp_p2_f16 v4, v1, attr3.w, v4
	v_mov_b32_sdwa v2, v3 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0
	v_pack_b32_f16 v3, v5, v4
	v_interp_p1ll_f16 v4, v0, attr1.x
	v_interp_p2_f16 v4, v1, attr1.x, v4
	v_interp_p1ll_f16 v5, v0, attr1.y
	v_interp_p2_f16 v5, v1, attr1.y, v5
	v_interp_p1ll_f16 v6, v0, attr1.z
	v_interp_p2_f16 v6, v1, attr1.z, v6
	v_mov_b32_sdwa v4, v5 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0
	v_mov_b32_sdwa v5, v6 dst_sel:WORD_0 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0
	v_mov_b32_e32 v5, v2
	v_add_f16_sdwa v6, 1.0, 0 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0 src1_sel:DWORD
	v_interp_p1ll_f16 v7, v0, attr0.x
	v_interp_p2_f16 v8, v1, attr0.x, v7
	v_interp_p1ll_f16 v7, v0, attr0.y
	v_interp_p2_f16 v7, v1, attr0.y, v7
	v_interp_p1ll_f16 v9, v0, attr0.z
	v_interp_p2_f16 v9, v1, attr0.z, v9
	v_interp_p1ll_f16 v10, v0, attr0.w
	v_interp_p2_f16 v10, v1, attr0.w, v10
	v_mov_b32_sdwa v8, v7 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0
	v_mov_b32_sdwa v9, v10 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0
	v_mov_b32_e32 v7, v8
	v_pk_fma_f16 v4, v4, v5, v7 op_sel_hi:[1,0,1]
	v_pk_fma_f16 v5, v6, v5, v9 op_sel_hi:[1,0,1]
	v_pk_add_f16 v2, v4, v3 op_sel:[0,1]
	v_pk_add_f16 v3, v5, v3 op_sel:[0,1]
	v_cvt_f32_f16_e32 v4, v2
	v_cvt_f32_f16_sdwa v2, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
	v_cvt_f32_f16_e32 v5, v3
	v_cvt_f32_f16_sdwa v3, v3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
	v_interp_mov_f32_e32 v6, p0, attr2.x
	v_interp_mov_f32_e32 v7, p0, attr2.y
	v_cvt_f32_f16_e32 v6, v6
	v_cvt_f32_f16_e32 v7, v7
	v_add_f32_e32 v4, v4, v6
	v_add_f32_e32 v2, v2, v7
	v_interp_p1_f32_e32 v6, v0, attr4.x
	v_interp_p2_f32_e32 v6, v1, attr4.x
	v_interp_p1_f32_e32 v0, v0, attr4.y
	v_interp_p2_f32_e32 v0, v1, attr4.y
	v_add_f32_e32 v1, v5, v6
	v_add_f32_e32 v0, v3, v0
	v_cvt_pkrtz_f16_f32 v2, v4, v2
	v_cvt_pkrtz_f16_f32 v0, v1, v0
	exp mrt0 v2, v2, v0, v0 done compr vm
	s_endpgm
