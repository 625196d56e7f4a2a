import { expect, test } from 'vitest';
import { commandsPage } from '../support/commands-page.js';
import { openAppHarness } from '../support/app-harness.js';
import { commandFiles } from './repository.js';

// A file snapshot: run with `--update` it writes the page, else it compares.
test('the page of commands says what the commands are today, every one of them', async () => {
  const { registry } = await openAppHarness();
  const page = await commandsPage(registry.catalogue.commands);
  expect([...commandFiles.keys()].filter((name) => !page.includes(`### /${name}\n`))).toEqual([]);
  await expect(page).toMatchFileSnapshot('../../docs/commands.md');
});

test('text that resembles markup in a command is shown as it is written', async () => {
  const page = await commandsPage([{ name: 'odd', summary: 'About <b>bold</b> and *stars*', options: [], examples: ['/odd "<b>"'] }]);
  expect(page).toContain('About \\<b\\>bold\\</b\\> and \\*stars\\*.');
  expect(page).toContain('\n/odd "<b>"\n');
});
