/** The checklist of all applicable feedback loops with their states. Pure. */
import { FEEDBACK_LOOPS, type FeedbackLoop } from './loops.ts';
import type { EnrolledRow } from './store.ts';

/** `working`: complaints have arrived. `enrolled`: a user has marked it. `missing`: neither. */
export const LOOP_STATES = ['working', 'enrolled', 'missing'] as const;
export type LoopState = (typeof LOOP_STATES)[number];

export interface ChecklistFacts {
  readonly domains: readonly string[];
  /** Empty for organizations that do not operate the installation and own none of its addresses. */
  readonly addresses: readonly string[];
  readonly enrolled: readonly EnrolledRow[];
  /** When each provider last reported a complaint. */
  readonly heard: ReadonlyMap<string, Date>;
  /** The address for reports. */
  readonly reportsTo: string;
}

export function checklist(facts: ChecklistFacts) {
  return FEEDBACK_LOOPS.flatMap((loop) => {
    const subjects = loop.subject === 'domain' ? facts.domains : facts.addresses;
    return subjects.map((subject) => entry(loop, subject, facts));
  });
}

function entry(loop: FeedbackLoop, subject: string, { enrolled, heard, reportsTo }: ChecklistFacts) {
  const said = enrolled.find((one) => one.loop === loop.name && one.subject === subject);
  const last = loop.sendsReports ? (heard.get(loop.provider) ?? null) : null;
  const state: LoopState = said === undefined ? 'missing' : last === null ? 'enrolled' : 'working';
  return {
    loop: loop.name,
    title: loop.title,
    provider: loop.provider,
    subject: { kind: loop.subject, value: subject },
    state,
    message: sentence(state, loop, last),
    url: loop.url,
    steps: loop.steps.map((step) => filledIn(step, subject, reportsTo)),
    enrolled_at: said?.enrolled_at ?? null,
    enrolled_by: said?.enrolled_by ?? null,
    last_complaint_at: last,
  };
}

function sentence(state: LoopState, { title, sendsReports }: FeedbackLoop, last: Date | null): string {
  if (state === 'missing')
    return `Nobody has said that it is enrolled. ${title} tells you what its users complain of.`;
  if (!sendsReports) return 'Enrolled. It sends nothing: look there from time to time.';
  return last === null
    ? 'Enrolled. No complaint has come in yet.'
    : `Working: the last complaint came in on ${last.toISOString().slice(0, 10)}.`;
}

function filledIn(step: string, subject: string, reportsTo: string): string {
  return step.replaceAll('{subject}', subject).replaceAll('{fbl}', reportsTo);
}
