/** Makes a reply fit a size limit by dropping whole rows before rendering. */
import type { Block, Reply } from './reply.js';

/** Drops from the end until the reply fits: rows of the longest block, blocks, actions, links. At least the finding remains. */
export function fit(reply: Reply, fits: (candidate: Reply) => boolean): Reply {
  let candidate = reply;
  while (!fits(candidate)) {
    const smaller = withoutARow(candidate) ?? withoutABlock(candidate) ?? withoutAnAction(candidate);
    if (smaller === undefined) return candidate;
    candidate = smaller;
  }
  return candidate;
}

function withoutARow(reply: Reply): Reply | undefined {
  const lengths = reply.blocks.map(rowsOf);
  const longest = Math.max(0, ...lengths);
  // The last row stays, because a block with only "and 12 more" says nothing.
  if (longest <= 1) return undefined;
  const at = lengths.lastIndexOf(longest);
  return { ...reply, blocks: reply.blocks.map((block, index) => (index === at ? shortened(block) : block)) };
}

const rowsOf = (block: Block): number => (block.kind === 'list' ? block.items.length : block.kind === 'table' ? block.rows.length : 0);

function shortened(block: Block): Block {
  if (block.kind === 'list') return { ...block, items: block.items.slice(0, -1), more: block.more + 1 };
  if (block.kind === 'table') return { ...block, rows: block.rows.slice(0, -1), more: block.more + 1 };
  return block;
}

const withoutABlock = (reply: Reply): Reply | undefined =>
  reply.blocks.length === 0 ? undefined : { ...reply, blocks: reply.blocks.slice(0, -1) };

function withoutAnAction(reply: Reply): Reply | undefined {
  if (reply.actions.length > 0) return { ...reply, actions: reply.actions.slice(0, -1) };
  return reply.links.length === 0 ? undefined : { ...reply, links: reply.links.slice(0, -1) };
}
