package shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest(properties = "canopy.mode=standalone")
class AccountServiceTest {
  @Autowired AccountService service;

  @Test
  void aTransferMovesMoney() {
    service.open(7, 100);
    service.open(8, 0);
    service.transfer(7, 8, 40);
    assertThat(service.balance(7)).isEqualTo(60);
    assertThat(service.balance(8)).isEqualTo(40);
  }

  @Test
  void aTransferOfTooMuchChangesNothing() {
    service.open(5, 10);
    service.open(6, 0);
    assertThatThrownBy(() -> service.transfer(5, 6, 11)).hasMessage("account 5 has too little");
    assertThat(service.balance(5)).isEqualTo(10);
  }
}
