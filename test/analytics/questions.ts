/** A question that fits any row of the table, about one project of the simulated world, and the answer as it comes over the wire. */
import { expect } from 'vitest';
import type { z } from 'zod';
import { ENDPOINTS } from '../../src/analytics/endpoints/index.js';
import { parseJson } from '../../src/analytics/field-reader.js';
import type { ListRow, Row } from '../../src/analytics/endpoint-row.js';
import { KEY, type openBox } from '../simulator/box.js';

export type Box = Awaited<ReturnType<typeof openBox>>;
export type Fields = Readonly<Record<string, string>>;

export const rows: readonly (Row & Partial<Pick<ListRow, 'paged'>>)[] = ENDPOINTS;

/** Everything a row could ask about: `id` is found in the list that the path hangs on, because numbers mean something else in each family. */
export async function knownOf(box: Box, project: string): Promise<Fields> {
  const proposals = await box.get(`/v1/proposal?slug=${project}&limit=100`);
  const publicKey = proposals.body.data.find(({ totalTrade }: { totalTrade: number }) => totalTrade > 0).publicKey;
  // One that has traded on that proposal, so that there is something to tell of it.
  const proposal = box.world.proposals.byKey(publicKey, box.clock.now());
  const walletPublicKey = (proposal && box.world.proposals.traders(proposal, box.clock.now())[0]) ?? box.world.wallets.some(1);
  const started = await box.get('/v1/trading-activity/special-wallet/holdings/refresh', {
    method: 'POST',
    body: JSON.stringify({ walletPublicKey: box.world.wallets.some(2) }),
  });
  return {
    ...{ slug: project, project, daoSlug: project, search: 'ti', q: 'a' },
    ...{ publicKey, proposalPublicKey: publicKey, walletPublicKey, jobId: started.body.data.jobId },
    ...{ baseMint: box.world.mint(project), tokenAddress: box.world.mint(project), timeInterval: '1h' },
  };
}

/** The first number in the list that a path with `{id}` hangs on. */
async function numberFor(box: Box, { path }: Row, { slug }: Fields): Promise<string> {
  const { body } = await box.get(`${path.slice(0, path.indexOf('/{id}'))}?slug=${slug}`);
  return String(body.data[0].id);
}

/** What must be said, and no more. */
export async function needed(box: Box, row: Row, known: Fields): Promise<Fields> {
  const needs = Object.entries<z.ZodType>(row.input.shape).filter(([, field]) => !field.safeParse(undefined).success);
  const pairs = needs.map(async ([name]): Promise<[string, string]> => [
    name,
    name === 'id' ? await numberFor(box, row, known) : (known[name] ?? ''),
  ]);
  const input = Object.fromEntries(await Promise.all(pairs));
  expect([row.id, row.input.safeParse(input).error?.message]).toEqual([row.id, undefined]);
  return input;
}

/** Asks without the client, so that what the client would refuse can be asked as well. */
export async function ask(box: Box, row: Row, input: Fields) {
  const placed = new Set([...row.path.matchAll(/\{(\w+)\}/gu)].map(([, name]) => String(name)));
  const path = row.path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => encodeURIComponent(input[name] ?? ''));
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !placed.has(name)));
  const url = row.method === 'GET' ? `${box.url}${path}?${new URLSearchParams(rest).toString()}` : `${box.url}${path}`;
  const answer = await fetch(url, {
    method: row.method,
    headers: { 'x-api-key': KEY },
    ...(row.method === 'GET' ? {} : { body: JSON.stringify(rest) }),
  });
  return { status: answer.status, text: await answer.text() };
}

/** What a row reads, out of the text of an answer. */
export function dataOf(row: Row, text: string): unknown {
  if (row.answers === 'csv') return text;
  const body = parseJson(text);
  return typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined;
}

/** The rows of a list that could be read, and how many could not; nothing where the answer is no list. */
export function listed(read: unknown): { readonly rows: readonly unknown[]; readonly broken: number } | undefined {
  if (typeof read !== 'object' || read === null || !('rows' in read) || !Array.isArray(read.rows)) return undefined;
  return { rows: read.rows, broken: 'broken' in read ? Number(read.broken) : 0 };
}

/** Any value as text that is the same for the same value; big integers included. */
export const written = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${one}n` : one)) ?? 'undefined';
