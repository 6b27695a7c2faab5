#!/bin/bash
# The units as systemd reads them: without a mistake, and with an exposure of 1.7 or less: 0.1 of it is the
# socket on which the kernel tells of the network.
#
# Usage: units.sh PROGRAM
set -euo pipefail

program=$(realpath "${1:?usage: units.sh PROGRAM}")
here=$(cd "$(dirname "$0")" && pwd)
directory=$(mktemp -d "${TMPDIR:-/tmp}/checkpost-units.XXXXXX")
trap 'rm -rf "$directory"' EXIT
export SYSTEMD_LOG_LEVEL=warning
command -v systemd-analyze >/dev/null || {
  echo "systemd-analyze is not installed; apt-get install systemd" >&2
  exit 1
}

fail() {
  echo "units: $*" >&2
  exit 1
}

DESTDIR=$directory/root PREFIX=/usr bash "$here/../../packaging/install.sh" "$program"
root=$directory/root
for file in usr/bin/checkpost usr/lib/systemd/system/checkpost.service \
  usr/lib/systemd/system/checkpost@.service \
  usr/share/doc/checkpost/examples/Caddyfile usr/share/doc/checkpost/examples/nginx.conf; do
  [[ -s $root/$file ]] || fail "make install leaves no /$file"
done

for unit in checkpost.service checkpost@north.service; do
  path=$root/usr/lib/systemd/system/${unit/@north/@}
  copy=$directory/$unit
  # What it starts lies elsewhere here, and the pages of the manual with it.
  sed "s|=/usr/bin/checkpost|=$root/usr/bin/checkpost|; /^Documentation=/d" "$path" >"$copy"
  # Those before systemd 254 have no growing back-off, and say so.
  systemd-analyze verify "$copy" 2>&1 | grep -vE "RestartSteps|RestartMaxDelaySec" >"$directory/said" || true
  ! grep -q "$unit\|checkpost" "$directory/said" || {
    cat "$directory/said" >&2
    fail "$unit has a mistake"
  }
  ! grep -q '@[A-Z_]*@' "$path" || fail "$unit has a place that was not filled in"
  level=$(systemd-analyze security --offline=true "$copy" 2>/dev/null |
    sed -n 's/.*exposure level for [^:]*: \([0-9.]*\).*/\1/p')
  [[ -n "$level" ]] || fail "systemd-analyze says nothing of $unit"
  awk -v level="$level" 'BEGIN { exit !(level <= 1.7) }' || fail "$unit is exposed at $level, more than 1.7"
  echo "units: $unit is exposed at $level"
done
# systemd removes a service's directory in /run, and all below it, when that service stops.
for unit in checkpost.service checkpost@.service; do
  sed -n 's/^RuntimeDirectory=//p' "$root/usr/lib/systemd/system/$unit"
done >"$directory/runtime"
[[ $(paste -sd' ' "$directory/runtime") == "checkpost checkpost-%i" ]] ||
  fail "the sockets of one service lie below the directory of another: $(paste -sd' ' "$directory/runtime")"
[[ -d $root/etc/checkpost && -z $(ls -A "$root/etc/checkpost") ]] || fail "make install leaves settings of its own"
grep -q '^Type=notify$' "$root/usr/lib/systemd/system/checkpost.service" || fail "systemd is not told when it serves"

# A text that is with a modem is waited for by the service, and by systemd for longer.
waits=$(sed -n 's/.*static let stopWithin: Duration = .seconds(\([0-9]*\)).*/\1/p' "$here/../../Sources/NodeService/Limits.swift")
given=$(sed -n 's/^TimeoutStopSec=\([0-9]*\)s$/\1/p' "$root/usr/lib/systemd/system/checkpost.service")
[[ -n "$waits" && -n "$given" && $given -gt $waits ]] || fail "systemd gives it $given s to end, and it waits ${waits:-?} s for a text"

# A secret comes in under the name that the settings know it by.
for name in $(sed -n 's/^LoadCredential=\([^:]*\):.*/\1/p' "$root/usr/lib/systemd/system/checkpost.service"); do
  rm -rf "$directory/credentials"
  mkdir "$directory/credentials"
  echo secret >"$directory/credentials/$name"
  key=${name%_2}_file
  case $name in *auth_token*) key=${name%_2}_files ;; esac
  # A password is nobody's without a user.
  user=()
  [[ $name != server.password ]] || user=(CHECKPOST_SERVER_USER=post)
  env CREDENTIALS_DIRECTORY="$directory/credentials" "${user[@]}" "$program" config print --effective --config "$root/usr/share/doc/checkpost/checkpost.yaml" |
    grep -q "${key##*.}: .*# credential" || fail "no setting takes the credential $name"
done

# What is taken away again leaves the settings that somebody wrote.
echo "roles: {node: true}" >"$root/etc/checkpost/checkpost.yaml"
DESTDIR=$root PREFIX=/usr bash "$here/../../packaging/install.sh" --uninstall "$program"
left=$(cd "$root" && find . -type f)
[[ "$left" == ./etc/checkpost/checkpost.yaml ]] || fail "make uninstall leaves $left"
