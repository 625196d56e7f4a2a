/** Requests and answers against the published contract, with what is wrong said in the platform's words. */
import * as contract from 'discord-api-spec/zod';
import type { $ZodIssue } from 'zod/v4/core';
import type { Flaw } from './refusal.js';

const schemas = { ...contract };

export type ContractName = keyof typeof schemas;

/** What is wrong with a request, in the platform's words. */
export function flawsOf(name: ContractName, body: unknown): readonly Flaw[] {
  const parsed = schemas[name].safeParse(body);
  return parsed.success ? [] : parsed.error.issues.flatMap((issue) => flawsIn(issue, [], body));
}

/** Where one of the stand-in's own answers leaves the contract; empty when it keeps it. */
export const breachesOf = (name: ContractName, answer: unknown): readonly string[] =>
  flawsOf(name, answer).map(({ path, message }) => `${name} at ${path.map(String).join('.')}: ${message}`);

function flawsIn(issue: $ZodIssue, above: readonly PropertyKey[], body: unknown): readonly Flaw[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_union') return flawsInUnion(issue.errors, path, body);
  return [{ path, ...words(issue, valueAt(body, path)) }];
}

/** Of several shapes the one that was meant: whose `type` fits, else the one that is nearest. */
function flawsInUnion(branches: readonly (readonly $ZodIssue[])[], path: readonly PropertyKey[], body: unknown): readonly Flaw[] {
  const wrongType = (issues: readonly $ZodIssue[]): boolean => issues.some(({ path: at }) => at.length === 1 && at[0] === 'type');
  const meant = branches.find((issues) => !wrongType(issues));
  if (meant !== undefined) return meant.flatMap((issue) => flawsIn(issue, path, body));
  return [{ path: [...path, 'type'], code: 'UNION_TYPE_CHOICES', message: 'Value of field "type" must be one of the known types.' }];
}

const asked = (limit: number | bigint): string => limit.toString();

function words(issue: $ZodIssue, value: unknown): Omit<Flaw, 'path'> {
  switch (issue.code) {
    case 'too_big':
      if (issue.origin === 'string' || issue.origin === 'array')
        return { code: 'BASE_TYPE_MAX_LENGTH', message: `Must be ${asked(issue.maximum)} or fewer in length.` };
      return { code: 'NUMBER_TYPE_MAX', message: `int value should be less than or equal to ${asked(issue.maximum)}.` };
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array')
        return { code: 'BASE_TYPE_MIN_LENGTH', message: `Must be ${asked(issue.minimum)} or more in length.` };
      return { code: 'NUMBER_TYPE_MIN', message: `int value should be greater than or equal to ${asked(issue.minimum)}.` };
    case 'invalid_type':
      if (value === undefined || value === null) return { code: 'BASE_TYPE_REQUIRED', message: 'This field is required' };
      return { code: 'BASE_TYPE_CONVERT', message: `Could not interpret this value as ${issue.expected}.` };
    case 'invalid_value':
      return { code: 'BASE_TYPE_CHOICES', message: `Value must be one of {${issue.values.map(String).join(', ')}}.` };
    case 'invalid_format':
      if (issue.format === 'url') return { code: 'URL_TYPE_INVALID_URL', message: 'Not a well formed URL.' };
      return { code: 'BASE_TYPE_CONVERT', message: `Could not interpret this value as ${issue.format}.` };
    default:
      return { code: 'BASE_TYPE_CONVERT', message: issue.message === '' ? 'Could not interpret this value.' : issue.message };
  }
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = body;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}
