// Jobs: changes of structure under way, and the last ones.

import { count, duration, moment } from '../format.js';
import { listen, state } from '../live.js';
import { nodeName } from '../nodes.js';
import { h } from '../page.js';
import { table } from '../table.js';

const STATES = { running: 'warn', done: 'good', in_the_way: 'bad', impossible: '' };

export default function jobs(body) {
  const rows = table({
    caption: 'Changes of structure',
    file: 'canopy-jobs',
    columns: [
      { name: 'Started', value: (one) => one.started, show: (one) => moment(one.started) },
      { name: 'Job', value: (one) => one.job },
      { name: 'Index', value: (one) => one.index },
      { name: 'From', value: (one) => one.from, wide: true },
      { name: 'State', value: (one) => one.state, show: (one) => h('span', { class: `badge ${STATES[one.state]}` }, one.state.replaceAll('_', ' ')) },
      { name: 'Reason', value: (one) => one.reason },
      { name: 'By', value: (one) => nodeName(one.by) },
      { name: 'To', value: (one) => (one.to === null ? null : nodeName(one.to)) },
      { name: 'Moved', number: true, value: (one) => one.moved, show: (one) => `${count(one.moved)} of ${count(one.entries)}` },
      { name: 'Took', number: true, value: (one) => one.millis, show: (one) => duration(one.millis) },
      { name: 'Left', number: true, value: (one) => one.etaMillis, show: (one) => (one.etaMillis > 0 ? duration(one.etaMillis) : '–') },
    ],
    none: 'Nothing is being changed, and no node remembers a change: the indexes are cut and placed as they are to be.',
  });
  body.append(rows.element);
  const show = () => rows.update([...(state.jobs?.jobs ?? [])].sort((a, b) => b.started.localeCompare(a.started)));
  show();
  return listen(show);
}
