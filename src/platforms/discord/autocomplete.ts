/** The choices offered while an option is typed. */
import { InteractionResponseType } from 'discord.js';
import { SECOND, type Clock } from '../../base/clock.js';
import { within } from '../../base/deadline.js';
import type { Catalogue } from '../../chat/catalogue.js';
import { truncateLine } from '../truncate.js';
import type { Interaction } from './interaction.js';
import type { RestCall } from './rest.js';

const COMPLETE_WITHIN = 2 * SECOND;
/** https://docs.discord.com/developers/interactions/application-commands#autocomplete */
const MAX_CHOICES = 25;
const MAX_CHOICE = 100;

export interface ChoiceDeps {
  readonly call: RestCall;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
}

/** Offers nothing rather than something too late. Rejects with the library's errors. */
export async function offerChoices(
  asked: Interaction,
  what: Extract<Interaction['request'], { kind: 'complete' }>,
  { call, catalogue, clock }: ChoiceDeps,
): Promise<void> {
  const completing = catalogue.completeOption({ ...what, chat: asked.chat }, MAX_CHOICES);
  const found = await within(clock, COMPLETE_WITHIN, completing, []);
  const choices = found
    .map(({ value, label }) => ({ name: truncateLine(label, MAX_CHOICE).trim() || truncateLine(value, MAX_CHOICE), value }))
    .filter(({ name, value }) => name !== '' && value.length <= MAX_CHOICE)
    .slice(0, MAX_CHOICES);
  await call({
    method: 'POST',
    path: `/interactions/${asked.id}/${asked.token}/callback`,
    body: { type: InteractionResponseType.ApplicationCommandAutocompleteResult, data: { choices } },
    auth: false,
  });
}
