package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.directory.DataDirectory;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The notes of a data directory, in a file of it. */
final class DirectoryNotes implements DiskNotes {
  private static final Logger LOG = LoggerFactory.getLogger(DirectoryNotes.class);

  private final DataDirectory directory;
  private final Consumer<String> waits;

  /**
   * For one directory.
   *
   * @param waits hears why the node is not a member yet
   */
  DirectoryNotes(DataDirectory directory, Consumer<String> waits) {
    this.directory = directory;
    this.waits = waits;
  }

  @Override
  public String members() {
    try {
      return directory.members();
    } catch (StorageException e) {
      LOG.debug("the members' names cannot be read", e);
      return "";
    }
  }

  @Override
  public void keepMembers(String text) {
    try {
      directory.keepMembers(text);
    } catch (StorageException e) {
      LOG.debug("the members' names are not kept", e);
    }
  }

  @Override
  public void waits(String why) {
    waits.accept(why);
  }
}
