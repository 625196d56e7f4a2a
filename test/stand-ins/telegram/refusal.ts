/** How Telegram says no. The words are the platform's: clients tell errors apart by them. */
export interface RefusalParameters {
  readonly retry_after?: number;
  readonly migrate_to_chat_id?: number;
}

export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly code: number,
    readonly description: string,
    readonly parameters?: RefusalParameters,
  ) {
    super(description);
  }
}

/** 400. A sentence loses its capital, a constant such as `TOPIC_CLOSED` keeps it, as on the platform. */
export function badRequest(words: string, parameters?: RefusalParameters): Refusal {
  const shown = /^.[A-Z_]/u.test(words) ? words : words.slice(0, 1).toLowerCase() + words.slice(1);
  return new Refusal(400, `Bad Request: ${shown}`, parameters);
}

export const forbidden = (words: string): Refusal => new Refusal(403, `Forbidden: ${words}`);

export const tooMany = (seconds: number): Refusal =>
  new Refusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
