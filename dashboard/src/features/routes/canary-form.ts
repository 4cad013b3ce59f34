/** The canary of a rule as a form has it: texts, until they are sent. Pure. */
import type { Rule, Table, WantedRule } from './table-text.ts';

export const RATES = ['deferred', 'bounced', 'complained'] as const;
export type Rate = (typeof RATES)[number];

export type CanaryForm = Readonly<Record<'to' | 'name' | 'percents' | 'minutes' | 'mails' | Rate, string>>;
type Plan = Table['usual']['canary'];

/** Of a rule without one: what it would be unless somebody says otherwise. `to` is empty then. */
export function canaryForm(canary: Rule['canary'], usual: Plan): CanaryForm {
  const { percents, minutes, mails, worse } = canary ?? usual;
  return {
    to: canary?.to ?? '',
    name: canary?.name ?? '',
    percents: percents.join(', '),
    minutes: String(minutes),
    mails: String(mails),
    deferred: percentText(worse.deferred),
    bounced: percentText(worse.bounced),
    complained: percentText(worse.complained),
  };
}

/** What is left empty is filled in by the server. */
export function wantedCanary(form: CanaryForm): WantedRule['canary'] {
  const { to, name, percents, minutes, mails } = form;
  if (to === '') return null;
  const given = <T>(field: string, text: string, read: (text: string) => T) =>
    text.trim() === '' ? {} : { [field]: read(text) };
  const worse = Object.assign({}, ...RATES.map((rate) => given(rate, form[rate], fractionOf)));
  return {
    name: name.trim() === '' ? `to-${to}` : name.trim(),
    to,
    ...given('percents', percents, percentsOf),
    ...given('minutes', minutes, Number),
    ...given('mails', mails, Number),
    worse,
  };
}

/** What is typed for `percents` and cannot be sent, in words. */
export function percentsProblem(text: string): string | undefined {
  const wrong = wordsOf(text).find((one) => !/^\d+(\.\d+)?$/.test(one));
  return wrong === undefined
    ? undefined
    : `“${wrong}” is not a number. Enter numbers with commas between them, such as 1, 5, 10.`;
}

/** The same of a rate. The server would speak of parts of one. */
export function rateProblem(text: string): string | undefined {
  const percent = Number(text);
  return percent >= 0 && percent <= 100 ? undefined : 'Enter a number from 0 to 100.';
}

export function isSendable(form: CanaryForm): boolean {
  const problems = [percentsProblem(form.percents), ...RATES.map((rate) => rateProblem(form[rate]))];
  return form.to === '' || problems.every((one) => one === undefined);
}

function percentsOf(text: string): number[] {
  return wordsOf(text).map(Number);
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,%]+/).filter(Boolean);
}

/** 0.001 is 0.1; without the last digits that dividing leaves. */
export function percentText(fraction: number): string {
  return String(Number((fraction * 100).toPrecision(12)));
}

export function fractionOf(percent: string): number {
  return Number((Number(percent) / 100).toPrecision(12));
}
