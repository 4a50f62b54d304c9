#!/usr/bin/env bash
# The life of RPM's package, as root: installed, configured, run, installed over itself, removed.
#   rpm.sh PACKAGE
# The database of a machine that is none of RPM's knows nothing of Java, so what the package needs is not looked for.
set -euo pipefail
command -v rpm >/dev/null || {
  echo "rpm is not here"
  exit 77
}
source "$(dirname "$0")/installed.sh"
package() { rpm "$@" >/tmp/rpm.log 2>&1 || fail "rpm $1: $(cat /tmp/rpm.log)"; }

echo "--- installed"
package -K --nosignature "$1"
package -i --nodeps "$1"
looks_installed
equal "changed" "" "$(rpm -V --nodeps canopy 2>&1 || true)"
equal "configuration" "/etc/canopy/canopy.env /etc/canopy/canopy.yaml" "$(rpm -qc canopy | xargs)"

echo "--- run"
works

echo "--- installed over itself: the configuration and the data stay"
package -U --replacepkgs --nodeps "$1"
equal "canopy.yaml" "root:canopy 640" "$(mode /etc/canopy/canopy.yaml)"
has_its_data

echo "--- removed: the configuration, the data and the user stay"
package -e canopy
looks_removed /etc/canopy/canopy.yaml.rpmsave
id canopy >/dev/null || fail "the user is gone"
rm -rf /tmp/hsperfdata_*
echo "--- left behind:"
find "$CHANGED" -path '*canopy*' ! -path '*/var/lib/canopy/*' ! -type c -printf '/%P\n' | sort
