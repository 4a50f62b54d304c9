// Splits, merges and moves a subtree, once somebody has confirmed that.

import { ask } from './api.js';
import { confirmed } from './changes.js';
import { state } from './live.js';
import { nodeName } from './nodes.js';
import { choice, failure, h, input } from './page.js';

const KINDS = [
  ['move', 'Move it to another node'],
  ['split', 'Split it at a key'],
  ['merge', 'Merge it with its right neighbour'],
];
const ENDS = {
  done: 'Done',
  in_the_way: 'Something was in the way each time; what has been moved stays. Try again',
  impossible: 'Nothing was done: there is nothing to move, or the subtree has changed meanwhile',
};

/** The nodes to which a subtree can go, as choices. */
function places(subtree) {
  return (state.cluster?.nodes ?? [])
    .filter((node) => node.state === 'ready' && node.node !== subtree.node)
    .map((node) => [node.node, nodeName(node.node)]);
}

/**
 * The form for one subtree.
 *
 * @param index its name
 * @param ended is told in words how a change ended
 * @param close takes the form away
 */
export function reshapeForm({ index, subtree, ended, close }) {
  const nodes = places(subtree);
  let kind = nodes.length > 0 ? 'move' : 'split';
  let to = nodes[0]?.[0] ?? '';
  const node = choice('To node', nodes, to, (chosen) => {
    to = chosen;
  });
  const key = input('At key', { name: 'key' });
  const errors = h('div', { 'aria-live': 'polite' });
  const go = h('button', { type: 'submit', class: 'main-button' }, 'Change…');
  const show = () => {
    node.hidden = kind !== 'move';
    key.label.hidden = kind !== 'split';
    key.element.required = kind === 'split';
  };
  const kinds = choice('Change', nodes.length > 0 ? KINDS : KINDS.slice(1), kind, (chosen) => {
    kind = chosen;
    show();
  });

  function asked() {
    if (kind === 'split') {
      return { change: kind, key: key.element.value };
    }
    return kind === 'move' ? { change: kind, at: subtree.at, node: to } : { change: kind, at: subtree.at };
  }

  async function run() {
    const rows = [['Index', index], ['Subtree from', subtree.from], ['Change', KINDS.find(([name]) => name === kind)[1]]];
    if (kind === 'move') {
      rows.push(['To node', nodeName(to)]);
    } else if (kind === 'split') {
      rows.push(['At key', key.element.value]);
    }
    if (!(await confirmed('Change the structure?', rows, 'Change'))) {
      return;
    }
    errors.replaceChildren(h('p', { class: 'note' }, 'It is being done. Jobs shows how far it is.'));
    go.disabled = true;
    try {
      const answer = await ask('POST', `/indexes/${encodeURIComponent(index)}/changes`, asked());
      const job = await answer.json();
      ended(`${ENDS[job.state] ?? job.state}: ${job.job} of the subtree from ${subtree.from}.`);
    } catch (error) {
      errors.replaceChildren(failure(error));
      go.disabled = false;
    }
  }

  show();
  return h(
    'form',
    {
      class: 'editor',
      onsubmit: (event) => {
        event.preventDefault();
        run();
      },
    },
    h('h2', {}, `Subtree from ${subtree.from}, at ${nodeName(subtree.node)}`),
    h('div', { class: 'fields' }, kinds, node, key.label),
    h('p', { class: 'note' }, 'The cluster balances itself, and may undo a change that makes it uneven. No transaction is aborted by it.'),
    h('div', { class: 'fields' }, go, h('button', { type: 'button', class: 'quiet-button', onclick: close }, 'Cancel')),
    errors,
  );
}
