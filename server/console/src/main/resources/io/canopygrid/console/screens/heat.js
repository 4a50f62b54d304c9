// Heat: which parts of an index were used most in the last hour, which are now, and hot entries.

import { get } from '../api.js';
import { count, percent, rate } from '../format.js';
import { heatMap, level } from '../heatmap.js';
import { hotEntries } from '../hot.js';
import { chooseIndex } from '../indexes.js';
import { nodeName } from '../nodes.js';
import { choice, failure, figure, h } from '../page.js';
import { table } from '../table.js';

const WRITE_WEIGHT = 4;
const RANGES_MAX = 256;
const AGAIN_MILLIS = 10_000;
const MINUTES = [['5', '5 minutes'], ['15', '15 minutes'], ['60', '1 hour']];
const KINDS = {
  load: ['Load (reads/s + 4 × writes/s)', (reads, writes) => reads + WRITE_WEIGHT * writes],
  reads: ['Reads/s', (reads) => reads],
  writes: ['Writes/s', (reads, writes) => writes],
  conflicts: ['Conflicts/s', (reads, writes, conflicts) => conflicts],
};

const load = (one) => one.readsPerSecond + WRITE_WEIGHT * one.writesPerSecond;

function parts(found) {
  const loads = found.subtrees.map(load);
  const all = loads.reduce((a, b) => a + b, 0);
  const most = Math.max(...loads, 0);
  const total = figure('Load', 'reads/s + 4 × writes/s');
  total.set(rate(all), '/s');
  const hottest = figure('Hottest subtree', 'of the load of this index');
  hottest.set(all > 0 ? percent(most / all) : '–', '', all > 0 ? 'of the load of this index' : 'the index is not used now');
  const strip = h(
    'div',
    { class: 'strip', role: 'img', 'aria-label': `Load of the ${found.subtrees.length} subtrees of ${found.index} in the order of their keys; the table has each` },
    found.subtrees.map((one) => h('span', { class: `heat-${level(load(one), most)}`, title: `from ${one.from}: ${rate(load(one))}/s` })),
  );
  const rows = table({
    caption: `Subtrees of ${found.index}, the most used first`,
    file: `canopy-heat-${found.index}`,
    columns: [
      { name: 'From', value: (one) => one.from, wide: true },
      { name: 'Node', value: (one) => nodeName(one.node) },
      { name: 'Load/s', number: true, value: load, show: (one) => rate(load(one)) },
      { name: 'Part', number: true, value: (one) => (all > 0 ? load(one) / all : null), show: (one) => percent(all > 0 ? load(one) / all : null) },
      { name: 'Reads/s', number: true, value: (one) => one.readsPerSecond, show: (one) => rate(one.readsPerSecond) },
      { name: 'Writes/s', number: true, value: (one) => one.writesPerSecond, show: (one) => rate(one.writesPerSecond) },
      { name: 'Entries', number: true, value: (one) => one.entries, show: (one) => count(one.entries) },
    ],
  });
  rows.update([...found.subtrees].sort((a, b) => load(b) - load(a)));
  return [
    h('div', { class: 'figures' }, total.element, hottest.element),
    h('div', { class: 'picture' }, strip, h('p', { class: 'note' }, 'Each field is a subtree, in the order of their keys; a step stronger is twice the load.')),
    rows.element,
  ];
}

/** The table behind the map: each range, over all of its time. */
function ranges(index) {
  return table({
    caption: `Ranges of keys of ${index} over the time of the map`,
    file: `canopy-heat-map-${index}`,
    columns: [
      { name: 'From', value: (one) => one.from, wide: true },
      { name: 'Reads/s', number: true, value: (one) => one.reads, show: (one) => rate(one.reads) },
      { name: 'Writes/s', number: true, value: (one) => one.writes, show: (one) => rate(one.writes) },
      { name: 'Conflicts/s', number: true, value: (one) => one.conflicts, show: (one) => rate(one.conflicts) },
    ],
  });
}

function means(found) {
  const rows = found.ranges.map((one) => ({ from: one.from, reads: 0, writes: 0, conflicts: 0 }));
  for (const [, range, reads, writes, conflicts] of found.cells) {
    rows[range].reads += reads / found.steps;
    rows[range].writes += writes / found.steps;
    rows[range].conflicts += conflicts / found.steps;
  }
  return rows;
}

/** The map of an index, which is asked for again and again while it is shown. */
function mapOf(index, parameters, remember) {
  const chosen = {
    kind: parameters.get('kind') in KINDS ? parameters.get('kind') : 'load',
    minutes: MINUTES.some(([value]) => value === parameters.get('minutes')) ? parameters.get('minutes') : '60',
    from: parameters.get('from') ?? '',
    to: parameters.get('to') ?? '',
  };
  const rows = ranges(index);
  const whole = h('button', { type: 'button', onclick: () => zoom('', '') }, 'All keys');
  const errors = h('div');
  let found = null;
  let timer = null;

  const map = heatMap({
    label: `Use of ${index} by time and key; the table below has each range`,
    choose(first, last) {
      const end = found.ranges[last + 1];
      zoom(found.ranges[first].at, end === undefined ? chosen.to : end.at);
    },
  });

  function show() {
    map.update(found, KINDS[chosen.kind][1]);
    rows.update(means(found));
    whole.hidden = chosen.from === '' && chosen.to === '';
  }

  async function load() {
    clearTimeout(timer);
    try {
      const query = new URLSearchParams({ ranges: RANGES_MAX, minutes: chosen.minutes, from: chosen.from, to: chosen.to });
      found = await get(`/indexes/${encodeURIComponent(index)}/heat?${query}`);
      errors.replaceChildren();
      show();
    } catch (error) {
      errors.replaceChildren(failure(error));
    }
    timer = setTimeout(() => element.isConnected && load(), AGAIN_MILLIS);
  }

  function zoom(from, to) {
    Object.assign(chosen, { from, to });
    remember({ index, ...chosen });
    load();
  }

  const choose = (name, then) => (text) => {
    chosen[name] = text;
    remember({ index, ...chosen });
    then();
  };
  const element = h(
    'div',
    { class: 'stack' },
    h(
      'div',
      { class: 'fields' },
      choice('Show', Object.entries(KINDS).map(([value, [text]]) => [value, text]), chosen.kind, choose('kind', () => found && show())),
      choice('Time', MINUTES, chosen.minutes, choose('minutes', load)),
      whole,
    ),
    map.element,
    h('p', { class: 'note' }, 'Draw over keys to look closer, or choose them with the arrow keys, Shift and Enter.'),
    errors,
    h('details', {}, h('summary', {}, 'The map as a table'), rows.element),
  );
  return { element, load };
}

export default async function heat(body, parameters, remember) {
  const place = h('div', { class: 'stack' });
  const hot = hotEntries();
  body.append(place, hot.element);
  const loaded = hot.load();
  let given = parameters;
  await chooseIndex(body, parameters, remember, async (index) => {
    try {
      const now = parts(await get(`/indexes/${encodeURIComponent(index.index)}`));
      const map = mapOf(index.index, given, remember);
      given = new URLSearchParams();
      place.replaceChildren(map.element, ...now);
      await map.load();
    } catch (error) {
      place.replaceChildren(failure(error));
    }
  });
  await loaded;
}
