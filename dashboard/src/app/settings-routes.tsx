/** The routes of the settings. */
import { createRoute } from '@tanstack/react-router';
import { app } from './front-routes.tsx';
import { lazyPage } from './lazy-page.ts';
import { searchOf, text } from './search-values.ts';

const settings = createRoute({
  getParentRoute: () => app,
  path: '/settings',
});

const general = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: lazyPage(() => import('../features/settings/general-page.tsx'), 'GeneralPage'),
});

const apiKeys = createRoute({
  getParentRoute: () => settings,
  path: '/api-keys',
  component: lazyPage(() => import('../features/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
});

const streams = createRoute({
  getParentRoute: () => settings,
  path: '/streams',
  component: lazyPage(() => import('../features/streams/streams-page.tsx'), 'StreamsPage'),
});

const members = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  component: lazyPage(() => import('../features/members/members-page.tsx'), 'MembersPage'),
});

const account = createRoute({
  getParentRoute: () => settings,
  path: '/account',
  component: lazyPage(() => import('../features/account/account-page.tsx'), 'AccountPage'),
});

const auditLog = createRoute({
  getParentRoute: () => settings,
  path: '/audit-log',
  validateSearch: searchOf({ action: text, actor_id: text }),
  component: lazyPage(() => import('../features/audit-log/audit-log-page.tsx'), 'AuditLogPage'),
});

const doctor = createRoute({
  getParentRoute: () => settings,
  path: '/doctor',
  component: lazyPage(() => import('../features/doctor/doctor-page.tsx'), 'DoctorPage'),
});

const routes = createRoute({
  getParentRoute: () => settings,
  path: '/routes',
  component: lazyPage(() => import('../features/routes/routes-page.tsx'), 'RoutesPage'),
});

export const settingsRoutes = settings.addChildren([
  general,
  apiKeys,
  streams,
  members,
  account,
  auditLog,
  doctor,
  routes,
]);
