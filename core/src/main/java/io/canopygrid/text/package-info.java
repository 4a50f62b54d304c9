/** Texts for people, without knowledge of the layers above. Internal: not for applications. */
@NullMarked
package io.canopygrid.text;

import org.jspecify.annotations.NullMarked;
