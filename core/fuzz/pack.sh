#!/bin/sh
# Packs the program and its seeds for a machine without a compiler: pack.sh FILE.tgz
set -eu
cd "$(dirname "$0")"
packed=$(realpath -m "$1")
folder=$(mktemp -d)
mkdir "$folder/fuzz"
cp -r corpus run.sh run_all.sh "$folder/fuzz/"
strip -o "$folder/fuzz/readers" "${READERS:-../../target/release/readers}"
tar -C "$folder" -czf "$packed" fuzz
rm -r "$folder"
ls -l "$packed"
