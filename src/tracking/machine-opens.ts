/**
 * Who fetched the pixel, or followed a link, as far as the request says: a person's program, or a machine. Pure. Marking is
 * all it is for; nobody is refused. The rest of the judgement needs the time of the delivery (emails/opens.ts, clicks.ts).
 */
import type { MachineReason } from '../emails/opens.ts';

export interface PixelRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The address asked for says that it is a preview. */
  readonly isPreview: boolean;
}

export interface Fetcher {
  readonly machine: MachineReason | null;
  /** Sooner after the delivery than this, it is taken for a machine's. */
  readonly soonMs: number;
  readonly userAgent: string | null;
}

/** Scanners open what they let pass at once; no person does. */
const SOON_MS = 1_000;
/** What a mail service fetches on behalf of its user comes with its own name, and at first mostly for its cache. */
const PROXY_SOON_MS = 3_000;
const MAX_USER_AGENT_CHARS = 256;

/** Nothing else: Apple's proxy for Mail Privacy Protection, which fetches everything that arrives. */
const APPLE_PRIVACY = 'Mozilla/5.0';
/** What Gmail fetches ahead while its user is signed in; an open by the user comes as GoogleImageProxy. */
const GMAIL_PREFETCH = /Chrome\/42\.0\.2311\.135 Safari\/537\.36 Edge\/12\.246 Mozilla\/5\.0$/;
const IMAGE_PROXY = /GoogleImageProxy|YahooMailProxy/i;
const SCANNER =
  /barracuda|proofpoint|mimecast|symantec|messagelabs|fireeye|trellix|trend ?micro|sophos|cloudmark|ironport|forcepoint|zscaler|safelinks|defender|existence discovery|bitdefender|kaspersky|cortex\/|spam(assassin|titan)/i;
const BOT =
  /bot\b|crawl|spider|slurp|preview|facebookexternalhit|embedly|monitor|headless|phantomjs|scrapy|curl|wget|libwww|lwp-|httpclient|http-client|lua-resty|amazon cloudfront|python|aiohttp|^java\/|okhttp|axios|^ahc\/|^node(\b|-fetch)|undici|^ruby|^php|guzzle|^got\b/i;

export function judgeRequest({ headers, isPreview }: PixelRequest, publicUrl: string): Fetcher {
  const userAgent = cleanUserAgent(one(headers['user-agent']));
  return {
    machine: machineOf(headers, userAgent ?? '', isPreview, publicUrl),
    soonMs: IMAGE_PROXY.test(userAgent ?? '') ? PROXY_SOON_MS : SOON_MS,
    userAgent,
  };
}

/** The same of a link. Mail services fetch pixels ahead for their users, but follow no links for them. */
export function judgeFollower(request: PixelRequest, publicUrl: string): Fetcher {
  const { machine, userAgent } = judgeRequest(request, publicUrl);
  const isAhead = machine === 'apple_privacy' || machine === 'gmail_prefetch';
  return { machine: isAhead ? 'bot' : machine, soonMs: SOON_MS, userAgent };
}

/** Printable ASCII, and not more of it than anybody reads. */
export function cleanUserAgent(text: string): string | null {
  const clean = text
    .slice(0, MAX_USER_AGENT_CHARS * 4)
    .replaceAll(/[^ -~]+/g, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
    .slice(0, MAX_USER_AGENT_CHARS)
    .trimEnd();
  return clean === '' ? null : clean;
}

function machineOf(
  headers: PixelRequest['headers'],
  userAgent: string,
  isPreview: boolean,
  publicUrl: string,
): MachineReason | null {
  if (isPreview || isFromUs(headers, publicUrl)) return 'preview';
  if (isAhead(headers)) return 'prefetch';
  if (userAgent === APPLE_PRIVACY) return 'apple_privacy';
  if (GMAIL_PREFETCH.test(userAgent)) return 'gmail_prefetch';
  if (SCANNER.test(userAgent)) return 'scanner';
  // Every mail client and browser says what it is.
  return userAgent === '' || BOT.test(userAgent) ? 'bot' : null;
}

/** A page of ours shows the mail: the dashboard, or the sandbox's inbox in it. */
function isFromUs(headers: PixelRequest['headers'], publicUrl: string): boolean {
  if (one(headers['sec-fetch-site']) === 'same-origin') return true;
  const referer = one(headers.referer);
  return referer === publicUrl || referer.startsWith(`${publicUrl}/`);
}

function isAhead(headers: PixelRequest['headers']): boolean {
  const said = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => one(headers[name]));
  return said.some((purpose) => /prefetch|prerender|preview/i.test(purpose));
}

function one(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? '';
}
