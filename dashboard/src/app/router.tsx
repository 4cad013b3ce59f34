/** The routes of the dashboard. The code of a page is loaded at its first visit. */
import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter } from '@tanstack/react-router';
import { emailSearch } from '../features/emails/search.ts';
import { logSearch } from '../features/logs/search.ts';
import { FailedPage, WaitingPage } from './fallbacks.tsx';
import { app, frontRoutes, root } from './front-routes.tsx';
import { lazyPage } from './lazy-page.ts';
import { count, oneOf, searchOf, text } from './search-values.ts';
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
  validateSearch: searchOf({ template: text, to: text }),
  component: lazyPage(() => import('../features/compose/compose-page.tsx'), 'ComposePage'),
});

const inbox = createRoute({
  getParentRoute: () => app,
  path: '/inbox',
  validateSearch: searchOf({ page: count, to: text, q: text, show: oneOf('unread') }),
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
  validateSearch: searchOf({ q: text, to: text }),
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
  validateSearch: searchOf({ page: count, search: text }),
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
  validateSearch: searchOf({ view: oneOf('installation') }),
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
  validateSearch: searchOf({ page: count, view: oneOf('installation') }),
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
  validateSearch: searchOf({ page: count, state: oneOf('decided') }),
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
  validateSearch: searchOf({ page: count, email: text, search: text, reason: text }),
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
  validateSearch: searchOf({ token: text }),
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
