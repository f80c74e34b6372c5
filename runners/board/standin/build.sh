#!/usr/bin/env bash
# The stand-in board's tree: Debian's arm64 packages, unpacked. No root, no chroot, no binfmt, nothing configured.
# Usage: build.sh FOLDER    (FOLDER/tree, FOLDER/qemu-aarch64-static; a finished folder is used as it is)
set -euo pipefail
suite=bookworm python=3.11
packages=(python$python libpython$python-stdlib libstdc++6 dash coreutils openssh-client openssh-sftp-server
  util-linux procps tar gzip sed grep findutils libc-bin base-files)
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
folder=$(realpath -m "$1")
[ -e "$folder/complete" ] && exit 0
mirror=${MIRROR:-$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | grep -oE 'https?://[^ ]+/debian/?( |$)' | head -n 1 || true)}
[ -n "$mirror" ] || { echo "no Debian mirror in /etc/apt; name one in MIRROR" >&2; exit 3; }
mkdir -p "$folder"
work=$(mktemp -d "$folder/building.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/apt/{state/lists/partial,cache/archives/partial,etc} "$work"/debs/partial "$work"/tree
echo "deb [arch=arm64 signed-by=$keyring] $mirror $suite main" > "$work/apt/etc/sources.list"
touch "$work/apt/state/status"
options=(-o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o Dir::State="$work/apt/state"
  -o Dir::State::status="$work/apt/state/status" -o Dir::Cache="$work/apt/cache" -o APT::Sandbox::User=
  -o Dir::Etc::sourcelist="$work/apt/etc/sources.list" -o Dir::Etc::sourceparts=/nonexistent
  -o Acquire::Languages=none -o Dir::Cache::archives="$work/debs" -qq)
apt-get "${options[@]}" update
# The closure as apt resolves it when nothing is installed; only downloaded, never configured.
apt-get "${options[@]}" -y --no-install-recommends -d install "${packages[@]}" > /dev/null
for deb in "$work"/debs/*.deb; do dpkg-deb -x "$deb" "$work/tree"; done
ln -sf python$python "$work/tree/usr/bin/python3"
ln -sf dash "$work/tree/bin/sh"
printf 'root:x:0:0:root:/root:/bin/sh\n' > "$work/tree/etc/passwd"
printf 'root:x:0:\nnogroup:x:65534:\n' > "$work/tree/etc/group"
mkdir -p "$work/tree"/{root,tmp,run,sys,proc,dev}
if emulator=$(command -v qemu-aarch64-static); then
  cp "$emulator" "$work/"
else # one file of a large package
  (cd "$work" && apt-get -qq download qemu-user-static && dpkg-deb -x qemu-user-static_*.deb emulator)
  cp "$work/emulator/usr/bin/qemu-aarch64-static" "$work/"
fi
rm -rf "$folder/tree" "$folder/qemu-aarch64-static"
mv "$work/tree" "$work/qemu-aarch64-static" "$folder/"
touch "$folder/complete"
