/** One received mail: what it says, whether it is from whom it says, what it belongs to, and the answer. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useChoice } from '../../app/choice.ts';
import { useCan } from '../../app/session.ts';
import { Badge, Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { MessagePreview } from '../../ui/message-preview.tsx';
import { Card, PageHead } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { AnswerBox } from './answer-box.tsx';
import { type ReceivedEmail, receivedQuery } from './queries.ts';
import '../../ui/styles/preview.css';

const BACK = { to: '/inbound', label: 'Inbound' };

export function MailPage() {
  const { id } = useParams({ from: '/app/inbound/$id' });
  const mail = useQuery(receivedQuery(id));
  if (!mail.data)
    return (
      <>
        <PageHead title="Received mail" back={BACK} />
        <QueryState of={mail} />
      </>
    );
  return <Mail mail={mail.data} />;
}

function Mail({ mail }: { readonly mail: ReceivedEmail }) {
  const can = useCan();
  const from = mail.from === null ? 'nobody' : mail.from.email;
  return (
    <>
      <PageHead
        title={mail.subject === '' ? '(no subject)' : mail.subject}
        back={BACK}
        lead={
          <>
            From {from} to {mail.to.join(', ')}, received <Time at={mail.received_at} style="exact" />
          </>
        }
        actions={can.change ? <DeleteMail mail={mail} /> : null}
      />
      <div className="columns">
        <div className="stack">
          <Card flush>
            <Parts mail={mail} />
          </Card>
          {can.change && mail.status === 'read' ? <AnswerBox mail={mail} /> : null}
        </div>
        <div className="stack">
          <Authentication mail={mail} />
          <Files mail={mail} />
          <Conversation mail={mail} />
        </div>
      </div>
    </>
  );
}

type Part = 'reply' | 'text' | 'html' | 'headers';

function Parts({ mail }: { readonly mail: ReceivedEmail }) {
  const tabs = [
    { key: 'reply', label: 'Reply' },
    { key: 'text', label: 'Text' },
    { key: 'html', label: 'HTML' },
    { key: 'headers', label: `Headers (${mail.headers.length})` },
  ] as const;
  const [tab, setTab] = useChoice<Part>('tab', tabs, 'reply');
  if (!mail.has_source)
    return (
      <p className="quiet card-body">
        The content of this message was deleted when its retention period ended.
      </p>
    );
  return (
    <Tabs label="Mail" tabs={tabs} chosen={tab} onChoose={setTab}>
      <Panel part={tab} mail={mail} />
      {mail.is_truncated ? (
        <p className="small quiet card-body">The text is shortened. The source has the whole message.</p>
      ) : null}
    </Tabs>
  );
}

function Panel({ part, mail }: { readonly part: Part; readonly mail: ReceivedEmail }) {
  if (part === 'html')
    return mail.html === null ? (
      <p className="quiet card-body">This mail has no HTML part.</p>
    ) : (
      <MessagePreview html={mail.html} title="Mail preview" />
    );
  if (part === 'headers')
    return (
      <dl className="facts card-body">
        {mail.headers.map(({ name, value }) => (
          <div key={name} className="fact-pair">
            <dt>{name}</dt>
            <dd>
              <code className="wrap">{value}</code>
            </dd>
          </div>
        ))}
      </dl>
    );
  const text = part === 'reply' ? mail.stripped_reply : mail.text;
  if (text === null || text === '')
    return <p className="quiet card-body">{mail.problem ?? 'There is no text.'}</p>;
  return <pre className="preview-text">{text}</pre>;
}

function Authentication({ mail }: { readonly mail: ReceivedEmail }) {
  const { authentication: found } = mail;
  return (
    <Card title="Authentication">
      <dl className="facts">
        {found === null ? null : (
          <>
            <dt>DMARC</dt>
            <dd>
              <Status value={found.dmarc.result} /> <span className="small quiet">{found.dmarc.domain}</span>
            </dd>
            <dt>DKIM</dt>
            <dd>
              <Status value={found.dkim.result} />{' '}
              <span className="small quiet">
                {found.dkim.signatures.map(({ domain }) => domain).join(', ')}
              </span>
            </dd>
            <dt>SPF</dt>
            <dd>
              <Status value={found.spf.result} /> <span className="small quiet">{found.spf.domain}</span>
            </dd>
          </>
        )}
        <dt>Received from</dt>
        <dd>
          {mail.envelope.helo} ({mail.envelope.remote_address}){mail.envelope.tls ? '' : ', not encrypted'}
        </dd>
        <dt>Spam, viruses</dt>
        <dd>
          <Status value={mail.spam.result} /> <Status value={mail.virus.result} />
        </dd>
      </dl>
    </Card>
  );
}

function Files({ mail }: { readonly mail: ReceivedEmail }) {
  if (mail.attachments.length === 0) return null;
  return (
    <Card title="Files">
      <ul className="plain-list stack-small">
        {mail.attachments.map((file) => (
          <li key={file.download_url} className="wrap">
            <a href={file.download_url} download={file.filename} rel="noreferrer">
              {file.filename}
            </a>{' '}
            <span className="small quiet">{file.size.toLocaleString()} bytes</span>{' '}
            {file.dangerous ? <Badge tone="bad">executable</Badge> : null}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Conversation({ mail }: { readonly mail: ReceivedEmail }) {
  if (mail.conversation.length < 2) return null;
  return (
    <Card title="Conversation">
      <ol className="plain-list stack-small">
        {mail.conversation.map(({ id, kind, subject, from, at }) => (
          <li key={id} className="wrap">
            {id === mail.id ? (
              <strong>{subject}</strong>
            ) : (
              <Link to={kind === 'sent' ? '/emails/$id' : '/inbound/$id'} params={{ id }}>
                {subject === '' ? '(no subject)' : subject}
              </Link>
            )}
            <div className="small quiet">
              {kind === 'sent' ? 'You' : from}, <Time at={at} />
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function DeleteMail({ mail }: { readonly mail: ReceivedEmail }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button kind="danger" icon="trash" onClick={() => setAsking(true)}>
        Delete
      </Button>
      {asking ? (
        <ConfirmDialog
          title="Delete this mail?"
          action="Delete mail"
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await api.inbound.delete(mail.id);
            await client.invalidateQueries({ queryKey: ['received', 'list'] });
            void navigate({ to: '/inbound' });
          }}
        >
          The text, the files and the source of this mail are deleted.
        </ConfirmDialog>
      ) : null}
    </>
  );
}
