/** Every address of the dashboard. Pages are loaded when they are first gone to. */
import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter } from '@tanstack/react-router';
import { emailSearch } from '../features/emails/search.ts';
import { logSearch } from '../features/logs/search.ts';
import { FailedPage, WaitingPage } from './fallbacks.tsx';
import { app, frontRoutes, root } from './front-routes.tsx';
import { lazyPage } from './lazy-page.ts';
import { count, text } from './search-values.ts';
import { settingsRoutes } from './settings-routes.tsx';

const overview = createRoute({
  getParentRoute: () => app,
  path: '/',
  component: lazyPage(() => import('../features/overview/overview-page.tsx'), 'OverviewPage'),
});

const emails = createRoute({
  getParentRoute: () => app,
  path: '/emails',
  validateSearch: emailSearch,
  component: lazyPage(() => import('../features/emails/emails-page.tsx'), 'EmailsPage'),
});

const email = createRoute({
  getParentRoute: () => app,
  path: '/emails/$id',
  component: lazyPage(() => import('../features/emails/email-page.tsx'), 'EmailPage'),
});

const logs = createRoute({
  getParentRoute: () => app,
  path: '/logs',
  validateSearch: logSearch,
  component: lazyPage(() => import('../features/logs/logs-page.tsx'), 'LogsPage'),
});

const logEntry = createRoute({
  getParentRoute: () => app,
  path: '/logs/$id',
  component: lazyPage(() => import('../features/logs/log-entry-page.tsx'), 'LogEntryPage'),
});

const compose = createRoute({
  getParentRoute: () => app,
  path: '/compose',
  validateSearch: (search): { template?: string; to?: string } => ({
    ...(text(search.template) ? { template: String(search.template) } : {}),
    ...(text(search.to) ? { to: String(search.to) } : {}),
  }),
  component: lazyPage(() => import('../features/compose/compose-page.tsx'), 'ComposePage'),
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
  component: lazyPage(() => import('../features/inbox/inbox-page.tsx'), 'InboxPage'),
});

const inboxMessage = createRoute({
  getParentRoute: () => app,
  path: '/inbox/$id',
  component: lazyPage(() => import('../features/inbox/message-page.tsx'), 'MessagePage'),
});

const received = createRoute({
  getParentRoute: () => app,
  path: '/inbound',
  validateSearch: (search): { q?: string; to?: string } => ({
    ...(search.q === undefined || search.q === '' ? {} : { q: String(search.q) }),
    ...(text(search.to) ? { to: String(search.to) } : {}),
  }),
  component: lazyPage(() => import('../features/received/received-page.tsx'), 'ReceivedPage'),
});

const receivedAddresses = createRoute({
  getParentRoute: () => app,
  path: '/inbound/addresses',
  component: lazyPage(() => import('../features/received/addresses-page.tsx'), 'AddressesPage'),
});

const receivedMail = createRoute({
  getParentRoute: () => app,
  path: '/inbound/$id',
  component: lazyPage(() => import('../features/received/mail-page.tsx'), 'MailPage'),
});

const templates = createRoute({
  getParentRoute: () => app,
  path: '/templates',
  validateSearch: (search): { page?: number; search?: string } => ({
    ...(count(search.page) ? { page: Number(search.page) } : {}),
    ...(text(search.search) ? { search: String(search.search) } : {}),
  }),
  component: lazyPage(() => import('../features/templates/templates-page.tsx'), 'TemplatesPage'),
});

const template = createRoute({
  getParentRoute: () => app,
  path: '/templates/$id',
  component: lazyPage(() => import('../features/templates/template-page.tsx'), 'TemplatePage'),
});

const deliverability = createRoute({
  getParentRoute: () => app,
  path: '/deliverability',
  component: lazyPage(
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
  component: lazyPage(() => import('../features/sites/sites-page.tsx'), 'SitesPage'),
});

const site = createRoute({
  getParentRoute: () => app,
  path: '/sites/$id',
  component: lazyPage(() => import('../features/sites/site-page.tsx'), 'SitePage'),
});

const holds = createRoute({
  getParentRoute: () => app,
  path: '/holds',
  validateSearch: (search): { page?: number; view?: 'installation' } => ({
    ...(count(search.page) ? { page: Number(search.page) } : {}),
    ...(search.view === 'installation' ? { view: search.view } : {}),
  }),
  component: lazyPage(() => import('../features/holds/holds-page.tsx'), 'HoldsPage'),
});

const hold = createRoute({
  getParentRoute: () => app,
  path: '/holds/$id',
  component: lazyPage(() => import('../features/holds/hold-page.tsx'), 'HoldPage'),
});

const approvals = createRoute({
  getParentRoute: () => app,
  path: '/approvals',
  validateSearch: (search): { page?: number; state?: 'decided' } => ({
    ...(count(search.page) ? { page: Number(search.page) } : {}),
    ...(search.state === 'decided' ? { state: search.state } : {}),
  }),
  component: lazyPage(() => import('../features/approvals/approvals-page.tsx'), 'ApprovalsPage'),
});

const approval = createRoute({
  getParentRoute: () => app,
  path: '/approvals/$id',
  component: lazyPage(() => import('../features/approvals/approval-page.tsx'), 'ApprovalPage'),
});

const undo = createRoute({
  getParentRoute: () => app,
  path: '/undo',
  component: lazyPage(() => import('../features/undos/undo-page.tsx'), 'UndoPage'),
});

const domains = createRoute({
  getParentRoute: () => app,
  path: '/domains',
  component: lazyPage(() => import('../features/domains/domains-page.tsx'), 'DomainsPage'),
});

const domain = createRoute({
  getParentRoute: () => app,
  path: '/domains/$id',
  component: lazyPage(() => import('../features/domains/domain-page.tsx'), 'DomainPage'),
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
  component: lazyPage(() => import('../features/suppressions/suppressions-page.tsx'), 'SuppressionsPage'),
});

const validation = createRoute({
  getParentRoute: () => app,
  path: '/validation',
  component: lazyPage(() => import('../features/validation/validation-page.tsx'), 'ValidationPage'),
});

const webhooks = createRoute({
  getParentRoute: () => app,
  path: '/webhooks',
  component: lazyPage(() => import('../features/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});

const webhook = createRoute({
  getParentRoute: () => app,
  path: '/webhooks/$id',
  component: lazyPage(() => import('../features/webhooks/webhook-page.tsx'), 'WebhookPage'),
});

const confirmAddress = createRoute({
  getParentRoute: () => app,
  path: '/confirm-address',
  validateSearch: (search): { token?: string } => ({
    ...(text(search.token) ? { token: String(search.token) } : {}),
  }),
  component: lazyPage(() => import('../features/account/confirm-address-page.tsx'), 'ConfirmAddressPage'),
});

const routeTree = root.addChildren([
  ...frontRoutes,
  app.addChildren([
    overview,
    emails,
    email,
    logs,
    logEntry,
    compose,
    inbox,
    inboxMessage,
    received,
    receivedAddresses,
    receivedMail,
    templates,
    template,
    deliverability,
    sites,
    approvals,
    approval,
    holds,
    hold,
    undo,
    site,
    domains,
    domain,
    suppressions,
    validation,
    webhooks,
    webhook,
    confirmAddress,
    settingsRoutes,
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
