#!/usr/bin/env bash
# Copies the shared libraries that programs are linked to below a directory, each to the path that it has here.
#   libraries.sh DIRECTORY PROGRAM...
# Libraries that lie beside the programs are left out: they are where the programs are.
set -euo pipefail
root=$1
shift

libraries=$(ldd "$@" | sed -n -e 's/.*=> \(\/[^ ]*\) .*/\1/p' -e 's/^[[:space:]]*\(\/[^ ]*\) (.*/\1/p' | sort -u)
for library in $libraries; do
  for program; do
    [ "$(readlink -f "$(dirname "$library")")" != "$(readlink -f "$(dirname "$program")")" ] || continue 2
  done
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done
