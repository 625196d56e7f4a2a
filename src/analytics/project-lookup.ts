/** Finds known projects by typed text. It is pure. */
import Fuse from 'fuse.js';
import { isNameSized, type Project } from '../domain/project.js';
import type { Slug } from '../domain/scalars.js';

const MAX_NEAREST = 3;
/** The thresholds are Fuse.js's, where 0 is exact and 1 matches anything. */
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

/** A slug comes before a symbol, and a symbol before a name. */
export function projectsNamed({ slugs, fields }: NameIndex, typed: string): readonly Project[] {
  const exact = slugs.get(typed.trim());
  if (exact !== undefined) return [exact];
  const wanted = folded(typed);
  const written = fields.map((field) => field.get(wanted)).find((found) => found !== undefined);
  if (written !== undefined) return written;
  // A slug is also said with spaces, where the name has more words than that.
  const spoken = slugs.get(wanted.replaceAll(/\s+/gu, '-'));
  return spoken === undefined ? [] : [spoken];
}

/** Slugs that a person wrote, as the list has them, whatever their case; a slug that differs from another only in case is another one. */
export function slugsAsListed(written: readonly Slug[], listed: readonly Slug[]): ReadonlyMap<Slug, Slug | undefined> {
  const exact = new Set(listed);
  const byFolded = new Map(listed.map((slug) => [slug.toLowerCase(), slug]));
  return new Map(written.map((slug) => [slug, exact.has(slug) ? slug : byFolded.get(slug.toLowerCase())]));
}

/** There are at most three, with the best first. */
export const nearestProjects = (projects: readonly Project[], typed: string): readonly Project[] =>
  spelledLike(projects, folded(typed)).slice(0, MAX_NEAREST);

/** Prefix matches come first, and an empty text returns all. */
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
