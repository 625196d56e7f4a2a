/** Makes links from templates and validated values. Accepts only https addresses with a public host and nothing that ends a link in markup. */
import { z } from 'zod';
import { boundedCache } from '../base/bounded-cache.js';
import { parsedUrl } from '../base/parsed-url.js';
import { slugSchema } from './scalars.js';
import { publicKeySchema } from './wallet.js';

/** https://docs.discord.com/developers/components/reference#button */
export const MAX_URL_LENGTH = 512;

const HOST = /^(?:[a-z0-9_-]+\.)+[a-z][a-z0-9-]*$/u;
/** These characters close a link in Markdown or an attribute, so they are encoded. */
const MARKUP = /[()[\]{}'"`*|\\^<>]/gu;

/** Results are cached, because the same address is validated for many documents and messages. */
const MAX_REMEMBERED = 500;
const remembered = boundedCache<string | undefined>(MAX_REMEMBERED);

/** Returns the normalised address; undefined if it may not become a link. */
const canonical = (text: string): string | undefined =>
  text.length > MAX_URL_LENGTH ? undefined : remembered(text, () => canonicalOf(text));

function canonicalOf(text: string): string | undefined {
  const url = /[\s\p{Cc}\p{Cf}]/u.test(text) ? undefined : parsedUrl(text);
  if (url === undefined) return undefined;
  if (url.protocol !== 'https:' || `${url.username}${url.password}` !== '' || !HOST.test(url.hostname)) return undefined;
  const encoded = url.href.replace(MARKUP, (sign) => `%${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`);
  return encoded.length > MAX_URL_LENGTH ? undefined : encoded;
}

/** The only source of values of this type is `httpsUrl`. */
export const httpsUrlSchema = z
  .string()
  .refine((text) => canonical(text) === text, 'not a canonical https address')
  .brand<'HttpsUrl', 'inout'>();
export type HttpsUrl = z.output<typeof httpsUrlSchema>;

export function httpsUrl(text: string): HttpsUrl | undefined {
  const address = canonical(text);
  return address === undefined ? undefined : httpsUrlSchema.parse(address);
}

/** The most characters of a template, so that its values fit within `MAX_URL_LENGTH` too. */
const MAX_TEMPLATE_LENGTH = 300;

const VALUES = {
  /** Base58 on Solana, hexadecimal on other chains. */
  signature: z.string().regex(/^[A-Za-z0-9]{32,128}$/u),
  mint: publicKeySchema,
  wallet: publicKeySchema,
  publicKey: publicKeySchema,
  slug: slugSchema,
  website: z.string().refine((text) => httpsUrl(text) !== undefined),
};
type Placeholder = keyof typeof VALUES;
export type LinkValues = Readonly<Partial<Record<Placeholder, string | undefined>>>;

const WHOLE_ADDRESS = '{website}';

/** Default templates: Solana explorers, and the site where ownership coins are launched and governed. */
export const LINKS = {
  transaction: { label: 'Transaction', usual: 'https://solscan.io/tx/{signature}', placeholders: ['signature'] },
  token: { label: 'Token', usual: 'https://solscan.io/token/{mint}', placeholders: ['mint', 'slug'] },
  wallet: { label: 'Wallet', usual: 'https://solscan.io/account/{wallet}', placeholders: ['wallet'] },
  site: { label: 'Site', usual: WHOLE_ADDRESS, placeholders: ['website', 'slug', 'mint'] },
  proposal: {
    label: 'Proposal',
    usual: 'https://www.metadao.fi/projects/{slug}/proposal/{publicKey}',
    placeholders: ['publicKey', 'slug'],
  },
  chart: { label: 'Chart', usual: 'https://dexscreener.com/solana/{mint}', placeholders: ['mint', 'slug'] },
} as const satisfies Record<string, { label: string; usual: string; placeholders: readonly Placeholder[] }>;
export type LinkKind = keyof typeof LINKS;

const isLinkKind = (name: string): name is LinkKind => Object.hasOwn(LINKS, name);
const LINK_KINDS: readonly LinkKind[] = Object.keys(LINKS).filter(isLinkKind);

/** An empty template removes the link. */
export type LinkTemplates = Readonly<Record<LinkKind, string>>;

export const DEFAULT_TEMPLATES: LinkTemplates = {
  transaction: LINKS.transaction.usual,
  token: LINKS.token.usual,
  wallet: LINKS.wallet.usual,
  site: LINKS.site.usual,
  proposal: LINKS.proposal.usual,
  chart: LINKS.chart.usual,
};

const PLACEHOLDER = /\{([^{}]*)\}/gu;

/** Returns the remedy for an unusable template; undefined for a usable or empty one. */
export function templateFault(kind: LinkKind, template: string): string | undefined {
  if (template === '') return undefined;
  const { placeholders, usual } = LINKS[kind];
  const allowed: readonly string[] = placeholders;
  const remedy = `give an https address with ${placeholders.map((name) => `{${name}}`).join(' or ')}, such as ${usual}, or leave it empty for no link`;
  if (template.length > MAX_TEMPLATE_LENGTH) return `is longer than ${MAX_TEMPLATE_LENGTH} characters; ${remedy}`;
  const used = [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  const unknown = used.find((name) => !allowed.includes(name));
  if (unknown !== undefined) return `has the unknown placeholder {${unknown}}; ${remedy}`;
  if (used.length === 0) return `has no placeholder; ${remedy}`;
  if (template === WHOLE_ADDRESS) return undefined;
  if (used.includes('website')) return `can hold {website} only alone, because it is a whole address; ${remedy}`;
  // If two different values give the same host, no placeholder is part of the host.
  const [one, other] = ['a', 'b'].map((filling) => httpsUrl(template.replaceAll(PLACEHOLDER, filling)));
  if (one === undefined || other === undefined || new URL(one).host !== new URL(other).host)
    return `is not an https address with a host; ${remedy}`;
  return undefined;
}

/** Returns the kinds whose template gives no valid link although all its values are present. */
export const unfitTemplates = (templates: LinkTemplates, values: LinkValues): readonly LinkKind[] =>
  LINK_KINDS.filter((kind) => {
    const needed = LINKS[kind].placeholders.filter((name) => templates[kind].includes(`{${name}}`));
    const isComplete = needed.length > 0 && needed.every((name) => values[name] !== undefined);
    return isComplete && linkOf(templates[kind], { to: kind, ...values }) === undefined;
  });

export type LinkTarget = LinkValues & { readonly to: LinkKind; readonly label?: string };

/** Makes the links of targets, without duplicates. */
export type MakeLinks = (targets: readonly LinkTarget[]) => readonly MadeLink[];

interface MadeLink {
  readonly label: string;
  readonly url: HttpsUrl;
}

export function makeLinks(templates: LinkTemplates): MakeLinks {
  // Cached, because an event has the same targets in every chat.
  const known = new WeakMap<readonly LinkTarget[], readonly MadeLink[]>();
  return (targets) => {
    const made = known.get(targets) ?? linksOf(templates, targets);
    known.set(targets, made);
    return made;
  };
}

function linksOf(templates: LinkTemplates, targets: readonly LinkTarget[]): readonly MadeLink[] {
  const links = targets.flatMap((target) => linkOf(templates[target.to], target) ?? []);
  return links.filter(({ url }, index) => links.findIndex((other) => other.url === url) === index);
}

function linkOf(template: string, { to, label = LINKS[to].label, ...values }: LinkTarget): MadeLink | undefined {
  if (template === '') return undefined;
  const known = new Map<string, string>(
    LINKS[to].placeholders.flatMap((name) => {
      const value = VALUES[name].safeParse(values[name]);
      return value.success ? [[`{${name}}`, value.data] as const] : [];
    }),
  );
  const used = template.match(PLACEHOLDER) ?? [];
  if (!used.every((name) => known.has(name))) return undefined;
  const filled =
    template === WHOLE_ADDRESS
      ? known.get(WHOLE_ADDRESS)
      : template.replaceAll(PLACEHOLDER, (name) => encodeURIComponent(known.get(name) ?? ''));
  const url = filled === undefined ? undefined : httpsUrl(filled);
  return url && { label, url };
}
