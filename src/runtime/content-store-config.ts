/** The object store for content of old emails. */
import { isIP } from 'node:net';
import type { Reader } from './config-reader.ts';
import { DAY_MS, HOUR_MS } from './durations.ts';

/** A bucket and its access settings. */
export interface BucketConfig {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Prefix of all object names: empty, or ending with a slash. */
  readonly prefix: string;
  /** True puts the bucket into the path, false in front of the host name. */
  readonly pathStyle: boolean;
}

export interface ContentStoreConfig extends BucketConfig {
  /** Minimum age of emails to move; null when no more content is moved. */
  readonly moveAfterMs: number | null;
}

const PREFIX = 'POSTRIDER_CONTENT_S3';
const NEEDED = ['ENDPOINT', 'BUCKET', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'].map(
  (name) => `${PREFIX}_${name}`,
);
const UNIT_MS: Readonly<Record<string, number>> = { d: DAY_MS, h: HOUR_MS };
/**
 * Longer than the period of an undo, so that emails queued again mostly still have their content in
 * PostgreSQL.
 */
const AFTER_BY_DEFAULT = '8d';

/** Undefined without a bucket: no content is ever moved. */
export function contentStoreConfig(read: Reader): ContentStoreConfig | undefined {
  const endpoint = read.url(`${PREFIX}_ENDPOINT`, ['https:', 'http:']);
  const bucket = read.matching(`${PREFIX}_BUCKET`, BUCKET, 'the name of a bucket');
  const region = read.matching(`${PREFIX}_REGION`, /^[\w-]{1,64}$/, 'a region such as eu-central-1');
  const accessKeyId = read.matching(`${PREFIX}_ACCESS_KEY_ID`, /^\S{1,256}$/, 'one word');
  const secretAccessKey = read.matching(`${PREFIX}_SECRET_ACCESS_KEY`, /^\S{1,512}$/, 'one word');
  const prefix = read.matching(`${PREFIX}_PREFIX`, OBJECT_PREFIX, 'a path such as mail/content');
  const pathStyle = read.boolean(`${PREFIX}_PATH_STYLE`, true);
  const after = read.matching(
    `${PREFIX}_AFTER`,
    AFTER,
    'a time of at least an hour, such as 8d or 12h, or off',
  );
  if (!pathStyle && endpoint !== undefined && isIP(new URL(endpoint).hostname.replace(/^\[|\]$/g, '')) !== 0)
    read.problems.push(`${PREFIX}_PATH_STYLE must be true where the endpoint has an IP address for a name.`);
  const missing = NEEDED.filter((name) => read.text(name) === undefined);
  if (missing.length > 0) {
    const given = NEEDED.find((name) => read.text(name) !== undefined);
    if (given !== undefined) read.problems.push(`${given} needs ${missing.join(', ')} as well.`);
    return undefined;
  }
  return {
    // Never empty: if one is missing, `read` has a problem that ends the start.
    ...{ endpoint: endpoint ?? '', bucket: bucket ?? '', accessKeyId: accessKeyId ?? '' },
    ...{ secretAccessKey: secretAccessKey ?? '', region: region ?? 'us-east-1', pathStyle },
    prefix: prefix === undefined ? '' : `${prefix.replace(/\/+$/, '')}/`,
    moveAfterMs: msOf(after ?? AFTER_BY_DEFAULT),
  };
}

const BUCKET = /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i;
const OBJECT_PREFIX = /^[\w-]+(\.[\w-]+)*(\/[\w-]+(\.[\w-]+)*)*\/?$/;
const AFTER = /^(off|[1-9]\d{0,4}[dh])$/;

function msOf(after: string): number | null {
  return after === 'off' ? null : Number.parseInt(after, 10) * (UNIT_MS[after.at(-1) ?? ''] ?? 0);
}
