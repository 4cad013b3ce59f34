/**
 * One examination: all checks in parallel, each with a time limit. A check that fails or times out is
 * `unknown`. DNS comes first: while no DNS server answers, one finding reports that and the checks that need
 * DNS are skipped.
 */
import type { DoctorCheck } from './doctor-check.ts';
import type { DoctorContext } from './doctor-context.ts';
import { CheckInconclusive, type DoctorFinding, LEVELS, type Observation } from './finding.ts';
import { dnsServersCheck } from './host/dns-servers.ts';

/** Time limit of each check and so of all: a client waits at most this long over HTTP. */
const EXAMINED_WITHIN_MS = 25_000;

/** In the order of the checks. */
export async function examine(
  context: DoctorContext,
  checks: readonly DoctorCheck[],
  withinMs: number = EXAMINED_WITHIN_MS,
): Promise<DoctorFinding[]> {
  const beganMs = performance.now();
  const dns = checks.includes(dnsServersCheck) ? await findingsOf(dnsServersCheck, context, withinMs) : [];
  const leftMs = Math.max(0, Math.round(withinMs - (performance.now() - beganMs)));
  const others = checks.filter((check) => check !== dnsServersCheck);
  const isDown = dns.some(({ level }) => level === 'bad');
  const skipped = isDown ? others.filter((check) => check.needsDns(context.config)) : [];
  const examined = others.filter((check) => !skipped.includes(check));
  const findings = await Promise.all(examined.map((check) => findingsOf(check, context, leftMs)));
  return [...dns.map((one) => withSkipped(one, skipped)), ...findings.flat()];
}

function withSkipped(finding: DoctorFinding, skipped: readonly DoctorCheck[]): DoctorFinding {
  const names = [...new Set(skipped.map(({ name }) => name))].join(', ');
  return names === '' ? finding : { ...finding, seen: `${finding.seen} Not examined without DNS: ${names}.` };
}

export function countLevels(findings: readonly DoctorFinding[]): Record<DoctorFinding['level'], number> {
  const count = (level: DoctorFinding['level']) => findings.filter((one) => one.level === level).length;
  return Object.fromEntries(LEVELS.map((level) => [level, count(level)])) as Record<
    DoctorFinding['level'],
    number
  >;
}

async function findingsOf(
  check: DoctorCheck,
  context: DoctorContext,
  withinMs: number,
): Promise<DoctorFinding[]> {
  const observed = await inTime(check.observe(context), withinMs).catch(notExamined);
  return observed.map(({ level, seen, why, fix }) => ({
    check: check.name,
    level,
    seen,
    why: why ?? check.matters,
    fix: fix ?? null,
  }));
}

function notExamined(error: unknown): readonly Observation[] {
  const seen = error instanceof Error ? error.message || error.name : String(error);
  const fix = error instanceof CheckInconclusive ? error.fix : undefined;
  return [{ level: 'unknown', seen, ...(fix === undefined ? {} : { fix }) }];
}

async function inTime<T>(work: Promise<T>, withinMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const seconds = withinMs / 1_000;
    timer = setTimeout(
      () => reject(new CheckInconclusive(`The check took longer than ${seconds} seconds.`)),
      withinMs,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
