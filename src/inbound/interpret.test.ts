import { describe, expect, it } from 'vitest';
import { interpret, type Judge } from './interpret.ts';
import type { DeliveryReport } from './report/report.ts';

const delivery = {
  organizationId: 'org_0000000000000',
  emailId: '01a1dd1c-a335-709a-867c-8b135d323161',
  position: 0,
};
const other = { ...delivery, position: 1 };
const failed: DeliveryReport = {
  kind: 'delivery_report',
  action: 'failed',
  status: '5.1.1',
  smtpCode: 550,
  diagnostic: 'User unknown',
  remoteHost: 'mx.example.org',
  reporter: 'relay.example.org',
  recipient: 'ada@example.org',
};

/** Says back what it was asked. */
const asked: Parameters<Judge>[0][] = [];
const judge: Judge = (refusal) => {
  asked.push(refusal);
  return { kind: 'bounced', reason: 'unknown_recipient', rule: 'r', suppress: 'hard_bounce' };
};
const nobody = () => null;

describe('what a report means', () => {
  it('is judged like a refusal at RCPT', () => {
    const interpretation = interpret(failed, delivery, nobody, judge);
    expect(asked.at(-1)).toEqual({
      phase: 'rcpt',
      reply: { code: 550, enhanced: '5.1.1', text: 'User unknown' },
      host: 'mx.example.org',
    });
    expect(interpretation).toMatchObject({
      kind: 'failed',
      delivery,
      finding: { signal: 'hard_bounce', rule: 'report-r', smtpCode: 550, enhancedCode: '5.1.1' },
    });
  });

  it('takes the class of the status where there is no SMTP code, and claims none', () => {
    const { finding } = interpret(
      { ...failed, status: '4.4.1', smtpCode: null },
      delivery,
      nobody,
      judge,
    ) as {
      finding: { smtpCode: number | null };
    };
    expect(asked.at(-1)?.reply.code).toBe(450);
    expect(finding.smtpCode).toBeNull();
    interpret({ ...failed, status: null, smtpCode: 250 }, delivery, nobody, judge);
    expect(asked.at(-1)?.reply).toMatchObject({ code: 550, enhanced: null });
  });

  it('has no permanent code where the mail is only delayed', () => {
    const delayed = { ...failed, action: 'delayed', diagnostic: 'Connection timed out' } as const;
    const { finding } = interpret(delayed, delivery, nobody, judge) as { finding: object };
    expect(asked.at(-1)?.reply).toMatchObject({ code: 450, enhanced: null });
    expect(finding).toMatchObject({ smtpCode: null, enhancedCode: null });
    interpret({ ...delayed, status: null, smtpCode: null }, delivery, nobody, judge);
    expect(asked.at(-1)?.reply.code).toBe(450);
  });

  it('says the code once, and who wrote it', () => {
    const said = (diagnostic: string) =>
      (interpret({ ...failed, diagnostic }, delivery, nobody, judge) as { finding: object }).finding;
    expect(said('550 5.1.1 User unknown')).toMatchObject({ smtpCode: 550, text: '5.1.1 User unknown' });
    expect(said('550-5.1.1 User unknown')).toMatchObject({ text: '5.1.1 User unknown' });
    expect(said('550')).toMatchObject({ text: null });
    expect(said('5501 is no code of ours')).toMatchObject({ reporter: 'relay.example.org' });
  });

  it('blames nobody for what is judged to be temporary', () => {
    const temporary: Judge = () => ({
      kind: 'deferred',
      reason: 'mailbox_unavailable',
      rule: 'r',
      suppress: null,
    });
    const full: Judge = () => ({ kind: 'deferred', reason: 'mailbox_full', rule: 'r', suppress: null });
    expect(interpret(failed, delivery, nobody, temporary)).toMatchObject({ finding: { signal: null } });
    expect(interpret(failed, delivery, nobody, full)).toMatchObject({ finding: { signal: 'mailbox_full' } });
  });

  it('is about the return path it was sent to, whatever else it names', () => {
    const complaint = {
      kind: 'complaint',
      feedbackType: 'abuse',
      reference: 'of another',
      recipient: null,
    } as const;
    expect(interpret(complaint, delivery, () => other, judge)).toMatchObject({ delivery });
    expect(interpret(complaint, null, () => other, judge)).toMatchObject({ delivery: other });
  });

  it('is nothing to act on without anybody it is about', () => {
    const complaint = {
      kind: 'complaint',
      feedbackType: 'abuse',
      reference: 'forged',
      recipient: 'a@b.c',
    } as const;
    expect(interpret(complaint, null, nobody, judge)).toMatchObject({ kind: 'kept' });
    expect(interpret(failed, null, () => other, judge)).toMatchObject({ kind: 'kept' });
    expect(interpret({ kind: 'unreadable', why: 'Why.' }, delivery, nobody, judge)).toEqual({
      kind: 'kept',
      note: 'Why.',
    });
  });

  it.each(['not-spam', 'virus', 'other', 'auth-failure', 'dismiss'])('%s is no complaint', (feedbackType) => {
    const report = { kind: 'complaint', feedbackType, reference: null, recipient: null } as const;
    expect(interpret(report, delivery, nobody, judge)).toEqual({ kind: 'ignored', as: 'other_feedback' });
  });

  it.each(['relayed', 'expanded', 'delivered'] as const)('%s changes nothing', (action) => {
    expect(interpret({ ...failed, action }, delivery, nobody, judge)).toEqual({
      kind: 'ignored',
      as: action,
    });
  });

  it('puts strangers words on one line that the database takes', () => {
    const diagnostic = `a\0b\r\n\ud800 ${'x'.repeat(5_000)}`;
    const { finding } = interpret({ ...failed, diagnostic }, delivery, nobody, judge) as {
      finding: { text: string };
    };
    expect(finding.text).toMatch(/^a b x+$/);
    expect(finding.text).toHaveLength(1_000);
  });
});
