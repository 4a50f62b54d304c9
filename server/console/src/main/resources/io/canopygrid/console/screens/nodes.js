// Nodes: what each has and does, and what keeps old versions.

import { get } from '../api.js';
import { duration, count, rate, size } from '../format.js';
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

/** A horizon that is younger is as young as it can be: nodes tell each other of it at times. */
const YOUNG_MILLIS = 5000;

const ENDS = {
  transaction: 'when its program ends it, or at cluster.snapshotAgeMax',
  feed: 'when its reader goes on or closes it, or at cluster.snapshotAgeMax',
  commits: 'when all owners have answered',
  disk: 'when the disk is forced',
  snapshot: 'canopy snapshot drop',
  backup: 'when the backup ends; where it was interrupted, canopy snapshot drop',
  retention: 'it moves on by itself; a lower cluster.retention keeps less',
  clone: 'canopy clone flatten, or drop the clone; ten minutes after that',
};

const where = (one) => (one.node === null ? 'all nodes' : nodeName(one.node));

/** The horizon in a sentence. */
function said(past) {
  const first = past.holders[0];
  const age = `The horizon is ${duration(past.horizonMillis)} old.`;
  if (first === undefined || Math.max(past.horizonMillis, first.millis) < YOUNG_MILLIS) {
    return `Nothing holds the horizon back: what is overwritten goes within seconds. ${age}`;
  }
  return `The horizon is held back by ${first.what}, ${where(first)}, ${duration(first.millis)} old: all nodes keep what was overwritten since then. ${age}`;
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
        show: (node) => h('span', {}, h('strong', {}, node.name ?? node.node), h('span', { class: 'second' }, node.address ?? node.node), node.zone ? h('span', { class: 'second' }, `zone ${node.zone}`) : ''),
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
      {
        name: 'Versions',
        number: true,
        value: (node) => node.versions,
        show: (node) => h('span', {}, count(node.versions), h('span', { class: 'second' }, `log: ${count(node.logEntries)}`)),
      },
      {
        name: 'Up, release',
        number: true,
        value: (node) => node.upMillis,
        show: (node) => h('span', {}, duration(node.upMillis), h('span', { class: 'second' }, node.version ?? '–')),
      },
    ],
    none: 'Asking the cluster…',
  });
  const statement = h('p', { class: 'statement' });
  const problem = h('div', { role: 'status' });
  const holders = table({
    caption: 'What keeps old versions, oldest first',
    file: 'canopy-horizon',
    columns: [
      { name: 'What', value: (one) => one.what },
      { name: 'Node', value: where },
      { name: 'Age', number: true, value: (one) => one.millis, show: (one) => duration(one.millis) },
      { name: 'How it ends', value: (one) => ENDS[one.kind], wide: true },
    ],
    none: 'Nothing is open and nothing is kept: what is overwritten goes at once.',
  });
  body.append(all.element, section('What holds the horizon', statement, problem, holders.element));

  let past = null;
  const nodesByName = () => {
    const known = state.cluster?.nodes ?? [];
    return byName(known.map((node) => node.node)).map((id) => known.find((node) => node.node === id));
  };
  function show() {
    const now = state.samples.at(-1);
    all.update(
      nodesByName().map((node) => {
        const done = now?.nodes.find((one) => one.node === node.node);
        const kept = past?.nodes.find((one) => one.node === node.node);
        return { ...node, ...kept, commits: done ? done.commits / now.seconds : null };
      }),
    );
    holders.update(past?.holders ?? []);
    statement.textContent = past === null ? 'Asking the nodes…' : said(past);
  }

  let asked = false;
  let ended = false;
  async function ask() {
    if (asked) {
      return;
    }
    asked = true;
    try {
      past = await get('/horizon');
      problem.replaceChildren();
    } catch (error) {
      problem.replaceChildren(failure(error));
    }
    asked = false;
    if (!ended) {
      show();
    }
  }
  const stop = listen((name) => {
    show();
    if (name === 'transactions') {
      ask();
    }
  });
  show();
  ask();
  return () => {
    ended = true;
    stop();
  };
}
