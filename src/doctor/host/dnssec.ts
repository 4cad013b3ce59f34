/** Whether the DNS servers validate DNSSEC, and whether certificates in DNS (DANE) are therefore used. */
import type { Answer } from '../../protocols/dns/answer.ts';
import { createValidatingResolver } from '../../protocols/dns/validating-resolver.ts';
import { doctorCheck } from '../doctor-check.ts';
import { DOCTOR_LOOKUP, type DoctorContext } from '../doctor-context.ts';
import type { Observation } from '../finding.ts';

interface DnssecFacts {
  readonly isUsed: boolean;
  /** Set explicitly by the operator; otherwise derived from the servers. */
  readonly isGiven: boolean;
  /** The answers for a signed zone, and for one with invalid signatures. */
  readonly signed: Answer<true>;
  readonly forged: Answer<string>;
}

const OWN_RESOLVER =
  'Run a validating resolver on this machine, such as unbound, and set POSTRIDER_DNS_SERVERS=127.0.0.1.';

export const dnssecCheck = doctorCheck({
  name: 'dnssec',
  needsDns: true,
  matters:
    'With validated DNS, Postrider verifies the certificates of mail hosts (DANE), and nobody on the network path can read the mail.',
  gather: gatherDnssec,
  judge: judgeDnssec,
});

async function gatherDnssec({ config, clock, outside }: DoctorContext): Promise<DnssecFacts> {
  const resolver = createValidatingResolver({ clock, servers: config.dnsServers });
  try {
    const [signed, forged] = await Promise.all([
      resolver.soa(outside.signedZone, DOCTOR_LOOKUP),
      resolver.a(outside.forgedName, DOCTOR_LOOKUP),
    ]);
    const isGiven = config.given.POSTRIDER_DANE !== undefined;
    return { isUsed: config.dane, isGiven, signed, forged };
  } finally {
    resolver.close();
  }
}

function judgeDnssec({ isUsed, isGiven, signed, forged }: DnssecFacts): Observation[] {
  if (signed.kind === 'unavailable')
    return [{ level: 'unknown', seen: `DNS did not answer whether it validates (${signed.code}).` }];
  if (signed.secure !== true) return [unvalidated(isUsed && isGiven)];
  if (forged.kind === 'unavailable' && SILENT.has(forged.code))
    return [
      { level: 'unknown', seen: `DNS did not answer whether it refuses wrong signatures (${forged.code}).` },
    ];
  if (forged.kind === 'found') return [gullible(isUsed)];
  const what = 'The DNS servers validate DNSSEC';
  if (isUsed) return [{ level: 'ok', seen: `${what}, and mail is sent by DANE.` }];
  const why = isGiven ? 'POSTRIDER_DANE is false' : 'POSTRIDER_DNS_SERVERS names no resolver of this machine';
  return [{ level: 'ok', seen: `${what}. DANE is not used: ${why}.` }];
}

/** No answer at all. A resolver that rejects forged answers returns SERVFAIL. */
const SILENT: ReadonlySet<string> = new Set(['ETIMEOUT', 'ETIMEDOUT', 'ECONNREFUSED']);

function unvalidated(isWanted: boolean): Observation {
  const seen = 'The DNS servers do not report DNSSEC validation, so DANE is not used.';
  return isWanted ? { level: 'warn', seen, fix: OWN_RESOLVER } : { level: 'ok', seen };
}

/** The resolver accepts forged signatures, so its validation is worthless. */
function gullible(isUsed: boolean): Observation {
  const seen = 'The DNS servers report DNSSEC validation, but return answers with wrong signatures.';
  if (!isUsed) return { level: 'ok', seen: `${seen} DANE is not used.` };
  return { level: 'bad', seen, fix: `${OWN_RESOLVER} Until then set POSTRIDER_DANE=false.` };
}
