#!/usr/bin/env bash
# Runs once more, each by itself, the tests that failed in the log of a whole run; says which they were.
# Ends with 0 only when every one of them passes now. CI alone does this: a machine that others load can
# fail a test that waits for real programs, and the name of such a test must reach those who mend it.
# A run that ended before its last line (a crash), or one with many failures, is not run again.
set -euo pipefail

log=${1:?usage: again.sh LOG}
most=5

if ! grep -aqE '^✘ Test run with [0-9]+ tests? ' "$log"; then
  echo "checkpost: the run of the tests did not come to its end, so that nothing is run again" >&2
  exit 1
fi
mapfile -t names < <(sed -nE 's/^✘ Test ([A-Za-z0-9_]+)\(.*\) (with [0-9]+ test cases? )?failed after .*/\1/p' "$log" | sort -u)
# A test with a name in quotes cannot be asked for by that name.
quoted=$(grep -acE '^✘ Test ".*" (with [0-9]+ test cases? )?failed after ' "$log" || true)
if [[ ${#names[@]} -eq 0 || ${#names[@]} -gt $most || $quoted -gt 0 ]]; then
  exit 1
fi
for name in "${names[@]}"; do
  printf '\n== Running %s again, alone\n' "$name"
  output=$(mktemp)
  if ! swift test --skip-build --filter "/$name\\(" >"$output" 2>&1 \
    || ! grep -aqE '^✔ Test run with [1-9][0-9]* tests? ' "$output"; then
    tail -n 40 "$output"
    rm -f "$output"
    exit 1
  fi
  rm -f "$output"
done
printf '\n== Failed in the whole run, passed alone; each is a test to be mended: %s\n' "${names[*]}"
