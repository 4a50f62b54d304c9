# The server is neither enabled nor started: it is configured first.
[ ! -d /run/systemd/system ] || systemctl daemon-reload || :
