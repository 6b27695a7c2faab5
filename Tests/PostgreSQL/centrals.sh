#!/bin/bash
# Two centrals on one PostgreSQL, under load: a provider hands texts in at either, one of them is killed every few
# seconds and started again, and PostgreSQL is restarted twice. Every text that was answered with 200 is there, once,
# and so is its passage; a vehicle that does not leave is told of by whoever lives.
#
# Usage: centrals.sh PATH-OF-CHECKPOST [SECONDS]
set -euo pipefail
program=$(realpath "${1:?usage: centrals.sh PATH-OF-CHECKPOST [SECONDS]}")
seconds=${2:-20}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
directory=$(mktemp -d "${TMPDIR:-/tmp}/checkpost-centrals.XXXXXX")
chmod 711 "$directory"
services=("" "")
load=""
# shellcheck source=server.sh
source "$here/server.sh"

finish() {
  status=$?
  trap - EXIT INT TERM
  for process in "${services[@]}" $load; do
    if [[ -n $process ]]; then
      kill -KILL "$process" 2>/dev/null || true
      wait "$process" 2>/dev/null || true
    fi
  done
  if [[ $status -ne 0 ]]; then
    echo "centrals: FAILED" >&2
    tail -n 20 "$directory"/*.log "$directory/run/log" >&2 2>/dev/null || true
  fi
  stop_postgresql immediate
  rm -rf --one-file-system "$directory"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

fail() {
  echo "centrals: $*" >&2
  exit 1
}

make_postgresql
(umask 077 && echo 12345 >"$directory/token")
ports=($(python3 -c '
import socket
sockets = [socket.socket() for _ in range(2)]
for s in sockets: s.bind(("127.0.0.1", 0))
print(*[s.getsockname()[1] for s in sockets])'))
for index in 0 1; do
  mkdir "$directory/$index"
  cat >"$directory/$index/checkpost.yaml" <<END
roles:
  central: true
central:
  store: postgresql
  database: $directory/$index/central.db
  photos: $directory/$index/photos
  postgresql:
    connection: $database
  ingress:
    mode: open
    # A fast machine takes more from the script's one number than any sender may text.
    unbound_burst: 1000000
    unbound_per_minute: 1000000
  http:
    port: ${ports[$index]}
    enabled: true
  twilio:
    public_urls: ["https://hooks.example.org/functions/v1/sms-webhook"]
    auth_token_files: [$directory/token]
control:
  socket: $directory/$index/control.sock
log:
  file: $directory/$index/events.log
  mask_key_file: $directory/$index/mask.key
END
done
export CHECKPOST_CONFIG=$directory/0/checkpost.yaml
"$program" central migrate >"$directory/migrate.log" 2>&1
printf '%s\n' 'name,distance_km,min_speed_kmh,max_speed_kmh' 'Banke,45,10,40' >"$directory/segments.csv"
printf '%s\n' 'code,name,segment,position_index' 'BNP-A,East,Banke,0' 'BNP-B,West,Banke,1' >"$directory/posts.csv"
"$program" central import --segments "$directory/segments.csv" --posts "$directory/posts.csv" \
  >"$directory/import.log" 2>&1

start() {
  "$program" run --config "$directory/$1/checkpost.yaml" >>"$directory/run-$1.log" 2>&1 &
  services[$1]=$!
}

# ready INDEX: waits until it answers.
ready() {
  local end=$(($(date +%s) + 30))
  until curl --silent --fail --output /dev/null "http://127.0.0.1:${ports[$1]}/healthz"; do
    [[ $(date +%s) -lt $end ]] || fail "central $1 does not answer"
    sleep 0.1
  done
}

for index in 0 1; do start $index; done
for index in 0 1; do ready $index; done
python3 "$here/centrals_load.py" "$seconds" "${ports[@]}" >"$directory/answered" 2>"$directory/load.log" &
load=$!
end=$(($(date +%s) + seconds))
restarts=0
turn=0
while [[ $(date +%s) -lt $end ]]; do
  sleep 2
  turn=$((turn + 1))
  kill -KILL "${services[$((turn % 2))]}" 2>/dev/null || true
  wait "${services[$((turn % 2))]}" 2>/dev/null || true
  start $((turn % 2))
  left=$((end - $(date +%s)))
  if ((restarts == 0 && left < seconds * 2 / 3 || restarts == 1 && left < seconds / 3)); then
    if ((restarts == 0)); then stop_postgresql fast; else stop_postgresql immediate; fi
    start_postgresql
    restarts=$((restarts + 1))
  fi
done
wait "$load" || fail "the provider failed: $(cat "$directory/load.log")"
load=""
for index in 0 1; do
  kill -0 "${services[$index]}" 2>/dev/null || start $index
  ready $index
done

# The last ones are processed by whoever lives.
end=$(($(date +%s) + 30))
until [[ $(sql "SELECT count(*) FROM checkpost.inbox WHERE state = 'received'") == 0 ]]; do
  [[ $(date +%s) -lt $end ]] || fail "texts are not processed"
  sleep 0.2
done
answered=$(sort -u "$directory/answered" | wc -l)
((answered > 50)) || fail "only $answered texts were taken: $(cat "$directory/load.log")"
sql "SELECT provider_id FROM checkpost.inbox" | sort >"$directory/kept"
missing=$(sort -u "$directory/answered" | comm -23 - "$directory/kept" | wc -l)
twice=$(uniq -d "$directory/kept" | wc -l)
((missing == 0)) || fail "$missing of $answered answered texts are not there"
((twice == 0)) || fail "$twice texts are there twice"
kept=$(wc -l <"$directory/kept")
passages=$(sql 'SELECT count(*) FROM public.vehicle_passages')
((passages == kept)) || fail "$kept texts of as many vehicles made $passages passages"

# One of them does the clock's duties; when it is killed, the other one does, within ten seconds. Which it is does not
# show, so each is killed once.
for index in 0 1; do
  start_count=$(sql 'SELECT count(*) FROM checkpost.alerts')
  kill -KILL "${services[$index]}" 2>/dev/null || true
  wait "${services[$index]}" 2>/dev/null || true
  services[$index]=""
  python3 "$here/centrals_load.py" overdue "${ports[$((1 - index))]}" "$index" >>"$directory/answered" 2>>"$directory/load.log"
  end=$(($(date +%s) + 10))
  until (($(sql 'SELECT count(*) FROM checkpost.alerts') > start_count)); do
    [[ $(date +%s) -lt $end ]] || fail "nobody tells of an overdue vehicle after central $index was killed"
    sleep 0.2
  done
  start "$index"
  ready "$index"
done

# A PostgreSQL that hangs, and one that is not there: whoever hands something in is told so before they go, and health
# tells of it.
away() {
  python3 "$here/centrals_load.py" away "${ports[0]}" "$2" "$3" >"$directory/away"
  local cut
  cut=$(grep -c '^cut' "$directory/away" || true)
  ((cut == 0)) || fail "while PostgreSQL $1, $cut of $(wc -l <"$directory/away") texts had no answer"
  grep -q '^503' "$directory/away" || fail "while PostgreSQL $1, nobody was answered 503"
  awk '$1 == 200 { print $2 }' "$directory/away" >>"$directory/answered"
}
postmaster=$(head -n 1 "$directory/run/data/postmaster.pid")
hung="$postmaster $(pgrep --parent "$postmaster" | tr '\n' ' ')"
kill -STOP $hung
away "hangs" 14 700000
health=$(curl --silent --output /dev/null --max-time 10 --write-out '%{http_code}' "http://127.0.0.1:${ports[0]}/healthz" || true)
kill -CONT $hung
[[ $health == 503 ]] || fail "while PostgreSQL hangs, health is $health"
ready 0
stop_postgresql fast
away "is not there" 8 710000
start_postgresql
ready 0
end=$(($(date +%s) + 30))
until [[ $(sql "SELECT count(*) FROM checkpost.inbox WHERE state = 'received'") == 0 ]]; do
  [[ $(date +%s) -lt $end ]] || fail "texts are not processed after PostgreSQL was away"
  sleep 0.2
done
sql "SELECT provider_id FROM checkpost.inbox" | sort >"$directory/kept"
missing=$(sort -u "$directory/answered" | comm -23 - "$directory/kept" | wc -l)
((missing == 0)) || fail "$missing answered texts are not there after PostgreSQL was away"
echo "centrals: $answered texts answered over $turn kills and $restarts restarts of PostgreSQL, each there once"
