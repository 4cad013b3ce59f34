/** Ways to more rights than a key has. */
import { type AgentFixture, LISTED, statusAndBody } from './agent-fixture.ts';
import type { Way } from './ways-to-others.ts';

const FORBIDDEN = /^403 /;

type Asked = readonly [method: string, path: string, body?: unknown];

const may = (name: string, asked: (fixture: AgentFixture) => Asked, answer = FORBIDDEN): Way => ({
  name: `the key itself ${name}`,
  answer,
  go: async (fixture) => {
    const [method, path, body] = asked(fixture);
    return statusAndBody(await fixture.server.api(method, path, body, fixture.keys.guarded.key));
  },
});

export const WAYS_BY_RIGHTS: readonly Way[] = [
  may('makes a key', () => ['POST', '/api-keys', { name: 'free', scope: 'send' }]),
  may('changes its policy', ({ keys }) => ['PATCH', `/api-keys/${keys.guarded.id}`, { policy: null }]),
  may('rotates itself', ({ keys }) => ['POST', `/api-keys/${keys.guarded.id}/rotate`, {}]),
  may(
    'changes a template',
    ({ templates }) => ['PUT', `/templates/${templates.welcome}`, { html: 'Pay' }],
    /^40[34] /,
  ),
  may('makes a template', () => ['POST', '/templates', { name: 'x', subject: 'x', html: 'x' }]),
  may('sends a test of a template', ({ templates, org }) => [
    ...(['POST', `/templates/${templates.welcome}/test`] as const),
    { from: { email: `a@${org.domain}` }, to: { email: LISTED } },
  ]),
  may('adds a webhook', () => ['POST', '/webhooks', { url: 'https://evil.example/hook' }]),
  may('adds a domain', () => ['POST', '/domains', { domain: 'evil.example' }]),
  may('adds a suppression', () => ['POST', '/suppressions', { email: LISTED, reason: 'manual' }]),
  may('takes a suppression away', () => ['DELETE', '/suppressions/sup_00000000000000000000']),
  may('places a hold', () => ['POST', '/holds', { scope: 'organization', reason: 'x' }]),
  may('answers mail that came in', ({ org: { id } }) => ['POST', `/inbound/${id}/reply`, { text: 'Hi' }]),
  may('reads the log of requests', () => ['GET', '/request-logs']),
  may('reads what others were sent', ({ org: { id } }) => ['GET', `/emails/${id}/content`]),
];
