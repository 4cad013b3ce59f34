/** The recipients of an email: a card for each of a few, those with problems first; the others are grouped by outcome. */
import type { Email, Explanation } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { words } from '../../ui/badge.tsx';
import { TextField } from '../../ui/field.tsx';
import { emailSuppressionsQuery } from '../suppressions/queries.ts';
import {
  RecipientCard,
  type RecipientFacts,
  RecipientHistory,
  RecipientName,
  SuppressionButton,
} from './recipient-card.tsx';

/** More cards would push the content of the email far down. */
const MOST_CARDS = 5;

type Status = RecipientFacts['recipient']['status'];

/** Those that somebody may have to act on come first. */
const BY_WEIGHT: readonly Status[] = ['failed', 'bounced', 'deferred', 'queued', 'delivered', 'opened'];

interface Props {
  readonly email: Email;
  readonly explained: Explanation | undefined;
}

export function Recipients({ email, explained }: Props) {
  const [search, setSearch] = useState('');
  const all = useFacts(email, explained);
  const isLong = all.length > MOST_CARDS;
  const found = isLong ? all.filter((one) => isMatch(one, search)) : all;
  const others = found.slice(MOST_CARDS);
  return (
    <>
      {isLong ? (
        <TextField
          label={`Find one of ${all.length} recipients`}
          type="search"
          placeholder="Any part of the address"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      ) : null}
      {found.length === 0 ? <p className="quiet">No recipient matches.</p> : null}
      {found.slice(0, MOST_CARDS).map((facts) => (
        <RecipientCard key={keyOf(facts)} {...facts} />
      ))}
      {BY_WEIGHT.map((status) => (
        <OutcomeGroup
          key={status}
          status={status}
          members={others.filter((one) => statusOf(one) === status)}
        />
      ))}
    </>
  );
}

function useFacts({ id, recipients, events }: Email, explained: Explanation | undefined) {
  const { data: suppressed } = useQuery(emailSuppressionsQuery(id));
  const all = recipients.map((recipient): RecipientFacts => {
    const isOf = (one: { readonly recipient: string }) => one.recipient === recipient.email;
    return {
      recipient,
      events: events.filter(isOf),
      explained: explained?.recipients.find((one) => one.email === recipient.email),
      suppression: suppressed && (suppressed.find(isOf)?.suppression ?? null),
    };
  });
  // The sort is stable, so recipients of the same outcome stay in the order of the email.
  return all.length > MOST_CARDS ? all.sort((a, b) => weightOf(a) - weightOf(b)) : all;
}

function OutcomeGroup({
  status,
  members,
}: {
  readonly status: Status;
  readonly members: readonly RecipientFacts[];
}) {
  const [isOpen, setOpen] = useState(false);
  if (members.length === 0) return null;
  return (
    <details className="card" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="card-body">
        {members.length} more {words(status)}
      </summary>
      {isOpen ? members.map((facts) => <GroupMember key={keyOf(facts)} {...facts} />) : null}
    </details>
  );
}

function GroupMember(facts: RecipientFacts) {
  const [isOpen, setOpen] = useState(false);
  const { recipient, suppression } = facts;
  return (
    <details className="delivery" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="wrap">
        <RecipientName recipient={recipient} />
        {suppression ? <span className="quiet small"> suppressed</span> : null}
      </summary>
      {isOpen ? (
        <div className="stack-small details-body">
          <RecipientHistory {...facts} />
          <div className="row">
            <SuppressionButton address={recipient.email} entry={suppression} />
          </div>
        </div>
      ) : null}
    </details>
  );
}

const statusOf = ({ recipient }: RecipientFacts) => recipient.status;
const weightOf = (facts: RecipientFacts) => BY_WEIGHT.indexOf(statusOf(facts));
const keyOf = ({ recipient }: RecipientFacts) => `${recipient.kind} ${recipient.email}`;

function isMatch({ recipient }: RecipientFacts, search: string): boolean {
  return recipient.email.toLowerCase().includes(search.trim().toLowerCase());
}
