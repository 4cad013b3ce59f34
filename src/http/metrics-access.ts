/** Who may read /metrics: callers with the token or, without a token, those that the setting allows. */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { hostNameOf, isLoopback } from '../runtime/host-name.ts';
import { hashToken } from '../runtime/tokens.ts';
import { ApiError } from './errors.ts';

export interface MetricsAccess {
  readonly token: string | undefined;
  /**
   * Access without a token. `this machine` admits requests to a host name that only leads to this machine.
   */
  readonly openTo: 'nobody' | 'this machine' | 'everybody';
}

export function mayReadMetrics(headers: IncomingHttpHeaders, { token, openTo }: MetricsAccess): boolean {
  if (token !== undefined) return isBearerOf(headers.authorization, token);
  if (openTo === 'this machine') return isLoopback(hostNameOf(headers.host ?? '') ?? '');
  return openTo === 'everybody';
}

/** Compares hashes, so that the timing reveals nothing about the token. */
function isBearerOf(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(hashToken(given), hashToken(token));
}

export function metricsRefused({ token }: MetricsAccess): ApiError {
  if (token !== undefined)
    return new ApiError(
      'UNAUTHORIZED',
      [],
      'Send POSTRIDER_METRICS_TOKEN as `Authorization: Bearer <token>`.',
    );
  const message =
    'Metrics are not served here. Set POSTRIDER_METRICS_TOKEN and send that token, or set POSTRIDER_METRICS_PORT.';
  return new ApiError('NOT_FOUND', [], message);
}
