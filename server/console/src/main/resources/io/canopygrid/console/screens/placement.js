// Placement: what each node has, how even that is, and what is being moved.

import { get } from '../api.js';
import { count, duration, percent, rate, ratio, size } from '../format.js';
import { listen, state } from '../live.js';
import { byName, nodeColour, nodeName } from '../nodes.js';
import { choice, empty, figure, h, section } from '../page.js';
import { table } from '../table.js';

const WRITE_WEIGHT = 4;
const MEASURES = {
  entries: ['Entries', (row) => row.entries, count],
  bytes: ['Bytes', (row) => row.bytes, size],
  load: ['Load (reads/s + 4 × writes/s)', (row) => row.readsPerSecond + WRITE_WEIGHT * row.writesPerSecond, rate],
};

/** The greatest part of all against the mean: 1 is even. */
export function skew(values) {
  const sum = values.reduce((a, b) => a + b, 0);
  return sum === 0 ? null : Math.max(...values) / (sum / values.length);
}

/** The moves under way, which are told again and again. */
function moves() {
  const rows = table({
    caption: 'Moves under way',
    file: 'canopy-moves',
    columns: [
      { name: 'Index', value: (job) => job.index },
      { name: 'From key', value: (job) => job.from, wide: true },
      { name: 'To', value: (job) => nodeName(job.to) },
      { name: 'Moved', number: true, value: (job) => job.moved, show: (job) => `${count(job.moved)} of ${count(job.entries)}, ${percent(job.entries > 0 ? job.moved / job.entries : null)}` },
      { name: 'Left', number: true, value: (job) => job.etaMillis, show: (job) => (job.etaMillis > 0 ? duration(job.etaMillis) : '–') },
    ],
    none: 'Nothing is being moved.',
  });
  return {
    element: rows.element,
    show: () => rows.update((state.jobs?.jobs ?? []).filter((job) => job.job === 'move' && job.state === 'running')),
  };
}

export default async function placement(body, parameters, remember) {
  const rows = (await get('/placement')).placement;
  const indexes = [...new Set(rows.map((row) => row.index))];
  if (rows.length === 0) {
    body.append(empty('There is no index that you may read, so no node has anything of one.'));
    return;
  }
  const chosen = {
    index: indexes.includes(parameters.get('index')) ? parameters.get('index') : '',
    by: parameters.get('by') in MEASURES ? parameters.get('by') : 'entries',
  };
  const bars = h('div', { class: 'bars' });
  const underWay = moves();
  const skewFigure = figure('Skew', 'the fullest node against the mean; 1.00 is even');
  const total = figure('All nodes');
  const all = table({
    caption: 'What each node has of each index',
    file: 'canopy-placement',
    columns: [
      { name: 'Index', value: (row) => row.index },
      { name: 'Node', value: (row) => nodeName(row.node) },
      { name: 'Subtrees', number: true, value: (row) => row.subtrees, show: (row) => count(row.subtrees) },
      { name: 'Entries', number: true, value: (row) => row.entries, show: (row) => count(row.entries) },
      { name: 'Bytes', number: true, value: (row) => row.bytes, show: (row) => size(row.bytes) },
      { name: 'Reads/s', number: true, value: (row) => row.readsPerSecond, show: (row) => rate(row.readsPerSecond) },
      { name: 'Writes/s', number: true, value: (row) => row.writesPerSecond, show: (row) => rate(row.writesPerSecond) },
    ],
  });

  function show() {
    const [title, value, format] = MEASURES[chosen.by];
    const mine = rows.filter((row) => chosen.index === '' || row.index === chosen.index);
    const known = (state.cluster?.nodes ?? []).map((node) => node.node);
    const places = byName(new Set([...known, ...mine.map((row) => row.node)]));
    const sums = places.map((node) => mine.filter((row) => row.node === node).reduce((sum, row) => sum + value(row), 0));
    const most = Math.max(...sums, 0);
    skewFigure.set(ratio(skew(sums)), '');
    total.set(format(sums.reduce((a, b) => a + b, 0)), '', title);
    bars.replaceChildren(
      ...places.map((node, place) =>
        h(
          'div',
          { class: 'bar-row' },
          h('span', { class: 'bar-name' }, nodeName(node)),
          h('span', { class: 'bar-track' }, h('span', { class: `bar ${nodeColour(node)}`, css: { width: `${most > 0 ? (sums[place] / most) * 100 : 0}%` } })),
          h('span', { class: 'bar-value' }, format(sums[place])),
        ),
      ),
    );
    all.update(mine);
  }

  const choose = (name) => (text) => {
    chosen[name] = text;
    remember(chosen);
    show();
  };
  body.append(
    h(
      'div',
      { class: 'fields' },
      choice('Index', [['', 'all indexes'], ...indexes.map((name) => [name, name])], chosen.index, choose('index')),
      choice('By', Object.entries(MEASURES).map(([name, [title]]) => [name, title]), chosen.by, choose('by')),
    ),
    h('div', { class: 'figures' }, skewFigure.element, total.element),
    bars,
    all.element,
    section('Moves', underWay.element),
  );
  show();
  underWay.show();
  return listen(underWay.show);
}
