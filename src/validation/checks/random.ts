/**
 * Estimates whether the local part is random. Based on how surprising it is to a model of names and words, and on how
 * often letters and digits alternate. Only a soft signal, because people have unusual names.
 */
import type { Address } from '../../protocols/message/address.ts';
import type { RandomModel } from '../lists.ts';
import { bitsPerCharacter, DIGIT, SEPARATOR, symbolsOf } from '../trigrams.ts';
import { type Finding, finding } from './check.ts';

export interface RandomFinding extends Finding {
  /** Cross-entropy under the model; null where it cannot be computed. */
  readonly entropy_bits_per_char: number | null;
}

/** Shorter local parts are often initials or nicknames. */
const MIN_CHARACTERS = 7;
/** A year or a birthday, which people append when the name is taken. */
const TRAILING_DIGITS = /\d{1,8}$/;
/** Two changes (`anna2smith`) are normal. */
const USUAL_TURNS = 2;
const BITS_PER_TURN = 6;
/** Short texts are more easily surprising than long ones. */
const SHORTNESS = 5;

export function checkRandom({ local, kind }: Address, model: RandomModel): RandomFinding {
  const measured = kind === 'quoted' ? null : measure(local, model.costs);
  if (measured === null) {
    return CANNOT_TELL;
  }
  const entropy = Math.round(measured.bits * 100) / 100;
  const { status, reason, message, signals } = judge(measured.suspicion, model);
  return { status, reason, message, signals, entropy_bits_per_char: entropy };
}

export function measure(
  local: string,
  costs: RandomModel['costs'],
): { bits: number; suspicion: number } | null {
  const name = (local.split('+', 1)[0] as string).replace(TRAILING_DIGITS, '');
  const symbols = symbolsOf(name);
  if (symbols === null) return null;
  if (symbols.filter((symbol) => symbol !== SEPARATOR).length < MIN_CHARACTERS) return null;
  const bits = bitsPerCharacter(costs, symbols);
  const length = symbols.length + 1;
  const turns = Math.max(0, turnsOf(symbols) - USUAL_TURNS);
  return { bits, suspicion: bits + (BITS_PER_TURN * turns) / length - SHORTNESS / Math.sqrt(length) };
}

/** The number of changes between letters and digits. */
function turnsOf(symbols: readonly number[]): number {
  let turns = 0;
  for (let at = 1; at < symbols.length; at += 1) {
    const last = symbols[at - 1];
    const next = symbols[at];
    if (last === SEPARATOR || next === SEPARATOR) continue;
    if ((last === DIGIT) !== (next === DIGIT)) turns += 1;
  }
  return turns;
}

const CANNOT_TELL: RandomFinding = {
  ...finding('unknown', 'cannot_tell', 'Too short, too few letters or another script: cannot be judged.'),
  entropy_bits_per_char: null,
};
const RANDOM_STRONG = finding(
  'fail',
  'random_strong',
  'The part before the @ looks like random characters.',
  'very_random_local_part',
);
const RANDOM = finding(
  'warn',
  'random',
  'The part before the @ may be random characters.',
  'random_local_part',
);
const PLAUSIBLE = finding('pass', 'plausible', 'The part before the @ looks like something people choose.');

function judge(suspicion: number, { warnAt, strongAt }: RandomModel): Finding {
  if (suspicion >= strongAt) {
    return RANDOM_STRONG;
  }
  if (suspicion >= warnAt) {
    return RANDOM;
  }
  return PLAUSIBLE;
}
