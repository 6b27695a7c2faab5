#!/bin/bash
# ModemManager takes a simulated modem for one on USB: it probes the port, settles on a plugin, enables
# the modem, sees it registered, sends texts through it, short and long, and gets texts and a status
# report from it.
#
# It probes no pseudo-terminal, as those stand for no device. So this happens in a mount namespace of
# its own, where /sys describes one USB device with one serial port, and that port's name in /dev leads
# to the pseudo-terminal. (umockdev shows such a device too, but answers for the port's settings itself
# and lets nobody hold the port alone.) The daemon speaks on a bus of its own, with a polkit of its own,
# which lets root do anything.
#
# Usage: modemmanager.sh PATH-OF-CHECKPOST
# No pipefail: what prints more than grep -q wants to see ends by a broken pipe.
set -eu
program=$(realpath "${1:?usage: modemmanager.sh PATH-OF-CHECKPOST}")
peer=modemmanager
export PATH=$PATH:/usr/sbin:/sbin
polkit=""
for place in /usr/lib/polkit-1/polkitd /usr/libexec/polkitd; do
  [ ! -x "$place" ] || polkit=$place
done
for tool in ModemManager mmcli dbus-daemon unshare; do
  command -v "$tool" >/dev/null || {
    echo "$tool is not installed; apt-get install modemmanager dbus util-linux" >&2
    exit 1
  }
done
[ -n "$polkit" ] || {
  echo "polkitd is not installed; apt-get install polkitd" >&2
  exit 1
}
if [ "${CHECKPOST_OWN_NAMESPACE:-}" != yes ]; then
  if [ "$(id -u)" -ne 0 ] || ! unshare --mount true 2>/dev/null; then
    echo "skipped: ModemManager serves this only with root's rights and a mount namespace" >&2
    exit 0
  fi
  exec env CHECKPOST_OWN_NAMESPACE=yes unshare --mount bash "$0" "$program"
fi
unset CHECKPOST_OWN_NAMESPACE
. "$(dirname "$0")/common.sh"
# On the air the parts of a text come one after another. ModemManager needs that: it does not fetch a
# message whose +CMTI comes while it still fetches another, for which a busy machine takes its time.
start_simulator --profile simcom --latency 2000

# The device, as the kernel would describe it.
mount --make-rprivate /
mkdir "$directory/sys" "$directory/dev"
mount -t tmpfs sys "$directory/sys"
mount -t tmpfs dev "$directory/dev"
port=$(readlink "$directory/alice")
device=$directory/sys/devices/pci0000:00/0000:00:14.0/usb1/1-1
interface=$device/1-1:1.2
serial=$interface/ttyUSB2
mkdir -p "$serial/tty/ttyUSB2" "$directory/sys/class/tty" \
  "$directory"/sys/bus/{usb/drivers/{usb,option},usb-serial/drivers/option1}
echo 1e0e >"$device/idVendor"
echo 9001 >"$device/idProduct"
echo 0318 >"$device/bcdDevice"
echo Checkpost >"$device/manufacturer"
echo 'Simulated modem' >"$device/product"
echo 02 >"$interface/bInterfaceNumber"
echo ff >"$interface/bInterfaceClass"
echo 00 | tee "$interface/bInterfaceSubClass" >"$interface/bInterfaceProtocol"
ln -s /sys/bus/usb "$device/subsystem"
ln -s /sys/bus/usb/drivers/usb "$device/driver"
ln -s /sys/bus/usb "$interface/subsystem"
ln -s /sys/bus/usb/drivers/option "$interface/driver"
ln -s /sys/bus/usb-serial "$serial/subsystem"
ln -s /sys/bus/usb-serial/drivers/option1 "$serial/driver"
ln -s /sys/class/tty "$serial/tty/ttyUSB2/subsystem"
ln -s ../../../ttyUSB2 "$serial/tty/ttyUSB2/device"
ln -s "/sys${serial#"$directory/sys"}/tty/ttyUSB2" "$directory/sys/class/tty/ttyUSB2"
for node in null zero full random urandom tty; do
  : >"$directory/dev/$node"
  mount --bind "/dev/$node" "$directory/dev/$node"
done
mkdir "$directory/dev/pts" "$directory/dev/shm"
mount --rbind /dev/pts "$directory/dev/pts"
ln -s pts/ptmx "$directory/dev/ptmx"
ln -s "$port" "$directory/dev/ttyUSB2"
# Moved, not bound: nothing of the machine may lie below the directory when it is removed.
mount --move "$directory/sys" /sys
mount --move "$directory/dev" /dev

# A bus where everybody may say anything to everybody.
cat >"$directory/bus.conf" <<CONFIGURATION
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path=$directory/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
  </policy>
</busconfig>
CONFIGURATION
# polkit serves as a user of its own, who has to reach the bus.
chmod 711 "$directory"
dbus-daemon --config-file="$directory/bus.conf" --nofork --nopidfile >"$directory/bus.log" 2>&1 &
daemon="$!"
export DBUS_SYSTEM_BUS_ADDRESS=unix:path=$directory/bus
has_bus() { [ -S "$directory/bus" ]; }
wait_for 60 "bus" has_bus
"$polkit" --no-debug >"$directory/polkit.log" 2>&1 &
daemon="$! $daemon"
has_polkit() {
  dbus-send --system --print-reply --dest=org.freedesktop.DBus / \
    org.freedesktop.DBus.NameHasOwner string:org.freedesktop.PolicyKit1 2>/dev/null |
    grep -q 'boolean true'
}
wait_for 60 "polkit" has_polkit
timeout 600 ModemManager --debug --no-auto-scan --test-no-udev --test-no-suspend-resume \
  >"$directory/modemmanager.log" 2>&1 </dev/null &
daemon="$! $daemon"

mm() { LC_ALL=C timeout 60 mmcli "$@" </dev/null; }
has_manager() { mm --get-daemon-version >"$directory/version" 2>/dev/null; }
has_modem() { mm --list-modems 2>/dev/null | grep -q /Modem/0; }
is() { mm --modem any --output-keyvalue 2>/dev/null | grep -q "^$1 *: $2"; }

wait_for 60 "ModemManager" has_manager
mm --report-kernel-event='action=add,subsystem=tty,name=ttyUSB2' >"$directory/report.log" ||
  fail "ModemManager refused the port"
wait_for 60 "modem in ModemManager's list" has_modem
is modem.generic.plugin simtech || fail "it did not know the maker by the USB device"
is modem.3gpp.imei 356938030000013 || fail "it did not learn the IMEI"
is 'modem.generic.own-numbers.value\[1\]' "$alice" || fail "it did not learn the SIM's number"
mm --modem any --enable >"$directory/enable.log" || fail "it could not enable the modem"
wait_for 60 "registered modem" is modem.generic.state registered
is modem.3gpp.operator-code 42902 || fail "it did not learn the operator's code"
is modem.3gpp.operator-name Ncell || fail "it did not learn the operator's name"

# send TEXT: through ModemManager to the other modem.
send() {
  made=$(mm --modem any --messaging-create-sms="number='$bob',text='$1',delivery-report-request=yes") ||
    fail "it could not make a message"
  mm --sms "${made##*/}" --send >"$directory/send.log" || fail "it could not send a message"
}
# has_message TYPE LINE: a message of ours of that type, with a line like that.
has_message() {
  mm --modem any --messaging-list-sms 2>/dev/null | grep -o '/SMS/[0-9]*' | while read -r found; do
    mm --sms "${found##*/}" --output-keyvalue >"$directory/message"
    if grep -q "^sms.properties.pdu-type *: $1" "$directory/message" &&
      grep -qF -- "$2" "$directory/message"; then
      echo "$found"
    fi
  done | grep -q .
}

send "$text"
wait_for 60 "status report" has_message status-report "$bob"
send "$long"
has_happened submitted 4 || fail "the two texts did not leave in four parts"
# Nothing holds the other modem: our own program reads what lies in it.
by_hand bob inbox >"$directory/received"
grep -qF "$text" "$directory/received" || fail "the text did not arrive"
grep -qF 'Passage 11 went by' "$directory/received" || fail "the last part did not arrive"

by_hand bob send "$alice" "$text" >"$directory/send.log"
wait_for 60 "text that came" has_message deliver "$text"
by_hand bob send "$alice" "$long" >>"$directory/send.log"
wait_for 60 "whole long text that came" has_message deliver "$long"
has_message deliver "$bob" || fail "the sender is wrong"
echo "modemmanager: took the modem, sent two texts, one in three parts, got two and a status report"
