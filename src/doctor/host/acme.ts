/** Whether each name has an ACME certificate, its expiry, and why the last attempt failed. */
import { configuredNames } from '../../certificates/names.ts';
import { type CertificateState, listCertificates } from '../../certificates/store.ts';

import { doctorCheck } from '../doctor-check.ts';
import { type DoctorContext, databaseOf } from '../doctor-context.ts';
import { counted, type Observation, quoted } from '../finding.ts';

interface AcmeFacts {
  /** Names derived from the settings. */
  readonly names: readonly string[];
  /** Certificates of the current directory for needed names. */
  readonly certificates: readonly CertificateState[];
  readonly nowMs: number;
}

export const acmeCheck = doctorCheck({
  name: 'acme',
  isQuick: true,
  needsDatabase: true,
  matters:
    'Browsers, applications and mail servers that verify certificates refuse to connect after the certificate has expired.',
  gather: gatherAcme,
  judge: judgeAcme,
});

/** Null when ACME is off. */
async function gatherAcme(context: DoctorContext): Promise<AcmeFacts | null> {
  const { config, clock } = context;
  const { acme } = config;
  if (acme === undefined) return null;
  const all = await listCertificates(databaseOf(context));
  const certificates = all.filter((one) => one.wanted && one.directory_url === acme.directoryUrl);
  return { names: configuredNames(config), certificates, nowMs: clock.nowMs() };
}

export function judgeAcme(facts: AcmeFacts | null): Observation[] {
  if (facts === null)
    return [{ level: 'ok', seen: 'No certificates are ordered by ACME: POSTRIDER_ACME is not set.' }];
  const { names, certificates, nowMs } = facts;
  if (names.length === 0) return [NO_NAMES];
  const known = new Set(certificates.map(({ name }) => name));
  const missing = names.filter((name) => !known.has(name)).map(notTried);
  const problems = [...missing, ...certificates.flatMap((one) => problemOf(one, nowMs))];
  if (problems.length > 0) return problems;
  return [
    {
      level: 'ok',
      seen: `${counted(certificates.length, 'certificate')} by ACME ${certificates.length === 1 ? 'is' : 'are'} valid.`,
    },
  ];
}

const NO_NAMES: Observation = {
  level: 'warn',
  seen: 'POSTRIDER_ACME is set, but no name is public: POSTRIDER_PUBLIC_URL and POSTRIDER_HOSTNAME have names that are not public.',
  fix: 'Set POSTRIDER_PUBLIC_URL=https://mail.example.org, with a public name that resolves to this machine.',
};

function notTried(name: string): Observation {
  const seen = `No certificate was ordered for ${name} yet.`;
  return { level: 'warn', seen, fix: 'Start the API; it orders certificates within a minute.' };
}

function problemOf(one: CertificateState, nowMs: number): Observation[] {
  const { name, expires_at, last_error, due_at } = one;
  const leftMs = expires_at === null ? 0 : expires_at.getTime() - nowMs;
  if (last_error === null && leftMs > 0) return [];
  const state = stateOf(name, expires_at, leftMs);
  const why = last_error === null ? '' : ` The last attempt failed: ${quoted(last_error)}.`;
  const fix = `Fix the cause; the next attempt is at ${due_at.toISOString().slice(0, 16)}Z. See docs/deploy/certificates.md.`;
  return [{ level: leftMs <= 0 && expires_at !== null ? 'bad' : 'warn', seen: `${state}${why}`, fix }];
}

function stateOf(name: string, expiresAt: Date | null, leftMs: number): string {
  if (expiresAt === null) return `${name} has no certificate yet.`;
  const day = expiresAt.toISOString().slice(0, 10);
  if (leftMs <= 0) return `The certificate of ${name} expired on ${day}.`;
  return `The certificate of ${name} expires on ${day}, and could not be renewed.`;
}
