// Jobs: changes of structure and long jobs of clients, those under way and the last ones.

import { ask } from '../api.js';
import { confirmed, permission } from '../changes.js';
import { count, duration, moment, percent, rate } from '../format.js';
import { isUnderWay, jobTitle } from '../jobs.js';
import { listen, state } from '../live.js';
import { nodeName } from '../nodes.js';
import { failure, h, section } from '../page.js';
import { table } from '../table.js';

const STATES = { running: 'warn', cancelling: 'warn', done: 'good', in_the_way: 'bad', failed: 'bad', silent: 'bad', cancelled: '', impossible: '' };

const title = { name: 'Job', value: jobTitle, show: (one) => h('span', {}, h('strong', {}, jobTitle(one)), second(one.detail)), wide: true };
const node = { name: 'Node', value: (one) => nodeName(one.by), show: (one) => h('span', {}, nodeName(one.by), second(one.user)) };
const started = { name: 'Started', value: (one) => one.started, show: (one) => h('span', {}, moment(one.started).split(' ').flatMap((part) => [h('span', { class: 'whole' }, part), ' '])) };
const states = {
  name: 'State',
  value: (one) => one.state,
  show: (one) => h('span', {}, h('span', { class: `badge ${STATES[one.state]}` }, one.state.replaceAll('_', ' ')), second(one.error)),
};

function second(text) {
  return text ? h('span', { class: 'second' }, text) : null;
}

/** A bar where it is known how much there is to do. */
function progress(one) {
  if (!one.entries) {
    return `${count(one.moved)} ${one.unit}`;
  }
  const part = Math.min(1, one.moved / one.entries);
  return h(
    'span',
    { class: 'meter' },
    h('span', { class: 'track' }, h('span', { class: 'fill', css: { width: `${part * 100}%` } })),
    h('span', { class: 'meter-text' }, `${count(one.moved)} of ${count(one.entries)} ${one.unit}, ${percent(part)}`),
  );
}

export default function jobs(body) {
  const errors = h('div', { 'aria-live': 'polite' });
  const changes = permission(() => show());

  async function cancel(one, button) {
    const rows = [['Job', jobTitle(one)], ['With', one.detail ?? '–'], ['User', one.user], ['So far', `${count(one.moved)} ${one.unit}`]];
    const isMeant = await confirmed('Cancel this job?', rows, 'Cancel the job');
    button.blur(); // or the table would keep this row as it is
    if (!isMeant) {
      return;
    }
    try {
      await ask('POST', `/jobs/${encodeURIComponent(one.id)}/cancel`);
      errors.replaceChildren(h('p', { class: 'done', role: 'status' }, `${jobTitle(one)} ends within seconds.`));
    } catch (error) {
      errors.replaceChildren(failure(error));
    }
  }

  function button(one) {
    if (!one.cancellable || !changes.isOn()) {
      return one.cancellable ? 'can be' : 'no';
    }
    const made = h('button', { type: 'button', class: 'quiet-button', 'aria-label': `Cancel… ${jobTitle(one)}`, onclick: () => cancel(one, made) }, 'Cancel…');
    return made;
  }

  const running = table({
    caption: 'Jobs under way',
    file: 'canopy-jobs-running',
    columns: [
      title,
      states,
      { name: 'Progress', number: true, value: (one) => one.moved, show: progress },
      { name: 'Rate/s', number: true, value: (one) => one.perSecond, show: (one) => rate(one.perSecond) },
      { name: 'Left', number: true, value: (one) => one.etaMillis, show: (one) => (one.etaMillis > 0 ? duration(one.etaMillis) : '–') },
      started,
      node,
      { name: 'Cancel', value: (one) => String(one.cancellable), show: button },
    ],
    none: 'Nothing is under way.',
  });
  const ended = table({
    caption: 'The last jobs, newest first',
    file: 'canopy-jobs',
    columns: [
      title,
      states,
      { name: 'Reason', value: (one) => one.reason },
      { name: 'Done', number: true, value: (one) => one.moved, show: (one) => `${count(one.moved)} ${one.unit}` },
      { name: 'Took', number: true, value: (one) => one.millis, show: (one) => duration(one.millis) },
      started,
      node,
    ],
    none: 'No node remembers a job: the indexes are cut and placed as they are to be.',
  });
  body.append(section('Under way', h('div', { class: 'fields' }, changes.element), errors, running.element), section('Ended', ended.element));
  function show() {
    const all = [...(state.jobs?.jobs ?? [])].sort((a, b) => b.started.localeCompare(a.started));
    running.update(all.filter(isUnderWay));
    ended.update(all.filter((one) => !isUnderWay(one)));
  }
  show();
  return listen(show);
}
