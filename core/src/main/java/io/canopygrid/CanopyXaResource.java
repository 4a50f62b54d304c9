package io.canopygrid;

import javax.transaction.xa.XAResource;

/**
 * A resource of global transactions, to be enlisted with a transaction manager, which calls its
 * other methods:
 *
 * <pre>{@code
 * CanopyXaResource resource = db.xa().resource();
 * manager.begin();
 * manager.getTransaction().enlistResource(resource);
 * resource.transaction().on(accounts).put(1L, account);
 * manager.commit();
 * }</pre>
 *
 * <p>Confined to one thread at a time. Of two resources of one handle the second one may join the
 * branch of the first.
 */
public interface CanopyXaResource extends XAResource {
  /**
   * The transaction of the branch that the transaction manager has started here and not ended. Only
   * the transaction manager ends it.
   *
   * @throws CanopyException {@link ErrorCode#TRANSACTION_CLOSED} where there is none
   */
  Transaction transaction();
}
