/** Where one can go. The sidebar, the palette and the keyboard shortcuts are all made from this list. */
import type { IconName } from '../ui/icon.tsx';

export interface PageLink {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  /** `g` and this letter go there. */
  readonly key: string;
  readonly group: 'mail' | 'setup';
  readonly sandboxOnly?: boolean;
  /** Words people may look for it by. */
  readonly words?: string;
}

export const PAGES: readonly PageLink[] = [
  { to: '/', label: 'Overview', icon: 'overview', key: 'o', group: 'mail', words: 'statistics charts home' },
  { to: '/emails', label: 'Emails', icon: 'emails', key: 'e', group: 'mail', words: 'messages log search' },
  {
    to: '/logs',
    label: 'Logs',
    icon: 'logs',
    key: 'l',
    group: 'mail',
    words: 'refused requests errors rejected api smtp',
  },
  {
    to: '/compose',
    label: 'Compose',
    icon: 'compose',
    key: 'c',
    group: 'mail',
    words: 'send test write new email',
  },
  {
    to: '/inbox',
    label: 'Sandbox inbox',
    icon: 'inbox',
    key: 'i',
    group: 'mail',
    sandboxOnly: true,
    words: 'captured',
  },
  {
    to: '/inbound',
    label: 'Received',
    icon: 'received',
    key: 'r',
    group: 'mail',
    words: 'inbound incoming replies answers support routes mx',
  },
  { to: '/templates', label: 'Templates', icon: 'templates', key: 't', group: 'mail', words: 'handlebars' },
  {
    to: '/deliverability',
    label: 'Deliverability',
    icon: 'deliverability',
    key: 'y',
    group: 'mail',
    words: 'providers bounce rate deferred latency workers heartbeat queue',
  },
  {
    to: '/sites',
    label: 'Sites',
    icon: 'sites',
    key: 'q',
    group: 'mail',
    words: 'queue waiting receiving servers mail hosts pace pause resume',
  },
  {
    to: '/approvals',
    label: 'Approvals',
    icon: 'check',
    key: 'a',
    group: 'mail',
    words: 'agents approve reject waiting mcp review',
  },
  {
    to: '/holds',
    label: 'Holds',
    icon: 'hold',
    key: 'h',
    group: 'mail',
    words: 'stop sending pause release discard emergency',
  },
  {
    to: '/undo',
    label: 'Undo',
    icon: 'undo',
    key: 'u',
    group: 'mail',
    words: 'incident bounces outage requeue send again',
  },
  {
    to: '/domains',
    label: 'Domains',
    icon: 'domains',
    key: 'd',
    group: 'setup',
    words: 'dns dkim spf verify',
  },
  {
    to: '/suppressions',
    label: 'Suppressions',
    icon: 'suppressions',
    key: 's',
    group: 'setup',
    words: 'blocked bounces unsubscribes import export',
  },
  {
    to: '/validation',
    label: 'Validation',
    icon: 'validation',
    key: 'v',
    group: 'setup',
    words: 'check address',
  },
  {
    to: '/webhooks',
    label: 'Webhooks',
    icon: 'webhooks',
    key: 'w',
    group: 'setup',
    words: 'endpoints events',
  },
  {
    to: '/settings',
    label: 'Settings',
    icon: 'settings',
    key: ',',
    group: 'setup',
    words: 'retention limit tracking',
  },
];

/** The pages of the settings after the first. Their tabs and the palette are made from this list. */
export const SETTINGS_PAGES: readonly {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  readonly words?: string;
  readonly ownersOnly?: boolean;
  /** An operator is an owner, too. */
  readonly operatorsOnly?: boolean;
}[] = [
  { to: '/settings/api-keys', label: 'API keys', icon: 'key', words: 'create token secret' },
  {
    to: '/settings/streams',
    label: 'Streams',
    icon: 'emails',
    words: 'bulk newsletter transactional limit rate priority',
  },
  {
    to: '/settings/members',
    label: 'Members',
    icon: 'members',
    words: 'invite users roles team',
    ownersOnly: true,
  },
  {
    to: '/settings/account',
    label: 'Account',
    icon: 'members',
    words: 'password two factor totp sign out',
  },
  {
    to: '/settings/audit-log',
    label: 'Audit log',
    icon: 'book',
    words: 'who did what',
    ownersOnly: true,
  },
  {
    to: '/settings/routes',
    label: 'Routes',
    icon: 'out',
    words: 'relay transport pool source address ip smtp fallback',
    operatorsOnly: true,
  },
  {
    to: '/settings/doctor',
    label: 'Doctor',
    icon: 'validation',
    words: 'check health port 25 dns blocklist certificate disk problems',
    operatorsOnly: true,
  },
];
