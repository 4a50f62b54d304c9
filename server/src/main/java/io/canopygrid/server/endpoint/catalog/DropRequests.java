package io.canopygrid.server.endpoint.catalog;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.engine.TablePart;
import io.canopygrid.names.IndexNames;
import io.canopygrid.names.TableNames;
import io.canopygrid.server.endpoint.access.Access;
import io.canopygrid.server.endpoint.access.Right;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the requests that drop indexes and tables. A user may drop what they may create.
 * Thread-safe; may block.
 */
final class DropRequests {
  private final ServedNode node;

  DropRequests(ServedNode node) {
    this.node = node;
  }

  /** The answer to a request; null: the request is about something else. */
  @Nullable Reply answer(Request request, Access access) {
    if (request instanceof Request.FindDropped find) {
      access.check(Right.READ, IndexNames.checked(find.name()));
      return IndexReplies.of(node.findAlsoDropped(find.name()));
    }
    if (request instanceof Request.Drop drop) {
      return new Reply.Count(Reply.Seen.NOTHING, drop(drop, access) ? 1 : 0);
    }
    return null;
  }

  private boolean drop(Request.Drop drop, Access access) {
    String name = IndexNames.checked(drop.name());
    if (drop.upTo() < 1) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "the number of an index must be at least 1: " + drop.upTo());
    }
    if (drop.what() == Request.Dropped.TABLE) {
      checkParts(name, access);
      return node.dropTable(name, drop.upTo());
    }
    access.check(Right.WRITE, name);
    if (drop.what() == Request.Dropped.INDEX || TableNames.definitionsBeside(name) == null) {
      TablePart.check(name);
    }
    return node.dropIndex(name, drop.upTo());
  }

  /** A table's rights are those of the indexes of which it is made. */
  private void checkParts(String table, Access access) {
    access.check(Right.WRITE, TableNames.rows(table));
    access.check(Right.WRITE, TableNames.definitions(table));
    for (IndexRef index : node.indexes()) {
      if (table.equals(TableNames.tableOf(index.name()))) {
        access.check(Right.WRITE, index.name());
      }
    }
  }
}
