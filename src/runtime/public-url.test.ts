import { describe, expect, it } from 'vitest';
import { trackingProblem } from './public-url.ts';

const live = { mode: 'live', allowPrivateDestinations: false } as const;

describe('links in live mail', () => {
  it.each(['https://mail.example.org', 'https://mail.example.org:8443/p', 'https://8.8.4.4'])(
    'may lead to %s',
    (publicUrl) => expect(trackingProblem({ ...live, publicUrl })).toBeNull(),
  );

  it.each([
    'http://mail.example.org',
    'http://localhost:3000',
    'https://localhost',
    'https://127.0.0.1',
    'https://[::1]',
    'https://vm:3000',
    'https://app.localhost',
  ])('do not lead to %s', (publicUrl) => {
    expect(trackingProblem({ ...live, publicUrl })).toContain(`POSTRIDER_PUBLIC_URL is ${publicUrl}`);
  });

  it('are not checked in the sandbox and in private networks', () => {
    const publicUrl = 'http://localhost:3000';
    expect(trackingProblem({ ...live, mode: 'sandbox', publicUrl })).toBeNull();
    expect(trackingProblem({ ...live, allowPrivateDestinations: true, publicUrl })).toBeNull();
  });
});
