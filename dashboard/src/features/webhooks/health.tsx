/** What is wrong with a webhook, if anything is, and how well it does. */
import type { Webhook, WebhookStats } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { share } from '../../ui/figures.ts';
import { Icon } from '../../ui/icon.tsx';
import { Time } from '../../ui/time.tsx';
import { webhookStatsQuery } from './queries.ts';

export function Health({ webhook }: { readonly webhook: Webhook }) {
  const stats = useQuery(webhookStatsQuery(webhook.id));
  return (
    <div className="stack">
      <Trouble webhook={webhook} next={stats.data?.next_attempt_at ?? null} />
      {stats.data ? <Numbers stats={stats.data} /> : null}
    </div>
  );
}

function Trouble({ webhook, next }: { readonly webhook: Webhook; readonly next: string | null }) {
  if (webhook.enabled && !webhook.failing_since) return null;
  if (!webhook.enabled && webhook.disabled_reason === 'manual') return null;
  return (
    <div className="note warn" role="status">
      <Icon name="alert" />
      <div className="stack-small grow wrap">
        <div className="strong">
          {webhook.enabled ? 'Calls are failing' : 'This webhook was disabled'}
          {webhook.last_error ? `: ${webhook.last_error}` : ''}
        </div>
        <div>
          {webhook.last_error_at ? (
            <>
              The last failed call was <Time at={webhook.last_error_at} />.{' '}
            </>
          ) : null}
          {webhook.failing_since ? (
            <>
              No call has succeeded since <Time at={webhook.failing_since} style="exact" />.{' '}
            </>
          ) : null}
          {webhook.enabled && next ? (
            <>
              The next attempt is <Time at={next} />.
            </>
          ) : null}
          {webhook.enabled ? null : 'Fix the endpoint, enable the webhook, then replay what failed.'}
        </div>
      </div>
    </div>
  );
}

function Numbers({ stats }: { readonly stats: WebhookStats }) {
  const { success_rate: rate, calls, calls_succeeded: good, pending, failed } = stats;
  const ms = (value: number | null) => (value === null ? '–' : `${value.toLocaleString()} ms`);
  const numbers = [
    { label: 'Successful calls', value: share(rate) },
    { label: 'Pending', value: pending.toLocaleString() },
    { label: 'Failed', value: failed.toLocaleString() },
    { label: 'Median response time', value: ms(stats.latency_p50_ms) },
    { label: '95% answered within', value: ms(stats.latency_p95_ms) },
  ];
  return (
    <div className="stack-small">
      <dl className="cards">
        {numbers.map(({ label, value }) => (
          <div key={label} className="card stat">
            <dt className="stat-label">{label}</dt>
            <dd className="stat-value">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="quiet small">
        {calls === 0
          ? 'Nothing was sent yet.'
          : `${good.toLocaleString()} of ${calls.toLocaleString()} calls for the newest ${stats.events.toLocaleString()} events.`}
      </p>
    </div>
  );
}
