/** What an organization has set up, and what it has not yet. Pure: from facts to a list in the order people go about it. */
import type { Mode } from '../../runtime/config.ts';

export const STEPS = ['first_email', 'api_key', 'domain', 'dmarc', 'webhook', 'live'] as const;

export interface FirstStep {
  readonly step: (typeof STEPS)[number];
  readonly done: boolean;
  /** Of the domain whose records are to be published next. */
  readonly id: string | null;
}

export interface FirstFacts {
  readonly mode: Mode;
  readonly hasSent: boolean;
  /** Somebody made one, or uses the one that came with the installation. */
  readonly hasKey: boolean;
  /** Those that are the organization's own; the sandbox gives it one. */
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
