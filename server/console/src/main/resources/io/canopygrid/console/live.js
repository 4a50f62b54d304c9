// The stream of events of the server: the newest views, and what has changed since the page began.

import { ask, onLogin } from './api.js';
import { sample } from './figures.js';

const SAMPLES_MAX = 300;
const NEWS_MAX = 50;
const WAIT_MILLIS = 1000;
const WAIT_MILLIS_MAX = 15000;

/** All that is known now. */
export const state = {
  cluster: null,
  transactions: null,
  jobs: null,
  samples: [],
  news: [],
  connected: false,
  problem: null,
};

const listeners = new Set();
let abort = null;
let since = null;
let failures = 0;

/** Calls back at each event until the returned function is called. */
export function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(name) {
  for (const listener of listeners) {
    try {
      listener(name);
    } catch (error) {
      console.error(error); // a screen that fails does not end the stream
    }
  }
}

/** Waits until the cluster has told its state, or it is known that it does not now. */
export function known() {
  return new Promise((resolve) => {
    if (state.cluster !== null) {
      resolve();
      return;
    }
    const end = listen((name) => {
      if (name === 'cluster' || (name === 'link' && !state.connected)) {
        end();
        resolve();
      }
    });
  });
}

function hear(what) {
  state.news.unshift({ time: new Date(), what });
  state.news.length = Math.min(state.news.length, NEWS_MAX);
}

/** Says what is other than before. */
function compare(before, now) {
  if (before.verdict !== now.verdict) {
    hear(`The state is now: ${now.verdict}`);
  }
  for (const node of now.nodes) {
    const old = before.nodes.find((one) => one.node === node.node);
    if (old === undefined) {
      hear(`Node ${node.name ?? node.node} has joined`);
    } else if (old.state !== node.state) {
      hear(`Node ${node.name ?? node.node} is ${node.state}, it was ${old.state}`);
    }
  }
  for (const node of before.nodes) {
    if (!now.nodes.some((one) => one.node === node.node)) {
      hear(`Node ${node.name ?? node.node} has left`);
    }
  }
}

function take(name, data) {
  if (name === 'problem') {
    state.problem = data;
  }
  if (name === 'cluster' && state.cluster !== null) {
    compare(state.cluster, data);
  }
  if (name === 'transactions') {
    const now = performance.now();
    if (state.transactions !== null && since !== null) {
      state.samples.push(sample(state.transactions, data, (now - since) / 1000, new Date()));
      state.samples.splice(0, state.samples.length - SAMPLES_MAX);
    }
    since = now;
  }
  if (name in state) {
    state[name] = data;
  }
  tell(name);
}

/** Reads events until the stream ends: lines, and an empty one after each event. */
async function read(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let name = '';
  let data = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      return;
    }
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      if (line === '') {
        take(name, JSON.parse(data));
      } else if (line.startsWith('event: ')) {
        name = line.slice(7);
      } else if (line.startsWith('data: ')) {
        data = line.slice(6);
      }
    }
  }
}

async function connect() {
  const own = new AbortController();
  abort = own;
  since = null;
  while (!own.signal.aborted) {
    try {
      const response = await ask('GET', '/events', undefined, own.signal);
      state.connected = true;
      state.problem = null;
      failures = 0;
      tell('link');
      await read(response.body);
    } catch (error) {
      if (own.signal.aborted) {
        return;
      }
      if (error.status === 401) {
        state.connected = false;
        state.problem = error;
        tell('link');
        return; // until somebody logs in
      }
      state.problem = error.status === undefined ? null : error;
    }
    if (state.connected) {
      hear('The connection to this server ended');
    }
    state.connected = false;
    since = null;
    tell('link');
    failures += 1;
    const wait = Math.min(WAIT_MILLIS_MAX, WAIT_MILLIS * 2 ** Math.min(failures - 1, 4));
    await new Promise((resume) => setTimeout(resume, wait));
  }
}

function restart() {
  abort?.abort();
  state.connected = false;
  connect();
}

/** Begins; a page that nobody sees costs the cluster nothing. */
export function start() {
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) {
      abort?.abort();
      state.connected = false;
    } else {
      restart();
    }
  });
  onLogin(() => {
    // What one user was told is not for the next one.
    Object.assign(state, { cluster: null, transactions: null, jobs: null, samples: [], news: [], problem: null });
    restart();
  });
  if (!document.hidden) {
    connect();
  }
}
