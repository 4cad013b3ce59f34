/** The entries of a proof: an email's record and everything that happened to it, in chronological order. Pure. */
import type { EmailRow, RecipientRow } from '../emails/store-read.ts';
import { streamOf } from '../emails/stream.ts';
import type { AttemptRow } from '../events/attempts.ts';
import { type EventRow, eventView } from '../events/read.ts';
import type { ProofEntry } from './chain.ts';

export interface ProvenEmail {
  readonly email: EmailRow;
  readonly recipients: readonly RecipientRow[];
  readonly events: readonly EventRow[];
  readonly attempts: readonly AttemptRow[];
}

export function entriesOf({ email, recipients, events, attempts }: ProvenEmail): ProofEntry[] {
  const addresses = new Map(recipients.map(({ position, address }) => [position, address]));
  const happened = [
    ...events.map((event) => ({ at: event.created_at, entry: eventEntry(event) })),
    ...attempts.map((attempt) => ({ at: attempt.created_at, entry: attemptEntry(attempt, addresses) })),
  ].toSorted((one, other) => one.at.getTime() - other.at.getTime());
  return [emailEntry(email, recipients), ...happened.map(({ entry }) => entry)].map(plain);
}

/** Limits the proof to one recipient, so that its reader sees no other recipients. */
export function ofRecipient(found: ProvenEmail, address: string): ProvenEmail | null {
  const recipients = found.recipients.filter((one) => one.address.toLowerCase() === address.toLowerCase());
  const positions = new Set(recipients.map(({ position }) => position));
  if (recipients.length === 0) return null;
  return {
    email: found.email,
    recipients,
    events: found.events.filter(({ position }) => positions.has(position)),
    attempts: found.attempts.filter(({ position }) => positions.has(position)),
  };
}

function emailEntry(email: EmailRow, recipients: readonly RecipientRow[]): ProofEntry {
  const { id, mode, from_email, from_name, subject, created_at, scheduled_at, tags } = email;
  return {
    kind: 'email',
    id,
    mode,
    from: { email: from_email, name: from_name },
    subject,
    stream: streamOf(tags ?? []),
    created_at,
    scheduled_at,
    recipients: recipients.map(({ address, kind, state }) => ({ email: address, kind, status: state })),
  };
}

function eventEntry(event: EventRow): ProofEntry {
  return { kind: 'event', ...eventView(event) };
}

/** Includes the SMTP dialogue and what was transmitted. */
function attemptEntry(
  { position, kind, conversation, route, evidence, ...attempt }: AttemptRow,
  addresses: ReadonlyMap<number, string>,
): ProofEntry {
  return {
    kind,
    recipient: addresses.get(position) ?? null,
    ...attempt,
    route: route && { transport: route.transport, source: route.source },
    transcript: conversation === null ? null : conversation.split('\n'),
    message: evidence,
  };
}

/** Normalized by JSON, so that the hash matches what a reader parses. */
function plain(entry: ProofEntry): ProofEntry {
  return JSON.parse(JSON.stringify(entry)) as ProofEntry;
}
