/** The project of a per-project look. A feed of that scope is never given `all`; being wrong about that should be loud. */
import type { Project } from '../domain/project.js';
import type { Subject } from './feed.js';

export function projectOf(subject: Subject): Project {
  if (subject === 'all') throw new Error('feeds: a per-project feed was asked to look at everything at once');
  return subject;
}
