#!/usr/bin/env bash
# Tries a built program on another Debian release: drivers, a run, a work graph and the window, in a chroot.
#
#   .github/other-debian.sh RELEASE [--backports] [PROGRAM]
#
# RELEASE is a Debian release (bookworm, trixie, sid); --backports takes Mesa from that release's backports. PROGRAM is
# the executable to try, target/release/lanescope where absent: built on the oldest release, it runs on all newer ones.
# Needs root, debootstrap and a network; DEBIAN_MIRROR names another mirror than debootstrap's own. Prints a table; the exit status is 1 where a row failed.
set -eu

release=${1:?"usage: other-debian.sh RELEASE [--backports] [PROGRAM]"}
shift
backports=""
if [ "${1:-}" = --backports ]; then
    backports=$release-backports
    shift
fi
here=$(cd "$(dirname "$0")/.." && pwd)
program=${1:-${CARGO_TARGET_DIR:-$here/target}/release/lanescope}
[ -x "$program" ] || { echo "$program: not an executable: run cargo build --release first" >&2; exit 2; }
[ "$(id -u)" = 0 ] || { echo "debootstrap and chroot need root" >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "debootstrap is missing (Debian: package debootstrap)" >&2; exit 2; }

root=$(mktemp -d /tmp/lanescope-debian.XXXXXX)
clean() {
    umount -l "$root/proc" "$root/dev/shm" "$root/dev" 2>/dev/null || true
    rm -rf --one-file-system "$root"
}
trap clean EXIT

# shellcheck disable=SC2086
debootstrap --variant=minbase "$release" "$root" ${DEBIAN_MIRROR:-} >"$root.log" 2>&1 || { tail "$root.log"; exit 2; }
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mkdir -p "$root/dev/shm"

from=""
if [ -n "$backports" ]; then
    mirror=$(awk '$1 == "deb" { print $2; exit }' "$root/etc/apt/sources.list")
    echo "deb $mirror $backports main" >"$root/etc/apt/sources.list.d/backports.list"
    from="-t $backports"
fi
inside() { chroot "$root" env HOME=/root XDG_RUNTIME_DIR=/tmp DEBIAN_FRONTEND=noninteractive "$@"; }
inside apt-get update -q >>"$root.log" 2>&1
install() {
    # shellcheck disable=SC2086
    inside apt-get install -q -y --no-install-recommends $from "$@" >>"$root.log" 2>&1 ||
        { tail "$root.log"; exit 2; }
}
install libvulkan1 mesa-vulkan-drivers libgl1 libgl1-mesa-dri libegl1 libx11-6 libx11-xcb1 libxcursor1 libxi6 \
    libxrandr2 libxkbcommon0 libxkbcommon-x11-0 xvfb xauth
mesa=$(inside dpkg-query -W -f '${Version}' mesa-vulkan-drivers)
# Mesa 26 and newer have no null device.
[ "${mesa%%.*}" -lt 26 ] || install mesa-drm-shim

mkdir -p "$root/work"
cp "$program" "$root/work/lanescope"
cp -r "$here/samples" "$root/work/samples"

failed=0
row() { printf '%-28s %-5s %s\n' "$1" "$2" "$3"; }
# What a command answers: its last line where it fails.
try() {
    name=$1
    shift
    if out=$(inside sh -c "cd /work && $*" 2>&1); then
        row "$name" ok ""
    else
        row "$name" FAIL "$(printf '%s' "$out" | tail -n 1)"
        failed=1
    fi
}

echo "Debian $release${backports:+ with backports}, Mesa $mesa"
try doctor "./lanescope doctor"
chips=$(inside sh -c "cd /work && ./lanescope doctor" 2>/dev/null | awk '$1 == "found" && $2 ~ /^gfx/ {print $2}')
[ -n "$chips" ] || { row "AMD chips" FAIL "none is offered"; failed=1; }
for chip in $chips; do
    try "isa $chip" "./lanescope isa samples/lit_surface.vert samples/lit_surface.frag --chip $chip --no-cache"
    try "isa $chip compute" "./lanescope isa samples/tile_16x16.comp --reconfig --of original,swizzled --chip $chip --no-cache"
done
try run "./lanescope run samples/tile_16x16.comp"
try probe "./lanescope probe --size 16,8,1"
try "work graph" "./lanescope run samples/work_graphs/07_wide_dag.dxil"
# The window stays open until it is stopped: that ends it with 124.
# Its status goes through a file: xvfb-run may fail to remove its own folder.
try window "xvfb-run -a sh -c 'timeout 15 ./lanescope samples/lit_surface.vert samples/lit_surface.frag; echo \$? > /tmp/window'; [ \"\$(cat /tmp/window)\" = 124 ]"
exit $failed
