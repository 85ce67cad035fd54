BB0:
	s_mov_b32 m0, s2
	s_nop 0
	v_interp_p1ll_f16 v2, v0, attr1.x
	v_interp_p1ll_f16 v5, v0, attr1.y
	v_interp_p1ll_f16 v6, v0, attr1.z
	v_interp_p1ll_f16 v8, v0, attr3.x
	v_interp_p1ll_f16 v9, v0, attr3.y
	v_interp_p1ll_f16 v10, v0, attr3.z
	v_interp_p1ll_f16 v11, v0, attr3.w
	v_interp_p1ll_f16 v13, v0, attr0.x
	v_interp_p2_f16 v3, v1, attr1.x, v2
	v_interp_p2_f16 v3, v1, attr1.y, v5
	v_interp_p1ll_f16 v14, v0, attr0.y
	v_interp_p2_f16 v7, v1, attr1.z, v6
	v_interp_p2_f16 v8, v1, attr3.x, v8
	v_interp_p1ll_f16 v15, v0, attr0.z
	v_interp_p2_f16 v8, v1, attr3.y, v9
	v_interp_p2_f16 v9, v1, attr3.z, v10
	v_interp_p1ll_f16 v16, v0, attr0.w
	v_interp_p2_f16 v9, v1, attr3.w, v11
	v_interp_mov_f32_e32 v18, p0, attr2.x
	v_interp_mov_f32_e32 v19, p0, attr2.y
	v_interp_p2_f16 v5, v1, attr0.z, v15
	v_interp_p2_f16 v5, v1, attr0.w, v16
	v_interp_p1_f32_e32 v21, v0, attr4.x
	v_interp_p1_f32_e32 v0, v0, attr4.y
	v_interp_p2_f32_e32 v21, v1, attr4.x
	v_interp_p2_f32_e32 v0, v1, attr4.y
	v_mov_b32_sdwa v4, v7 dst_sel:WORD_0 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0
	v_add_f16_sdwa v7, 1.0, 0 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0 src1_sel:DWORD
	v_interp_p2_f16 v4, v1, attr0.x, v13
	v_interp_p2_f16 v4, v1, attr0.y, v14
	v_cvt_f32_f16_e32 v18, v18
	v_cvt_f32_f16_e32 v19, v19
	v_pk_fma_f16 v7, v7, v8, v5 op_sel_hi:[1,0,1]
	v_pk_fma_f16 v3, v3, v8, v4 op_sel_hi:[1,0,1]
	v_pk_add_f16 v7, v7, v9 op_sel:[0,1]
	v_pk_add_f16 v3, v3, v9 op_sel:[0,1]
	v_cvt_f32_f16_e32 v22, v7
	v_cvt_f32_f16_sdwa v7, v7 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
	v_cvt_f32_f16_e32 v20, v3
	v_cvt_f32_f16_sdwa v3, v3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
	v_add_f32_e32 v22, v22, v21
	v_add_f32_e32 v7, v7, v0
	v_add_f32_e32 v20, v20, v18
	v_add_f32_e32 v3, v3, v19
	v_cvt_pkrtz_f16_f32 v22, v22, v7
	v_cvt_pkrtz_f16_f32 v20, v20, v3
	exp mrt0 v20, v20, v22, v22 done compr vm
	s_endpgm
