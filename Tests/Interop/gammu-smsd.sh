#!/bin/sh
# gammu-smsd with its files backend uses a simulated modem: what is put into its outbox leaves through
# it, what comes to it lies in its inbox, long texts too, and its log tells of delivery reports.
#
# Usage: gammu-smsd.sh PATH-OF-CHECKPOST
set -eu
program=${1:?usage: gammu-smsd.sh PATH-OF-CHECKPOST}
peer=gammu-smsd
for tool in gammu-smsd gammu-smsd-inject; do
  command -v "$tool" >/dev/null || {
    echo "$tool is not installed; apt-get install gammu-smsd" >&2
    exit 1
  }
done
. "$(dirname "$0")/common.sh"
# This maker's modems put status reports where messages go, which is where the daemon looks for them.
start_simulator --profile simcom

for name in inbox outbox sent error; do mkdir "$directory/$name"; done
cat >"$directory/smsdrc" <<CONFIGURATION
[gammu]
device = $directory/alice
connection = at115200

[smsd]
service = files
logfile = $directory/smsd.log
debuglevel = 1
commtimeout = 1
receivefrequency = 1
deliveryreport = log
inboxpath = $directory/inbox/
outboxpath = $directory/outbox/
sentsmspath = $directory/sent/
errorsmspath = $directory/error/
inboxformat = unicode
CONFIGURATION
timeout 240 gammu-smsd -c "$directory/smsdrc" >"$directory/daemon.log" 2>&1 </dev/null &
daemon=$!

inject() {
  LC_ALL=C timeout 30 gammu-smsd-inject -c "$directory/smsdrc" TEXT "$bob" -report "$@" \
    >>"$directory/inject.log" 2>&1 </dev/null || fail "gammu-smsd-inject failed"
}
runs() { kill -0 "$daemon" 2>/dev/null || fail "gammu-smsd ended"; }
has_sent() {
  runs
  [ -z "$(ls "$directory/error")" ] || fail "gammu-smsd could not send a text"
  [ "$(ls "$directory/sent" | wc -l)" -ge "$1" ]
}
# The inbox holds UTF-16 with a mark in front, one file a message, whole or in parts.
inbox() {
  for file in "$directory"/inbox/IN*; do
    [ -e "$file" ] && iconv -f UTF-16 -t UTF-8 "$file"
  done
  return 0
}
has_received() {
  runs
  [ "$(inbox | grep -cF "$1" || true)" -ge 1 ]
}
has_reports() {
  [ "$(grep -c "Delivery report: Delivered to $bob" "$directory/smsd.log")" -eq "$(happened reported)" ]
}

inject -text "$text"
wait_for 60 "text in the directory of what was sent" has_sent 1
inject -len 500 -text "$long"
wait_for 60 "long text in the directory of what was sent" has_sent 2
has_happened submitted 4 || fail "the two texts did not leave in four parts"

# Nothing holds the other modem: our own program reads what lies in it.
by_hand bob inbox >"$directory/received"
grep -qF "$text" "$directory/received" || fail "the text did not arrive"
grep -qF 'Passage 11 went by' "$directory/received" || fail "the last part did not arrive"
wait_for 60 "delivery report of every part in the log" has_reports

by_hand bob send "$alice" "$text" >"$directory/send.log"
wait_for 60 "text in the inbox" has_received "$text"
by_hand bob send "$alice" "$long" >>"$directory/send.log"
wait_for 60 "whole long text in the inbox" has_received "$long"
ls "$directory/inbox" | grep -q "_${bob}_" || fail "the sender is not in a file's name"
echo "gammu-smsd: sent two texts, one in three parts, logged their delivery reports, received two texts"
