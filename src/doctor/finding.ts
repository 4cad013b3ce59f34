/** What the doctor found: what was seen, why it matters, and what fixes it. */
import { needsSplit, zoneFileText } from '../protocols/dns/zone-file-text.ts';
import { makeSafe } from '../protocols/smtp/reply-parser.ts';

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
export class CheckInconclusive extends Error {
  readonly fix: string | undefined;

  constructor(message: string, fix?: string) {
    super(message);
    this.name = 'CheckInconclusive';
    this.fix = fix;
  }
}

export function isProblem({ level }: Pick<DoctorFinding, 'level'>): boolean {
  return level === 'bad' || level === 'warn';
}

/** Findings that say the same, such as that nobody could ask the database: told once, for all checks that say so. */
export interface FindingGroup extends DoctorFinding {
  /** Further checks with the same finding. */
  readonly also: readonly string[];
}

/** In the order in which each is first found. What one finding says besides of why it matters is told of the first alone. */
export function groupFindings(findings: readonly DoctorFinding[]): FindingGroup[] {
  const groups = new Map<string, FindingGroup>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.level, finding.seen, finding.fix]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { ...finding, also: [] });
    else if (finding.check !== known.check && !known.also.includes(finding.check))
      groups.set(key, { ...known, also: [...known.also, finding.check] });
  }
  return [...groups.values()];
}

/** In one line. What is well needs no reason. */
export function findingSentence({ level, seen, why, fix }: DoctorFinding): string {
  return level === 'ok' ? seen : [seen, why, fix].filter((part) => part !== null && part !== '').join(' ');
}

/** As people write it into a zone file; a long text also as one string, which is what forms of DNS providers take. */
export function dnsRecordLine(
  name: string,
  type: 'A' | 'AAAA' | 'CNAME' | 'MX' | 'PTR' | 'TXT',
  value: string,
): string {
  const line = (data: string) => `${name}. ${type} ${data}`;
  if (type !== 'TXT') return line(value);
  const whole = line(`"${value}"`);
  return needsSplit(value)
    ? `${whole} (in a zone file, in strings of 255: ${line(zoneFileText(value))})`
    : whole;
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
