/** Alerts in forums: a post each, with tags, made once whatever is killed, and archived after the result. */
import { afterEach, expect, test } from 'vitest';
import type { DeliveryRequest, EditRequest } from '../../../src/chat/notifier.js';
import { reply } from '../../../src/chat/reply.js';
import { instant } from '../../../src/base/clock.js';
import { addressOf } from '../../../src/platforms/discord/address.js';
import { Permission, USUAL_BOT_PERMISSIONS } from '../../stand-ins/discord/flags.js';
import { mint, openHarness, textOf, type DiscordHarness } from './harness.js';

let harness: DiscordHarness;
afterEach(async () => harness.close());

const POSTS = /\/channels\/\d+\/threads$/u;
const LIVE = { tags: ['Proposal', 'Live'], isOver: false };
const PASSED = { tags: ['Proposal', 'Passed'], isOver: true };

const proposal = (words: string) => ({
  reply: reply({
    tone: 'live',
    finding: [words],
    blocks: [{ kind: 'line', line: ['Passing by 0.6 pts'] }],
    actions: [{ label: 'Why?', line: '/why d1' }],
  }),
});

const open = async ({ manages = false, read = true }: { readonly manages?: boolean; readonly read?: boolean } = {}) => {
  harness = await openHarness();
  const { controls } = harness.discord;
  const bits = USUAL_BOT_PERMISSIONS | (manages ? Permission.MANAGE_CHANNELS : 0n);
  controls.setBotPermissions(harness.guild, read ? bits : bits & ~Permission.READ_MESSAGE_HISTORY);
  const forum = controls.addChannel({ guild: harness.guild, kind: 'forum', name: 'governance' });
  const notifier = () => harness.platform.notifier;
  const to = addressOf(forum);
  const deliver = async (more: Partial<DeliveryRequest> = {}) => {
    const outcome = await notifier().deliver(to, { id: 'd1', ...proposal('Live: "Fund the second audit"'), ...more });
    return { outcome, id: outcome.kind === 'sent' ? outcome.messageId : '' };
  };
  const revise = async (messageId: string, more: Partial<EditRequest> = {}) =>
    notifier().revise?.(to, { id: 'e1', messageId, ...proposal('Passed: "Fund the second audit"'), ...more });
  return { controls, forum, to, notifier, deliver, revise, posts: () => controls.posts(forum), calls: harness.discord.transcript.calls };
};
const kept = () => expect(harness.discord.transcript.calls().flatMap(({ breaches }) => breaches)).toEqual([]);

test('an alert is a post named after its headline, and its id is the post’s, also in a forum that nobody has read yet', async () => {
  const { controls, deliver, posts, calls } = await open();
  const { outcome, id } = await deliver({ post: LIVE });
  expect(outcome).toMatchObject({ kind: 'sent' });
  expect(posts()).toEqual([{ id, name: 'Live: "Fund the second audit"', archived: false, tags: [] }]);
  expect(textOf(controls.message(id)!)).toContain('Passing by 0.6 pts');
  expect(calls('POST', '/messages').map(({ code }) => code)).toEqual([50_008]);
  await deliver({ id: 'd2' });
  expect([posts().length, calls('POST', '/messages').length]).toEqual([2, 1]);
  kept();
});

test('missing tags are made with Manage Channels, beside those that are there', async () => {
  const { controls, forum, deliver, posts, calls } = await open({ manages: true });
  controls.setForum(forum, { tags: [{ name: 'Ideas' }, { name: 'live' }] });
  await deliver({ post: LIVE });
  expect(posts()).toMatchObject([{ tags: ['Proposal', 'live'] }]);
  await deliver({ id: 'd2', post: LIVE });
  expect(calls('PATCH', `/channels/${forum}`).map(({ status }) => status)).toEqual([200]);
  kept();
});

test('without Manage Channels posts go without the tags that are missing, which are named', async () => {
  const { controls, forum, to, notifier, deliver, posts, calls } = await open();
  controls.setForum(forum, { tags: [{ name: 'Proposal' }, { name: 'Live', moderated: true }] });
  expect((await notifier().probe(to)).tags).toEqual(expect.arrayContaining(['Live', 'Passed', 'Launch']));
  expect((await notifier().probe(to)).tags).not.toContain('Proposal');
  await deliver({ post: LIVE });
  expect(posts()).toMatchObject([{ tags: ['Proposal'] }]);
  expect(calls('PATCH')).toEqual([]);
});

test('a forum in which each post needs a tag: what is missing is named, or the tag is made', async () => {
  const { controls, forum, to, notifier, deliver, posts } = await open();
  controls.setForum(forum, { needsTag: true });
  expect(await notifier().probe(to)).toMatchObject({ missing: ['Manage Channels, because each post needs a tag'] });
  expect((await deliver({ post: LIVE })).outcome).toMatchObject({ kind: 'not-permitted' });
  controls.setForum(forum, { tags: [{ name: 'Alert' }] });
  await deliver({ post: LIVE });
  expect(posts()).toMatchObject([{ tags: ['Alert'] }]);
  controls.setForum(forum, { tags: [] });
  controls.setBotPermissions(harness.guild, USUAL_BOT_PERMISSIONS | Permission.MANAGE_CHANNELS);
  await deliver(mint('d2'));
  expect(posts()[1]).toMatchObject({ tags: ['Alert'] });
});

test('the permissions have the names that Discord gives them in a forum', async () => {
  const { controls, forum, to, notifier } = await open();
  const bits = Permission.SEND_MESSAGES | Permission.SEND_MESSAGES_IN_THREADS;
  controls.setPermission({ channel: forum, target: 'bot', deny: bits });
  expect(await notifier().probe(to)).toMatchObject({ missing: ['Create Posts', 'Send Messages in Posts'] });
  expect((await notifier().probe(to)).extras).toMatchObject({ threads: 'Each alert of a forum is a post already.' });
});

test('the tags follow the stage, and the result archives the post; a tag of a moderator stays', async () => {
  const { controls, forum, deliver, revise, posts, calls } = await open({ manages: true });
  const { id } = await deliver({ post: LIVE });
  controls.setForum(forum, { tags: ['Proposal', 'Live', 'Contested'].map((name) => ({ name })) });
  controls.tagPost(id, 'Contested');
  expect(await revise(id, { post: { tags: ['Proposal', 'Ending soon'], isOver: false } })).toEqual({ kind: 'edited' });
  expect(posts()).toMatchObject([{ tags: ['Proposal', 'Ending soon', 'Contested'], archived: false }]);
  const before = calls('PATCH', new RegExp(`/channels/${id}$`, 'u')).length;
  await revise(id, { id: 'e2', post: { tags: ['Proposal', 'Ending soon'], isOver: false } });
  expect(calls('PATCH', new RegExp(`/channels/${id}$`, 'u'))).toHaveLength(before);
  expect(await revise(id, { id: 'e3', post: PASSED })).toEqual({ kind: 'edited' });
  expect(posts()).toEqual([{ id, name: 'Passed: "Fund the second audit"', archived: true, tags: ['Proposal', 'Passed', 'Contested'] }]);
  kept();
});

test('a kill between sending and its record makes no second post, whether it is open or archived', async () => {
  const { controls, deliver, posts } = await open();
  const { id } = await deliver({ post: LIVE });
  const earlier = { since: instant(harness.clock.now()), ifUnknown: 'repeat' } as const;
  await harness.restart();
  expect((await deliver({ post: LIVE, earlier })).outcome).toEqual({ kind: 'sent', messageId: id, earlier: { kind: 'found' } });
  controls.setThread(id, { archived: true });
  expect((await deliver({ post: LIVE, earlier })).id).toBe(id);
  expect(posts()).toHaveLength(1);
  // Another alert of the same words is another post.
  const other = { reply: reply({ finding: ['Live: "Fund the second audit"'], actions: [{ label: 'Why?', line: '/why d2' }] }) };
  expect((await deliver({ id: 'd2', ...other, earlier })).outcome).toMatchObject({ earlier: { kind: 'absent' } });
  expect(posts()).toHaveLength(2);
  kept();
});

test('a cut line after Discord made the post is unclear, and its repeat finds it', async () => {
  const { controls, deliver, posts } = await open();
  await deliver({ ...mint('d0') });
  controls.faults.next({ kind: 'store-then-cut' }, { method: 'POST', path: POSTS });
  expect((await deliver()).outcome).toMatchObject({ kind: 'unclear' });
  expect((await deliver({ earlier: { since: instant(harness.clock.now()), ifUnknown: 'hold' } })).outcome).toMatchObject({ kind: 'sent' });
  expect(posts()).toHaveLength(2);
});

test('without Read Message History an attempt that may have arrived is held or repeated as the operator chose', async () => {
  const { deliver } = await open({ read: false });
  const since = instant(harness.clock.now());
  await harness.platform.notifier.probe(addressOf(harness.channel));
  await deliver();
  const held = (await deliver({ earlier: { since, ifUnknown: 'hold' } })).outcome;
  expect(held).toEqual({ kind: 'maybe-sent', because: 'I need Read Message History there to read the posts' });
  expect((await deliver({ earlier: { since, ifUnknown: 'repeat' } })).outcome).toMatchObject({
    kind: 'sent',
    earlier: { kind: 'unknown' },
  });
});

test('what follows up on a post goes into it and can be edited there, also once it is archived', async () => {
  const { controls, deliver, revise, posts } = await open();
  const { id } = await deliver({ post: LIVE });
  const { id: inside } = await deliver({ ...mint('d2'), replyTo: id });
  expect(inside.startsWith(`${id}/`)).toBe(true);
  expect(controls.messages(id).map(({ repliesTo }) => repliesTo)).toEqual([undefined, id]);
  // So does what is about the same topic and replies to nothing.
  expect((await deliver({ ...mint('d3'), within: id })).id.startsWith(`${id}/`)).toBe(true);
  controls.setThread(id, { archived: true });
  expect(await revise(inside)).toEqual({ kind: 'edited' });
  expect([posts().length, posts()[0]?.archived]).toEqual([1, true]);
  const earlier = { since: instant(harness.clock.now()), ifUnknown: 'hold' } as const;
  expect((await deliver({ ...mint('d2'), replyTo: id, earlier })).id).toBe(inside);
});

test('a second edit that says the same leaves the post of a result archived', async () => {
  const { deliver, revise, posts } = await open({ manages: true });
  const { id } = await deliver({ post: LIVE });
  await revise(id, { post: PASSED });
  expect(await revise(id, { id: 'e2', post: PASSED })).toEqual({ kind: 'edited' });
  expect(posts()).toMatchObject([{ id, archived: true, tags: ['Proposal', 'Passed'] }]);
  kept();
});

test('what follows up on a post that people locked and archived is a post of its own, and holds nothing up', async () => {
  const { controls, deliver, posts } = await open();
  const { id } = await deliver({ post: LIVE });
  controls.setThread(id, { archived: true, locked: true });
  const { outcome, id: own } = await deliver({ ...mint('d2'), replyTo: id });
  expect(outcome).toMatchObject({ kind: 'sent' });
  expect(posts().map((post) => post.id)).toEqual([id, own]);
  const earlier = { since: instant(harness.clock.now()), ifUnknown: 'hold' } as const;
  expect((await deliver({ ...mint('d2'), replyTo: id, earlier })).id).toBe(own);
  expect(posts()).toHaveLength(2);
});

test('a post that people deleted costs neither the chat nor what follows up on it', async () => {
  const { controls, deliver, revise, posts } = await open();
  const { id } = await deliver({ post: LIVE });
  controls.deleteChannel(id);
  expect(await revise(id, { post: PASSED })).toEqual({ kind: 'lost', because: 'deleted' });
  const { outcome } = await deliver({ ...mint('d2'), replyTo: id });
  expect(outcome).toMatchObject({ kind: 'sent' });
  expect(posts()).toHaveLength(1);
  expect(harness.events).toEqual([]);
});
