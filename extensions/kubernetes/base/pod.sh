# Runs the nodes of one pod in bash, one process per node. The first node has the entry NODES_PER_POD * POD of the
# registry. The folder OWN contains the registry and the secrets of these nodes.
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
# Nodes run until a signal ends them. When one node ends, all other nodes of the pod end, and Kubernetes restarts the pod.
wait -n || true
end
wait || true
exit 1
