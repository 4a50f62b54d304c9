package shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest(properties = "canopy.mode=standalone")
class BankTest {
  @Autowired Bank bank;

  @Test
  void aTransferMovesMoney() {
    bank.open(7, 100);
    bank.open(8, 0);
    bank.transfer(7, 8, 40);
    assertThat(bank.balance(7)).isEqualTo(60);
    assertThat(bank.balance(8)).isEqualTo(40);
  }

  @Test
  void aTransferOfTooMuchChangesNothing() {
    bank.open(5, 10);
    bank.open(6, 0);
    assertThatThrownBy(() -> bank.transfer(5, 6, 11)).hasMessage("account 5 has too little");
    assertThat(bank.balance(5)).isEqualTo(10);
  }
}
