/** /alerts [target] [kind] [rule]: the alerts of this chat and their rules. */
import { z } from 'zod';
import type { Reply } from '../../src/chat/reply.js';
import { isBacktest, isRuleFirst, readRequest, type AlertOptions } from './request.js';
import { fireDrill } from './fire-drill.js';
import { samples } from './samples.js';
import { backtest } from './backtest.js';
import { ALERT_ACTIONS } from '../../src/dispatch/watchlists/rule-text.js';
import { change } from './change.js';
import { kindPage, onePage, overview } from './pages.js';
import { watchButtons, watchWithRule } from './watch.js';
import { defineCommand } from '../../src/dispatch/command.js';
import { UserError, textOption } from '../../src/reply/index.js';

export default defineCommand({
  name: 'alerts',
  summary: 'Choose alerts and thresholds for this chat',
  group: 'watching',
  elsewhere: true,
  personal: true,
  args: z.object({
    target: textOption('an entry of the watchlist').meta({ complete: 'entry', phrases: true }),
    kind: z.string().optional().describe('the kind of alert').meta({ choices: 'kinds' }),
    action: z.enum(ALERT_ACTIONS).optional().describe('a preset, on, silent, off, what to change, or backtest').meta({ ends: 'backtest' }),
    mention: z
      .string()
      .regex(/^<@[&!]?\d{1,20}>$/u)
      .optional()
      .describe('on Discord: a role or a person to mention')
      .meta({ mentions: true }),
    rule: textOption('such as usd>10000, below -10, stages:live').meta({ rest: true, phrases: true }),
  }),
  examples: [
    '/alerts tide supply usd>10000',
    '/alerts',
    '/alerts tide',
    '/alerts tide most',
    '/alerts tide digest',
    '/alerts tide undo',
    '/alerts tide growth silent',
    '/alerts tide premium below -10 band 2',
    '/alerts tide premium below -10 for 6h',
    '/alerts tide premium<-10 and runway>12',
    '/alerts tide proposals flip',
    '/alerts tide movements only USDC',
    '/alerts tide proposals title:buyback',
    '/alerts tide premium usual',
    '/alerts tide age 1d',
    '/alerts tide watch-only premium below -10',
    '/alerts tide premium below -10 backtest',
    '/alerts test supply',
    '/alerts replay 7d',
  ],
  phrases: {
    '/alerts {target?} {rule}': `tell me when {project} drops below nav | alert me when {project} is 15% below nav | ping me if {project} goes under -10 | let me
      know when {project} trades 20% under nav | tell me when {project} hits 15% below nav | ping if {project} price > 2.40 | tell me
      when {project} is over 1.5 | alert if the price of {project} goes over 2 dollars | wake me if {project} dumps under 40c | warn
      me when the runway of {project} falls below 6 months | let me know if {project} has less than 6 months of money left | lmk when
      {project} runway drops below 9 months | only ping big mints on {project} 100k usd and up | tell me about mints and burns of
      {project} over 50k | ping on any treasury outflow over 50k at {project} | notify us if a payment bigger than 25000 usd leaves
      {project} | tell me once when {project} falls under nav | buzz me whenever {project} flips above nav | alert me when {project}
      is unusually cheap | unusually cheap alert for {project} | tell me when {project} is unusually expensive | ping me if {project}
      is abnormally low | alert when the premium of {project} is unusual | let me know whenever {project} creates or destroys tokens
      for over 50 thousand dollars | if a new vote starts at {project} write to me | tell us when {project} votes go live | post here
      when {project} trades above a 5% premium | all coins alert at 20% discount | notify the group if any project at all falls to 25%
      below nav | alert {project} below -15 | {project} below -10 alert | alert me when nav of {project} falls under 5 million | tell
      me when the treasury of {project} drops below 2m | tell me if {project} moves more than 10% | alert me on every 5% move of
      {project} | ping me when {project} reaches a new low discount | set an alert for {project} at -20% | set the threshold for
      {project} premium to minus 10 | give me notice if from the treasury of {project} goes payment bigger as 25000 usd | when
      {project} costs less as 0.80 $ write me | remind me if {project} gets cheap | I want to hear when {project} is more than 10%
      cheaper than its value | inform me when the discount of {project} is deeper than 10% | warn us once the runway of {project}
      falls under 6 months | tell me when {project} gets expensive | alert when {project} price moves 10% | price alert {project} 2.5
      | {project} price alert at 1.20 | ping me {project} under -10 | only alert from 10k usd for {wallet} | whale wallet {wallet}
      only from 10k | {project} supply over 100k alert | proposals of {project} only when decided | only ping when a {project}
      proposal goes live | only outgoing movements for {project} | only incoming payments of {project} | incoming payments to {project} over $20k | alert
      me when the volume of the {project} proposal is over 50k | tell me when the {project} market has more than 100 traders | ping me when the fail price of {project} drops
      below 0.1 | tell me if the {project} vote flips | alert me when the margin of
      {project} drops under 2 points | only the mints of {project} over 100k | {project} movements only USDC | alert me to {project} payments of the category payroll |
      {project} movement alerts only for the account named Vault | {project} proposals only with "buyback" in the title | limit the alerts on {wallet} to what it does in {project} |
      send a separate message when the {project} premium alert is over | tell me when the holder rank of {wallet} moves by 3 places |
      every new 90-day high of the {project} premium | {project} premium below -10 with a band of 4 points | big trades on the {project} market | premium on {project} this threshold and nothing else below -10`,
    '/alerts {target?} {rule} backtest': `how often would an alert at 10% below nav have fired for {project} | backtest {project} discount deeper than 12 | would have
      fired how often if I set the {project} alert at -25 | backtest {project} premium below -10 | how many times was {project} below
      -20% last year | how often did {project} drop under nav | how often would have rung an alert with {project} premium below minus
      20 | test this rule on the past {project} premium<-10 | how often would I have been alerted at 15% discount on {project}`,
    '/alerts {target?} {kind} {mode}': `turn off premium alerts | turn off supply alerts | no growth alerts | stop the proposals alerts | switch off vesting alerts | disable treasury alerts | turn premium alerts on | no more premium alerts | turn off vesting alerts for {project} | kill vesting pings on {project} | {project} supply alerts no sound | supply alerts of
      {project} without sound | {project} vesting alerts off | no more growth alerts for {project} | mute sound for {project} supply |
      {project} proposal alerts back on | turn on unlock alerts for {project} | growth alerts are spam kill them for all projects | I
      don't want to hear about the team unlocks of {project} anymore | stop the mint alerts of {project} | enable treasury alerts for
      {project} | switch off vesting alerts {project} | {project} supply silent | make the {project} premium alerts silent | I want to
      hear when {project} team tokens unlock please enable that | I don't need movements of {project} | send {project} mint messages
      without noise | disable premium alerts {project} | activate proposals alerts {project} |
      please stop pinging us about mints | don't tell me about votes | stop telling us about {project} payments | do not notify me when {project} mints |
      I don't want {project} proposal spam`,
    '/alerts {target?} {preset}': `{project} send me everything | every alert for {project} | set {project} to important | only important alerts for {project} |
      back to important only for {project} | {project} most alerts | all alerts for {project} | for {project} I only need the
      important stuff | send me every single thing about {project} | put {project} into the digest only | {project} just once a day |
      no single alerts for {project} only in the digest | {project} everything | fewer alerts for {project} set it to important | too
      many alerts from {project} only important ones | from {project} I want to receive absolutely everything | too spammy set
      {project} back to important | {project} preset most | alert this group about absolutely everything that happens at {project}`,
    '/alerts {target?} undo': `undo the last alert change of {project} | undo {project} alerts | undo what I changed on {project} | revert the alerts of
      {project} | undo that last {project} alert change | undo the last change I made to the alerts of {project}`,
    '/alerts {target}': `which alerts do I have on {project} | alerts of {project} | what alerts do we get for {project} | alert settings {project} |
      show the alerts of {project} | what are you going to alert us about for {project} | what exactly are we alerted on for {project}
      | {project} alerts | my {project} alerts | change alerts of {project} | which rules are set for {project} | customize {project}
      alerts`,
    '/alerts': `alerts | my alerts | show all our alert rules | which alerts do I have | what alerts are set | list alerts | alert settings |
      how do I set an alert | show my rules | all alert rules of this channel | edit alerts`,
    '/alerts test {kind?}': `send a test alert | test alert | send me a sample alert | example alert | what does an alert look like | show me an example of
      an alert | post a test alert | send a sample supply alert in here | can I see an example of how such an alert looks | testalert
      vesting | demo alert | try the alerts`,
    '/alerts replay {replayed}': `how many messages would the last 30 days have produced under our rules | replay the last 2 weeks | how many messages would last week have been | replay last week | replay the last 7 days | how noisy would last week have been with
      our rules | how many alerts would we have got last week | fire drill | run a fire drill | try these rules on the past week | what
      would this channel have got in the last week`,
    '/alerts {target} mention {who}': `mention @analysts on every {project} alert | ping @role for {project} alerts | tag @everyone when {project} alerts come | alerts
      of {project} should mention @team`,
    '/alerts {target} threads on': `give each proposal of {project} a thread | open a thread for every {project} vote | threads for {project} proposals`,
    '/alerts {target} threads off': `no more threads for {project} | stop the threads of {project} | no thread for each {project} proposal`,
    '/alerts {target} publish on': `share {project} alerts with servers that follow this channel | publish {project} alerts to follower servers | crosspost {project} alerts`,
    '/alerts {target} publish off': `stop publishing {project} alerts to other servers | don't share {project} alerts with follower servers`,
    '/alerts {target} age {length}': `ignore {project} events that are older than a day | drop {project} alerts older than 12 hours | no {project} alerts older than 2
      days | maximum age of {project} alerts 1d`,
    '/alerts {target} remove {rule}': `drop the rule price above 1.5 on {project} | remove the {project} premium below -10 rule | delete the threshold premium<-10 of
      {project} | take away the runway under 6 months rule of {project}`,
    '/alerts {target} proposals updates:resolved': `new messages only when {project} proposals are decided | {project} proposals only the result | fewer messages for {project}
      proposals just the result | notify me if a {project} vote has been decided but not before`,
    '/alerts {target} {kind} usual': `put {project} premium rule back to usual | usual rules for {project} premium | reset the {project} premium alerts | default
      premium alerts for {project} | remove my custom premium rule of {project}`,
  },

  costly: ({ action }) => action === 'backtest' || action === 'preview',
  // The target may contain a rule.
  changes: ({ target, action, mention, rule }) =>
    action === undefined
      ? rule !== undefined || mention !== undefined || isRuleFirst(target)
      : action !== 'backtest' && action !== 'preview' && action !== 'replay',

  async run({ mention, ...given }, context): Promise<Reply> {
    const options = withMention(given, mention);
    const { entries } = context.watchlists.read(context.chat);
    if (options.action === 'test') return samples(options, context);
    if (options.action === 'replay') return fireDrill(options, context);
    if (isBacktest(options.action)) return backtest(options, context);
    if (options.action === 'watch' || options.action === 'watch-only') return watchWithRule(options, context);
    if (entries.length === 0)
      throw new UserError('Nothing is watched here yet.', {
        actions: [...(await watchButtons(options, context)), { label: 'Watch', line: '/watch' }],
      });
    const { entry, kind, action } = await readRequest(options, context).catch(async (error: unknown) => {
      if (!(error instanceof UserError)) throw error;
      const more = await watchButtons(options, context);
      throw more.length === 0 ? error : new UserError(error.says, { ...error.remedy, actions: [...more, ...(error.remedy.actions ?? [])] });
    });
    if (action.do !== 'show') return change({ entry, kind, action, options }, context);
    if (entry === undefined) return overview(entries, context);
    return kind === undefined ? onePage(entry, context) : kindPage(entry, kind, { context });
  },
});

/** Adds a chosen role or person to the rule, as if it had been typed. */
function withMention({ action, rule = '', ...options }: AlertOptions, mention: string | undefined): AlertOptions {
  if (mention === undefined) return { ...options, action, rule: rule === '' ? undefined : rule };
  const isTopic = action === undefined || action === 'mention' || /^mentions?\b/iu.test(rule);
  return {
    ...options,
    action: action ?? 'mention',
    rule: [isTopic ? '' : 'mention', rule, mention].filter((part) => part !== '').join(' '),
  };
}
