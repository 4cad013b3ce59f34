/** The span of accepting. What becomes of the emails later belongs to it, so it is stored with each of them. */
import type { OpenSpan, Tracer } from '../runtime/tracing.ts';
import type { Submission } from './email-acceptor.ts';

export interface TracedSubmission {
  readonly submission: Submission;
  readonly span: OpenSpan | null;
}

/** A request that is not traced has no such span either; what comes without a request begins a trace of its own. */
export function traceAccept(tracer: Tracer | undefined, submission: Submission): TracedSubmission {
  const [first] = submission.emails;
  const origin = first?.addresses.origin;
  const isLeftOut = origin !== undefined && origin.traceparent === undefined;
  if (tracer === undefined || first === undefined || isLeftOut) return { submission, span: null };
  const span = tracer.begin({
    name: 'accept',
    kind: 'producer',
    parent: origin?.traceparent ?? null,
    attributes: { 'postrider.email_id': first.id, 'postrider.emails': submission.emails.length },
  });
  if (span === null) return { submission, span };
  const { traceparent } = span;
  const emails = submission.emails.map((email) => ({
    ...email,
    addresses: { ...email.addresses, origin: { ...email.addresses.origin, traceparent } },
  }));
  return { submission: { ...submission, emails }, span };
}
