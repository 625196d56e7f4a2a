/** Setting for the public address at which a platform delivers events. */
import { serverAddress } from '../base/settings.js';
import { parsedUrl } from '../base/parsed-url.js';

/** Of the page, health and metrics. */
const TAKEN_PATH = /^\/(?:api\/.*|api|healthz|readyz|metrics)?$/u;

/** `ports`: those the platform delivers to; any by default. */
export function publicUrl({
  form,
  without,
  ports,
}: {
  readonly form: string;
  readonly without: string;
  readonly ports?: readonly string[];
}) {
  const fits = (text: string): boolean => {
    const { protocol, port, pathname } = new URL(text);
    const isReached = ports?.includes(port) ?? true;
    return protocol === 'https:' && isReached && /^[\w./-]+$/u.test(pathname) && !TAKEN_PATH.test(pathname);
  };
  return serverAddress(`give ${form}, or leave it out ${without}`)
    .refine(fits, { error: `give ${form}`, when: ({ value }) => parsedUrl(String(value)) !== undefined })
    .optional();
}
