/** Tags of a post about a proposal or a launch: what it is, and its stage or result. It is pure. */

const KINDS: Readonly<Record<string, string>> = { proposals: 'Proposal', launches: 'Launch' };

const STAGES: Readonly<Record<string, string>> = {
  created: 'Draft',
  new: 'Announced',
  live: 'Live',
  twap: 'Live',
  minimum: 'Live',
  extended: 'Live',
  ending: 'Ending soon',
  passed: 'Passed',
  failed: 'Failed',
  removed: 'Removed',
  closed: 'Closed',
  complete: 'Completed',
  refunding: 'Refunding',
  graveyard: 'Wound down',
};

/** It is the tag of a post about anything else, where each post needs one. */
export const OTHER_POST_TAG = 'Alert';

/** A place for posts offers at most 20 tags, and a post has at most five. */
export const POST_TAGS: readonly string[] = [...new Set([...Object.values(KINDS), ...Object.values(STAGES), OTHER_POST_TAG])];

/** The step of a launch has more behind its stage. A stage that is not known has no tag. */
export function postTags({ feed, step }: { readonly feed: string; readonly step: string }): readonly string[] {
  const [stage = ''] = step.split('/');
  return [KINDS[feed], STAGES[stage]].filter((tag) => tag !== undefined);
}
