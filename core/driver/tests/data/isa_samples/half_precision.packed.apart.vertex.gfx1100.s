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
	s_bfm_b64 s[10:11], s3, 0                                   ; 958a8003
	s_bitcmp1_b32 s3, 6                                         ; bf0d8603
	s_cselect_b64 exec, -1, s[10:11]                            ; 98fe0ac1
	s_cbranch_execz BB15                                        ; bfa50024
BB10:
	s_mov_b32 s2, s9                                            ; be820009
	s_movk_i32 s9, 0x8000                                       ; b0098000
	s_load_b128 s[8:11], s[8:9], null                           ; f4080204 f8000000
	v_add_nc_u32_e32 v0, s2, v5                                 ; 4a000a02
	s_waitcnt lgkmcnt(0)                                        ; bf89fc07
	buffer_load_b128 v[0:3], v0, s[8:11], 0 idxen               ; e05c0000 80820000
	s_waitcnt vmcnt(0)                                          ; bf8903f7
	v_cvt_f16_f32_e32 v5, v2                                    ; 7e0a1502
	v_cvt_f16_f32_e32 v6, v3                                    ; 7e0c1503
	exp pos0 v0, v1, v2, v3 done                                ; f80008cf 03020100
	v_mbcnt_lo_u32_b32 v7, -1, 0                                ; d71f0007 000100c1
	v_mbcnt_hi_u32_b32 v7, -1, v7                               ; d7200007 00020ec1
	v_lshl_add_u32 v7, s4, 6, v7                                ; d6460007 041d0c04
	v_lshlrev_b32_e32 v7, 2, v7                                 ; 300e0e82
	ds_load_b32 v7, v7                                          ; d8d80000 07000007
	v_cvt_f16_f32_e32 v8, v0                                    ; 7e101500
	v_cvt_f16_f32_e32 v9, v1                                    ; 7e121501
	v_perm_b32 v8, v8, v8, 0xc0c0100                            ; d6440008 03fe1108 0c0c0100
	v_perm_b32 v9, v9, v9, 0xc0c0100                            ; d6440009 03fe1309 0c0c0100
	v_perm_b32 v5, v5, v5, 0xc0c0100                            ; d6440005 03fe0b05 0c0c0100
	v_perm_b32 v6, v6, v6, 0xc0c0100                            ; d6440006 03fe0d06 0c0c0100
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
	s_or_b32 s9, s9, 0x600000                                   ; 8c09ff09 00600000
	s_cbranch_execz BB27                                        ; bfa5002d
BB22:
	s_and_b32 s5, s5, 0x7fff                                    ; 8b05ff05 00007fff
	s_lshl_b32 s5, s5, 9                                        ; 84058905
	v_mbcnt_lo_u32_b32 v4, -1, 0                                ; d71f0004 000100c1
	v_mbcnt_hi_u32_b32 v4, -1, v4                               ; d7200004 000208c1
	v_lshl_add_u32 v4, s4, 6, v4                                ; d6460004 04110c04
	s_add_i32 s6, s5, 0xa00                                     ; 8106ff05 00000a00
	v_mov_b32_e32 v12, v7                                       ; 7e180307
	v_lshrrev_b64 v[13:14], 0, 0                                ; d73d000d 00010080
	v_mov_b32_e32 v15, 0                                        ; 7e1e0280
	buffer_store_b128 v[12:15], v4, s[8:11], s6 idxen           ; e0740000 06820c04
	v_lshrrev_b64 v[2:3], 0, 0                                  ; d73d0002 00010080
	buffer_store_b128 v[0:3], v4, s[8:11], s5 idxen             ; e0740000 05820004
	s_add_i32 s6, s5, 0x200                                     ; 8106ff05 00000200
	v_mov_b32_e32 v2, v4                                        ; 7e040304
	v_lshrrev_b64 v[3:4], 0, v[8:9]                             ; d73d0003 00021080
	buffer_store_b128 v[3:6], v2, s[8:11], s6 idxen             ; e0740000 06820302
	s_add_i32 s6, s5, 0x400                                     ; 8106ff05 00000400
	buffer_store_b128 v[3:6], v2, s[8:11], s6 idxen             ; e0740000 06820302
	s_add_i32 s6, s5, 0x600                                     ; 8106ff05 00000600
	v_mov_b32_e32 v4, v8                                        ; 7e080308
	v_lshrrev_b64 v[5:6], 0, 0                                  ; d73d0005 00010080
	v_mov_b32_e32 v7, 0                                         ; 7e0e0280
	buffer_store_b128 v[4:7], v2, s[8:11], s6 idxen             ; e0740000 06820402
	s_addk_i32 s5, 0x800                                        ; b7850800
	v_lshrrev_b64 v[10:11], 0, 0                                ; d73d000a 00010080
	buffer_store_b128 v[8:11], v2, s[8:11], s5 idxen            ; e0740000 05820802
BB27:
	s_endpgm                                                    ; bfb00000
