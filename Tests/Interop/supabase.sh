#!/bin/bash
# Has the clients of Supabase for Python, supabase and postgrest, work against the API of the central: sign in,
# read with nesting, put in, merge, change, page, photographs, functions, refusals. They are installed into a
# virtual environment beside the build when they are missing.
#
# Usage: supabase.sh PATH-OF-CHECKPOST [postgresql]
set -euo pipefail
program=$(realpath "${1:?usage: supabase.sh PATH-OF-CHECKPOST [postgresql]}")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
environment=$(realpath -m "$here/../../.build/supabase-clients")
if ! "$environment/bin/python" -c 'import supabase, postgrest' 2>/dev/null; then
  python3 -m venv "$environment" 2>/dev/null || {
    echo "supabase: python3 has no venv; apt-get install python3-venv" >&2
    exit 1
  }
  "$environment/bin/pip" install --quiet --disable-pip-version-check 'supabase>=2,<3'
fi

directory=$(mktemp -d "${TMPDIR:-/tmp}/checkpost-supabase.XXXXXX")
service=""
store=""
if [[ ${2:-} == postgresql ]]; then
  chmod 711 "$directory"
  # shellcheck source=../PostgreSQL/server.sh
  source "$here/../PostgreSQL/server.sh"
fi
finish() {
  status=$?
  trap - EXIT INT TERM
  if [[ -n $service ]]; then
    kill "$service" 2>/dev/null || true
    wait "$service" 2>/dev/null || true
  fi
  if [[ $status -ne 0 ]]; then
    echo "supabase: FAILED" >&2
    tail -n 40 "$directory"/*.log >&2 2>/dev/null || true
  fi
  [[ -z $store ]] || stop_postgresql immediate
  rm -rf --one-file-system "$directory"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

port=$("$environment/bin/python" -c \
  'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
if [[ ${2:-} == postgresql ]]; then
  make_postgresql 'fsync = off'
  store="store: postgresql
  postgresql:
    connection: $database"
fi
cat >"$directory/checkpost.yaml" <<END
roles:
  central: true
central:
  $store
  database: $directory/central.db
  photos: $directory/photos
  http:
    port: $port
    api: true
control:
  socket: $directory/control.sock
log:
  file: $directory/checkpost-events.log
  mask_key_file: $directory/mask.key
END
export CHECKPOST_CONFIG=$directory/checkpost.yaml
printf '%s\n' 'name,distance_km,min_speed_kmh,max_speed_kmh' 'Banke,45,10,40' \
  >"$directory/segments.csv"
printf '%s\n' 'code,name,segment,position_index' 'BNP-A,East,Banke,0' 'BNP-B,West,Banke,1' \
  >"$directory/posts.csv"
[[ -z $store ]] || "$program" central migrate >"$directory/migrate.log" 2>&1
"$program" central init >"$directory/init.log" 2>&1
"$program" central import --segments "$directory/segments.csv" --posts "$directory/posts.csv" \
  >"$directory/import.log" 2>&1
echo 'east-gate-1' | "$program" central users add sita --name Sita --role ranger --post BNP-A \
  --phone +9779801234567 >"$directory/users.log"
echo 'west-gate-1' | "$program" central users add ram --name Ram --role ranger --post BNP-B \
  --phone +9779807654321 >>"$directory/users.log"
echo 'office-1-office' | "$program" central users add hari --name Hari --role admin \
  >>"$directory/users.log"
anon=$("$program" central keys add --name dashboards --role anon --json \
  | python3 -c 'import json, sys; print(json.load(sys.stdin)["key"])')
"$program" run >"$directory/run.log" 2>&1 &
service=$!
end=$(($(date +%s) + 30))
until curl --silent --fail --output /dev/null "http://127.0.0.1:$port/healthz"; do
  kill -0 "$service" 2>/dev/null || exit 1
  [[ $(date +%s) -lt $end ]] || exit 1
  sleep 0.1
done
"$environment/bin/python" "$here/supabase_clients.py" "http://127.0.0.1:$port" "$anon"
