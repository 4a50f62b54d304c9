// The frame of all screens: which one is shown, who is logged in, light or dark.

import { logIn, logOut, onLogin, user } from './api.js';
import { known, listen, start, state } from './live.js';
import { failure, h, input } from './page.js';
import overview from './screens/overview.js';

const SCREENS = [
  ['overview', 'Overview'],
  ['nodes', 'Nodes'],
  ['shape', 'Index shape'],
  ['placement', 'Placement'],
  ['data', 'Data'],
  ['config', 'Config & health'],
  ['transactions', 'Transactions'],
  ['explain', 'Explain'],
  ['jobs', 'Jobs'],
  ['heat', 'Heat'],
];
const THEMES = ['auto', 'light', 'dark'];
const THEME_KEY = 'canopy.theme';

const main = document.getElementById('main');
const nav = document.getElementById('screens');
const tools = document.getElementById('tools');
const linkState = document.getElementById('link-state');
let close = () => {};
let shown = 0;

/** The screen that the address names, and its parameters. */
function address() {
  const [name, query] = location.hash.slice(1).split('?');
  const known = SCREENS.some(([id]) => id === name);
  return { name: known ? name : 'overview', parameters: new URLSearchParams(query ?? '') };
}

/** Changes parameters of the address, so that a link leads to what is shown now. */
function remember(name, parameters) {
  const query = new URLSearchParams(
    Object.entries(parameters).filter(([, value]) => value !== '' && value !== null && value !== undefined && value !== false),
  ).toString();
  history.replaceState(null, '', `#${name}${query ? `?${query}` : ''}`);
}

async function show() {
  const { name, parameters } = address();
  const turn = (shown += 1);
  close();
  close = () => {};
  for (const link of nav.querySelectorAll('a')) {
    if (link.hash === `#${name}`) {
      link.setAttribute('aria-current', 'page');
    } else {
      link.removeAttribute('aria-current');
    }
  }
  const title = SCREENS.find(([id]) => id === name)[1];
  document.title = `${title} · Canopy console`;
  const copy = h('button', { type: 'button', class: 'quiet-button', onclick: () => copyLink(copy) }, 'Copy link');
  const body = h('div', { class: 'screen', 'data-screen': name });
  main.replaceChildren(h('div', { class: 'title' }, h('h1', {}, title), copy), body);
  if (state.problem?.status === 401) {
    body.append(loginForm());
    return;
  }
  try {
    const screen = name === 'overview' ? overview : (await import(`./screens/${name}.js`)).default;
    if (name !== 'overview') {
      await known();
    }
    if (turn !== shown) {
      return;
    }
    const ended = await screen(body, parameters, (changed) => remember(name, changed));
    if (turn === shown) {
      close = ended ?? (() => {});
    } else {
      ended?.();
    }
  } catch (error) {
    if (turn === shown) {
      body.replaceChildren(failure(error));
    }
  }
}

async function copyLink(button) {
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Copy it from the address bar';
  }
  setTimeout(() => (button.textContent = 'Copy link'), 2000);
}

function loginForm() {
  const name = input('User', { name: 'user', autocomplete: 'username', required: true });
  const password = input('Password', { name: 'password', type: 'password', autocomplete: 'current-password', required: true });
  const wrong = user() === null ? null : failure(state.problem);
  return h(
    'form',
    {
      class: 'login',
      onsubmit: (event) => {
        event.preventDefault();
        logIn(name.element.value, password.element.value);
      },
    },
    h('p', {}, 'Clients of this cluster must log in. You may do here what you may do with any client.'),
    wrong,
    name.label,
    password.label,
    h('button', { type: 'submit', class: 'main-button' }, 'Log in'),
    h('p', { class: 'quiet' }, 'This tab keeps the password until it is closed or you log out.'),
  );
}

function showLink() {
  const words = state.connected
    ? 'Live'
    : state.problem?.status === 401
      ? 'Not logged in'
      : 'No connection, trying again';
  if (linkState.textContent !== words) {
    linkState.textContent = words;
    linkState.classList.toggle('on', state.connected);
  }
}

function theme() {
  const chosen = localStorage.getItem(THEME_KEY);
  return THEMES.includes(chosen) ? chosen : 'auto';
}

function setTheme(name) {
  localStorage.setItem(THEME_KEY, name);
  applyTheme();
}

function applyTheme() {
  if (theme() === 'auto') {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = theme();
  }
  document.dispatchEvent(new Event('theme'));
}

function showTools() {
  const chosen = h('select', { onchange: (event) => setTheme(event.target.value) });
  THEMES.forEach((name) => chosen.append(h('option', { value: name, selected: name === theme() }, name)));
  const parts = [h('label', { class: 'field inline' }, h('span', {}, 'Theme'), chosen)];
  if (user() !== null) {
    parts.push(h('span', { class: 'quiet' }, user()));
    parts.push(h('button', { type: 'button', class: 'quiet-button', onclick: logOut }, 'Log out'));
  }
  tools.replaceChildren(...parts);
}

nav.append(h('ul', {}, SCREENS.map(([id, title]) => h('li', {}, h('a', { href: `#${id}` }, title)))));
document.getElementById('skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
applyTheme();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);
showTools();
window.addEventListener('hashchange', () => {
  show();
  main.focus({ preventScroll: true });
  window.scrollTo(0, 0);
});
let refused = false;
listen((name) => {
  if (name !== 'link') {
    return;
  }
  showLink();
  const now = state.problem?.status === 401;
  if (now || refused) {
    show();
  }
  refused = now;
});
onLogin(showTools);
start();
show();
