// Config & health: is this server ready, and which settings it runs with.

import { get } from '../api.js';
import { state } from '../live.js';
import { empty, failure, h, input, section } from '../page.js';
import { table } from '../table.js';

async function health(path) {
  const response = await fetch(path, { credentials: 'omit', cache: 'no-store' });
  return { path, status: response.status, text: (await response.text()).trim() };
}

export default async function config(body, parameters, remember) {
  const checks = table({
    caption: 'Health of this server, as load balancers ask for it',
    file: 'canopy-health',
    fixed: true,
    columns: [
      { name: 'Question', value: (one) => one.path },
      { name: 'Answer', value: (one) => one.text, wide: true, show: (one) => h('span', { class: `badge ${one.status === 200 ? 'good' : 'bad'}` }, one.text) },
      { name: 'Status', number: true, value: (one) => one.status },
    ],
  });
  const filter = input('Filter', { type: 'search', value: parameters.get('filter') ?? '' });
  const changed = h('input', { type: 'checkbox', checked: parameters.get('changed') === 'true' });
  const settings = table({
    caption: 'Settings of this server',
    file: 'canopy-settings',
    columns: [
      { name: 'Setting', value: (one) => one.setting },
      { name: 'Value', value: (one) => one.value, wide: true },
      { name: 'From', value: (one) => one.from, wide: true },
    ],
    none: 'No setting is like that. Take letters away from the filter.',
  });
  const place = h('div', { class: 'stack' });
  body.append(
    h('p', { class: 'note' }, `Grid ${state.cluster?.grid ?? '–'}, founded ${state.cluster?.founded ?? '–'}, topology ${state.cluster?.topology ?? '–'}`),
    section('Health', checks.element),
    section('Settings', place),
  );
  checks.update(await Promise.all(['/health/live', '/health/ready'].map(health)));
  let all;
  try {
    const told = (await get('/config')).settings;
    all = Object.entries(told).map(([setting, one]) => ({ setting, ...one }));
  } catch (error) {
    place.append(error.status === 403 ? empty('Settings are for administrators: they also say where files are. ', h('span', {}, `(${error.code})`)) : failure(error));
    return;
  }
  const show = () => {
    const wanted = filter.element.value.toLowerCase();
    const only = changed.checked;
    settings.update(
      all.filter((one) => `${one.setting} ${one.value}`.toLowerCase().includes(wanted) && (!only || one.from !== 'default')),
    );
  };
  const again = () => {
    remember({ filter: filter.element.value, changed: changed.checked });
    show();
  };
  filter.element.addEventListener('input', again);
  changed.addEventListener('change', again);
  place.append(
    h('div', { class: 'fields' }, filter.label, h('label', { class: 'field inline' }, changed, h('span', {}, 'Only what was set'))),
    settings.element,
  );
  show();
}
