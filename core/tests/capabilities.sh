#!/bin/sh
# Looks for modules that a plain Vulkan program compiles and this library refuses (capabilities.rs), with the Mesa of
# other systems: see in_chroot.sh. A driver is a chip, or `llvmpipe`. A line for each driver says how many modules there
# are, how many a plain program compiles, how many this library compiles, how many it refuses of the former, and of how
# many nothing says whether the driver offers them (there is no validation layer); below it are the modules with which
# the two differ.
#
#     core/tests/capabilities.sh FOLDER=DRIVER,… [FOLDER=DRIVER,…]…
#
# Where the folder has the Khronos validation layer, it says whether a driver offers what a module declares.
set -eu
cd "$(dirname "$0")/../.."
. core/tests/in_chroot.sh
echo "| driver | version | modules | plain program | lanescope | refused | not checked |"
echo "|---|---|---|---|---|---|---|"
failed=0
for one; do
    variables="LANESCOPE_CAPABILITY_SAMPLES=@/files LANESCOPE_CAPABILITY_DRIVERS=${one#*=}"
    variables="$variables ${LANESCOPE_CAPABILITY_RESULTS:+LANESCOPE_CAPABILITY_RESULTS=yes}"
    variables="$variables ${VK_LAYER_PATH:+VK_LAYER_PATH=$VK_LAYER_PATH}"
    in_chroot "${one%%=*}" library core/tests/capabilities "$variables" \
        capabilities::nothing_that_a_plain_program_compiles_is_refused_with_these_drivers --ignored --nocapture || failed=1
done
exit $failed
