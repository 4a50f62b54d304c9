#!/usr/bin/env bash
# Writes an image of a server as a file, for docker load, podman load and whatever reads OCI's layout. Neither an engine
# nor a network is needed: the image has this machine's JDK, cut to what a server uses, the C library that it is linked
# to, and Canopy, and no shell. The same JDK and libraries make the same bytes.
#   image.sh FILE NAME:TAG JAVA_HOME LIBRARIES TIME      the time of all files, as 2026-11-01T00:00:00Z
set -euo pipefail
export LC_ALL=C
file=$1
name=$2
java_home=$(readlink -f "$3")
libraries=$4
created=$5
epoch=$(date -d "$created" +%s)
scripts=$(dirname "$0")
user=10001

# Small ones are taken whole: a server has Infinispan, RocksDB, Netty and the clients of S3, and its threads, heap and
# flight recordings can be looked at.
modules=java.se,jdk.crypto.ec,jdk.jcmd,jdk.jfr,jdk.management,jdk.management.agent,jdk.net,jdk.unsupported,jdk.zipfs

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
java=$work/java
mkdir -p "$java/opt" "$java/etc" "$java/tmp" "$java/var/lib/canopy" "$work/canopy/opt/canopy" "$work/image/blobs/sha256"

"$java_home/bin/jlink" --add-modules "$modules" --strip-debug --no-man-pages --no-header-files --output "$java/opt/java"
case $(uname -m) in
  x86_64) architecture=amd64 engine=librocksdbjni-linux64.so ;;
  aarch64) architecture=arm64 engine=librocksdbjni-linux-aarch64.so ;;
  *)
    echo "no image for $(uname -m)" >&2
    exit 1
    ;;
esac
(cd "$work" && "$java_home/bin/jar" xf "$libraries"/rocksdbjni-*.jar $engine)
"$scripts/libraries.sh" "$java" "$java/opt/java/bin/java" "$java"/opt/java/lib/*.so "$java/opt/java/lib/server/libjvm.so" \
  "$work/$engine"
echo "canopy:x:$user:$user:Canopy server:/var/lib/canopy:/sbin/nologin" >"$java/etc/passwd"
echo "canopy:x:$user:" >"$java/etc/group"

cp -r "$libraries" "$work/canopy/opt/canopy/lib"
cp -r "$scripts/../../../../LICENSE" "$scripts/../../../../NOTICE" "$work/canopy/opt/canopy/"
# All commands begin with it: java @/opt/canopy/run status. What stands in JDK_JAVA_OPTIONS comes before it.
cat >"$work/canopy/opt/canopy/run" <<'OPTIONS'
-XX:InitialRAMPercentage=50 -XX:MaxRAMPercentage=50 -XX:+ExitOnOutOfMemoryError
-XX:InlineSmallCode=1500 -XX:FreqInlineSize=100
-Dfile.encoding=UTF-8 -Dcanopy.terminal=false -Dcanopy.answers=false
-cp /opt/canopy/lib/* io.canopygrid.server.cli.Main
OPTIONS
chmod -R u=rwX,go=rX "$java" "$work/canopy"
chmod 1777 "$java/tmp"
chmod 700 "$java/var/lib/canopy"

archive() { tar --sort=name --format=posix --pax-option=delete=atime,delete=ctime --mtime="@$epoch" --numeric-owner "$@"; }
sum() { sha256sum "$1" | cut -d ' ' -f 1; }
# Moves a file to where its sum leads, and prints {"mediaType": …} with its sum and size.
blob() {
  local sum size
  sum=$(sum "$2")
  size=$(stat -c %s "$2")
  mv "$2" "$work/image/blobs/sha256/$sum"
  echo "{\"mediaType\":\"application/vnd.oci.image.$1\",\"digest\":\"sha256:$sum\",\"size\":$size}"
}

# The directory of data and what is in it belong to the server, all else to root.
archive --owner=0 --group=0 -C "$java" --exclude=./var/lib/canopy -cf "$work/java.tar" .
archive --owner=$user --group=$user -C "$java" -rf "$work/java.tar" ./var/lib/canopy
archive --owner=0 --group=0 -C "$work/canopy" -cf "$work/canopy.tar" .
java_sum=$(sum "$work/java.tar")
canopy_sum=$(sum "$work/canopy.tar")
gzip -n -1 "$work/java.tar"
gzip -n -1 "$work/canopy.tar"
java_layer=$(blob layer.v1.tar+gzip "$work/java.tar.gz")
canopy_layer=$(blob layer.v1.tar+gzip "$work/canopy.tar.gz")

cat >"$work/config" <<CONFIG
{
  "created": "$created", "architecture": "$architecture", "os": "linux",
  "config": {
    "User": "$user:$user",
    "Env": ["PATH=/opt/java/bin", "LC_ALL=C.UTF-8", "CANOPY_DATA_DIRECTORY=/var/lib/canopy/data"],
    "Entrypoint": ["java", "@/opt/canopy/run"],
    "Cmd": ["server"],
    "WorkingDir": "/var/lib/canopy",
    "ExposedPorts": {"7800/tcp": {}, "7900/tcp": {}, "8000/tcp": {}, "11444/tcp": {}},
    "Volumes": {"/var/lib/canopy": {}},
    "StopSignal": "SIGTERM",
    "Labels": {
      "org.opencontainers.image.title": "Canopy server",
      "org.opencontainers.image.description": "Transactional, distributed B+tree index in memory",
      "org.opencontainers.image.version": "${name##*:}",
      "org.opencontainers.image.licenses": "Apache-2.0",
      "org.opencontainers.image.vendor": "The Canopy authors",
      "org.opencontainers.image.url": "https://canopygrid.io",
      "org.opencontainers.image.source": "https://github.com/canopygrid/canopy",
      "org.opencontainers.image.created": "$created"
    }
  },
  "rootfs": {"type": "layers", "diff_ids": ["sha256:$java_sum", "sha256:$canopy_sum"]},
  "history": [
    {"created": "$created", "created_by": "a JDK and its C library"},
    {"created": "$created", "created_by": "Canopy"}
  ]
}
CONFIG
config=$(blob config.v1+json "$work/config")
digest() { sed 's/.*"sha256:\([0-9a-f]*\)".*/\1/' <<<"$1"; }
cat >"$work/manifest" <<MANIFEST
{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":$config,"layers":[$java_layer,$canopy_layer]}
MANIFEST
manifest=$(blob manifest.v1+json "$work/manifest")

# OCI's layout, and in manifest.json what docker load reads.
echo '{"imageLayoutVersion":"1.0.0"}' >"$work/image/oci-layout"
cat >"$work/image/index.json" <<INDEX
{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[${manifest%\}},"annotations":{"io.containerd.image.name":"$name","org.opencontainers.image.ref.name":"${name##*:}"}}]}
INDEX
cat >"$work/image/manifest.json" <<DOCKER
[{"Config":"blobs/sha256/$(digest "$config")","RepoTags":["$name"],"Layers":["blobs/sha256/$(digest "$java_layer")","blobs/sha256/$(digest "$canopy_layer")"]}]
DOCKER
archive --owner=0 --group=0 -C "$work/image" -cf "$file" blobs index.json manifest.json oci-layout
