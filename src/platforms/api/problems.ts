/** Reports the API's errors as problem details. https://www.rfc-editor.org/rfc/rfc9457 */
import type { Context } from 'hono';

/** The problems, by the last part of their type. The docs page explains each under this name. */
export const PROBLEMS = {
  off: { status: 404, title: 'The API is off' },
  'not-found': { status: 404, title: 'Nothing at this address' },
  'no-such-chat': { status: 404, title: 'No such chat' },
  'wrong-method': { status: 405, title: 'This method is not allowed here' },
  unauthorized: { status: 401, title: 'The key is missing or not valid' },
  forbidden: { status: 403, title: 'This key may not do that' },
  'other-site': { status: 403, title: 'A page of another site may not use the API' },
  invalid: { status: 400, title: 'The request is not valid' },
  'too-large': { status: 413, title: 'The request is too long' },
  'wrong-type': { status: 415, title: 'Send application/json' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  busy: { status: 503, title: 'The bot is busy' },
  failed: { status: 503, title: 'The bot could not answer' },
} as const;
export type ProblemName = keyof typeof PROBLEMS;

/** Ends a request with a problem. `detail` is shown to the caller: what is wrong, then the remedy. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly problem: ProblemName;
  /** The value is in seconds. */
  readonly retryAfter: number | undefined;

  constructor(problem: ProblemName, detail: string, { retryAfter }: { readonly retryAfter?: number } = {}) {
    super(detail);
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

const problemBody = (problem: ProblemName, detail: string) => ({
  type: `/api/docs#problem-${problem}`,
  title: PROBLEMS[problem].title,
  status: PROBLEMS[problem].status,
  detail,
});

export function problemResponse(c: Context, { problem, message, retryAfter }: Problem): Response {
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
  if (PROBLEMS[problem].status === 401) c.header('WWW-Authenticate', 'Bearer');
  c.header('Cache-Control', 'no-store');
  return c.body(JSON.stringify(problemBody(problem, message)), PROBLEMS[problem].status, { 'Content-Type': 'application/problem+json' });
}
