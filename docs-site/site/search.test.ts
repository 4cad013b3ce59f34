/** What readers type into the search, on the index of the pages as they are. */
import MiniSearch from 'minisearch';
import { beforeAll, describe, expect, it } from 'vitest';
import { sectionsOf } from './navigation.ts';
import { readReference } from './reference.ts';
import { searchIndex } from './search-index.ts';
import { SEARCH_OPTIONS, search } from './search-options.ts';
import { SEARCH_WORDS } from './search-words.ts';
import { readPages } from './sources.ts';

/** Typed words, and the page that answers them; `|` where two pages answer equally well. */
const QUESTIONS: readonly (readonly [string, string])[] = [
  ['vps', 'deploy/going-live'],
  ['kubernetes', 'deploy/kubernetes'],
  ['k8s', 'deploy/kubernetes'],
  ['production', 'deploy/going-live'],
  ['how do I deploy this on a VPS', 'deploy/going-live'],
  ['high availability', 'scale/failover|scale/several-hosts'],
  ['multi-tenant', 'operate/users'],
  ['gdpr', 'operate/erasure'],
  ['delete all data of a person', 'operate/erasure'],
  ['sso', 'operate/users'],
  ['docker compose', 'deploy/docker'],
  ['run with my own postgres', 'deploy/postgresql'],
  ['bounce rate', 'track/deliverability'],
  ['my mail goes to the spam folder', 'track/deliverability|track/explain'],
  ['why did this mail bounce', 'track/explain'],
  ['email not delivered', 'track/explain'],
  ['sendgrid alternative', 'migrate/sendgrid'],
  ['migrate from resend', 'migrate/resend'],
  ['mailgun api', 'migrate/mailgun'],
  ['postmark webhooks', 'migrate/postmark'],
  ['laravel smtp', 'migrate/smtp'],
  ['rate limit', 'reference/errors'],
  ['429 too many requests', 'reference/errors'],
  ['2fa', 'operate/users'],
  ['backup', 'operate/backup'],
  ['how to restore a backup', 'operate/backup'],
  ['upgrade without downtime', 'operate/upgrade'],
  ['dkim', 'domains/verify|domains/rotate-dkim'],
  ['rotate dkim key', 'domains/rotate-dkim'],
  ['spf record', 'domains/verify'],
  ['dmarc reports', 'domains/reports'],
  ['verify webhook signature in php', 'track/verify-webhooks'],
  ['receive replies', 'receive/replies'],
  ['inbound email', 'receive/inbound'],
  ['schedule an email for later', 'send/scheduling'],
  ['idempotency key', 'send/scheduling'],
  ['send attachments', 'send/emails'],
  ['send email from python', 'clients/python|start/quick-start'],
  ['php client', 'clients/php'],
  ['typescript sdk', 'clients/javascript'],
  ['unsubscribe link', 'send/tracking'],
  ['suppression list', 'track/suppressions'],
  ['what happens when the database dies', 'operate/runbooks'],
  ["let's encrypt certificate", 'deploy/certificates'],
  ['nginx reverse proxy', 'deploy/reverse-proxy'],
  ['environment variables', 'deploy/configuration'],
  ['prometheus metrics', 'operate/monitoring'],
  ['port 25 blocked', 'deploy/going-live'],
  ['warm up ip address', 'operate/routing|deploy/going-live'],
  ['how much memory do I need', 'deploy/sizing'],
  ['leaked api key', 'operate/runbooks|operate/api-keys'],
  ['blacklisted ip', 'operate/runbooks'],
  ['claude mcp server', 'send/agents'],
  ['relay mail through amazon ses', 'operate/routing'],
  ['mjml templates', 'send/templates'],
  ['open tracking pixel', 'send/tracking'],
  ['stop all sending now', 'operate/holds'],
  ['test emails in ci', 'start/testing'],
  ['command line', 'reference/cli'],
  ['cli commands', 'reference/cli'],
  ['bounce codes', 'track/reasons'],
  ['what does mailbox_full mean', 'track/reasons'],
  ['hard bounce', 'track/reasons|receive/bounces'],
  ['database dies', 'operate/runbooks'],
  ['database down', 'operate/runbooks'],
  ['database failure', 'operate/runbooks'],
  ['postgres crash', 'operate/runbooks|deploy/postgresql'],
  ['upgrade', 'operate/upgrade'],
  ['update postrider', 'operate/upgrade'],
  ['verify webhook php', 'track/verify-webhooks'],
  ['php', 'clients/php'],
  ['bounced', 'track/explain|track/reasons'],
  ['550 5.1.1', 'track/explain|track/reasons'],
  ['migrate from sendgrid', 'migrate/sendgrid'],
  ['python client', 'clients/python'],
  ['send first mail python', 'start/quick-start|clients/python'],
  ['what is a cell', 'concepts|scale/cells'],
];

const MISTYPED: readonly (readonly [string, string])[] = [
  ['kuberntes', 'deploy/kubernetes'],
  ['webhok signatur', 'track/verify-webhooks'],
  ['sengrid', 'migrate/sendgrid'],
  ['idempotancy', 'send/scheduling'],
  ['supression list', 'track/suppressions'],
  ['postgress database', 'deploy/postgresql'],
  ['certifcate', 'deploy/certificates'],
  ['unsubcribe', 'send/tracking'],
];

/** Read by who builds Postrider, or by who upgrades it. */
const LATE = /^(changelog|decisions\/|internals\/)/;

describe('the search', () => {
  let index: MiniSearch;
  beforeAll(async () => {
    const pages = [...readPages(), ...(await readReference()).pages];
    index = MiniSearch.loadJSON(searchIndex(pages, sectionsOf(pages), 'html'), SEARCH_OPTIONS as never);
  });
  const found = (wanted: string) => search(index, wanted).map(({ id }) => String(id).replace('.html', ''));
  const firstPages = (wanted: string) =>
    found(wanted)
      .slice(0, 3)
      .map((id) => id.replace(/#.*/, ''));

  it.each([...QUESTIONS, ...MISTYPED])('finds for %j one of the first three in %s', (wanted, expected) => {
    expect(firstPages(wanted).join(' ')).toMatch(new RegExp(`(^| )(${expected})( |$)`));
  });

  it('shows pages about a task before the changelog, decisions and internals', () => {
    const first = QUESTIONS.map(([wanted]) => [wanted, found(wanted)[0]] as const);
    expect(first.filter(([, page]) => page === undefined || LATE.test(page))).toEqual([]);
  });

  it('finds settings, error codes and commands by their exact names', () => {
    expect(firstPages('POSTRIDER_SANDBOX_SPEED')).toContain('start/sandbox');
    expect(found('RATE_LIMITED')[0]).toMatch(/^reference\/errors#rate/);
    expect(found('rate limit')[0]).toBe('reference/errors#rate-limit');
    expect(firstPages('postrider org move')).toContain('scale/cells');
  });

  it('finds nothing for a word that is in no page', () => {
    expect(found('qqqqxyz')).toEqual([]);
    expect(found('')).toEqual([]);
  });

  it('shows two passages of a page at most', () => {
    const pages = found('webhook').map((id) => id.replace(/#.*/, ''));
    const counts = new Set(pages.map((page) => pages.filter((other) => other === page).length));
    expect([...counts].toSorted()).toEqual([1, 2]);
  });

  it('finds every page by each of the words that are listed for it', () => {
    const typed = Object.entries(SEARCH_WORDS).flatMap(([place, words]) =>
      words.split(' ').map((word) => ({ place, word })),
    );
    expect(typed.filter(({ place, word }) => !found(word).includes(place))).toEqual([]);
    expect(new Set(typed.map(({ word }) => word)).size).toBeGreaterThan(300);
  });
});
