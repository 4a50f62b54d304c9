// Tables, each of which can be sorted, scrolled by keyboard, and downloaded.

import { h } from './page.js';

/** A value as CSV; a text that a spreadsheet would take for a formula is marked as text. */
function cell(value) {
  if (value === null || value === undefined) {
    return '';
  }
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = typeof value !== 'number' && /^[=+@\t\r-]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a CSV file with the raw values of some rows. */
export function csv(columns, rows) {
  const lines = [columns.map((column) => cell(column.name)).join(',')];
  rows.forEach((row) => lines.push(columns.map((column) => cell(column.value(row))).join(',')));
  return `${lines.join('\r\n')}\r\n`;
}

function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = h('a', { href: address, download: `${name}.csv` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

function order(a, b) {
  if (typeof a === 'number' && typeof b === 'number') {
    return a - b;
  }
  return String(a ?? '').localeCompare(String(b ?? ''), 'en', { numeric: true });
}

/**
 * A table. A column has a name, the raw value of a row, how that is shown, and whether it is a
 * number. `update` shows other rows.
 */
export function table({ caption, file, columns, none, fixed }) {
  let rows = [];
  let by = null;
  let down = false;
  const body = h('tbody');
  const heads = columns.map((column, place) => {
    const head = h('th', { scope: 'col', class: column.number ? 'number' : null });
    head.append(
      fixed
        ? column.name
        : h('button', { type: 'button', class: 'sort', onclick: () => sort(place) }, column.name),
    );
    return head;
  });
  const nothing = h('p', { class: 'empty', hidden: true }, none ?? 'There is nothing here yet.');
  const scroll = h(
    'div',
    { class: 'scroll', role: 'region', 'aria-label': caption, tabindex: '0' },
    h('table', {}, h('caption', {}, caption), h('thead', {}, h('tr', {}, heads)), body),
  );
  const save = h(
    'button',
    { type: 'button', class: 'quiet-button', onclick: () => download(file, csv(columns, sorted())) },
    'Download CSV',
    h('span', { class: 'unseen' }, ` of ${caption}`),
  );

  function sort(place) {
    down = by === place ? !down : Boolean(columns[place].number);
    by = place;
    heads.forEach((head, other) => {
      if (other === place) {
        head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      } else {
        head.removeAttribute('aria-sort');
      }
    });
    show();
  }

  function sorted() {
    if (by === null) {
      return rows;
    }
    const value = columns[by].value;
    const ascending = [...rows].sort((a, b) => order(value(a), value(b)));
    return down ? ascending.reverse() : ascending;
  }

  function show() {
    const kept = document.activeElement;
    if (body.contains(kept)) {
      return; // somebody uses a button of a row: it must not go away under their hand
    }
    body.replaceChildren(
      ...sorted().map((row) =>
        h(
          'tr',
          {},
          columns.map((column, place) => {
            const shown = column.show ? column.show(row) : String(column.value(row) ?? '–');
            const kind = column.number ? 'number' : column.wide ? 'wide' : null;
            return place === 0
              ? h('th', { scope: 'row', class: kind }, shown)
              : h('td', { class: kind }, shown);
          }),
        ),
      ),
    );
    nothing.hidden = rows.length > 0;
    scroll.hidden = rows.length === 0;
    save.hidden = rows.length === 0;
  }

  show();
  return {
    element: h('div', { class: 'table' }, scroll, nothing, save),
    update(others) {
      rows = others;
      show();
    },
  };
}
