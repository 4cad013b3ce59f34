/** Collects the roles' metrics for the supervisor over its IPC channels. */
import type { ChildProcess } from 'node:child_process';
import type { Metrics } from '../runtime/metrics.ts';

interface Question {
  readonly metricsAsked: number;
}

interface Answer {
  readonly metricsOf: number;
  /** Null when collecting failed. */
  readonly text: string | null;
}

/** Shorter than Prometheus' scrape timeout, so that a stuck role does not cost the metrics of the others. */
const ANSWER_WITHIN_MS = 3_000;

let asked = 0;

/** Null on timeout. */
export function askForMetrics(child: ChildProcess): Promise<string | null> {
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
    const tooLate = setTimeout(leave, ANSWER_WITHIN_MS);
    child.on('message', read).on('exit', leave);
    child.send(question, (error) => error && leave());
  });
}

/** Runs in the role, and answers every request for metrics. */
export function answerForMetrics({ text }: Pick<Metrics, 'text'>): void {
  process.on('message', async (message: unknown) => {
    if (!isQuestion(message)) return;
    const answer: Answer = { metricsOf: message.metricsAsked, text: await text().catch(() => null) };
    // The supervisor may have ended meanwhile.
    if (process.connected) process.send?.(answer, () => undefined);
  });
}

function isQuestion(message: unknown): message is Question {
  return typeof message === 'object' && message !== null && 'metricsAsked' in message;
}

function isAnswer(message: unknown): message is Answer {
  return typeof message === 'object' && message !== null && 'metricsOf' in message;
}
