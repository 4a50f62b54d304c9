# What the tests of packages share: to be read by a script that runs as root in a copy of a machine.
export LC_ALL=C.UTF-8
unset JAVA_HOME CANOPY_JAVA_OPTIONS CANOPY_URL

fail() {
  echo "FAILED: $*"
  [ ! -e /tmp/server.log ] || cat /tmp/server.log
  exit 1
}
equal() { [ "$2" = "$3" ] || fail "$1: '$2' was expected, not '$3'"; }
mode() { stat -c '%U:%G %a' "$1"; }
as_nobody() { runuser -u nobody -- "$@"; }

# As systemd starts it, but for the sandbox: the unit's user, its environment's file, its command.
unit() { sed -n "s/^$1=//p" /usr/lib/systemd/system/canopy.service; }
start() {
  local environment command
  : >/tmp/server.log
  mapfile -t environment < <(grep -v '^#' "$(unit EnvironmentFile | sed 's/^-//')")
  read -ra command <<<"$(unit ExecStart)"
  (cd / && umask "$(unit UMask)" &&
    exec setpriv --reuid "$(unit User)" --regid "$(unit Group)" --clear-groups --no-new-privs \
      env -i PATH="$PATH" "${environment[@]}" "${command[@]}") >/tmp/server.log 2>&1 &
  server=$!
  for _ in $(seq 600); do
    ready=$(grep '^READY' /tmp/server.log || true)
    [ -z "$ready" ] || break
    kill -0 $server 2>/dev/null || fail "the server has ended"
    sleep 0.1
  done
  [ -n "$ready" ] || fail "the server is not ready"
  url=canopy://$(sed 's/.* clients \([^ ]*\).*/\1/' <<<"$ready")
}
stop() {
  kill -TERM $server
  wait $server || fail "the server ended with $?"
}

# What is there after a package was installed, and is not.
looks_installed() {
  id canopy >/dev/null
  equal "shell" nologin "$(basename "$(getent passwd canopy | cut -d: -f7)")"
  equal "/etc/canopy" "root:canopy 750" "$(mode /etc/canopy)"
  equal "canopy.yaml" "root:canopy 640" "$(mode /etc/canopy/canopy.yaml)"
  equal "canopy.env" "root:canopy 640" "$(mode /etc/canopy/canopy.env)"
  equal "data" "canopy:canopy 700" "$(mode /var/lib/canopy)"
  equal "processes of the user" "" "$(find /proc -maxdepth 1 -regex '/proc/[0-9]+' -user canopy)"
  [ ! -e /etc/systemd/system/multi-user.target.wants/canopy.service ] || fail "the unit is enabled"
  equal "listens to" "127.0.0.1 127.0.0.1" \
    "$(canopy config show --config /etc/canopy/canopy.yaml | awk '/bindAddress/ {print $2}' | xargs)"
  canopy config check /etc/canopy/canopy.yaml >/dev/null || fail "the configuration is wrong"
  canopy --version
  ! as_nobody cat /etc/canopy/canopy.yaml 2>/dev/null || fail "everybody reads the configuration"
}

# Configures the server, starts it and writes data.
works() {
  sed -i 's/^  # port: 7800$/  port: 0/' /etc/canopy/canopy.yaml
  sed -i 's/^CANOPY_JAVA_OPTIONS=.*/CANOPY_JAVA_OPTIONS=-Xmx512m/' /etc/canopy/canopy.env
  start
  echo "$ready"
  as_nobody canopy status -c "$url"
  as_nobody canopy shell -c "$url" -e 'create names int64 string; put names 1 Ada'
  stop
  equal "owners of the data" canopy "$(find /var/lib/canopy -printf '%u\n' | sort -u)"
  [ -n "$(ls /var/lib/canopy)" ] || fail "there is no data"
}

# Starts the server again, which finds the data that works() has written.
has_its_data() {
  start
  as_nobody canopy shell -c "$url" -e 'scan names' | grep Ada || fail "the data is gone"
  stop
}

# The package is gone, and what is the administrator's is not.
looks_removed() {
  [ ! -L /usr/bin/canopy ] || fail "the command is there"
  [ ! -e /usr/share/canopy ] && [ ! -e /usr/share/doc/canopy ] || fail "files are left"
  grep -q '^  port: 0' "$1" || fail "the configuration is gone"
  [ -n "$(ls /var/lib/canopy)" ] || fail "the data is gone"
}
