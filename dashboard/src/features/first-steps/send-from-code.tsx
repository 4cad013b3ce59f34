/** The same email in every language, and what a program that speaks SMTP is told instead. */
import type { Data } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { useChoice } from '../../app/choice.ts';
import { useMe, useMode } from '../../app/session.ts';
import { CodeBlock, Copyable } from '../../ui/copy.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { domainsQuery } from '../domains/queries.ts';
import { LANGUAGES, snippet } from './snippets.ts';

type Smtp = Data<'GET /first-steps'>['smtp'];

const EXAMPLES = [...LANGUAGES, { key: 'smtp', label: 'SMTP' }] as const;

export function SendFromCode({ smtp }: { readonly smtp: Smtp }) {
  const [way, setWay] = useChoice('code', EXAMPLES, 'curl');
  const me = useMe();
  const from = useSender();
  return (
    <div className="stack-small">
      <p>
        Put your key where the program finds it: <code>export POSTRIDER_API_KEY=pr_…</code>
      </p>
      <Tabs label="Language" tabs={EXAMPLES} chosen={way} onChoose={setWay}>
        <div className="tab-body">
          {way === 'smtp' ? (
            <SmtpSettings smtp={smtp} />
          ) : (
            <CodeBlock
              label="Copy the code"
              text={snippet(way, { origin: location.origin, from, to: me.user.email })}
            />
          )}
        </div>
      </Tabs>
    </div>
  );
}

/** An address that mail may be sent from, as far as there is one. */
function useSender(): string {
  const sandbox = useMode() === 'sandbox';
  const domains = useQuery(domainsQuery);
  const verified = domains.data?.find(({ is_verified }) => is_verified)?.domain;
  return `hello@${verified ?? (sandbox ? 'sandbox.test' : 'your-domain.example')}`;
}

const ENCRYPTION = { none: 'none', starttls: 'STARTTLS' } as const;

function SmtpSettings({ smtp }: { readonly smtp: Smtp }) {
  if (smtp === null)
    return <p>This installation does not accept mail over SMTP. The operator disabled SMTP submission.</p>;
  return (
    <dl className="facts">
      <dt>Server</dt>
      <dd>
        <Copyable text={smtp.host} label="Copy the server" />
      </dd>
      <dt>Port</dt>
      <dd>
        <Copyable text={String(smtp.port)} label="Copy the port" />
        {smtp.tls_port === null ? null : ` or ${smtp.tls_port} with implicit TLS`}
      </dd>
      <dt>Encryption</dt>
      <dd>{ENCRYPTION[smtp.encryption]}</dd>
      <dt>User name</dt>
      <dd>anything, such as postrider</dd>
      <dt>Password</dt>
      <dd>
        an API key
        {smtp.needs_password ? '' : '; optional for the first organization in the sandbox'}
      </dd>
    </dl>
  );
}
