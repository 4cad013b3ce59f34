/** What filters, readers and mail clients make of a message. */
import type { SandboxMessageChecks } from '@postrider/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { useCan } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Loading } from '../../ui/page.tsx';
import { FindingList, LinkTable } from './check-parts.tsx';
import { HtmlChecks } from './html-checks.tsx';
import { checksQuery } from './queries.ts';

export function Checks({ id }: { readonly id: string }) {
  const checks = useQuery(checksQuery(id));
  if (checks.isPending) return <Loading />;
  if (checks.isError) return <ErrorNote error={checks.error} onRetry={checks.refetch} />;
  const { data } = checks;
  return (
    <div className="stack card-body">
      <Findings checks={data} />
      <Links id={id} links={data.links} />
      {data.html ? <HtmlChecks html={data.html} /> : <p className="quiet">There is no HTML to check.</p>}
    </div>
  );
}

function Findings({ checks: { findings, size } }: { readonly checks: SandboxMessageChecks }) {
  const bytes = (value: number) => `${value.toLocaleString()} bytes`;
  return (
    <section className="stack-small">
      <h2>Problems that spam filters and readers may have</h2>
      <FindingList findings={findings} />
      <p className="quiet small">
        The message has {bytes(size.message)}: HTML {bytes(size.html)}, text {bytes(size.text)}, attachments{' '}
        {bytes(size.attachments)}.
      </p>
    </section>
  );
}

function Links({ id, links }: { readonly id: string; readonly links: SandboxMessageChecks['links'] }) {
  const can = useCan();
  const check = useMutation({ mutationFn: () => api.sandbox.checkLinks(id) });
  if (links.length === 0) return <p className="quiet">This message has no links.</p>;
  return (
    <section className="stack-small">
      <div className="spread">
        <h2>Links</h2>
        {can.change ? (
          <Button size="small" busy={check.isPending} onClick={() => check.mutate()}>
            Check links
          </Button>
        ) : null}
      </div>
      <p className="quiet small">The server sends a HEAD request to each link.</p>
      <ErrorNote error={check.error} onRetry={check.mutate} />
      <LinkTable links={links} answers={check.data} />
    </section>
  );
}
