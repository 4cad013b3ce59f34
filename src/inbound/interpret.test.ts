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

/** Records its input. */
const asked: Parameters<Judge>[0][] = [];
const judge: Judge = (refusal) => {
  asked.push(refusal);
  return { kind: 'bounced', reason: 'unknown_recipient', rule: 'r', suppress: 'hard_bounce' };
};
const nobody = () => null;

describe('the meaning of a report', () => {
  it('is classified like a refusal at RCPT', () => {
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

  it('takes the class of the status without an SMTP code, and reports no code', () => {
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

  it('has no permanent code if the mail is only delayed', () => {
    const delayed = { ...failed, action: 'delayed', diagnostic: 'Connection timed out' } as const;
    const { finding } = interpret(delayed, delivery, nobody, judge) as { finding: object };
    expect(asked.at(-1)?.reply).toMatchObject({ code: 450, enhanced: null });
    expect(finding).toMatchObject({ smtpCode: null, enhancedCode: null });
    interpret({ ...delayed, status: null, smtpCode: null }, delivery, nobody, judge);
    expect(asked.at(-1)?.reply.code).toBe(450);
  });

  it('reports the code once, and the author of the report', () => {
    const said = (diagnostic: string) =>
      (interpret({ ...failed, diagnostic }, delivery, nobody, judge) as { finding: object }).finding;
    expect(said('550 5.1.1 User unknown')).toMatchObject({ smtpCode: 550, text: '5.1.1 User unknown' });
    expect(said('550-5.1.1 User unknown')).toMatchObject({ text: '5.1.1 User unknown' });
    expect(said('550')).toMatchObject({ text: null });
    expect(said('5501 is no code of ours')).toMatchObject({ reporter: 'relay.example.org' });
  });

  it('has no signal for a temporary failure other than a full mailbox', () => {
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

  it('belongs to the return path that received it, whatever else it names', () => {
    const complaint = {
      kind: 'complaint',
      feedbackType: 'abuse',
      reference: 'of another',
      recipient: null,
    } as const;
    expect(interpret(complaint, delivery, () => other, judge)).toMatchObject({ delivery });
    expect(interpret(complaint, null, () => other, judge)).toMatchObject({ delivery: other });
  });

  it('requires no action if it names no delivery', () => {
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

  it('puts untrusted text on one line that the database accepts', () => {
    const diagnostic = `a\0b\r\n\ud800 ${'x'.repeat(5_000)}`;
    const { finding } = interpret({ ...failed, diagnostic }, delivery, nobody, judge) as {
      finding: { text: string };
    };
    expect(finding.text).toMatch(/^a b x+$/);
    expect(finding.text).toHaveLength(1_000);
  });
});
