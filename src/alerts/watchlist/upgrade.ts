/** Documents of earlier versions. Pure; throws if one is no such document. */
import { z } from 'zod';

const chatSchema = z.looseObject({ entries: z.array(z.looseObject({ off: z.array(z.string()).default([]) })) });

export function upgradeChat(document: unknown): unknown {
  const { entries, ...chat } = chatSchema.parse(document);
  return { ...chat, entries: entries.map(upgraded) };
}

function upgraded({ off, ...entry }: z.infer<typeof chatSchema>['entries'][number]): unknown {
  const modes = Object.fromEntries(off.map((kind) => [kind, 'off']));
  return { ...entry, preset: 'everything', ...(off.length === 0 ? {} : { modes }) };
}
