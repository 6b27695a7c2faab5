#!/bin/sh
# gammu uses a simulated modem as its telephone: it identifies one, sends texts through it, short and
# long, reads them from another, and gets a status report.
#
# Usage: gammu.sh PATH-OF-CHECKPOST
set -eu
program=${1:?usage: gammu.sh PATH-OF-CHECKPOST}
peer=gammu
command -v gammu >/dev/null || {
  echo "gammu is not installed; apt-get install gammu" >&2
  exit 1
}
. "$(dirname "$0")/common.sh"
start_simulator

for name in alice bob; do
  cat >"$directory/$name.conf" <<CONFIGURATION
[gammu]
device = $directory/$name
connection = at115200
logfile = $directory/$name.log
logformat = textall
CONFIGURATION
done
run() {
  name=$1
  shift
  LC_ALL=C timeout 60 gammu -c "$directory/$name.conf" "$@" </dev/null
}

run alice identify >"$directory/identify" || fail "identify failed"
grep -q '^Manufacturer *: Checkpost' "$directory/identify" || fail "it did not learn the maker"
grep -q '^IMEI *: 356938030000013' "$directory/identify" || fail "it did not learn the IMEI"
grep -q '^SIM IMSI *: 429029800000001' "$directory/identify" || fail "it did not learn the IMSI"

run alice sendsms TEXT "$bob" -text "$text" >"$directory/send" 2>&1 || fail "sendsms failed"
grep -q 'OK, message reference=0' "$directory/send" || fail "the text got no reference"

run bob getallsms >"$directory/received" 2>/dev/null || fail "getallsms failed"
grep -qF "$text" "$directory/received" || fail "the text did not arrive"
grep -q "Remote number *: \"$alice\"" "$directory/received" || fail "the sender is wrong"
grep -q '^Sent *: .*[0-9]' "$directory/received" || fail "the time stamp shows no time"

# Devanagari goes in UCS-2, and a long text in parts.
greetings=$(printf 'नमस्ते %.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
LC_ALL=C.UTF-8 timeout 60 gammu -c "$directory/alice.conf" sendsms TEXT "$bob" -unicode -len 200 \
  -text "$greetings" >"$directory/send" 2>&1 </dev/null || fail "sendsms of a long text failed"
LC_ALL=C.UTF-8 timeout 60 gammu -c "$directory/bob.conf" geteachsms >"$directory/received" \
  2>/dev/null </dev/null || fail "geteachsms failed"
grep -qF 'नमस्ते नमस्ते' "$directory/received" || fail "the long text did not arrive"

run bob deletesms 1 1 >"$directory/delete" 2>&1 || fail "deletesms failed"
run bob getallsms >"$directory/received" 2>/dev/null || fail "getallsms failed"
if grep -qF "$text" "$directory/received"; then fail "the text was not deleted"; fi

# In the default alphabet three parts come of it. This maker's modems put status reports where messages
# go, which is where gammu finds them; it asks for them when it begins to monitor, not when it sends.
stop_simulator
start_simulator --profile simcom
run alice monitor 1 >"$directory/monitor" 2>&1 || fail "monitor failed"
grep -q "Enabling info about incoming SMS *: No error" "$directory/monitor" ||
  fail "it could not ask for status reports"
run alice sendsms TEXT "$bob" -report -len 500 -text "$long" >"$directory/send" 2>&1 ||
  fail "sendsms with a report failed"
[ "$(grep -o 'OK, message reference=[0-9]*' "$directory/send" | sort -u | wc -l)" -eq 3 ] ||
  fail "the long text did not leave in three parts"
run bob geteachsms >"$directory/received" 2>/dev/null || fail "geteachsms failed"
grep -qF "$long" "$directory/received" || fail "the long text did not arrive as it was sent"
run alice getallsms >"$directory/reports" 2>/dev/null || fail "getallsms failed"
[ "$(grep -c '^Delivery status *: Delivered' "$directory/reports")" -eq "$(happened reported)" ] ||
  fail "it did not get every status report"
grep -q "^Remote number *: \"$bob\"" "$directory/reports" || fail "the report is on another number"
echo "gammu: identified a modem; sent three texts, one in three parts; read them and a status report"
