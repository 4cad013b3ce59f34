/** The organization: its name, its limit, how strictly recipients are checked, how long mail is kept. */
import { useQuery } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { useMe } from '../../app/session.ts';
import { CodeBlock } from '../../ui/copy.tsx';
import { Card, PageHead } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Time } from '../../ui/time.tsx';
import { AutoValidationCard } from './auto-validation-card.tsx';
import { DisposableCard } from './disposable-card.tsx';
import { GuardCard } from './guard-card.tsx';
import { OrganizationCard } from './organization-card.tsx';
import { RetentionCard } from './retention-card.tsx';
import { TrackingCard } from './tracking-card.tsx';

export function GeneralPage() {
  return (
    <>
      <PageHead title="Settings" lead="These settings apply to this organization only." />
      <div className="settings-grid">
        <OrganizationCard />
        <LimitCard />
        <AutoValidationCard />
        <GuardCard />
        <DisposableCard />
        <TrackingCard />
        <RetentionCard />
      </div>
    </>
  );
}

function LimitCard() {
  const me = useMe();
  const organization = useQuery({ queryKey: ['organization'], queryFn: () => api.organization.get() });
  if (!organization.data)
    return (
      <Card title="Sending limit">
        <QueryState of={organization} lines={2} />
      </Card>
    );
  const { daily, used_today, resets_at } = organization.data.sending_limit;
  return (
    <Card title="Sending limit">
      <div className="stack-small">
        {daily === null ? (
          <p>No limit is set. {used_today.toLocaleString()} recipients were accepted today (UTC).</p>
        ) : (
          <>
            <p>
              {used_today.toLocaleString()} of {daily.toLocaleString()} recipients today; the count resets{' '}
              <Time at={resets_at} />.
            </p>
            <progress value={used_today} max={daily} aria-label="Share of the limit used" />
          </>
        )}
        <p className="quiet small">The operator sets it on the server:</p>
        <CodeBlock text={`npx postrider org limit ${me.organization.id} 10000`} label="Copy the command" />
      </div>
    </Card>
  );
}
