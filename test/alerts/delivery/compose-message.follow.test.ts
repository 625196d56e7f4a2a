/** What a message of one proposal says and offers to a chat that follows it alone, and to one that does not. */
import { expect, test } from 'vitest';
import { compose, composeLive } from '../../../src/alerts/delivery/compose-message.js';
import { plainText } from '../../../src/chat/plain-text.js';
import type { Reply } from '../../../src/chat/reply.js';
import { DEFAULT_TEMPLATES, makeLinks } from '../../../src/domain/links.js';
import { slug } from '../../../src/domain/scalars.js';
import { launches } from '../../../src/feeds/launches.js';
import { proposals } from '../../../src/feeds/proposals.js';
import { NOON } from '../../feeds/reading.js';

const links = makeLinks(DEFAULT_TEMPLATES);
const KEY = 'j3TNPhPFwWpMA37Vmd6jgv99rZgYUAN2teNAtLN3XSg';
const TOPIC = `proposals/tide/${KEY}`;
const ENDS = 'Following ended with this result.';

const live = (stage: string, entry: string): Reply => {
  const ended = stage === 'passed';
  const facts = { name: 'Tidewater', publicKey: KEY, title: 'Audit' };
  const status = { topic: TOPIC, feed: 'proposals', project: slug('tide'), stage, step: stage, version: '1', ended, at: NOON, facts };
  const content = proposals.liveContent(status);
  if (content === undefined) throw new Error('a proposal has live content');
  return composeLive({ id: 'ID', links, status, content, entry });
};

const alert = (stage: string, entry: string): Reply => {
  const facts = { name: 'Tidewater', publicKey: KEY, title: 'Audit' };
  const event = { id: `${TOPIC}/${stage}`, feed: 'proposals', project: slug('tide'), topic: TOPIC, stage, detectedAt: NOON, facts };
  const member = { event: event.id, entry, queuedAt: NOON };
  return compose({ id: 'ID', links, events: [{ member, event, content: proposals.content(event), silent: false }] });
};

const labels = ({ actions }: Reply): readonly string[] => actions.map(({ label }) => label);

test('a live proposal is offered for following to a chat that watches its project, in one row of buttons', () => {
  for (const message of [live('live', 'tide'), alert('live', 'all')]) {
    expect(labels(message)).toEqual(['Details', 'Follow', 'Mute…', 'Why?']);
    expect(message.actions[1]?.line).toBe(`/watch tide on ${KEY}`);
    expect(message.links.length + message.actions.length).toBeLessThanOrEqual(5);
  }
});

test('a chat that follows the proposal is not offered to follow it', () => {
  for (const message of [live('live', KEY), alert('live', KEY)]) expect(labels(message)).toEqual(['Details', 'Proposals', 'Mute…', 'Why?']);
});

test('the result says that following has ended, where the chat followed the proposal alone', () => {
  for (const message of [live('passed', KEY), alert('passed', KEY)]) {
    expect(plainText(message, NOON)).toContain(ENDS);
    expect(labels(message)).not.toContain('Follow');
  }
  for (const message of [live('passed', 'tide'), alert('passed', 'tide'), live('live', KEY), alert('live', KEY)])
    expect(plainText(message, NOON)).not.toContain(ENDS);
  expect(labels(alert('passed', 'tide'))).not.toContain('Follow');
});

test('a launch that is open is offered for following, and a sample is not', () => {
  const topic = `launches/${KEY}`;
  const event = { id: `${topic}/live`, feed: 'launches', topic, stage: 'live', detectedAt: NOON, facts: { address: KEY, name: 'Lagoon' } };
  const of = (entry: string): Reply =>
    compose({
      id: 'ID',
      links,
      events: [{ member: { event: event.id, entry, queuedAt: NOON }, event, content: launches.content(event), silent: false }],
    });
  expect(of('launches').actions.map(({ line }) => line)).toContain(`/watch launches on ${KEY}`);
  expect(labels(of(''))).not.toContain('Follow');
});
