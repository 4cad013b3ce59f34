/** Chooses the content coding of a response by the `Accept-Encoding` of its request, and applies it. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** In the order of preference. */
const CODINGS = ['br', 'gzip'] as const;

export type Coding = (typeof CODINGS)[number];

export interface AcceptedCoding {
  /** The best coding that the client accepts. Null for none, or where the client prefers the plain bytes. */
  readonly coding: Coding | null;
  /** The client refuses the plain bytes. */
  readonly refusesPlain: boolean;
}

const NOTHING: AcceptedCoding = { coding: null, refusesPlain: false };

/** `header` is the value of `Accept-Encoding`. */
export function acceptedCoding(
  header: string | undefined,
  offered: readonly Coding[] = CODINGS,
): AcceptedCoding {
  if (header === undefined || header === '') return NOTHING;
  const weights = weightsIn(header);
  const others = weights.get('*');
  const plain = weights.get('identity');
  let coding: Coding | null = null;
  // Plain bytes that are not named are accepted, but less than any coding that is named.
  let best = plain ?? 0;
  for (const one of offered) {
    const weight = weights.get(one) ?? others ?? 0;
    if (weight === 0 || weight < best || (weight === best && coding !== null)) continue;
    coding = one;
    best = weight;
  }
  return { coding, refusesPlain: (plain ?? others) === 0 };
}

/** Codings with their weights: `gzip;q=0.5` weighs 0.5, and 1 is the default. */
function weightsIn(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1';
    if (name !== '') weights.set(name, Number(weight) || 0);
  }
  return weights;
}

/**
 * Fast levels. Brotli's is as fast as gzip's and a tenth smaller. At gzip's default level, hostile text takes 140 ms
 * per MiB instead of 25, and blocks the event loop for that long.
 */
const BROTLI_QUALITY = 3;
const GZIP_LEVEL = 4;

export function compressed(content: Buffer, coding: Coding): Buffer {
  if (coding === 'gzip') return gzipSync(content, { level: GZIP_LEVEL });
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  return brotliCompressSync(content, { params });
}
