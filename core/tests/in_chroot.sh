# Read by the scripts beside it. They run a test program with the Mesa of another system, which is unpacked in a folder:
#
#     debootstrap --variant=minbase trixie FOLDER
#     chroot FOLDER apt-get install --no-install-recommends mesa-vulkan-drivers libvulkan1   # 26: mesa-drm-shim too
#
# As root: they run it in a chroot, where /proc is mounted for it.

# in_chroot FOLDER TEST FILES VARIABLES ARGUMENT...
# Runs the newest TEST that was built (cargo test --release --workspace --test TEST --no-run). FILES is a folder that is
# copied to $inside/files, or nothing; VARIABLES are words NAME=VALUE, in which @ stands for $inside.
in_chroot() {
    root=$1 test=$2 files=$3 variables=$4
    shift 4
    program=$(ls -t target/release/deps/"$test"-* | grep -v '\.d$' | head -n 1)
    inside=$(mktemp -d "$root/var/tmp/lanescope-XXXXXX") || return 1
    mounted=
    trap leave_chroot EXIT
    cp "$program" "$inside/program" || return 1
    # What stands in for Intel's GPUs is looked for beside the program.
    [ ! -f target/release/liblanescope_intel.so ] || cp target/release/liblanescope_intel.so "$inside" || return 1
    [ -z "$files" ] || cp -r "$files" "$inside/files" || return 1
    chmod -R a+rX "$inside"
    if [ ! -e "$root/proc/self" ]; then
        mount --bind /proc "$root/proc" || return 1
        mounted=yes
    fi
    at=/var/tmp/$(basename "$inside")
    status=0
    # Tests need a runtime folder.
    # shellcheck disable=SC2046
    chroot "$root" env XDG_RUNTIME_DIR=/tmp $(echo "$variables" | sed "s|@|$at|g") "$at/program" "$@" || status=$?
    leave_chroot
    trap - EXIT
    return $status
}

leave_chroot() {
    rm -rf "$inside"
    [ -z "$mounted" ] || umount "$root/proc"
}
