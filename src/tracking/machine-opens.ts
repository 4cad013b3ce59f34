/**
 * Judges from a request whether a person or a machine fetched the pixel or followed a link. Pure. Machines are only
 * marked, never refused. The rest of the judgement needs the time of the delivery (emails/opens.ts, clicks.ts).
 */
import type { MachineReason } from '../emails/opens.ts';

interface PixelRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The URL says that it is a preview. */
  readonly isPreview: boolean;
}

interface Fetcher {
  readonly machine: MachineReason | null;
  /** A fetch within this time after the delivery is attributed to a machine. */
  readonly soonMs: number;
  readonly userAgent: string | null;
}

/** Scanners open mail within this time of its acceptance; people do not. */
const SOON_MS = 1_000;
/** A mail service's proxy identifies itself, and its first fetch mostly fills its cache. */
const PROXY_SOON_MS = 3_000;
const MAX_USER_AGENT_CHARS = 256;

/** The exact user agent of Apple's Mail Privacy Protection, which fetches all mail on arrival. */
const APPLE_PRIVACY = 'Mozilla/5.0';
/** Gmail's prefetch while its user is signed in; a user's open comes through GoogleImageProxy. */
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

/** Like judgeRequest, for links. Mail services prefetch pixels for their users, but not links. */
export function judgeFollower(request: PixelRequest, publicUrl: string): Fetcher {
  const { machine, userAgent } = judgeRequest(request, publicUrl);
  const isAhead = machine === 'apple_privacy' || machine === 'gmail_prefetch';
  return { machine: isAhead ? 'bot' : machine, soonMs: SOON_MS, userAgent };
}

/** Printable ASCII, truncated. */
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
  // Every mail client and browser sends a user agent.
  return userAgent === '' || BOT.test(userAgent) ? 'bot' : null;
}

/** Our own page shows the mail: the dashboard or the sandbox's inbox. */
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
