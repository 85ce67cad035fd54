BB0:
	s_mov_b64 exec, -1                                          ; befe04c1
	s_setprio 3                                                 ; bf8f0003
	s_bfe_u32 s0, s3, 0x40018                                   ; 9380ff03 00040018
	s_cmp_eq_i32 s0, 0                                          ; bf008000
	s_cbranch_scc0 BB3                                          ; bf840007
BB1:
	s_bfe_u32 s1, s2, 0x9000c                                   ; 9381ff02 0009000c
	s_bfe_u32 s2, s2, 0x90016                                   ; 9382ff02 00090016
	s_lshl_b32 s2, s2, 12                                       ; 8f028c02
	s_or_b32 m0, s2, s1                                         ; 887c0102
	s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)                         ; bf900009
BB3:
	v_lshlrev_b32_sdwa v3, 10, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:WORD_1 ; 340600f9 0586068a
	v_or_b32_sdwa v3, v0, v3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:DWORD ; 380606f9 06040600
	v_lshl_or_b32 v1, v1, 20, v3                                ; d76f0001 040d2901
	s_lshr_b32 s1, s3, 8                                        ; 90018803
	s_bfm_b64 s[4:5], s1, 0                                     ; 92848001
	s_bitcmp1_b32 s1, 6                                         ; bf0d8601
	s_cselect_b64 exec, -1, s[4:5]                              ; 85fe04c1
	s_mov_b64 s[4:5], exec                                      ; be84047e
	s_cbranch_execz BB9                                         ; bf880004
BB4:
	v_lshlrev_b32_sdwa v0, 2, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:WORD_0 ; 340000f9 04860682
	ds_write_b32 v0, v2                                         ; d8340000 00000200
BB9:
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	s_barrier                                                   ; bf8a0000
	s_bfm_b64 s[6:7], s3, 0                                     ; 92868003
	s_bitcmp1_b32 s3, 6                                         ; bf0d8603
	s_cselect_b64 exec, -1, s[6:7]                              ; 85fe06c1
	s_cbranch_execz BB15                                        ; bf880025
BB10:
	s_mov_b32 s6, s9                                            ; be860309
	s_movk_i32 s9, 0x8000                                       ; b0098000
	s_load_dwordx4 s[8:11], s[8:9], null                        ; f4080204 fa000000
	v_add_nc_u32_e32 v0, s6, v5                                 ; 4a000a06
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	buffer_load_dwordx4 v[4:7], v0, s[8:11], 0 idxen            ; e0382000 80020400
	s_waitcnt vmcnt(0)                                          ; bf8c3f70
	v_cvt_f16_f32_e32 v0, v6                                    ; 7e001506
	v_cvt_f16_f32_e32 v2, v7                                    ; 7e041507
	exp pos0 v4, v5, v6, v7 done                                ; f80008cf 07060504
	v_mbcnt_lo_u32_b32 v3, -1, 0                                ; d7650003 000100c1
	v_mbcnt_hi_u32_b32 v3, -1, v3                               ; d7660003 000206c1
	v_lshl_add_u32 v3, s0, 6, v3                                ; d7460003 040d0c00
	v_lshlrev_b32_e32 v3, 2, v3                                 ; 34060682
	ds_read_b32 v3, v3                                          ; d8d80000 03000003
	v_cvt_f16_f32_e32 v8, v4                                    ; 7e101504
	v_cvt_f16_f32_e32 v9, v5                                    ; 7e121505
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	exp param5 v3, off, off, off                                ; f8000251 80808003
	exp param0 v4, v5, off, off                                 ; f8000203 80800504
	exp param1 v8, v9, v0, v2                                   ; f800021f 02000908
	exp param2 v8, v9, v0, v2                                   ; f800022f 02000908
	exp param3 v8, off, off, off                                ; f8000231 80808008
	exp param4 v8, v9, off, off                                 ; f8000243 80800908
BB15:
	s_waitcnt expcnt(0)                                         ; bf8cff0f
	s_mov_b64 exec, s[4:5]                                      ; befe0404
	s_cbranch_execz BB21                                        ; bf880002
BB16:
	exp prim v1, off, off, off done                             ; f8000941 80808001
BB21:
	s_endpgm                                                    ; bf810000
