/** Parses and evaluates MTA-STS policies (RFC 8461). Pure. */

export interface StsPolicy {
  readonly mode: 'enforce' | 'testing' | 'none';
  /** Host names in lower case, or `*.example.net` for any name with one more label. */
  readonly mx: readonly string[];
  readonly maxAgeMs: number;
}

/** The RFC's maximum lifetime of a policy: about a year. */
const MAX_AGE_SECONDS = 31_557_600;
const FIELD_NAME = /^[A-Za-z0-9_.-]+$/;
const MX_PATTERN = /^(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** The id in a domain's TXT records; null without a policy (none, several, or unreadable records). */
export function policyId(records: readonly string[]): string | null {
  const ours = records.filter((record) => /^v=STSv1[ \t]*(;|$)/.test(record));
  if (ours.length !== 1) return null;
  return /;[ \t]*id[ \t]*=[ \t]*([A-Za-z0-9]{1,32})[ \t]*(;|$)/.exec(ours[0] ?? '')?.[1] ?? null;
}

/** Null for an invalid policy. Of a repeated field the first counts, as in the RFC. */
export function parsePolicy(text: string): StsPolicy | null {
  const fields = text.split(/\r?\n/).flatMap((line): [string, string][] => {
    // Parsed by hand: a pattern with white space on both sides of a value is quadratic, and policies are
    // untrusted.
    const colon = line.indexOf(':');
    const key = line.slice(0, Math.max(colon, 0)).trim();
    return FIELD_NAME.test(key) ? [[key, line.slice(colon + 1).trim()]] : [];
  });
  const first = (key: string) => fields.find(([one]) => one === key)?.[1] ?? '';
  const mode = (['enforce', 'testing', 'none'] as const).find((one) => one === first('mode'));
  const maxAge = first('max_age');
  const mx = fields
    .filter(([key]) => key === 'mx')
    .map(([, value]) => value.toLowerCase().replace(/\.$/, ''));
  if (first('version') !== 'STSv1' || mode === undefined || !/^\d{1,10}$/.test(maxAge)) return null;
  if (!mx.every((pattern) => MX_PATTERN.test(pattern)) || (mode !== 'none' && mx.length === 0)) return null;
  return { mode, mx, maxAgeMs: Math.min(Number(maxAge), MAX_AGE_SECONDS) * 1000 };
}

export function allowsHost(policy: StsPolicy, host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  const parent = name.slice(name.indexOf('.') + 1);
  return policy.mx.some((pattern) =>
    pattern.startsWith('*.') ? name.includes('.') && parent === pattern.slice(2) : pattern === name,
  );
}
