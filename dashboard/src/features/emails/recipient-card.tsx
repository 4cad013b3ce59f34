/** What happened to one recipient: events, the servers' answers in plain words, and whether it may be mailed. */
import type { Email, Explanation, Suppression } from '@postrider/sdk';
import { useState } from 'react';
import { useCan } from '../../app/session.ts';
import { Badge, Status, words } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/page.tsx';
import { LocalTimes, Time } from '../../ui/time.tsx';
import { Expected } from '../sites/site-parts.tsx';
import { useAddSuppression } from '../suppressions/queries.ts';
import { RemoveSuppression } from '../suppressions/remove-suppression.tsx';
import { ClickedLinks } from './clicked-links.tsx';
import { said } from './said.ts';
import { isTheWait, WaitNote } from './wait-note.tsx';

type Recipient = Email['recipients'][number];
type Event = Email['events'][number];
type TlsCertificate = NonNullable<Event['tls_certificate']>;
type Explained = Explanation['recipients'][number];

export interface RecipientFacts {
  readonly recipient: Recipient;
  readonly events: readonly Event[];
  readonly explained: Explained | undefined;
  /** Null if the address is not suppressed, undefined while that is not known. */
  readonly suppression: Suppression | null | undefined;
}

export function RecipientCard(facts: RecipientFacts) {
  const { recipient, suppression } = facts;
  return (
    <Card
      title={<RecipientName recipient={recipient} />}
      actions={<SuppressionButton address={recipient.email} entry={suppression} />}
    >
      <RecipientHistory {...facts} />
    </Card>
  );
}

export function RecipientName({ recipient: { kind, email, status } }: Pick<RecipientFacts, 'recipient'>) {
  return (
    <>
      {kind === 'to' ? '' : `${kind}: `}
      {email} <Status value={status} />
    </>
  );
}

export function RecipientHistory({ events, explained }: RecipientFacts) {
  return (
    <div className="stack">
      {explained ? <Situation explained={explained} /> : null}
      <ol className="timeline">
        {events.map((event) => (
          <TimelineItem key={event.id} event={event} />
        ))}
      </ol>
      <ClickedLinks events={events} />
      {explained && explained.attempts.length > 0 ? <Attempts attempts={explained.attempts} /> : null}
    </div>
  );
}

/** What went wrong, and what it waits for; once, where that is the same. */
function Situation({ explained }: { readonly explained: Explained }) {
  const { problem, wait, next_attempt_at: next } = explained;
  const isSame = isTheWait(explained);
  return (
    <>
      {problem && !isSame ? <ProblemNote problem={problem} next={wait ? null : next} /> : null}
      {wait ? <WaitNote wait={wait} advice={isSame ? problem?.advice : undefined} /> : null}
    </>
  );
}

/** Who can do something about it. */
const UP_TO: Readonly<Record<string, string>> = {
  recipient: 'Only the recipient can change this.',
  sender: 'You can change this.',
  domain_owner: 'The person who manages the DNS of the domain can change this.',
  receiver: 'Only the receiving server can change this. The problem is usually temporary.',
  operator: 'The operator of this installation can change this.',
};

function ProblemNote({
  problem,
  next,
}: {
  readonly problem: NonNullable<Explained['problem']>;
  readonly next: string | null;
}) {
  return (
    <div className="note warn">
      <Icon name="alert" />
      <div className="stack-small">
        <div className="strong">
          <LocalTimes text={problem.meaning} />
        </div>
        <div>{problem.advice}</div>
        <div className="small">
          {UP_TO[problem.responsible] ?? ''}
          {next ? (
            <>
              {' '}
              The next attempt is <Expected at={next} />.
            </>
          ) : null}
        </div>
      </div>
    </div>
  );
}

const TONES: Readonly<Record<string, string>> = {
  delivered: 'good',
  opened: 'good',
  clicked: 'good',
  bounced: 'bad',
  failed: 'bad',
  rejected: 'bad',
  complained: 'bad',
  unsubscribed: 'warn',
  deferred: 'warn',
  held: 'warn',
};

function TimelineItem({ event }: { readonly event: Event }) {
  return (
    <li className={TONES[event.type] ?? ''}>
      <div className="spread">
        <span>
          <span className="strong">{words(event.type)}</span>
          {event.reason ? <span className="quiet"> {words(event.reason)}</span> : null}
          {event.attempt ? <span className="quiet small"> · attempt {event.attempt}</span> : null}
        </span>
        <span className="quiet small">
          <Time at={event.created_at} style="exact" />
        </span>
      </div>
      {event.hold ? (
        <div className="small wrap">
          <LocalTimes text={event.hold.reason} />
        </div>
      ) : null}
      {event.url ? <div className="small wrap">{event.url}</div> : null}
      {event.smtp_message ? (
        <div className="small wrap">
          {event.mx_host ? <span className="quiet">{event.mx_host} said </span> : null}
          <code>{said(event.smtp_code, event.smtp_message)}</code>
        </div>
      ) : null}
      {event.tls ? (
        <div className="small quiet">
          Encrypted: {event.tls}
          {event.tls_certificate ? `, ${certificateWords(event.tls_certificate)}` : ''}
        </div>
      ) : null}
      {event.next_attempt_at ? (
        <div className="small quiet">
          Next attempt <Time at={event.next_attempt_at} />
        </div>
      ) : null}
    </li>
  );
}

function Attempts({ attempts }: { readonly attempts: Explained['attempts'] }) {
  return (
    <details>
      <summary>SMTP transcript ({countOf(attempts)})</summary>
      <div className="stack-small details-body">
        {attempts.map((attempt) => (
          <div key={`${attempt.kind} ${attempt.created_at}`} className="stack-small">
            <div className="row small">
              <Status value={attempt.outcome} />
              <span className="quiet">
                {attempt.kind === 'report'
                  ? `Report by mail from ${attempt.reported_by ?? 'a server'} · `
                  : ''}
                <Time at={attempt.created_at} style="exact" />
                {attempt.duration_ms === null ? '' : ` · ${attempt.duration_ms} ms`}
                {attempt.rule ? ` · rule ${words(attempt.rule)}` : ''}
              </span>
            </div>
            {attempt.route ? <div className="small wrap">{attempt.route.message}</div> : null}
            <Record attempt={attempt} />
          </div>
        ))}
      </div>
    </details>
  );
}

/** Of an attempt the conversation, of a report its words. */
function Record({ attempt }: { readonly attempt: Explained['attempts'][number] }) {
  const lines = attempt.kind === 'report' ? [attempt.detail ?? ''] : attempt.conversation;
  const text = lines.join('\n');
  return text === '' ? null : <pre className="code">{text}</pre>;
}

function countOf(attempts: Explained['attempts']): string {
  const reports = attempts.filter(({ kind }) => kind === 'report').length;
  const tries = attempts.length - reports;
  const parts = [`${tries} ${tries === 1 ? 'attempt' : 'attempts'}`];
  if (reports > 0) parts.push(`${reports} ${reports === 1 ? 'report' : 'reports'}`);
  return parts.join(', ');
}

interface SuppressionProps {
  readonly address: string;
  readonly entry: RecipientFacts['suppression'];
}

export function SuppressionButton({ address, entry }: SuppressionProps) {
  const can = useCan();
  const add = useAddSuppression(address);
  const [removing, setRemoving] = useState(false);
  if (entry === undefined) return null;
  if (entry === null)
    return can.change ? (
      <Button size="small" kind="ghost" busy={add.isPending} onClick={() => add.mutate()}>
        Add to suppressions
      </Button>
    ) : null;
  return (
    <span className="row">
      <Badge tone="bad">suppressed: {words(entry.reason)}</Badge>
      {can.change ? (
        <Button size="small" onClick={() => setRemoving(true)}>
          Remove from suppressions
        </Button>
      ) : null}
      {removing ? <RemoveSuppression entry={entry} onClose={() => setRemoving(false)} /> : null}
    </span>
  );
}

const POLICIES = {
  dane: 'required by the DNS of the mail host (DANE)',
  mta_sts: 'required by the domain (MTA-STS)',
  require_tls: 'required by the email itself (REQUIRETLS)',
  provider: 'required by the provider',
  relay: 'required for your relay',
  opportunistic: 'because the server offers it',
} as const;

/** "certificate from Let's Encrypt, verified; because the server offers it" */
function certificateWords({ verified, policy, issuer, problem }: TlsCertificate): string {
  const whose = issuer ? `certificate from ${issuer}` : 'certificate';
  return `${whose}, ${verified ? 'verified' : `not verified (${problem})`}; ${POLICIES[policy]}`;
}
