// Lines over time. The page names the library after the screens, so that it does not wait for it.

import { clock } from './format.js';
import { h } from './page.js';

const HEIGHT = 190;
let library = null;

function load() {
  library ??= new Promise((resolve) => {
    document.head.append(h('link', { rel: 'stylesheet', href: 'libraries/uplot/uPlot.min.css' }));
    if (window.uPlot !== undefined) {
      resolve(window.uPlot);
    } else {
      document.addEventListener('DOMContentLoaded', () => resolve(window.uPlot));
    }
  });
  return library;
}

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/**
 * A chart. `lines` are the names, colours and formats of its lines; `update` takes the times in
 * seconds and a list of values for each line.
 */
export function chart({ label, lines, format }) {
  const box = h('div', { class: 'chart', role: 'img', 'aria-label': label });
  const keys = lines.map((line) => h('span', {}, h('span', { class: `swatch ${line.swatch}` }), line.name));
  let plot = null;
  let isBegun = false;
  let data = [[], ...lines.map(() => [])];

  async function make() {
    const uPlot = await load();
    if (!box.isConnected) {
      return;
    }
    plot?.destroy();
    const grid = { stroke: colour('--rule'), width: 1 };
    const axis = { stroke: colour('--quiet'), grid, ticks: grid, font: '12px system-ui, sans-serif' };
    plot = new uPlot(
      {
        width: box.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { drag: { x: false, y: false } },
        scales: { y: { range: (self, least, most) => [0, most > 0 ? most * 1.1 : 1] } },
        axes: [
          { ...axis, space: 90, values: (self, ticks) => ticks.map((tick) => clock(new Date(tick * 1000))) },
          { ...axis, size: 62, values: (self, ticks) => ticks.map(format) },
        ],
        series: [
          {},
          ...lines.map((line) => ({
            label: line.name,
            stroke: colour(line.colour),
            width: 2,
            points: { show: false },
            spanGaps: true,
          })),
        ],
      },
      data,
      box,
    );
  }

  const sized = new ResizeObserver(() => plot?.setSize({ width: box.clientWidth, height: HEIGHT }));
  sized.observe(box);
  const themed = () => plot && make();
  document.addEventListener('theme', themed);

  return {
    element: h('div', { class: 'chart-frame' }, h('p', { class: 'legend' }, keys), box),
    update(times, values) {
      data = [times, ...values];
      if (plot !== null) {
        plot.setData(data);
      } else if (!isBegun && times.length > 0) {
        isBegun = true;
        make();
      }
    },
    close() {
      sized.disconnect();
      document.removeEventListener('theme', themed);
      plot?.destroy();
    },
  };
}
