package shop;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class ShopApplication {
  public static void main(String[] args) {
    SpringApplication.run(ShopApplication.class, args);
  }

  @Bean
  Index<Long, Long> accounts(Canopy canopy) {
    return canopy.index("accounts", Codec.int64(), Codec.int64());
  }

  @Bean
  ApplicationRunner example(AccountService service) {
    return args -> {
      service.open(1, 100);
      service.open(2, 100);
      service.transfer(1, 2, 30);
      System.out.println("balance " + service.balance(2));
    };
  }
}
