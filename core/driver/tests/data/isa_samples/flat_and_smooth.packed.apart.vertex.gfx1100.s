BB0:
	s_mov_b64 exec, -1                                          ; befe01c1
	s_setprio 3                                                 ; bfb50003
	v_bfe_u32 v3, v0, 0, 16                                     ; d6100003 02410100
	v_lshrrev_b32_e32 v0, 16, v0                                ; 32000090
	v_bfe_u32 v1, v1, 0, 16                                     ; d6100001 02410101
	s_bfe_u32 s4, s3, 0x40018                                   ; 9304ff03 00040018
	s_cmp_eq_i32 s4, 0                                          ; bf008004
	s_cbranch_scc0 BB3                                          ; bfa10007
BB1:
	s_bfe_u32 s6, s2, 0x9000c                                   ; 9306ff02 0009000c
	s_bfe_u32 s2, s2, 0x90016                                   ; 9302ff02 00090016
	s_lshl_b32 s2, s2, 12                                       ; 84028c02
	s_or_b32 m0, s2, s6                                         ; 8c7d0602
	s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)                         ; bfb60009
BB3:
	v_lshl_or_b32 v0, v0, 10, v3                                ; d6560000 040d1500
	v_lshl_or_b32 v4, v1, 20, v0                                ; d6560004 04012901
	s_lshr_b32 s2, s3, 8                                        ; 85028803
	s_bfm_b64 s[6:7], s2, 0                                     ; 95868002
	s_bitcmp1_b32 s2, 6                                         ; bf0d8602
	s_cselect_b64 exec, -1, s[6:7]                              ; 98fe06c1
	s_mov_b64 s[6:7], exec                                      ; be86017e
	s_cbranch_execz BB9                                         ; bfa50003
BB4:
	v_lshlrev_b32_e32 v3, 2, v3                                 ; 30060682
	ds_store_b32 v3, v2                                         ; d8340000 00000203
BB9:
	s_waitcnt lgkmcnt(0)                                        ; bf89fc07
	s_barrier                                                   ; bfbd0000
	s_bfm_b64 s[12:13], s3, 0                                   ; 958c8003
	s_bitcmp1_b32 s3, 6                                         ; bf0d8603
	s_cselect_b64 exec, -1, s[12:13]                            ; 98fe0cc1
	s_cbranch_execz BB15                                        ; bfa5001e
BB10:
	s_mov_b32 s2, s9                                            ; be820009
	s_movk_i32 s9, 0x8000                                       ; b0098000
	s_load_b128 s[12:15], s[8:9], null                          ; f4080304 f8000000
	v_add_nc_u32_e32 v5, s2, v5                                 ; 4a0a0a02
	s_waitcnt lgkmcnt(0)                                        ; bf89fc07
	buffer_load_b128 v[0:3], v5, s[12:15], 0 idxen              ; e05c0000 80830005
	s_waitcnt vmcnt(0)                                          ; bf8903f7
	v_rcp_f32_e32 v5, v3                                        ; 7e0a5503
	exp pos0 v0, v1, v2, v3 done                                ; f80008cf 03020100
	v_add_nc_u32_e32 v6, s10, v8                                ; 4a0c100a
	v_mbcnt_lo_u32_b32 v7, -1, 0                                ; d71f0007 000100c1
	v_mbcnt_hi_u32_b32 v7, -1, v7                               ; d7200007 00020ec1
	v_lshl_add_u32 v7, s4, 6, v7                                ; d6460007 041d0c04
	v_lshlrev_b32_e32 v7, 2, v7                                 ; 300e0e82
	ds_load_b32 v7, v7                                          ; d8d80000 07000007
	v_mul_f32_e32 v8, v0, v5                                    ; 10100b00
	v_mul_f32_e32 v5, v1, v5                                    ; 100a0b01
	v_mul_f32_e32 v9, 0x41000000, v0                            ; 101200ff 41000000
	v_mul_f32_e32 v10, 0x41000000, v1                           ; 101402ff 41000000
	v_cvt_i32_f32_e32 v9, v9                                    ; 7e121109
	v_cvt_i32_f32_e32 v10, v10                                  ; 7e14110a
BB15:
	s_waitcnt expcnt(0)                                         ; bf89fff0
	s_mov_b64 exec, s[6:7]                                      ; befe0106
	s_cbranch_execz BB21                                        ; bfa50002
BB16:
	exp prim v4, off, off, off done                             ; f8000941 80808004
BB21:
	s_load_b128 s[8:11], s[0:1], 0xa0                           ; f4080200 f80000a0
	s_add_u32 s6, s3, 7                                         ; 80068703
	s_and_b32 s6, s6, -8                                        ; 8b06c806
	s_bfm_b64 s[0:1], s6, 0                                     ; 95808006
	s_bitcmp1_b32 s6, 6                                         ; bf0d8606
	s_waitcnt expcnt(0)                                         ; bf89fff0
	s_cselect_b64 exec, -1, s[0:1]                              ; 98fe00c1
	s_waitcnt lgkmcnt(0)                                        ; bf89fc07
	s_or_b32 s9, s9, 0x500000                                   ; 8c09ff09 00500000
	s_cbranch_execz BB27                                        ; bfa5002b
BB22:
	s_and_b32 s5, s5, 0x7fff                                    ; 8b05ff05 00007fff
	s_lshl_b32 s5, s5, 9                                        ; 84058905
	v_mbcnt_lo_u32_b32 v3, -1, 0                                ; d71f0003 000100c1
	v_mbcnt_hi_u32_b32 v3, -1, v3                               ; d7200003 000206c1
	v_lshl_add_u32 v3, s4, 6, v3                                ; d6460003 040d0c04
	s_add_i32 s6, s5, 0x800                                     ; 8106ff05 00000800
	v_mov_b32_e32 v12, v7                                       ; 7e180307
	v_lshrrev_b64 v[13:14], 0, 0                                ; d73d000d 00010080
	v_mov_b32_e32 v15, 0                                        ; 7e1e0280
	buffer_store_b128 v[12:15], v3, s[8:11], s6 idxen           ; e0740000 06820c03
	v_lshrrev_b64 v[12:13], 0, v[0:1]                           ; d73d000c 00020080
	v_lshrrev_b64 v[14:15], 0, 0                                ; d73d000e 00010080
	buffer_store_b128 v[12:15], v3, s[8:11], s5 idxen           ; e0740000 05820c03
	s_add_i32 s6, s5, 0x200                                     ; 8106ff05 00000200
	v_mov_b32_e32 v11, v6                                       ; 7e160306
	v_mov_b32_e32 v4, v8                                        ; 7e080308
	v_lshrrev_b64 v[6:7], 0, 0                                  ; d73d0006 00010080
	buffer_store_b128 v[4:7], v3, s[8:11], s6 idxen             ; e0740000 06820403
	s_add_i32 s6, s5, 0x400                                     ; 8106ff05 00000400
	v_mov_b32_e32 v8, v3                                        ; 7e100303
	v_mov_b32_e32 v3, 0                                         ; 7e060280
	buffer_store_b128 v[0:3], v8, s[8:11], s6 idxen             ; e0740000 06820008
	s_addk_i32 s5, 0x600                                        ; b7850600
	v_mov_b32_e32 v0, v8                                        ; 7e000308
	v_mov_b32_e32 v8, v11                                       ; 7e10030b
	v_mov_b32_e32 v11, 0                                        ; 7e160280
	buffer_store_b128 v[8:11], v0, s[8:11], s5 idxen            ; e0740000 05820800
BB27:
	s_endpgm                                                    ; bfb00000
