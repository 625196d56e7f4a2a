/** What is offered while an option is typed. */
import { InteractionResponseType } from 'discord.js';
import { SECOND, type Clock } from '../../base/clock.js';
import type { Catalogue } from '../../chat/catalogue.js';
import { visible } from '../visible.js';
import type { Asked } from './asked.js';
import type { Call } from './rest.js';

const COMPLETE_WITHIN = 2 * SECOND;
/** https://docs.discord.com/developers/interactions/application-commands#autocomplete */
const MOST_CHOICES = 25;
const MOST_CHOICE = 100;

export interface ChoiceNeeds {
  readonly call: Call;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
}

/** Offers nothing rather than too late. Rejects with the library's errors. */
export async function offerChoices(
  asked: Asked,
  what: Extract<Asked['what'], { kind: 'complete' }>,
  { call, catalogue, clock }: ChoiceNeeds,
): Promise<void> {
  const done = new AbortController();
  const found = await Promise.race([
    catalogue.completeOption({ ...what, chat: asked.chat }, MOST_CHOICES),
    clock.sleep(COMPLETE_WITHIN, done.signal).then(
      () => [],
      () => [],
    ),
  ]);
  done.abort();
  const choices = found
    .map(({ value, label }) => ({ name: visible(label, MOST_CHOICE).trim() || visible(value, MOST_CHOICE), value }))
    .filter(({ name, value }) => name !== '' && value.length <= MOST_CHOICE)
    .slice(0, MOST_CHOICES);
  await call({
    method: 'POST',
    path: `/interactions/${asked.id}/${asked.token}/callback`,
    body: { type: InteractionResponseType.ApplicationCommandAutocompleteResult, data: { choices } },
    auth: false,
  });
}
