#!/usr/bin/env bash
# Builds an image of what a node needs, and nothing else: a JDK, the libraries that it is linked to, and a class path.
# Nothing is fetched from anywhere.
#   image.sh NAME JAVA_HOME CLASSPATH     prints nothing; the image has /jdk and /app, and runs java
set -euo pipefail
name=$1
java_home=$(readlink -f "$2")
class_path=$3

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/jdk" "$root/app" "$root/tmp" "$root/etc" "$root/histories"
echo 'root:x:0:0:root:/:/jdk/bin/java' >"$root/etc/passwd"

# A distribution's JDK has links that lead out of it; what the links lead to is taken.
for part in bin conf lib release; do
  cp -rL "$java_home/$part" "$root/jdk/" 2>/dev/null || [ -e "$root/jdk/$part" ]
done
rm -rf "$root"/jdk/lib/src.zip "$root"/jdk/lib/ct.sym

"$(dirname "$0")/../../../../server/distribution/src/image/libraries.sh" "$root" \
  "$java_home/bin/java" "$java_home/lib/server/libjvm.so" "$java_home"/lib/lib{net,nio,zip,java,management,instrument}.so

number=0
entries=()
IFS=: read -ra parts <<<"$class_path"
for part in "${parts[@]}"; do
  [ -e "$part" ] || continue
  number=$((number + 1))
  target=$(printf '/app/%03d-%s' "$number" "$(basename "$part")")
  cp -r "$part" "$root$target"
  entries+=("$target")
done
(
  IFS=:
  echo "${entries[*]}" >"$root/app/classpath"
)
# "@" files are read by java itself.
echo "-cp $(cat "$root/app/classpath")" >"$root/app/options"
tar -C "$root" -c . | docker import --change 'ENTRYPOINT ["/jdk/bin/java", "@/app/options"]' - "$name" >/dev/null
