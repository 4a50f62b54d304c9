package io.canopygrid.study.load;

import io.canopygrid.study.tree.Operation;
import io.canopygrid.study.tree.OperationResult;
import io.canopygrid.study.tree.StudyTree;
import io.canopygrid.study.tree.TreeLayout;

/** A study tree at one node. */
public record TreeSubject(StudyTree trees, TreeLayout layout) implements StudySubject {
  @Override
  public OperationResult run(Operation operation) {
    return trees.run(layout, operation);
  }

  @Override
  public long aborts() {
    return trees.aborts();
  }
}
