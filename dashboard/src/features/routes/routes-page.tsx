/** Which way mail leaves: transports with their health, and the rules that choose among them. For operators. */
import { useQuery } from '@tanstack/react-query';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Card, Loading, PageHead } from '../../ui/page.tsx';
import { CanaryCards } from './canary-card.tsx';
import { ExplainCard } from './explain-card.tsx';
import { routesQuery } from './queries.ts';
import { RulesCard } from './rules-card.tsx';
import { TransportsCard } from './transports-card.tsx';
import { WarmUpCard } from './warm-up-card.tsx';

export function RoutesPage() {
  const table = useQuery(routesQuery);
  return (
    <>
      <PageHead
        title="Routes"
        lead="How Postrider routes the mail of this installation: directly from your own addresses, or through relays. The first rule that matches decides."
      />
      <ErrorNote error={table.error} onRetry={table.refetch} />
      {table.isPending ? <Loading /> : null}
      {table.data ? (
        <div className="stack">
          <RulesCard table={table.data} />
          <TransportsCard table={table.data} />
          <CanaryCards />
          <WarmUpCard />
          <Card title="Explain the route of an email">
            <ExplainCard version={table.data.version} />
          </Card>
        </div>
      ) : null}
    </>
  );
}
