// Makes elements. Nothing here takes text for HTML: names and data of users are always text.

const SVG = 'http://www.w3.org/2000/svg';

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) {
      continue;
    }
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else if (name === 'css') {
      // The page's policy forbids style attributes, but not styles that are set one by one.
      Object.entries(value).forEach(([key, text]) => element.style.setProperty(key, text));
    } else if (name === 'value') {
      element.value = value;
    } else {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

/** An element of HTML. */
export function h(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** An element of SVG. */
export function s(tag, attributes, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/** A part of a screen with a heading; more can be put into it. */
export function section(title, ...children) {
  const id = `h-${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
  return h('section', { class: 'part', 'aria-labelledby': id }, h('h2', { id }, title), ...children);
}

/** Words where there is nothing to show, and what to do about it. */
export function empty(words, ...more) {
  return h('p', { class: 'empty' }, words, ...more);
}

/** An error in words: what is wrong, what to do, and the code to look up. */
export function failure(error) {
  const parts = [h('strong', {}, error.title ?? 'This did not work'), h('p', {}, error.message)];
  if (error.advice) {
    parts.push(h('p', {}, error.advice));
  }
  if (error.code) {
    parts.push(h('p', { class: 'quiet' }, `Look it up with: canopy help ${error.code}`));
  }
  return h('div', { class: 'failure', role: 'alert' }, ...parts);
}

/** A figure with its name and unit. */
export function figure(name, hint) {
  const value = h('span', { class: 'value' }, '–');
  const unit = h('span', { class: 'unit' });
  const note = h('p', { class: 'note' }, hint ?? '');
  const element = h('div', { class: 'figure' }, h('h3', {}, name), h('p', { class: 'amount' }, value, unit), note);
  return {
    element,
    set(text, unitText, noteText) {
      value.textContent = text;
      unit.textContent = unitText ? ` ${unitText}` : '';
      if (noteText !== undefined) {
        note.textContent = noteText;
      }
    },
  };
}

/** A choice of one of some options, with a label. */
export function choice(label, options, chosen, onchange) {
  const select = h('select', { onchange: (event) => onchange(event.target.value) });
  for (const [value, text] of options) {
    select.append(h('option', { value, selected: value === chosen }, text));
  }
  return h('label', { class: 'field' }, h('span', {}, label), select);
}

/** A line of text to type in, with a label. */
export function input(label, attributes) {
  const element = h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', ...attributes });
  return { element, label: h('label', { class: 'field' }, h('span', {}, label), element) };
}
