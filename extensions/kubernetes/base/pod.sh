# The nodes of one pod, for bash: entries NODES_PER_POD * POD and those that follow, a process each. OWN holds the
# registry and the secrets of these nodes.
set -eu
first=$((POD * NODES_PER_POD))
running=
end() { for node in $running; do kill -TERM "$node" 2>/dev/null || true; done; }
trap end TERM INT
for ((offset = 0; offset < NODES_PER_POD; offset++)); do
  tutti node --registry "$OWN/registry.json" --key "$OWN/secrets.json" --node "$((first + offset))" \
    --bind "$POD_IP:$((7000 + offset))" --metrics-host "$POD_IP" --metrics-port "$((9100 + offset))" \
    --every "$EVERY" --period "$PERIOD" --threshold "$THRESHOLD" --message "$MESSAGE" --json-lines - &
  running="$running $!"
done
# Nodes go on for ever. Whichever ends first, by itself or because the pod is told to end, takes the others with it; and a pod that
# has ended is one to bring back.
wait -n || true
end
wait || true
exit 1
