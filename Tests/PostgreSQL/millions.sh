#!/bin/bash
# A central with five million passages, and how long it takes to tell what people and dashboards ask: each in less than
# two seconds. A small one is judged by the program itself, and multiplied; see millions.py. It takes about half an hour
# for each store, and 8 GB of disk.
#
# Usage: millions.sh PATH-OF-CHECKPOST sqlite|postgresql [PASSAGES]
set -euo pipefail
program=$(realpath "${1:?usage: millions.sh PATH-OF-CHECKPOST sqlite|postgresql [PASSAGES]}")
kind=${2:?usage: millions.sh PATH-OF-CHECKPOST sqlite|postgresql [PASSAGES]}
wanted=${3:-5000000}
modelled=$((wanted < 8000 ? wanted : 8000))
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
directory=$(mktemp -d "${TMPDIR:-/tmp}/checkpost-millions.XXXXXX")
chmod 711 "$directory"
service=""
store=""

finish() {
  status=$?
  trap - EXIT INT TERM
  stop_service
  if [[ $status -ne 0 ]]; then
    echo "millions: FAILED" >&2
    tail -n 20 "$directory"/*.log >&2 2>/dev/null || true
  fi
  [[ -z $store ]] || stop_postgresql immediate
  rm -rf --one-file-system "$directory"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

stop_service() {
  if [[ -n $service ]]; then
    kill "$service" 2>/dev/null || true
    wait "$service" 2>/dev/null || true
  fi
  service=""
}

# start_service: and how long it took until it answered.
start_service() {
  local begun
  begun=$(date +%s.%N)
  "$program" run >>"$directory/run.log" 2>&1 &
  service=$!
  until curl --silent --fail --output /dev/null "http://127.0.0.1:$port/healthz"; do
    kill -0 "$service" 2>/dev/null || exit 1
    sleep 0.02
  done
  awk -v begun="$begun" -v now="$(date +%s.%N)" 'BEGIN { printf "started in %.2f s\n", now - begun }'
}

if [[ $kind == postgresql ]]; then
  # shellcheck source=server.sh
  source "$here/server.sh"
  make_postgresql 'fsync = off' 'shared_buffers = 1GB' 'max_wal_size = 4GB' 'wal_level = minimal' 'max_wal_senders = 0'
  store="store: postgresql
  postgresql:
    connection: $database"
fi
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
(umask 077 && echo 12345 >"$directory/token")
cat >"$directory/checkpost.yaml" <<END
roles:
  central: true
central:
  $store
  database: $directory/central.db
  photos: $directory/photos
  keep: 3650d
  ingress:
    mode: open
    unbound_burst: 1000000
    unbound_per_minute: 1000000
  http:
    port: $port
    api: true
    limits: {reads: 0, writes: 0, key_reads: 0, key_writes: 0}
    auth:
      token_lifetime: 24h
  twilio:
    public_urls: ["https://hooks.example.org/functions/v1/sms-webhook"]
    auth_token_files: [$directory/token]
control:
  socket: $directory/control.sock
log:
  file: $directory/events.jsonl
  mask_key_file: $directory/mask.key
END
export CHECKPOST_CONFIG=$directory/checkpost.yaml PYTHONDONTWRITEBYTECODE=1
[[ -z $store ]] || "$program" central migrate >"$directory/migrate.log" 2>&1
"$program" central init >"$directory/init.log" 2>&1
python3 "$here/millions.py" directory "$directory"
"$program" central import --yes --segments "$directory/segments.csv" --posts "$directory/posts.csv" \
  --rangers "$directory/rangers.csv" >"$directory/import.log" 2>&1
echo 'office-1-office' | "$program" central users add hari --name Hari --role admin >"$directory/users.log"
echo 'east-gate-1-east' | "$program" central users add sita --name Sita --role ranger --post P07-A >>"$directory/users.log"
"$program" central keys add --name all --role service --json |
  python3 -c 'import json, sys; print(json.load(sys.stdin)["key"])' >"$directory/key"
start_service >/dev/null
python3 "$here/millions.py" fill "$port" "$(cat "$directory/key")" "$modelled" "$program"
stop_service
# The numbers of this program and the shape of these rows: judged again as they are, nothing changes.
"$program" central match
copies=$((wanted / modelled))
begun=$(date +%s)
if [[ $kind == postgresql ]]; then
  python3 "$here/millions.py" multiply postgresql "$database" "$copies" >"$directory/multiply.sql"
  "$binaries/psql" --quiet --no-psqlrc --set=ON_ERROR_STOP=1 --file="$directory/multiply.sql" "$database" >/dev/null
else
  python3 "$here/millions.py" multiply sqlite "$directory/central.db" "$copies"
fi
echo "$((copies * modelled)) passages in $(($(date +%s) - begun)) s, $(du -sh "$directory" | cut -f 1)"
if [[ $copies -lt 20 ]]; then
  "$program" central match
fi
start_service
python3 "$here/millions.py" known "$port" "$directory"
python3 "$here/millions_asked.py" "$program" "$port" "$service" "$(cat "$directory/plate")"
