/** One email: what became of it for each recipient, what was sent, and what can be done about it. */
import type { Email } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useChoice } from '../../app/choice.ts';
import { Copyable } from '../../ui/copy.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Card, PageHead } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { Expected } from '../sites/site-parts.tsx';
import { EmailActions } from './email-actions.tsx';
import { EmailContent } from './email-content.tsx';
import { EmailState } from './email-state.tsx';
import { HeldNote } from './held-note.tsx';
import { contentQuery, emailQuery, explainQuery } from './queries.ts';
import { Recipients } from './recipients.tsx';

const TABS = [
  { key: 'preview', label: 'Preview' },
  { key: 'text', label: 'Text' },
  { key: 'source', label: 'HTML source' },
  { key: 'headers', label: 'Headers' },
  { key: 'attachments', label: 'Attachments' },
  { key: 'json', label: 'JSON' },
] as const;

function tabsWith(files: number | undefined) {
  if (files === undefined) return TABS;
  return TABS.map(({ key, label }) => ({
    key,
    label: key === 'attachments' ? `${label} (${files.toLocaleString()})` : label,
  }));
}

export function EmailPage() {
  const { id } = useParams({ from: '/app/emails/$id' });
  const email = useQuery(emailQuery(id));
  const explained = useQuery(explainQuery(id, email.data?.updated_at));
  const content = useQuery(contentQuery(id));
  const [tab, setTab] = useChoice('tab', TABS, 'preview');
  const back = { to: '/emails', label: 'Emails' };
  if (!email.data)
    return (
      <>
        <PageHead title="Email" back={back} />
        <QueryState of={email} />
      </>
    );
  const { data } = email;
  return (
    <>
      <PageHead
        title={data.subject}
        back={back}
        lead={
          <>
            <EmailState email={data} /> accepted <Time at={data.created_at} style="exact" />
            <Ahead email={data} />
          </>
        }
        actions={<EmailActions email={data} />}
      />
      <div className="columns">
        <div className="stack">
          {data.hold ? <HeldNote hold={data.hold} /> : null}
          {data.state === 'complained' ? <ComplaintNote email={data} /> : null}
          <Recipients email={data} explained={explained.data} />
          <ErrorNote error={explained.error} onRetry={explained.refetch} />
          <Card flush>
            <Tabs
              label="Content"
              tabs={tabsWith(content.data?.attachments.length)}
              chosen={tab}
              onChoose={setTab}
            >
              <EmailContent tab={tab} content={content} email={data} />
            </Tabs>
          </Card>
        </div>
        <Facts email={data} />
      </div>
    </>
  );
}

/** What happens next, and when. */
function Ahead({ email }: { readonly email: Email }) {
  if (email.state === 'scheduled')
    return (
      <>
        , scheduled for <Time at={email.scheduled_at} style="exact" />
      </>
    );
  if (email.next_attempt_at === null) return null;
  return (
    <>
      , next attempt <Expected at={email.next_attempt_at} />
    </>
  );
}

function ComplaintNote({ email }: { readonly email: Email }) {
  const who = new Set(
    email.events.filter(({ type }) => type === 'complained').map(({ recipient }) => recipient),
  );
  return (
    <div className="note bad">
      <Icon name="alert" />
      <div className="stack-small grow wrap">
        <div className="strong">{[...who].join(', ')} reported this email as spam.</div>
        <div>
          The address is now suppressed: do not mail it again unless its owner asks you to. If others complain
          too, look at who is on your list and whether they can easily unsubscribe: providers start to refuse
          mail at about one complaint in a thousand.
        </div>
      </div>
    </div>
  );
}

function Facts({ email }: { readonly email: Email }) {
  const people = (list: readonly { email: string; name: string | null }[]) =>
    list.map(({ email: address, name }) => (name ? `${name} <${address}>` : address)).join(', ');
  return (
    <Card title="Details">
      <dl className="facts">
        <dt>Id</dt>
        <dd>
          <Copyable text={email.id} label="Copy the id" />
        </dd>
        <dt>From</dt>
        <dd>{people([email.from])}</dd>
        <dt>To</dt>
        <dd>{people(email.to)}</dd>
        <Fact name="Cc" value={people(email.cc)} />
        <Fact name="Bcc" value={people(email.bcc)} />
        <Fact name="Reply to" value={people(email.reply_to_list)} />
        <Resends email={email} />
        <dt>Stream</dt>
        <dd>{email.stream}</dd>
        <dt>Priority</dt>
        <dd>{email.priority}</dd>
        {email.scheduled_at ? (
          <>
            <dt>Scheduled</dt>
            <dd>
              <Time at={email.scheduled_at} style="exact" />
            </dd>
          </>
        ) : null}
        {email.template_id ? (
          <>
            <dt>Template</dt>
            <dd>
              <Link to="/templates/$id" params={{ id: email.template_id }}>
                {email.template_id}
              </Link>
            </dd>
          </>
        ) : null}
        {email.require_tls ? <Fact name="TLS" value="Required on every hop (REQUIRETLS)" /> : null}
        {email.collapse_key ? <Fact name="Collapse key" value={email.collapse_key} /> : null}
        {email.batch_id ? (
          <>
            <dt>Batch</dt>
            <dd>
              <Link to="/emails" search={{ batch_id: email.batch_id }}>
                {email.batch_id}
              </Link>
            </dd>
          </>
        ) : null}
        {email.api_key_id ? (
          <>
            <dt>API key</dt>
            <dd>
              <Link to="/emails" search={{ api_key_id: email.api_key_id }}>
                {email.api_key_id}
              </Link>
            </dd>
          </>
        ) : null}
        {email.tags.map(({ name, value }) => (
          <Fact key={name} name={name} value={value} />
        ))}
        {Object.entries(email.metadata).map(([name, value]) => (
          <Fact key={name} name={name} value={String(value)} />
        ))}
      </dl>
    </Card>
  );
}

/** The email that this one sends again, and those that send this one again. */
function Resends({ email: { resent_from: source, resends } }: { readonly email: Email }) {
  return (
    <>
      {source ? (
        <>
          <dt>Sends again</dt>
          <dd>
            <Link to="/emails/$id" params={{ id: source }}>
              {source}
            </Link>
          </dd>
        </>
      ) : null}
      {resends.length > 0 ? (
        <>
          <dt>Sent again</dt>
          <dd>
            {resends.map(({ id, created_at: at }) => (
              <div key={id}>
                <Link to="/emails/$id" params={{ id }}>
                  <Time at={at} style="exact" />
                </Link>
              </div>
            ))}
          </dd>
        </>
      ) : null}
    </>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  if (value === '') return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
