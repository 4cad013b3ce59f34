/** What the doctor found: what was seen, why it matters, and what fixes it. */
import { makeSafe } from '../kit/smtp/reply-parser.ts';

/** `bad`: mail or data is lost. `warn`: some of it may be. `unknown`: it could not be examined; that is never `ok`. */
export const LEVELS = ['bad', 'warn', 'unknown', 'ok'] as const;
export type Level = (typeof LEVELS)[number];

export interface DoctorFinding {
  /** Of which check. */
  readonly check: string;
  readonly level: Level;
  readonly seen: string;
  readonly why: string;
  /** The record, the setting or the command; null where there is nothing to fix. */
  readonly fix: string | null;
}

/** A finding as a check gives it. Without `why`, what the check is for is the reason. */
export interface Observation {
  readonly level: Level;
  readonly seen: string;
  readonly why?: string;
  readonly fix?: string;
}

/** Thrown where something cannot be examined: it is told as it is. */
export class CannotTell extends Error {
  readonly fix: string | undefined;

  constructor(message: string, fix?: string) {
    super(message);
    this.name = 'CannotTell';
    this.fix = fix;
  }
}

export function isProblem({ level }: Pick<DoctorFinding, 'level'>): boolean {
  return level === 'bad' || level === 'warn';
}

/** In one line. What is well needs no reason. */
export function findingSentence({ level, seen, why, fix }: DoctorFinding): string {
  return level === 'ok' ? seen : [seen, why, fix].filter((part) => part !== null && part !== '').join(' ');
}

/** As people write it into a zone file. */
export function dnsRecordLine(
  name: string,
  type: 'A' | 'AAAA' | 'CNAME' | 'MX' | 'PTR' | 'TXT',
  value: string,
): string {
  return `${name}. ${type} ${type === 'TXT' ? `"${value}"` : value}`;
}

const MAX_CHARS = 300;

/** What strangers wrote: on one line, of bounded length, free of what a terminal would stumble over. */
export function quoted(text: string): string {
  return `"${makeSafe(text.replace(/\s+/g, ' ').slice(0, MAX_CHARS).trim())}"`;
}

/** `1 worker`, `3 workers`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`;
}
