#!/bin/sh
# Checks the driver's places by removal (ablated.rs) with the Mesa of another system, which is unpacked in a folder:
#
#     debootstrap --variant=minbase trixie FOLDER
#     chroot FOLDER apt-get install --no-install-recommends mesa-vulkan-drivers libvulkan1   # 26: mesa-drm-shim too
#     core/tests/ablated.sh FOLDER [CHIP,…]
#
# As root: it runs in a chroot, where /proc is mounted for it.
set -eu
folder=$1
chips=${2:-gfx900,gfx1010,gfx1030}
cd "$(dirname "$0")/../.."
# The newest one that was built: cargo test --release --workspace --test ablated --no-run
program=$(ls -t target/release/deps/ablated-* | grep -v '\.d$' | head -n 1)
inside=$(mktemp "$folder/var/tmp/ablated-XXXXXX")
mounted=
trap 'rm -f "$inside"; [ -z "$mounted" ] || umount "$folder/proc"' EXIT
cp "$program" "$inside"
chmod 755 "$inside"
if [ ! -e "$folder/proc/self" ]; then
    mount --bind /proc "$folder/proc"
    mounted=yes
fi
# Tests need a runtime folder.
chroot "$folder" env XDG_RUNTIME_DIR=/tmp LANESCOPE_ABLATED_CHIPS="$chips" "/var/tmp/$(basename "$inside")" \
    no_place_is_refuted --nocapture
