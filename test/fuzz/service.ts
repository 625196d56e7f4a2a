/** A service that answers as the simulated one, with one operation's body replaced. Bodies are made once. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ENDPOINTS } from '../../src/analytics/endpoints/index.js';
import { KEY, openBox } from '../simulator/box.js';
import { shortened } from './samples.js';

export interface OddService {
  readonly url: string;
  /** The id of the operation and its body; undefined: all answer as usual. */
  replace(answer: { readonly row: string; readonly body: string } | undefined): void;
  /** The operations that were asked since this was last called, with what they answered. */
  taken(): ReadonlyMap<string, string>;
  close(): Promise<void>;
}

/** Lines of a file that are kept. */
const KEPT = 4;

const PATTERNS = ENDPOINTS.map(({ id, path, answers }) => ({
  id,
  isFile: answers === 'csv',
  // Without places first: a literal path may look like one with a place in it.
  places: path.split('{').length,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/gu, '[^/]+')}$`, 'u'),
})).toSorted((a, b) => a.places - b.places);

export async function openOddService(): Promise<OddService> {
  const closes: (() => Promise<void>)[] = [];
  const box = await openBox({ onClose: (close) => void closes.push(close) });
  const made = new Map<string, { readonly status: number; readonly text: string }>();
  const asked = new Map<string, string>();
  let odd: { readonly row: string; readonly body: string } | undefined;

  async function answerTo(url: string): Promise<{ readonly status: number; readonly text: string }> {
    const known = made.get(url);
    if (known !== undefined) return known;
    const answer = await fetch(`${box.url}${url}`, { headers: { 'x-api-key': KEY } });
    const answered = { status: answer.status, text: await answer.text() };
    made.set(url, answered);
    return answered;
  }

  const server = createServer((request, response) => {
    const url = request.url ?? '/';
    const [path = ''] = url.split('?');
    const row = PATTERNS.find(({ pattern }) => pattern.test(path));
    if (row !== undefined && odd?.row === row.id) {
      asked.set(row.id, odd.body);
      response.end(odd.body);
      return;
    }
    void answerTo(url).then(({ status, text }) => {
      if (row !== undefined && status === 200 && !asked.has(row.id))
        asked.set(row.id, row.isFile ? text.split('\n').slice(0, KEPT).join('\n') : JSON.stringify(shortened(JSON.parse(text))));
      response.writeHead(status).end(text);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    replace: (answer) => void (odd = answer),
    taken() {
      const all = new Map(asked);
      asked.clear();
      return all;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      for (const close of closes) await close();
    },
  };
}
