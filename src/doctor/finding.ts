/** A finding of the doctor: the observation, why it matters, and the fix. */
import { needsSplit, zoneFileText } from '../protocols/dns/zone-file-text.ts';
import { makeSafe } from '../protocols/smtp/reply-parser.ts';

/**
 * `bad`: mail or data is lost. `warn`: some of it may be. `unknown`: the check was inconclusive; never
 * reported as `ok`.
 */
export const LEVELS = ['bad', 'warn', 'unknown', 'ok'] as const;
export type Level = (typeof LEVELS)[number];

export interface DoctorFinding {
  /** The check's name. */
  readonly check: string;
  readonly level: Level;
  readonly seen: string;
  readonly why: string;
  /** The record, setting or command; null when there is nothing to fix. */
  readonly fix: string | null;
}

/** A finding as returned by a check. Without `why`, the check's own purpose is used. */
export interface Observation {
  readonly level: Level;
  readonly seen: string;
  readonly why?: string;
  readonly fix?: string;
}

/** Thrown when a check is impossible; the message is shown unchanged. */
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

/** Equal findings of several checks, such as an unavailable database, shown once. */
export interface FindingGroup extends DoctorFinding {
  /** Further checks with the same finding. */
  readonly also: readonly string[];
}

/** In the order of first appearance. The details of a group come from its first finding. */
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

/** In one line. Findings of level `ok` omit the reason. */
export function findingSentence({ level, seen, why, fix }: DoctorFinding): string {
  return level === 'ok' ? seen : [seen, why, fix].filter((part) => part !== null && part !== '').join(' ');
}

/** In zone file format; long texts also as one string for DNS providers' forms. */
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

/** Makes third-party text one line of limited length, without control characters. */
export function quoted(text: string): string {
  return `"${makeSafe(text.replace(/\s+/g, ' ').slice(0, MAX_CHARS).trim())}"`;
}

/** `1 worker`, `3 workers`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`;
}
