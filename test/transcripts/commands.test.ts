/**
 * The wording of every reply, on every surface, one file a command. A change of wording is a change of these files: `npm run transcripts` writes them,
 * and a person reads the difference.
 */
import { expect, test } from 'vitest';
import type { Person } from '../../src/chat/inbound.js';
import { openAppHarness, type AppHarness } from '../support/app-harness.js';
import { pingRolesInMemory } from '../support/ping-roles.js';
import { changesTheChat, linesOf } from './lines.js';
import type { Reply } from '../../src/chat/reply.js';
import { transcript } from './render.js';

/** Who says the lines of a command that is about something only one platform has. */
const askers: Readonly<Record<string, Person>> = {
  pings: { id: 'console/mo', name: 'Mo', manages: async () => true, pingRoles: pingRolesInMemory() },
};

/** `[Sources]` presses that button of the reply before. */
const PRESS = /^\[(.+)\]$/u;

function lineOf(actions: Reply['actions'], label: string): string {
  const found = actions.find((action) => action.label === label);
  if (found === undefined) throw new Error(`the reply has no button "${label}"`);
  return found.line;
}

async function pageOf(harness: AppHarness, name: string, lines: readonly string[]): Promise<string> {
  const parts = [`# /${name}`];
  let actions: Reply['actions'] = [];
  for (const line of lines) {
    const pressed = PRESS.exec(line)?.[1];
    const { reply } = await harness.say(pressed === undefined ? line : lineOf(actions, pressed), askers[name]);
    ({ actions } = reply);
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
