// Transactions: what those of each label cost, at all nodes together.

import { sumOf } from '../figures.js';
import { count, millis, percent, ratio } from '../format.js';
import { listen, state } from '../live.js';
import { h } from '../page.js';
import { table } from '../table.js';

const sum = (rows, name) => rows.reduce((all, row) => all + row[name], 0);

/** The labels of all nodes, each once. */
export function byLabel(nodes) {
  const labels = new Map();
  for (const node of nodes) {
    for (const row of node.labels) {
      labels.set(row.label, [...(labels.get(row.label) ?? []), row]);
    }
  }
  return [...labels].map(([label, rows]) => {
    const aborts = sumOf(rows.map((row) => row.aborts));
    return {
      label,
      commits: sum(rows, 'commits'),
      attempts: sum(rows, 'attempts'),
      remoteRequests: sum(rows, 'remoteRequests'),
      aborts,
      aborted: Object.values(aborts).reduce((a, b) => a + b, 0),
      p50: Math.max(...rows.map((row) => row.p50Millis)),
      p99: Math.max(...rows.map((row) => row.p99Millis)),
    };
  });
}

export default function transactions(body) {
  const perCommit = (one) => (one.commits > 0 ? one.remoteRequests / one.commits : null);
  const part = (one) => (one.attempts > 0 ? one.aborted / one.attempts : null);
  const rows = table({
    caption: 'Transactions of clients by label, since the nodes started',
    file: 'canopy-transactions',
    columns: [
      {
        name: 'Label',
        value: (one) => one.label,
        show: (one) => h('a', { href: `#explain?${new URLSearchParams({ label: one.label })}` }, one.label || '(none)'),
      },
      { name: 'Commits', number: true, value: (one) => one.commits, show: (one) => count(one.commits) },
      { name: 'Attempts', number: true, value: (one) => one.attempts, show: (one) => count(one.attempts) },
      { name: 'Aborted', number: true, value: part, show: (one) => percent(part(one)) },
      {
        name: 'Codes',
        value: (one) => Object.entries(one.aborts).map(([code, times]) => `${code}: ${times}`).join(' '),
        show: (one) => Object.entries(one.aborts).map(([code, times]) => `${code}: ${count(times)}`).join(', ') || '–',
      },
      { name: 'p50', number: true, value: (one) => one.p50, show: (one) => millis(one.p50) },
      { name: 'p99', number: true, value: (one) => one.p99, show: (one) => millis(one.p99) },
      { name: 'Remote requests', number: true, value: perCommit, show: (one) => ratio(perCommit(one)) },
    ],
    none: 'No client has begun a transaction since the nodes started.',
  });
  body.append(
    h('p', { class: 'note' }, 'A label is what a program calls its transactions. p50 and p99 are those of the slowest node; remote requests are per commit. A label leads to its slowest transactions, step by step.'),
    rows.element,
  );
  const show = () => rows.update(byLabel(state.transactions?.nodes ?? []));
  show();
  return listen(show);
}
