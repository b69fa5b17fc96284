#!/bin/sh
# Stands in for babbench in tests: its first word says how it ends. A result is the words of its shard.
[ "$1" = --version ] && { echo "babbench 0.0.0"; exit 0; }
if [ "$1" = merge ]; then
  for out; do :; done
  shift
  while [ $# -gt 2 ]; do cat "$1/result.json"; shift; done > "$out.merged"
  exit 1
fi
how=$1
case "$*" in
  lose-once*--help) exit ;;
  *--help) echo "  --resume  Go on where an earlier run ended."; exit ;;
esac
while [ $# -gt 0 ]; do
  case $1 in
    --shard) shard=$2 ;;
    --out) out=$2 ;;
    --resume) resumed=yes ;;
  esac
  shift
done
mkdir -p "$out/worlds"
echo large > "$out/worlds/1"
case $how in
  pass) ;;
  fail) code=1 ;;
  refuse)
    echo "Error: no such scenario" >&2
    echo "Usage: babbench stress" >&2
    exit 64
    ;;
  break) echo "error: the disk is full" >&2; exit 3 ;;
  die) kill -9 $$ ;;
  die-once) [ -n "$resumed" ] || kill -9 $$ ;;
  lose-once)
    [ -e "$out.died" ] || { touch "$out.died"; kill -9 $$; }
    ;;
  wait) trap 'echo saved > "$out/state.json"; exit 130' INT; while :; do sleep 0.05; done ;;
esac
echo "$shard $resumed" > "$out/result.json"
printf 'world\n0\n1\n' > "$out/worlds.csv"
exit ${code:-0}
