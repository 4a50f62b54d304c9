#!/usr/bin/env bash
# Three containers of the image on a network of their own: loaded, run, asked for their status, ended by SIGTERM.
#   image.sh FILE
# The settings are those of docs/operate/examples/compose.yaml.
set -euo pipefail
docker version >/dev/null 2>&1 || {
  echo "Docker's engine is not here"
  exit 77
}
names=(canopy-image-1 canopy-image-2 canopy-image-3)
network=canopy-image
image=
cleanup() {
  docker rm -f -v "${names[@]}" >/dev/null 2>&1 || true
  docker network rm $network >/dev/null 2>&1 || true
  [ -z "$image" ] || docker rmi "$image" >/dev/null 2>&1 || true
  rm -rf "$work"
}
work=$(mktemp -d)
cleanup
mkdir -p "$work"
trap cleanup EXIT
fail() {
  echo "FAILED: $*"
  for name in "${names[@]}"; do docker logs "$name" 2>&1 | tail -n 20; done
  exit 1
}

echo "--- loaded"
image=$(docker load -q -i "$1" | sed 's/^Loaded image: //')
docker run --rm "$image" --version
docker network create --internal $network >/dev/null
echo a-password >"$work/admin"
chmod 755 "$work" && chmod 644 "$work/admin"

echo "--- run"
members=$(printf '%s:7800,' "${names[@]}")
for name in "${names[@]}"; do
  docker run -d --name "$name" --hostname "$name" --network $network -v "$work/admin:/run/secrets/admin:ro" \
    -e CANOPY_CLUSTER_NAME=shop -e CANOPY_CLUSTER_MEMBERS="${members%,}" -e CANOPY_CLUSTER_TRUST_NETWORK=true \
    -e CANOPY_SECURITY_ADMIN_PASSWORD_FILE=/run/secrets/admin -e JDK_JAVA_OPTIONS=-Xmx512m \
    -e CANOPY_NODE_NAME="$name" -e CANOPY_CLUSTER_BIND_ADDRESS="$name" -e CANOPY_CLIENTS_BIND_ADDRESS="$name" \
    "$image" >/dev/null
done
canopy() { docker exec "${names[0]}" java -Xmx128m @/opt/canopy/run "$@" -c canopy://"${names[0]}":11444 --user admin --password-file /run/secrets/admin; }
for _ in $(seq 60); do
  status=$(canopy status 2>&1 || true)
  # A node that has no copy yet may be starting still, when all copies are there.
  if grep -q '^3 of 3 nodes, 512 of 512 copies' <<<"$status" && grep -q 'on all nodes' <<<"$status"; then break; fi
  [ -n "$(docker ps -q --filter name="${names[0]}")" ] || fail "the first server has ended"
  sleep 2
done
echo "$status"

echo "--- stopped"
docker stop -t 90 "${names[@]}" >/dev/null
echo "--- ended with 0: $(docker inspect -f '{{.State.ExitCode}}' "${names[@]}" | grep -cx 0)"
