/** One captured message, read by a parser that shares no code with the composer. */
import type { SandboxMessage } from '@postrider/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo } from 'react';
import { api } from '../../app/api.ts';
import { useChoice } from '../../app/choice.ts';
import { lazyPart } from '../../app/lazy-page.ts';
import { useCan } from '../../app/session.ts';
import { Status } from '../../ui/badge.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { MessagePreview } from '../../ui/message-preview.tsx';
import { Card, Loading, PageHead } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { Attachments } from './attachments.tsx';
import { DeleteMessage } from './delete-message.tsx';
import { withInlineImages } from './inline-images.ts';
import { messageQuery, rawQuery } from './queries.ts';

type TabKey = 'html' | 'text' | 'source' | 'headers' | 'attachments' | 'checks';

/** Loaded when somebody wants it. */
const Checks = lazyPart(() => import('./checks.tsx'), 'Checks');

const BACK = { to: '/inbox', label: 'Sandbox inbox' };

export function MessagePage() {
  const { id } = useParams({ from: '/app/inbox/$id' });
  const message = useQuery(messageQuery(id));
  if (!message.data)
    return (
      <>
        <PageHead title="Message" back={BACK} />
        <QueryState of={message} />
      </>
    );
  return <Message message={message.data} />;
}

function Message({ message: data }: { readonly message: SandboxMessage }) {
  const can = useCan();
  const navigate = useNavigate();
  useMarkRead(data, can.change);
  const tabs = [
    { key: 'html', label: 'HTML' },
    { key: 'text', label: 'Text' },
    { key: 'source', label: 'Source' },
    { key: 'headers', label: `Headers (${data.headers.length})` },
    { key: 'attachments', label: `Attachments (${data.attachments.length})` },
    { key: 'checks', label: 'Checks' },
  ] as const;
  const [tab, setTab] = useChoice<TabKey>('tab', tabs, data.html === null ? 'text' : 'html');
  return (
    <>
      <PageHead
        title={data.subject === '' ? '(no subject)' : data.subject}
        back={BACK}
        lead={
          <>
            To {data.to}, received <Time at={data.received_at} style="exact" />
          </>
        }
        actions={
          <>
            {data.account_mail ? null : (
              <Link to="/emails/$id" params={{ id: data.email_id }} className="button">
                Show events
              </Link>
            )}
            {can.change ? (
              <DeleteMessage
                id={data.id}
                subject={data.subject}
                onDeleted={() => void navigate({ to: '/inbox' })}
              />
            ) : null}
          </>
        }
      />
      <div className="columns">
        <Card flush>
          <Tabs label="Message" tabs={tabs} chosen={tab} onChoose={setTab}>
            <Panel tab={tab} message={data} />
          </Tabs>
        </Card>
        <Envelope message={data} />
      </div>
    </>
  );
}

/** Opening a message marks it as read. */
function useMarkRead({ id, is_read: isRead }: SandboxMessage, mayChange: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (isRead || !mayChange) return;
    // A mark that cannot be set is not worth a word.
    void api.sandbox
      .mark(id, true)
      .then(() => client.invalidateQueries({ queryKey: ['inbox', 'list'] }))
      .catch(() => {});
  }, [id, isRead, mayChange, client]);
}

function Panel({ tab, message }: { readonly tab: TabKey; readonly message: SandboxMessage }) {
  if (tab === 'html') return <Html message={message} />;
  if (tab === 'source') return <Source id={message.id} />;
  if (tab === 'checks')
    return (
      <Suspense fallback={<Loading />}>
        <Checks id={message.id} />
      </Suspense>
    );
  if (tab === 'attachments') return <Attachments attachments={message.attachments} />;
  if (tab === 'headers')
    return (
      <dl className="facts card-body">
        {message.headers.map(({ name, value }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a header may stand there twice
          <div key={place} className="fact-pair">
            <dt>{name}</dt>
            <dd>
              <code className="wrap">{value}</code>
            </dd>
          </div>
        ))}
      </dl>
    );
  return message.text === null ? (
    <p className="quiet card-body">This message has no text part.</p>
  ) : (
    <pre className="preview-text">{message.text}</pre>
  );
}

function Html({ message }: { readonly message: SandboxMessage }) {
  const html = useMemo(
    () => (message.html === null ? null : withInlineImages(message.html, message.attachments)),
    [message],
  );
  if (html === null) return <p className="quiet card-body">This message has no HTML part.</p>;
  return <MessagePreview html={html} title="Message preview" />;
}

function Source({ id }: { readonly id: string }) {
  const raw = useQuery(rawQuery(id));
  if (raw.isPending) return <Loading />;
  return (
    <div className="card-body">
      <ErrorNote error={raw.error} onRetry={raw.refetch} />
      {raw.data === undefined ? null : <CodeBlock text={raw.data} label="Copy the source" />}
    </div>
  );
}

function Envelope({ message }: { readonly message: SandboxMessage }) {
  const { dkim, spf } = message.authentication;
  return (
    <div className="stack">
      <Card title="Checks">
        <dl className="facts">
          <dt>DKIM</dt>
          <dd>
            <Status value={dkim.result} />
            <div className="small quiet">
              {dkim.reason ?? (dkim.domain ? `signed by ${dkim.domain}` : 'no signature')}
            </div>
          </dd>
          <dt>SPF</dt>
          <dd>
            <Status value={spf.result} />
            <div className="small quiet">{spf.reason ?? spf.domain ?? ''}</div>
          </dd>
        </dl>
      </Card>
      <Card title="Envelope">
        <dl className="facts">
          <dt>From</dt>
          <dd>{message.from.name ? `${message.from.name} <${message.from.email}>` : message.from.email}</dd>
          <dt>To</dt>
          <dd>{message.to}</dd>
          <dt>Return path</dt>
          <dd>{message.return_path}</dd>
          <dt>Size</dt>
          <dd>{message.size.toLocaleString()} bytes</dd>
        </dl>
      </Card>
    </div>
  );
}
