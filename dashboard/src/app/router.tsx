/** Every address of the dashboard. Pages are loaded when they are first gone to. */
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { emailSearch } from '../features/emails/search.ts';
import { logSearch } from '../features/logs/search.ts';
import { FailedPage, NotFoundPage, WaitingPage } from './fallbacks.tsx';
import { authStateQuery, meQuery } from './session.ts';
import { Shell } from './shell.tsx';

interface Context {
  readonly client: QueryClient;
}

const root = createRootRouteWithContext<Context>()({ notFoundComponent: NotFoundPage });

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const count = (value: unknown): number | undefined =>
  Number.isInteger(value) && Number(value) > 0 ? Number(value) : undefined;

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search): { to?: string } => ({ ...(text(search.to) ? { to: String(search.to) } : {}) }),
  component: lazyRouteComponent(() => import('../features/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  validateSearch: (search): { token?: string } => ({
    ...(text(search.token) ? { token: String(search.token) } : {}),
  }),
  component: lazyRouteComponent(() => import('../features/sign-in/reset-page.tsx'), 'ResetPage'),
});

const invite = createRoute({
  getParentRoute: () => root,
  path: '/invite/$token',
  component: lazyRouteComponent(() => import('../features/sign-in/invite-page.tsx'), 'InvitePage'),
});

/** Everything behind the sign-in. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: Shell,
  beforeLoad: async ({ context: { client }, location }) => {
    const state = await client.ensureQueryData(authStateQuery);
    const signedIn = state.signed_in && (await client.ensureQueryData(meQuery).catch(() => null)) !== null;
    if (signedIn) return;
    client.removeQueries({ queryKey: ['auth'] });
    throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { to: location.href } });
  },
});

const overview = createRoute({
  getParentRoute: () => app,
  path: '/',
  component: lazyRouteComponent(() => import('../features/overview/overview-page.tsx'), 'OverviewPage'),
});

const emails = createRoute({
  getParentRoute: () => app,
  path: '/emails',
  validateSearch: emailSearch,
  component: lazyRouteComponent(() => import('../features/emails/emails-page.tsx'), 'EmailsPage'),
});

const email = createRoute({
  getParentRoute: () => app,
  path: '/emails/$id',
  component: lazyRouteComponent(() => import('../features/emails/email-page.tsx'), 'EmailPage'),
});

const logs = createRoute({
  getParentRoute: () => app,
  path: '/logs',
  validateSearch: logSearch,
  component: lazyRouteComponent(() => import('../features/logs/logs-page.tsx'), 'LogsPage'),
});

const logEntry = createRoute({
  getParentRoute: () => app,
  path: '/logs/$id',
  component: lazyRouteComponent(() => import('../features/logs/log-entry-page.tsx'), 'LogEntryPage'),
});

const compose = createRoute({
  getParentRoute: () => app,
  path: '/compose',
  validateSearch: (search): { template?: string; to?: string } => ({
    ...(text(search.template) ? { template: String(search.template) } : {}),
    ...(text(search.to) ? { to: String(search.to) } : {}),
  }),
  component: lazyRouteComponent(() => import('../features/compose/compose-page.tsx'), 'ComposePage'),
});

const inbox = createRoute({
  getParentRoute: () => app,
  path: '/inbox',
  validateSearch: (search): { page?: number; to?: string; q?: string; show?: 'unread' } => ({
    ...(count(search.page) ? { page: Number(search.page) } : {}),
    ...(text(search.to) ? { to: String(search.to) } : {}),
    ...(search.q === undefined || search.q === '' ? {} : { q: String(search.q) }),
    ...(search.show === 'unread' ? { show: 'unread' as const } : {}),
  }),
  component: lazyRouteComponent(() => import('../features/inbox/inbox-page.tsx'), 'InboxPage'),
});

const inboxMessage = createRoute({
  getParentRoute: () => app,
  path: '/inbox/$id',
  component: lazyRouteComponent(() => import('../features/inbox/message-page.tsx'), 'MessagePage'),
});

const templates = createRoute({
  getParentRoute: () => app,
  path: '/templates',
  validateSearch: (search): { page?: number; search?: string } => ({
    ...(count(search.page) ? { page: Number(search.page) } : {}),
    ...(text(search.search) ? { search: String(search.search) } : {}),
  }),
  component: lazyRouteComponent(() => import('../features/templates/templates-page.tsx'), 'TemplatesPage'),
});

const template = createRoute({
  getParentRoute: () => app,
  path: '/templates/$id',
  component: lazyRouteComponent(() => import('../features/templates/template-page.tsx'), 'TemplatePage'),
});

const deliverability = createRoute({
  getParentRoute: () => app,
  path: '/deliverability',
  component: lazyRouteComponent(
    () => import('../features/deliverability/deliverability-page.tsx'),
    'DeliverabilityPage',
  ),
});

const sites = createRoute({
  getParentRoute: () => app,
  path: '/sites',
  validateSearch: (search): { view?: 'installation' } => ({
    ...(search.view === 'installation' ? { view: search.view } : {}),
  }),
  component: lazyRouteComponent(() => import('../features/sites/sites-page.tsx'), 'SitesPage'),
});

const site = createRoute({
  getParentRoute: () => app,
  path: '/sites/$id',
  component: lazyRouteComponent(() => import('../features/sites/site-page.tsx'), 'SitePage'),
});

const holds = createRoute({
  getParentRoute: () => app,
  path: '/holds',
  validateSearch: (search): { page?: number; view?: 'installation' } => ({
    ...(count(search.page) ? { page: Number(search.page) } : {}),
    ...(search.view === 'installation' ? { view: search.view } : {}),
  }),
  component: lazyRouteComponent(() => import('../features/holds/holds-page.tsx'), 'HoldsPage'),
});

const undo = createRoute({
  getParentRoute: () => app,
  path: '/undo',
  component: lazyRouteComponent(() => import('../features/undos/undo-page.tsx'), 'UndoPage'),
});

const domains = createRoute({
  getParentRoute: () => app,
  path: '/domains',
  component: lazyRouteComponent(() => import('../features/domains/domains-page.tsx'), 'DomainsPage'),
});

const domain = createRoute({
  getParentRoute: () => app,
  path: '/domains/$id',
  component: lazyRouteComponent(() => import('../features/domains/domain-page.tsx'), 'DomainPage'),
});

const suppressions = createRoute({
  getParentRoute: () => app,
  path: '/suppressions',
  validateSearch: (search): { page?: number; email?: string; search?: string; reason?: string } => ({
    ...(count(search.page) ? { page: Number(search.page) } : {}),
    ...(text(search.email) ? { email: String(search.email) } : {}),
    ...(text(search.search) ? { search: String(search.search) } : {}),
    ...(text(search.reason) ? { reason: String(search.reason) } : {}),
  }),
  component: lazyRouteComponent(
    () => import('../features/suppressions/suppressions-page.tsx'),
    'SuppressionsPage',
  ),
});

const validation = createRoute({
  getParentRoute: () => app,
  path: '/validation',
  component: lazyRouteComponent(() => import('../features/validation/validation-page.tsx'), 'ValidationPage'),
});

const webhooks = createRoute({
  getParentRoute: () => app,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('../features/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});

const webhook = createRoute({
  getParentRoute: () => app,
  path: '/webhooks/$id',
  component: lazyRouteComponent(() => import('../features/webhooks/webhook-page.tsx'), 'WebhookPage'),
});

const settings = createRoute({
  getParentRoute: () => app,
  path: '/settings',
  component: lazyRouteComponent(() => import('../features/settings/settings-layout.tsx'), 'SettingsLayout'),
});

const general = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: lazyRouteComponent(() => import('../features/settings/general-page.tsx'), 'GeneralPage'),
});

const apiKeys = createRoute({
  getParentRoute: () => settings,
  path: '/api-keys',
  component: lazyRouteComponent(() => import('../features/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
});

const members = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  component: lazyRouteComponent(() => import('../features/members/members-page.tsx'), 'MembersPage'),
});

const account = createRoute({
  getParentRoute: () => settings,
  path: '/account',
  component: lazyRouteComponent(() => import('../features/account/account-page.tsx'), 'AccountPage'),
});

const confirmAddress = createRoute({
  getParentRoute: () => app,
  path: '/confirm-address',
  validateSearch: (search): { token?: string } => ({
    ...(text(search.token) ? { token: String(search.token) } : {}),
  }),
  component: lazyRouteComponent(
    () => import('../features/account/confirm-address-page.tsx'),
    'ConfirmAddressPage',
  ),
});

const auditLog = createRoute({
  getParentRoute: () => settings,
  path: '/audit-log',
  validateSearch: (search): { action?: string; actor_id?: string } => ({
    ...(text(search.action) ? { action: String(search.action) } : {}),
    ...(text(search.actor_id) ? { actor_id: String(search.actor_id) } : {}),
  }),
  component: lazyRouteComponent(() => import('../features/audit-log/audit-log-page.tsx'), 'AuditLogPage'),
});

const doctor = createRoute({
  getParentRoute: () => settings,
  path: '/doctor',
  component: lazyRouteComponent(() => import('../features/doctor/doctor-page.tsx'), 'DoctorPage'),
});

const routes = createRoute({
  getParentRoute: () => settings,
  path: '/routes',
  component: lazyRouteComponent(() => import('../features/routes/routes-page.tsx'), 'RoutesPage'),
});

const routeTree = root.addChildren([
  signIn,
  resetPassword,
  invite,
  app.addChildren([
    overview,
    emails,
    email,
    logs,
    logEntry,
    compose,
    inbox,
    inboxMessage,
    templates,
    template,
    deliverability,
    sites,
    holds,
    undo,
    site,
    domains,
    domain,
    suppressions,
    validation,
    webhooks,
    webhook,
    confirmAddress,
    settings.addChildren([general, apiKeys, members, account, auditLog, doctor, routes]),
  ]),
]);

export function createAppRouter(client: QueryClient) {
  return createRouter({
    routeTree,
    context: { client },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultPendingComponent: WaitingPage,
    defaultErrorComponent: FailedPage,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
