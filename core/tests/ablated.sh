#!/bin/sh
# Checks the driver's places of varyings by removal (ablated.rs) with the Mesa of another system: see in_chroot.sh.
#
#     core/tests/ablated.sh FOLDER [CHIP,…]
set -eu
cd "$(dirname "$0")/../.."
. core/tests/in_chroot.sh
in_chroot "$1" library "" "LANESCOPE_ABLATED_CHIPS=${2:-gfx900,gfx1010,gfx1030}" ablated::no_place_is_refuted --nocapture
