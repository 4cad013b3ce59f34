/** A forecast in the API's format. */
import type { EmailForecast, RecipientForecast } from './forecast.ts';
import type { MessageForecast } from './message-forecast.ts';

export interface RefusalView {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: { readonly field: string; readonly message: string }[];
}

export function forecastView(forecast: EmailForecast | undefined, refusal: RefusalView | null) {
  return {
    refusal,
    message: forecast?.message ? messageForecastView(forecast.message) : null,
    recipients: (forecast?.recipients ?? []).map(recipientForecastView),
  };
}

export function messageForecastView({ links: _, findings, ...rest }: MessageForecast) {
  return { ...rest, findings: [...findings] };
}

export function recipientForecastView({ notBefore, ...rest }: RecipientForecast) {
  return { ...rest, not_before: notBefore?.toISOString() ?? null };
}
