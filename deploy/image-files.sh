#!/bin/sh
# Unpacks an archive of a release into two folders: `root` has what every image adds to its base, `postgres` what the
# image with PostgreSQL adds. The Dockerfile runs it with: image-files.sh ARCHIVE FOLDER
set -eu
root=$2/root
postgres=$2/postgres
mkdir -p "$root/app" "$postgres/app"
tar -xzf "$1" -C "$root/app" --strip-components=1 --no-same-owner
mv "$root/app/node_modules" "$postgres/app/"
# The image has no shell, which the launcher of the archive needs.
rm "$root/app/colloquy"
sed -i '1s|.*|#!/app/bin/node|' "$root/app/lib/main.js"
chmod 0755 "$root/app/lib/main.js"
ln -s ../lib/main.js "$root/app/bin/colloquy"
# OpenShift runs containers as any user of the group 0.
install -d -o 65532 -g 0 -m 0770 "$root/data"
