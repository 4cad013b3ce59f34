import { expect, it } from 'vitest';
import { CutOff } from '../protocols/smtp/cut-off.ts';
import { awaitReplies } from './await-replies.ts';

const HOUR_MS = 3_600_000;
const never = new AbortController().signal;

/** So many messages that await their replies, and what is reported of them. */
function waiting(messages: number) {
  const cutOff = new CutOff();
  const answers: (() => void)[] = [];
  const reported: number[] = [];
  for (let i = 0; i < messages; i += 1)
    void cutOff.awaitReply(new Promise<void>((resolve) => answers.push(resolve)));
  const onWaiting = (receivers: number) => reported.push(receivers);
  const answerAll = () => {
    for (const answer of answers.splice(0)) answer();
  };
  return { cutOff, reported, onWaiting, answerAll };
}

it('waits until every receiver has replied', async () => {
  const { cutOff, reported, onWaiting, answerAll } = waiting(2);
  const waited = awaitReplies(cutOff, { withinMs: HOUR_MS, enough: never, onWaiting });
  expect(reported).toEqual([2]);
  answerAll();
  await waited;
  expect(reported).toEqual([2, 0]);
});

it('does not wait when no receiver has a message, and reports nothing', async () => {
  const { cutOff, reported, onWaiting } = waiting(0);
  await awaitReplies(cutOff, { withinMs: HOUR_MS, enough: never, onWaiting });
  expect(reported).toEqual([]);
});

it('waits at most until the timeout', async () => {
  const { cutOff, reported, onWaiting } = waiting(1);
  await awaitReplies(cutOff, { withinMs: 1, enough: never, onWaiting });
  expect(reported).toEqual([1, 0]);
});

it('stops waiting on request', async () => {
  const { cutOff, reported, onWaiting } = waiting(1);
  const enough = new AbortController();
  const waited = awaitReplies(cutOff, { withinMs: HOUR_MS, enough: enough.signal, onWaiting });
  enough.abort();
  await waited;
  expect(reported).toEqual([1, 0]);
});
