/** Finds known projects by typed text. Pure. */
import Fuse from 'fuse.js';
import { isNameSized, type Project } from '../domain/project.js';
import type { Slug } from '../domain/scalars.js';

const MAX_NEAREST = 3;
/** Thresholds of Fuse.js: 0 is exact, 1 matches anything. */
const FUZZINESS = { short: 0.6, long: 0.4 };
const SHORT = 4;

const folded = (text: string): string => text.trim().toLowerCase().replace(/^\$/u, '');

export interface NameIndex {
  readonly projects: readonly Project[];
  readonly slugs: ReadonlyMap<string, Project>;
  readonly fields: readonly ReadonlyMap<string, readonly Project[]>[];
}

export function nameIndex(projects: readonly Project[]): NameIndex {
  const fields = [(project: Project) => project.slug, (project: Project) => project.symbol, (project: Project) => project.name];
  return {
    projects,
    slugs: new Map(projects.map((project) => [project.slug, project])),
    fields: fields.map((field) => {
      const byName = new Map<string, Project[]>();
      for (const project of projects) {
        const name = folded(field(project) ?? '');
        if (name !== '') byName.set(name, [...(byName.get(name) ?? []), project]);
      }
      return byName;
    }),
  };
}

/** Finds exact matches: by slug, else by symbol, else by name. */
export function projectsNamed({ slugs, fields }: NameIndex, typed: string): readonly Project[] {
  const exact = slugs.get(typed.trim());
  if (exact !== undefined) return [exact];
  const wanted = folded(typed);
  const written = fields.map((field) => field.get(wanted)).find((found) => found !== undefined);
  if (written !== undefined) return written;
  // A slug may be typed with spaces if the name has more words.
  const spoken = slugs.get(wanted.replaceAll(/\s+/gu, '-'));
  return spoken === undefined ? [] : [spoken];
}

/** Maps typed slugs to listed ones, ignoring case. An exact match wins, because slugs may differ only in case. */
export function slugsAsListed(written: readonly Slug[], listed: readonly Slug[]): ReadonlyMap<Slug, Slug | undefined> {
  const exact = new Set(listed);
  const byFolded = new Map(listed.map((slug) => [slug.toLowerCase(), slug]));
  return new Map(written.map((slug) => [slug, exact.has(slug) ? slug : byFolded.get(slug.toLowerCase())]));
}

/** Returns at most three similar projects, the best first. */
export const nearestProjects = (projects: readonly Project[], typed: string): readonly Project[] =>
  spelledLike(projects, folded(typed)).slice(0, MAX_NEAREST);

/** Completes a text, prefix matches first. An empty text matches all. */
export function completeProject(projects: readonly Project[], partial: string, limit: number): readonly Project[] {
  const typed = folded(partial);
  const byName = projects.toSorted((a, b) => a.name.localeCompare(b.name, 'en') || a.slug.localeCompare(b.slug, 'en'));
  const begins = byName.filter((project) =>
    [project.slug, project.symbol ?? '', project.name].some((text) => text.toLowerCase().startsWith(typed)),
  );
  return [...new Set([...begins, ...spelledLike(byName, typed)])].slice(0, limit);
}

function spelledLike(projects: readonly Project[], typed: string): readonly Project[] {
  if (!isNameSized(typed)) return [];
  const threshold = typed.length <= SHORT ? FUZZINESS.short : FUZZINESS.long;
  const fuse = new Fuse(projects, { keys: ['slug', 'symbol', 'name'], threshold, ignoreLocation: true, ignoreDiacritics: true });
  return fuse.search(typed).map(({ item }) => item);
}
