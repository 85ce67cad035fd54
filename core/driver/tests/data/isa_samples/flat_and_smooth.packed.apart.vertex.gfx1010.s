BB0:
	s_mov_b64 exec, -1                                          ; befe04c1
	s_setprio 3                                                 ; bf8f0003
	s_barrier                                                   ; bf8a0000
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
	s_cbranch_execz BB15                                        ; bf88002a
BB10:
	s_mov_b32 s6, s9                                            ; be860309
	s_movk_i32 s9, 0x8000                                       ; b0098000
	s_load_dwordx4 s[12:15], s[8:9], null                       ; f4080304 fa000000
	v_add_nc_u32_e32 v0, s6, v5                                 ; 4a000a06
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	s_waitcnt_vscnt null, 0x0                                   ; bbfd0000
	buffer_load_dwordx4 v[4:7], v0, s[12:15], 0 idxen           ; e0382000 80030400
	s_waitcnt vmcnt(0)                                          ; bf8c3f70
	v_rcp_f32_e32 v0, v7                                        ; 7e005507
	exp pos0 v4, v5, v6, v7 done vm                             ; f80018cf 07060504
	v_add_nc_u32_e32 v2, s10, v8                                ; 4a04100a
	v_mbcnt_lo_u32_b32 v3, -1, 0                                ; d7650003 000100c1
	v_mbcnt_hi_u32_b32 v3, -1, v3                               ; d7660003 000206c1
	v_lshl_add_u32 v3, s0, 6, v3                                ; d7460003 040d0c00
	v_lshlrev_b32_e32 v3, 2, v3                                 ; 34060682
	ds_read_b32 v3, v3                                          ; d8d80000 03000003
	v_mul_f32_e32 v8, v4, v0                                    ; 10100104
	v_mul_f32_e32 v0, v5, v0                                    ; 10000105
	v_mul_f32_e32 v9, 0x41000000, v4                            ; 101208ff 41000000
	v_mul_f32_e32 v10, 0x41000000, v5                           ; 10140aff 41000000
	v_cvt_i32_f32_e32 v9, v9                                    ; 7e121109
	v_cvt_i32_f32_e32 v10, v10                                  ; 7e14110a
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	exp param4 v3, off, off, off                                ; f8000241 80808003
	exp param0 v4, v5, off, off                                 ; f8000203 80800504
	exp param1 v8, v0, off, off                                 ; f8000213 80800008
	exp param2 v4, v5, v6, off                                  ; f8000227 80060504
	exp param3 v2, v9, v10, off                                 ; f8000237 800a0902
BB15:
	s_waitcnt expcnt(0)                                         ; bf8cff0f
	s_mov_b64 exec, s[4:5]                                      ; befe0404
	s_cbranch_execz BB21                                        ; bf880002
BB16:
	exp prim v1, off, off, off done                             ; f8000941 80808001
BB21:
	s_endpgm                                                    ; bf810000
