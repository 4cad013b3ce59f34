// Local parts as people and as machines make them, from a seed: the same ones every time.

/** mulberry32 */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Each name is used for one thing only, so that the model is judged by names it has not seen. */
export function shareOf(name) {
  let hash = 2166136261;
  for (let i = 0; i < name.length; i += 1) hash = Math.imul(hash ^ name.charCodeAt(i), 16777619);
  const tenth = (hash >>> 0) % 10;
  return tenth === 2 ? 'measuring' : tenth === 1 ? 'calibration' : 'training';
}

/** f and g are first names, l a last name, v and w words, n makes digits. */
const SHAPES = [
  ({ f, l }) => `${f}.${l}`,
  ({ f, l }) => `${f}${l}`,
  ({ f, l }) => `${f}_${l}`,
  ({ f, l }) => `${f}-${l}`,
  ({ f, l }) => `${f[0]}.${l}`,
  ({ f, l }) => `${f[0]}${l}`,
  ({ f, l }) => `${f}${l[0]}`,
  ({ f, l }) => `${f}.${l[0]}`,
  ({ f, l }) => `${l}.${f}`,
  ({ f, l }) => `${l}${f}`,
  ({ f, l }) => `${l}${f[0]}`,
  ({ f, w }) => `${f}${w}`,
  ({ l, w }) => `${w}${l}`,
  ({ f, l, n }) => `${f}${n(2)}${l}`,
  ({ f, l, n }) => `${f}.${l}${n(2)}`,
  ({ f, l, n }) => `${f}${l}${n(4)}`,
  ({ f }) => f,
  ({ l }) => l,
  ({ w }) => w,
  ({ v, w }) => `${w}${v}`,
  ({ v, w }) => `${w}.${v}`,
  ({ v, w }) => `the${w}${v}`,
  ({ w, n }) => `${w}${n(3)}`,
  ({ f, g, l }) => `${f}${g}${l}`,
  ({ f, g, l }) => `${f[0]}${g[0]}${l}`,
  ({ f, g, l }) => `${f}.${g[0]}.${l}`,
];

export function humanLocalParts({ ways, words }, count, seed) {
  const random = seeded(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const n = (length) => digits(random, length);
  return Array.from({ length: count }, () => {
    const shape = pick(SHAPES);
    const { first, last } = pickWay(ways, random());
    return shape({ f: pick(first), l: pick(last), w: pick(words), v: pick(words), g: pick(first), n });
  });
}

function pickWay(ways, at) {
  let sum = 0;
  const found = ways.find(({ share }) => {
    sum += share;
    return at < sum;
  });
  return found ?? ways[0];
}

function digits(random, count) {
  return Array.from({ length: count }, () => Math.floor(random() * 10)).join('');
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const ALNUM = `${LETTERS}0123456789`;
const HEX = '0123456789abcdef';
const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** By kind: what sign-up bots and people with no time type. */
export function machineLocalParts(count, seed) {
  const random = seeded(seed);
  const text = (alphabet, min, max) =>
    Array.from(
      { length: min + Math.floor(random() * (max - min + 1)) },
      () => alphabet[Math.floor(random() * alphabet.length)],
    ).join('');
  const many = (make) => Array.from({ length: count }, make);
  return {
    'alnum 10-16': many(() => text(ALNUM, 10, 16)),
    'letters 9-14': many(() => text(LETTERS, 9, 14)),
    'hex 16-24': many(() => text(HEX, 16, 24)),
    'alnum 8': many(() => text(ALNUM, 8, 8)),
    'letters 7-8': many(() => text(LETTERS, 7, 8)),
    'keyboard mash': many(() => mash(random)),
    pronounceable: many(() => pronounceable(random)),
  };
}

function mash(random) {
  const home = ROWS[random() < 0.75 ? 1 : 0];
  let at = Math.floor(random() * home.length);
  return Array.from({ length: 8 + Math.floor(random() * 7) }, () => {
    at = (at + home.length + Math.floor(random() * 5) - 2) % home.length;
    return home[at];
  }).join('');
}

function pronounceable(random) {
  const of = (text) => text[Math.floor(random() * text.length)];
  return Array.from(
    { length: 3 + Math.floor(random() * 3) },
    () => of('bcdfghjklmnprstvwz') + of('aeiou'),
  ).join('');
}
