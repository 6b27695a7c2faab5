#!/usr/bin/env bash
# What becomes of texts when a modem fails, in real time: a node and central as processes of their
# own, each on a simulated modem, and every row beside the best figure known of another program.
#
#   Tests/Faults/run.sh [PROGRAM [ROW...]]
#
# Every row runs on each of FAULTS_MAKERS, with a network that reports and one that never does
# (FAULTS_REPORTS), and with modems that tell of the network by themselves and such that stay silent
# (FAULTS_RESULTS). FAULTS_JOBS of these run side by side, each in a directory of its own; times are
# taken from what the simulated network tells, so nothing here is measured by when a shell happened to
# look. Fails when a row misses its target anywhere.
set -euo pipefail

program=${1:-.build/release/checkpost}
shift || true
# The longest first.
rows=${*:-lost registration mute wordless error killed number unplug rename}
makers=${FAULTS_MAKERS:-huawei simcom}
all_reports=${FAULTS_REPORTS:-on off}
all_results=${FAULTS_RESULTS:-on off}
jobs=${FAULTS_JOBS:-8}
[ -x "$program" ] || {
  echo "faults: $program is not there; make release builds it" >&2
  exit 69
}
program=$(realpath "$program")

node_number=+9779801000001
central_number=+9779801000099
bad_number=+9779801000404
top=$(mktemp -d "${TMPDIR:-/tmp}/checkpost-faults.XXXXXX")

row="" maker="" reports="" results=""
fail() {
  echo "faults: $row${maker:+ ($maker, reports $reports, results $results)}: $*" >&2
  exit 1
}

# wait_for SECONDS WHAT COMMAND...: until the command succeeds, or fails after so many seconds.
wait_for() {
  local seconds=$1 what=$2 end
  shift 2
  end=$((SECONDS + seconds))
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || fail "no $what within $seconds seconds"
    sleep 0.05
  done
}

# --- One row's bench -----------------------------------------------------------------------------

simulator="" node="" central=""

# Ends what this row started, by its own process numbers.
finish_row() {
  local process
  for process in $node $central $simulator; do
    kill "$process" 2>/dev/null || true
    wait "$process" 2>/dev/null || true
  done
}

has_line() { grep -q -- "$1" "$2" 2>/dev/null; }

# ask REQUEST: one line to the simulator.
ask() { printf '%s\n' "$1" >&3; }

# mark: the place in what the simulator tells after which events count.
mark() { wc -l <events; }

# moments PATTERN AFTER: the times of such events, in milliseconds.
moments() {
  tail -n "+$(($2 + 1))" events | grep -- "$1" | sed -E 's/.*"at_ms":([0-9]+).*/\1/' || true
}

has_moments() { [ "$(moments "$1" "$2" | wc -l)" -ge "$3" ]; }

# await SECONDS PATTERN AFTER [COUNT]: the time of the COUNTth such event.
await() {
  wait_for "$1" "$2" has_moments "$2" "$3" "${4:-1}"
  at=$(moments "$2" "$3" | sed -n "${4:-1}p")
}

start_node() {
  "$program" run --config node.yaml >>node.log 2>&1 </dev/null &
  node=$!
}

# is_ready FILE COUNT: the modem of a service was set up so many times.
is_ready() { [ "$(grep -c modem_set_up "$1")" -ge "$2" ]; }

# What a row may set before its bench starts: the numbers that passages are texted to.
gateways="\"$central_number\""

# follow PORT: the link of the node's modem, as udev keeps it under one name whatever the port's is.
follow() { ln -sfn "$1" "$directory/modem"; }

# start_bench OPTIONS...: simulated modems, a node and central, ready.
start_bench() {
  local common="log: {file: null, format: json, level: debug, mask_key_file: null}"
  local options=(--profile "$maker")
  [ "$reports" = on ] || options+=(--no-reports)
  [ "$results" = on ] || options+=(--silent-registration)
  directory="$top/$maker-$reports-$results-$row"
  mkdir "$directory"
  cd "$directory"
  cat >node.yaml <<EOF
$common
roles: {node: true}
node:
  checkpost: BNP-A
  database: $directory/node.db
  gateway: [$gateways]
  fallback_after: 0s
  sms: {per_minute: 60, per_day: 10000}
modem: {port: $directory/modem}
control: {socket: $directory/node.sock}
EOF
  cat >central.yaml <<EOF
$common
roles: {central: true}
central:
  database: $directory/central.db
  modem: {port: $directory/modem-central}
  http: {enabled: false}
  ingress: {mode: open}
control: {socket: $directory/central.sock}
EOF
  : >events
  : >node.log
  mkfifo requests
  "$program" simulate --trace "${options[@]}" "$@" \
    --number "$node_number" --link "$directory/modem-node" \
    --number "$central_number" --link "$directory/modem-central" \
    >events 2>simulator.log <requests &
  simulator=$!
  exec 3>requests
  await 20 '"event":"ready"' 0 2
  follow "$directory/modem-node"
  "$program" run --config central.yaml >central.log 2>&1 </dev/null 3>&- &
  central=$!
  start_node 3>&-
  wait_for 20 "ready modem of the node" is_ready node.log 1
  wait_for 20 "ready modem of central" is_ready central.log 1
  # A post has been quiet for a while when its network goes: what was asked at the start is old then.
  [ "$results" = on ] || sleep 3
}

# record NUMBER...: passages with these numbers of plates.
record() {
  local number
  : >passages.jsonl
  for number in "$@"; do
    printf '{"recorded_at":%s,"plate":"BA 1 PA %s","vehicle_type":"truck","ranger_phone":"9801"}\n' \
      "$(date +%s)" "$number" >>passages.jsonl
  done
  "$program" record --config node.yaml --file passages.jsonl >recorded 2>&1 3>&- ||
    fail "recording: $(cat recorded)"
}

has_rows() {
  [ "$("$program" central passages --json --config central.yaml 3>&- | grep -c client_id)" -ge "$1" ]
}

# arrived COUNT: so many rows are at central, and not one more.
arrived() {
  wait_for 30 "$1 rows at central" has_rows "$1"
  ! has_rows $(($1 + 1)) || fail "there are more than $1 rows at central"
}

# copies PLATE: how often a passage was on air.
copies() { grep '"event":"submitted"' events | grep -c -- "PA$1" || true; }

# result NAME MEASURED MILLISECONDS TARGET PEER: the row, and whether its target is met.
result() {
  local verdict=met
  [ "$3" -le "$4" ] || verdict=MISSED
  printf '%s|%s|%s|%s|%s\n' "$1" "$2" "$5" "$6" "$verdict" >result
}

seconds() { printf '%d.%03d s' $(($1 / 1000)) $(($1 % 1000)); }

# --- The rows ------------------------------------------------------------------------------------

# The port is looked for each second; a device that came back at a whole one would be found at once or after
# a second, by chance.
gone() { # NAME RENAMED
  start_bench
  local from returned
  record 1000
  await 30 '"event":"submitted"' 0
  from=$(mark)
  ask "{\"unplug\":{\"seconds\":5.4,\"rename\":$2}}"
  await 10 '"event":"closed"' "$from"
  if $2; then rm "$directory/modem"; fi
  record 1001
  await 20 '"event":"ready"' "$from"
  returned=$at
  if $2; then follow "$directory/modem-node-renamed"; fi
  await 120 '"event":"submitted"' "$from"
  arrived 2
  result "$1" "$(seconds $((at - returned)))" $((at - returned)) 3000 "<= 3 s" "39 s (gammu)"
}
row_unplug() { gone "device away for 5.4 s: first text after its return" false; }
row_rename() { gone "the same, under another name" true; }

row_mute() {
  start_bench
  local from over
  from=$(mark)
  ask '{"fault":"mute:60"}'
  await 10 '"event":"fault"' "$from"
  over=$((at + 60000))
  record 1000
  await 180 '"event":"submitted"' "$from"
  arrived 1
  [ "$(copies 1000)" -eq 1 ] || fail "$(copies 1000) copies"
  result "modem mute for 60 s: first text after it answers" "$(seconds $((at - over)))" \
    $((at - over)) 2000 "<= 2 s" "6.7 s (smstools)"
}

row_number() {
  # The first of two gateways takes no texts any more; the second is central's other number.
  gateways="\"$bad_number\", \"$central_number\""
  start_bench
  local from bad
  from=$(mark)
  ask "{\"fault\":\"refuse_number:$bad_number:1\"}"
  # While there is no network, all of them line up.
  ask '{"fault":"unregistered:6"}'
  # A silent modem is asked when there is something to send.
  [ "$results" = off ] || wait_for 10 "loss of the network" has_line modem_unregistered node.log
  record 1000 1001 1002 1003 1004 1005 1006 1007 1008 1009
  await 60 '"command":"AT+CMGS' "$from"
  bad=$at
  has_line text_refused node.log || wait_for 10 "refusal of the bad number" has_line text_refused node.log
  await 120 '"event":"submitted"' "$from" 1
  local first=$at
  await 120 '"event":"submitted"' "$from" 10
  arrived 10
  result "a bad number before ten good ones: their delay" \
    "$(seconds $((first - bad))), all by $(seconds $((at - bad)))" \
    $((first - bad)) 99 "< 0.1 s" "20 s (gammu, SQLite)"
}

row_registration() {
  start_bench
  local from over burnt
  from=$(mark)
  ask '{"fault":"unregistered:90"}'
  await 10 '"event":"fault"' "$from"
  over=$((at + 90000))
  record 1000 1001 1002 1003 1004
  await 180 '"event":"submitted"' "$from" 1
  local first=$at
  await 60 '"event":"submitted"' "$from" 5
  arrived 5
  burnt=$(($(moments '"command":"AT+CMGS' "$from" | wc -l) - 5))
  [ "$burnt" -eq 0 ] || fail "$burnt attempts without a network"
  result "not registered for 90 s: first text, attempts burnt" \
    "$(seconds $((first - over))), $burnt" $((first - over)) 1000 "<= 1 s, 0" "1.1 s, 0 (smstools)"
}

# once NAME PEER: a text of which nobody was told that it went; then another one goes.
once() {
  record 1001
  wait_for 120 "another text" has_line 'PA1001' events
  arrived 2
  local copies
  copies=$(copies 1000)
  result "$1" "$copies on air, 1 row" "$copies" 1 "1, 1" "$2"
}

row_lost() {
  start_bench
  ask '{"fault":"lose_answer"}'
  record 1000
  wait_for 240 "word of the unknown outcome" has_line '"text_unknown"' node.log
  once "the network took it, no answer came" "2 (all)"
}

row_error() {
  start_bench
  ask '{"fault":"false_error:500"}'
  record 1000
  await 30 '"event":"submitted"' 0
  # As long as the others take for their second copy, and more.
  wait_for 10 "word of the error" has_line 'text_refused\|text_unknown' node.log
  once "the network took it, an error came" "1 for 600 s, then 2 (gammu)"
}

row_wordless() {
  start_bench --latency 2000
  ask '{"fault":"bare_errors"}'
  ask '{"fault":"false_error:38"}'
  record 1000
  await 30 '"event":"submitted"' 0
  wait_for 10 "word of the error" has_line 'text_refused\|text_unknown' node.log
  once "the same, 2 s later and without a number" "2 (all)"
}

row_killed() {
  start_bench --latency 3000
  record 1000
  await 30 '"event":"submitted"' 0
  kill -9 "$node"
  wait "$node" 2>/dev/null || true
  start_node 3>&-
  wait_for 60 "ready modem after the start" is_ready node.log 2
  once "kill -9 between text and answer" "2 (all)"
}

# --- All of them ---------------------------------------------------------------------------------

running=""
end_all() {
  local status=$?
  trap - EXIT INT TERM
  for process in $running; do kill "$process" 2>/dev/null || true; done
  wait
  if [ "$status" -eq 0 ]; then rm -rf "$top"; else echo "faults: what it left is in $top" >&2; fi
  exit "$status"
}
trap end_all EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# each COMMAND: runs it for every row, maker and surroundings.
each() {
  local command=$1
  for row in $rows; do
    for maker in $makers; do
      for reports in $all_reports; do
        for results in $all_results; do "$command"; done
      done
    done
  done
}

begin() {
  declare -F "row_$row" >/dev/null || fail "there is no such row"
  while [ "$(jobs -pr | wc -l)" -ge "$jobs" ]; do wait -n || true; done
  (
    trap finish_row EXIT
    trap 'exit 143' TERM INT
    "row_$row"
  ) &
  running=$(jobs -pr)
}
each begin
# Whether one failed is seen by the result that it has not left.
wait

status=0
show() {
  local result="$top/$maker-$reports-$results-$row/result"
  local name=$row measured=- target=- peer=- verdict=FAILED
  if [ -f "$result" ]; then
    IFS='|' read -r name measured target peer verdict <"$result"
  fi
  [ "$verdict" = met ] || status=1
  printf "$form" "$name" "$maker" "$reports" "$results" "$measured" "$target" "$peer" "$verdict"
}
form='%-56s %-8s %-8s %-8s %-30s %-10s %-28s %s\n'
printf "$form" fault maker reports results measured target "best of the others" ""
each show
exit "$status"
