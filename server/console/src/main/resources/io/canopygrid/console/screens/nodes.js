// Nodes: what each has and does, and what keeps old versions.

import { get } from '../api.js';
import { duration, count, moment, rate, size } from '../format.js';
import { listen, state } from '../live.js';
import { byName, nodeName } from '../nodes.js';
import { failure, h, section } from '../page.js';
import { table } from '../table.js';

/** A part of a whole as a bar with its numbers. */
function meter(used, most, label) {
  if (used === null || used === undefined || !most) {
    return '–';
  }
  const part = used / most;
  const level = part > 0.9 ? 'bad' : part > 0.75 ? 'warn' : '';
  return h(
    'span',
    { class: 'meter' },
    h('span', { class: 'track' }, h('span', { class: `fill ${level}`, css: { width: `${Math.min(100, part * 100)}%` } })),
    h('span', { class: 'meter-text' }, `${size(used)} of ${size(most)}`, h('span', { class: 'unseen' }, ` ${label}`)),
  );
}

/** A state as a word with a colour. */
const badge = (text) => h('span', { class: `badge ${text === 'ready' ? 'good' : 'bad'}` }, text);

export default async function nodes(body) {
  const all = table({
    caption: 'Nodes',
    file: 'canopy-nodes',
    columns: [
      {
        name: 'Node',
        value: (node) => node.name ?? node.node,
        show: (node) => h('span', {}, h('strong', {}, node.name ?? node.node), h('span', { class: 'second' }, node.address ?? node.node)),
      },
      { name: 'State', value: (node) => node.state, show: (node) => badge(node.state) },
      { name: 'Heap', number: true, value: (node) => node.heapUsedBytes, show: (node) => meter(node.heapUsedBytes, node.heapMaxBytes, 'of the heap are used') },
      {
        name: 'Disk',
        number: true,
        value: (node) => (node.dataTotalBytes === null ? null : node.dataTotalBytes - node.dataFreeBytes),
        show: (node) =>
          node.dataTotalBytes === null
            ? (node.data ?? '–')
            : meter(node.dataTotalBytes - node.dataFreeBytes, node.dataTotalBytes, 'of the disk are used'),
      },
      { name: 'Primaries', number: true, value: (node) => node.primaries, show: (node) => count(node.primaries) },
      { name: 'Copies', number: true, value: (node) => node.copies, show: (node) => count(node.copies) },
      { name: 'Commits/s', number: true, value: (node) => node.commits, show: (node) => rate(node.commits) },
      { name: 'Oldest open', number: true, value: (node) => node.oldest, show: (node) => (node.oldest === 0 ? 'none' : duration(node.oldest)) },
      {
        name: 'Up, release',
        number: true,
        value: (node) => node.upMillis,
        show: (node) => h('span', {}, duration(node.upMillis), h('span', { class: 'second' }, node.version ?? '–')),
      },
    ],
    none: 'Asking the cluster…',
  });
  const horizon = h('p', { class: 'statement' });
  const holders = table({
    caption: 'What may still read old versions, oldest first',
    file: 'canopy-horizon',
    columns: [
      { name: 'What', value: (one) => one.what },
      { name: 'Where', value: (one) => one.where },
      { name: 'Age', number: true, value: (one) => one.age, show: (one) => duration(one.age) },
    ],
    none: 'No transaction is open and there is no named snapshot: what is overwritten goes at once.',
  });
  body.append(all.element, section('What keeps old versions', horizon, holders.element));

  let snapshots = [];
  const nodesByName = () => {
    const known = state.cluster?.nodes ?? [];
    return byName(known.map((node) => node.node)).map((id) => known.find((node) => node.node === id));
  };
  function show() {
    const load = new Map((state.transactions?.nodes ?? []).map((node) => [node.node, node]));
    const now = state.samples.at(-1);
    all.update(
      nodesByName().map((node) => {
        const done = now?.nodes.find((one) => one.node === node.node);
        return {
          ...node,
          commits: done ? done.commits / now.seconds : null,
          oldest: load.get(node.node)?.oldestMillis ?? null,
        };
      }),
    );
    const old = [...load.values()]
      .filter((node) => node.oldestMillis > 0)
      .map((node) => ({ what: 'oldest open transaction', where: nodeName(node.node), age: node.oldestMillis }));
    const named = snapshots.map((one) => ({
      what: `named snapshot '${one.snapshot}' of ${moment(one.taken)}`,
      where: 'all nodes',
      age: Date.now() - new Date(one.taken).getTime(),
    }));
    const rows = [...old, ...named].sort((a, b) => b.age - a.age);
    holders.update(rows);
    horizon.textContent =
      rows.length === 0
        ? 'Nothing holds the horizon back.'
        : `The horizon is held back by ${rows[0].what}, ${rows[0].where}, ${duration(rows[0].age)} old: all nodes keep what was overwritten since then.`;
  }
  show();
  const end = listen(show);
  try {
    snapshots = (await get('/snapshots')).snapshots;
    show();
  } catch (error) {
    horizon.after(failure(error));
  }
  return end;
}
