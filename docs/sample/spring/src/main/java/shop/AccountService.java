package shop;

import io.canopygrid.Index;
import io.canopygrid.MutableView;
import io.canopygrid.spring.CanopyTemplate;
import io.canopygrid.spring.CanopyTransactional;
import org.springframework.stereotype.Service;

@Service
public class AccountService {
  private final CanopyTemplate canopy;
  private final Index<Long, Long> accounts;

  AccountService(CanopyTemplate canopy, Index<Long, Long> accounts) {
    this.canopy = canopy;
    this.accounts = accounts;
  }

  public void open(long account, long cents) {
    canopy.run(tx -> tx.on(accounts).put(account, cents));
  }

  @CanopyTransactional
  public void transfer(long from, long to, long cents) {
    MutableView<Long, Long> view = canopy.transaction().on(accounts);
    long left = view.get(from) - cents;
    if (left < 0) {
      throw new IllegalArgumentException("account " + from + " has too little");
    }
    view.put(from, left);
    view.put(to, view.get(to) + cents);
  }

  @CanopyTransactional(readOnly = true)
  public long balance(long account) {
    return canopy.readTransaction().on(accounts).get(account);
  }
}
