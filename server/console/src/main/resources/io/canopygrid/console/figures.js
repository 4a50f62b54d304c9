// What the counts of two moments say about the time between them.

/** The sum of maps from names to numbers. */
export function sumOf(maps) {
  const sum = {};
  for (const map of maps) {
    for (const [name, value] of Object.entries(map)) {
      sum[name] = (sum[name] ?? 0) + value;
    }
  }
  return sum;
}

/** What was counted at a node since it was asked before; null: it has started anew since then. */
function between(before, now) {
  if (now.commits < before.commits || now.attempts < before.attempts) {
    return null;
  }
  const aborts = {};
  for (const [code, value] of Object.entries(now.aborts)) {
    const more = value - (before.aborts[code] ?? 0);
    if (more > 0) {
      aborts[code] = more;
    }
  }
  const known = new Map(before.latency);
  const latency = now.latency
    .map(([nanos, times]) => [nanos, times - (known.get(nanos) ?? 0)])
    .filter(([, times]) => times > 0);
  return {
    node: now.node,
    commits: now.commits - before.commits,
    attempts: now.attempts - before.attempts,
    remoteRequests: now.remoteRequests - before.remoteRequests,
    aborts,
    latency,
  };
}

/** The time that a part of all took at most, in milliseconds; null where nothing was measured. */
export function percentile(latencies, part) {
  const sorted = latencies.flat().sort((a, b) => a[0] - b[0]);
  const all = sorted.reduce((sum, [, times]) => sum + times, 0);
  let seen = 0;
  for (const [nanos, times] of sorted) {
    seen += times;
    if (seen >= Math.ceil(all * part)) {
      return nanos / 1e6;
    }
  }
  return null;
}

/** The differences of two answers of all nodes, with what they come to per second. */
export function sample(before, now, seconds, time) {
  const nodes = [];
  for (const node of now.nodes) {
    const old = before.nodes.find((one) => one.node === node.node);
    const found = old === undefined ? null : between(old, node);
    if (found !== null) {
      nodes.push(found);
    }
  }
  const sum = (name) => nodes.reduce((all, node) => all + node[name], 0);
  const latency = nodes.map((node) => node.latency);
  return {
    time,
    seconds,
    nodes,
    commits: sum('commits') / seconds,
    attempts: sum('attempts') / seconds,
    remoteRequests: sum('remoteRequests') / seconds,
    aborts: sumOf(nodes.map((node) => node.aborts)),
    p50: percentile(latency, 0.5),
    p99: percentile(latency, 0.99),
  };
}

/** Several samples as one. */
export function joined(samples) {
  const seconds = samples.reduce((all, one) => all + one.seconds, 0);
  const mean = (name) => samples.reduce((all, one) => all + one[name] * one.seconds, 0) / seconds;
  const latency = samples.flatMap((one) => one.nodes.map((node) => node.latency));
  return {
    seconds,
    commits: mean('commits'),
    attempts: mean('attempts'),
    remoteRequests: mean('remoteRequests'),
    aborts: sumOf(samples.map((one) => one.aborts)),
    p50: percentile(latency, 0.5),
    p99: percentile(latency, 0.99),
  };
}
