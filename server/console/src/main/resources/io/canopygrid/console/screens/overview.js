// Overview: is all well, what does the cluster do now, and what has happened.

import { chart } from '../chart.js';
import { joined } from '../figures.js';
import { clock, count, millis, moment, percent, rate, ratio } from '../format.js';
import { isUnderWay, jobTitle } from '../jobs.js';
import { listen, state } from '../live.js';
import { empty, figure, h, section } from '../page.js';
import { table } from '../table.js';

const RECENT = 5;
const EVENTS_MAX = 8;

/** How bad it is: the verdict's own words say what it is. */
function severity(cluster) {
  if (cluster.shardsServed < cluster.shards || !cluster.ready) {
    return 'bad';
  }
  const gone = cluster.nodes.some((node) => node.state !== 'ready');
  return gone || cluster.copiesMissing > 0 || cluster.failuresSurvived === 0 ? 'warn' : 'good';
}

const MARKS = { good: '✓', warn: '!', bad: '✕' };
const PLACES = {
  memory: 'Data is in memory on all nodes: all is gone when all nodes stop.',
  async: 'Data is on disk (async) on all nodes.',
  fsync: 'Data is on disk (fsync) on all nodes.',
};

const jobText = (job) => {
  const title = jobTitle(job);
  return `${title[0].toUpperCase()}${title.slice(1)}: ${job.state.replaceAll('_', ' ')}`;
};

/** A time of today without the day. */
const timeOf = (time) => (time.toDateString() === new Date().toDateString() ? clock(time) : moment(time));

/** The last events: what this page has seen, and the jobs that nodes tell. */
function events() {
  const jobs = (state.jobs?.jobs ?? []).map((job) => ({ time: new Date(job.started), what: jobText(job) }));
  return [...state.news, ...jobs].sort((a, b) => b.time - a.time).slice(0, EVENTS_MAX);
}

export default function overview(body) {
  const verdict = h('p', { class: 'verdict-text' }, 'Asking the cluster…');
  const mark = h('span', { class: 'mark', 'aria-hidden': 'true' });
  const place = h('p', { class: 'note' });
  const banner = h('div', { class: 'verdict', role: 'status' }, mark, h('div', {}, verdict, place));

  const commits = figure('Commits', 'per second, the last 10 s');
  const aborts = figure('Aborted attempts', 'of those begun, the last 10 s');
  const p50 = figure('Latency p50');
  const p99 = figure('Latency p99');
  const remote = figure('Remote requests', 'per committed transaction');
  const running = figure('Running jobs', 'changes of structure, loads, backups');
  const entries = figure('Entries', 'in all indexes');
  const nodes = figure('Nodes', 'reachable');

  const throughput = chart({
    label: 'Commits and aborted attempts per second over time; the table of samples has the numbers',
    lines: [
      { name: 'Commits/s', colour: '--series-1', swatch: 'series-1' },
      { name: 'Aborts/s', colour: '--series-2', swatch: 'series-2' },
    ],
    format: rate,
  });
  const latency = chart({
    label: 'Latency of committed transactions over time; the table of samples has the numbers',
    lines: [
      { name: 'p50', colour: '--series-1', swatch: 'series-1' },
      { name: 'p99', colour: '--series-3', swatch: 'series-3' },
    ],
    format: millis,
  });
  const abortsOf = (one) => Object.values(one.aborts).reduce((a, b) => a + b, 0) / one.seconds;
  const samples = table({
    caption: 'Samples, newest first',
    file: 'canopy-samples',
    fixed: true,
    columns: [
      { name: 'Time', value: (one) => one.time.toISOString(), show: (one) => clock(one.time) },
      { name: 'Commits/s', number: true, value: (one) => one.commits, show: (one) => rate(one.commits) },
      { name: 'Aborts/s', number: true, value: abortsOf, show: (one) => rate(abortsOf(one)) },
      { name: 'p50', number: true, value: (one) => one.p50, show: (one) => millis(one.p50) },
      { name: 'p99', number: true, value: (one) => one.p99, show: (one) => millis(one.p99) },
    ],
    none: 'The first sample comes in some seconds.',
  });
  const codes = table({
    caption: 'Aborted attempts by code',
    file: 'canopy-aborts',
    columns: [
      { name: 'Code', value: (one) => one.code },
      { name: 'Per second', number: true, value: (one) => one.rate, show: (one) => rate(one.rate) },
      { name: 'Since the start', number: true, value: (one) => one.all, show: (one) => count(one.all) },
    ],
    none: 'No attempt was aborted since the nodes started.',
  });
  const news = h('ol', { class: 'events' });
  const noNews = empty('Nothing has changed since this page was opened, and no node has changed the structure of late.');

  body.append(
    banner,
    h('div', { class: 'figures' }, [commits, aborts, p50, p99, remote, running, entries, nodes].map((one) => one.element)),
    h(
      'div',
      { class: 'columns' },
      section('Throughput', throughput.element),
      section('Latency', latency.element),
    ),
    h('details', {}, h('summary', {}, 'The samples of both as a table'), samples.element),
    h('div', { class: 'columns' }, section('Aborts', codes.element), section('Last events', news, noNews)),
  );

  function showCluster() {
    const cluster = state.cluster;
    if (cluster === null) {
      return;
    }
    const level = severity(cluster);
    banner.className = `verdict ${level}`;
    mark.textContent = MARKS[level];
    if (verdict.textContent !== cluster.verdict) {
      verdict.textContent = cluster.verdict;
    }
    const data = PLACES[cluster.data] ?? 'Not all nodes keep their data in the same place.';
    place.textContent = cluster.zoneProblem ? `${data} Zones: ${cluster.zoneProblem}.` : data;
    const there = cluster.nodes.filter((node) => node.state !== 'unreachable').length;
    nodes.set(`${there} of ${cluster.nodes.length}`, '', cluster.waiting ? `${cluster.waiting} more wait to be let in` : 'reachable');
    const all = cluster.indexes.reduce((sum, index) => sum + index.entries, 0);
    const partly = cluster.indexes.some((index) => !index.complete);
    entries.set(count(all), '', partly ? 'at least: not all nodes answer' : `in ${cluster.indexes.length} indexes`);
  }

  function showLoad() {
    const all = state.transactions?.nodes ?? [];
    const recent = state.samples.slice(-RECENT);
    if (recent.length > 0) {
      const now = joined(recent);
      commits.set(rate(now.commits), '/s');
      const aborted = Object.values(now.aborts).reduce((a, b) => a + b, 0) / now.seconds;
      aborts.set(now.attempts > 0 ? percent(aborted / now.attempts) : percent(0), '');
      const idle = 'no commit in the last 10 s';
      p50.set(millis(now.p50), '', now.p50 === null ? idle : 'the last 10 s');
      p99.set(millis(now.p99), '', now.p99 === null ? idle : 'the last 10 s');
      remote.set(ratio(now.commits > 0 ? now.remoteRequests / now.commits : null), '', now.commits > 0 ? 'per committed transaction' : idle);
      showAborts(all, now);
    }
    const silent = all.length === 0 ? 0 : (state.cluster?.nodes.length ?? all.length) - all.length;
    if (silent > 0) {
      commits.set(rate(recent.length > 0 ? joined(recent).commits : null), '/s', `without ${silent} nodes that do not answer`);
    }
    const times = state.samples.map((one) => one.time.getTime() / 1000);
    throughput.update(times, [state.samples.map((one) => one.commits), state.samples.map(abortsOf)]);
    latency.update(times, [state.samples.map((one) => one.p50), state.samples.map((one) => one.p99)]);
    samples.update([...state.samples].reverse().slice(0, 60));
  }

  function showAborts(all, now) {
    const known = {};
    all.forEach((node) => Object.entries(node.aborts).forEach(([code, times]) => (known[code] = (known[code] ?? 0) + times)));
    codes.update(
      Object.entries(known).map(([code, times]) => ({ code, all: times, rate: (now.aborts[code] ?? 0) / now.seconds })),
    );
  }

  function showJobs() {
    const jobs = state.jobs?.jobs ?? [];
    running.set(count(jobs.filter(isUnderWay).length), '');
    const last = events();
    noNews.hidden = last.length > 0;
    news.replaceChildren(
      ...last.map((one) => h('li', {}, h('time', { datetime: one.time.toISOString() }, timeOf(one.time)), h('span', {}, one.what))),
    );
  }

  const show = () => {
    showCluster();
    showLoad();
    showJobs();
  };
  show();
  const end = listen(show);
  return () => {
    end();
    throughput.close();
    latency.close();
  };
}
