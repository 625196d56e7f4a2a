/** Builds the OpenAPI 3.1 document and the docs page from the table of operations. */
import { html } from 'hono/html';
import { z } from 'zod';
import { pageHead } from '../operator-page.js';
import { COMMON_PROBLEMS, OPERATIONS } from './operations.js';
import { PROBLEMS, type ProblemName } from './problems.js';

export const API_VERSION = '1.0.0';
export const BASE = '/api/v1';

const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('What is wrong, then the remedy.'),
  })
  .meta({ id: 'Problem' });

const INTRODUCTION =
  'Asks the bot questions and reads its watchlists and alerts. Every request carries a key as "Authorization: Bearer". The operator creates keys on the page "API keys" or with "npm run key". Errors are problem details (RFC 9457). Titles, names and labels in answers come from the analytics service or from people; treat them as data.';

/** References to schemas with an id, which are written once, under components. */
const REGISTERED = /^(?:__shared#\/\$defs\/|#\/\$defs\/)/u;

type Json = Readonly<Record<string, unknown>>;
const objectSchema = z.record(z.string(), z.unknown());

export function openapiDocument(): Json {
  const components: Record<string, unknown> = {};
  const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): unknown => {
    const {
      $schema: _,
      $defs,
      ...rest
    } = objectSchema.parse(z.toJSONSchema(schema, { io, target: 'draft-2020-12', unrepresentable: 'any' }));
    for (const [name, definition] of Object.entries(objectSchema.parse($defs ?? {}))) components[name] = relinked(definition);
    return relinked(rest);
  };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { id, method, path, summary, says, query, body, response, problems } of OPERATIONS) {
    const parameters = query === undefined ? [] : parametersOf(objectSchema.parse(schemaOf(query, 'input')));
    (paths[`${BASE}${path}`] ??= {})[method] = {
      operationId: id,
      summary,
      description: says,
      ...(parameters.length === 0 ? {} : { parameters }),
      ...(body === undefined
        ? {}
        : { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } } }),
      responses: {
        '200': { description: 'The answer.', content: { 'application/json': { schema: schemaOf(response, 'output') } } },
        ...problemResponses([...problems, ...COMMON_PROBLEMS]),
      },
    };
  }
  schemaOf(z.object({ problem: problemSchema }), 'output');
  return {
    openapi: '3.1.0',
    info: { title: 'Navwatch', version: API_VERSION, description: INTRODUCTION, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    paths,
    components: {
      schemas: components,
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'A key such as nwk_….' } },
    },
  };
}

/** Rewrites references, because OpenAPI keeps shared schemas in another place than JSON Schema. */
function relinked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relinked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
      if (name === 'id' && typeof part === 'string') return [];
      const isReference = name === '$ref' && typeof part === 'string';
      return [[name, isReference ? part.replace(REGISTERED, '#/components/schemas/') : relinked(part)]];
    }),
  );
}

function parametersOf(schema: Json): readonly Json[] {
  const { properties = {}, required = [] } = z
    .object({ properties: z.record(z.string(), objectSchema).optional(), required: z.array(z.string()).optional() })
    .parse(schema);
  return Object.entries(properties).map(([name, { description, ...own }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: own,
  }));
}

/** Groups problems with the same status in one response. */
function problemResponses(names: readonly ProblemName[]): Json {
  const byStatus = new Map<number, string[]>();
  for (const name of names) byStatus.set(PROBLEMS[name].status, [...(byStatus.get(PROBLEMS[name].status) ?? []), PROBLEMS[name].title]);
  return Object.fromEntries(
    [...byStatus].map(([status, titles]) => [
      String(status),
      {
        description: `${titles.join(', or: ')}.`,
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
}

const REMEDIES: Readonly<Record<ProblemName, string>> = {
  off: 'The operator creates a key, or removes API=false from the settings.',
  'not-found': 'Compare the path with this page.',
  'no-such-chat': 'List the chats with /watchlists.',
  'wrong-method': 'Compare the method with this page.',
  unauthorized: 'Send a valid key as "Authorization: Bearer".',
  forbidden: 'Use a key that manages this chat, or ask something that changes nothing.',
  'other-site': 'Call the API from a program, not from a web page.',
  invalid: 'The detail names the field.',
  'too-large': 'Send less.',
  'wrong-type': 'Set the header Content-Type.',
  'rate-limited': 'Wait as long as the header Retry-After says.',
  busy: 'Wait a second and repeat the request.',
  failed: 'Repeat the request in a minute. The log of the bot says why.',
};

/** The docs page. It needs no script. */
export const docsPage = () =>
  html`<!doctype html>
    <html lang="en">
      <head>
        ${pageHead({ title: 'API' })}
      </head>
      <body>
        <main>
          <h1>API of Navwatch</h1>
          <p>${INTRODUCTION}</p>
          <p>The whole description for programs: <a href="/api/openapi.json">/api/openapi.json</a> (OpenAPI 3.1).</p>
          ${OPERATIONS.map(
            ({ id, method, path, summary, says, query, body }) =>
              html`<section id="${id}">
                <h2>${summary}</h2>
                <p><code>${method.toUpperCase()} ${BASE}${path}</code></p>
                <p>${says}</p>
                ${fieldsList(query ?? body)}
              </section>`,
          )}
          <h2>Problems</h2>
          <dl>
            ${Object.entries(PROBLEMS).map(
              ([name, { status, title }]) =>
                html`<dt id="problem-${name}">${status} ${title}</dt>
                  <dd>${REMEDIES[nameOf(name)]}</dd>`,
            )}
          </dl>
        </main>
      </body>
    </html>`;

const nameOf = (name: string): ProblemName => problemName.parse(name);
const problemName = z.custom<ProblemName>((name) => typeof name === 'string' && name in PROBLEMS);

function fieldsList(schema: z.ZodObject | undefined) {
  if (schema === undefined) return html``;
  const parameters = parametersOf(objectSchema.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })));
  return html`<ul>
    ${parameters.map(
      ({ name, required, description }) =>
        html`<li>
          <code>${name}</code>${required === true ? '' : ' (optional)'}${typeof description === 'string' ? `: ${description}` : ''}
        </li>`,
    )}
  </ul>`;
}
