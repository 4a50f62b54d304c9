package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.directory.DataDirectory;
import io.canopygrid.recovery.LostDisks;
import io.canopygrid.recovery.WaitListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The notes of a data directory, in a file of it. */
final class DirectoryNotes implements DiskNotes {
  private static final Logger LOG = LoggerFactory.getLogger(DirectoryNotes.class);

  private final DataDirectory directory;
  private final WaitListener waits;

  /**
   * For one directory.
   *
   * @param waits hears why the node is not a member yet, and who can be told that disks are lost
   */
  DirectoryNotes(DataDirectory directory, WaitListener waits) {
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
    waits.waits(why);
  }

  @Override
  public void canBeTold(@Nullable LostDisks disks) {
    waits.canBeTold(disks);
  }
}
