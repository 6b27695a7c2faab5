# A central of a script's own with an API, on SQLite or on a PostgreSQL of its own: two posts of a segment with a ranger
# each, an admin, and keys. To be sourced after `set -eu` with the program in $program, the peer's name in $peer, the
# store in $kind (postgresql, or nothing for SQLite) and this folder in $here; afterwards $url and $directory are there.

directory=$(mktemp -d "${TMPDIR:-/tmp}/checkpost-$peer.XXXXXX")
service=""
store=""
if [[ $kind == postgresql ]]; then
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
    echo "$peer: FAILED" >&2
    tail -n 40 "$directory"/*.log >&2 2>/dev/null || true
  fi
  [[ -z $store ]] || stop_postgresql immediate
  rm -rf --one-file-system "$directory"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

port=$(python3 -c \
  'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
if [[ $kind == postgresql ]]; then
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
# key NAME: a key of that role.
key() {
  "$program" central keys add --name "for-$1" --role "$1" --json \
    | python3 -c 'import json, sys; print(json.load(sys.stdin)["key"])'
}
"$program" run >"$directory/run.log" 2>&1 &
service=$!
end=$(($(date +%s) + 30))
url=http://127.0.0.1:$port
until curl --silent --fail --output /dev/null "$url/healthz"; do
  kill -0 "$service" 2>/dev/null || exit 1
  [[ $(date +%s) -lt $end ]] || exit 1
  sleep 0.1
done
