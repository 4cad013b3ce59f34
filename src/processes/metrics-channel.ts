/** How a supervisor gets the numbers of its roles: it asks over the channel that it has to each of them. */
import type { ChildProcess } from 'node:child_process';
import type { Metrics } from '../runtime/metrics.ts';

interface Question {
  readonly metricsAsked: number;
}

interface Answer {
  readonly metricsOf: number;
  /** Null where they could not be put together. */
  readonly text: string | null;
}

/** Shorter than what Prometheus waits for a scrape: one that is stuck must not cost the numbers of the others. */
const ANSWER_WITHIN_MS = 3_000;

let asked = 0;

/** Null where there is no answer in time. */
export function askForMetrics(child: ChildProcess, withinMs = ANSWER_WITHIN_MS): Promise<string | null> {
  asked += 1;
  const question: Question = { metricsAsked: asked };
  return new Promise((resolve) => {
    const end = (text: string | null) => {
      clearTimeout(tooLate);
      child.off('message', read).off('exit', leave);
      resolve(text);
    };
    const leave = () => end(null);
    const read = (message: unknown) => {
      if (isAnswer(message) && message.metricsOf === question.metricsAsked) end(message.text);
    };
    const tooLate = setTimeout(leave, withinMs);
    child.on('message', read).on('exit', leave);
    child.send(question, (error) => error && leave());
  });
}

/** In the role: answers whenever it is asked. */
export function answerForMetrics({ text }: Pick<Metrics, 'text'>): void {
  process.on('message', async (message: unknown) => {
    if (!isQuestion(message)) return;
    const answer: Answer = { metricsOf: message.metricsAsked, text: await text().catch(() => null) };
    // A supervisor that is gone meanwhile needs no answer.
    if (process.connected) process.send?.(answer, () => undefined);
  });
}

function isQuestion(message: unknown): message is Question {
  return typeof message === 'object' && message !== null && 'metricsAsked' in message;
}

function isAnswer(message: unknown): message is Answer {
  return typeof message === 'object' && message !== null && 'metricsOf' in message;
}
