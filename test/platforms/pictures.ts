/** Draws for the platforms' tests: a real PNG of a few pixels, of another colour for another chart. */
import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { chartSchema, type Chart, type Theme, type Pictures } from '../../src/chat/chart.js';

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
};

/** Four pixels by two, of one colour. */
function tinyPng(colour: Buffer): Uint8Array<ArrayBuffer> {
  const row = Buffer.concat([Buffer.from([0]), ...Array.from({ length: 4 }, () => colour.subarray(0, 3))]);
  return Uint8Array.from(
    Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      chunk('IHDR', Buffer.concat([uint32(4), uint32(2), Buffer.from([8, 2, 0, 0, 0])])),
      chunk('IDAT', deflateSync(Buffer.concat([row, row]))),
      chunk('IEND', Buffer.alloc(0)),
    ]),
  );
}

export interface Painter extends Pictures {
  /** The titles of what was drawn, with the look. */
  readonly drawn: readonly (readonly [title: string, look: Theme])[];
  /** What the next drawings do instead; `undefined` lets it draw again. */
  instead: (() => Promise<Uint8Array>) | undefined;
  /** Whether it has yet to draw its first picture. */
  cold: boolean;
  /** Charts of this title are drawn when the test says so. */
  hold(title: string): Held;
}

export interface Held {
  finish(): void;
  fail(): void;
}

export function painter(): Painter {
  const drawn: (readonly [string, Theme])[] = [];
  const held = new Map<string, Promise<void>>();
  const self: Painter = {
    drawn,
    instead: undefined,
    cold: false,
    isCold: () => self.cold,
    svg: async ({ title }) => `<svg xmlns="http://www.w3.org/2000/svg"><title>${title.length}</title></svg>`,
    async png(chart, look) {
      drawn.push([chart.title, look]);
      await held.get(chart.title);
      return self.instead === undefined ? bytesOf(chart) : self.instead();
    },
    hold(title) {
      let end: Held = { finish: () => undefined, fail: () => undefined };
      const wait = new Promise<void>((resolve, reject) => (end = { finish: resolve, fail: () => reject(new Error('out of ink')) }));
      held.set(title, wait);
      return end;
    },
  };
  return self;
}

/** The picture that the painter makes of a chart. */
export const bytesOf = (chart: Chart): Uint8Array => tinyPng(createHash('sha256').update(JSON.stringify(chart)).digest());

/** A chart; another title makes another picture. */
export const chartOf = (title: string): Chart =>
  chartSchema.parse({ kind: 'shares', title, unit: 'usd', parts: [{ name: 'USDC', value: 4.9 }] });
