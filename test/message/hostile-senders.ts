/** From fields that are made to be read in two ways, from a seed. */

/** Numbers from 0 to below 1: mulberry32, the same for the same seed on every machine. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const GOOD = 'a@good.test';
const EVIL = 'ceo@evil.test';
const b = (text: string) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;
const q = (text: string) =>
  `=?utf-8?Q?${text.replace(/[^A-Za-z0-9]/g, (char) => `=${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)}?=`;

const PLAIN = [
  ...[GOOD, `<${GOOD}>`, `Ada <${GOOD}>`, `"Ada, B." <${GOOD}>`, `${GOOD} (Ada)`, `Ada (Support) <${GOOD}>`],
  ...[
    `${b('Jörg')} <${GOOD}>`,
    `${q('Smith, John')} <${GOOD}>`,
    `${b('Jörg (joerg@other.test)')} <${GOOD}>`,
    `Ada\r\n\t<${GOOD}>`,
    `Jörg <${GOOD}>`,
  ],
  ...[`"${EVIL}" <${GOOD}>`, `${GOOD} <${GOOD}>`, `Ada B. Lovelace <A@GOOD.test>`, `"it's" <${GOOD}>`],
];
const PIECES = [
  ...[GOOD, EVIL, `<${GOOD}>`, `<${EVIL}>`, `"${EVIL}"`, `"${EVIL}"@good.test`, `"a"@good.test`, '<>'],
  ...[`(${EVIL})`, `(<${EVIL}>)`, '(x', 'x)', '(a (b) c)', '(a \\) b)', '("', '")', '(', ')', '()'],
  ...[b(EVIL), q(EVIL), b(`<${EVIL}>`), q(`${EVIL},`), q(`x <${EVIL}> (`), b(`${EVIL}\0`), b('Jörg'), q('"')],
  ...['=?utf-8?Q?a', '?=', '=?x?=', '=?utf-8*en?q?=40?=', '=?utf-7?Q?+ADw-?='],
  ...[
    'Team:',
    ':',
    ';',
    ',',
    ', ',
    ';,',
    `<@relay.test:${EVIL}>`,
    `<@evil.test,@b.test:${GOOD}>`,
    '@',
    '@evil.test',
  ],
  ...[
    '"',
    '\\',
    '\\"',
    '"\\',
    '[',
    ']',
    '[1.2.3.4]',
    'a@[1.2.3.4]',
    '<',
    '>',
    '<<',
    '>>',
    "'",
    '`',
    '%',
    '!',
    '.',
    '..',
  ],
  ...[
    ' ',
    '\t',
    '\r\n ',
    '\r\n\t',
    '\r\n \r\n ',
    '\u00a0',
    '\u2028',
    '\u200b',
    '\ufeff',
    '\u0001',
    '\u007f',
    '\u000b',
  ],
  ...[
    '.evil.test',
    '。evil.test',
    '＠evil.test',
    '@ｇood.test',
    'good.test',
    'evil.test',
    '@good.test',
    'ceo',
    'via',
    'Ada',
  ],
  ...[
    `=?${EVIL}`,
    '\r\n <',
    '\r\n @',
    'From:',
    'jörg@good.test',
    'a@münchen.test',
    `mailto:${EVIL}`,
    `<mailto:${EVIL}>`,
  ],
] as const;

/** Values of From, each without the name of the field. */
export function hostileSenders(count: number, seed: number): string[] {
  const random = randomOf(seed);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const joined = () =>
    Array.from({ length: 1 + Math.floor(random() * 6) }, () => pick(PIECES)).join(random() < 0.5 ? '' : ' ');
  const disturbed = () => {
    let value = pick(PLAIN);
    for (let times = 1 + Math.floor(random() * 2); times > 0; times -= 1) {
      const at = Math.floor(random() * (value.length + 1));
      const taken = random() < 0.3 ? 1 : 0;
      value = value.slice(0, at) + pick(PIECES) + value.slice(at + taken);
    }
    return value;
  };
  return Array.from({ length: count }, () => (random() < 0.35 ? joined() : disturbed())).concat(PLAIN);
}
