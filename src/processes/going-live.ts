/**
 * Requirements of live mode: the doctor's quick checks before the start, and its DNS checks again at run
 * time.
 */

import type { Database } from '../database/database.ts';
import { HOST_CHECKS, QUICK_CHECKS } from '../doctor/checks.ts';
import {
  type DoctorFinding,
  findingSentence,
  groupFindings,
  isProblem,
  type Level,
} from '../doctor/finding.ts';
import { hostAddressCheck } from '../doctor/host/host-address.ts';
import { hostNameCheck } from '../doctor/host/host-name.ts';
import { isRelayed } from '../domains/senders.ts';
import { type HostFinding, recordSendingHost } from '../domains/sending-host/store.ts';
import type { Chore } from '../operations/housekeeper.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { MINUTE_MS } from '../runtime/durations.ts';
import type { Log } from '../runtime/log.ts';
import { RefusedStart } from '../runtime/refused-start.ts';
import { runDoctor } from './doctor-runs.ts';

const WITH_DATABASE = QUICK_CHECKS.filter(({ needsDatabase }) => needsDatabase);
const WITHOUT_DATABASE = QUICK_CHECKS.filter(({ needsDatabase }) => !needsDatabase);

/**
 * Call before the database runs. Refuses a start that could only fail, with advice; prints all other
 * problems.
 */
export async function goLive(config: Config, say: (line: string) => void): Promise<void> {
  if (!isPublic(config)) return;
  const findings = await runDoctor(WITHOUT_DATABASE, {
    config,
    clock: systemClock,
    db: 'it is not started yet.',
  });
  const refusal = refusalOf(findings, config);
  if (refusal !== null)
    throw new RefusedStart(`${refusal} \`npx postrider doctor\` shows everything that live mode needs.`);
  for (const line of problemLines(findings)) say(line);
}

/** Call when the database runs. Returns its problems, for the operator who starts live mode. */
export async function databaseProblems({ config, db }: { config: Config; db: Database }): Promise<string[]> {
  if (config.mode !== 'live') return [];
  return problemLines(await runDoctor(WITH_DATABASE, { config, clock: systemClock, db }));
}

function problemLines(findings: readonly DoctorFinding[]): string[] {
  return groupFindings(findings.filter(isProblem)).map(
    (one) => `${one.level === 'bad' ? 'Problem' : 'Warning'}: ${findingSentence(one)}`,
  );
}

/**
 * False in the sandbox, which sends nothing, and with private addresses allowed, which means a test or a
 * private network.
 */
function isPublic({ mode, allowPrivateDestinations }: Config): boolean {
  return mode === 'live' && !allowPrivateDestinations;
}

/** The problem that prevents a live start, or null. Behind a relay these checks do not apply. */
function refusalOf(findings: readonly DoctorFinding[], config: Config): string | null {
  if (isRelayed(config)) return null;
  const needed: readonly string[] = [hostNameCheck.name, hostAddressCheck.name];
  const grave = findings.find(({ check, level }) => level === 'bad' && needed.includes(check));
  return grave === undefined ? null : findingSentence(grave);
}

const EVERY_MS = 15 * MINUTE_MS;

/** Repeats the DNS checks at run time, and stores the findings for display. */
export function sendingHostChores(deps: {
  readonly config: Config;
  readonly clock: Clock;
  readonly db: Database;
  readonly log: Log;
}): readonly Chore[] {
  const { config, clock, db, log } = deps;
  if (!isPublic(config)) return [];
  let before = '';
  const run = async () => {
    const findings = await runDoctor(HOST_CHECKS, { config, clock, db });
    const problems = findings.filter(isProblem).map(findingSentence);
    if (problems.join() !== before && problems.length > 0)
      log.warn({ event: 'sending_host_wrong', problems }, 'mail of this host may be refused');
    before = problems.join();
    await recordSendingHost(db, { host: config.hostname.toLowerCase(), findings: findings.map(toStored) });
  };
  return [{ name: 'sending host', everyMs: EVERY_MS, run, inBackground: true }];
}

const STATUSES = { ok: 'pass', warn: 'warn', bad: 'fail', unknown: 'unknown' } as const satisfies Record<
  Level,
  HostFinding['status']
>;

function toStored(finding: DoctorFinding): HostFinding {
  return { about: finding.check, status: STATUSES[finding.level], message: findingSentence(finding) };
}
