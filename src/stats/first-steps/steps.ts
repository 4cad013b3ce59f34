/** The set-up steps of an organization and which of them are done. Pure: facts in, a list in the usual order out. */
import type { Mode } from '../../runtime/config.ts';

export const STEPS = ['first_email', 'api_key', 'domain', 'dmarc', 'webhook', 'live'] as const;

interface FirstStep {
  readonly step: (typeof STEPS)[number];
  readonly done: boolean;
  /** The domain whose records should be published next. */
  readonly id: string | null;
}

interface FirstFacts {
  readonly mode: Mode;
  readonly hasSent: boolean;
  /** A user created a key, or used the one from the installation. */
  readonly hasKey: boolean;
  /** The organization's own domains, without the sandbox domain. */
  readonly domains: readonly OwnDomain[];
  readonly hasWebhook: boolean;
}

export interface OwnDomain {
  readonly id: string;
  readonly isVerified: boolean;
  readonly hasDmarc: boolean;
}

export function stepsOf({ mode, hasSent, hasKey, domains, hasWebhook }: FirstFacts): FirstStep[] {
  const unverified = domains.find(({ isVerified }) => !isVerified)?.id ?? null;
  const undeclared = domains.find(({ hasDmarc }) => !hasDmarc)?.id ?? null;
  return [
    step('first_email', hasSent),
    step('api_key', hasKey),
    step(
      'domain',
      domains.some(({ isVerified }) => isVerified),
      unverified,
    ),
    step(
      'dmarc',
      domains.some(({ hasDmarc }) => hasDmarc),
      undeclared,
    ),
    step('webhook', hasWebhook),
    step('live', mode === 'live'),
  ];
}

function step(name: FirstStep['step'], done: boolean, next: string | null = null): FirstStep {
  return { step: name, done, id: done ? null : next };
}
