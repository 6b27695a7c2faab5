#!/bin/bash
# Real udev applies udev/60-checkpost-modem.rules to devices that are made of files, and
# `checkpost modem list` reads the same devices: names, what ModemManager is told, and the choice of
# `auto` have to be right and the same in both.
#
# umockdev shows its own /sys to udevadm and to the program. udevadm writes names to /dev and notes to
# /run all the same, so all of it happens in a mount namespace of its own with empty ones.
# (udevadm verify, which checks the form of rules, came with systemd 254; `udevadm test` of older ones
# reads the rules too and says what it does not understand.)
#
# Usage: rules.sh PATH-OF-CHECKPOST
set -euo pipefail

program=$(realpath "${1:?usage: rules.sh PATH-OF-CHECKPOST}")
here=$(cd "$(dirname "$0")" && pwd)
export PATH=$PATH:/usr/sbin:/sbin

if [[ "${CHECKPOST_OWN_NAMESPACE:-}" != yes ]]; then
  for tool in umockdev-run udevadm unshare; do
    command -v "$tool" >/dev/null || {
      echo "$tool is not installed; apt-get install umockdev udev util-linux" >&2
      exit 1
    }
  done
  namespace=(unshare --mount)
  [[ $(id -u) -eq 0 ]] || namespace=(unshare --map-root-user --mount)
  if ! "${namespace[@]}" true 2>/dev/null; then
    echo "skipped: this system allows no mount namespace, and udev would write to the real /dev" >&2
    exit 0
  fi
  directory=$(mktemp -d /tmp/checkpost-rules-XXXXXX)
  trap 'rm -rf "$directory"' EXIT
  status=0
  CHECKPOST_OWN_NAMESPACE=yes "${namespace[@]}" bash "$0" "$program" "$directory" || status=$?
  exit "$status"
fi

directory=$2
. "$here/devices.sh"

# Our own /run and /dev; what is needed of the real /dev is bound into it.
mount --make-rprivate /
mkdir "$directory/dev"
mount -t tmpfs dev "$directory/dev"
for node in null zero full random urandom tty; do
  : >"$directory/dev/$node"
  mount --bind "/dev/$node" "$directory/dev/$node"
done
mkdir "$directory/dev/pts" "$directory/dev/shm"
mount --rbind /dev/pts "$directory/dev/pts"
ln -s pts/ptmx "$directory/dev/ptmx"
mount --rbind "$directory/dev" /dev
# Udev asks who else claims a name only among nodes that are there. Nothing is behind these.
for number in 0 1 2 3 4; do
  for node in "ttyUSB$number 188" "ttyACM$number 166"; do
    mknod "/dev/${node% *}" c "${node#* }" "$number" 2>&- || : >"/dev/${node% *}"
  done
done
# ModemManager's own rules, where it is installed, would have a say in what is ignored.
for rules in /usr/lib/udev/rules.d /etc/udev/rules.d; do
  [[ -d $rules ]] || continue
  mkdir -p "$directory/rules$rules"
  find "$rules" -maxdepth 1 -name '*.rules' ! -name '*-mm-*' \
    -exec cp {} "$directory/rules$rules/" \;
  mount --bind "$directory/rules$rules" "$rules"
done
mount -t tmpfs run /run
mkdir -p /run/udev/rules.d
cp "$here/../../udev/60-checkpost-modem.rules" /run/udev/rules.d/

failures=0
fail() {
  echo "$current: $*" >&2
  failures=$((failures + 1))
}

# Says for each port its name without the path, whether ModemManager leaves it alone, and `at` when it
# claims our name; then who has the name; then whether ModemManager leaves the device alone, and its
# power.
judge_with_udev() {
  umockdev-run --device="$description" -- bash -euc '
    # The last port comes first: a name must not depend on which was there sooner.
    for port in $(printf "%s\n" /sys/class/tty/tty* | sort -r); do
      [[ -e $port ]] || continue
      udevadm test --action=add "$(readlink -f "$port")" >"$1/out" 2>&1
      cat "$1/out" >>"$1/udev.log"
      name=${port##*/}
      links=$(sed -n "s/^DEVLINKS=//p" "$1/out")
      word=-
      if [[ " $links " == *" /dev/checkpost-modem "* ]]; then
        word=at
        [[ " $links " =~ " /dev/checkpost-modem-pci-0000:00:14.0-usb-0:"[0-9.:]+" " ]] || word=at-without-path
        grep -q "GROUP $(getent group dialout | cut -d: -f3)\$" "$1/out" || word=at-without-group
        grep -q "MODE 0660" "$1/out" || word=at-without-mode
      fi
      grep -q "^ID_MM_PORT_IGNORE=1" "$1/out" && ignored=ignored || ignored=seen
      echo "$name $ignored $word"
    done | sort
    [[ ! -L /dev/checkpost-modem ]] || echo "name $(basename "$(readlink /dev/checkpost-modem)")"
    device=/sys/bus/usb/devices/1-1
    udevadm test --action=add "$(readlink -f $device)" >"$1/out" 2>&1
    cat "$1/out" >>"$1/udev.log"
    grep -q "^ID_MM_DEVICE_IGNORE=1" "$1/out" && ignored=ignored || ignored=seen
    # What udev would run once it is done; whoever may use the port may take the modem off the bus.
    may_reset=no
    if grep -q "chgrp dialout $(readlink -f "$device")/authorized" "$1/out" &&
      grep -q "chmod g+w $(readlink -f "$device")/authorized" "$1/out"; then
      may_reset=yes
    fi
    [[ $may_reset,$ignored == yes,ignored || $may_reset,$ignored == no,seen ]] ||
      ignored="$ignored-but-reset-$may_reset"
    # The file is written over and not cut, as a real attribute is not.
    case $(cat $device/power/control),$(cat $device/power/autosuspend_delay_ms) in
      on*,-1*) power=on ;;
      auto*,2000*) power=auto ;;
      *) power=half ;;
    esac
    echo "device $ignored $power"
    timeout 20 "$2" modem list --json >"$1/list"
  ' judge "$directory" "$program"
}

# name_adapter TTY: installs the rules that `checkpost modem udev` prints for a port of the device.
name_adapter() {
  umockdev-run --device="$description" -- "$program" modem udev --port "/dev/$1" \
    >/run/udev/rules.d/59-checkpost-adapter.rules || fail "modem udev --port /dev/$1 failed"
}

# What checkpost makes of it: the ports in the order of auto, and the findings.
judge_with_checkpost() {
  sed -n 's/.*"auto":\([0-9]*\).*/\1 &/p' "$directory/list" | sort -n |
    sed 's/.*"port":"\/dev\/\([^"]*\)".*/\1/; s/\\\/dev\\\///' | tr '\n' ' '
  sed -n 's/^{"finding":"\([a-z_]*\)".*/\1/p' "$directory/list" | tr '\n' ' '
}

# check NAME: the device of `describe` against what is expected of udev (lines) and of checkpost.
check() {
  local expected_udev=$1 expected_list=$2 found
  rm -rf /run/udev/data /run/udev/links /run/udev/tags
  find /dev -maxdepth 1 -name 'checkpost-modem*' -delete
  found=$(judge_with_udev | tr '\n' ';')
  [[ "$found" == "$expected_udev" ]] || fail "udev: $found, expected: $expected_udev"
  found=$(judge_with_checkpost)
  [[ "$found" == "$expected_list" ]] || fail "checkpost: $found, expected: $expected_list"
  checked=$((checked + 1))
}
checked=0
: >"$directory/udev.log"

every_device

# A rule that udev does not understand is named in what it reads.
if grep -E '(60-checkpost-modem|59-checkpost-adapter)\.rules:[0-9]+ .*([Ii]nvalid|[Uu]nknown|[Ii]gnoring|[Ff]ailed)' \
  "$directory/udev.log" | sort -u >&2; then
  current=rules fail "udev does not understand all of the rules"
fi
if [[ $failures -gt 0 ]]; then
  echo "$failures failures in $checked devices" >&2
  exit 1
fi
echo "udev ($(udevadm --version)) and checkpost agree on $checked devices"
