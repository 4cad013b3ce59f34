/** The span of accepting. Later spans of the emails are its children, so the span is stored with each email. */
import type { OpenSpan, Tracer } from '../runtime/tracing.ts';
import type { Submission } from './email-acceptor.ts';

export interface TracedSubmission {
  readonly submission: Submission;
  readonly span: OpenSpan | null;
}

/** A request without a trace has no span. Mail that arrives without a request starts a new trace. */
export function traceAccept(tracer: Tracer | undefined, submission: Submission): TracedSubmission {
  const [first] = submission.emails;
  const origin = first?.options.origin;
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
    options: { ...email.options, origin: { ...email.options.origin, traceparent } },
  }));
  return { submission: { ...submission, emails }, span };
}
