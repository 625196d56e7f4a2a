/** Chooses the tags of a post about a proposal or launch: its kind, and its stage or result. Pure. */

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

/** The tag of any other post, for channels that require a tag. */
export const OTHER_POST_TAG = 'Alert';

/** All tags. Discord allows 20 in a forum channel and five on a post. */
export const POST_TAGS: readonly string[] = [...new Set([...Object.values(KINDS), ...Object.values(STAGES), OTHER_POST_TAG])];

/** Returns the tags of a post. A launch's step begins with its stage. An unknown stage has no tag. */
export function postTags({ feed, step }: { readonly feed: string; readonly step: string }): readonly string[] {
  const [stage = ''] = step.split('/');
  return [KINDS[feed], STAGES[stage]].filter((tag) => tag !== undefined);
}
