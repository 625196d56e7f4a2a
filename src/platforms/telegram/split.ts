/** Splits a long answer into messages. */
import { fit } from '../../chat/fit.js';
import type { Block, Reply } from '../../chat/reply.js';

/** The last part has the rest that fits, buttons and age. */
export function split(reply: Reply, { fits, most }: { fits: (candidate: Reply) => boolean; most: number }): readonly Reply[] {
  if (fits(reply)) return [reply];
  const parts: Reply[] = [];
  const { asOf: _age, stale: _why, ...rest } = reply;
  let part: Reply = { ...rest, blocks: [], links: [], actions: [], fields: [] };
  const pieces = reply.blocks.flatMap(piecesOf);
  for (const [index, piece] of pieces.entries()) {
    const longer = append(part, piece);
    if (fits(longer) || part.blocks.length === 0) {
      part = longer;
      continue;
    }
    if (parts.length === most - 2) {
      const left = pieces.slice(index).reduce(append, { ...reply, finding: [], tone: 'plain', blocks: [] });
      return [...parts, part, fit(left, fits)];
    }
    parts.push(part);
    part = append({ ...part, finding: [], tone: 'plain', blocks: [] }, piece);
  }
  const last = { ...reply, finding: part.finding, tone: part.tone, blocks: part.blocks };
  return [...parts, fit(last, fits)];
}

function piecesOf(block: Block): readonly Block[] {
  switch (block.kind) {
    case 'line':
      return [block];
    case 'figures':
      return block.items.map((item) => ({ ...block, items: [item] }));
    case 'list':
      return block.items.map((item, index) => ({ ...block, items: [item], more: index === block.items.length - 1 ? block.more : 0 }));
    case 'table':
      return block.rows.map((row, index) => ({ ...block, rows: [row], more: index === block.rows.length - 1 ? block.more : 0 }));
    default:
      return [block];
  }
}

function append(reply: Reply, piece: Block): Reply {
  const before = reply.blocks.slice(0, -1);
  const last = reply.blocks.at(-1);
  const grown = last === undefined ? undefined : grow(last, piece);
  return { ...reply, blocks: grown === undefined ? [...reply.blocks, piece] : [...before, grown] };
}

function grow(last: Block, piece: Block): Block | undefined {
  if (last.kind === 'figures' && piece.kind === 'figures') return { ...last, items: [...last.items, ...piece.items] };
  if (last.kind === 'list' && piece.kind === 'list')
    return { ...last, items: [...last.items, ...piece.items], more: last.more + piece.more };
  if (last.kind === 'table' && piece.kind === 'table' && last.columns === piece.columns)
    return { ...last, rows: [...last.rows, ...piece.rows], more: last.more + piece.more };
  return undefined;
}
