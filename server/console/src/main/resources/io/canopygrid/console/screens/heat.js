// Heat: which parts of an index are used most of late.

import { get } from '../api.js';
import { count, percent, rate } from '../format.js';
import { chooseIndex } from '../indexes.js';
import { nodeName } from '../nodes.js';
import { failure, figure, h } from '../page.js';
import { table } from '../table.js';

const WRITE_WEIGHT = 4;
const LEVELS = 6;

const load = (one) => one.readsPerSecond + WRITE_WEIGHT * one.writesPerSecond;

/** The step of a colour scale, by powers of two below the greatest. */
function level(value, most) {
  return value <= 0 ? 0 : Math.max(1, LEVELS - Math.floor(Math.log2(most / value)));
}

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

export default async function heat(body, parameters, remember) {
  const place = h('div', { class: 'stack' });
  body.append(place);
  await chooseIndex(body, parameters, remember, async (index) => {
    try {
      place.replaceChildren(...parts(await get(`/indexes/${encodeURIComponent(index.index)}`)));
    } catch (error) {
      place.replaceChildren(failure(error));
    }
  });
}
