# Stops the server when the package goes, not when another release of it has come.
if [ "$1" -eq 0 ] && command -v systemctl >/dev/null; then
  if [ -d /run/systemd/system ]; then
    systemctl --no-reload disable --now canopy.service || :
  else
    systemctl --no-reload disable canopy.service || :
  fi
fi
exit 0
