// Index shape: how an index is cut. Above the line every node has it; below each part is at a node.
// Administrators split, merge and move parts, once they have allowed changes.

import { get } from '../api.js';
import { permission } from '../changes.js';
import { count, rate, size } from '../format.js';
import { chooseIndex } from '../indexes.js';
import { byName, legend, nodeColour, nodeName } from '../nodes.js';
import { failure, figure, h, s } from '../page.js';
import { reshapeForm } from '../reshape.js';
import { table } from '../table.js';

const WIDTH = 1000;
const ROW = 46;
const GAP = 30;
const LABEL_WIDTH = 74;

/** The library that lays trees out in a plane. */
async function hierarchy() {
  await import('../libraries/d3-hierarchy/d3-hierarchy.min.js');
  return window.d3;
}

/** A rectangle with a text where there is room for it. */
function cell(x, y, width, attributes, text, title) {
  const rect = s('rect', { x, y, width: Math.max(0.5, width - 1), height: ROW - 2, ...attributes }, s('title', {}, title));
  const label = width > LABEL_WIDTH ? s('text', { x: x + 6, y: y + ROW / 2 + 4, class: attributes.label }, text) : null;
  return [rect, label];
}

function picture(d3, shape, choose) {
  const most = Math.max(1, ...shape.subtrees.map((one) => one.entries));
  const tree = d3
    .hierarchy({ children: shape.subtrees })
    .sum((one) => (one.children ? 0 : Math.max(one.entries, most / 200, 1)));
  d3.partition().size([WIDTH, 2 * ROW])(tree);
  const below = 2 * ROW + GAP;
  const line = 2 * ROW + GAP / 2;
  const parts = [...cell(0, 0, WIDTH, { class: 'crown', label: 'crown-text' }, `${shape.index}: ${count(shape.entries)} entries, ${size(shape.bytes)}`, `All of ${shape.index}`)];
  for (const leaf of tree.leaves()) {
    const one = leaf.data;
    const words = `from ${one.from}, ${count(one.entries)} entries, ${size(one.bytes)}, shard ${one.shard}, node ${nodeName(one.node)}`;
    parts.push(...cell(leaf.x0, ROW, leaf.x1 - leaf.x0, { class: 'crown', label: 'crown-text' }, one.from, `Separator: ${words}`));
    parts.push(
      ...cell(
        leaf.x0,
        below,
        leaf.x1 - leaf.x0,
        {
          class: `part ${nodeColour(one.node)}${choose ? ' choosable' : ''}`,
          'fill-opacity': (0.35 + (0.65 * one.entries) / most).toFixed(2),
          label: 'part-text',
          onclick: choose ? () => choose(one) : null,
        },
        count(one.entries),
        words,
      ),
    );
  }
  parts.push(s('line', { x1: 0, x2: WIDTH, y1: line, y2: line, class: 'cut' }));
  return s(
    'svg',
    {
      viewBox: `0 0 ${WIDTH} ${below + ROW}`,
      class: 'icicle',
      role: 'img',
      'aria-label': `${shape.index} has ${shape.subtrees.length} subtrees; the table below has each of them`,
    },
    parts,
  );
}

export default async function shape(body, parameters, remember) {
  const place = h('div', { class: 'stack' });
  const form = h('div', {});
  const message = h('div', { 'aria-live': 'polite' });
  const right = h('div', { class: 'right' });
  body.append(right, h('div', {}, message, form), place);
  let name = null;
  let d3 = null;
  let found = null;

  function draw() {
    form.replaceChildren();
    place.replaceChildren(...parts(d3, found, allowed.isOn() ? open : null));
  }

  const allowed = permission(draw);

  function open(subtree) {
    message.replaceChildren();
    form.replaceChildren(
      reshapeForm({
        index: name,
        subtree,
        close: () => form.replaceChildren(),
        ended: async (words) => {
          await load();
          message.replaceChildren(h('p', { class: 'done' }, words));
        },
      }),
    );
    form.querySelector('select').focus();
  }

  async function load() {
    try {
      [d3, found] = await Promise.all([hierarchy(), get(`/indexes/${encodeURIComponent(name)}`)]);
      draw();
    } catch (error) {
      place.replaceChildren(failure(error));
    }
  }

  await chooseIndex(body, parameters, remember, async (index) => {
    name = index.index;
    allowed.off();
    message.replaceChildren();
    const rights = await get(`/rights?index=${encodeURIComponent(name)}`);
    right.replaceChildren(...(rights.admin ? [allowed.element] : []));
    await load();
  });
}

function changeButton(subtree, choose) {
  return h(
    'button',
    { type: 'button', class: 'quiet-button', onclick: () => choose(subtree) },
    'Change',
    h('span', { class: 'unseen' }, ` the subtree from ${subtree.from}`),
  );
}

function parts(d3, found, choose) {
  const subtrees = figure('Subtrees', `at least ${count(found.cutOff.wanted)} are wanted`);
  subtrees.set(count(found.subtrees.length), '');
  const perNode = figure('Wanted per node', found.cutOff.fixed ? 'fixed by an administrator' : 'found by the balance');
  perNode.set(count(found.cutOff.subtreesPerNode), '');
  const entries = figure('Entries', size(found.bytes));
  entries.set(count(found.entries), '');
  const rows = table({
    caption: `Subtrees of ${found.index}, in the order of their keys`,
    file: `canopy-shape-${found.index}`,
    columns: [
      { name: 'From', value: (one) => one.from, wide: true },
      { name: 'Node', value: (one) => nodeName(one.node), show: (one) => h('span', {}, h('span', { class: `swatch ${nodeColour(one.node)}` }), nodeName(one.node)) },
      { name: 'Shard', number: true, value: (one) => one.shard },
      { name: 'Entries', number: true, value: (one) => one.entries, show: (one) => count(one.entries) },
      { name: 'Bytes', number: true, value: (one) => one.bytes, show: (one) => size(one.bytes) },
      { name: 'Reads/s', number: true, value: (one) => one.readsPerSecond, show: (one) => rate(one.readsPerSecond) },
      { name: 'Writes/s', number: true, value: (one) => one.writesPerSecond, show: (one) => rate(one.writesPerSecond) },
      ...(choose ? [{ name: 'Change', value: () => null, show: (one) => changeButton(one, choose) }] : []),
    ],
  });
  rows.update(found.subtrees);
  return [
    h('div', { class: 'figures' }, subtrees.element, perNode.element, entries.element),
    h(
      'figure',
      { class: 'picture' },
      h('div', { class: 'picture-scroll', tabindex: '0', role: 'region', 'aria-label': 'Picture of the index' }, picture(d3, found, choose)),
      h(
        'figcaption',
        {},
        legend(byName([...new Set(found.subtrees.map((one) => one.node))])),
        h(
          'p',
          { class: 'note' },
          'Above the dashed cut-off line is the crown, which every node has whole. Below it each subtree is at one node, in its colour, with its copies elsewhere; the fuller the colour, the more entries it has.',
        ),
      ),
    ),
    rows.element,
  ];
}
