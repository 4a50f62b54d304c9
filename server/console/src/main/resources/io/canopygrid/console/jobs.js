// Jobs in words.

import { nodeName } from './nodes.js';

/** Whether it has not ended. */
export const isUnderWay = (job) => job.state === 'running' || job.state === 'cancelling';

/** Which job it is, and of what. */
export function jobTitle(job) {
  switch (job.job) {
    case 'split':
    case 'merge':
    case 'move': {
      const to = job.to === null ? '' : ` to ${nodeName(job.to)}`;
      return `${job.job} of '${job.index}' from ${job.from}${to}`;
    }
    case 'load':
      return `load into '${job.index}'`;
    case 'build':
      return `build of an index over '${job.index}'`;
    case 'export':
      return `export of '${job.index}'`;
    case 'flatten':
      return `flattening of '${job.index}'`;
    default:
      return `${job.job} of the cluster`;
  }
}
