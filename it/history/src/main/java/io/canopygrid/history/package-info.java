/**
 * Histories of whole clusters, format {@code canopy-history/1}, and their checker.
 *
 * <p>A run writes one JSON line before each transaction and one after it ({@link HistoryWriter});
 * {@link HistoryReader} pairs them into {@link Txn}s; {@link HistoryChecker} decides whether
 * anything that clients observed contradicts <em>extended update serializability</em>:
 *
 * <ol>
 *   <li>The order of the versions of each key is read off the history: a list's elements say it, a
 *       register's writes follow what their transaction read, a row of a scanned range is absent
 *       first and then present ({@link Timeline}).
 *   <li>The committed updates form a graph: each version's writer comes before the next one's (ww),
 *       before each reader of it (wr), and each reader of a version comes before the next one's
 *       writer (rw). This graph must have no cycle (Adya, "Weak Consistency", 1999, chapter 4).
 *   <li>Each other transaction (it only read, it failed, or its outcome is unknown) is added to the
 *       updates alone, and there must be no cycle then either: a version that it missed may not
 *       come before a version that it saw (PL-3U, section 4.3.1 of the same; Peluso et al., ICDCS
 *       2012, section 3). Two of them may disagree, unless one client ran both.
 * </ol>
 */
@NullMarked
package io.canopygrid.history;

import org.jspecify.annotations.NullMarked;
