#!/bin/bash
# How many rows a second pgbench inserts into the deployed table of passages, one row a transaction, over 1, 6 and 16
# connections: without any trigger, with the deployed one, with what central's tables alone cost (the floor, see
# floor.sql), and with central's. Each row waits for the disk. Once as plain rows, of vehicles that nothing else was seen
# of, and once as travels, of which each has an entry and an exit.
#
# Usage: inserts.sh PATH-OF-CHECKPOST [SECONDS]
set -euo pipefail
program=${1:?usage: inserts.sh PATH-OF-CHECKPOST [SECONDS]}
seconds=${2:-5}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
directory=$(mktemp -d "${TMPDIR:-/tmp}/checkpost-inserts.XXXXXX")
chmod 711 "$directory"

finish() {
  status=$?
  trap - EXIT INT TERM
  stop_postgresql immediate
  rm -rf --one-file-system "$directory"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
# shellcheck source=Tests/PostgreSQL/server.sh
source "$here/server.sh"
make_postgresql 'shared_buffers = 512MB' 'max_wal_size = 4GB'

# A row of the vehicle :vehicle at the post that a letter names, so many minutes ago.
row() {
  cat <<SQL
INSERT INTO vehicle_passages (client_id, plate_number, plate_number_raw, vehicle_type, checkpost_id, segment_id,
    recorded_at, ranger_id, source)
  VALUES (gen_random_uuid(), 'BA1PA' || lpad(:vehicle::int::text, 8, '0'), 'BA 1 PA ' || :vehicle::int, 'car',
    '0c000000-0000-4000-8000-00000000000$1', '0b000000-0000-4000-8000-000000000001',
    now() - make_interval(mins => $2), '0d000000-0000-4000-8000-00000000000$1', 'app');
SQL
}
{
  echo '\set vehicle random(1, 99999999)'
  row a 0
} >"$directory/plain"
{
  echo '\set vehicle random(1, 99999999)'
  row a 45
  row b 0
} >"$directory/travels"

as() { "$binaries/psql" --quiet --no-psqlrc --set=ON_ERROR_STOP=1 --dbname="host=$directory/run user=owner dbname=$1" "${@:2}"; }

# measure DATABASE KIND CONNECTIONS: the rows a second.
measure() {
  "$binaries/pgbench" --no-vacuum --protocol=prepared --client="$3" --jobs=2 --time="$seconds" \
    --file="$directory/$2" --host="$directory/run" --username=owner "$1" 2>"$directory/pgbench.log" |
    awk -v rows="$([[ $2 == travels ]] && echo 2 || echo 1)" '/^tps/ { printf "%.0f", $3 * rows; is_there = 1 }
      END { exit !is_there }' || {
    cat "$directory/pgbench.log" >&2
    exit 1
  }
}

grep -v '^CREATE ROLE' "$here/schema.sql" >"$directory/schema.sql"
as postgres --command='CREATE ROLE anon NOLOGIN' --command='CREATE ROLE authenticated NOLOGIN' \
  --command='CREATE ROLE service_role NOLOGIN BYPASSRLS'
# As the other benchmarks do: a figure beside its goal, and at the end how many goals were met.
goal=60
met=0
missed=()
printf '%-9s %12s %12s %12s %18s %18s %8s\n' rows connections 'no trigger' deployed 'floor, of it' 'central, of it' goal
for kind in plain travels; do
  for name in none deployed central; do
    as postgres --command="CREATE DATABASE ${kind}_$name"
    as "${kind}_$name" --file="$directory/schema.sql"
  done
  as "${kind}_none" --command='ALTER TABLE vehicle_passages DISABLE TRIGGER trg_auto_match_passage'
  "$program" central migrate --database-url "host=$directory/run user=owner dbname=${kind}_central" >/dev/null
  as postgres --command="CREATE DATABASE ${kind}_floor TEMPLATE ${kind}_central"
  as "${kind}_floor" --file="$here/floor.sql"
  # A plan of an empty table is a wrong one for a full one, and the deployed trigger then reads it whole for each row.
  for name in none deployed floor central; do
    seconds=1 measure "${kind}_$name" "$kind" 1 >/dev/null
    as "${kind}_$name" --command='VACUUM ANALYZE'
  done
  for connections in 1 6 16; do
    none=$(measure "${kind}_none" "$kind" "$connections")
    deployed=$(measure "${kind}_deployed" "$kind" "$connections")
    floor=$(measure "${kind}_floor" "$kind" "$connections")
    central=$(measure "${kind}_central" "$kind" "$connections")
    share=$((central * 100 / deployed))
    if [[ $share -ge $goal ]]; then
      verdict=met
      met=$((met + 1))
    else
      verdict=MISSED
      missed+=("$kind rows over $connections connections")
    fi
    printf '%-9s %12s %10s/s %10s/s %9s/s %4s %% %9s/s %4s %% %6s %% %s\n' "$kind" "$connections" "$none" "$deployed" \
      "$floor" $((floor * 100 / deployed)) "$central" "$share" "$goal" "$verdict"
  done
done
echo "$met of $((met + ${#missed[@]})) targets are met"
for name in ${missed[@]+"${missed[@]}"}; do echo "missed: $name"; done
