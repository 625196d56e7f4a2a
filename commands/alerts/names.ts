/** Checks the names in a rule's filters, because a typing error would silently suppress a kind. Makes no request for a token. */
import type { KindRules } from '../../src/alerts/rules/rule.js';
import { NO_STAGE, stageWords } from '../../src/alerts/rules/kinds.js';
import { targetName, type Entry } from '../../src/alerts/watchlist/entry.js';
import { UnknownProjectError } from '../../src/analytics/directory.js';
import { movements, movementTokens } from '../../src/analytics/endpoints/movements.js';
import { nearestWord } from '../../src/base/edit-distance.js';
import { brief } from '../../src/base/one-line.js';
import { either } from '../../src/base/sentence-lists.js';
import type { BlockDraft } from '../../src/chat/reply.js';
import type { Context } from '../../src/dispatch/context.js';
import type { Filters } from '../../src/domain/filters.js';
import { UserError, commandLine, line } from '../../src/reply/index.js';
import { typedRules } from './edit.js';

interface TypedRule {
  readonly rule: KindRules;
  readonly entry: Entry;
  readonly text: string;
  readonly isOnly: boolean;
}

/** Replaces the names of projects in a rule by slugs, and notes the names that no event has had so far. Rejects with a `UserError`. */
export async function namedRule(
  typed: TypedRule,
  context: Context,
): Promise<{ readonly rule: KindRules; readonly notes: readonly BlockDraft[] }> {
  const notes = await tokenNotes(typed, context);
  const { rule } = typed;
  const { projects } = rule.filters;
  if (projects === undefined) return { rule, notes };
  const slugs: string[] = [];
  for (const name of projects) slugs.push(await slugOf(name, typed, context));
  return { rule: { ...rule, filters: { ...rule.filters, projects: [...new Set(slugs)] } }, notes };
}

/** Writes the line that sets the rule with other filters. */
function again({ rule, entry, isOnly }: TypedRule, filters: Filters): string {
  return commandLine('alerts', targetName(entry.target), rule.kind, ...(isOnly ? ['only'] : []), ...typedRules({ ...rule, filters }));
}

async function slugOf(name: string, typed: TypedRule, { directory, signal }: Context): Promise<string> {
  const [one, ...others] = await directory.named(name);
  if (one !== undefined && others.length === 0) return one.slug;
  try {
    return (await directory.find(name, signal)).slug;
  } catch (error) {
    if (!(error instanceof UnknownProjectError)) throw error;
    const { filters } = typed.rule;
    const slugs = error.nearest.map(({ slug }) => slug);
    const guess =
      slugs.length === 0
        ? error.loading
          ? 'The project list is still loading; try again in a minute.'
          : 'Check the spelling.'
        : `Did you mean ${either(slugs)}?`;
    throw new UserError(
      `${error.several ? 'Several projects are' : 'No project is'} called "${brief(name)}". ${guess} Nothing is changed.`,
      {
        actions: slugs.map((slug) => ({
          label: slug,
          line: again(typed, { ...filters, projects: (filters.projects ?? []).map((other) => (other === name ? slug : other)) }),
        })),
      },
    );
  }
}

async function tokenNotes(typed: TypedRule, context: Context): Promise<readonly BlockDraft[]> {
  const { rule, entry, text } = typed;
  const { tokens } = rule.filters;
  if (tokens === undefined) return [];
  const seen = entry.target.kind === 'project' ? await seenTokens(entry.target.slug, context) : undefined;
  const unseen = tokens.filter((token) => seen?.has(folded(token)) !== true);
  // After "tokens:" a name is certainly a token and not a stage.
  if (!/tokens?\s*[:=\s]/iu.test(text)) requireNoStage(typed, unseen);
  return seen === undefined || unseen.length === 0 ? [] : [line(`⚠ No movement of ${either(unseen)} was seen so far. Check the symbol.`)];
}

function requireNoStage(typed: TypedRule, unseen: readonly string[]): void {
  const { kind, filters } = typed.rule;
  for (const token of unseen) {
    const stage = nearestWord(token, [...stageWords(kind).keys()]);
    if (stage === undefined) continue;
    const { tokens = [], ...others } = filters;
    const left = tokens.filter((other) => other !== token);
    const stages = [...new Set([...(filters.stages ?? []).filter((one) => one !== NO_STAGE), stage])];
    throw new UserError(`No "${brief(token)}" in ${kind}. Did you mean ${stage}? For a token of that name, write tokens:${token}.`, {
      actions: [
        { label: stage, line: again(typed, { ...others, ...(left.length === 0 ? {} : { tokens: left }), stages }) },
        { label: `Token ${token}`, line: again(typed, filters) },
      ],
    });
  }
}

const folded = (token: string): string => token.replace(/^\$/u, '').toLowerCase();

/** The page sizes with which checks and questions read lists. */
const PAGES = [100, 50, 20, 10] as const;

/** Returns the tokens in kept responses; undefined if there are none. */
async function seenTokens(slug: string, { analytics }: Context): Promise<ReadonlySet<string> | undefined> {
  const [listed, ...pages] = await Promise.all([
    analytics.kept(movementTokens, { slug }),
    ...PAGES.map(async (limit) => analytics.kept(movements, { slug, limit, page: 1 })),
  ]);
  const rows = pages.flatMap((page) => page?.data.rows ?? []);
  if (listed === undefined && rows.length === 0) return undefined;
  const symbols = [...(listed?.data.rows ?? []).map(({ symbol }) => symbol), ...rows.map(({ symbol }) => symbol)];
  return new Set(symbols.flatMap((symbol) => (symbol === undefined ? [] : [folded(symbol)])));
}
