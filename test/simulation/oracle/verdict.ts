/** What a run should have come to, and what it came to. */
export type Expectation = 'must' | 'may' | 'must not';

export type FindingKind =
  | 'lost'
  | 'duplicated'
  | 'unwanted'
  | 'invented'
  | 'late'
  | 'out of order'
  | 'while muted'
  | 'in quiet hours'
  | 'check late'
  | 'refresh too early'
  | 'over budget'
  | 'rate limit'
  | 'stop slow'
  | 'edit wrong'
  | 'summary wrong'
  | 'digest wrong'
  | 'correction wrong'
  | 'return wrong'
  | 'why wrong'
  | 'crashed'
  | 'unanswered';

export interface Violation {
  readonly kind: FindingKind;
  readonly says: string;
}

export interface Tally {
  must: number;
  may: number;
  mustNot: number;
  delivered: number;
  maybeSent: number;
  maybeLost: number;
  whys: number;
  corrections: number;
  /** Corrections that may still come. */
  owed: number;
  digests: number;
}

export const emptyTally = (): Tally => ({
  must: 0,
  may: 0,
  mustNot: 0,
  delivered: 0,
  maybeSent: 0,
  maybeLost: 0,
  whys: 0,
  corrections: 0,
  owed: 0,
  digests: 0,
});

export interface Judgement {
  readonly violations: readonly Violation[];
  readonly tally: Readonly<Tally>;
}
