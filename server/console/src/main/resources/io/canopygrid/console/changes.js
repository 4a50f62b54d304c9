// Nothing is changed until somebody has allowed changes, and has confirmed the one.

import { h } from './page.js';

/** Asks whether a change is meant; resolves to whether it is. */
export function confirmed(title, rows, yes) {
  return new Promise((resolve) => {
    const end = (answer) => {
      dialog.close();
      dialog.remove();
      resolve(answer);
    };
    const dialog = h(
      'dialog',
      { class: 'confirm', 'aria-labelledby': 'confirm-title', oncancel: () => end(false) },
      h('h2', { id: 'confirm-title' }, title),
      h('dl', {}, rows.map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
      h(
        'div',
        { class: 'fields' },
        h('button', { type: 'button', class: 'danger-button', onclick: () => end(true) }, yes),
        h('button', { type: 'button', class: 'quiet-button', onclick: () => end(false) }, 'Cancel'),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** A switch that allows changes; `use` is told of each of its turns by hand. */
export function permission(use) {
  let isOn = false;
  const show = () => element.setAttribute('aria-checked', String(isOn));
  const element = h(
    'button',
    {
      type: 'button',
      role: 'switch',
      'aria-checked': 'false',
      class: 'quiet-button',
      onclick: () => {
        isOn = !isOn;
        show();
        use(isOn);
      },
    },
    'Allow changes',
  );
  return {
    element,
    isOn: () => isOn,
    off() {
      isOn = false;
      show();
    },
  };
}
