/** The organization: its name, its limit, how strictly recipients are checked, how long mail is kept. */
import { PageHead } from '../../ui/page.tsx';
import { AutoValidationCard } from './auto-validation-card.tsx';
import { DisposableCard } from './disposable-card.tsx';
import { GuardCard } from './guard-card.tsx';
import { LimitCard } from './limit-card.tsx';
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
