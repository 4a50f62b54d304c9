package io.canopygrid.it.leaving;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Two network namespaces, joined by a cable that can swallow what is sent over it: machines with a
 * firewall between them, or a switch that has died. A process that waits for input keeps each of
 * them, so both are gone with this JVM at the latest.
 */
final class TwoMachines implements AutoCloseable {
  private static final String NETWORK = "10.213.77.";
  private static final String NOBODYS_LINK_ADDRESS = "02:00:00:00:00:63";
  private static final long COMMAND_SECONDS = 20;

  private final List<Process> keepers = new ArrayList<>();

  private TwoMachines() {}

  /**
   * Makes them.
   *
   * @throws IOException that says why this machine cannot
   */
  static TwoMachines connected() throws IOException {
    TwoMachines made = new TwoMachines();
    try {
      made.keep();
      made.keep();
      String other = Long.toString(made.keepers.get(1).pid());
      made.ip(0, "link add cable type veth peer name cable netns " + other);
      for (int machine = 0; machine < 2; machine++) {
        made.ip(machine, "addr add " + address(machine) + "/24 dev cable");
        made.ip(machine, "link set lo up");
        made.ip(machine, "link set cable up");
      }
      return made;
    } catch (IOException e) {
      made.close();
      throw e;
    }
  }

  private void keep() throws IOException {
    Process keeper =
        new ProcessBuilder("unshare", "--net", "sh", "-c", "echo made; exec cat")
            .redirectErrorStream(true)
            .start();
    keepers.add(keeper);
    BufferedReader output = keeper.inputReader(UTF_8);
    String line = output.readLine();
    if (!"made".equals(line)) {
      throw new IOException("no network namespace: " + line);
    }
  }

  /** Where a machine can be reached, unless it is cut off. */
  static String address(int machine) {
    return NETWORK + (machine + 1);
  }

  /** The beginning of a command that runs on a machine. */
  List<String> on(int machine) {
    return List.of("nsenter", "--target", Long.toString(keepers.get(machine).pid()), "--net");
  }

  /** From now on nothing that one sends reaches the other, and neither hears why. */
  void cut() throws IOException {
    for (int machine = 0; machine < 2; machine++) {
      String other = address(1 - machine);
      ip(
          machine,
          "neigh replace "
              + other
              + " lladdr "
              + NOBODYS_LINK_ADDRESS
              + " nud permanent dev cable");
    }
  }

  /** Ends the cut. */
  void mend() throws IOException {
    for (int machine = 0; machine < 2; machine++) {
      ip(machine, "neigh del " + address(1 - machine) + " dev cable");
    }
  }

  private void ip(int machine, String arguments) throws IOException {
    List<String> command = new ArrayList<>(on(machine));
    command.add("ip");
    command.addAll(List.of(arguments.split(" ")));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    try {
      if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException("ip " + arguments + ": " + output.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() {
    keepers.forEach(Process::destroyForcibly);
  }
}
