#!/usr/bin/env bash
# Prints what each target of Sources imports of ours, lowest first, and fails when there is a cycle.
#
#   Tests/Imports/graph.sh            a line for each target: what it imports
#   Tests/Imports/graph.sh --mermaid  the same as a diagram
set -euo pipefail
cd "$(dirname "$0")/../.."

targets=$(find Sources -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort)

# Lines "user used", also "target target", so that what imports nothing is there as well.
edges=$(
  for target in $targets; do
    echo "$target $target"
    files=$(find "Sources/$target" -name '*.swift')
    [[ -n "$files" ]] || continue
    # shellcheck disable=SC2086
    sed -nE 's/^ *(@[a-z]+ )*((public|package|internal|fileprivate|private) )?import ((struct|class|enum|protocol|func) )?([A-Za-z0-9_]+).*/\6/p' $files \
      | sort -u | comm -12 - <(echo "$targets") | sed "s/^/$target /"
  done
)

# tsort names every cycle on standard error, and fails.
if ! order=$(echo "$edges" | tsort | tac); then
  echo "graph.sh: the imports form a cycle" >&2
  exit 1
fi

if [[ "${1:-}" == --mermaid ]]; then
  echo "flowchart TD"
  echo "$edges" | awk '$1 != $2 { print "  " $1 " --> " $2 }'
  exit
fi

width=$(echo "$targets" | awk '{ if (length > most) most = length } END { print most }')
for target in $order; do
  used=$(echo "$edges" | awk -v user="$target" '$1 == user && $2 != user { print $2 }' | paste -sd ' ')
  printf "%-${width}s  %s\n" "$target" "${used:--}"
done
