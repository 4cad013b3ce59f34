/** What would happen if the draft were sent now. */
import type { DryRun, DryRunRecipient } from '@postrider/sdk';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';

export function DryRunCard({ told }: { readonly told: DryRun }) {
  const { refusal, message, recipients } = told;
  return (
    <Card title="Dry run: nothing was sent">
      <div className="stack" role="status">
        {refusal ? (
          <p className="note bad">
            The email would be refused with {refusal.status} {refusal.code}: {refusal.message}
          </p>
        ) : null}
        <ul className="stack-small plain-list">
          {recipients.map((one) => (
            <Recipient key={one.email} told={one} />
          ))}
        </ul>
        {message ? <Message told={message} /> : null}
      </div>
    </Card>
  );
}

const TONES: Readonly<Record<DryRunRecipient['outcome'], 'good' | 'warn' | 'bad'>> = {
  delivered: 'good',
  deferred: 'warn',
  bounced: 'bad',
  failed: 'bad',
  held: 'warn',
  waits: 'warn',
  refused: 'bad',
};

function Recipient({ told }: { readonly told: DryRunRecipient }) {
  const { email, outcome, message, site, route, tls, took, validation, not_before: notBefore } = told;
  const facts = [
    site === null ? null : `Receiving server ${site}`,
    route.source === null ? null : `from ${route.source}`,
    tls === null ? null : `TLS ${tls.mode.replaceAll('_', ' ')}`,
    validation === null ? null : `risk ${validation.risk_score.toFixed(2)}`,
    took === null ? null : `50% within ${seconds(took.p50_ms)}, 90% within ${seconds(took.p90_ms)}`,
  ];
  return (
    <li className="wrap">
      <Badge tone={TONES[outcome]}>{outcome}</Badge> <strong>{email}</strong>
      <p>{message}</p>
      {notBefore === null ? null : (
        <p>
          Not before <Time at={notBefore} style="exact" />.
        </p>
      )}
      <p className="quiet small">{facts.filter((fact) => fact !== null).join(' · ')}</p>
    </li>
  );
}

function seconds(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

function Message({ told }: { readonly told: NonNullable<DryRun['message']> }) {
  const { size, dkim, spf, dmarc, findings } = told;
  return (
    <section className="stack-small">
      <p className="quiet small">
        {size.message.toLocaleString()} bytes as signed. DKIM {dkim.result}
        {dkim.aligned ? ', aligned' : ''}; SPF {spf.result}
        {spf.aligned ? ', aligned' : ''}; DMARC {dmarc.passes ? 'passes' : 'fails'}
        {dmarc.policy === null ? '' : ` (p=${dmarc.policy})`}.
      </p>
      <ul className="stack-small plain-list">
        {findings.map(({ kind, severity, message }) => (
          <li key={`${kind} ${message}`} className="wrap">
            <Badge tone={severity === 'warning' ? 'warn' : 'info'}>{severity}</Badge> {message}
          </li>
        ))}
      </ul>
    </section>
  );
}
