/** Whether the relay accepts our mail: its name, TLS and password. */
import { isIP } from 'node:net';
import type { RouteProblem } from '../../delivery/facts.ts';
import { adviceOn } from '../../delivery/policy/advice.ts';
import { judge } from '../../delivery/policy/judge.ts';
import { createRelayRouter } from '../../delivery/transports/router.ts';
import { describeDnsFailure } from '../../domains/advice.ts';
import { openConnection, SmtpConnection } from '../../protocols/smtp/connection.ts';
import { CutOff } from '../../protocols/smtp/cut-off.ts';
import { DEFAULT_DEADLINES } from '../../protocols/smtp/deadlines.ts';
import type { SmtpFacts } from '../../protocols/smtp/facts.ts';
import { TlsSessions } from '../../protocols/smtp/tls-sessions.ts';
import { doctorCheck } from '../doctor-check.ts';
import { DOCTOR_LOOKUP, type DoctorContext } from '../doctor-context.ts';
import { type Observation, quoted } from '../finding.ts';

interface RelayFacts {
  /** Host and port; never the URL, which contains a password. */
  readonly relay: string;
  readonly trouble: SmtpFacts | RouteProblem | null;
  /** Why DNS does not resolve the relay; null when it does, or when the name does not exist. */
  readonly silence: string | null;
}

export const relayCheck = doctorCheck({
  name: 'relay',
  needsDns: ({ relayUrl }) => relayUrl !== undefined && isIP(relayHost(relayUrl)) === 0,
  matters: 'Mail is sent through the relay: while the relay accepts no mail, all of that mail is queued.',
  gather: gatherRelay,
  judge: judgeRelay,
});

function relayHost(url: string): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Null without a relay. */
async function gatherRelay({ config, clock, resolver, outside }: DoctorContext): Promise<RelayFacts | null> {
  const { relayUrl: url, hostname: ehloName } = config;
  if (url === undefined) return null;
  const found = await createRelayRouter({ url, resolver, ehloName }).route('example.org');
  const [target] = found.kind === 'route' ? found.hops : [];
  if (target === undefined) {
    const host = relayHost(url);
    const answer = await resolver.addresses(host, DOCTOR_LOOKUP);
    const silence = answer.kind === 'unavailable' ? describeDnsFailure(host, answer.code) : null;
    return { relay: host, trouble: found.kind === 'route' ? null : found, silence };
  }
  const waits = Object.keys(DEFAULT_DEADLINES).map((name) => [name, outside.timeoutMs]);
  const opened = await openConnection(target, {
    deadlines: Object.fromEntries(waits),
    clock,
    tlsSessions: new TlsSessions(outside.trustedCertificates),
    cutOff: new CutOff(),
  });
  const isOpen = opened instanceof SmtpConnection;
  if (isOpen) await opened.quit();
  return { relay: `${target.host}:${target.port}`, trouble: isOpen ? null : opened, silence: null };
}

function judgeRelay(facts: RelayFacts | null): Observation[] {
  if (facts === null) return [];
  const { relay, trouble, silence } = facts;
  if (trouble === null) return [{ level: 'ok', seen: `The relay ${relay} is ready to accept mail.` }];
  if (silence !== null) return [{ level: 'unknown', seen: `The relay ${relay} was not checked: ${silence}` }];
  const { reason, code, text } = judge(trouble, { attempt: 1 });
  const told = adviceOn(reason);
  const seen = `The relay ${relay} cannot be used: ${code === null ? text : quoted(`${code} ${text}`)}.`;
  const fix = 'Check POSTRIDER_RELAY_URL: the name, the port, the user and the password.';
  return [{ level: 'bad', seen, ...(told === null ? {} : { why: told.meaning }), fix }];
}
