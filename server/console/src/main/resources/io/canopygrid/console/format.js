// Numbers, sizes and times as people read them.

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const one = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const two = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

export const NOTHING = '–';

const isKnown = (value) => value !== null && value !== undefined && !Number.isNaN(value);

/** A count. */
export const count = (value) => (isKnown(value) ? whole.format(value) : NOTHING);

/** A number of something per second, or of the like, with no more digits than say something. */
export function rate(value) {
  if (!isKnown(value)) {
    return NOTHING;
  }
  return value >= 100 || value === 0 ? whole.format(value) : value >= 10 ? one.format(value) : two.format(value);
}

export const ratio = (value) => (isKnown(value) ? two.format(value) : NOTHING);

export const percent = (value) => (isKnown(value) ? `${one.format(value * 100)} %` : NOTHING);

/** A size in two parts: the number and its unit. */
export function sizeParts(bytes) {
  if (!isKnown(bytes)) {
    return [NOTHING, ''];
  }
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return [unit === 0 ? whole.format(value) : one.format(value), UNITS[unit]];
}

export const size = (bytes) => sizeParts(bytes).join(' ').trim();

/** Milliseconds as a latency. */
export function millis(value) {
  if (!isKnown(value)) {
    return NOTHING;
  }
  return `${rate(value)} ms`;
}

/** Milliseconds as a time that people wait. */
export function duration(value) {
  if (!isKnown(value)) {
    return NOTHING;
  }
  const seconds = Math.floor(value / 1000);
  if (seconds < 1) {
    return `${whole.format(value)} ms`;
  }
  if (seconds < 60) {
    return `${seconds} s`;
  }
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) {
    return `${minutes} min ${seconds % 60} s`;
  }
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

const two0 = (value) => String(value).padStart(2, '0');

/** A time of day. */
export function clock(date) {
  return `${two0(date.getHours())}:${two0(date.getMinutes())}:${two0(date.getSeconds())}`;
}

/** A day and a time. */
export function moment(text) {
  const date = new Date(text);
  return `${date.getFullYear()}-${two0(date.getMonth() + 1)}-${two0(date.getDate())} ${clock(date)}`;
}
