/** Every page of the dashboard and its place. The sidebar, the tabs, the palette and the keyboard shortcuts are made from these lists. */
import type { IconName } from '../ui/icon.tsx';

export interface PageLink {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  /** The name of the tab, if it differs from the label. */
  readonly tab?: string;
  /** `g` and this letter open the page. */
  readonly key?: string;
  readonly sandboxOnly?: boolean;
  readonly ownersOnly?: boolean;
  /** Operators are owners, too. */
  readonly operatorsOnly?: boolean;
  /** The words that people search for. */
  readonly words?: string;
}

/** An item of the sidebar: its first page. The other pages are tabs beside the first page. */
export interface Section {
  readonly group: 'Send' | 'Inspect' | 'Deliverability' | null;
  readonly pages: readonly [PageLink, ...PageLink[]];
}

const APPROVALS: PageLink = {
  to: '/approvals',
  label: 'Approvals',
  icon: 'check',
  key: 'a',
  words: 'agents approve reject waiting mcp review',
};

const HOLDS: PageLink = {
  to: '/holds',
  label: 'Holds',
  icon: 'hold',
  key: 'h',
  words: 'stop sending pause release discard emergency',
};

const RECEIVING_SERVERS: PageLink = {
  to: '/sites',
  label: 'Receiving servers',
  icon: 'sites',
  key: 'q',
  words: 'sites queue waiting mail hosts pace pause resume',
};

const RECOVER_BOUNCES: PageLink = {
  to: '/undo',
  label: 'Recover bounces',
  icon: 'undo',
  key: 'u',
  words: 'undo incident bounces outage requeue send again',
};

/** The pages below `/settings`, which the palette names with their section. */
export const SETTINGS_PAGES: readonly PageLink[] = [
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

const [API_KEYS, ...OTHER_SETTINGS] = SETTINGS_PAGES as readonly [PageLink, ...PageLink[]];

export const SECTIONS: readonly Section[] = [
  {
    group: null,
    pages: [{ to: '/', label: 'Overview', icon: 'overview', key: 'o', words: 'statistics charts home' }],
  },
  {
    group: 'Send',
    pages: [{ to: '/templates', label: 'Templates', icon: 'templates', key: 't', words: 'handlebars' }],
  },
  {
    group: 'Send',
    pages: [{ to: '/domains', label: 'Domains', icon: 'domains', key: 'd', words: 'dns dkim spf verify' }],
  },
  {
    group: 'Inspect',
    pages: [
      { to: '/emails', label: 'Emails', icon: 'emails', key: 'e', words: 'messages log search' },
      {
        to: '/logs',
        label: 'Refused requests',
        icon: 'logs',
        key: 'l',
        words: 'logs errors rejected api smtp',
      },
      APPROVALS,
      HOLDS,
    ],
  },
  {
    group: 'Inspect',
    pages: [
      {
        to: '/inbox',
        label: 'Sandbox inbox',
        icon: 'inbox',
        key: 'i',
        sandboxOnly: true,
        words: 'captured',
      },
    ],
  },
  {
    group: 'Deliverability',
    pages: [
      {
        to: '/deliverability',
        label: 'Deliverability',
        icon: 'deliverability',
        tab: 'Statistics',
        key: 'y',
        words: 'providers bounce rate deferred latency workers heartbeat queue',
      },
      RECEIVING_SERVERS,
      RECOVER_BOUNCES,
    ],
  },
  {
    group: 'Deliverability',
    pages: [
      {
        to: '/suppressions',
        label: 'Suppressions',
        icon: 'suppressions',
        key: 's',
        words: 'blocked bounces unsubscribes import export',
      },
      { to: '/validation', label: 'Validation', icon: 'validation', key: 'v', words: 'check address' },
    ],
  },
  {
    group: null,
    pages: [
      {
        to: '/inbound',
        label: 'Inbound',
        icon: 'received',
        tab: 'Received mail',
        key: 'r',
        words: 'received incoming replies answers support mx',
      },
      {
        to: '/inbound/addresses',
        label: 'Inbound addresses',
        icon: 'received',
        tab: 'Addresses',
        words: 'receive routes domains mx',
      },
    ],
  },
  {
    group: null,
    pages: [
      {
        to: '/settings',
        label: 'Settings',
        icon: 'settings',
        tab: 'General',
        key: ',',
        words: 'retention limit tracking',
      },
      API_KEYS,
      { to: '/webhooks', label: 'Webhooks', icon: 'webhooks', key: 'w', words: 'endpoints events' },
      ...OTHER_SETTINGS,
    ],
  },
];

/** The list of emails has a button that opens this page. */
const COMPOSE: PageLink = {
  to: '/compose',
  label: 'Compose',
  icon: 'compose',
  key: 'c',
  words: 'send test write new email',
};

/** All pages except those below `/settings`. */
export const PAGES: readonly PageLink[] = [
  ...SECTIONS.flatMap(({ pages }) => pages).filter((page) => !SETTINGS_PAGES.includes(page)),
  COMPOSE,
];

/** The pages that the sidebar shows on top while somebody has to act on them. */
export const ON_DEMAND = { APPROVALS, HOLDS, RECEIVING_SERVERS, RECOVER_BOUNCES } as const;

/** The section of a page, or of a page below it: `/holds` and `/emails/…` belong to the emails. */
export function sectionAt(pathname: string): Section | undefined {
  if (pathname === COMPOSE.to) return sectionAt('/emails');
  return SECTIONS.find(({ pages }) =>
    pages.some(({ to }) => pathname === to || (to !== '/' && pathname.startsWith(`${to}/`))),
  );
}
