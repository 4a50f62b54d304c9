# Makes the user, and stops the server before an upgrade: a JVM must not find the libraries of another release. The
# unit's TimeoutStopSec bounds that. The files of the package belong to the user, so this comes before them.
getent group canopy >/dev/null || groupadd --system canopy
getent passwd canopy >/dev/null ||
  useradd --system --gid canopy --home-dir /var/lib/canopy --no-create-home --shell /sbin/nologin \
    --comment "Canopy server" canopy
if [ "$1" -gt 1 ] && [ -d /run/systemd/system ]; then
  # One that waits to be restarted is "activating".
  case $(systemctl is-active canopy.service) in
    active | activating | reloading) touch /run/canopy.was-active ;;
  esac
  systemctl stop canopy.service || :
fi
exit 0
