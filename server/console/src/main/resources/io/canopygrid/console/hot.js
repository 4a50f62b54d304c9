// Hot entries: those that are read most, where copies of them are, and what these save.

import { get } from './api.js';
import { count, rate } from './format.js';
import { byName, nodeName } from './nodes.js';
import { failure, h, section } from './page.js';
import { table } from './table.js';

const AGAIN_MILLIS = 5_000;
const DRAWN_MAX = 12;
const MODES = { on: 'on', off: 'off' };

const text = (key) => (typeof key === 'string' ? key : JSON.stringify(key));
const places = (one) => byName(one.copies).map(nodeName).join(', ');
const atPrimary = (one) => Math.max(0, one.readsPerSecond - one.copyReadsPerSecond);

const COLOURS = [['series-1', 'answered by copies'], ['series-3', 'answered by the primary']];

/** A bar for each of the first entries, of which the first part was answered by copies. */
function drawn(entries) {
  const most = Math.max(...entries.map((one) => one.readsPerSecond), 0);
  const width = (value) => ({ width: `${most > 0 ? (value / most) * 100 : 0}%` });
  return h(
    'div',
    { class: 'bars' },
    h('ul', { class: 'legend' }, COLOURS.map(([colour, words]) => h('li', {}, h('span', { class: `swatch ${colour}` }), words))),
    entries.slice(0, DRAWN_MAX).map((one) =>
      h(
        'div',
        { class: 'bar-row' },
        h('span', { class: 'bar-name' }, text(one.key), h('span', { class: 'second' }, one.index)),
        h('span', { class: 'bar-track bar-parts' }, h('span', { class: 'bar series-1', css: width(one.copyReadsPerSecond) }), h('span', { class: 'bar series-3', css: width(atPrimary(one)) })),
        h('span', { class: 'bar-value' }, `${rate(one.readsPerSecond)}/s`),
      ),
    ),
  );
}

function entryTable() {
  return table({
    caption: 'Hot entries, the most read first',
    file: 'canopy-hot-entries',
    columns: [
      { name: 'Index', value: (one) => one.index },
      { name: 'Key', value: (one) => one.key, show: (one) => text(one.key), wide: true },
      { name: 'Primary', value: (one) => nodeName(one.node) },
      { name: 'Copies at', value: places, show: (one) => places(one) || 'no node' },
      { name: 'Reads/s', number: true, value: (one) => one.readsPerSecond, show: (one) => rate(one.readsPerSecond) },
      { name: 'By copies/s', number: true, value: (one) => one.copyReadsPerSecond, show: (one) => rate(one.copyReadsPerSecond) },
    ],
  });
}

function nodeTable() {
  return table({
    caption: 'Hot entries by node, since its start',
    file: 'canopy-hot-nodes',
    columns: [
      { name: 'Node', value: (one) => nodeName(one.node) },
      { name: 'Hot copies', value: (one) => MODES[one.mode] },
      { name: 'Its hot entries', number: true, value: (one) => one.keys, show: (one) => count(one.keys) },
      { name: 'Copies it keeps', number: true, value: (one) => one.copies, show: (one) => count(one.copies) },
      { name: 'Hits of its copies', number: true, value: (one) => one.reads, show: (one) => count(one.reads) },
      { name: 'Pushes sent', number: true, value: (one) => one.pushes, show: (one) => count(one.pushes) },
    ],
  });
}

/** The hot entries of all indexes, which are asked for again and again while they are shown. */
export function hotEntries() {
  const entries = entryTable();
  const nodes = nodeTable();
  const words = h('p', { class: 'statement', 'aria-live': 'polite' });
  const picture = h('div');
  const errors = h('div');
  const all = h('div', { class: 'stack' }, picture, entries.element, nodes.element);
  const element = section('Hot entries', words, errors, all);

  async function load() {
    try {
      const told = await get('/hot-entries');
      words.textContent = told.what;
      all.hidden = told.mode === 'off';
      picture.replaceChildren(...(told.entries.length > 0 ? [drawn(told.entries)] : []));
      entries.element.hidden = told.entries.length === 0;
      entries.update(told.entries);
      nodes.update(told.nodes);
      errors.replaceChildren();
    } catch (error) {
      errors.replaceChildren(failure(error));
    }
    setTimeout(() => element.isConnected && load(), AGAIN_MILLIS);
  }

  return { element, load };
}
