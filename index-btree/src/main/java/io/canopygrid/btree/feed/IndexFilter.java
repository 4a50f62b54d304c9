package io.canopygrid.btree.feed;

import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.spi.ChangeFilter;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import java.util.HashMap;
import java.util.Map;

/**
 * The entries of an index that are in a range of keys. A subtree's header says of which index it
 * is; the header is there as long as anybody may ask for a change of the subtree. Confined to one
 * thread.
 */
final class IndexFilter implements ChangeFilter {
  private static final int NO_INDEX = -1;

  private final int index;
  private final KeyRange range;
  private final Map<Long, Integer> indexes = new HashMap<>();

  IndexFilter(int index, KeyRange range) {
    this.index = index;
    this.range = range;
  }

  @Override
  public boolean wants(CompositeKey key, OrderedView<VersionChain> chains) {
    return EntryKeys.isEntry(key)
        && range.contains(EntryKeys.userKey(key))
        && indexes.computeIfAbsent(key.kcl(), kcl -> indexOf(kcl, chains)) == index;
  }

  private static int indexOf(long kcl, OrderedView<VersionChain> chains) {
    VersionChain headers =
        SubtreeHeader.isSubtree(kcl) ? chains.get(CompositeKey.header(kcl).bytes()) : null;
    byte[] newest = headers == null ? null : headers.newestValue();
    return newest == null ? NO_INDEX : SubtreeHeader.decode(newest).index();
  }
}
