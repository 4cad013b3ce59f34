import type { ReactNode } from 'react';

export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'none';

const TONES: Readonly<Record<string, Tone>> = {
  delivered: 'good',
  opened: 'good',
  clicked: 'good',
  pass: 'good',
  verified: 'good',
  deliverable: 'good',
  done: 'good',
  bounced: 'bad',
  failed: 'bad',
  fail: 'bad',
  rejected: 'bad',
  complained: 'bad',
  unsubscribed: 'warn',
  undeliverable: 'bad',
  hard_bounce: 'bad',
  complaint: 'bad',
  deferred: 'warn',
  retrying: 'warn',
  partly_delivered: 'warn',
  withdrawn: 'warn',
  superseded: 'warn',
  warn: 'warn',
  risky: 'warn',
  unknown: 'warn',
  pending: 'info',
  queued: 'info',
  processing: 'info',
  scheduled: 'info',
  awaiting_approval: 'warn',
  held: 'warn',
  expired: 'warn',
  waiting: 'info',
  running: 'info',
};

/** A state in a word and a colour; the colour never says anything alone. */
export function Status({ value }: { readonly value: string }) {
  return <Badge tone={TONES[value] ?? 'none'}>{words(value)}</Badge>;
}

export function Badge({ tone = 'none', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={`badge ${tone === 'none' ? 'plain' : tone}`}>{children}</span>;
}

export function words(code: string): string {
  return code.replaceAll('_', ' ');
}
