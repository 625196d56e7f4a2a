/** sendPhoto, sendDocument, getFile: uploads by part, by `attach://part`, and again by file id. */
import type { Message } from 'grammy/types';
import { z } from 'zod';
import type { StoredFile } from '../control.js';
import { readParams, type Params } from '../params.js';
import { badRequest } from '../refusal.js';
import { serial, type World } from '../world.js';
import { readCaption } from './content.js';
import { pictureSize } from './picture.js';
import { deliver } from './messages.js';
import type { MethodCall, Method } from './method.js';

const MEGABYTE = 1024 * 1024;
const MOST_PHOTO = 10 * MEGABYTE;
const MOST_DOWNLOAD = 20 * MEGABYTE;

type Kind = StoredFile['kind'];

/** The file that a parameter names, kept for later use by its id. */
function readFile(where: {
  readonly world: World;
  readonly params: Params;
  readonly kind: Kind;
  readonly named: string;
  readonly part: string;
}): StoredFile {
  const { world, params, kind, named, part } = where;
  const attached = /^attach:\/\/(.+)$/.exec(named)?.[1];
  if (named !== '' && attached === undefined) return readKnown(world, kind, named);
  const upload = params.file(attached ?? part);
  if (!upload) throw badRequest(`There is no ${kind} in the request`);
  if (upload.bytes.length === 0) throw badRequest('file must be non-empty');
  if (kind === 'photo') checkPhoto(upload.bytes);
  const number = serial(world);
  const file: StoredFile = {
    kind,
    fileId: `${kind === 'photo' ? 'AgAC' : 'BQAC'}AgIAAx${number}`,
    name: upload.name,
    mime: upload.mime,
    bytes: upload.bytes,
  };
  world.files.set(file.fileId, file);
  return file;
}

function readKnown(world: World, kind: Kind, named: string): StoredFile {
  // The platform would fetch it; nothing here reaches out of this machine.
  if (/^https?:/i.test(named)) throw badRequest('Failed to get HTTP URL content');
  const file = world.files.get(named);
  if (!file) throw badRequest('Wrong file identifier/HTTP URL specified');
  if (file.kind !== kind) throw badRequest(`Can't use file of type ${capital(file.kind)} as ${capital(kind)}`);
  return file;
}

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

function checkPhoto(bytes: Buffer): void {
  const size = pictureSize(bytes);
  if (!size) throw badRequest('IMAGE_PROCESS_FAILED');
  const { width, height } = size;
  const ratio = Math.max(width, height) / Math.min(width, height);
  if (bytes.length > MOST_PHOTO || width + height > 10_000 || ratio > 20) throw badRequest('PHOTO_INVALID_DIMENSIONS');
}

function contentOf(file: StoredFile): Partial<Message> {
  const common = { file_id: file.fileId, file_unique_id: `u${file.fileId}`, file_size: file.bytes.length };
  if (file.kind === 'document') return { document: { ...common, file_name: file.name, mime_type: file.mime } };
  const { width = 1, height = 1 } = pictureSize(file.bytes) ?? {};
  return { photo: [{ ...common, width, height }] };
}

const send =
  (kind: Kind): Method =>
  ({ world, params }) => {
    const file = readFile({ world, params, kind, named: params.text(kind), part: kind });
    const content = { ...contentOf(file), ...readCaption(world, params) };
    return deliver({ world, params, what: kind, draft: { content, file } });
  };

export const sendPhoto = send('photo');
export const sendDocument = send('document');

const inputMedia = z.looseObject({ type: z.enum(['photo', 'document']), media: z.string() });

/** The new file and caption of editMessageMedia. */
export function readMedia({ world, params }: MethodCall): { readonly file: StoredFile; readonly content: Partial<Message> } {
  const given = params.json('media', "Can't parse InputMedia: Can't parse JSON object");
  const media = inputMedia.safeParse(given);
  if (!media.success) throw badRequest("Can't parse InputMedia: Unknown media type or no media specified");
  const { type: kind, media: named, ...rest } = media.data;
  const file = readFile({ world, params, kind, named, part: 'media' });
  const values = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
  return { file, content: { ...contentOf(file), ...readCaption(world, readParams({ values, files: new Map() })) } };
}

/** Where a file is served below `/file/bot<token>/`. */
export const pathOf = (file: StoredFile): string => `${file.kind}s/${file.fileId}`;

export const getFile: Method = ({ world, params }) => {
  if (!params.has('file_id')) throw badRequest('file_id not specified');
  const file = world.files.get(params.text('file_id'));
  if (!file) throw badRequest('wrong file_id or the file is temporarily unavailable');
  if (file.bytes.length > MOST_DOWNLOAD) throw badRequest('file is too big');
  const size = file.alerted === undefined ? file.bytes.length : file.alerted;
  return {
    file_id: file.fileId,
    file_unique_id: `u${file.fileId}`,
    file_path: pathOf(file),
    ...(size === null ? {} : { file_size: size }),
  };
};
