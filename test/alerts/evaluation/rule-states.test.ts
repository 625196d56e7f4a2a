/** The home of the states of rules: pages that count only with their head, and what is left of a chat. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { NO_RULES, RuleStates, stateOf, type OwnStates, type RulesCommit } from '../../../src/alerts/evaluation/rule-states.js';
import { address, type Address } from '../../../src/chat/address.js';
import { decimal } from '../../../src/domain/scalars.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { NOON } from '../../feeds/reading.js';
import { crashStore, falseIfCrashed } from '../crash-store.js';
import { burn, CHAT } from '../harness.js';

const rawDocuments = (store: Store, prefix: string) => store.collection({ prefix, version: 1, schema: z.unknown() });

const KEY = 'premium/tide';
const chatNamed = (number: number): Address => address('telegram', `-${number}`);
const states = (value: number): OwnStates => {
  const point = { at: NOON, value: decimal(value) };
  return { [KEY]: { 'premium below -10 band 2': { stands: NOON, state: { armed: true, anchor: point, last: point } } } };
};
const commit = (own: readonly (readonly [Address, OwnStates | undefined])[], extra: Partial<RulesCommit> = {}): RulesCommit => ({
  ...NO_RULES,
  ...extra,
  own: new Map(own),
});
const anchorOf = (rules: RuleStates, chat = CHAT) =>
  stateOf({ shared: {}, own: rules.of(KEY).own.get(chat) }, { series: KEY, name: 'premium below -10 band 2', stands: NOON })?.anchor.value;

test('a page that a crash left without its head counts as unwritten, and the next commit repairs it', async () => {
  const store = await openStore('memory://');
  const rules = await RuleStates.open(store);
  await rules.commit(KEY, commit([[CHAT, states(1)]]));
  const dying = await RuleStates.open(crashStore(store, { until: 2, written: false }));
  const both = commit([
    [CHAT, states(2)],
    [chatNamed(1), states(2)],
  ]);
  expect(await dying.commit(KEY, both).then(() => true, falseIfCrashed)).toBe(false);
  const after = await RuleStates.open(store);
  expect([anchorOf(after), anchorOf(after, chatNamed(1))]).toEqual(['1', undefined]);
  await after.commit(KEY, commit([[chatNamed(2), states(3)]]));
  const last = await RuleStates.open(store);
  expect([CHAT, chatNamed(1), chatNamed(2)].map((chat) => anchorOf(last, chat))).toEqual(['1', undefined, '3']);
});

test('a commit that fails and lives on changes nothing, and the next one counts', async () => {
  const store = await openStore('memory://');
  const broken = crashStore(store, { until: 2, written: true });
  const rules = await RuleStates.open(broken);
  await expect(rules.commit(KEY, commit([[CHAT, states(1)]]))).rejects.toThrow();
  expect(anchorOf(rules)).toBeUndefined();
});

test('an alert is pending for the chats of a page and of the head until all have it, over a restart', async () => {
  const store = await openStore('memory://');
  const rules = await RuleStates.open(store);
  const event = burn(1, NOON);
  const member = { event: event.id, entry: 'tide', queuedAt: NOON };
  await rules.commit(KEY, commit([[CHAT, states(1)]], { crossed: { events: [event], shared: [] }, members: new Map([[CHAT, [member]]]) }));
  const again = await RuleStates.open(store);
  expect([again.crossed(), [...again.of(KEY).members]]).toEqual([[KEY], [[CHAT, [member]]]]);
  await again.routed(KEY);
  const last = await RuleStates.open(store);
  expect([last.crossed(), last.of(KEY).members.size, anchorOf(last)]).toEqual([[], 0, '1']);
});

test('a page has at most a hundred chats, and a check that concerns one of them writes that page and the head', async () => {
  const counted = crashStore(await openStore('memory://'));
  const rules = await RuleStates.open(counted);
  await rules.commit(KEY, commit(Array.from({ length: 250 }, (_, number) => [chatNamed(number), states(1)] as const)));
  expect(counted.writes()).toBe(4);
  await rules.commit(KEY, commit([[chatNamed(120), states(2)]]));
  expect(counted.writes()).toBe(6);
  const again = await RuleStates.open(counted);
  expect([again.of(KEY).own.size, anchorOf(again, chatNamed(120)), anchorOf(again, chatNamed(121))]).toEqual([250, '2', '1']);
});

test('of a chat that is forgotten no document says anything, and of a subject that nobody watches none is left', async () => {
  const store = await openStore('memory://');
  const rules = await RuleStates.open(store);
  await rules.commit(
    KEY,
    commit([
      [CHAT, states(1)],
      [chatNamed(1), states(1)],
    ]),
  );
  await rules.commit(KEY, commit([[CHAT, states(2)]]));
  await rules.forgetChat(CHAT);
  expect((await rawDocuments(store, 'rules-page').list()).found).toHaveLength(1);
  const { found } = await rawDocuments(store, 'rules-page').list();
  expect(JSON.stringify(found)).not.toContain(CHAT);
  expect(anchorOf(await RuleStates.open(store), chatNamed(1))).toBe('1');
  await rules.forget(KEY);
  expect([(await rawDocuments(store, 'rules-page').list()).found, (await rawDocuments(store, 'rules').list()).found]).toEqual([[], []]);
});

test('one that cannot be read is refused at the start, with what to do', async () => {
  const store = await openStore('memory://');
  await rawDocuments(store, 'rules').set(KEY, { commit: 'x' });
  await expect(RuleStates.open(store)).rejects.toThrow(/rules premium\/tide cannot be read .*restore a backup/u);
});

test('a market that has its result leaves no state behind, neither shared nor of a chat, and other markets keep theirs', async () => {
  const at = NOON;
  const point = { at, value: decimal('1') };
  const state = { armed: true, anchor: point, last: point };
  const own = { 'proposals/tide/a': { flip: { stands: at, state } }, 'proposals/tide/b': { flip: { stands: at, state } } };
  const store = await openStore('memory://');
  const rulesOf = await RuleStates.open(store);
  const [one, two] = [address('console', '1'), address('console', '2')];
  await rulesOf.commit('proposals/tide', {
    shared: {
      'proposals/tide/a': { flip: [{ until: at, since: at, state }] },
      'proposals/tide/b': { flip: [{ until: at, since: at, state }] },
    },
    own: new Map<Address, OwnStates>([
      [one, own],
      [two, { 'proposals/tide/a': own['proposals/tide/a'] }],
    ]),
    crossed: undefined,
    members: new Map(),
  });
  await rulesOf.end('proposals/tide', ['proposals/tide/a', 'proposals/tide/a/trades']);
  for (const rules of [rulesOf.of('proposals/tide'), (await RuleStates.open(store)).of('proposals/tide')]) {
    expect(Object.keys(rules.shared)).toEqual(['proposals/tide/b']);
    expect([...rules.own].map(([chat, all]) => [chat, Object.keys(all)])).toEqual([[one, ['proposals/tide/b']]]);
  }
});
