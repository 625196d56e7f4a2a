/**
 * Names the lines of the sources in stacks, from maps that are read when a stack is. Node's own `--enable-source-maps` keeps the map of every
 * loaded file in memory, those of the packages too: 9 MB.
 */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

/** The part of Node's call sites that is read. https://v8.dev/docs/stack-trace-api */
export interface CallSite {
  getFileName(): string | null | undefined;
  getLineNumber(): number | null;
  getColumnNumber(): number | null;
  toString(): string;
}

/** A stack names few files, and a map of 10 kB takes 100 kB once it is read. */
const MAX_MAPS = 20;

const mapSchema = z.object({
  version: z.number(),
  file: z.string(),
  sources: z.array(z.string()),
  sourcesContent: z.array(z.string()).default([]),
  names: z.array(z.string()),
  mappings: z.string(),
  sourceRoot: z.string().default(''),
});

/** Writes stacks from now on with the lines of the sources, where a file has a map beside it. */
export function nameSourcesInStacks(): void {
  const maps = new LRUCache<string, { readonly map: SourceMap | undefined }>({ max: MAX_MAPS });
  const mapOf = (file: string): SourceMap | undefined => {
    const read = maps.get(file) ?? { map: readMap(file) };
    maps.set(file, read);
    return read.map;
  };
  Error.prepareStackTrace = (error, sites) =>
    [Reflect.apply(Error.prototype.toString, error, []), ...sites.map((site) => `    at ${siteText(site, mapOf)}`)].join('\n');
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(mapSchema.parse(JSON.parse(readFileSync(`${file}.map`, 'utf8'))));
  } catch {
    return undefined; // Packages come without maps, and the stack is then as it was compiled.
  }
}

/** Returns the text of a call site with its place in the source; as Node writes it where there is no map. */
export function siteText(site: CallSite, mapOf: (file: string) => SourceMap | undefined): string {
  const [name, line, column] = [site.getFileName(), site.getLineNumber(), site.getColumnNumber()];
  if (typeof name !== 'string' || !name.startsWith('file:') || line === null || column === null) return String(site);
  const file = fileURLToPath(name);
  const entry = mapOf(file)?.findEntry(line - 1, column - 1);
  if (entry === undefined || !('originalSource' in entry)) return String(site);
  const source = resolve(dirname(file), entry.originalSource);
  return String(site).replace(`${name}:${line}:${column}`, `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`);
}
