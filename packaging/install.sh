#!/usr/bin/env bash
# Puts the program and everything it needs beside it where they belong, or takes them away again.
#
#   install.sh PROGRAM               `make install`: under PREFIX (/usr/local), or below DESTDIR
#   install.sh --uninstall PROGRAM   `make uninstall`: takes away what the other one put there
#
# What is a person's stays: the settings that somebody wrote, and the data.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
prefix=${PREFIX:-/usr/local}
root=${DESTDIR:-}
mode=install
if [[ "${1:-}" == --uninstall ]]; then
  mode=uninstall
  shift
fi
program=$(realpath "${1:?usage: install.sh [--uninstall] PROGRAM}")
documentation=$prefix/share/doc/checkpost

work=$(mktemp -d "${TMPDIR:-/tmp}/checkpost-install.XXXXXX")
trap 'rm -rf "$work"' EXIT

if [[ -z "$root" && $(id -u) -ne 0 ]]; then
  echo "checkpost: this needs root: sudo make $mode" >&2
  exit 77
fi

# file SOURCE DESTINATION MODE: one file, below $root.
installed=()
file() {
  installed+=("$2")
  [[ $mode == uninstall ]] || install -D -m "$3" "$1" "$root$2"
}

# unit NAME CONFIGURATION DIRECTORY RUNTIME-AND-SECRETS WORDS: a unit from the one text that both are made from.
# What lies in /run has a directory of each service's own: systemd removes it with all that is below it when that
# service stops, and the sockets of the others have to stay.
unit() {
  local credentials="" name
  for name in server.api_key server.token server.password modem.pin central.modem.pin \
    central.twilio.auth_token central.twilio.auth_token_2; do
    credentials+="LoadCredential=$name:$4.$name\\n"
  done
  sed -e "s|@UNIT@|$1|; s|@BINDIR@|$prefix/bin|; s|@CONFIG@|$2|; s|@DIRECTORY@|$3|; s|@RUNTIME@|$4|; s|@SECRETS@|$4|" \
    -e "s|@INSTANCE_WORDS@|$5|; s|@CREDENTIALS@|${credentials%\\n}|" \
    "$here/systemd/checkpost.service.in" >"$work/$1"
  file "$work/$1" "$prefix/lib/systemd/system/$1" 644
}

# As a backtrace needs them, the names stay in the program that was built.
cp "$program" "$work/checkpost"
strip --strip-all "$work/checkpost" 2>/dev/null || "${STRIP:-llvm-strip}" --strip-all "$work/checkpost"
file "$work/checkpost" "$prefix/bin/checkpost" 755

unit checkpost.service /etc/checkpost/checkpost.yaml checkpost checkpost ""
unit checkpost@.service /etc/checkpost/%i.yaml checkpost/%i checkpost-%i " (%i)"
file "$here/sysusers.d/checkpost.conf" "$prefix/lib/sysusers.d/checkpost.conf" 644
file "$here/tmpfiles.d/checkpost.conf" "$prefix/lib/tmpfiles.d/checkpost.conf" 644
file "$here/../udev/60-checkpost-modem.rules" "$prefix/lib/udev/rules.d/60-checkpost-modem.rules" 644

# What the program tells of itself comes from the program that is installed; one for another kind of
# machine cannot be asked, so GENERATOR names one that can.
teller=${GENERATOR:-$program}
"$teller" --version --verbose --json >"$work/checkpost.cdx.json"
file "$work/checkpost.cdx.json" "$documentation/checkpost.cdx.json" 644
file "$here/../config/checkpost.yaml" "$documentation/checkpost.yaml" 644
for example in Caddyfile nginx.conf; do
  file "$here/examples/$example" "$documentation/examples/$example" 644
done
file "$here/../README.md" "$documentation/README.md" 644
for page in "$here"/../Documentation/*.md; do
  file "$page" "$documentation/Documentation/${page##*/}" 644
done
for shell in bash zsh fish; do
  "$teller" --generate-completion-script "$shell" | sed '1{/^#!/d}' >"$work/completion.$shell"
done
file "$work/completion.bash" "$prefix/share/bash-completion/completions/checkpost" 644
file "$work/completion.zsh" "$prefix/share/zsh/vendor-completions/_checkpost" 644
file "$work/completion.fish" "$prefix/share/fish/vendor_completions.d/checkpost.fish" 644
mkdir "$work/man"
"$teller" help man --directory "$work/man" >/dev/null
for page in "$work"/man/*.[1-8]; do
  gzip -9n "$page"
  file "$page.gz" "$prefix/share/man/man${page##*.}/${page##*/}.gz" 644
done

if [[ $mode == uninstall ]]; then
  if [[ -z "$root" && -d /run/systemd/system ]]; then
    systemctl stop checkpost.service 'checkpost@*.service' || true
    rm -f /etc/systemd/system/*.wants/checkpost.service /etc/systemd/system/*.wants/checkpost@*.service
  fi
  for path in "${installed[@]}"; do rm -f "$root$path"; done
  rmdir "$root$documentation/examples" "$root$documentation" 2>/dev/null || true
else
  # What is in it is a person's: nothing is put there, so that an upgrade never asks about a file.
  install -d -m 755 "$root/etc/checkpost"
fi

# Below DESTDIR nothing runs: the installation of the package does the rest.
[[ -z "$root" ]] || exit 0
if [[ $mode == install ]]; then
  systemd-sysusers checkpost.conf
  systemd-tmpfiles --create checkpost.conf
fi
[[ ! -d /run/systemd/system ]] || systemctl daemon-reload
if [[ -S /run/udev/control ]]; then
  udevadm control --reload
  udevadm trigger --action=change --subsystem-match=usb --subsystem-match=tty
fi
if [[ $mode == install ]]; then
  echo "installed: $prefix/bin/checkpost; next: sudo checkpost config init"
else
  echo "removed; /etc/checkpost, /var/lib/checkpost and /var/log/checkpost stay"
fi
