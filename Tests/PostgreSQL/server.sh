# A PostgreSQL of a script's own, in $directory/run and on a socket there, as a user that is not root. To be sourced
# after `set -eu` with $directory, which others may enter.

binaries=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
[[ -n $binaries ]] || {
  echo "postgresql: PostgreSQL is not installed; apt-get install postgresql" >&2
  exit 1
}
as_owner=()
mkdir "$directory/run"
if [[ $(id -u) -eq 0 ]]; then
  chown postgres "$directory/run"
  as_owner=(setpriv --reuid=postgres --regid=postgres --clear-groups --)
fi
database="host=$directory/run user=owner dbname=postgres"

# make_postgresql [LINE...]: a new server, with further lines of its configuration.
make_postgresql() {
  "${as_owner[@]}" "$binaries/initdb" --pgdata="$directory/run/data" --username=owner --auth=trust \
    --encoding=UTF8 --locale=C --no-sync >"$directory/initdb.log"
  printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '$directory/run'" 'timezone = UTC' "$@" \
    >>"$directory/run/data/postgresql.conf"
  start_postgresql
}

start_postgresql() {
  (cd "$directory/run" && "${as_owner[@]}" "$binaries/pg_ctl" --pgdata="$directory/run/data" \
    --log="$directory/run/log" --wait --silent start >/dev/null)
}

# stop_postgresql [MODE]: fast, or immediate as in a power cut.
stop_postgresql() {
  (cd "$directory/run" && "${as_owner[@]}" "$binaries/pg_ctl" --pgdata="$directory/run/data" \
    --mode="${1:-fast}" --silent stop >/dev/null 2>&1) || true
}

sql() {
  "$binaries/psql" --quiet --no-psqlrc --tuples-only --no-align --set=ON_ERROR_STOP=1 --command="$1" "$database"
}
