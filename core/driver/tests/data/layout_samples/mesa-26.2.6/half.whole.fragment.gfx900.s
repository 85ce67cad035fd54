BB0:
	s_mov_b32 m0, s2
	s_nop 0
	v_interp_p1ll_f16 v12, v0, attr1.w
	v_interp_p1ll_f16 v2, v0, attr1.x
	v_interp_p1ll_f16 v4, v0, attr1.x high
	v_interp_p1ll_f16 v5, v0, attr1.y high
	v_interp_p1ll_f16 v7, v0, attr1.y
	v_interp_p1ll_f16 v8, v0, attr1.z
	v_interp_p1ll_f16 v10, v0, attr1.z high
	v_interp_p2_f16 v13, v1, attr1.w, v12
	v_interp_p2_f16 v3, v1, attr1.x, v2
	v_interp_p2_f16 v3, v1, attr1.x, v4 high op_sel:[0,0,0,1]
	v_interp_mov_f32_e32 v14, p0, attr2.x
	v_interp_p2_f16 v6, v1, attr1.y, v5 high op_sel:[0,0,0,1]
	v_interp_p2_f16 v6, v1, attr1.y, v7
	v_interp_p2_f16 v9, v1, attr1.z, v8
	v_interp_p2_f16 v11, v1, attr1.z, v10 high
	v_interp_p1_f32_e32 v17, v0, attr0.x
	v_interp_p1_f32_e32 v0, v0, attr0.y
	v_interp_p2_f32_e32 v17, v1, attr0.x
	v_interp_p2_f32_e32 v0, v1, attr0.y
	v_add_f16_sdwa v9, 1.0, 0 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0 src1_sel:DWORD
	v_cvt_f32_f16_e32 v15, v14
	v_cvt_f32_f16_sdwa v14, v14 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
	v_pk_fma_f16 v3, v3, v11, v3 op_sel_hi:[1,0,1]
	v_pk_fma_f16 v9, v9, v11, v6 op_sel_hi:[1,0,1]
	v_pk_add_f16 v3, v3, v13 op_sel_hi:[1,0]
	v_pk_add_f16 v9, v9, v13 op_sel_hi:[1,0]
	v_cvt_f32_f16_e32 v16, v3
	v_cvt_f32_f16_sdwa v3, v3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
	v_cvt_f32_f16_e32 v18, v9
	v_cvt_f32_f16_sdwa v9, v9 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
	v_add_f32_e32 v16, v16, v15
	v_add_f32_e32 v3, v3, v14
	v_add_f32_e32 v18, v18, v17
	v_add_f32_e32 v9, v9, v0
	v_cvt_pkrtz_f16_f32 v16, v16, v3
	v_cvt_pkrtz_f16_f32 v18, v18, v9
	exp mrt0 v16, v16, v18, v18 done compr vm
	s_endpgm
