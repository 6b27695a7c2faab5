#!/usr/bin/env bash
# Runs every test, several things side by side, since most of them wait: the suites, those of stores in a process of
# their own, the simulated days, and the scripts that hold us against programs that are not ours. The suites are
# shown as they go; of the rest each says in one line how it ended, with all that it printed where it failed.
# Ports, sockets and directories of each are its own.
#
# Usage: run.sh [scripts]     with the word, the scripts alone
# WORKERS says how many scripts run at once (2), SEEDS how many days are simulated (200), AGAIN=1 whether tests that
# failed are run once more, each alone.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

bin=$(swift build --show-bin-path)
export program=$bin/checkpost
logs=$PWD/.build/logs
rm -rf "$logs"
mkdir -p "$logs"

# Tests that wait for a PostgreSQL have a process of their own: each of them holds one of the few threads that tests
# share, and the others would wait for their turn until their time is over.
stores='(CentralStore|CentralPostgreSQL|PostgreSQL)Tests\.'

# The longest first, so that none is left for the end. The two of supabase.sh share what they install.
scripts=(
  'proxies:bash Tests/Interop/proxies.sh "$program"'
  'supabase:bash Tests/Interop/supabase.sh "$program" && bash Tests/Interop/supabase.sh "$program" postgresql'
  'centrals:bash Tests/PostgreSQL/centrals.sh "$program"'
  'modemmanager:bash Tests/Interop/modemmanager.sh "$program"'
  'gammu-smsd:bash Tests/Interop/gammu-smsd.sh "$program"'
  'gammu:bash Tests/Interop/gammu.sh "$program"'
  'smstools:bash Tests/Interop/smstools.sh "$program"'
  'rules:bash Tests/Ports/rules.sh "$program"'
  'units:bash Tests/Packaging/units.sh "$program"'
  'compare:bash Tests/PostgreSQL/compare.sh "$program"'
)

# job NAME COMMAND: runs it with its output in a file, and says how it ended.
job() {
  local name=$1 begun=$SECONDS
  if bash -euo pipefail -c "$2" >"$logs/$name.log" 2>&1 </dev/null; then
    printf '== %s passed after %d s: %s\n' "$name" $((SECONDS - begun)) "$(tail -n 1 "$logs/$name.log")"
  else
    : >"$logs/$name.failed"
    printf '== %s FAILED after %d s\n' "$name" $((SECONDS - begun))
  fi
}
export -f job
export logs

pool() {
  printf '%s\0' "${scripts[@]}" |
    xargs -0 -P "${WORKERS:-2}" -I '{}' bash -c 'entry=$1; job "${entry%%:*}" "${entry#*:}"' _ '{}'
}

# again LOG: the tests that failed in it once more, each alone; CI alone asks for that.
again() {
  [[ ${AGAIN:-} == 1 ]] && bash Tests/again.sh "$1"
}

# Scripts that failed beside others, once more, each alone: programs that are not ours (ModemManager) lose word of a
# text on a machine that is busy.
again_alone() {
  [[ ${AGAIN:-} == 1 ]] || return 0
  local entry name
  for entry in "${scripts[@]}"; do
    name=${entry%%:*}
    [[ -e $logs/$name.failed ]] || continue
    rm "$logs/$name.failed"
    mv "$logs/$name.log" "$logs/$name-first.log"
    printf '\n== Running %s again, alone\n' "$name"
    job "$name" "${entry#*:}"
  done
}

# What failed stands thousands of lines above the end of the output: said once more where people look.
failures() {
  printf '\n== What failed, once more (all of it: %s)\n' "$1"
  { grep -aE -A4 '^✘ Test .* recorded an issue|^✘ Test .* failed|error: |Fatal error' "$1" || true; } |
    { grep -avE '^(✔|◇)' || true; } | tail -n 60
}

end() {
  local status=0
  for failed in "$logs"/*.failed; do
    [[ -e $failed ]] || continue
    status=1
    log=${failed%.failed}.log
    case $(basename "$log") in
    suites.log | stores.log) ;;
    *)
      printf '\n== What %s printed\n' "$(basename "$log" .log)"
      tail -n 200 "$log" || true
      ;;
    esac
  done
  exit "$status"
}

children=()
finish() {
  local status=$?
  trap - EXIT INT TERM
  [[ ${#children[@]} -eq 0 ]] || kill "${children[@]}" 2>/dev/null || true
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

if [[ ${1:-} == scripts ]]; then
  pool
  again_alone
  end
fi

# The stores, then the days, which are all processor, beside the suites. The test program itself is run for them:
# SwiftPM lets nobody else in while it runs tests.
(
  job stores "'$bin/checkpostPackageTests.xctest' --testing-library swift-testing --filter '$stores'"
  job days "CHECKPOST_TEST_SEEDS=${SEEDS:-200} '$bin/Simulations'"
) &
children+=($!)
pool &
children+=($!)

printf '\n== Running the tests\n'
if ! swift test --skip-build --skip "$stores" 2>&1 | tee "$logs/suites.log"; then : >"$logs/suites.failed"; fi
printf '\n== Waiting for what runs beside them\n'
wait "${children[@]}" || : >"$logs/pool.failed"
children=()
grep -aE '^. Test run with ' "$logs/stores.log" || true

# Nothing runs beside them now. What failed is run once more where that is asked for, and named.
for name in suites stores; do
  [[ -e $logs/$name.failed ]] || continue
  failures "$logs/$name.log"
  if again "$logs/$name.log"; then rm "$logs/$name.failed"; fi
done
again_alone
end
