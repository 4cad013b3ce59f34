/**
 * Finds the entry of the table that a refusal matches. Pure. The entries of the provider or program come first, then the words
 * that any server may use, then the codes: the provider's own, the enhanced code, the basic code, its first digit.
 */
import type { SmtpPhase, SmtpReply } from '../../../protocols/smtp/facts.ts';
import { ACCESS_PROVIDERS } from './access-providers.ts';
import { BASIC_CODES, OTHER_PHASES, TELLING_CODES } from './codes.ts';
import { COMMON_WORDS } from './common-words.ts';
import { GATEWAYS } from './gateways.ts';
import { PhraseBook } from './phrase-book.ts';
import { PROVIDERS } from './providers.ts';
import { CHINESE_PROVIDERS } from './providers-china.ts';
import { YAHOO } from './providers-yahoo.ts';
import { SOFTWARE } from './software.ts';
import type { Entry, ReplySource } from './table.ts';
import { list, readWords, type Words } from './words.ts';
import { SENDER_CHECK } from './words-sender.ts';
import { VAGUE_WORDS } from './words-vague.ts';

/** A refusal without its conversation, as delivery reports carry it too. */
export interface Refusal {
  readonly phase: SmtpPhase;
  readonly reply: SmtpReply;
  /** Name of the mail host that refused, where it is known. */
  readonly host: string | null;
}

export interface Reading {
  readonly entry: Entry;
  /** The server says that it will pass: "try again later". */
  readonly passing: boolean;
  /** It says that trying again is of no use: "permanently". */
  readonly lasting: boolean;
  readonly steps: number;
}

/** An entry with its phrases taken apart once. */
interface Line {
  readonly entry: Entry;
  /** Numbers of phrases. */
  readonly words: ReadonlySet<number> | null;
  readonly also: ReadonlySet<number> | null;
  readonly unless: ReadonlySet<number>;
  readonly enhanced: readonly (readonly string[])[] | null;
}

interface RefusalWords {
  readonly phase: SmtpPhase;
  readonly code: number;
  readonly enhanced: readonly string[] | null;
  readonly words: Words;
  readonly said: ReadonlySet<number>;
}

interface Tables {
  readonly book: PhraseBook;
  readonly sources: readonly {
    readonly source: ReplySource;
    readonly marks: readonly number[];
    /** Told by their words, and by codes and links alone: these count only where no words name a cause. */
    readonly lines: readonly Line[];
    readonly tags: readonly Line[];
  }[];
  /** Asked before the sources. */
  readonly quoted: readonly Line[];
  readonly common: readonly Line[];
  readonly anybody: readonly Line[];
  readonly elsewhere: readonly Line[];
  readonly passing: readonly number[];
  readonly corrected: readonly number[];
  readonly lasting: readonly number[];
}

const REPLY_SOURCES: readonly ReplySource[] = [
  ...PROVIDERS,
  YAHOO,
  ...CHINESE_PROVIDERS,
  ...ACCESS_PROVIDERS,
  ...GATEWAYS,
  ...SOFTWARE,
];

/** "Correct it and try again" does not mean that an unchanged message is accepted later. */
const CORRECTED = list(`
  check ~ try again, correct ~ try again, fix ~ try again, verify ~ try again, inspect ~ try again,
  change ~ try again, reduce ~ try again, remove ~ try again, settings ~ try again, recheck ~ try again,
  check ~ retry, correct ~ retry, fix ~ retry, then try again, compress ~ try again
`);
const PASSING = list(`
  try again later, try later, retry later, try again ~ minutes, try again ~ hours, temporarily, temporary,
  come back later, send again later, resend later, please retry, later time, try again soon, please try again,
  essayer plus tard, reessayer, spater ~ erneut, spater noch, vorubergehend, intente ~ mas tarde, intentelo,
  tente ~ mais tarde, riprova, позже, временно, 稍后, 请稍后再试, 稍後, tomorrow, come back ~ hour, come back ~ minute,
  block ~ hour, block ~ hours, block ~ minutes, block ~ day, block ~ days,
  penalized ~ minutes, penalized ~ hours, penalized ~ days, transient exception, transient error, transient failure,
  transient problem, try ~ hour, try ~ hours, try ~ minutes, retry ~ hour, retry ~ hours, retry ~ minutes, retry soon,
  wait ~ minutes, wait ~ hour, wait ~ hours, next hour, next ~ hours, next ~ minutes, later today, reessayez,
  plus tard, mas tarde, mais tarde, piu tardi, later opnieuw, probeer ~ later, pozniej, sprobuj ponownie, morgen,
  demain, domani, manana, amanha, завтра, 后再试, 明天, 後ほど, しばらく
`);
const LASTING = list(`
  permanent, permanently, not retry, not try again, retrying not, not succeed, definitively, endgultig, dauerhaft,
  definitivement, permanentemente, permanente, stop trying, навсегда, 永久
`);

export function readRefusal({ phase, reply, host }: Refusal): Reading {
  const tables = read();
  const words = readWords(reply.text);
  const refusal = {
    phase,
    code: reply.code,
    enhanced: enhancedOf(reply),
    words,
    said: tables.book.saidIn(words),
  };
  const line = linesFor(tables, host, refusal).find((candidate) => fits(candidate, refusal));
  if (line === undefined) throw new Error(`no rule for ${reply.code} at ${phase}`);
  const lasting = tables.lasting.some((one) => refusal.said.has(one));
  const corrected = tables.corrected.some((one) => refusal.said.has(one));
  const passing = !lasting && !corrected && tables.passing.some((one) => refusal.said.has(one));
  return { entry: line.entry, passing, lasting, steps: words.steps };
}

/** Every line, for tests. */
export function allEntries(): readonly Entry[] {
  const { quoted, sources, common, anybody, elsewhere } = read();
  return [
    ...quoted,
    ...sources.flatMap(({ lines, tags }) => [...lines, ...tags]),
    ...common,
    ...anybody,
    ...elsewhere,
  ].map(({ entry }) => entry);
}

let tables: Tables | undefined;

/** Parsed at the first refusal, so that processes without refusals do not pay for it. */
function read(): Tables {
  tables ??= takeApart(new PhraseBook());
  return tables;
}

function takeApart(book: PhraseBook): Tables {
  const numbers = (phrases: readonly string[]) => phrases.map((one) => book.enter(one));
  const lines = (entries: readonly Entry[]) => entries.map((entry) => toLine(entry, numbers));
  return {
    book,
    sources: REPLY_SOURCES.map((source) => ({
      source,
      marks: numbers(source.marks ?? []),
      lines: lines(source.says.filter(({ words }) => words !== undefined)),
      tags: lines(source.says.filter(({ words }) => words === undefined)),
    })),
    quoted: lines(SENDER_CHECK),
    common: lines(COMMON_WORDS),
    anybody: lines([...TELLING_CODES, ...VAGUE_WORDS, ...BASIC_CODES]),
    elsewhere: lines(OTHER_PHASES),
    passing: numbers(PASSING),
    corrected: numbers(CORRECTED),
    lasting: numbers(LASTING),
  };
}

function toLine(entry: Entry, numbers: (phrases: readonly string[]) => readonly number[]): Line {
  return {
    entry,
    words: entry.words === undefined ? null : new Set(numbers(entry.words)),
    also: entry.also === undefined ? null : new Set(numbers(entry.also)),
    unless: new Set(numbers(entry.unless ?? [])),
    enhanced: entry.enhanced?.map((code) => code.split('.')) ?? null,
  };
}

function linesFor(
  { quoted, sources, common, anybody, elsewhere }: Tables,
  host: string | null,
  { phase, said, words }: RefusalWords,
): readonly Line[] {
  if (phase === 'starttls' || phase === 'auth') return elsewhere;
  const known = sources.filter(
    ({ source, marks }) =>
      belongsTo(host, source) ||
      marks.some((mark) => said.has(mark)) ||
      source.links?.some((link) => words.links.includes(link)),
  );
  return [
    ...quoted,
    ...known.flatMap(({ lines }) => lines),
    ...common,
    ...known.flatMap(({ tags }) => tags),
    ...anybody,
  ];
}

function belongsTo(host: string | null, { hosts }: ReplySource): boolean {
  const name = host?.toLowerCase().replace(/\.$/, '') ?? '';
  return hosts?.some((domain) => name === domain || name.endsWith(`.${domain}`)) ?? false;
}

function fits({ entry, words, also, unless, enhanced }: Line, refusal: RefusalWords): boolean {
  if (entry.phases !== undefined && !entry.phases.includes(refusal.phase)) return false;
  if (entry.codes !== undefined && !entry.codes.includes(refusal.code)) return false;
  if (entry.permanent !== undefined && entry.permanent !== refusal.code >= 500) return false;
  if (entry.enhanced === null && refusal.enhanced !== null) return false;
  if (enhanced !== null && !enhanced.some((wanted) => fitsCode(wanted, refusal.enhanced))) return false;
  if (entry.links !== undefined && !entry.links.some((link) => refusal.words.links.includes(link)))
    return false;
  if (words !== null && !isSaid(refusal, words)) return false;
  if (also !== null && !isSaid(refusal, also)) return false;
  return !isSaid(refusal, unless);
}

/** Whether one of them is; a reply says few phrases, and lines have many. */
function isSaid({ said }: RefusalWords, phrases: ReadonlySet<number>): boolean {
  for (const one of said) {
    if (phrases.has(one)) return true;
  }
  return false;
}

function fitsCode(wanted: readonly string[], given: readonly string[] | null): boolean {
  return given !== null && wanted.every((part, i) => part === 'x' || part === given[i]);
}

/** In front, after a code that was written twice, or where qmail and its kin put it: `(#5.1.1)`. */
const WITHIN =
  /^(?:[245]\d\d[ -])?#?([245]\.\d{1,3}\.\d{1,3})(?![.\d])|[#[(]#?([45]\.\d{1,3}\.\d{1,3})(?:[\])]|\s)/;
/** On a later line than the first, where it is of the class of the reply. */
const LATER = { 4: /\s(4\.\d{1,3}\.\d{1,3})\s/, 5: /\s(5\.\d{1,3}\.\d{1,3})\s/ } as const;

function enhancedOf({ code, enhanced, text }: SmtpReply): readonly string[] | null {
  const found =
    enhanced ??
    WITHIN.exec(text)
      ?.slice(1)
      .find((one) => one !== undefined);
  const given = found ?? LATER[code >= 500 ? 5 : 4].exec(text)?.[1];
  return given?.split('.') ?? null;
}
