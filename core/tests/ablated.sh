#!/bin/sh
# Checks the driver's places of varyings by removal (ablated.rs) with the Mesa of another system: see in_chroot.sh.
#
#     core/tests/ablated.sh FOLDER [CHIP,…]
#
# Chips are of any vendor (`gfx1201,dg2,ga102,adreno750`).
set -eu
cd "$(dirname "$0")/../.."
. core/tests/in_chroot.sh
variables="LANESCOPE_ABLATED_CHIPS=${2:-gfx900,gfx1010,gfx1030} LANESCOPE_ABLATED_SAMPLES=@/files"
in_chroot "$1" library samples "$variables" ablated::no_place_is_refuted --nocapture
