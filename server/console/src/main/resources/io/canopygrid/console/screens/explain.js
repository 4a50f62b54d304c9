// Explain: where the time of one transaction went.

import { get } from '../api.js';
import { count, millis, moment, percent } from '../format.js';
import { nodeName } from '../nodes.js';
import { choice, empty, failure, figure, h, section } from '../page.js';
import { table } from '../table.js';

const ALL = '*';
const TICKS = 4;
const KINDS = [
  ['local', 'Local: work of the node that runs it'],
  ['remote', 'Remote: another node is asked'],
  ['wait', 'Wait: a turn, a lock, owners, the client'],
  ['commit', 'Commit, and its parts'],
];

const ending = (one) => (one.code === '' ? 'done' : one.code);
const place = (step) => [step.index, step.shard === undefined ? null : `shard ${step.shard}`].filter(Boolean).join(', ');
const rowsOf = (step) => (step.rows === undefined ? '' : ` (${count(step.rows)} ${step.rows === 1 ? 'row' : 'rows'})`);
const words = (step) => `${step.what}${rowsOf(step)}`;

/** The kind that took most of the time, in a sentence. */
function verdict(one, name) {
  const parts = [
    ['in local steps', one.sums.localMillis],
    ['in questions to other nodes', one.sums.remoteMillis],
    ['in waits', one.sums.waitMillis],
    ['in its commit', one.sums.commitMillis],
    ['between its steps, in work of the server itself', one.sums.otherMillis],
  ].sort((a, b) => b[1] - a[1]);
  const [most, took] = parts[0];
  const part = one.millis > 0 ? ` (${percent(took / one.millis)})` : '';
  return `${one.label || 'A transaction without a label'} took ${millis(one.millis)} at ${name(one.node)}, most of it ${most}: ${millis(took)}${part}.`;
}

function waterfall(one, name) {
  const whole = Math.max(one.millis, ...one.steps.map((step) => step.atMillis + step.millis), 0.001);
  const at = (time) => `${Math.min(100, (100 * time) / whole)}%`;
  const ticks = Array.from({ length: TICKS + 1 }, (_, i) => (whole * i) / TICKS);
  const axis = h(
    'div',
    { class: 'fall-row fall-axis' },
    h('span', {}, 'Step'),
    h('span', { class: 'fall-ticks' }, ticks.map((tick) => h('span', {}, millis(tick)))),
    h('span', { class: 'bar-value' }, 'Time'),
  );
  const rows = one.steps.map((step) =>
    h(
      'div',
      { class: step.part ? 'fall-row fall-part' : 'fall-row' },
      h(
        'span',
        { class: 'fall-name' },
        h('span', { class: `swatch kind-${step.kind}` }),
        step.what.startsWith(step.kind) ? words(step) : `${step.kind}: ${words(step)}`,
        h('span', { class: 'second' }, [place(step), name(step.node), one.tries > 1 ? `attempt ${step.attempt}` : ''].filter(Boolean).join(', ')),
      ),
      h(
        'span',
        { class: 'fall-track' },
        h('span', { class: `fall-bar kind-${step.kind}`, css: { 'margin-left': at(step.atMillis), width: at(step.millis) } }),
      ),
      h('span', { class: 'bar-value' }, millis(step.millis)),
    ),
  );
  const label = `The ${one.steps.length} steps of the transaction on one axis of time; the table below has each`;
  return h(
    'div',
    { class: 'picture' },
    h('ul', { class: 'legend' }, KINDS.map(([kind, text]) => h('li', {}, h('span', { class: `swatch kind-${kind}` }), text))),
    h('div', { class: 'picture-scroll', role: 'region', 'aria-label': 'Waterfall', tabindex: '0' }, h('div', { class: 'fall', role: 'img', 'aria-label': label }, axis, rows)),
    h(
      'p',
      { class: 'note' },
      `Small bars are parts of the commit, or questions asked at the same time: their time is in the bar above them. ${millis(one.sums.otherMillis)} are in no step: there the server itself worked.`,
      one.leftOut > 0 ? ` ${count(one.leftOut)} more steps were left out; their time is in the sums.` : '',
    ),
  );
}

function attempts(one) {
  if (one.attempts.length === 1 && one.attempts[0].code === '') {
    return null;
  }
  const why = (attempt) => {
    const where = attempt.index ? ` in ${attempt.index}` : '';
    const who = attempt.other ? `, by ${attempt.other}` : '';
    return attempt.code === '' ? 'done' : `${attempt.code}${where}${who}`;
  };
  const list = table({
    caption: 'Attempts',
    file: `canopy-attempts-${one.transaction}`,
    fixed: true,
    columns: [
      { name: 'Attempt', value: (attempt) => attempt.attempt },
      { name: 'Began after', number: true, value: (attempt) => attempt.atMillis, show: (attempt) => millis(attempt.atMillis) },
      { name: 'Took', number: true, value: (attempt) => attempt.millis, show: (attempt) => millis(attempt.millis) },
      { name: 'Ended', value: why, wide: true },
    ],
  });
  list.update(one.attempts);
  return list.element;
}

function explained(one) {
  const name = (id) => one.nodes[id] ?? nodeName(id);
  const sum = (title, value) => {
    const shown = figure(title);
    shown.set(millis(value), '', one.millis > 0 ? `${percent(value / one.millis)} of the time` : '');
    return shown.element;
  };
  const steps = table({
    caption: `Steps of ${one.transaction}`,
    file: `canopy-explain-${one.transaction}`,
    fixed: true,
    columns: [
      { name: 'Kind', value: (step) => step.kind, show: (step) => (step.part ? `${step.kind}, a part` : step.kind) },
      { name: 'Step', value: (step) => step.what, wide: true },
      { name: 'Index', value: (step) => step.index ?? '' },
      { name: 'Shard', number: true, value: (step) => step.shard, show: (step) => count(step.shard) },
      { name: 'Node', value: (step) => name(step.node) },
      { name: 'Rows', number: true, value: (step) => step.rows, show: (step) => count(step.rows) },
      { name: 'Attempt', number: true, value: (step) => step.attempt },
      { name: 'Began after', number: true, value: (step) => step.atMillis, show: (step) => millis(step.atMillis) },
      { name: 'Took', number: true, value: (step) => step.millis, show: (step) => millis(step.millis) },
    ],
  });
  steps.update(one.steps);
  return section(
    `Transaction ${one.transaction}`,
    h('p', { class: 'statement' }, verdict(one, name)),
    h(
      'div',
      { class: 'stack' },
      h('div', { class: 'figures' }, [
        sum('Remote', one.sums.remoteMillis),
        sum('Wait', one.sums.waitMillis),
        sum('Commit', one.sums.commitMillis),
        sum('Local and other', one.sums.localMillis + one.sums.otherMillis),
      ]),
      waterfall(one, name),
      attempts(one),
      h('details', {}, h('summary', {}, 'The steps as a table'), steps.element),
    ),
  );
}

export default async function explain(body, parameters, remember) {
  const rows = (await get('/transactions/explained')).transactions;
  const wanted = parameters.get('transaction');
  const labels = [...new Set(rows.map((row) => row.label))].sort();
  const asked = parameters.get('label');
  let label = asked === null ? ALL : asked;
  const shown = () => rows.filter((row) => label === ALL || row.label === label);
  const one = h('div', { class: 'stack' });
  const list = table({
    caption: 'Recorded transactions of the last hour, at all nodes',
    file: 'canopy-explained',
    columns: [
      {
        name: 'Transaction',
        value: (row) => row.transaction,
        show: (row) => h('a', { href: `#explain?${new URLSearchParams({ ...(label === ALL ? {} : { label }), transaction: row.transaction })}` }, row.transaction),
      },
      { name: 'Label', value: (row) => row.label, show: (row) => row.label || '(none)' },
      { name: 'Began', value: (row) => row.began, show: (row) => moment(row.began) },
      { name: 'Took', number: true, value: (row) => row.millis, show: (row) => millis(row.millis) },
      { name: 'Remote', number: true, value: (row) => row.sums.remoteMillis, show: (row) => millis(row.sums.remoteMillis) },
      { name: 'Wait', number: true, value: (row) => row.sums.waitMillis, show: (row) => millis(row.sums.waitMillis) },
      { name: 'Commit', number: true, value: (row) => row.sums.commitMillis, show: (row) => millis(row.sums.commitMillis) },
      { name: 'Attempts', number: true, value: (row) => row.tries, show: (row) => count(row.tries) },
      { name: 'Ended', value: ending },
      { name: 'Node', value: (row) => nodeName(row.node) },
    ],
    none: 'There is none of this label.',
  });
  if (rows.length > 0) {
    const options = [[ALL, 'All labels'], ...labels.map((name) => [name, name || '(none)'])];
    const select = choice('Label', options, label, (chosen) => {
      label = chosen;
      remember(chosen === ALL ? {} : { label: chosen });
      list.update(shown());
    });
    body.append(select, one, list.element);
    list.update(shown());
  } else {
    body.append(
      one,
      empty(
        'No transaction was recorded of late. Of each label a server records one transaction per second, and keeps the slowest of an hour: run a program, and open this screen again. A certain one is recorded with "explain": true in a request to /api/v1/transactions.',
      ),
    );
  }
  const slowest = [...shown()].sort((a, b) => b.millis - a.millis)[0]?.transaction;
  const id = wanted ?? slowest;
  if (id !== undefined) {
    try {
      one.replaceChildren(explained(await get(`/transactions/explained/${encodeURIComponent(id)}`)));
    } catch (error) {
      const gone = 'No node has the steps of this transaction any more: servers keep the slowest of the last hour, and the last 10 that somebody asked for.';
      one.replaceChildren(error.status === 404 ? empty(gone) : failure(error));
    }
  }
}
