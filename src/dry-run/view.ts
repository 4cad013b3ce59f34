/** A forecast as the API shows it. */
import type { EmailForecast, RecipientForecast } from './forecast.ts';
import type { MessageForecast } from './message-forecast.ts';

export interface ToldRefusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: { readonly field: string; readonly message: string }[];
}

export function toldForecast(forecast: EmailForecast | undefined, refusal: ToldRefusal | null) {
  return {
    refusal,
    message: forecast?.message ? toldMessage(forecast.message) : null,
    recipients: (forecast?.recipients ?? []).map(toldRecipient),
  };
}

export function toldMessage({ links: _, findings, ...rest }: MessageForecast) {
  return { ...rest, findings: [...findings] };
}

export function toldRecipient({ notBefore, ...rest }: RecipientForecast) {
  return { ...rest, not_before: notBefore?.toISOString() ?? null };
}
