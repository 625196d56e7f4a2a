/** Finding a project among the known ones by what a person typed. Pure. */
import Fuse from 'fuse.js';
import type { Project } from '../domain/project.js';

export type Found =
  | { readonly kind: 'one'; readonly project: Project }
  /** A symbol or name that several projects share. */
  | { readonly kind: 'several'; readonly projects: readonly Project[] }
  /** None; the nearest by spelling, best first, at most three. */
  | { readonly kind: 'none'; readonly nearest: readonly Project[] };

const NEAREST = 3;
/** 0 asks for the very word, 1 takes anything. A short symbol may have two letters swapped, which is half of it; in a longer word that would be another one. */
const FUZZINESS = { short: 0.6, long: 0.4 };
const SHORT = 4;

const folded = (text: string): string => text.trim().toLowerCase().replace(/^\$/u, '');

/** By slug first, then symbol, then name; upper and lower case, and a `$` before a symbol, do not matter. */
export function findProject(projects: readonly Project[], typed: string): Found {
  const wanted = folded(typed);
  const exact = projects.find((project) => project.slug === typed.trim());
  if (exact !== undefined) return { kind: 'one', project: exact };
  const fields = [(project: Project) => project.slug, (project: Project) => project.symbol, (project: Project) => project.name];
  for (const field of fields) {
    const same = projects.filter((project) => folded(field(project) ?? '') === wanted && wanted !== '');
    const [first, second] = same;
    if (first !== undefined) return second === undefined ? { kind: 'one', project: first } : { kind: 'several', projects: same };
  }
  return { kind: 'none', nearest: nearest(projects, wanted).slice(0, NEAREST) };
}

/** What a half-typed word may become: what begins so first, then what is spelled like it. Nothing typed offers all by name. */
export function completeProject(projects: readonly Project[], partial: string, limit: number): readonly Project[] {
  const typed = folded(partial);
  const byName = projects.toSorted((a, b) => a.name.localeCompare(b.name, 'en') || a.slug.localeCompare(b.slug, 'en'));
  const begins = byName.filter((project) =>
    [project.slug, project.symbol ?? '', project.name].some((text) => text.toLowerCase().startsWith(typed)),
  );
  return [...new Set([...begins, ...nearest(byName, typed)])].slice(0, limit);
}

function nearest(projects: readonly Project[], typed: string): readonly Project[] {
  if (typed === '') return [];
  const threshold = typed.length <= SHORT ? FUZZINESS.short : FUZZINESS.long;
  const fuse = new Fuse(projects, { keys: ['slug', 'symbol', 'name'], threshold, ignoreLocation: true, ignoreDiacritics: true });
  return fuse.search(typed).map(({ item }) => item);
}
