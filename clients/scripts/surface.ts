/**
 * What the methods of the clients are called, in Python's spelling. This part is written by hand: signatures, types and descriptions
 * come from the OpenAPI document by the name of the operation. Everything is here that an API key may do.
 */

import { SETTING_NAMES } from '../../src/organizations/settings/list.ts';

export interface MethodPlan {
  readonly operation: string;
  /** The body has this one field, which is given as it is. */
  readonly field?: string;
  /** Goes through all pages. */
  readonly isEach?: boolean;
}

export interface ResourcePlan {
  readonly about: string;
  readonly methods: Readonly<Record<string, string | MethodPlan>>;
}

const each = (operation: string): MethodPlan => ({ operation, isEach: true });
const one = (operation: string, field: string): MethodPlan => ({ operation, field });
/** Server-sent events: `events.follow` reads them, and is written by hand. */
export const BY_HAND: ReadonlySet<string> = new Set(['GET /events/stream']);

export const SURFACE: Readonly<Record<string, ResourcePlan>> = {
  emails: {
    about: 'Sending, and what became of it.',
    methods: {
      send: 'POST /emails/send',
      send_batch: 'POST /emails/batch',
      send_mixed_batch: 'POST /emails/batch/mixed',
      dry_run: 'POST /emails/send/dry-run',
      dry_run_batch: 'POST /emails/batch/dry-run',
      dry_run_mixed_batch: 'POST /emails/batch/mixed/dry-run',
      get_batch: 'GET /emails/batch/{batch_id}',
      get: 'GET /emails/{id}',
      content: 'GET /emails/{id}/content',
      attachment: 'GET /emails/{id}/attachments/{number}',
      raw: 'GET /emails/{id}/raw',
      suppressions: 'GET /emails/{id}/suppressions',
      explain: 'GET /emails/{id}/explain',
      proof: 'GET /emails/{id}/proof',
      list: 'GET /emails',
      all: each('GET /emails'),
      cancel: 'POST /emails/{id}/cancel',
      reschedule: one('PATCH /emails/{id}', 'scheduled_at'),
      retry: 'POST /emails/{id}/retry',
      resend: 'POST /emails/{id}/resend',
      cancel_many: one('POST /emails/cancel', 'ids'),
      retry_many: one('POST /emails/retry', 'ids'),
      resend_many: one('POST /emails/resend', 'ids'),
    },
  },
  domains: {
    about: 'Domains to send from.',
    methods: {
      create: one('POST /domains', 'domain'),
      list: 'GET /domains',
      export: 'GET /domains/export',
      get: 'GET /domains/{id}',
      verify: 'GET /domains/{id}/verify',
      rotate_dkim: 'POST /domains/{id}/dkim/rotate',
      cancel_dkim_rotation: 'DELETE /domains/{id}/dkim/rotate',
      dmarc_reports: 'GET /domains/{id}/reports/dmarc',
      tls_reports: 'GET /domains/{id}/reports/tls',
      set_tracking: 'PUT /domains/{id}/tracking',
      delete: 'DELETE /domains/{id}',
    },
  },
  templates: {
    about: 'Templates and their versions.',
    methods: {
      list: 'GET /templates',
      all: each('GET /templates'),
      create: 'POST /templates',
      get: 'GET /templates/{id}',
      update: 'PUT /templates/{id}',
      delete: 'DELETE /templates/{id}',
      check: 'POST /templates/check',
      validate: 'POST /templates/validate',
      preview: 'POST /templates/{id}/preview',
      save_draft: 'PUT /templates/{id}/draft',
      publish: 'POST /templates/{id}/publish',
      discard_draft: 'DELETE /templates/{id}/draft',
      send_test: 'POST /templates/{id}/test',
      dry_run_test: 'POST /templates/{id}/test/dry-run',
      versions: 'GET /templates/{id}/versions',
      all_versions: each('GET /templates/{id}/versions'),
      restore: 'POST /templates/{id}/versions/{version}/restore',
      sends: 'GET /templates/{id}/sends',
    },
  },
  search: {
    about: 'One search over everything of the organization.',
    methods: { find: 'GET /search' },
  },
  suppressions: {
    about: 'Who must not be mailed.',
    methods: {
      list: 'GET /suppressions',
      all: each('GET /suppressions'),
      create: 'POST /suppressions',
      delete: 'DELETE /suppressions/{id}',
      delete_many: one('POST /suppressions/delete', 'ids'),
      import_list: 'POST /suppressions/import',
      get_import: 'GET /suppressions/imports/{id}',
      export: 'GET /suppressions/export',
    },
  },
  validation: {
    about: 'Is this an address that takes mail?',
    methods: {
      validate: one('POST /emails/validate', 'email'),
      validate_batch: one('POST /emails/validate/batch', 'emails'),
    },
  },
  webhooks: {
    about: 'Endpoints of yours that are told what happens, and the log of what they were told.',
    methods: {
      create: 'POST /webhooks',
      list: 'GET /webhooks',
      get: 'GET /webhooks/{id}',
      update: 'PATCH /webhooks/{id}',
      delete: 'DELETE /webhooks/{id}',
      send_test: 'POST /webhooks/{id}/test',
      rotate_secret: 'POST /webhooks/{id}/rotate-secret',
      deliveries: 'GET /webhooks/{id}/deliveries',
      all_deliveries: each('GET /webhooks/{id}/deliveries'),
      delivery: 'GET /webhooks/{id}/deliveries/{delivery_id}',
      preview: 'GET /emails/{id}/events/{event_id}/webhook',
      stats: 'GET /webhooks/{id}/stats',
      replay: 'POST /webhooks/{id}/deliveries/{delivery_id}/replay',
      replay_range: 'POST /webhooks/{id}/replay',
    },
  },
  events: {
    about: 'Everything that happens, the newest first.',
    methods: { list: 'GET /events', all: each('GET /events') },
  },
  stats: {
    about: 'Numbers for an overview.',
    methods: {
      overview: 'GET /stats',
      deliverability: 'GET /stats/deliverability',
      workers: 'GET /stats/workers',
      attention: 'GET /stats/attention',
      first_steps: 'GET /first-steps',
    },
  },
  sandbox: {
    about:
      'The inbox of the sandbox, where every mail ends up that would have been delivered. Sandbox mode only.',
    methods: {
      list: 'GET /sandbox/messages',
      all: each('GET /sandbox/messages'),
      get: 'GET /sandbox/messages/{id}',
      latest: 'GET /sandbox/messages/latest',
      act: 'POST /sandbox/messages/{id}/actions',
      raw: 'GET /sandbox/messages/{id}/raw',
      checks: 'GET /sandbox/messages/{id}/checks',
      check_links: 'POST /sandbox/messages/{id}/links/check',
      mark: one('PATCH /sandbox/messages/{id}', 'is_read'),
      mark_all: one('PATCH /sandbox/messages', 'is_read'),
      delete: 'DELETE /sandbox/messages/{id}',
      clear: 'DELETE /sandbox/messages',
      sample_reports: 'POST /sandbox/domains/{id}/reports',
      create_organization: 'POST /sandbox/organizations',
      delete_organization: 'DELETE /sandbox/organization',
    },
  },
  api_keys: {
    about: 'API keys.',
    methods: {
      list: 'GET /api-keys',
      all: each('GET /api-keys'),
      create: 'POST /api-keys',
      current: 'GET /api-keys/current',
      update: 'PATCH /api-keys/{id}',
      revoke: 'DELETE /api-keys/{id}',
      rotate: 'POST /api-keys/{id}/rotate',
      usage: 'GET /api-keys/{id}/usage',
    },
  },
  inbound: {
    about: 'Mail that you receive.',
    methods: {
      list: 'GET /inbound',
      all: each('GET /inbound'),
      get: 'GET /inbound/{id}',
      attachment: 'GET /inbound/{id}/attachments/{number}',
      raw: 'GET /inbound/{id}/raw',
      reply: 'POST /inbound/{id}/reply',
      delete: 'DELETE /inbound/{id}',
      domains: 'GET /inbound/domains',
      add_domain: one('POST /inbound/domains', 'domain'),
      verify_domain: 'GET /inbound/domains/{domain}/verify',
      remove_domain: 'DELETE /inbound/domains/{domain}',
      routes: 'GET /inbound/routes',
      create_route: 'POST /inbound/routes',
      get_route: 'GET /inbound/routes/{id}',
      update_route: 'PATCH /inbound/routes/{id}',
      delete_route: 'DELETE /inbound/routes/{id}',
    },
  },
  streams: {
    about: 'Kinds of mail that are kept apart.',
    methods: {
      list: 'GET /streams',
      get: 'GET /streams/{name}',
      create: 'POST /streams',
      update: 'PATCH /streams/{name}',
      delete: 'DELETE /streams/{name}',
    },
  },
  views: {
    about: 'Filters of lists, saved under a name.',
    methods: {
      list: 'GET /views',
      create: 'POST /views',
      update: 'PATCH /views/{id}',
      delete: 'DELETE /views/{id}',
    },
  },
  approvals: {
    about: 'Mail that waits for approval: people decide, who are signed in.',
    methods: {
      list: 'GET /approvals',
      all: each('GET /approvals'),
      get: 'GET /approvals/{id}',
      message: 'GET /approvals/{id}/message',
      part: 'GET /approvals/{id}/parts/{number}',
      raw: 'GET /approvals/{id}/raw',
    },
  },
  holds: {
    about: 'Mail that is held back.',
    methods: {
      list: 'GET /holds',
      all: each('GET /holds'),
      create: 'POST /holds',
      get: 'GET /holds/{id}',
      release: 'POST /holds/{id}/release',
      discard: 'POST /holds/{id}/discard',
      release_many: one('POST /holds/release', 'ids'),
      discard_many: 'POST /holds/discard',
    },
  },
  undos: {
    about: 'Withdrawing what was sent by mistake.',
    methods: {
      list: 'GET /undos',
      all: each('GET /undos'),
      preview: 'POST /undos/preview',
      create: 'POST /undos',
      get: 'GET /undos/{id}',
    },
  },
  request_logs: {
    about: 'Requests that were made with the keys of the organization.',
    methods: {
      list: 'GET /request-logs',
      all: each('GET /request-logs'),
      get: 'GET /request-logs/{id}',
    },
  },
  settings: {
    about: 'What an organization decides for itself.',
    methods: settingMethods(),
  },
  sites: {
    about: 'The mail servers that mail goes to, and how they take it.',
    methods: { list: 'GET /sites', get: 'GET /sites/{id}' },
  },
  feedback_loops: {
    about: 'Where providers tell who complained.',
    methods: { list: 'GET /feedback-loops', update: 'PUT /feedback-loops/{loop}/{subject}' },
  },
  organization: {
    about: 'The organization that the key belongs to.',
    methods: { get: 'GET /organization' },
  },
};

function settingMethods(): Record<string, string> {
  return Object.fromEntries(
    SETTING_NAMES.flatMap((setting) => {
      const name = setting.replaceAll('-', '_');
      return [
        [name, `GET /settings/${setting}`],
        [`update_${name}`, `PUT /settings/${setting}`],
      ];
    }),
  );
}
