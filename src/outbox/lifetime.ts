/** How long Postrider tries to deliver an email. */
import { DAY_MS } from '../runtime/durations.ts';

const DEFAULT_LIFETIME_MS = DAY_MS;

/** Takes the lifetime that the email requests in seconds, or null for the default. */
export type LifetimeMs = (expiresInSeconds: number | null) => number;

/** `speed` is how much faster than real time the retry clock runs; only the sandbox runs it faster. */
export function createLifetime(speed: number): LifetimeMs {
  return (expiresInSeconds) =>
    (expiresInSeconds === null ? DEFAULT_LIFETIME_MS : expiresInSeconds * 1000) / speed;
}

/** When delivery starts, and when Postrider gives up. */
export function deliveryWindow(nowMs: number, scheduledAtMs: number | null, lifetimeMs: number) {
  const dueAtMs = Math.max(nowMs, scheduledAtMs ?? 0);
  return { dueAtMs, expiresAtMs: dueAtMs + lifetimeMs };
}
