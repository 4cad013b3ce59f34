/**
 * How mail that demands TLS (RFC 8689, section 4.2.1) connects to a host: with a verified certificate, and only where it is
 * proved that the host is the recipient's. An attacker who can forge DNS answers also has a valid certificate, for a host of
 * the attacker's own. Pure.
 */
import type { NameProof, SmtpFacts, SmtpLocal, SmtpTarget } from '../../protocols/smtp/facts.ts';

/** The target for mail that demands TLS, or the reason why the host does not qualify. Nothing is sent to an unqualified host. */
export function demanding(hop: SmtpTarget): SmtpTarget | SmtpFacts {
  const doubt = doubtIn(hop.nameProof, hop.host);
  if (doubt !== null) return unsaid(hop, doubt);
  if (hop.dane !== undefined && hop.dane.records.length > 0) return hop;
  const { dane: _, tlsPolicy, ...rest } = hop;
  return {
    ...rest,
    tls: hop.tls === 'implicit' ? 'implicit' : 'required',
    verifyCertificate: true,
    tlsPolicy: tlsPolicy === 'mta_sts' || tlsPolicy === 'relay' ? tlsPolicy : 'require_tls',
  };
}

function doubtIn(proof: NameProof | undefined, host: string): SmtpLocal | null {
  if (proof === undefined) {
    const detail = `neither DNSSEC nor an MTA-STS policy says that ${host} is the recipient's mail host`;
    return { kind: 'local', problem: 'server_unproven', detail };
  }
  if (proof !== 'unknown') return null;
  const detail = `the MTA-STS policy that may say that ${host} is the recipient's mail host could not be had`;
  return { kind: 'local', problem: 'server_proof_unknown', detail };
}

function unsaid({ host, address, port }: SmtpTarget, finding: SmtpLocal): SmtpFacts {
  const nothing = { tls: null, reused: false, transcript: [`- ${finding.detail}`] };
  return { host, address, port, ...nothing, ...finding };
}
