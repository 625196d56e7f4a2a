/** How the platform says no: a status, a code, and for a form the flaws, nested by their place. */

/** One thing that is wrong with a body, and where. */
export interface Flaw {
  readonly path: readonly PropertyKey[];
  readonly code: string;
  readonly message: string;
}

export class Refusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly flaws: readonly Flaw[];
  constructor(status: number, code: number, message: string, flaws: readonly Flaw[] = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.flaws = flaws;
  }
}

/** The refusals by name, with the status, the code and the words that go with each. */
const refusals = {
  unauthorized: [401, 0, '401: Unauthorized'],
  notFound: [404, 0, '404: Not Found'],
  methodNotAllowed: [405, 0, '405: Method Not Allowed'],
  badJson: [400, 50109, 'The request body contains invalid JSON.'],
  unknownChannel: [404, 10003, 'Unknown Channel'],
  unknownGuild: [404, 10004, 'Unknown Guild'],
  unknownMember: [404, 10007, 'Unknown Member'],
  unknownMessage: [404, 10008, 'Unknown Message'],
  unknownRole: [404, 10011, 'Unknown Role'],
  unknownUser: [404, 10013, 'Unknown User'],
  unknownWebhook: [404, 10015, 'Unknown Webhook'],
  tooManyFollowups: [400, 40094, 'This interaction has reached the maximum number of follow-up messages'],
  unknownInteraction: [404, 10062, 'Unknown interaction'],
  unknownCommand: [404, 10063, 'Unknown application command'],
  applicationMismatch: [403, 20012, 'You are not authorized to perform this action on this application'],
  tooManyRoles: [400, 30005, 'Maximum number of guild roles reached (250)'],
  tooManyCommands: [400, 30032, 'Maximum number of application commands reached (100).'],
  dailyCommands: [400, 30034, 'Max number of daily application command creates has been reached (200)'],
  tooLarge: [413, 40005, 'Request entity too large'],
  alreadyAcknowledged: [400, 40060, 'Interaction has already been acknowledged.'],
  missingAccess: [403, 50001, 'Missing Access'],
  notYours: [403, 50005, 'Cannot edit a message authored by another user'],
  empty: [400, 50006, 'Cannot send an empty message'],
  cannotMessage: [403, 50007, 'Cannot send messages to this user'],
  notText: [400, 50008, 'Cannot send messages in a non-text channel'],
  missingPermissions: [403, 50013, 'Missing Permissions'],
  invalidToken: [401, 50027, 'Invalid Webhook Token'],
  noTag: [400, 40067, 'A tag is required to create a forum post in this channel'],
  unknownTag: [404, 10087, 'Unknown tag'],
  invalidRole: [400, 50028, 'Invalid role'],
  published: [400, 40033, 'This message has already been crossposted'],
  wrongChannel: [400, 50024, 'Cannot execute action on this channel type'],
  hasThread: [400, 160004, 'A thread has already been created for this message'],
  archived: [400, 50083, 'Thread is archived'],
  noHistory: [400, 160002, 'Cannot reply without permission to read message history'],
} as const satisfies Record<string, readonly [number, number, string]>;

export type RefusalName = keyof typeof refusals;

export function refusal(name: RefusalName): Refusal {
  const [status, code, message] = refusals[name];
  return new Refusal(status, code, message);
}

/** Throws 50035 with the flaws, when there are any. */
export function refuseFlaws(flaws: readonly Flaw[]): void {
  if (flaws.length > 0) throw new Refusal(400, 50035, 'Invalid Form Body', flaws);
}

interface Nest {
  [key: string]: Nest | { readonly code: string; readonly message: string }[];
}

/** Flaws in the shape of the platform: an object for each step of the way, and `_errors` at its end. */
function nested(flaws: readonly Flaw[]): Nest {
  const root: Nest = {};
  for (const { path, code, message } of flaws) {
    let place = root;
    for (const step of path) {
      const key = String(step);
      const there = place[key];
      const deeper: Nest = there === undefined || Array.isArray(there) ? {} : there;
      place[key] = deeper;
      place = deeper;
    }
    const known = place['_errors'];
    place['_errors'] = [...(Array.isArray(known) ? known : []), { code, message }];
  }
  return root;
}

export const refusalBody = ({ code, message, flaws }: Refusal): Record<string, unknown> => ({
  message,
  code,
  ...(flaws.length > 0 && { errors: nested(flaws) }),
});
