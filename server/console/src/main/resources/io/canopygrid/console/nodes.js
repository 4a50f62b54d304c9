// The nodes by name and colour: a node has one colour on all screens.

import { h } from './page.js';
import { state } from './live.js';

const COLOURS = 8;

export function nodeName(id) {
  if (id === null || id === undefined) {
    return 'no node';
  }
  const node = state.cluster?.nodes.find((one) => one.node === id);
  return node?.name ?? id;
}

/** Ids of nodes in the order of their names. */
export function byName(ids) {
  return [...ids].sort((a, b) => nodeName(a).localeCompare(nodeName(b), 'en', { numeric: true }));
}

/** The class of a node's colour, by its place among the nodes of the cluster. */
export function nodeColour(id) {
  if (id === null || id === undefined) {
    return 'node-none';
  }
  const place = (state.cluster?.nodes ?? []).map((one) => one.node).sort().indexOf(id);
  return place < 0 ? 'node-none' : `node-${place % COLOURS}`;
}

/** A key to the colours of these nodes. */
export function legend(ids) {
  return h(
    'ul',
    { class: 'legend' },
    ids.map((id) => h('li', {}, h('span', { class: `swatch ${nodeColour(id)}` }), nodeName(id))),
  );
}
