// Data: entries of an index by range. Reading is all it does, until somebody with the right to
// write says that they want to change something; each change is confirmed, and is refused where
// somebody else has changed the entry meanwhile.

import { ask, get } from '../api.js';
import { confirmed, permission } from '../changes.js';
import { chooseIndex } from '../indexes.js';
import { choice, empty, failure, h, input } from '../page.js';
import { table } from '../table.js';

const LIMIT = 50;
const READ_ONLY =
  'This index can be read here, and not changed: you have no right to write to it, or it is part of a table.';

const text = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

/** The value of what was typed: JSON where the codec is of JSON, and else the text of the value. */
function typed(words, codec) {
  return codec.startsWith('json') ? JSON.parse(words) : words;
}

/** The range that is looked at, as fields of a form and as parameters of the address. */
function rangeForm(parameters, onsubmit) {
  const from = input('From key', { name: 'from', value: parameters.get('from') ?? '' });
  const to = input('To key', { name: 'to', value: parameters.get('to') ?? '' });
  const prefix = input('Or prefix', { name: 'prefix', value: parameters.get('prefix') ?? '' });
  let reverse = parameters.get('reverse') === 'true';
  const order = choice('Order', [['', 'ascending'], ['true', 'descending']], reverse ? 'true' : '', (value) => {
    reverse = value === 'true';
  });
  const read = () => ({
    from: from.element.value,
    to: to.element.value,
    prefix: prefix.element.value,
    reverse: reverse ? 'true' : '',
  });
  const element = h(
    'form',
    {
      class: 'fields',
      onsubmit: (event) => {
        event.preventDefault();
        onsubmit();
      },
    },
    from.label,
    to.label,
    prefix.label,
    order,
    h('button', { type: 'submit', class: 'main-button' }, 'Show'),
  );
  return { element, read };
}

export default async function data(body, parameters, remember) {
  let index = null;
  let entries = [];
  let resume = null;
  let writes = false;

  const form = rangeForm(parameters, () => read());
  const message = h('div', { 'aria-live': 'polite' });
  const more = h('button', { type: 'button', class: 'main-button', onclick: () => read(resume), hidden: true }, 'Next entries');
  const place = h('div', {});
  const editor = h('div', {});
  body.append(form.element, h('div', {}, message, editor), place, more);
  let rows = null;

  const path = () => `/indexes/${encodeURIComponent(index.index)}`;

  function newTable() {
    rows = table({
      caption: `Entries of ${index.index}`,
      file: `canopy-${index.index}`,
      fixed: true,
      columns: [
        { name: `Key (${index.keys})`, value: (one) => one.key, show: (one) => text(one.key), wide: true },
        { name: `Value (${index.values})`, value: (one) => one.value, show: (one) => text(one.value), wide: true },
        ...(writes ? [{ name: 'Change', value: () => null, show: buttons }] : []),
      ],
      none: 'There are no entries in this range. Empty fields show all keys.',
    });
    place.replaceChildren(rows.element);
    rows.update(entries);
  }

  function buttons(one) {
    return h(
      'span',
      { class: 'row-buttons' },
      h('button', { type: 'button', class: 'quiet-button', onclick: () => edit(one) }, 'Edit', h('span', { class: 'unseen' }, ` ${text(one.key)}`)),
      h('button', { type: 'button', class: 'quiet-button', onclick: () => remove(one) }, 'Delete', h('span', { class: 'unseen' }, ` ${text(one.key)}`)),
    );
  }

  async function read(after) {
    message.replaceChildren();
    const range = form.read();
    remember({ index: index.index, ...range });
    const query = new URLSearchParams(Object.entries({ ...range, limit: LIMIT, resume: after ?? '' }).filter(([, value]) => value !== ''));
    try {
      const page = await get(`${path()}/entries?${query}`);
      entries = page.entries;
      resume = page.resume ?? null;
      more.hidden = resume === null;
      newTable();
    } catch (error) {
      message.replaceChildren(failure(error));
    }
  }

  /** Runs one transaction, and shows what is there afterwards. */
  async function change(operations, done) {
    try {
      await ask('POST', '/transactions', { label: 'console', operations });
      await read();
      message.replaceChildren(h('p', { class: 'done' }, done));
      editor.replaceChildren(...editorParts());
    } catch (error) {
      message.replaceChildren(failure(error));
    }
  }

  const unchanged = (one) => ({ op: 'check', index: index.index, key: one.key, value: one.value });

  async function remove(one) {
    const rowsOf = [['Index', index.index], ['Key', text(one.key)], ['Value', text(one.value)]];
    if (await confirmed('Delete this entry?', rowsOf, 'Delete')) {
      await change([unchanged(one), { op: 'delete', index: index.index, key: one.key }], `Deleted ${text(one.key)}.`);
    }
  }

  function edit(one) {
    editor.replaceChildren(...editorParts(one));
    editor.querySelector('textarea').focus();
  }

  function editorParts(one) {
    if (!writes) {
      return [];
    }
    const key = input('Key', { name: 'key', value: one ? text(one.key) : '', required: true, readonly: Boolean(one) });
    const value = h('textarea', { rows: 3, name: 'value', spellcheck: 'false' });
    value.value = one ? text(one.value) : '';
    return [
      h(
        'form',
        {
          class: 'editor',
          onsubmit: (event) => {
            event.preventDefault();
            save(one, key.element.value, value.value);
          },
        },
        h('h2', {}, one ? `Edit ${text(one.key)}` : 'Put an entry'),
        key.label,
        h('label', { class: 'field' }, h('span', {}, `Value (${index.values})`), value),
        h(
          'div',
          { class: 'fields' },
          h('button', { type: 'submit', class: 'main-button' }, 'Save…'),
          one ? h('button', { type: 'button', class: 'quiet-button', onclick: () => editor.replaceChildren(...editorParts()) }, 'Cancel') : null,
        ),
      ),
    ];
  }

  async function save(one, keyText, words) {
    let value;
    try {
      value = typed(words, index.values);
    } catch (error) {
      message.replaceChildren(failure(new Error(`The value is not JSON: ${error.message}`)));
      return;
    }
    const key = one ? one.key : keyText;
    const was = one ? [['Value now', text(one.value)]] : [];
    const rowsOf = [['Index', index.index], ['Key', text(key)], ...was, ['New value', words]];
    if (await confirmed(one ? 'Change this entry?' : 'Put this entry?', rowsOf, one ? 'Change' : 'Put')) {
      const first = one ? [unchanged(one)] : [{ op: 'check', index: index.index, key, absent: true }];
      await change([...first, { op: 'put', index: index.index, key, value }], `Saved ${text(key)}.`);
    }
  }

  const toggle = permission((isOn) => {
    writes = isOn;
    editor.replaceChildren(...editorParts());
    newTable();
  });
  const right = h('div', { class: 'right' });
  body.prepend(right);
  await chooseIndex(body, parameters, remember, async (chosen) => {
    index = chosen;
    writes = false;
    toggle.off();
    const rights = await get(`/rights?index=${encodeURIComponent(chosen.index)}`);
    right.replaceChildren(rights.write ? toggle.element : h('p', { class: 'note' }, READ_ONLY));
    editor.replaceChildren();
    await read();
  });
  if (index === null) {
    form.element.remove();
  }
}
