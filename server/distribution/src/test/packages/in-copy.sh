#!/usr/bin/env bash
# Runs a script as root in a copy of this machine: what it writes is in memory, and gone at its end.
#   in-copy.sh SCRIPT ARGUMENT...
# The script sees in $CHANGED all files that it, or those it calls, have changed. Exit code 77: no such copy here.
set -euo pipefail

cannot() {
  echo "no copy of this machine: $*"
  exit 77
}
if [ "${1:-}" != --inside ]; then
  [ "$(id -u)" = 0 ] || cannot "only root can make one"
  for tool in unshare chroot runuser; do
    command -v $tool >/dev/null || cannot "$tool is not here"
  done
  unshare --mount --pid --fork true 2>/dev/null || cannot "namespaces are not allowed"
  exec unshare --mount --pid --fork --kill-child "$0" --inside "$@"
fi
shift

work=$(mktemp -d)
trap 'umount -l "$work" && rmdir "$work"' EXIT
mount -t tmpfs -o size=2g tmpfs "$work"
mkdir "$work/changed" "$work/work" "$work/root"
mount -t overlay -o "lowerdir=/,upperdir=$work/changed,workdir=$work/work" overlay "$work/root" ||
  cannot "its files cannot be laid under others"
mount -t proc proc "$work/root/proc"
mount --rbind /dev "$work/root/dev"
mkdir "$work/root/changed"
mount --bind "$work/changed" "$work/root/changed"
CHANGED=/changed chroot "$work/root" "$@"
