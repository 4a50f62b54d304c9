package io.canopygrid.server.endpoint.catalog;

import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.wire.client.Reply;

/** Indexes as clients are told of them. */
final class IndexReplies {
  private IndexReplies() {}

  static Reply.IndexOpened of(IndexRef index) {
    return new Reply.IndexOpened(
        index.number(),
        index.name(),
        index.keyCodec(),
        index.valueCodec(),
        index.options().subtreeEntriesMax());
  }
}
