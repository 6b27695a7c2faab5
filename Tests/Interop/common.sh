# What the scripts need: two simulated modems in a directory of their own, and waiting with an end.
# To be sourced after `set -eu` with the program in $program and the peer's name in $peer.

alice=+9779800000001
bob=+9779800000002
# As V1 has it; the bar takes two septets, which makes it worth seeing.
text='V1|KTM|BA1PA1234|1|1795200000|1234'
# Three parts in the default alphabet, each part another.
long=""
for part in 1 2 3 4 5 6 7 8 9 10 11; do long="${long}Passage $part went by in the rain. "; done
long="${long}End."
directory=$(mktemp -d "${TMPDIR:-/tmp}/checkpost-$peer.XXXXXX")
simulator=""
daemon=""

finish() {
  status=$?
  trap - EXIT INT TERM
  for process in $daemon $simulator; do
    kill "$process" 2>/dev/null || true
    wait "$process" 2>/dev/null || true
  done
  if [ "$status" -ne 0 ]; then
    echo "$peer: FAILED; what it left is in $directory" >&2
    tail -n 40 "$directory"/*.log "$directory"/events.json >&2 2>/dev/null || true
  else
    rm -rf --one-file-system "$directory"
  fi
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

fail() {
  echo "$peer: $*" >&2
  exit 1
}

# wait_for SECONDS WHAT COMMAND...: until the command succeeds, or fails after so many seconds.
wait_for() {
  seconds=$1
  what=$2
  shift 2
  end=$(($(date +%s) + seconds))
  until "$@"; do
    [ "$(date +%s)" -lt "$end" ] || fail "no $what within $seconds seconds"
    sleep 0.1
  done
}

has_both_ports() {
  kill -0 "$simulator" 2>/dev/null || fail "checkpost simulate ended: $(cat "$directory/simulator.log")"
  [ "$(grep -c '"event":"ready"' "$directory/events.json")" -eq 2 ]
}

# start_simulator OPTIONS...: the simulator, and waiting for its ports.
start_simulator() {
  : >"$directory/events.json"
  "$program" simulate --number "$alice" --link "$directory/alice" \
    --number "$bob" --link "$directory/bob" --trace "$@" \
    >"$directory/events.json" 2>"$directory/simulator.log" </dev/null &
  simulator=$!
  wait_for 60 "port of a simulated modem" has_both_ports
}

# Ends the simulator, so that another can be started.
stop_simulator() {
  kill "$simulator"
  wait "$simulator" 2>/dev/null || true
  simulator=""
}

# happened EVENT: how often the network told of it: submitted, delivered, reported.
happened() {
  grep -c "\"event\":\"$1\"" "$directory/events.json" || true
}

# has_happened EVENT TIMES
has_happened() { [ "$(happened "$1")" -ge "$2" ]; }

# by_hand NAME COMMAND...: one of our own commands on a modem that nobody else uses.
by_hand() {
  hand=$1
  shift
  timeout 120 "$program" modem "$@" --port "$directory/$hand" </dev/null
}
