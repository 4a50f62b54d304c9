package io.canopygrid.study.load;

import io.canopygrid.study.tree.Operation;
import io.canopygrid.study.tree.OperationResult;

/** The subject of a workload: a study tree or the index, at one node. Thread-safe. */
public interface StudySubject {
  /** Runs an operation as a transaction of its own, until it is committed. */
  OperationResult run(Operation operation);

  /** The number of attempts that have failed and were made again. */
  long aborts();
}
