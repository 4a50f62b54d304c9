// A picture of time against ranges of keys, in steps of a colour scale by powers of two.

import { clock, rate } from './format.js';
import { h } from './page.js';

const LEVELS = 6;
const HEIGHT = 360;
const TICKS = 6;

/** The step of the scale for a value: 0 for nothing, the last for the greatest. */
export function level(value, most) {
  return value <= 0 ? 0 : Math.max(1, LEVELS - Math.floor(Math.log2(most / value)));
}

/** The red, green and blue of each step, as the page's colours are now. */
function scale() {
  const styles = getComputedStyle(document.documentElement);
  return Array.from({ length: LEVELS + 1 }, (_, step) => {
    const text = styles.getPropertyValue(`--heat-${step}`).trim();
    return [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16));
  });
}

/**
 * A heat map. Time goes from left to right, keys from top to bottom.
 *
 * @param label for who does not see it
 * @param choose is told the first and the last range of a part that was drawn over, or one range twice
 */
export function heatMap({ label, choose }) {
  const canvas = h('canvas', { class: 'heat-map', tabindex: 0, role: 'img', 'aria-label': label });
  const mark = h('div', { class: 'heat-mark', hidden: true });
  const times = h('div', { class: 'heat-times', 'aria-hidden': 'true' });
  const strongest = h('p', { class: 'note' });
  const told = h('p', { class: 'note', 'aria-live': 'polite' });
  let found = null;
  let values = [];
  let most = 0;
  let now = 0;
  let at = 0;
  let from = null;

  const columns = () => found.steps;
  const rows = () => found.ranges.length;

  /** Draws a cell for each step and range: a pixel each, which the browser then makes larger. */
  function draw() {
    const colours = scale();
    canvas.width = columns();
    canvas.height = rows();
    const context = canvas.getContext('2d');
    const image = context.createImageData(columns(), rows());
    for (let row = 0; row < rows(); row++) {
      for (let column = 0; column < columns(); column++) {
        const step = columns() - 1 - column;
        const colour = colours[level(values[step * rows() + row], most)];
        const pixel = 4 * (row * columns() + column);
        image.data[pixel] = colour[0];
        image.data[pixel + 1] = colour[1];
        image.data[pixel + 2] = colour[2];
        image.data[pixel + 3] = 255;
      }
    }
    context.putImageData(image, 0, 0);
  }

  function drawTimes() {
    const span = columns() * found.stepSeconds * 1000;
    times.replaceChildren(
      ...Array.from({ length: TICKS }, (_, tick) => h('span', {}, clock(new Date(now - span + (span * tick) / (TICKS - 1))))),
    );
  }

  function rowOf(event) {
    const box = canvas.getBoundingClientRect();
    const part = (event.clientY - box.top) / box.height;
    return Math.min(rows() - 1, Math.max(0, Math.floor(part * rows())));
  }

  function stepOf(event) {
    const box = canvas.getBoundingClientRect();
    const part = (event.clientX - box.left) / box.width;
    const column = Math.min(columns() - 1, Math.max(0, Math.floor(part * columns())));
    return columns() - 1 - column;
  }

  function tell(row, step) {
    const end = new Date(now - step * found.stepSeconds * 1000);
    told.textContent = `From ${found.ranges[row].from}, ${clock(end)}: ${rate(values[step * rows() + row])}/s.`;
  }

  function showMark(first, last) {
    mark.hidden = false;
    mark.style.setProperty('top', `${(100 * Math.min(first, last)) / rows()}%`);
    mark.style.setProperty('height', `${(100 * (Math.abs(last - first) + 1)) / rows()}%`);
  }

  canvas.addEventListener('pointerdown', (event) => {
    from = rowOf(event);
    canvas.setPointerCapture(event.pointerId);
    showMark(from, from);
  });
  canvas.addEventListener('pointermove', (event) => {
    at = rowOf(event);
    tell(at, stepOf(event));
    if (from !== null) {
      showMark(from, at);
    }
  });
  canvas.addEventListener('pointerup', (event) => {
    const last = rowOf(event);
    const first = from ?? last;
    from = null;
    mark.hidden = true;
    choose(Math.min(first, last), Math.max(first, last));
  });
  canvas.addEventListener('keydown', (event) => {
    const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10 };
    if (event.key in steps) {
      at = Math.min(rows() - 1, Math.max(0, at + steps[event.key]));
      from = event.shiftKey ? (from ?? at) : null;
      showMark(from ?? at, at);
      tell(at, 0);
      event.preventDefault();
    } else if (event.key === 'Enter') {
      const first = from ?? at;
      from = null;
      mark.hidden = true;
      choose(Math.min(first, at), Math.max(first, at));
    }
  });
  canvas.addEventListener('blur', () => {
    mark.hidden = true;
  });

  /** Draws in the colours of another theme, as long as the map is shown. */
  function themed() {
    if (!canvas.isConnected) {
      document.removeEventListener('theme', themed);
    } else if (found !== null) {
      draw();
    }
  }
  document.addEventListener('theme', themed);

  return {
    element: h('div', { class: 'picture' }, h('div', { class: 'heat-box', css: { height: `${HEIGHT}px` } }, canvas, mark), times, strongest, told),
    /** Shows an answer of the API; `value` makes the number of a cell of its reads, writes and conflicts. */
    update(answer, value) {
      found = answer;
      now = Date.now();
      values = new Float64Array(columns() * rows());
      for (const [step, range, reads, writes, conflicts] of answer.cells) {
        values[step * rows() + range] = value(reads, writes, conflicts);
      }
      most = values.reduce((a, b) => Math.max(a, b), 0);
      at = Math.min(at, rows() - 1);
      const began = performance.now();
      draw();
      canvas.dataset.millis = (performance.now() - began).toFixed(1);
      drawTimes();
      strongest.textContent = most > 0 ? `The strongest colour is ${rate(most)}/s; a step weaker is half as much.` : 'No key was used so in this time.';
    },
  };
}
