/** Keeps the fitted model in a file, so that a process need not fit it again. The file's name is a hash of the model's input. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { fitModel, modelOf, type Fitted, type Model, type ModelOptions } from './model.js';

const FOLDER = new URL('./', import.meta.url);

/** A build has the file beside this one. When the sources run, it is in the folder of tool caches. */
const CACHE = import.meta.url.endsWith('.ts')
  ? new URL('../../node_modules/.cache/reading/', import.meta.url)
  : new URL('./model/', import.meta.url);

/** Hashes the phrases and the code that turns them into features. */
async function nameOf(phrases: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(phrases.join('\n'));
  const files = (await readdir(FOLDER)).filter((file) => /\.[jt]s$/u.test(file)).toSorted();
  for (const file of files) hash.update(await readFile(new URL(file, FOLDER)));
  return `${hash.digest('hex').slice(0, 24)}.model`;
}

export interface ModelSource extends Omit<ModelOptions, 'examples'> {
  readonly phrases: readonly string[];
  /** Called only if there is no file with the model. */
  readonly examples: () => Promise<ModelOptions['examples']>;
}

/** Reads the model from its file, or fits it and writes the file. A folder that cannot be written is no error. */
export async function openModel({ phrases, examples, ...options }: ModelSource): Promise<Model> {
  const file = new URL(await nameOf(phrases), CACHE);
  const known = await readFile(file).then(decoded, () => undefined);
  if (known !== undefined) return modelOf(known);
  const fitted = await fitModel({ ...options, examples: await examples() });
  await written(file, fitted).catch(() => undefined);
  return modelOf(fitted);
}

async function written(file: URL, fitted: Fitted): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const whole = new URL(`${file.href}.${process.pid}`);
  await writeFile(whole, encoded(fitted));
  await rename(whole, file);
}

/** Format: the length of the JSON, the features as JSON, the weights. */
function encoded({ features, classes, weights }: Fitted): Buffer {
  const head = Buffer.from(JSON.stringify({ features, classes }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  return Buffer.concat([length, head, Buffer.from(weights.buffer, weights.byteOffset, weights.byteLength)]);
}

function decoded(bytes: Buffer): Fitted | undefined {
  const end = 4 + bytes.readUInt32LE(0);
  const head: unknown = JSON.parse(bytes.subarray(4, end).toString());
  if (typeof head !== 'object' || head === null || !('features' in head) || !('classes' in head)) return undefined;
  const { features, classes } = head;
  if (!Array.isArray(features) || typeof classes !== 'number') return undefined;
  const weights = new Float32Array(Uint8Array.from(bytes.subarray(end)).buffer);
  return weights.length === features.length * classes ? { features: features.map(String), classes, weights } : undefined;
}
