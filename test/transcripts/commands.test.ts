/**
 * The wording of every reply, on every surface, one file a command. A change of wording is a change of these files: `npm run transcripts` writes them,
 * and a person reads the difference.
 */
import { expect, test } from 'vitest';
import { openAppHarness, type AppHarness } from '../support/app-harness.js';
import { changesTheChat, linesOf } from './lines.js';
import { transcript } from './render.js';

async function pageOf(harness: AppHarness, name: string, lines: readonly string[]): Promise<string> {
  const parts = [`# /${name}`];
  for (const line of lines) {
    const { reply } = await harness.say(line);
    parts.push(`## ${line}`, transcript(reply, harness.clock.now()));
  }
  return `${parts.join('\n\n')}\n`;
}

test('the wording of replies is what the transcripts say', async () => {
  const shared = await openAppHarness();
  await shared.directory.all();
  for (const command of shared.registry.catalogue.commands) {
    const lines = linesOf(command);
    expect(lines, command.name).not.toEqual([]);
    const harness = changesTheChat(command) ? await openAppHarness() : shared;
    await expect(await pageOf(harness, command.name, lines)).toMatchFileSnapshot(`commands/${command.name}.md`);
  }
});
