/** The only client of the API: the SDK with the session cookie instead of a key. */
import { Postrider, PostriderError, TimeoutError } from '@postrider/sdk';
import { signedInAgain } from './session-end.ts';
import { shownOrganization } from './shown-organization.ts';

const TIMEOUT_MS = 30_000;
const DAY_MS = 86_400_000;

export const api = new Postrider({
  credentials: 'same-origin',
  fetch: whileSignedIn,
  // Somebody may take their time to sign in again; each attempt has a time limit of its own.
  timeoutMs: DAY_MS,
});

/** A request that is refused because the session has ended is sent again once the person has signed in again. */
async function whileSignedIn(url: string, init: RequestInit): Promise<Response> {
  for (;;) {
    const response = await fetchInTime(url, withOrganization(url, init));
    if (response.status !== 401 || !isOfOrganization(url) || !(await signedInAgain())) return response;
  }
}

async function fetchInTime(url: string, init: RequestInit): Promise<Response> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), TIMEOUT_MS);
  const signal = init.signal ? AbortSignal.any([init.signal, deadline.signal]) : deadline.signal;
  try {
    const response = await fetch(url, { ...init, signal });
    // A stream stays open.
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) clearTimeout(timer);
    return response;
  } catch (error) {
    throw deadline.signal.aborted ? new TimeoutError(TIMEOUT_MS, error) : error;
  }
}

function withOrganization(url: string, init: RequestInit): RequestInit {
  const shown = shownOrganization();
  if (shown === undefined || !isOfOrganization(url)) return init;
  const headers = new Headers(init.headers);
  headers.set('Postrider-Organization', shown);
  return { ...init, headers };
}

/** Signing in, and asking where the session is now, belong to no organization. */
function isOfOrganization(url: string): boolean {
  return shownOrganization() !== undefined && !/\/api\/v1\/(auth|invites)\//.test(url);
}

/** Refused because another tab switched the session to another organization. */
export function isOfOtherOrganization(error: unknown): boolean {
  return (
    error instanceof PostriderError && error.details.some(({ field }) => field === 'Postrider-Organization')
  );
}

export { PostriderError };
