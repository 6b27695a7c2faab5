# What both scripts need: two simulated modems in a directory of their own, and waiting with an end.
# To be sourced after `set -eu` with the program in $program and the peer's name in $peer.

alice=+9779800000001
bob=+9779800000002
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
    rm -rf "$directory"
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
  wait_for 10 "port of a simulated modem" has_both_ports
}
