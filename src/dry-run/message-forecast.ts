/** The message as it would be sent: composed and signed as usual, then parsed as its receiver would. */
import { type OutgoingDeps, writeMessage } from '../delivery/attempt/outgoing.ts';
import { findDmarc, isAligned } from '../domains/dmarc.ts';
import type { NewEmail } from '../emails/email.ts';
import { renderedContent, type StoredContent } from '../emails/rendered-content.ts';
import type { DeliverableEmail } from '../emails/store-delivery.ts';
import type { MessageFinding } from '../message-checks/check-content.ts';
import { checkMessage } from '../message-checks/check-message.ts';
import { findingLinks, type MessageLink } from '../message-checks/links.ts';
import { type ClaimedDelivery, priorityRank } from '../outbox/states.ts';
import { type Address, domainOf, halvesOf } from '../protocols/message/address.ts';
import { parseMessage } from '../protocols/message/reading/parsed-message.ts';
import { DAY_MS } from '../runtime/durations.ts';
import { inTurns } from '../runtime/sliced-work.ts';
import { type Authentication, checkAuthentication, type SandboxNames } from '../sandbox/authentication.ts';
import type { TemplateLibrary } from '../templates/library.ts';

export interface MessageForecastDeps {
  readonly outgoing: OutgoingDeps;
  readonly templates: TemplateLibrary;
  /** The DNS for sending domains' records, and the sending host. */
  readonly names: () => SandboxNames;
}

export interface MessageForecast {
  readonly size: { readonly message: number; readonly html: number; readonly text: number };
  readonly dkim: Authentication['dkim'] & { readonly aligned: boolean };
  readonly spf: Authentication['spf'] & { readonly aligned: boolean };
  readonly dmarc: { readonly policy: string | null; readonly passes: boolean };
  readonly findings: readonly MessageFinding[];
  readonly links: readonly MessageLink[];
}

/** Null when the content can no longer be composed, for example after a concurrent template change. */
export async function forecastMessage(
  { outgoing, templates, names }: MessageForecastDeps,
  email: NewEmail,
): Promise<MessageForecast | null> {
  const content = await renderedContent(templates, email.organizationId, storedAs(email));
  const [recipient] = email.recipients;
  if (content.kind !== 'content' || recipient === undefined) return null;
  const { html, text } = content;
  const deliverable = { ...deliverableOf(email, recipient.address), html, text };
  const { wire, envelope } = await writeMessage(outgoing, deliveryOf(email, recipient.address), deliverable);
  const checks = await checkMessage(wire.length, await parseMessage(wire));
  return {
    ...(await authenticated(wire, email, envelope.from, names())),
    size: { message: checks.size.message, html: checks.size.html, text: checks.size.text },
    findings: checks.findings,
    // The original links, because tracking links would hide their targets.
    links: html === null && text === null ? checks.links : await inTurns(findingLinks({ html, text })),
  };
}

async function authenticated(wire: Buffer, email: NewEmail, returnPath: string, names: SandboxNames) {
  const from = domainOf(email.from.email);
  const [{ dkim, spf }, record] = await Promise.all([
    checkAuthentication(wire, email.from.email, names),
    findDmarc(names.lookUp, from),
  ]);
  const policy = record.kind === 'found' ? record : null;
  const isDkimAligned = dkim.domain !== null && isAligned(from, dkim.domain, policy?.isDkimStrict ?? false);
  const returnHost = halvesOf(returnPath).domain;
  const isSpfAligned = isAligned(from, returnHost, policy?.isSpfStrict ?? false);
  const passes = (dkim.result === 'pass' && isDkimAligned) || (spf.result === 'pass' && isSpfAligned);
  return {
    dkim: { ...dkim, aligned: isDkimAligned },
    spf: { ...spf, aligned: isSpfAligned },
    dmarc: { policy: policy?.policy ?? null, passes },
  };
}

/** The content as it would be loaded from the database. */
function storedAs({ html, text, template, textFromHtml }: NewEmail): StoredContent {
  return {
    html,
    text,
    template_id: template?.id ?? null,
    template_version: template?.version ?? null,
    built_with: template?.builtWith ?? null,
    locale: template?.locale ?? null,
    template_data: template && JSON.parse(template.dataJson),
    text_from_html: textFromHtml === true,
  };
}

function deliverableOf(email: NewEmail, recipient: Address): DeliverableEmail {
  const { id, createdAtMs, scheduledAtMs, from, addresses, options, subject, keyId, mime, headers } = email;
  const { tags, stream, trackOpens, unsubscribe, unsubscribeGroup } = email;
  return {
    ...{ id, createdAtMs, scheduledAtMs, from, addresses, options, subject, keyId, mime },
    ...{ tags, stream, trackOpens, unsubscribe, unsubscribeGroup },
    ...storedAs(email),
    recipient: recipient.email,
    headers: headers ?? {},
    attachments: [...email.attachments, ...email.batchAttachments],
    withdrawnFor: null,
  };
}

function deliveryOf(email: NewEmail, { domain }: Address): ClaimedDelivery {
  const { organizationId, id: emailId, createdAtMs, priority } = email;
  return {
    ...{ organizationId, emailId, position: 0, domain },
    priority: priorityRank(priority),
    attempt: 1,
    firstAttemptAtMs: createdAtMs,
    expiresAtMs: createdAtMs + DAY_MS,
    size: 0,
    dueAtMs: 0,
    waitedMs: 0,
  };
}
