/**
 * Was the local part made by a machine or a cat? Judged by how surprising it is to a model of names and words, and by
 * how often letters and digits take turns. A doubt, never more: people have odd names.
 */
import type { Address } from '../../protocols/message/address.ts';
import type { RandomModel } from '../lists.ts';
import { bitsPerCharacter, DIGIT, SEPARATOR, symbolsOf } from '../trigrams.ts';
import { type Finding, finding } from './check.ts';

export interface RandomFinding extends Finding {
  /** Cross-entropy under the model; null where it cannot be told. */
  readonly entropy_bits_per_char: number | null;
}

/** Shorter ones are initials and nicknames as often as not. */
const MIN_CHARACTERS = 7;
/** A year, a birthday: people add them when the name is taken. */
const TRAILING_DIGITS = /\d{1,8}$/;
/** One turn there and one back (`anna2smith`) is still a person's. */
const USUAL_TURNS = 2;
const BITS_PER_TURN = 6;
/** Few characters are surprising more easily than many. */
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

/** How often a digit follows a letter or a letter a digit. */
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
