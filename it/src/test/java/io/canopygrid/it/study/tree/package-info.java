/** Tests of the study trees. */
@NullMarked
package io.canopygrid.it.study.tree;

import org.jspecify.annotations.NullMarked;
