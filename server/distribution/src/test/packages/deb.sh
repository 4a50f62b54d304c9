#!/usr/bin/env bash
# The life of Debian's package, as root: installed, configured, run, removed, installed again, purged.
#   deb.sh PACKAGE
set -euo pipefail
command -v dpkg >/dev/null || {
  echo "dpkg is not here"
  exit 77
}
source "$(dirname "$0")/installed.sh"
export DEBIAN_FRONTEND=noninteractive
package() { dpkg --force-unsafe-io "$@" >/tmp/dpkg.log 2>&1 || fail "dpkg $1: $(cat /tmp/dpkg.log)"; }

echo "--- installed"
package -i "$1"
looks_installed

echo "--- run"
works

echo "--- removed: the configuration and the data stay"
package -r canopy
looks_removed /etc/canopy/canopy.yaml

echo "--- installed again"
package -i "$1"
equal "canopy.yaml" "root:canopy 640" "$(mode /etc/canopy/canopy.yaml)"
has_its_data

echo "--- purged"
package -P canopy
! getent passwd canopy || fail "the user is there"
! getent group canopy || fail "the group is there"
rm -rf /tmp/*.log /tmp/hsperfdata_* /changed/tmp
echo "--- left behind:"
find "$CHANGED" -mindepth 1 ! -type d ! -type c -printf '/%P\n' |
  grep -vE '^/(var/lib/dpkg/|var/cache/|var/log/|var/backups/|run/|etc/((passwd|group|shadow|gshadow|subuid|subgid)-?|\.pwd\.lock)$)' || true
grep -ls canopy /etc/passwd /etc/group /etc/shadow /etc/gshadow /etc/subuid /etc/subgid /var/lib/dpkg/status || true
find "$CHANGED" -name '*canopy*' ! -type c -printf '/%P\n'
