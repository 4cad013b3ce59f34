/** What nobody means well with: strings, shapes and whole bodies that have broken services before. */
import type { Random } from './random.ts';

const LONG = 'a'.repeat(70_000);

const STRINGS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  'x\r\nBcc: victim@example.org',
  'x\nRCPT TO:<victim@example.org>',
  '\r\n.\r\nMAIL FROM:<a@b>',
  '\ud800',
  'a\udfffb',
  '\u202e\u2066evil',
  `"'; DROP TABLE emails; --`,
  '%00%0a%2e%2e%2f',
  '../../../../etc/passwd',
  '{{#each this}}{{#each this}}{{this}}{{/each}}{{/each}}',
  '{{constructor.constructor "return process"}}',
  '{{'.repeat(500),
  '#{7*7}<script>alert(1)</script>',
  'constructor',
  '__proto__',
  'null',
  'NaN',
  '1e999',
  '-0',
  '99999999999999999999999999',
  '2026-02-30T25:61:61Z',
  '+275760-09-13T00:00:00.001Z',
  'ada@example.org, bob@example.org',
  '"very odd"@example.org',
  'ada@[127.0.0.1]',
  'ada@xn--.example',
  `${'a'.repeat(65)}@example.org`,
  `ada@${'a.'.repeat(120)}example`,
  '@'.repeat(2_000),
  '<'.repeat(5_000),
  'http://169.254.169.254/latest/meta-data',
  'http://[::ffff:127.0.0.1]:5432/',
  'file:///etc/passwd',
  'é'.repeat(1_000),
  '👩‍👩‍👧'.repeat(300),
  '\u0300'.repeat(2_000),
  '(a+)+$'.repeat(40),
  LONG,
];

/** Repeated up to what a body may hold: what takes quadratic time, or is never done in turns, holds the event loop then. */
const UNITS: readonly string[] = [
  '<a href="https://a.example/b">c</a>',
  '<p class="a b">',
  '</body>',
  '<!--',
  '<style>a{b:c}</style>',
  '&amp;',
  '{{a}}',
  '{{#if a}}',
  'a@b.example, ',
  'https://a.example/b ',
  '\r\n',
  '\n.',
  ' ',
  '"',
  '\\',
  '=',
  'é',
  '😀',
];
const SIZES: readonly number[] = [60_000, 250_000, 2_000_000];

const NUMBERS: readonly number[] = [-1, 0, 0.5, 1e21, -1e308, 2 ** 31, 2 ** 53, 4_294_967_296];

export function hostileValue(random: Random): unknown {
  switch (random.integer(0, 7)) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return random.pick(NUMBERS);
    case 3:
      return [];
    case 4:
      return nested(random.integer(1, 40));
    case 5:
      return Array.from({ length: random.integer(1, 2_000) }, () => random.pick(['x', 1, null, {}]));
    case 6:
      return random.chance(0.3) ? largeText(random) : hostileText(random);
    default:
      return hostileText(random);
  }
}

export function hostileText(random: Random): string {
  return random.pick(STRINGS);
}

function largeText(random: Random): string {
  const unit = random.pick(UNITS);
  return unit.repeat(Math.floor(random.pick(SIZES) / unit.length));
}

function nested(depth: number): unknown {
  let made: unknown = 'deep';
  for (let level = 0; level < depth; level += 1) made = level % 2 === 0 ? [made] : { inner: made };
  return made;
}

/** Changes one place of a value that was good: takes it away, puts something else there, adds beside it. */
export function spoilt(value: unknown, random: Random, hostile: boolean): unknown {
  const copy = structuredClone(value);
  const places: { holder: Record<string, unknown> | unknown[]; key: string }[] = [];
  collect(copy, places);
  if (places.length === 0 || random.chance(0.05)) return hostile ? hostileValue(random) : {};
  for (let left = random.integer(1, 2); left > 0; left -= 1) spoilAt(random.pick(places), random, hostile);
  return copy;
}

function collect(
  value: unknown,
  places: { holder: Record<string, unknown> | unknown[]; key: string }[],
): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    places.push({ holder: value as Record<string, unknown>, key });
    collect((value as Record<string, unknown>)[key], places);
  }
}

function spoilAt(
  { holder, key }: { holder: Record<string, unknown> | unknown[]; key: string },
  random: Random,
  hostile: boolean,
): void {
  const record = holder as Record<string, unknown>;
  const how = random.integer(0, 5);
  if (how === 0) delete record[key];
  else if (how === 1) Object.defineProperty(holder, random.pick(NAMES), OWN_VALUE);
  else if (how === 2 && typeof record[key] === 'string') record[key] = `${record[key]}${hostileText(random)}`;
  else if (how === 3 && Array.isArray(holder)) holder.push(...[...holder].slice(0, 1_000));
  else record[key] = hostile ? hostileValue(random) : random.pick<unknown>([null, 3, 'x', [], {}, true]);
}

const NAMES = [
  'htm',
  'unknown',
  '__proto__',
  'constructor',
  'toString',
  '',
  'a.b',
  'é',
  '\u0000',
  'x'.repeat(300),
];
const OWN_VALUE = { value: 'x', enumerable: true, configurable: true, writable: true };

export interface RawBody {
  readonly body: string | Buffer;
  readonly contentType: string | undefined;
}

const JSON_TYPE = 'application/json';

/** Bodies that are wrong before they are anything. */
export function hostileBody(random: Random): RawBody {
  return random.pick(BODIES)(random);
}

const BODIES: readonly ((random: Random) => RawBody)[] = [
  () => ({ body: '', contentType: JSON_TYPE }),
  () => ({ body: '{', contentType: JSON_TYPE }),
  () => ({ body: '{"a":1,}', contentType: JSON_TYPE }),
  () => ({ body: '{"subject":"a","subject":"b"}', contentType: JSON_TYPE }),
  () => ({ body: '{"__proto__":{"admin":true}}', contentType: JSON_TYPE }),
  () => ({ body: '[1,2,3]', contentType: JSON_TYPE }),
  () => ({ body: 'null', contentType: JSON_TYPE }),
  () => ({ body: '"text"', contentType: JSON_TYPE }),
  () => ({ body: Buffer.from([0xff, 0xfe, 0x7b, 0x7d]), contentType: JSON_TYPE }),
  () => ({ body: `\ufeff{}`, contentType: JSON_TYPE }),
  () => ({ body: Buffer.from('{"a":"\xc3\x28"}', 'latin1'), contentType: JSON_TYPE }),
  () => ({ body: '['.repeat(20_000), contentType: JSON_TYPE }),
  () => ({ body: `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, contentType: JSON_TYPE }),
  (random) => ({ body: wide(random.integer(1_000, 60_000)), contentType: JSON_TYPE }),
  () => ({ body: `{"subject":"${'\\u0000'.repeat(5_000)}"}`, contentType: JSON_TYPE }),
  () => ({ body: `{"n":${'9'.repeat(50_000)}}`, contentType: JSON_TYPE }),
  () => ({ body: '\n'.repeat(300_000), contentType: JSON_TYPE }),
  () => ({ body: '{}', contentType: 'text/plain' }),
  () => ({ body: '{}', contentType: 'application/xml' }),
  () => ({ body: '{}', contentType: 'application/json; charset=utf-16' }),
  () => ({ body: '{}', contentType: ';;;' }),
  () => ({ body: '{}', contentType: undefined }),
  () => ({ body: 'a=b&c=d', contentType: 'application/x-www-form-urlencoded' }),
  () => ({ body: 'email\r\nada@example.org\r\n"', contentType: 'text/csv' }),
];

function wide(keys: number): string {
  return `{${Array.from({ length: keys }, (_, index) => `"k${index}":0`).join(',')}}`;
}
