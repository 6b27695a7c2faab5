#!/bin/sh
# gammu uses a simulated modem as its telephone: it identifies one, sends a text through it, and reads
# the text from another.
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
grep -q '^IMEI *: 356938035643809' "$directory/identify" || fail "it did not learn the IMEI"
grep -q '^SIM IMSI *: 429011234567890' "$directory/identify" || fail "it did not learn the IMSI"

# The bar takes two septets, which makes it worth seeing.
text='V1|KTM|BA1PA1234|1|1795200000|1234'
run alice sendsms TEXT "$bob" -text "$text" >"$directory/send" 2>&1 || fail "sendsms failed"
grep -q 'OK, message reference=0' "$directory/send" || fail "the text got no reference"

run bob getallsms >"$directory/received" 2>/dev/null || fail "getallsms failed"
grep -qF "$text" "$directory/received" || fail "the text did not arrive"
grep -q "Remote number *: \"$alice\"" "$directory/received" || fail "the sender is wrong"
grep -q '^Sent *: .*[0-9]' "$directory/received" || fail "the time stamp shows no time"

# Devanagari goes in UCS-2, and a long text in parts.
long=$(printf 'नमस्ते %.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
LC_ALL=C.UTF-8 timeout 60 gammu -c "$directory/alice.conf" sendsms TEXT "$bob" -unicode -len 200 \
  -text "$long" >"$directory/send" 2>&1 </dev/null || fail "sendsms of a long text failed"
LC_ALL=C.UTF-8 timeout 60 gammu -c "$directory/bob.conf" geteachsms >"$directory/received" \
  2>/dev/null </dev/null || fail "geteachsms failed"
grep -qF 'नमस्ते नमस्ते' "$directory/received" || fail "the long text did not arrive"

run bob deletesms 1 1 >"$directory/delete" 2>&1 || fail "deletesms failed"
run bob getallsms >"$directory/received" 2>/dev/null || fail "getallsms failed"
if grep -qF "$text" "$directory/received"; then fail "the text was not deleted"; fi
echo "gammu: identified a modem, sent two texts, read and deleted them"
