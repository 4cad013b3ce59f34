/** Authenticates the sender of a received mail with SPF, DKIM and DMARC. DNS lookups have a time limit. */
import { findDmarc, isAligned } from '../../domains/dmarc.ts';
import type { Resolver } from '../../protocols/dns/resolver.ts';
import { checkHost, type SpfResult } from '../../protocols/dns/spf-check-host.ts';
import { halvesOf } from '../../protocols/message/address.ts';
import { type VerifiedSignature, verifyDkim } from '../../protocols/message/dkim-verify.ts';
import { canonicalDomain } from '../../protocols/message/domain-name.ts';
import { ambiguityOf } from '../../protocols/message/reading/ambiguity.ts';
import type { MailAuthentication } from '../../received/received-email.ts';
import { shownDomain } from './read-received.ts';

interface AuthenticateDeps {
  readonly resolver: Pick<Resolver, 'txt' | 'a' | 'aaaa' | 'mx' | 'ptr'>;
  readonly nowMs: () => number;
  /** For all lookups of a mail. Set only by tests. */
  readonly timeMs?: number | undefined;
}

interface ToAuthenticate {
  readonly raw: Buffer;
  readonly mailFrom: string;
  readonly helo: string;
  readonly remoteAddress: string;
}

/** The limits of one lookup, and of all lookups of a mail: the sender chooses the DNS servers, and these may be slow. */
const LOOKUP_MS = 5_000;
const ALL_LOOKUPS_MS = 10_000;

export async function authenticateMail(
  { resolver, nowMs, timeMs = ALL_LOOKUPS_MS }: AuthenticateDeps,
  mail: ToAuthenticate,
): Promise<MailAuthentication> {
  const untilMs = performance.now() + timeMs;
  const how = () => ({ deadlineMs: Math.max(0, Math.min(LOOKUP_MS, untilMs - performance.now())) });
  const lookups = {
    txt: (name: string) => resolver.txt(name, how()),
    a: (name: string) => resolver.a(name, how()),
    aaaa: (name: string) => resolver.aaaa(name, how()),
    mx: (name: string) => resolver.mx(name, how()),
    ptr: (address: string) => resolver.ptr(address, how()),
  };
  const ambiguity = await ambiguityOf(mail.raw);
  const [spf, signatures] = await Promise.all([
    checkSpf(lookups, mail),
    verifyDkim(mail.raw, lookups.txt, nowMs(), ambiguity),
  ]);
  const from = shownDomain(mail.raw);
  return {
    spf,
    dkim: { result: bestOf(signatures), signatures },
    dmarc: await checkDmarc(lookups.txt, { ...from, isClear: ambiguity === null }, spf, signatures),
  };
}

/** For the envelope sender; if that is empty, for the client's EHLO name. */
async function checkSpf(
  lookups: Parameters<typeof checkHost>[0],
  { mailFrom, helo, remoteAddress }: ToAuthenticate,
): Promise<MailAuthentication['spf']> {
  const named = canonicalDomain(mailFrom === '' ? helo : halvesOf(mailFrom).domain);
  if (!named.ok) return { result: 'none', domain: null };
  const domain: string = named.domain;
  const sender = mailFrom === '' ? `postmaster@${domain}` : mailFrom;
  const address = remoteAddress.replace(/^::ffff:(?=\d+\.)/i, '');
  const { result } = await checkHost(lookups, { address, domain, sender, helo });
  return { result, domain };
}

function bestOf(signatures: readonly VerifiedSignature[]): MailAuthentication['dkim']['result'] {
  for (const result of ['pass', 'temperror', 'fail', 'permerror'] as const)
    if (signatures.some((one) => one.result === result)) return result;
  return 'none';
}

interface ShownSender {
  /** The domain of the sender that mail readers show; null if there is none. */
  readonly domain: string | null;
  /** Whether From names no other sender. */
  readonly isOnly: boolean;
  /** Whether every mail reader shows the same sender. */
  readonly isClear: boolean;
}

/** Mail with an ambiguous sender never passes, whatever its signatures and origin. */
async function checkDmarc(
  lookUp: Resolver['txt'],
  { domain: from, isOnly, isClear }: ShownSender,
  spf: { readonly result: SpfResult; readonly domain: string | null },
  signatures: readonly VerifiedSignature[],
): Promise<MailAuthentication['dmarc']> {
  if (from === null) return { result: 'none', domain: null, policy: null };
  const record = await findDmarc(lookUp, from);
  if (record.kind === 'unavailable') return { result: 'temperror', domain: from, policy: null };
  if (record.kind !== 'found') return { result: 'none', domain: from, policy: null };
  const bySpf =
    spf.result === 'pass' && spf.domain !== null && isAligned(from, spf.domain, record.isSpfStrict);
  const byDkim = signatures.some(
    ({ result, domain }) => result === 'pass' && isAligned(from, domain, record.isDkimStrict),
  );
  const passes = isOnly && isClear && (bySpf || byDkim);
  return { result: passes ? 'pass' : 'fail', domain: from, policy: record.policy };
}
