/** answerInlineQuery: articles, and photos that the platform has already. */
import { z } from 'zod';
import { SECOND } from '../../../../src/base/clock.js';
import type { InlineResult } from '../control.js';
import { readMarkup } from '../keyboard.js';
import { readParams, type Params } from '../params.js';
import { badRequest } from '../refusal.js';
import type { World } from '../world.js';
import { readCaption, readText } from './content.js';
import type { Method } from './method.js';

/** The platform names no time; people have typed on by then. */
const ANSWERABLE_FOR = 15 * SECOND;
const MOST_RESULTS = 50;
const MOST_ID_BYTES = 64;

const common = { id: z.string(), title: z.string().optional(), reply_markup: z.unknown().optional() };
const content = z.looseObject({ message_text: z.string() });
const resultShape = z.discriminatedUnion('type', [
  z.looseObject({ ...common, type: z.literal('article'), input_message_content: content }),
  z.looseObject({ ...common, type: z.literal('photo'), photo_file_id: z.string(), input_message_content: content.optional() }),
]);
type Result = z.infer<typeof resultShape>;

const buttonShape = z.object({ text: z.string().min(1), start_parameter: z.string().regex(/^[\w-]{1,64}$/) });

export const answerInlineQuery: Method = ({ world, params }) => {
  const query = world.inlineQueries.get(params.text('inline_query_id'));
  if (!query || world.clock.now() - query.at > ANSWERABLE_FOR)
    throw badRequest('query is too old and response timeout expired or query ID is invalid');
  const given = z.array(z.unknown()).safeParse(params.json('results', "Can't parse JSON encoded inline query results"));
  if (!given.success) throw badRequest('Expected an Array of inline query results');
  if (given.data.length > MOST_RESULTS) throw badRequest('RESULTS_TOO_MUCH');
  const results = given.data.map((one) => readResult(world, one));
  if (new Set(results.map(({ id }) => id)).size < results.length) throw badRequest('RESULT_ID_DUPLICATE');
  const button = params.json('button', "Can't parse inline query results button JSON object");
  const read = button === undefined ? undefined : buttonShape.safeParse(button);
  if (read?.success === false) throw badRequest('START_PARAM_INVALID');
  query.settle({
    results,
    personal: params.flag('is_personal'),
    cacheSeconds: params.has('cache_time') ? params.integer('cache_time') : 300,
    button: read?.data,
  });
  return true;
};

/** The fields of an object as a request would carry them. */
const asParams = (fields: Readonly<Record<string, unknown>>): Params =>
  readParams({
    values: Object.fromEntries(
      Object.entries(fields).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
      ),
    ),
    files: new Map(),
  });

function readResult(world: World, given: unknown): InlineResult {
  const read = resultShape.safeParse(given);
  if (!read.success) throw badRequest("Can't parse inline query result");
  const result = read.data;
  const bytes = Buffer.byteLength(result.id);
  if (bytes === 0 || bytes > MOST_ID_BYTES) throw badRequest('RESULT_ID_INVALID');
  const keyboard = readMarkup(asParams({ reply_markup: result.reply_markup }), 'send').inline?.inline_keyboard ?? [];
  const buttons = keyboard.map((row) =>
    row.map((button) => ({
      text: button.text,
      ...('callback_data' in button ? { data: button.callback_data } : {}),
      ...('url' in button ? { url: button.url } : {}),
    })),
  );
  return { kind: result.type, id: result.id, title: result.title ?? '', buttons, ...contentOf(world, result) };
}

function contentOf(world: World, result: Result): Pick<InlineResult, 'text' | 'file'> {
  if (result.type === 'article') {
    if ((result.title ?? '').trim() === '') throw badRequest('Can\'t find field "title"');
    const { message_text: text, ...rest } = result.input_message_content;
    return { text: readText(world, asParams({ ...rest, text })).content.text ?? '', file: undefined };
  }
  const file = world.files.get(result.photo_file_id);
  if (!file || file.kind !== 'photo') throw badRequest('wrong file identifier/HTTP URL specified');
  return { text: readCaption(world, asParams(result)).caption ?? '', file };
}
