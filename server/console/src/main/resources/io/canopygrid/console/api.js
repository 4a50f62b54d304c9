// Asks the server's HTTP API, as the user who has logged in.
//
// The name and password are kept in sessionStorage: this tab has them, over a reload too, no other
// tab does, and they are gone with it. A cookie would need sessions at the servers, and protection
// from requests that other sites make a browser send; this needs neither.

const KEY = 'canopy.login';
let login = sessionStorage.getItem(KEY);
const watchers = new Set();

/** An error of the API in words, with its code. */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail ?? `The server answered with status ${status}.`);
    this.status = status;
    this.code = body.code;
    this.title = body.code ? `${body.code} ${body.title}` : undefined;
    this.advice = body.advice;
    this.commitState = body.commitState;
  }
}

/** The server did not answer at all. */
export class Unreachable extends Error {
  constructor() {
    super('The server does not answer. The console tries again by itself.');
    this.title = 'No connection';
  }
}

export function user() {
  return login === null ? null : new TextDecoder().decode(bytesOf(login)).split(':')[0];
}

function bytesOf(text) {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

export function logIn(name, password) {
  const bytes = new TextEncoder().encode(`${name}:${password}`);
  login = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  sessionStorage.setItem(KEY, login);
  watchers.forEach((watcher) => watcher());
}

export function logOut() {
  login = null;
  sessionStorage.removeItem(KEY);
  watchers.forEach((watcher) => watcher());
}

/** Calls back when somebody has logged in or out. */
export function onLogin(watcher) {
  watchers.add(watcher);
}

/** The answer to a request, which is no error. */
export async function ask(method, path, body, signal) {
  const headers = {};
  if (login !== null) {
    headers.authorization = `Basic ${login}`;
  }
  if (body !== undefined) {
    headers['content-type'] = 'application/json';
  }
  let response;
  try {
    // Without credentials of its own the browser asks for none in a window of its own.
    response = await fetch(`/api/v1${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: 'omit',
      cache: 'no-store',
      signal,
    });
  } catch (error) {
    if (error.name === 'AbortError') {
      throw error;
    }
    throw new Unreachable();
  }
  if (!response.ok) {
    const text = await response.text();
    let told = {};
    try {
      told = JSON.parse(text);
    } catch {
      told = { detail: text };
    }
    throw new Problem(response.status, told);
  }
  return response;
}

export async function get(path) {
  return (await ask('GET', path)).json();
}
