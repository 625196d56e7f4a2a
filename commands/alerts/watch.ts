/** Answers `/alerts … watch`, which watches a target with a rule in one step, and makes the button for it. */
import { entryFor } from '../../src/alerts/watchlist/watchlists.js';
import { shortName, targetName, type Entry, type Target } from '../../src/alerts/watchlist/entry.js';
import { DEFAULT_PRESET, PRESET_TITLES, isDigestOnly, isOff, rulesFor } from '../../src/alerts/rules/presets.js';
import { readRule } from '../../src/alerts/rules/read-rule.js';
import { both } from '../../src/base/sentence-lists.js';
import type { ActionDraft, BlockDraft, Reply } from '../../src/chat/reply.js';
import type { Context } from '../../src/dispatch/context.js';
import { expectedLine, expectedOf, firstCheckText, requirePosting, runFirstChecks } from '../../src/dispatch/watchlists/first-checks.js';
import { kindsOf, ruleText } from '../../src/dispatch/watchlists/rule-text.js';
import { addEntry, targetOf, titleOf } from '../../src/dispatch/watchlists/targets.js';
import { UserError, commandLine, line, requireManager } from '../../src/reply/index.js';
import { change } from './change.js';
import { requireFollowable, ruleSet } from './rule-set.js';
import { ruleOf, withRule } from './edit.js';
import { entryAndText, kindOfText, type AlertOptions } from './request.js';

/** Adds an entry with a rule, with "watch-only" without the alerts of the preset. Rejects with a `UserError`, an `UnknownProjectError` or a `ManagersOnlyError`. */
export async function watchWithRule({ target: name, kind, action = 'watch', rule = '' }: AlertOptions, context: Context): Promise<Reply> {
  await requireManager(context.asker);
  if (name === undefined) throw new UserError('Watch what, with this rule? Name a project.', { example: '/alerts tide watch premium<-10' });
  const target = await targetOf(name, context);
  const { text, of } = ruleWords({ kind, rule }, context);
  const rules = ruleOf(of, text, context.now);
  const before = context.watchlists.read(context.chat);
  const standing = entryFor(before, target);
  const isAlone = action === 'watch-only';
  if (standing !== undefined && isAlone) throw await watchedAlready(standing, commandLine('alerts', targetName(target), of, text), context);
  if (standing !== undefined) {
    const options = { target: targetName(target), kind: of, rule: text };
    return change({ entry: standing, kind: of, action: { do: 'rule', text }, options }, context);
  }
  const title = await titleOf(target, context);
  requireFollowable(rules, { target, title }, context);
  const notes = await requirePosting(commandLine('alerts', targetName(target), action, of, text), context);
  const { now: since, asker } = context;
  const preset = isAlone ? 'digest' : (before.preset ?? DEFAULT_PRESET);
  const entry: Entry = withRule({ target, since, by: asker.name, byId: asker.id, preset }, rules);
  const { stands } = await addEntry(entry, context);
  const checks = await runFirstChecks([target], context);
  const expected = expectedOf([stands], context);
  const others = kindsOf(stands, context).filter((kind) => kind !== of && !isOff(stands, kind) && !isDigestOnly(stands, kind));
  return ruleSet(
    {
      title,
      entry: stands,
      rule: rules,
      isOneOfSeveral: ruleText(of, rulesFor(stands, of)) !== ruleText(of, rules),
      notes: [
        line('Now watched here. ', ...firstCheckText(checks, expected)),
        ...(isAlone
          ? [line('Only this rule alerts. Everything else is left to the ', { code: '/digest' }, '.')]
          : presetLines(stands, others)),
        ...expectedLine(expected, context),
        ...notes,
      ],
      undo: { label: 'Undo', line: commandLine('unwatch', targetName(target)) },
    },
    context,
  );
}

async function watchedAlready({ target, preset }: Entry, setLine: string, context: Context): Promise<UserError> {
  return new UserError(`${await titleOf(target, context)} is watched here already, with the preset ${PRESET_TITLES[preset]}.`, {
    actions: [
      { label: 'Set this rule', line: setLine },
      ...(preset === 'digest' ? [] : [{ label: PRESET_TITLES.digest, line: commandLine('alerts', targetName(target), 'digest') }]),
    ],
  });
}

/** Names the other kinds that alert, because only one rule was asked for. */
const presetLines = ({ target, preset }: Entry, kinds: readonly string[]): readonly BlockDraft[] =>
  kinds.length === 0
    ? []
    : [
        line(
          `Also alerts, by the preset ${PRESET_TITLES[preset]}: ${both(kinds)}. To choose, use `,
          {
            code: commandLine('alerts', targetName(target)),
          },
          '.',
        ),
      ];

function ruleWords(
  { kind, rule }: { readonly kind: string | undefined; readonly rule: string },
  { now }: Context,
): { readonly text: string; readonly of: string } {
  const of = kind ?? kindOfText(rule, now);
  if (of === undefined) throw new UserError('Which kind of alert is this rule for?', { example: '/alerts tide watch premium<-10' });
  return { of, text: rule.replace(new RegExp(String.raw`^${of}\s+`, 'iu'), '') };
}

/** Makes the button "Watch Tidewater with this rule" if a rule was typed for a project that the chat does not watch. */
export async function watchButtons(options: AlertOptions, context: Context): Promise<readonly ActionDraft[]> {
  if (options.action !== undefined) return [];
  const found = await entryAndText({ ...options, action: 'backtest' }, context).catch(() => undefined);
  if (found?.project === undefined || found.entry !== undefined || found.text === '') return [];
  const kind = options.kind ?? kindIn(found.text, context);
  if (kind === undefined || !readRule(`${kind} ${found.text}`, context.now).read) return [];
  const { project, text } = found;
  const lineOf = (action: string): string => commandLine('alerts', targetName(project), action, kind, text);
  return [
    { label: `Watch ${await nameOf(found.project, context)} with this rule`, line: lineOf('watch') },
    ...(context.watchlists.read(context.chat).preset === 'digest' ? [] : [{ label: 'Only this rule', line: lineOf('watch-only') }]),
  ];
}

const nameOf = async (target: Target, context: Context): Promise<string> =>
  target.kind === 'project' ? titleOf(target, context) : shortName(target);

/** Returns the kind of a rule; undefined if the text is not a rule. */
function kindIn(text: string, { now }: Context): string | undefined {
  try {
    return kindOfText(text, now);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
