/** Finds projects in a text: by name, symbol or slug, with typing errors, in any position. */
import { distance } from 'fastest-levenshtein';
import { MAX_NAME_WORDS, type Project } from '../domain/project.js';
import { foldedText, type Token } from './tokens.js';

export interface ProjectNames {
  /** Projects by folded name, symbol, slug, or a beginning of the name that is unique. */
  readonly exact: ReadonlyMap<string, readonly Project[]>;
  /** Names by length, to find similar spellings. */
  readonly byLength: ReadonlyMap<number, readonly (readonly [string, Project])[]>;
}

export interface FoundProject {
  readonly project: Project;
  readonly from: number;
  readonly to: number;
  /** `exact`: as written; `part`: a beginning of the name, or the name with an ending; `near`: a similar spelling. */
  readonly how: 'exact' | 'part' | 'near';
}

/** The least length of a partial name. Shorter ones are ordinary words more often than projects. */
const MIN_PART = 4;
const MIN_NEAR = 4;
const MAX_NEAR = 24;

const joined = (text: string): string =>
  foldedText(text)
    .replaceAll(/[\s_-]+/gu, ' ')
    .trim();

/** "Birch & Brine" may also be typed with "and" or "+". */
const JOINED = / (?:&|\+|and) /u;

export function projectNames(projects: readonly Project[]): ProjectNames {
  const exact = new Map<string, Project[]>();
  const near = new Map<string, Project>();
  const add = (name: string, project: Project): void => {
    const there = exact.get(name) ?? [];
    if (name !== '' && !there.some(({ slug }) => slug === project.slug)) exact.set(name, [...there, project]);
  };
  for (const project of projects)
    for (const name of [project.slug, project.symbol ?? '', project.name].map(joined)) {
      add(name, project);
      add(name.replaceAll(' ', ''), project);
      if (JOINED.test(name)) for (const by of ['and', 'n']) add(name.replace(JOINED, ` ${by} `), project);
      if (name.length >= MIN_NEAR && name.length <= MAX_NEAR) near.set(name, project);
    }
  const parts = new Map<string, Project[]>();
  for (const project of projects) {
    const [first = '', second] = joined(project.name).split(' ');
    if (second !== undefined && first.length >= MIN_PART) parts.set(first, [...(parts.get(first) ?? []), project]);
  }
  for (const [part, owners] of parts) {
    const [owner, another] = owners;
    if (owner === undefined || another !== undefined || exact.has(part)) continue;
    exact.set(part, [owner]);
    near.set(part, owner);
  }
  const byLength = new Map<number, (readonly [string, Project])[]>();
  for (const [name, project] of near) byLength.set(name.length, [...(byLength.get(name.length) ?? []), [name, project]]);
  return { exact, byLength };
}

/** Finds the longest names first. `isWord` recognises words of the language, which name a project only if written like a symbol. */
export function projectsIn(tokens: readonly Token[], names: ProjectNames, isWord: (word: string) => boolean): readonly FoundProject[] {
  const found: FoundProject[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const match = exactAt(tokens, at, names, isWord) ?? nearAt(tokens, at, names, isWord);
    if (match === undefined) continue;
    found.push(match);
    at = match.to - 1;
  }
  return found;
}

function exactAt(
  tokens: readonly Token[],
  at: number,
  { exact }: ProjectNames,
  isWord: (word: string) => boolean,
): FoundProject | undefined {
  for (let length = Math.min(MAX_NAME_WORDS, tokens.length - at); length > 0; length -= 1) {
    const words = tokens.slice(at, at + length);
    const typed = words.map(({ word }) => word.replace(/^[$#@]/u, '').replaceAll(/[_-]/gu, ' ')).join(' ');
    const raw = words[0]?.raw ?? '';
    if (raw.startsWith('@')) continue;
    for (const name of [typed, length === 1 && typed.length > MIN_PART - 1 ? typed.replace(/s$/u, '') : typed]) {
      const [project, another] = exact.get(name) ?? [];
      if (project === undefined || another !== undefined) continue;
      // A project may be called "watch". The word means the project only if it is written like a symbol.
      if (length === 1 && isWord(name) && !/^\$|^\p{Lu}{2,}$/u.test(raw)) continue;
      return { project, from: at, to: at + length, how: name === typed ? 'exact' : 'part' };
    }
  }
  return undefined;
}

function nearAt(
  tokens: readonly Token[],
  at: number,
  { byLength }: ProjectNames,
  isWord: (word: string) => boolean,
): FoundProject | undefined {
  for (const length of [2, 1]) {
    const words = tokens.slice(at, at + length);
    if (words.length < length) continue;
    const typed = words.map(({ word }) => word.replace(/^[$#@]/u, '')).join(' ');
    if (words.some(({ raw }) => raw.startsWith('@'))) continue;
    if (typed.length < MIN_NEAR || typed.length > MAX_NEAR || !/^[\p{L} ]+$/u.test(typed)) continue;
    if (words.some(({ word }) => isWord(word))) continue;
    const most = typed.length >= 7 ? 2 : 1;
    let best: { readonly project: Project; readonly errors: number; readonly twice: boolean } | undefined;
    for (let size = typed.length - most; size <= typed.length + most; size += 1)
      for (const [name, project] of byLength.get(size) ?? []) {
        if (name.charAt(0) !== typed.charAt(0) && most === 1 && typed.length < 5) continue;
        const errors = isSwapped(name, typed) ? 1 : distance(name, typed);
        if (errors > most || errors > (best?.errors ?? most)) continue;
        best = { project, errors, twice: best !== undefined && best.errors === errors && best.project.slug !== project.slug };
      }
    if (best !== undefined && !best.twice) return { project: best.project, from: at, to: at + length, how: 'near' };
  }
  return undefined;
}

/** Tells whether two neighbouring letters are swapped, which counts as one typing error. */
export function isSwapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  return at >= 0 && a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}
