/** One refused request: what was wrong with it, and where to go from there. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { LogEntry } from '../../app/account-types.ts';
import { Badge } from '../../ui/badge.tsx';
import { CodeBlock, Copyable } from '../../ui/copy.tsx';
import { ADVICE } from '../../ui/error-note.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Card, PageHead } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { LocalTimes, Time } from '../../ui/time.tsx';
import { logEntryQuery } from './queries.ts';
import { reasonOf } from './reasons.ts';

export function LogEntryPage() {
  const { id } = useParams({ from: '/app/logs/$id' });
  const entry = useQuery(logEntryQuery(id));
  const back = { to: '/logs', label: 'Refused requests' };
  if (!entry.data)
    return (
      <>
        <PageHead title="Refused request" back={back} />
        <QueryState of={entry} />
      </>
    );
  const { data } = entry;
  return (
    <>
      <PageHead
        title={`${data.method} ${data.path}`}
        back={back}
        lead={
          <>
            <Badge tone="warn">
              {data.status} {reasonOf(data.code)}
            </Badge>{' '}
            <Time at={data.at} style="exact" />
          </>
        }
      />
      <div className="columns">
        <div className="stack">
          <Reason entry={data} />
          {data.recipients.length > 0 ? <Recipients entry={data} /> : null}
          {data.excerpt ? (
            <Card title="Content of the request">
              <div className="stack-small">
                <p className="quiet small">
                  The log keeps no message content, template data, headers or attachments.
                </p>
                <CodeBlock text={JSON.stringify(data.excerpt, null, 2)} label="Copy the excerpt" />
              </div>
            </Card>
          ) : null}
        </div>
        <Facts entry={data} />
      </div>
    </>
  );
}

function Reason({ entry }: { readonly entry: LogEntry }) {
  const { message, code, fields, count } = entry;
  const advice = code === null ? undefined : ADVICE[code];
  return (
    <Card title="Reason">
      <div className="stack-small">
        <div className="note warn">
          <Icon name="alert" />
          <div className="stack-small grow wrap">
            <div className="strong">
              {message ??
                'The same request was refused before; the same Idempotency-Key gets the same answer.'}
            </div>
            {advice ? (
              <div>
                <LocalTimes text={advice} />
              </div>
            ) : null}
          </div>
        </div>
        {fields.length > 0 ? (
          <ul className="wrap">
            {fields.map(({ field, message: problem }) => (
              <li key={`${field} ${problem}`}>
                <code>{field}</code> {problem}
              </li>
            ))}
          </ul>
        ) : null}
        {count > 1 ? <p>{count.toLocaleString()} identical requests were refused within a second.</p> : null}
      </div>
    </Card>
  );
}

const SHOWN_RECIPIENTS = 50;

function Recipients({ entry: { recipients } }: { readonly entry: LogEntry }) {
  const more = recipients.length - SHOWN_RECIPIENTS;
  return (
    <Card title="Recipients">
      <ul className="wrap">
        {recipients.slice(0, SHOWN_RECIPIENTS).map((address) => (
          <li key={address}>
            {address}{' '}
            <Link to="/suppressions" search={{ email: address }} aria-label={`Is ${address} suppressed?`}>
              Suppressed?
            </Link>{' '}
            <Link to="/emails" search={{ to: address }} aria-label={`Emails to ${address}`}>
              Emails
            </Link>{' '}
            <Link to="/logs" search={{ recipient: address }} aria-label={`Refused mail to ${address}`}>
              Refused
            </Link>
          </li>
        ))}
        {more > 0 ? <li className="quiet">and {more.toLocaleString()} more</li> : null}
      </ul>
    </Card>
  );
}

function Facts({ entry }: { readonly entry: LogEntry }) {
  const { caller, request_id: requestId, duration_ms: duration, code } = entry;
  return (
    <Card title="Details">
      <dl className="facts">
        {code ? (
          <>
            <dt>Code</dt>
            <dd>
              <Link to="/logs" search={{ code }}>
                {code}
              </Link>
            </dd>
          </>
        ) : null}
        <dt>Sent by</dt>
        <dd>
          {caller === null ? 'unknown' : (caller.name ?? caller.id)}
          {caller?.type === 'api_key' ? (
            <>
              {' '}
              <Link to="/logs" search={{ key_id: caller.id }}>
                {caller.id}
              </Link>
            </>
          ) : null}
        </dd>
        {requestId ? (
          <>
            <dt>Request id</dt>
            <dd>
              <Copyable text={requestId} label="Copy the request id" />
            </dd>
          </>
        ) : null}
        <dt>Duration</dt>
        <dd>{duration.toLocaleString()} ms</dd>
      </dl>
    </Card>
  );
}
