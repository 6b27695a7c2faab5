#!/bin/sh
# The daemon of smstools uses two simulated modems: a file in its outgoing directory leaves through one,
# and arrives through the other as a file in its incoming directory.
#
# Usage: smstools.sh PATH-OF-CHECKPOST
set -eu
program=${1:?usage: smstools.sh PATH-OF-CHECKPOST}
peer=smstools
smsd=$(PATH=$PATH:/usr/sbin command -v smsd) || {
  echo "smsd is not installed; apt-get install smstools" >&2
  exit 1
}
. "$(dirname "$0")/common.sh"
# This maker's modems put status reports where messages go, which is where smsd looks for them.
start_simulator --profile simcom

for name in outgoing checked incoming sent failed report; do mkdir "$directory/$name"; done
cat >"$directory/smsd.conf" <<CONFIGURATION
devices = alice, bob
logfile = $directory/smsd.log
loglevel = 7
infofile = $directory/smsd.working
pidfile = $directory/smsd.pid
outgoing = $directory/outgoing
checked = $directory/checked
incoming = $directory/incoming
sent = $directory/sent
failed = $directory/failed
report = $directory/report
delaytime = 1
errorsleeptime = 1
terminal = yes

[alice]
device = $directory/alice
incoming = yes
outgoing = yes
report = yes
init = AT+CNMI=2,1,0,2,0
baudrate = 115200

[bob]
device = $directory/bob
incoming = high
outgoing = no
baudrate = 115200
CONFIGURATION
"$smsd" -c "$directory/smsd.conf" -t >"$directory/terminal.log" 2>&1 </dev/null &
daemon=$!

printf 'To: %s\nReport: yes\n\n%s\n' "${bob#+}" "$text" >"$directory/passage"
mv "$directory/passage" "$directory/outgoing/passage"

has_sent() {
  kill -0 "$daemon" 2>/dev/null || fail "smsd ended"
  if [ -e "$directory/failed/passage" ]; then fail "smsd could not send the text"; fi
  [ -e "$directory/sent/passage" ]
}
has_received() { grep -rqF "$text" "$directory/incoming"; }
has_report() { grep -rqi 'status: 0' "$directory/report" "$directory/incoming" "$directory/sent"; }

wait_for 60 "text in the directory of what was sent" has_sent
grep -q '^Message_id: 0' "$directory/sent/passage" || fail "the text got no reference"
wait_for 60 "text in the directory of what came" has_received
grep -rq "^From: ${alice#+}" "$directory/incoming" || fail "the sender is wrong"
wait_for 60 "status report" has_report

# A long text leaves in parts with one reference, and is one again in the directory of what came.
printf 'To: %s\nReport: yes\nAutosplit: 3\n\n%s\n' "${bob#+}" "$long" >"$directory/story"
mv "$directory/story" "$directory/outgoing/story"
has_sent_story() {
  kill -0 "$daemon" 2>/dev/null || fail "smsd ended"
  if [ -e "$directory/failed/story" ]; then fail "smsd could not send the long text"; fi
  [ -e "$directory/sent/story" ]
}
has_received_story() { grep -rqF "$long" "$directory/incoming"; }
wait_for 60 "long text in the directory of what was sent" has_sent_story
wait_for 60 "long text in the directory of what came" has_received_story
[ "$(happened submitted)" -eq 4 ] || fail "the two texts did not leave in four parts"
[ "$(happened reported)" -eq "$(happened delivered)" ] || fail "a part has no status report"
echo "smstools: sent two texts, one in three parts, received them and their status reports"
