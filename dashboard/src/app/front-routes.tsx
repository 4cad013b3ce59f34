/** The pages before the sign-in, and the parent of all pages behind the sign-in. */
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router';
import { NotFoundPage } from './fallbacks.tsx';
import { lazyPage } from './lazy-page.ts';
import { searchOf, text } from './search-values.ts';
import { authStateQuery, meQuery } from './session.ts';
import { Shell } from './shell.tsx';
import { shownOrganization, showOrganization } from './shown-organization.ts';

interface Context {
  readonly client: QueryClient;
}

export const root = createRootRouteWithContext<Context>()({ notFoundComponent: NotFoundPage });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: searchOf({ to: text }),
  component: lazyPage(() => import('../features/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  validateSearch: searchOf({ token: text }),
  component: lazyPage(() => import('../features/sign-in/reset-page.tsx'), 'ResetPage'),
});

const invite = createRoute({
  getParentRoute: () => root,
  path: '/invite/$token',
  component: lazyPage(() => import('../features/sign-in/invite-page.tsx'), 'InvitePage'),
});

export const frontRoutes = [signIn, resetPassword, invite] as const;

/** The parent of all pages that require a session. */
export const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: Shell,
  beforeLoad: async ({ context: { client }, location }) => {
    const state = await client.ensureQueryData(authStateQuery);
    const me = state.signed_in ? await client.ensureQueryData(meQuery).catch(() => null) : null;
    if (me !== null) {
      if (shownOrganization() === undefined) showOrganization(me.organization.id);
      return;
    }
    client.removeQueries({ queryKey: ['auth'] });
    throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { to: location.href } });
  },
});
