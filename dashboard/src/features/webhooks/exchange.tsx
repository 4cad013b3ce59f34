/** One delivery: what we sent and what came back, for each attempt. */
import type { WebhookDelivery, WebhookDeliveryWithRequest } from '@postrider/sdk';
import { useState } from 'react';
import { CodeBlock } from '../../ui/copy.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import '../../ui/styles/exchange.css';

type Attempt = WebhookDelivery['attempts'][number];

export function Exchange({ delivery }: { readonly delivery: WebhookDeliveryWithRequest }) {
  const { attempts, request } = delivery;
  const [chosen, choose] = useState<string | null>(null);
  const shown = attempts.find(({ at }) => at === chosen) ?? attempts.at(-1);
  return (
    <div className="stack-small">
      {attempts.length > 1 ? (
        <Segments
          label="Attempt"
          options={attempts.map(({ at, status }, index) => ({
            key: at,
            label: `${index + 1}: ${status ?? 'no answer'}`,
          }))}
          chosen={shown?.at ?? ''}
          onChoose={choose}
        />
      ) : null}
      <div className="exchange">
        <section className="stack-small">
          <h3>Request</h3>
          {request ? (
            <Request request={request} />
          ) : (
            <p className="quiet small">The email of this event was deleted, and the request with it.</p>
          )}
        </section>
        <section className="stack-small">
          <h3>Response</h3>
          {shown ? (
            <Response attempt={shown} />
          ) : (
            <p className="quiet small">The request was not sent yet.</p>
          )}
        </section>
      </div>
    </div>
  );
}

function Request({ request }: { readonly request: NonNullable<WebhookDeliveryWithRequest['request']> }) {
  return (
    <>
      <div className="small wrap">
        <span className="strong">{request.method}</span> <code>{request.url}</code>
      </div>
      <Headers
        headers={{
          ...request.headers,
          'webhook-timestamp': 'new at every attempt',
          'webhook-signature': 'new at every attempt',
        }}
      />
      <CodeBlock text={readable(request.body)} label="Copy the request" />
    </>
  );
}

function Response({ attempt }: { readonly attempt: Attempt }) {
  return (
    <>
      <div className="small wrap">
        <span className="strong">{attempt.status === null ? 'No answer' : `Status ${attempt.status}`}</span>{' '}
        in {attempt.latency_ms.toLocaleString()} ms, <Time at={attempt.at} style="exact" />
        {attempt.error ? <div>Failed: {attempt.error}</div> : null}
      </div>
      {attempt.response_headers ? <Headers headers={attempt.response_headers} /> : null}
      {attempt.response ? (
        <CodeBlock text={readable(attempt.response)} label="Copy the response" />
      ) : attempt.status === null ? null : (
        <p className="quiet small">The response was empty.</p>
      )}
    </>
  );
}

function Headers({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  return (
    <dl className="facts">
      {Object.entries(headers).map(([name, value]) => (
        <div key={name} className="fact-pair">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
