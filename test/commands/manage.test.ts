/** Which chat is managed is remembered by the platform; here one of a test stands for it. */
import { describe, expect, test } from 'vitest';
import { address } from '../../src/chat/address.js';
import type { ManagedChat, OtherChannel, Person } from '../../src/chat/inbound.js';
import { openAppHarness } from '../support/app-harness.js';

const THERE = address('console', 'treasury');
const FOUND: OtherChannel = { kind: 'managed', chat: THERE, name: 'Treasury', circles: ['console/local'] };

/** Somebody in a private chat who manages one other chat. */
function manager(found: OtherChannel = FOUND) {
  const asked: string[] = [];
  const state: { chosen?: ManagedChat } = {};
  const person: Person = {
    ...{ id: 'console/ada', name: 'Ada', manages: async () => true },
    inChannel: async (channel) => {
      asked.push(channel);
      return found;
    },
    managed: {
      read: async () => ({ known: state.chosen === undefined ? [] : [state.chosen], chosen: state.chosen }),
      choose: async (chat) => void (state.chosen = chat),
      leave: async () => void delete state.chosen,
    },
  };
  return { person, asked, state };
}

describe('/manage', () => {
  test('offers to pick a chat, and says which one is managed', async () => {
    const harness = await openAppHarness();
    const { person } = manager();
    expect((await harness.say('/manage', person)).reply).toMatchObject({ tone: 'plain', chatPicker: true });
    await harness.say('/manage -1001234567890', person);
    const { reply } = await harness.say('/manage', person);
    expect(reply).toMatchObject({ tone: 'live', chatPicker: true });
    expect(reply.actions.map(({ line }) => line)).toEqual(['/watch <#treasury>', '/manage done']);
  });

  test.each(['-1001234567890', '@harbour_news', 't.me/harbour_news', 'https://t.me/harbour_news'])('%s names a chat', async (named) => {
    const harness = await openAppHarness();
    const { person, asked, state } = manager();
    const { reply } = await harness.say(`/manage ${named}`, person);
    expect(reply).toMatchObject({
      tone: 'live',
      actions: [{ line: '/watch <#treasury>' }, { line: '/watch <#treasury> all' }, { line: '/manage done' }],
    });
    expect(asked).toEqual([named.startsWith('-') ? named : '@harbour_news']);
    expect(state.chosen).toEqual({ channel: 'treasury', name: 'Treasury' });
  });

  test('what names no chat is asked for, and nothing is asked of the platform', async () => {
    const harness = await openAppHarness();
    const { person, asked } = manager();
    expect((await harness.say('/manage "our channel"', person)).reply).toMatchObject({ tone: 'warning', actions: [{ line: '/manage' }] });
    expect(asked).toEqual([]);
  });

  test('a permission that the bot lacks there is named, and nothing is remembered', async () => {
    const harness = await openAppHarness({ probe: { missing: ['Post Messages'] } });
    const { person, state } = manager();
    const { reply } = await harness.say('/manage @harbour_news', person);
    expect(reply).toMatchObject({ tone: 'warning', actions: [{ line: '/manage treasury' }] });
    expect(state.chosen).toBeUndefined();
  });

  test('a chat that the person does not manage is refused with its reason', async () => {
    const harness = await openAppHarness();
    const { person, state } = manager({ kind: 'refused', says: 'You are no administrator.' });
    expect((await harness.say('/manage @harbour_news', person)).reply).toMatchObject({
      tone: 'warning',
      finding: ['You are no administrator.'],
    });
    expect(state.chosen).toBeUndefined();
  });

  test('done ends it, twice without harm', async () => {
    const harness = await openAppHarness();
    const { person, state } = manager();
    await harness.say('/manage @harbour_news', person);
    expect((await harness.say('/manage done', person)).reply).toMatchObject({ tone: 'over', actions: [{ line: '/manage treasury' }, {}] });
    expect(state.chosen).toBeUndefined();
    expect((await harness.say('/manage done', person)).reply).toMatchObject({ tone: 'over', actions: [{ line: '/manage' }] });
  });

  test('where no other chat can be chosen, it says where', async () => {
    const harness = await openAppHarness();
    expect((await harness.say('/manage')).reply).toMatchObject({ tone: 'plain', actions: [{ line: '/watch' }, { line: '/help' }] });
  });
});
