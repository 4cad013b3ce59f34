/** Changing the DKIM key: a record to publish, then it goes on by itself. */
import type { Domain } from '@postrider/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { useCan } from '../../app/session.ts';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Card } from '../../ui/page.tsx';
import { LocalTimes } from '../../ui/time.tsx';
import { domainQuery } from './queries.ts';

export function DkimRotation({ domain }: { readonly domain: Domain }) {
  const { dkim_rotation: rotation } = domain;
  return (
    <Card title="DKIM key rotation" actions={rotation ? <Status value={rotation.status} /> : null}>
      <div className="stack">
        <p role="status">
          <LocalTimes text={rotation?.message ?? WHAT} />
        </p>
        {rotation ? <Steps domain={domain} rotation={rotation} /> : null}
        <Change domain={domain} />
      </div>
    </Card>
  );
}

const WHAT =
  'Mail is signed with one key. A rotation creates a second key. Publish its record, and Postrider signs with the new key as soon as DNS has the record. Sending continues meanwhile.';

function Steps({
  domain,
  rotation,
}: {
  readonly domain: Domain;
  readonly rotation: NonNullable<Domain['dkim_rotation']>;
}) {
  const isWaiting = rotation.status === 'waiting_for_dns';
  const record = isWaiting ? rotation.dns_record : rotation.previous_dns_record;
  return (
    <dl className="facts">
      <dt>{isWaiting ? 'New selector' : 'Current selector'}</dt>
      <dd>{isWaiting ? rotation.selector : domain.dkim_selector}</dd>
      <dt>Type</dt>
      <dd>{record.type}</dd>
      <dt>{isWaiting ? 'Name' : 'Previous record'}</dt>
      <dd>
        <Copyable text={record.name} label="Copy the name of the other DKIM record" />
      </dd>
      {isWaiting ? (
        <>
          <dt>Value</dt>
          <dd>
            <Copyable text={record.value} label="Copy the value of the new DKIM record" />
          </dd>
        </>
      ) : null}
      {rotation.check ? (
        <>
          <dt>Last checked</dt>
          <dd>{rotation.check.message}</dd>
        </>
      ) : null}
    </dl>
  );
}

function Change({ domain }: { readonly domain: Domain }) {
  const can = useCan();
  const client = useQueryClient();
  const isWaiting = domain.dkim_rotation?.status === 'waiting_for_dns';
  const change = useMutation({
    mutationFn: () =>
      isWaiting ? api.domains.cancelDkimRotation(domain.id) : api.domains.rotateDkim(domain.id),
    onSuccess: (changed) => client.setQueryData(domainQuery(domain.id).queryKey, changed),
  });
  if (!can.change) return null;
  return (
    <div className="stack">
      <div>
        <Button busy={change.isPending} onClick={() => change.mutate()}>
          {isWaiting ? 'Cancel the rotation' : 'Rotate the key'}
        </Button>
      </div>
      <ErrorNote error={change.error} />
    </div>
  );
}
