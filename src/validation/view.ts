/** A validation result as the API shows it. */
import type { Finding } from './checks/check.ts';
import { WEIGHTS } from './score.ts';
import type { ValidationResult } from './service.ts';

export function presentResult(listVersion: string) {
  /** `email`: the address as given. */
  return (email: string, result: ValidationResult) => {
    const { address, checks } = result;
    return {
      email,
      verdict: result.verdict,
      risk_score: result.score,
      checks: {
        syntax: shown(checks.syntax),
        mx: { ...shown(checks.mx), records: [...checks.mx.records] },
        dns: { ...shown(checks.dns), addresses: [...checks.dns.addresses] },
        disposable: shown(checks.disposable),
        role: shown(checks.role),
        typo: { ...shown(checks.typo), suggestions: [...checks.typo.suggestions] },
        free_provider: shown(checks.free_provider),
        random: shown(checks.random),
      },
      suggestions: [...result.suggestions],
      signals: result.signals.map((signal) => ({ signal, ...WEIGHTS[signal] })),
      normalized: address.ok ? address.key : null,
      subaddress: address.ok ? address.subaddress : null,
      list_version: listVersion,
      timestamp: new Date(result.atMs).toISOString(),
    };
  };
}

/** Signals are shown once, with the score. */
function shown<F extends Finding>({ signals: _, ...rest }: F): Omit<F, 'signals'> {
  return rest;
}
