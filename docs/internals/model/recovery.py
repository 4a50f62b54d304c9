"""Storage and recovery of recovery.md: nodes whose steps are stored behind them, crashes of one and of all, recovery.

The commit protocol is that of protocol.md, cut down (locks are refused, not waited for; reads see the newest version and are
validated; no ranges), so that what is new fills the model: what waits for storage, what a disk keeps, who founds a grid.
A step's changes go into `pending`; `store` makes them a batch on the disk; messages that wait go out then. A kill keeps
what is written, power loss what is forced and a prefix of the rest.

python3 recovery.py --seeds 1000 --mode fsync|async|mixed      python3 recovery.py --mutations      --seed 7 --trace
"""
import argparse
import heapq
import random
import sys
import time
from collections import Counter, namedtuple

EPOCH, F = 1 << 16, 1                                    # number = epoch * EPOCH + counter; failures at once
MUTATIONS = {
    'vote-before-stored': 'a primary votes before its record is stored',
    'backup-ack-before-stored': 'a backup says it has the record before that is stored',
    'ack-before-stored': 'a holder acknowledges a decision before it is stored',
    'self-counts-unstored': 'who decides counts itself, and a primary applies, before the decision is stored',
    'flush-before-stored': 'a flush leaves before the topology is stored',
    'flush-done-early': '"flush done" leaves before what was settled is stored',
    'synced-early': 'a joiner says synced before the state is stored',
    'promise-not-stored': 'a promise of a topology is not stored',
    'in-doubt-commits': 'recovery commits what is prepared and decided nowhere',
    'in-doubt-forgotten': 'recovery forgets what is prepared',
    'decisions-not-told': 'recovery does not tell the decisions on disk',
    'stale-disk-wins': 'any disk that ever owned a shard may be its source',
    'joiner-is-source': 'a joiner\'s disk may be a source',
    'minority-founds': 'a minority of the newest topology founds a grid',
    'too-many-missing': 'a grid is founded although more disks are missing than nodes may fail at a time (five nodes)',
    'id-reused': 'a founded grid counts its topologies on from its own disk alone, one up',
    'batch-split': 'a crash may cut a batch in the midst of a step',
    'one-phase-own-part': 'a stored one-phase decision lacks the records of other shards',
    'record-not-kept': 'a holder drops the record before its versions are in the same batch',
    'cut-own-component': 'the cut looks at the shard\'s own component only',
    'cut-above-gap': 'the cut counts what the flush has added to a short copy',
    'clock-dropped': 'clocks are dropped above what all owners have forced',
    'delta-keeps-undone': 'an old copy keeps what it has above its watermark',
    'delta-no-removals': 'a delta does not name keys that are gone',
    'watermark-outlives-cut': 'an old copy\'s watermark counts although a cut since was below it',
    'stale-decisions-kept': 'a stale disk keeps the decisions that it had',
    'watermark-early': 'a watermark counts commits that are not at all owners',
    'applied-early': 'a copy that serves nobody stores what it has applied',
    'state-before-flush': 'a primary hands on its state before the flush of that topology has ended',
    'behind-in-step': 'a copy that is behind the cut counts as in step until the next topology',
    'behind-serves': 'the grid serves before the copies that are behind are joiners',
    'cut-forgets-cut': 'a founding does not know of a cut that was begun before it',
    'cut-tears-holes': 'an old copy counts up to its watermark although a cut that was never opened took from it',
    'stale-keeps-cut': 'a stale disk keeps what a cut has taken for another shard\'s sake',
    'clock-dropped-joining': 'clocks are dropped while a shard has a joiner',
    'told-before-flushed': 'an outcome is told before the flush of the topology whose holders are counted has ended',
    'newcomer-tells': 'a disk that was about to join the newest topology tells its decisions, and is a source',
    'emptied-counts': 'a disk that was emptied counts as the one that it was',
}
Topo = namedtuple('Topo', 'id members owners joiners founding')          # members: node ids (disk, life); founding: whose disks count
Version = namedtuple('Version', 'num tid vc value')
Rec = namedtuple('Rec', 'tid s parts vc reads writes one')
Dec = namedtuple('Dec', 'tid vc parts recs')


def vmax(a, b): return tuple(map(max, a, b))
def leq(a, b): return all(x <= y for x, y in zip(a, b))


class Disk:
    """Batches of changes; a change is (table, key, value), value None: removed."""

    made = 0

    def __init__(self):
        Disk.made += 1
        self.id, self.batches, self.forced, self.short = Disk.made, [], 0, False

    def tables(self, upto=None):
        t = {}
        for batch in self.batches[:upto]:
            for table, key, value in batch:
                rows = t.setdefault(table, {})
                if value is None:
                    rows.pop(key, None)
                else:
                    rows[key] = value
        return t


class Rep:
    """One node's copy of one shard."""

    def __init__(self, s, shards, synced):
        self.s, self.synced, self.primary, self.serving, self.asked = s, synced, False, False, False
        self.chains, self.log, self.records, self.queue, self.locks = {}, {}, {}, {}, {}
        self.applied = self.last = self.mark = 0                     # mark: the watermark
        self.recent = (0,) * shards
        self.opened = 0                                               # decided here before the state came

    def newest(self, k): return self.chains[k][-1] if self.chains.get(k) else None


class Node:
    CHECKED = {'prepare', 'decide', 'stable', 'flush', 'flush_done', 'state_req', 'mark', 'cut', 'open'}

    def __init__(self, nid, shards, mode, mut, disk, sim):
        self.id, self.shards, self.mode, self.mut, self.disk, self.sim = nid, shards, mode, mut, disk, sim
        self.topo, self.reps, self.txs, self.known, self.seq = None, {}, {}, {}, 0
        self.out, self.held, self.changes, self.pending, self.pos, self.stored = [], [], [], [], 0, 0
        self.flushes, self.dones, self.flushed, self.later, self.cutting = {}, set(), False, [], False
        self.promised, self.done_ids, self.aborted = 0, set(), set()
        self.opened, self.told = True, {}                # whether the founding has ended; what it told the grid that it has
        self.load()

    # ---- storage
    def load(self):
        """What the disk has; a copy of it is taken over when a founding topology says so."""
        t = self.disk.tables()
        facts = t.get('facts', {})
        self.old_topo = facts.get('topo')
        self.me = facts.get('me')                        # the node that this disk was when it last installed a topology
        self.cut = facts.get('cut')                      # a founding whose end this disk does not know: its id, P, lowest numbers taken
        self.promised = max(facts.get('promised', 0), self.old_topo.id if self.old_topo else 0)
        self.roles = {k: v for k, v in t.get('role', {}).items()}
        self.since = t.get('since', {})                  # the last topology in which this disk held the shard
        self.old = {}
        for s in range(self.shards):
            r = self.old[s] = Rep(s, self.shards, False)
            for (s2, k, num, tid), v in sorted(t.get('version', {}).items(), key=lambda x: x[0][1:3]):
                if s2 == s:
                    r.chains.setdefault(k, []).append(v)
            r.log = {k[1:]: v for k, v in t.get('log', {}).items() if k[0] == s}
            r.records = {k[0]: v for k, v in t.get('record', {}).items() if k[1] == s}
            r.applied, r.mark = t.get('applied', {}).get(s, 0), t.get('mark', {}).get(s, 0)
            r.opened = r.applied                         # what the flush adds above may have gaps below
            for vc, _ in r.log.values():
                r.recent = vmax(r.recent, vc)
        self.old_known = dict(t.get('decision', {}))

    def put(self, table, key, value): self.changes.append((table, key, value))

    def step(self, m):
        self.out = []
        if m['kind'] in self.CHECKED and (not self.topo or m['topo'] > self.topo.id):
            self.later.append(m)                         # of a topology that comes here later
        else:
            getattr(self, 'on_' + m['kind'])(m)
        self.end_step()
        return self.out

    def end_step(self):
        if self.changes:
            self.pos += 1
            self.pending.append((self.pos, tuple(self.changes)))
            self.changes = []
            self.sim.later_store(self)
        ready = [h for h in self.held if h[0] is not None and h[0] <= self.stored]
        self.held = [h for h in self.held if h not in ready]
        for h in self.held:
            h[0] = self.pos if h[0] is None else h[0]
        for _, dst, m in ready:
            self.out.append((dst, m))
        more = [h for h in self.held if h[0] <= self.stored]
        self.held = [h for h in self.held if h[0] > self.stored]
        self.out += [(dst, m) for _, dst, m in more]

    def store(self):
        """The journal writes all that waits, as whole steps."""
        for _, changes in self.pending:
            self.disk.batches.append(changes)
        if self.mode == 'fsync' or any(c[0] in ('facts', 'role') for _, changes in self.pending for c in changes):
            self.disk.forced = len(self.disk.batches)    # topologies, promises and roles are forced in every mode
        self.stored, self.pending, self.out = self.pos, [], []
        for tx in list(self.txs.values()):
            self.check(tx)
        self.end_step()
        return self.out

    def send(self, dst, kind, wait=None, **f):
        """wait: the mutation that lets it leave early; None: it never waits."""
        m = dict(kind=kind, src=self.id, topo=self.topo.id if self.topo else 0, **f)
        if wait is None or wait in self.mut:
            self.out.append((dst, m))
        else:
            self.held.append([None, dst, m])

    def holders(self, s): return self.topo.owners[s] + self.topo.joiners[s]

    # ---- clients
    def on_run(self, m):
        """Reads come from the primaries' newest versions, as if read just now; then commit."""
        self.seq += 1
        tid, vc, reads = (self.id, self.seq), m['token'], {}
        for key, version in m['reads'].items():
            reads.setdefault(key[0], {})[key[1]] = version.tid if version else None
            vc = vmax(vc, version.vc) if version else vc
        writes = {}
        for s, k in m['writes']:
            writes.setdefault(s, {})[k] = None if (s, k) in m['removes'] else str(tid)
        parts = tuple(sorted(set(reads) | set(writes)))
        one = all(self.reps.get(s) and self.reps[s].serving for s in parts)
        tx = self.txs[tid] = dict(tid=tid, parts=parts, one=one, votes={}, knows=set(), applied=set(), dec=None, told=False)
        tx['recs'] = {s: Rec(tid, s, parts, vc, tuple(sorted(reads.get(s, {}).items())), tuple(sorted(writes.get(s, {}).items(),)), one)
                      for s in parts}
        tx['vc'] = vc
        self.sim.begun(tid, tx, m)
        tx['need'] = {(self.id, s) for s in parts} if one else {(n, s) for s in parts for n in self.holders(s)}
        for n, s in sorted(tx['need']):
            self.send(n, 'prepare', rec=tx['recs'][s])

    def on_prepare(self, m):
        rec, r = m['rec'], self.reps.get(m['rec'].s)
        refuse = not self.topo or m['topo'] != self.topo.id or not self.opened or not r or rec.tid in self.known or rec.tid in self.done_ids | self.aborted
        if not refuse and r.primary:
            keys = [k for k, _ in rec.reads] + [k for k, _ in rec.writes]
            refuse = not r.serving or any(r.locks.get(k, rec.tid) != rec.tid for k in keys)
            refuse = refuse or any((r.newest(k).tid if r.newest(k) else None) != w and not (w is None and r.newest(k) and r.newest(k).value is None)
                                   and not (r.newest(k) is None) for k, w in rec.reads)
        if refuse:
            self.send(m['src'], 'vote', tid=rec.tid, s=rec.s, yes=False, vc=None)
            return
        vote = None
        if r.primary:
            for k in keys:
                r.locks[k] = rec.tid
            vote = r.recent
            if rec.writes:
                r.last += 1
                r.queue[rec.tid] = [r.last, None, rec]
                vote = tuple(r.last if j == rec.s else x for j, x in enumerate(r.recent))
        r.records[rec.tid] = rec
        if not rec.one:
            self.put('record', (rec.tid, rec.s), rec)
        self.send(m['src'], 'vote', 'vote-before-stored' if r.primary else 'backup-ack-before-stored', tid=rec.tid, s=rec.s, yes=True, vc=vote)

    def on_vote(self, m):
        tx = self.txs.get(m['tid'])
        if not tx or tx['dec']:
            return
        if not m['yes']:
            self.abort(tx)
            return
        tx['votes'][m['src'], m['s']] = m['vc']
        if set(tx['votes']) >= tx['need']:
            c = tx['vc']
            for v in tx['votes'].values():
                c = vmax(c, v) if v else c
            recs = tx['recs'] if tx['one'] else {}
            tx['dec'] = Dec(tx['tid'], c, tx['parts'], recs)
            self.learn(tx['dec'])
            self.sim.decided(tx['tid'], c)
            tx['at'] = None                              # the position of the decision: known once the step has ended
            self.push(tx)

    def abort(self, tx):
        tx['dec'] = Dec(tx['tid'], None, tx['parts'], {})
        self.tell(tx, 'aborted')
        self.push(tx)

    def tell(self, tx, outcome):
        if not tx['told']:
            tx['told'] = True
            self.sim.ended(tx['tid'], outcome, tx['dec'].vc)

    def push(self, tx):
        for s in tx['parts']:
            for n in self.holders(s):
                if (n, s) not in tx['applied']:
                    rec = tx['recs'][s] if not tx['one'] or n == self.id or True else None
                    self.send(n, 'decide', s=s, rec=rec, dec=tx['dec'], stable=self.is_stable(tx))
        self.check(tx)

    def is_stable(self, tx):
        """Enough nodes have stored it: this one, and those that have acknowledged."""
        if tx['dec'].vc is None:
            return True
        if not self.flush_ended() and 'told-before-flushed' not in self.mut:
            return False                                 # a member may know nothing of a holder that is gone
        knows = set(tx['knows'])
        if 'self-counts-unstored' in self.mut or (tx.get('at') is not None and self.stored >= tx['at']):
            knows.add(self.id)
        able = {n for s in tx['parts'] for n in self.holders(s)} | {self.id}
        return len(knows) >= min(F + 1, len(able))

    def flush_ended(self): return self.flushed and self.dones >= set(self.topo.members)

    def check(self, tx):
        if not tx['dec']:
            return
        if tx.get('at') is None:
            tx['at'] = self.pos + 1 if self.changes else self.pos
        if not tx.get('stable') and self.is_stable(tx) and tx['dec'].vc is not None:
            tx['stable'] = True
            for s in tx['parts']:
                self.send(self.topo.owners[s][0], 'stable', tid=tx['tid'], s=s) if self.topo.owners[s] else None
        need = {(n, s) for s in tx['parts'] for n in self.holders(s)}
        if tx['applied'] >= need and (tx['dec'].vc is None or self.flush_ended() or 'told-before-flushed' in self.mut):
            if tx['dec'].vc is not None:
                self.tell(tx, 'committed')
            for n in self.topo.members:
                self.send(n, 'done', tid=tx['tid'])
            self.txs.pop(tx['tid'], None)

    def learn(self, dec, settled=False):
        if dec.tid not in self.known and dec.tid not in self.done_ids and dec.vc is not None:
            self.known[dec.tid] = dec
            kept = dec
            if 'one-phase-own-part' in self.mut:
                kept = dec._replace(recs={s: r for s, r in dec.recs.items() if s in self.reps})
            self.put('decision', dec.tid, kept)

    def on_decide(self, m):
        dec, r = m['dec'], self.reps.get(m['s'])
        if not self.topo or m['topo'] != self.topo.id or not r:
            return
        fresh = dec.tid not in self.done_ids
        if fresh:
            self.learn(dec)
        if dec.vc is None:
            self.aborted.add(dec.tid)
        rec = r.records.get(dec.tid) or m['rec']
        if fresh and dec.vc is not None and r.primary and rec.writes and not m['stable'] and not self.in_log(r, dec):
            r.records.setdefault(dec.tid, rec)           # kept back: not seen before enough have stored it
            self.keep(rec)
            self.send(m['src'], 'ack', 'ack-before-stored', tid=dec.tid, s=m['s'], applied=False)
            return
        if fresh:
            self.settle(r, rec, dec)
        applied = dec.vc is None or not fresh or not rec.writes or self.in_log(r, dec)
        self.send(m['src'], 'ack', 'ack-before-stored', tid=dec.tid, s=m['s'], applied=applied)

    def keep(self, rec): self.put('record', (rec.tid, rec.s), rec)

    def on_stable(self, m):
        r, dec = self.reps.get(m['s']), self.known.get(m['tid'])
        if r and dec and m['topo'] == self.topo.id:
            rec = r.records.get(m['tid'])
            if rec:
                self.settle(r, rec, dec)
            if self.in_log(r, dec) or (rec and not rec.writes):
                self.send(m['src'], 'ack', 'ack-before-stored', tid=dec.tid, s=m['s'], applied=True)

    def on_ack(self, m):
        tx = self.txs.get(m['tid'])
        if tx and tx['dec']:
            tx['knows'].add(m['src'])
            if m['applied']:
                tx['applied'].add((m['src'], m['s']))
            elif tx.get('stable'):                       # the word that it is stable may have come before the decision
                self.send(m['src'], 'stable', tid=tx['tid'], s=m['s'])
            self.check(tx)

    def on_done(self, m):
        self.done_ids.add(m['tid'])
        if self.known.pop(m['tid'], None):
            self.put('decision', m['tid'], None)
        self.watermarks()

    def in_log(self, r, dec): return dec.vc is not None and (dec.vc[r.s], dec.tid) in r.log

    def settle(self, r, rec, dec):
        """A decided transaction at one copy."""
        if dec.vc is None:
            r.queue.pop(rec.tid, None)
            self.forget(r, rec)
        elif r.primary and rec.tid in r.queue:
            r.queue[rec.tid][0], r.queue[rec.tid][1] = dec.vc[r.s], dec.vc
        elif not self.in_log(r, dec):
            self.apply(r, rec, dec.vc)
        while r.queue:                                   # the head, all of one number in one step
            low = min(q[0] for q in r.queue.values())
            head = [q for q in r.queue.values() if q[0] == low]
            if any(q[1] is None for q in head):
                break
            for _, vc, hrec in head:
                del r.queue[hrec.tid]
                self.apply(r, hrec, vc)
                if hrec.tid[0] in self.topo.members:
                    self.send(hrec.tid[0], 'ack', 'ack-before-stored', tid=hrec.tid, s=r.s, applied=True)
        self.check_serving(r)

    def forget(self, r, rec):
        if r.records.pop(rec.tid, None) is not None:
            self.put('record', (rec.tid, r.s), None)
        for k in [k for k, t in r.locks.items() if t == rec.tid]:
            del r.locks[k]

    def apply(self, r, rec, vc):
        if rec.writes:
            num = vc[r.s]
            for k, value in rec.writes:
                chain = r.chains.setdefault(k, [])
                if not any(v.tid == rec.tid for v in chain):
                    chain.append(Version(num, rec.tid, vc, value))
                    chain.sort(key=lambda v: (v.num, v.tid))
                    self.put('version', (r.s, k, num, rec.tid), Version(num, rec.tid, vc, value))
            r.log[num, rec.tid] = (vc, tuple(k for k, _ in rec.writes))
            self.put('log', (r.s, num, rec.tid), r.log[num, rec.tid])
            r.applied = max(r.applied, num)
            if r.primary and (r.serving or 'applied-early' in self.mut):
                self.put('applied', r.s, r.applied)
        if 'record-not-kept' in self.mut and rec.writes:
            held = [c for c in self.changes if c[0] in ('version', 'log') and c[1][0] == r.s]
            self.changes = [c for c in self.changes if c not in held]
            self.forget(r, rec)
            self.changes, lost = [], self.changes
            self.pos += 1
            self.pending.append((self.pos, tuple(lost)))
            self.sim.later_store(self)
            self.changes = held
        r.recent = vmax(r.recent, vc)
        self.forget(r, rec)

    # ---- watermark and garbage
    def complete(self, r):
        undone = [d.vc[r.s] for d in self.known.values() if r.s in d.parts and d.vc]
        return r.applied if 'watermark-early' in self.mut else min([r.applied] + [u - 1 for u in undone])

    def watermarks(self):
        for r in self.reps.values():
            if r.primary and r.serving and self.complete(r) > r.mark:
                r.mark = self.complete(r)
                self.put('mark', r.s, r.mark)
                for n in self.holders(r.s):
                    if n != self.id:
                        self.send(n, 'mark', s=r.s, num=r.mark)

    def on_mark(self, m):
        r = self.reps.get(m['s'])
        if r and self.topo and m['topo'] == self.topo.id and r.synced and m['num'] > r.mark:
            r.mark = m['num']
            self.put('mark', r.s, r.mark)

    def on_gc(self, m):
        """Versions that no snapshot needs; clocks at or below the horizon."""
        for r in self.reps.values():
            if not r.synced:
                continue
            for k, chain in list(r.chains.items()):
                below = [v for v in chain if leq(v.vc, m['horizon'])]
                gone = below[:-1] + ([below[-1]] if below and len(below) == len(chain) and below[-1].value is None else [])
                for v in gone:
                    chain.remove(v)
                    self.put('version', (r.s, k, v.num, v.tid), None)
                if below and below[-1] in chain and any(below[-1].vc):
                    v = below[-1]
                    settled = v._replace(vc=(0,) * self.shards)
                    chain[chain.index(v)] = settled
                    self.put('version', (r.s, k, v.num, v.tid), settled)
                if not chain:
                    del r.chains[k]

    # ---- topology
    def on_propose(self, m):
        t = m['topology']
        if t.id > self.promised:
            self.promised = t.id
            if 'promise-not-stored' not in self.mut:
                self.put('facts', 'promised', t.id)
            self.send('grid', 'promise', 'promise-not-stored', id=t.id)

    def on_install(self, m):
        t = m['topology']
        if self.topo and t.id <= self.topo.id:
            return
        first, self.topo = self.topo is None, t
        self.put('facts', 'topo', t)
        self.put('facts', 'me', self.id)
        self.opened = not t.founding
        if not t.founding:
            self.put('facts', 'cut', None)               # the cut is stored everywhere, or this disk is a joiner here
            self.put('facts', 'opened', t.id)
        self.flushes, self.dones, self.flushed, self.cutting = {self.id: []}, set(), False, t.founding
        for s in range(self.shards):
            role = 'owner' if self.id in t.owners[s] else 'joiner' if self.id in t.joiners[s] else None
            if role is None:
                self.reps.pop(s, None)
                if self.roles.pop(s, None):
                    self.put('role', s, None)
                continue
            r = self.reps.get(s)
            if r is None:
                old = self.old.pop(s, None)
                seen = self.since.get(s, 0)
                cuts = [P for tid, P in m['cuts'] if tid >= seen]
                if old and 'watermark-outlives-cut' not in self.mut:
                    old.mark = min([old.mark] + [P[s] for P in cuts])
                if old and self.cut and role == 'joiner' and 'cut-tears-holes' not in self.mut:
                    old.mark = min(old.mark, self.cut[2].get(s, old.mark + 1) - 1)
                if role == 'owner' and not t.founding:
                    r = Rep(s, self.shards, True)        # the first of a new shard
                elif role == 'owner':
                    r = old
                    r.synced = True
                    if 'in-doubt-forgotten' in self.mut:
                        r.records = {}
                else:
                    r = self.old_copy(old, [] if 'stale-keeps-cut' in self.mut else cuts) if old and old.mark else self.nothing(old, s)
                    r.synced = False
                self.reps[s] = r
            if role == 'joiner' and r.synced:
                role = 'synced'
            if self.roles.get(s) != role:
                self.roles[s] = role
                self.put('role', s, role)
            self.put('since', s, t.id)
            was, r.primary = r.primary, bool(t.owners[s]) and t.owners[s][0] == self.id
            if r.primary and not was:
                r.serving = False
            elif r.primary and r.serving:
                r.last = t.id * EPOCH
            r.asked = False
        if first and t.founding and self.id in t.founding:
            self.known = {} if 'decisions-not-told' in self.mut else dict(self.old_known)
        elif first and 'stale-decisions-kept' in self.mut and t.founding:
            self.known = dict(self.old_known)
        elif first and 'stale-decisions-kept' not in self.mut:
            for tid in self.old_known:                   # a stale disk may contradict nobody, now or at the next recovery
                self.put('decision', tid, None)
        for tx in list(self.txs.values()):
            if not tx['dec'] and any(n not in t.members for n, _ in tx['need']):
                self.abort(tx)
        told = [d for d in self.known.values()]
        self.flushes[self.id] = told
        for n in t.members:
            self.send(n, 'flush', 'flush-before-stored', decs=told)
        waiting, self.later = self.later, []
        for msg in waiting:
            if msg['topo'] > t.id:
                self.later.append(msg)
            else:
                getattr(self, 'on_' + msg['kind'])(msg)

    def nothing(self, old, s):
        """A new copy: what the disk has of the shard goes."""
        if old:
            for k, chain in old.chains.items():
                for v in chain:
                    self.put('version', (s, k, v.num, v.tid), None)
            for e in old.log:
                self.put('log', (s,) + e, None)
            for tid in old.records:
                self.put('record', (tid, s), None)
            self.put('mark', s, 0)                       # in the same batch: it must not outlive the rows
            self.put('applied', s, 0)
        return Rep(s, self.shards, False)

    def old_copy(self, old, cuts):
        """An old disk's copy up to its watermark: above it, it may have what was aborted since; below it, what was cut since."""
        if 'delta-keeps-undone' not in self.mut:
            for k, chain in list(old.chains.items()):
                for v in [v for v in chain if v.num > old.mark or not all(leq(v.vc, P) for P in cuts)]:
                    chain.remove(v)
                    self.put('version', (old.s, k, v.num, v.tid), None)
                if not chain:
                    del old.chains[k]
        for num, tid in [e for e, (vc, _) in old.log.items() if e[0] > old.mark or not all(leq(vc, P) for P in cuts)]:
            del old.log[num, tid]
            self.put('log', (old.s, num, tid), None)
        for tid in list(old.records):
            self.put('record', (tid, old.s), None)
        self.put('mark', old.s, old.mark)
        self.put('applied', old.s, min(old.applied, old.mark))
        old.records, old.applied = {}, min(old.applied, old.mark)
        return old

    def on_flush(self, m):
        if m['topo'] != self.topo.id:
            return
        self.flushes[m['src']] = m['decs']
        if self.flushed or not set(self.flushes) >= set(self.topo.members):
            return
        self.flushed = True
        for decs in self.flushes.values():
            for dec in decs:
                if dec.tid in self.done_ids:
                    continue
                self.learn(dec)
                for s in dec.parts:
                    r = self.reps.get(s)
                    rec = r and (r.records.get(dec.tid) or dec.recs.get(s))
                    if rec and (not r.primary or not rec.writes):
                        self.settle(r, rec, dec)
                    elif rec and not self.in_log(r, dec):
                        r.records.setdefault(dec.tid, rec)
                        self.keep(rec)
        for r in self.reps.values():                     # in doubt, and the coordinator is gone: nobody was told, nobody has seen it
            for rec in list(r.records.values()):
                if rec.tid[0] not in self.topo.members and rec.tid not in self.known:
                    if 'in-doubt-commits' in self.mut and self.topo.founding:
                        vc = tuple(self.topo.id * EPOCH + 1 if j == r.s else x for j, x in enumerate(vmax(rec.vc, r.recent)))
                        self.apply(r, rec, vc)
                    else:
                        r.queue.pop(rec.tid, None)
                        self.forget(r, rec)
        for n in self.topo.members:
            self.send(n, 'flush_done', 'flush-done-early')

    def on_flush_done(self, m):
        if m['topo'] != self.topo.id:
            return
        self.dones.add(m['src'])
        if not self.dones >= set(self.topo.members):
            return
        for dec in list(self.known.values()):
            for s in dec.parts:
                r = self.reps.get(s)
                rec = r and r.records.get(dec.tid)
                if rec and r.primary:
                    self.settle(r, rec, dec)
            if dec.tid[0] not in self.topo.members and not self.cutting:
                self.known.pop(dec.tid)
                self.put('decision', dec.tid, None)
        if self.cutting:
            best = {}
            for s, r in self.reps.items():
                if r.synced:
                    whole = not self.disk.short
                    mine = max([n for n, _ in r.log] + [r.mark])
                    led = self.old_topo and self.old_topo.owners[s] and self.old_topo.owners[s][0][0] == self.id[0]
                    self.told[s] = mine if whole else max(r.mark, r.opened if led else 0)
                    best[s] = (whole, mine if whole else max(r.mark, (r.applied if 'cut-above-gap' in self.mut else r.opened) if led else 0))
            self.send('grid', 'complete', 'flush-done-early', best=best, cut=self.cut)
            return
        for tx in list(self.txs.values()):
            if tx['dec']:
                self.push(tx)
        for r in list(self.reps.values()):
            self.check_serving(r)
            self.ask(r)

    def on_cut(self, m):
        """What has a clock above the cut is gone at all; who has less than it is a joiner next."""
        if not self.topo or m['topo'] != self.topo.id or not self.cutting:
            return
        P, taken, behind = m['P'], {}, m['behind'].get(self.id, ())
        for s, r in self.reps.items():
            for k, chain in list(r.chains.items()):
                for v in list(chain):
                    if not (v.vc[s] <= P[s] if 'cut-own-component' in self.mut else leq(v.vc, P)):
                        self.sim.was_cut(v.tid)
                        taken[s] = min(taken.get(s, v.num), v.num)
                        chain.remove(v)
                        self.put('version', (s, k, v.num, v.tid), None)
                if not chain:
                    del r.chains[k]
            for e in [e for e, (vc, _) in r.log.items() if not leq(vc, P)]:
                del r.log[e]
                self.put('log', (s,) + e, None)
            for tid in list(r.records):
                self.put('record', (tid, s), None)
            r.records, r.queue, r.locks = {}, {}, {}
            r.recent, r.applied = P, P[s]
            self.put('since', s, self.topo.id + .5)      # this cut is behind it
            # What is stored as applied outlives neither what is cut nor what this copy has.
            self.put('applied', s, P[s] if s not in behind or 'applied-early' in self.mut else min(P[s], self.told[s]))
            r.mark = min(r.mark, P[s]) if s in behind or not r.synced else P[s]
            self.put('mark', s, r.mark)
            if s in behind and 'behind-in-step' not in self.mut:
                r.synced = False
        for s, low in (self.cut[2] if self.cut else {}).items():
            taken[s] = min(taken.get(s, low), low)
        self.cut = (self.topo.id, P, taken)
        self.put('facts', 'cut', self.cut)
        for tid in list(self.known):
            self.put('decision', tid, None)
        self.known, self.cutting = {}, False
        self.send('grid', 'cut_done', 'flush-done-early')

    def on_open(self, m):
        """The cut is stored everywhere."""
        if self.topo and m['topo'] == self.topo.id:
            self.opened, self.cut = True, None
            self.put('facts', 'cut', None)
            self.put('facts', 'opened', self.topo.id)
            for s in m['behind'].get(self.id, ()):
                self.reps[s].synced = False
            for r in list(self.reps.values()):
                self.check_serving(r)
                self.ask(r)

    def check_serving(self, r):
        t = self.topo
        if not (r.primary and not r.serving and r.synced and self.flush_ended()) or self.cutting or not self.opened:
            return
        if any(rec.tid not in r.queue for rec in r.records.values()) or r.queue:
            return
        r.serving, r.last = True, t.id * EPOCH
        self.put('applied', r.s, r.applied)
        self.watermarks()

    # ---- state
    def ask(self, r):
        if not r.synced and not r.primary and not r.asked and self.topo.owners[r.s]:
            r.asked = True
            self.send(self.topo.owners[r.s][0], 'state_req', s=r.s, since=r.mark)

    def on_state_req(self, m):
        r = self.reps.get(m['s'])
        if not self.topo or m['topo'] != self.topo.id or not r or not r.primary:
            return
        if not r.serving or not (self.flush_ended() or 'state-before-flush' in self.mut):
            self.sim.again(self, m)
            return
        since = m['since']
        changed = {k for (num, _), (_, keys) in r.log.items() if num > since for k in keys}
        if not since:
            changed = set(r.chains)
        if 'delta-no-removals' in self.mut:
            changed = {k for k in changed if k in r.chains}
        self.send(m['src'], 'state', s=r.s, since=since, chains={k: tuple(r.chains.get(k, ())) for k in changed}, log=dict(r.log),
                  applied=r.applied, recent=r.recent, mark=r.mark,
                  records=[rec for rec in r.records.values() if not rec.one],
                  ready=[(q[2], q[1]) for q in r.queue.values() if q[1]])

    def on_state(self, m):
        r = self.reps.get(m['s'])
        if not self.topo or m['topo'] != self.topo.id or not r or r.synced:
            return
        for k in set(r.chains) | set(m['chains']):
            if m['since'] and k not in m['chains']:
                continue
            mine, theirs = r.chains.get(k, []), list(m['chains'].get(k, ()))
            for v in mine:
                if v.num > m['applied'] and not any(w.tid == v.tid for w in theirs):
                    theirs.append(v)
                elif not any(w == v for w in theirs):
                    self.put('version', (r.s, k, v.num, v.tid), None)
            for v in theirs:
                if v not in mine:
                    self.put('version', (r.s, k, v.num, v.tid), v)
            r.chains[k] = sorted(theirs, key=lambda v: (v.num, v.tid))
            if not r.chains[k]:
                del r.chains[k]
        for e, entry in m['log'].items():
            if e not in r.log:
                r.log[e] = entry
                self.put('log', (r.s,) + e, entry)
        r.applied, r.recent = max(r.applied, m['applied']), vmax(r.recent, m['recent'])
        if m['mark'] > r.mark:                           # with the state: what is proven forced by all owners never goes back
            r.mark = m['mark']
            self.put('mark', r.s, r.mark)
        for rec in m['records']:
            dec = self.known.get(rec.tid)
            if dec and not self.in_log(r, dec):
                self.apply(r, rec, dec.vc)
            elif not dec and rec.tid not in self.done_ids | self.aborted:
                r.records[rec.tid] = rec
                self.keep(rec)
        for rec, vc in m['ready']:
            if (vc[r.s], rec.tid) not in r.log:
                self.apply(r, rec, vc)
        r.synced = True
        self.roles[r.s] = 'synced'
        self.put('role', r.s, 'synced')
        self.send('grid', 'synced', 'synced-early', s=r.s)


class Sim:
    def __init__(self, seed, mode, mut=(), nodes=3, shards=3, keys=3, trace=False):
        self.rng = random.Random(seed)
        self.mode = self.rng.choice(['fsync', 'async']) if mode == 'mixed' else mode
        self.shards, self.keys, self.mut, self.trace = shards, keys, frozenset(mut), trace
        self.n, self.time, self.events, self.count = nodes, 0, [], 0
        self.disks, self.nodes, self.lives = [Disk() for _ in range(nodes)], {}, [0] * nodes
        self.topo, self.proposed, self.promises, self.installed = None, None, set(), set()
        self.history, self.problems, self.stats = {}, [], Counter()
        self.synced, self.cut, self.cut_done, self.founded, self.cuts = set(), {}, set(), False, []
        self.power, self.lost, self.calm, self.wanted = False, None, False, 0
        self.disk_of = {}                                # by node id, as a topology names its members
        self.firsts = set()                              # topologies of new grids: there was nothing before
        self.budget = self.rng.randrange(8, 30)

    def at(self, dt, f, *a):
        self.count += 1
        heapq.heappush(self.events, (self.time + dt, self.count, f, a))

    # ---- what nodes tell the simulation
    def later_store(self, node): self.at(self.rng.choice([1, 1, 2, 5, 20, 60]), self.do_store, node)

    def do_store(self, node):
        if self.nodes.get(node.id) is node and node.pending:
            self.route(node.id, node.store())

    def again(self, node, m): self.at(10, self.deliver, node.id, m)
    def begun(self, tid, tx, m):
        self.history[tid] = dict(tid=tid, reads={k: v.tid if v else None for k, v in m['reads'].items()}, status='open', vc=None, seen=False,
                                 writes={(s, k): v for s, r in tx['recs'].items() for k, v in r.writes}, decided=False, cut=False)

    def decided(self, tid, vc): self.history[tid]['decided'] = True
    def was_cut(self, tid): self.history[tid]['cut'] = True

    def ended(self, tid, outcome, vc):
        self.history[tid].update(status=outcome, vc=vc, at=self.time)
        self.stats[outcome] += 1

    # ---- network
    def route(self, src, out):
        for dst, m in out:
            delay = self.rng.choice([1, 1, 2, 3, 10, 30])
            if dst == 'grid':
                self.at(delay, self.grid, src, m)
            else:
                self.at(delay, self.deliver, dst, m)

    def deliver(self, dst, m):
        node = self.nodes.get(dst)
        if node and (m['src'] in self.nodes or True):
            if self.trace:
                print(self.time, dst, {k: v for k, v in m.items() if k != 'topology'})
            self.route(dst, node.step(m))

    def tell(self, dst, kind, **f): self.at(self.rng.choice([1, 2, 10]), self.deliver, dst, dict(kind=kind, src='grid', **f))

    # ---- membership: Infinispan, roll call, lineage, in one place; it knows only what live nodes and their disks say
    def look(self):
        self.at(15, self.look)
        up = sorted(self.nodes)
        if self.proposed:
            if any(n not in self.nodes for n in self.proposed.members):
                self.proposed = None
            return
        if self.topo and not all(n in self.installed or n not in self.nodes for n in self.topo.members):
            return
        t = self.topo
        if t is None:
            if self.history or self.founded or any(d.batches and d.tables().get('facts', {}).get('topo') for d in self.disks) or self.lost is not None:
                self.found(up)
            elif len(up) == self.n:
                self.firsts.add(self.top_id() + 1)
                self.propose(up, [[up[s % self.n], up[(s + 1) % self.n]] for s in range(self.shards)], [[] for _ in range(self.shards)],
                             self.top_id() + 1, False)
            return
        alive = [n for n in t.members if n in self.nodes]
        if len(alive) < len(t.members):
            owners = [[n for n in o if n in self.nodes] for o in t.owners]
            if 2 * len(alive) <= len(t.members) or not all(owners) or (t.founding and not self.opened):
                self.topo = None                         # degraded: they stop and come back from what they have stored
                for n in alive:
                    self.kill(n, 'kill')
                return
            self.propose(alive, owners, [[n for n in j if n in self.nodes] for j in t.joiners], self.top_id() + 1, False)
            return
        if t.founding and not self.opened:
            return
        ready = {(n, s) for s in range(self.shards) for n in t.joiners[s] if (n, s) in self.synced}
        new = [n for n in up if n not in t.members]
        short = [s for s in range(self.shards) if len(t.owners[s]) + len(t.joiners[s]) < 2]
        if ready or (new and self.rng.random() < .5) or short:
            members = t.members + new
            owners = [o + [n for n in t.joiners[s] if (n, s) in ready] for s, o in enumerate(t.owners)]
            joiners = [[n for n in j if (n, s) not in ready] for s, j in enumerate(t.joiners)]
            for s in range(self.shards):
                free = [n for n in members if n not in owners[s] + joiners[s]]
                while len(owners[s]) + len(joiners[s]) < 2 and free:
                    joiners[s].append(free.pop(self.rng.randrange(len(free))))
            if members != t.members or owners != t.owners or joiners != t.joiners:
                self.propose(members, owners, joiners, self.top_id() + 1, False)

    def top_id(self): return max([n.promised for n in self.nodes.values()] + [self.topo.id if self.topo else 0])

    def found(self, up):
        """Recovery, part 3: who is there, is it enough, from which disks."""
        nodes = [self.nodes[n] for n in up]
        known = [n.old_topo for n in nodes if n.old_topo]
        if not known or self.waiting(nodes):
            return
        t = max(known, key=lambda t: t.id)
        disks = {n.id[0]: n for n in nodes if n.old_topo or t.id in self.firsts}
        # Members by disk: a node has a new id each time. All of them have promised t, so who is one takes no other way.
        agreed = [m for m in t.members for n in nodes if self.disk_of[m] == n.disk.id or ('emptied-counts' in self.mut and m[0] == n.id[0])]
        # Who was only about to join it has nothing to say.
        here = {m: disks[m[0]] for m in agreed if m[0] in disks and self.says(t, m, disks[m[0]])}
        enough = 2 * len(agreed) > len(t.members) or (2 * len(agreed) == len(t.members) and t.members[0] in agreed)
        # What was told or seen is known to one disk more than may be missing.
        enough = enough and (len(t.members) - len(agreed) <= 1 or 'too-many-missing' in self.mut)
        if not enough and 'minority-founds' not in self.mut:
            self.stats['rounds without enough'] += 1
            return
        owners, joiners = [], []
        for s in range(self.shards):
            can = [here[m] for m in t.owners[s] if m in here and (here[m].roles.get(s) in ('owner', 'synced') or not here[m].old_topo)]
            if 'joiner-is-source' in self.mut:
                can = [here[m] for m in t.joiners[s] if m in here] + can
            if 'stale-disk-wins' in self.mut:
                can = [n for n in disks.values() if n.roles.get(s) in ('owner', 'synced')]
            owners.append([n.id for n in can][:2])
            joiners.append([n for n in up if n not in owners[-1]][:2 - len(owners[-1])])
        if not all(owners):
            self.stats['rounds without a shard'] += 1
            return
        top = max(known, key=lambda t: t.id).id if 'id-reused' in self.mut else max(n.promised for n in nodes)
        first = {n.id for n in here.values()}            # the oldest member of t counts most: one that says something
        self.propose(sorted(up, key=lambda n: (n not in first, n)), owners, joiners, top + 1, frozenset(n.id for n in here.values()))

    def says(self, t, m, node):
        if not node.old_topo:                            # a new grid's member that had no time to install anything: nobody served there
            return True
        return node.me == m or (t.founding and m in t.founding) or 'newcomer-tells' in self.mut

    def waiting(self, nodes):
        """A while for all of them."""
        self.wanted += 1
        missing = [d for d in range(self.n) if d != self.lost and not any(n.id[0] == d for n in nodes)]
        return missing and self.wanted < 12

    def propose(self, members, owners, joiners, tid, founding):
        self.proposed, self.promises = Topo(tid, list(members), [list(o) for o in owners], [list(j) for j in joiners], founding), set()
        for n in members:
            self.tell(n, 'propose', topology=self.proposed)

    def grid(self, src, m):
        if src not in self.nodes:
            return
        k = m['kind']
        if k == 'promise' and self.proposed and m['id'] == self.proposed.id:
            self.promises.add(src)
            if self.promises >= set(self.proposed.members):
                self.topo, self.proposed, self.installed = self.proposed, None, set()
                self.synced, self.cut, self.cut_done, self.opened, self.begun_cuts = set(), {}, set(), not self.topo.founding, []
                self.stats['founded' if self.topo.founding else 'topologies'] += 1
                self.wanted = 0
                for n in self.topo.members:
                    self.at(self.rng.choice([1, 5, 30]), self.install, n, self.topo)
        elif not self.topo or m['topo'] != self.topo.id:
            return
        elif k == 'synced':
            self.synced.add((src, m['s']))
        elif k == 'complete':
            self.cut[src] = m['best']
            self.begun_cuts += [m['cut']] if m['cut'] else []
            if set(self.cut) >= set(self.topo.members):
                P, best = [], []
                for s in range(self.shards):
                    all_ = {n: b[s] for n, b in self.cut.items() if s in b}
                    whole = [x for x in all_.values() if x[0]]
                    best.append(all_)
                    P.append(max(x[1] for x in (whole or all_.values())))
                opened = [self.nodes[n].disk.tables().get('facts', {}).get('opened', 0) for n in self.topo.members if n in self.nodes]
                for tid, begun, _ in self.begun_cuts:    # a founding that did not end: others may have cut already
                    if tid > max(opened) and 'cut-forgets-cut' not in self.mut:
                        P = [min(p, q) for p, q in zip(P, begun)]
                self.P, self.best, self.behind = tuple(P), best, {}
                for s in range(self.shards):
                    for n, (whole, upto) in best[s].items():
                        if upto < P[s] and not whole:
                            self.behind.setdefault(n, set()).add(s)
                for n in self.topo.members:
                    self.tell(n, 'cut', topo=self.topo.id, P=self.P, behind=self.behind)
        elif k == 'cut_done':
            self.cut_done.add(src)
            if self.cut_done >= set(self.topo.members):
                behind, t = self.behind, self.topo
                self.cuts.append((self.topo.id, self.P))
                self.opened = not behind or 'behind-serves' in self.mut
                if behind:                               # the next topology has those that have less as joiners
                    owners = [[n for n in o if s not in behind.get(n, ())] for s, o in enumerate(t.owners)]
                    joiners = [j + [n for n in t.owners[s] if s in behind.get(n, ())] for s, j in enumerate(t.joiners)]
                    self.propose(t.members, owners, joiners, self.top_id() + 1, False)
                for n in t.members if self.opened else ():
                    self.tell(n, 'open', topo=t.id, behind=behind)

    def install(self, n, topo):
        node = self.nodes.get(n)
        if node and self.topo is topo:
            self.installed.add(n)
            self.route(n, node.step(dict(kind='install', src='grid', topo=topo.id, topology=topo, cuts=tuple(self.cuts))))

    # ---- faults
    def kill(self, nid, how):
        node = self.nodes.pop(nid, None)
        if not node:
            return
        d = node.disk
        if how == 'power':
            keep = self.rng.randrange(d.forced, len(d.batches) + 1)
            d.short = d.short or keep < len(d.batches) or self.mode == 'async'
            del d.batches[keep:]
            d.forced = len(d.batches)
        if 'batch-split' in self.mut and node.pending:
            first = node.pending[0][1]
            d.batches.append(first[:self.rng.randrange(len(first) + 1)])
        self.at(self.rng.choice([20, 60, 150, 400]), self.restart, nid[0])

    def restart(self, disk):
        if any(n[0] == disk for n in self.nodes):
            return
        self.lives[disk] += 1
        nid = (disk, self.lives[disk])
        self.disk_of[nid] = self.disks[disk].id
        self.nodes[nid] = Node(nid, self.shards, self.mode, self.mut, self.disks[disk], self)
        self.route(nid, self.nodes[nid].step(dict(kind='gc', horizon=(0,) * self.shards)))

    def fault(self):
        if self.calm:
            return
        self.at(self.rng.choice([60, 150, 300, 600]), self.fault)
        up = sorted(self.nodes)
        what = self.rng.choice(['one', 'one', 'all', 'all', 'lose', 'two'])
        how = self.rng.choice(['kill', 'power'])
        if not up or not self.topo or not self.history:
            return
        if what == 'one' and len(up) == self.n:
            self.stats[how + ' one'] += 1
            self.kill(self.rng.choice(up), how)
        elif what == 'two' and self.rng.random() < .5:
            self.stats[how + ' two'] += 1
            for n in self.rng.sample(up, min(2, len(up))):
                self.kill(n, how)
        elif what in ('all', 'lose'):
            self.stats[how + ' all'] += 1
            for n in up:
                self.kill(n, how)
            whole = self.topo and len(self.topo.members) == self.n and all(len(o) == 2 for o in self.topo.owners) and self.topo.id
            if what == 'lose' and self.lost is None and whole and self.rng.random() < .4:
                self.lost = self.rng.randrange(self.n)
                if all(d.tables().get('facts', {}).get('topo') and d.tables()['facts']['topo'].id == whole
                       for i, d in enumerate(self.disks) if i != self.lost):
                    self.stats['disk lost'] += 1
                    self.disks[self.lost] = Disk()
                else:
                    self.lost = None
            self.topo, self.proposed = None, None
            self.power = self.power or how == 'power'

    def force(self):
        self.at(self.rng.choice([30, 80, 200]), self.force)
        for d in self.disks:
            if self.rng.random() < .6:
                d.forced, d.short = len(d.batches), d.short

    def gc(self):
        self.at(70, self.gc)
        t = self.topo
        if not t or (any(t.joiners) and 'clock-dropped-joining' not in self.mut) or not all(n in self.nodes for n in t.members) or any(self.nodes[n].cutting or not self.nodes[n].topo or self.nodes[n].topo.id != t.id
                                                                       for n in t.members):
            return
        H = []
        for s in range(self.shards):                     # what all owners have forced, and nobody will add to
            p = self.nodes[t.owners[s][0]].reps[s]
            if not p.serving:
                return
            if 'clock-dropped' in self.mut:
                H.append(p.applied)
                continue
            marks = []                                   # what each owner's forced disk proves by itself, alone
            for n in t.owners[s]:
                d = self.nodes[n].disk
                marks.append(d.tables(d.forced).get('mark', {}).get(s, 0))
            num = min(marks + [p.mark])
            H.append(num)
        for n in t.members:
            if self.rng.random() < .7:
                self.tell(n, 'gc', horizon=tuple(H))

    # ---- clients
    def client(self):
        if self.budget <= 0:
            return
        self.at(self.rng.choice([5, 10, 20, 40]), self.client)
        ready = [n for n in self.nodes.values() if n.topo and self.topo and n.topo.id == self.topo.id and not n.cutting]
        if not ready:
            return
        node = self.rng.choice(sorted(ready, key=lambda n: n.id))
        keys = [(s, k) for s in range(self.shards) for k in range(self.keys)]
        local = [k for k in keys if node.topo.owners[k[0]] and node.topo.owners[k[0]][0] == node.id]
        pool = local if local and self.rng.random() < .4 else keys
        writes = self.rng.sample(pool, min(len(pool), self.rng.choice([1, 1, 2, 3])))
        reads = {}
        for key in self.rng.sample(keys, self.rng.choice([0, 1, 2])) + (writes if self.rng.random() < .5 else []):
            p = self.nodes.get(node.topo.owners[key[0]][0]) if node.topo.owners[key[0]] else None
            r = p.reps.get(key[0]) if p else None
            if not r or not r.serving:
                return
            reads[key] = r.newest(key[1])
            if reads[key]:
                self.history[reads[key].tid]['seen'] = True
        self.budget -= 1
        removes = {k for k in writes if self.rng.random() < .3}
        self.route(node.id, node.step(dict(kind='run', src='client', reads=reads, writes=sorted(writes), removes=removes, token=(0,) * self.shards)))

    def run(self):
        for d in range(self.n):
            self.restart(d)
        for f, dt in ((self.look, 1), (self.client, 60), (self.fault, self.rng.randrange(100, 500)), (self.force, 30), (self.gc, 90)):
            self.at(dt, f)
        end, last = 6000, 0
        while self.events and self.time < end + 6000:
            self.time, _, f, a = heapq.heappop(self.events)
            if self.time > 2500 and not self.calm:
                self.calm, self.budget = True, 0
                for n in sorted(self.nodes):
                    if self.rng.random() < .5:           # a last crash, mostly of all
                        self.kill(n, self.rng.choice(['kill', 'power']))
            f(*a)
        return self


def check(sim):
    """All that is left after the last recovery, compared with what clients were told and saw."""
    bad = list(sim.problems)
    t = sim.topo
    settled = t and all(n in sim.nodes and sim.nodes[n].topo and sim.nodes[n].topo.id == t.id for n in t.members) and \
        all(sim.nodes[o[0]].reps[s].serving for s, o in enumerate(t.owners) if o)
    if not settled:
        if sim.lost is not None:
            return bad, True                             # more was lost than is promised: it must not serve, and does not
        return bad + [f'never serves again: {t} {sorted(sim.nodes)} {sim.installed} {sim.proposed}'], False
    for n in t.members:
        node = sim.nodes[n]
        left = [tid for r in node.reps.values() for tid in r.records]
        if left or node.txs:
            bad.append(f'left over at {n}: {left} {list(node.txs)}')
    place, newest = {}, {}
    for s, owners in enumerate(t.owners):
        copies = [sim.nodes[n].reps[s] for n in owners]
        for c in copies:
            disk = Rep(s, sim.shards, True)
            for (s2, k, _, _), v in sim.nodes[owners[copies.index(c)]].disk.tables().get('version', {}).items():
                if s2 == s:
                    disk.chains.setdefault(k, []).append(v)
            mem = {k: [(v.tid, v.value) for v in chain] for k, chain in c.chains.items() if chain}
            dsk = {k: sorted(((v.num, v.tid, v.value) for v in chain)) for k, chain in disk.chains.items() if chain}
            if mem != {k: [(x[1], x[2]) for x in v] for k, v in dsk.items()}:
                bad.append(f'disk and memory differ: shard {s} at {owners[copies.index(c)]}: {mem} and {dsk}')
        tops = [{k: (ch[-1].tid, ch[-1].value) for k, ch in c.chains.items() if ch and ch[-1].value is not None} for c in copies]
        if any(x != tops[0] for x in tops):
            bad.append(f'owners of shard {s} differ: {tops}')
        logs = [set(e[1] for e in c.log) for c in copies]
        if any(x != logs[0] for x in logs):
            bad.append(f'owners of shard {s} {owners} have other commits: {[sorted(x ^ y) for x in logs for y in logs if x != y][0]}')
        for e, (_, keys) in copies[0].log.items():
            for k in keys:
                place.setdefault(e[1], set()).add((s, k))
        for k, tv in tops[0].items():
            newest[s, k] = tv
    alive = {}
    for tid, h in sim.history.items():
        there = place.get(tid, set())
        alive[tid] = bool(there)
        if there and there != set(h['writes']):
            bad.append(f'half a transaction: {tid} has {sorted(there)} of {sorted(h["writes"])}')
        if there and h['status'] == 'aborted':
            bad.append(f'told aborted, and there: {tid}')
        safe = sim.mode == 'fsync' or not sim.power_lost
        if not there and h['status'] == 'committed' and safe:
            bad.append(f'told committed, and lost: {tid}')
        if not there and h['seen'] and safe:
            bad.append(f'seen, and lost: {tid}')
        if there and not h['decided']:
            bad.append(f'never decided, and there: {tid}')
        if h['cut'] and safe:
            bad.append(f'cut, and nothing was lost: {tid}')
    for tid, h in sim.history.items():
        for key, w in h['reads'].items():
            if alive[tid] and w and not alive[w]:
                bad.append(f'{tid} is there, and {w} that it read is not')
    order = {}
    for s, owners in enumerate(t.owners):
        for (num, tid), (_, keys) in sorted(sim.nodes[owners[0]].reps[s].log.items()):
            for k in keys:
                order[s, k] = tid
    for key in set(order) | set(newest):
        tid = order.get(key)
        value = sim.history[tid]['writes'][key] if tid else None
        if (newest.get(key) or (None, None))[1] != value:
            bad.append(f'{key} has {newest.get(key)}, the last commit there is {tid} with {value}')
    return bad, False


def one(seed, mode, mut=(), nodes=3, trace=False):
    sim = Sim(seed, mode, mut, nodes=nodes, trace=trace)
    kill = sim.kill
    sim.power_lost = False

    def watched(nid, how):
        if how == 'power':
            sim.power_lost = True
        kill(nid, how)
    sim.kill = watched
    try:
        sim.run()
    except Exception as e:
        if not mut:
            raise
        return sim, [f'crash: {type(e).__name__} {e}'], False
    return (sim, *check(sim))


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    for name, default in (('seeds', 300), ('first', 0), ('nodes', 3)):
        p.add_argument('--' + name, type=int, default=default)
    p.add_argument('--seed', type=int)
    p.add_argument('--mode', default='mixed')
    p.add_argument('--mutate', default='')
    for name in ('trace', 'mutations', 'keep-going'):
        p.add_argument('--' + name, action='store_true')
    a = p.parse_args()
    if a.mutations:
        for name in MUTATIONS:
            if a.mutate and name not in a.mutate.split(','):
                continue
            for seed in range(a.first, a.first + a.seeds):
                sim, bad, _ = one(seed, a.mode, (name,), a.nodes)
                if bad:
                    print(f'caught  {name:24} seed {seed} ({sim.mode}): {bad[0][:110]}', flush=True)
                    break
            else:
                print(f'MISSED  {name:24} in {a.seeds} seeds: {MUTATIONS[name]}', flush=True)
        return
    began, failed, voided, total = time.time(), 0, 0, Counter()
    seeds = [a.seed] if a.seed is not None else range(a.first, a.first + a.seeds)
    for seed in seeds:
        sim, bad, void = one(seed, a.mode, tuple(filter(None, a.mutate.split(','))), a.nodes, a.trace)
        total.update(sim.stats)
        voided += void
        if bad:
            failed += 1
            print(f'seed {seed} ({sim.mode}):', *bad[:4], sep='\n   ', flush=True)
            if not a.keep_going:
                break
    print(f'{len(list(seeds))} seeds, {failed} failed, {voided} ended without a grid, {time.time() - began:.0f} s',
          *(f'{v:8} {k}' for k, v in sorted(total.items())), sep='\n')
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
